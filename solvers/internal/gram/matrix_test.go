package gram

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// exact is the kernel of two vectors from its definition.
func exact(k Kernel, x, z Vector) float64 {
	d, square := 0.0, 0.0
	i, j := 0, 0
	for i < len(x.Index) || j < len(z.Index) {
		switch {
		case j == len(z.Index) || i < len(x.Index) && x.Index[i] < z.Index[j]:
			square += x.Value[i] * x.Value[i]
			i++
		case i == len(x.Index) || x.Index[i] > z.Index[j]:
			square += z.Value[j] * z.Value[j]
			j++
		default:
			d += x.Value[i] * z.Value[j]
			square += (x.Value[i] - z.Value[j]) * (x.Value[i] - z.Value[j])
			i, j = i+1, j+1
		}
	}
	switch k.Kind {
	case RBF:
		return math.Exp(-k.Gamma * square)
	case Polynomial:
		return math.Pow(k.Gamma*d+k.Coef0, float64(k.Degree))
	case Sigmoid:
		return math.Tanh(k.Gamma*d + k.Coef0)
	case Custom:
		return k.Eval(x, z)
	}
	return d
}

var kernels = []Kernel{
	{Kind: Linear},
	{Kind: RBF, Gamma: 0.1},
	{Kind: Polynomial, Gamma: 0.2, Coef0: 0.5, Degree: 3},
	{Kind: Sigmoid, Gamma: 0.05, Coef0: -0.2},
	{Kind: Custom, Eval: func(x, z Vector) float64 { return exact(Kernel{Kind: RBF, Gamma: 0.3}, x, z) }},
}

// random is n vectors of up to dim features; a quarter of them repeat an earlier one.
func random(r *rand.Rand, n, dim, entries int, ones bool) []Vector {
	x := make([]Vector, n)
	for i := range x {
		if i > 0 && r.IntN(4) == 0 {
			x[i] = x[r.IntN(i)]
			continue
		}
		for range r.IntN(entries + 1) {
			x[i].Index = append(x[i].Index, int32(r.IntN(dim)))
		}
		slices.Sort(x[i].Index)
		x[i].Index = slices.Compact(x[i].Index)
		for range x[i].Index {
			v := 1.0
			if !ones {
				v = r.NormFloat64()
			}
			x[i].Value = append(x[i].Value, v)
		}
	}
	return x
}

type set struct {
	name   string
	points []Vector
	rows   []Vector // may have features that no point has
}

func sets() []set {
	r := rand.New(rand.NewPCG(11, 12))
	return []set{
		{"dense", random(r, 200, 9, 30, false), random(r, 9, 12, 30, false)},
		{"ones", random(r, 333, 60, 15, true), random(r, 7, 70, 15, true)},
		{"many ones", random(r, 130, 300, 120, true), random(r, 7, 300, 120, true)},
		{"ones against numbers", random(r, 130, 60, 15, true), random(r, 7, 60, 15, false)},
		{"ones against too many ones", random(r, 130, 60, 15, true), []Vector{fullOnes(200)}},
		{"few", random(r, 3, 20, 10, false), random(r, 2, 20, 10, false)},
		{"wide", random(r, 2500, 9000, 6, false), random(r, 5, 9000, 6, false)},
		{"empty", make([]Vector, 70), make([]Vector, 2)},
	}
}

func fullOnes(n int) Vector {
	var v Vector
	for i := range n {
		v.Index, v.Value = append(v.Index, int32(i)), append(v.Value, 1)
	}
	return v
}

// tolerance is the error allowed of a value.
func tolerance(m *Matrix, k Kernel, x, z Vector, value float64) float64 {
	norm := SquaredNorm(x) + SquaredNorm(z)
	scale := 1.0
	switch k.Kind {
	case Linear:
		scale = norm
	case Polynomial:
		scale = math.Pow(k.Gamma*norm+math.Abs(k.Coef0), float64(k.Degree))
	}
	if m.Precise() {
		return 1e-14 * (1 + scale)
	}
	return k.singleError(norm) * scale
}

func eachCase(t *testing.T, f func(t *testing.T, s set, k Kernel, m *Matrix)) {
	for _, s := range sets() {
		points := NewPoints(s.points)
		for _, k := range kernels {
			for _, precision := range []Precision{Double, Single} {
				for _, path := range simd.Available() {
					m := NewMatrix(points, k, precision, 2)
					m.path = path
					t.Run(fmt.Sprintf("%s/%d/%d/%v", s.name, k.Kind, precision, path), func(t *testing.T) { f(t, s, k, m) })
				}
			}
		}
	}
}

