package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// problem is a random set of rows and panels, with the same data as plain float64 numbers.
type problem struct {
	z      *Panels
	x      *Rows
	points [][]float64 // Count·64 × Dim
	rows   [][]float64
	f      Function
}

// unaligned is a slice that begins at an odd place in memory.
func unaligned[T any](r *rand.Rand, n int) []T {
	return make([]T, n+17)[r.IntN(16):][:n:n]
}

func newProblem(r *rand.Rand, s Storage, kind Kind, value func() float64) *problem {
	p := &problem{}
	dim, panels, rows := 1+r.IntN(40), 1+r.IntN(5), 1+r.IntN(9)
	most := 15 // ones of a row of bytes
	if s == Bytes && r.IntN(2) == 0 {
		dim, most = 1+r.IntN(200), 127
	}
	n := panels * Lanes
	z := &Panels{Storage: s, Dim: dim, Count: panels}
	z.Half32, z.Half64, z.Ones = unaligned[float32](r, n), unaligned[float64](r, n), unaligned[uint8](r, n)
	switch s {
	case Float32:
		z.F32 = unaligned[float32](r, n*dim)
	case Float64:
		z.F64 = unaligned[float64](r, n*dim)
	default:
		z.U8 = unaligned[uint8](r, n*dim)
	}
	density := r.Float64()
	for i := range n {
		point := make([]float64, dim)
		half, ones := 0.0, 0
		for j := range point {
			if r.Float64() > density || s == Bytes && ones == most {
				continue
			}
			ones++
			point[j] = value()
			half += point[j] * point[j] / 2
			at := (i/Lanes*dim+j)*Lanes + i%Lanes
			switch s {
			case Float32:
				z.F32[at] = float32(point[j])
			case Float64:
				z.F64[at] = point[j]
			default:
				z.U8[at], point[j] = 1, 1
			}
		}
		if s == Bytes {
			half = float64(ones) / 2
		}
		z.Half32[i], z.Half64[i], z.Ones[i] = float32(half), half, uint8(ones)
		p.points = append(p.points, point)
	}
	p.z, p.x = z, &Rows{Storage: s, Start: []int32{0}}
	for range rows {
		p.addRow(r, most, value)
	}
	p.f = Function{Kind: kind, Scale: r.Float64(), Shift: r.Float64(), Degree: 1 + r.IntN(5)}
	if kind == Exponential {
		p.f.Scale = -p.f.Scale
		p.f.Table, p.f.Greatest = NewTable(-p.f.Scale*math.Ln2/2), 2*most
	}
	return p
}

func (p *problem) addRow(r *rand.Rand, most int, value func() float64) {
	x, row := p.x, make([]float64, p.z.Dim)
	density := r.Float64()
	half, ones := 0.0, 0
	for j := range row {
		if r.Float64() > density || x.Storage == Bytes && ones == most {
			continue
		}
		ones++
		row[j] = value()
		if x.Storage == Bytes {
			row[j] = 1
		}
		half += row[j] * row[j] / 2
		x.Last = max(x.Last, x.Storage.Offset(int32(j)))
		x.Offset = append(x.Offset, x.Storage.Offset(int32(j)))
		x.F32, x.F64 = append(x.F32, float32(row[j])), append(x.F64, row[j])
	}
	x.Start = append(x.Start, int32(len(x.Offset)))
	x.Half32, x.Half64 = append(x.Half32, float32(half)), append(x.Half64, half)
	x.Ones = append(x.Ones, int32(ones))
	p.rows = append(p.rows, row)
}