func TestValues(t *testing.T) {
	ctx := context.Background()
	forms := map[string]int{}
	eachCase(t, func(t *testing.T, s set, k Kernel, m *Matrix) {
		n, rows := len(s.points), len(s.rows)
		q, err := m.Prepare(ctx, s.rows)
		if err != nil {
			t.Fatal(err)
		}
		storage := -1
		if q.panels != nil {
			storage = int(q.panels.Storage)
		}
		forms[fmt.Sprintf("%d %d", m.form, storage)]++
		stride := n + 2
		all, row, sum, part := make([]float64, rows*stride), make([]float64, n), make([]float64, n), make([]float64, n)
		weight := make([]float64, rows)
		for r := range weight {
			weight[r] = float64(r%3) - 0.5
		}
		if err := errors.Join(m.Rows(ctx, s.rows, all, stride), m.Add(ctx, s.rows, weight, sum)); err != nil {
			t.Fatal(err)
		}
		for r, x := range s.rows {
			if err := m.Row(ctx, x, row); err != nil {
				t.Fatal(err)
			}
			for low := 0; low < n; low += 128 {
				if err := m.Values(ctx, q, r, low, part[low:min(low+128, n)]); err != nil {
					t.Fatal(err)
				}
			}
			for j, z := range s.points {
				want := exact(k, x, z)
				slack := tolerance(m, k, x, z, want)
				if got := all[r*stride+j]; !(math.Abs(got-want) <= slack) {
					t.Fatalf("row %d point %d: %g, want %g ± %g", r, j, got, want, slack)
				}
				if math.Abs(row[j]-want) > slack || math.Abs(part[j]-want) > slack {
					t.Fatalf("row %d point %d: Row %g, Values %g, want %g", r, j, row[j], part[j], want)
				}
				sum[j] -= weight[r] * all[r*stride+j]
			}
		}
		for j, rest := range sum {
			if math.Abs(rest) > 1e-12*(1+math.Abs(sum[j]))*1e2 {
				t.Fatalf("point %d: the sum differs from the rows by %g", j, rest)
			}
		}
		if got, want := m.Evaluations(), int64(4*rows*n); got != want {
			t.Errorf("%d evaluations counted, want %d", got, want)
		}
	})
	for _, want := range []string{"0 -1", "1 -1", "2 0", "2 1", "2 2"} {
		if forms[want] == 0 {
			t.Errorf("form and storage %s were not used: %v", want, forms)
		}
	}
}

func TestDiagonal(t *testing.T) {
	checked := 0
	eachCase(t, func(t *testing.T, s set, k Kernel, m *Matrix) {
		out := make([]float64, m.Len())
		m.Diagonal(out)
		for j, z := range s.points {
			if want := exact(k, z, z); math.Abs(out[j]-want) > 1e-13*(1+math.Abs(want)) {
				t.Fatalf("point %d: %g, want %g", j, out[j], want)
			}
			checked++
		}
	})
	if checked == 0 {
		t.Error("nothing checked")
	}
}

// The same numbers for any number of workers, and for a part of the points.
func TestResultsDoNotDependOnWorkersOrSubset(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 1))
	for _, ones := range []bool{false, true} {
		x := random(r, 5000, 40, 12, ones)
		queries := x[:300]
		weight := make([]float64, len(queries))
		for i := range weight {
			weight[i] = r.NormFloat64()
		}
		for _, k := range kernels[:4] {
			var sums [2][]float64
			for i, workers := range []int{1, 5} {
				m := NewMatrix(NewPoints(x), k, Single, workers)
				sums[i] = make([]float64, len(x))
				if err := m.Add(ctx, queries, weight, sums[i]); err != nil {
					t.Fatal(err)
				}
				if i == 0 {
					continue
				}
				part := r.Perm(len(x))[:777]
				sum := make([]float64, len(part))
				if err := m.Subset(part).Add(ctx, queries, weight, sum); err != nil {
					t.Fatal(err)
				}
				for j, p := range part {
					if sum[j] != sums[1][p] {
						t.Fatalf("kernel %d point %d: %g in the subset, %g in all", k.Kind, p, sum[j], sums[1][p])
					}
				}
			}
			if !slices.Equal(sums[0], sums[1]) {
				t.Errorf("kernel %d: 1 and 5 workers differ", k.Kind)
			}
		}
	}
}

func TestSingleFallsBack(t *testing.T) {
	at := func(scale float64) []Vector {
		x := random(rand.New(rand.NewPCG(2, 2)), 100, 5, 10, false)
		for i, v := range x {
			x[i].Value = slices.Clone(v.Value)
			for k := range v.Value {
				x[i].Value[k] *= scale
			}
		}
		return x
	}
	for _, c := range []struct {
		name  string
		scale float64
		k     Kernel
		want  bool // computed in float64
	}{
		{"usual", 1, Kernel{Kind: RBF, Gamma: 1}, false},
		{"far from the origin", 1e4, Kernel{Kind: RBF, Gamma: 1}, true},
		{"far, but gamma is small", 1e4, Kernel{Kind: RBF, Gamma: 1e-8}, false},
		{"gamma huge", 1, Kernel{Kind: RBF, Gamma: 1e6}, true},
		{"beyond float32", 1e25, Kernel{Kind: Linear}, true},
		{"below float32", 1e-25, Kernel{Kind: Linear}, true},
		{"power beyond float32", 1e5, Kernel{Kind: Polynomial, Gamma: 1, Degree: 9}, true},
		{"large dots", 1e4, Kernel{Kind: Linear}, false},
	} {
		if got := NewMatrix(NewPoints(at(c.scale)), c.k, Single, 1).Precise(); got != c.want {
			t.Errorf("%s: Precise is %t", c.name, got)
		}
	}
	m := NewMatrix(NewPoints(at(1)), Kernel{Kind: RBF, Gamma: 1}, Single, 1)
	if q, err := m.Prepare(context.Background(), at(1e4)); err != nil || q.panels.Storage != simd.Float64 {
		t.Error("distant rows were not computed in float64")
	}
}