// want is the value in float64 and a bound on the error of its computation.
func (p *problem) want(row, point int) (value, tolerance float64) {
	unit := 0x1p-23
	if p.z.Storage == Float64 {
		unit = 0x1p-52
	}
	d, sum, square := 0.0, 0.0, 0.0
	for j, v := range p.rows[row] {
		d += v * p.points[point][j]
		sum += math.Abs(v * p.points[point][j])
		square += v*v + p.points[point][j]*p.points[point][j]
	}
	terms := float64(len(p.rows[row]) + 4)
	switch p.f.Kind {
	case Exponential:
		t := p.f.Scale * (square/2 - d)
		value = math.Exp2(t)
		// The exponent has an absolute error, so that the value has a relative one.
		return value, value*(terms*unit*(math.Abs(p.f.Scale)*(square+sum)+math.Abs(t))+4*unit) + 0x1p-124
	case Power:
		base := p.f.Scale*d + p.f.Shift
		large := math.Abs(p.f.Scale)*sum + math.Abs(p.f.Shift)
		return math.Pow(base, float64(p.f.Degree)), terms * float64(p.f.Degree+1) * unit * math.Pow(large, float64(p.f.Degree))
	}
	return d, terms * unit * sum
}

func each(t *testing.T, f func(t *testing.T, path Path, s Storage, kind Kind)) {
	for _, path := range Available() {
		for _, s := range []Storage{Float32, Float64, Bytes} {
			for _, kind := range []Kind{Dot, Exponential, Power} {
				t.Run(fmt.Sprintf("%v/%d/%d", path, s, kind), func(t *testing.T) { f(t, path, s, kind) })
			}
		}
	}
}

func TestRowsMatchFloat64(t *testing.T) {
	each(t, func(t *testing.T, path Path, s Storage, kind Kind) {
		r := rand.New(rand.NewPCG(uint64(s), uint64(kind)))
		compared := 0
		for range 60 {
			// Values that float32 holds exactly, so that only the arithmetic is compared.
			p := newProblem(r, s, kind, func() float64 { return float64(float32(r.NormFloat64())) })
			first := r.IntN(p.z.Count)
			compared += compare(t, path, p, first, p.z.Count-first)
		}
		if compared == 0 {
			t.Fatal("nothing compared")
		}
	})
}

// compare checks Store and Add against the plain sums and returns the number of values.
func compare(t *testing.T, path Path, p *problem, first, count int) int {
	t.Helper()
	rows := len(p.rows)
	stride := count*Lanes + 3
	out := make([]float64, rows*stride)
	path.Store(p.f, p.z, first, count, p.x, out, stride)
	weight, sums := make([]float64, rows), make([]float64, count*Lanes)
	for r := range weight {
		weight[r] = float64(r) - 1.5
	}
	path.Add(p.f, p.z, first, count, p.x, weight, sums)
	for i := range count * Lanes {
		total, slack := 0.0, 0.0
		for r := range rows {
			want, tolerance := p.want(r, first*Lanes+i)
			got := out[r*stride+i]
			if !(math.Abs(got-want) <= tolerance) {
				t.Fatalf("row %d point %d: %g, want %g ± %g (%+v)", r, first*Lanes+i, got, want, tolerance, p.f)
			}
			total += weight[r] * want
			slack += math.Abs(weight[r]) * (tolerance + 1e-15*math.Abs(want))
		}
		if math.Abs(sums[i]-total) > slack+1e-300 {
			t.Fatalf("point %d: sum %g, want %g ± %g", i, sums[i], total, slack)
		}
	}
	for r := range rows {
		for i := count * Lanes; i < stride; i++ {
			if out[r*stride+i] != 0 {
				t.Fatalf("row %d: written beyond the last panel", r)
			}
		}
	}
	return rows * count * Lanes
}

// Denormal, huge, infinite and undefined numbers: every path gives what plain Go gives.
func TestRowsOfSpecialValues(t *testing.T) {
	special := []float64{0, 1, -1, 1e-40, -1e-45, 1e38, -3e38, math.Inf(1), math.Inf(-1), math.NaN(), 1e-20, 0.5}
	each(t, func(t *testing.T, path Path, s Storage, kind Kind) {
		if s == Bytes {
			t.Skip("bytes are 0 or 1")
		}
		r := rand.New(rand.NewPCG(7, uint64(kind)))
		finite, other := 0, 0
		for range 100 {
			some := special[:3+r.IntN(len(special)-2)]
			p := newProblem(r, s, kind, func() float64 { return some[r.IntN(len(some))] })
			rows, n := len(p.rows), p.z.Count*Lanes
			a, b := make([]float64, rows*n), make([]float64, rows*n)
			path.Store(p.f, p.z, 0, p.z.Count, p.x, a, n)
			Go.Store(p.f, p.z, 0, p.z.Count, p.x, b, n)
			for i, v := range a {
				switch want := b[i]; {
				case math.IsNaN(v) != math.IsNaN(want):
					// Where a sum of huge terms cancels, whether it overflows on the way
					// depends on the order of the terms.
					if !p.overflows(i/n, i%n) {
						t.Fatalf("row %d point %d: %g, in Go %g", i/n, i%n, v, want)
					}
				case math.IsNaN(v) || math.IsInf(v, 0) || math.IsInf(want, 0):
					other++
				default:
					finite++
					if _, tolerance := p.want(i/n, i%n); math.Abs(v-want) > 2*tolerance+1e-44 {
						t.Fatalf("row %d point %d: %g, in Go %g ± %g", i/n, i%n, v, want, tolerance)
					}
				}
			}
		}
		if finite == 0 || other == 0 {
			t.Fatalf("%d finite and %d other values compared", finite, other)
		}
	})
}

func (p *problem) overflows(row, point int) bool {
	sum, square := 0.0, 0.0
	for j, v := range p.rows[row] {
		sum += math.Abs(v * p.points[point][j])
		square += v*v + p.points[point][j]*p.points[point][j]
	}
	return !(sum < math.MaxFloat32/4 && square < math.MaxFloat32/4)
}

// The exponential is within 2 units in the last place over its whole range.
func TestExponentialAccuracy(t *testing.T) {
	for _, path := range Available() {
		for _, s := range []Storage{Float32, Float64} {
			worst, values := 0.0, 0
			for step := range 3000 {
				z := &Panels{Storage: s, Dim: 1, Count: 1, F32: make([]float32, Lanes), F64: make([]float64, Lanes),
					Half32: make([]float32, Lanes), Half64: make([]float64, Lanes)}
				x := &Rows{Storage: s, Start: []int32{0, 0}, Half32: []float32{0}, Half64: []float64{0}}
				for i := range Lanes {
					v := float32(step*Lanes+i) * 0x1p-11
					z.Half32[i], z.Half64[i] = v, float64(v)
				}
				out := make([]float64, Lanes)
				path.Store(Function{Kind: Exponential, Scale: -1}, z, 0, 1, x, out, Lanes)
				for i, got := range out {
					want := math.Exp2(-z.Half64[i])
					unit := want * 0x1p-23
					if s == Float64 {
						unit = want * 0x1p-52
					}
					if want < 0x1p-125 && s == Float32 {
						continue
					}
					values++
					worst = max(worst, math.Abs(got-want)/unit)
				}
			}
			if worst > 2 || values == 0 {
				t.Errorf("%v storage %d: %.2f units over %d values, want at most 2", path, s, worst, values)
			}
		}
	}
}

func TestRowsRefuseWhatDoesNotFit(t *testing.T) {
	z := &Panels{Storage: Float32, Dim: 2, Count: 1, F32: make([]float32, 128), Half32: make([]float32, 64)}
	x := &Rows{Storage: Float32, Start: []int32{0, 1}, Offset: []uint32{Float32.Offset(1)}, F32: []float32{1}, Half32: []float32{0}}
	out := make([]float64, 64)
	broken := map[string]func(){
		"feature beyond the last": func() {
			y := *x
			y.Offset, y.Last = []uint32{Float32.Offset(2)}, Float32.Offset(2)
			Chosen().Store(Function{}, z, 0, 1, &y, out, 64)
		},
		"panel beyond the last": func() { Chosen().Store(Function{}, z, 1, 1, x, out, 64) },
		"short output":          func() { Chosen().Store(Function{}, z, 0, 1, x, out[:63], 64) },
		"degree 0":              func() { Chosen().Store(Function{Kind: Power}, z, 0, 1, x, out, 64) },
		"no weights":            func() { Chosen().Add(Function{}, z, 0, 1, x, nil, out) },
		"other storage": func() {
			y := *x
			y.Storage = Float64
			Chosen().Store(Function{}, z, 0, 1, &y, out, 64)
		},
	}
	for name, f := range broken {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
	Chosen().Store(Function{}, z, 0, 1, x, out, 64)
}