func TestFinite(t *testing.T) {
	at := func(v float64) *Points { return NewPoints([]Vector{{Index: []int32{0}, Value: []float64{v}}, {}}) }
	for _, c := range []struct {
		v    float64
		k    Kernel
		want bool
	}{
		{3, Kernel{Kind: RBF, Gamma: 1e9}, true},
		{1e200, Kernel{Kind: RBF, Gamma: 1e-300}, false},
		{1e100, Kernel{Kind: Linear}, true},
		{1e10, Kernel{Kind: Polynomial, Gamma: 1, Degree: 9}, true},
		{1e10, Kernel{Kind: Polynomial, Gamma: 1, Degree: 16}, false},
		{1, Kernel{Kind: Polynomial, Gamma: 1, Coef0: -1e200, Degree: 2}, false},
		{1e100, Kernel{Kind: Sigmoid, Gamma: 1e200}, false},
		{1, Kernel{Kind: Custom, Eval: func(x, z Vector) float64 { return 1 }}, false},
	} {
		if got := NewMatrix(at(c.v), c.k, Double, 1).Finite(); got != c.want {
			t.Errorf("%g, %+v: %t", c.v, c.k, got)
		}
	}
}

// Far from the origin the norms cancel; the values must still be those of the differences.
func TestFarFromTheOrigin(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, wide := range []int32{2, 5000} {
		var x []Vector
		for range 300 {
			x = append(x, Vector{Index: []int32{0, wide - 1}, Value: []float64{1e8 + r.Float64(), 1e7 * r.Float64()}})
			x = append(x, Vector{Index: []int32{0, wide - 1}, Value: []float64{1e8 + r.Float64(), 5 + r.Float64()}})
		}
		k := Kernel{Kind: RBF, Gamma: 1}
		m := NewMatrix(NewPoints(x), k, Single, 1)
		row, sum, near := make([]float64, len(x)), make([]float64, len(x)), 0
		for i := range 10 {
			if err := errors.Join(m.Row(context.Background(), x[i], row), m.Add(context.Background(), x[i:i+1], []float64{1}, sum)); err != nil {
				t.Fatal(err)
			}
			for j, z := range x {
				want := exact(k, x[i], z)
				if want > 1e-3 {
					near++
				}
				if math.Abs(row[j]-want) > 1e-9 || math.Abs(sum[j]-want) > 1e-9 {
					t.Fatalf("K(%d, %d) = %g, summed %g, want %g", i, j, row[j], sum[j], want)
				}
				sum[j] = 0
			}
		}
		if near < 1000 {
			t.Errorf("only %d pairs are near", near)
		}
	}
}

func TestCancelAndPanic(t *testing.T) {
	x := random(rand.New(rand.NewPCG(3, 3)), 3000, 30, 10, false)
	for _, workers := range []int{1, 3} {
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		m := NewMatrix(NewPoints(x), Kernel{Kind: Custom, Eval: func(x, z Vector) float64 {
			cancel()
			calls++
			return 0
		}}, Double, 1)
		if err := m.Row(ctx, x[0], make([]float64, len(x))); !errors.Is(err, context.Canceled) || calls > 100 {
			t.Errorf("error %v after %d calls", err, calls)
		}
		for _, precision := range []Precision{Single, Double} {
			m := NewMatrix(NewPoints(x), kernels[1], precision, workers)
			if _, err := m.Prepare(ctx, x[:1]); !errors.Is(err, context.Canceled) {
				t.Errorf("error %v", err)
			}
			// A matrix can be used after an interrupt.
			if err := m.Row(context.Background(), x[0], make([]float64, len(x))); err != nil {
				t.Error(err)
			}
		}
		m = NewMatrix(NewPoints(x), kernels[1], Single, workers)
		if err := m.Add(ctx, x, make([]float64, len(x)), make([]float64, len(x))); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v", err)
		}
		func() {
			defer func() {
				if got := recover(); got != "mine" {
					t.Errorf("recovered %v", got)
				}
			}()
			m := NewMatrix(NewPoints(x), Kernel{Kind: Custom, Eval: func(x, z Vector) float64 { panic("mine") }}, Double, workers)
			m.Row(context.Background(), x[0], make([]float64, len(x)))
		}()
	}
}
