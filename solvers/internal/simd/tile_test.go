package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// tiled is random vectors and sparse rows, in float32 and as the same numbers in float64.
type tiled struct {
	t32    *Tile[float32]
	t64    *Tile[float64]
	x32    *Entries[float32]
	x64    *Entries[float64]
	rows   []int32
	slopes []float64 // some are 0
	unit   float64   // 1 + the greatest ‖x‖² or ‖z‖²
}

func newTiled(r *rand.Rand, lanes int) *tiled {
	dim := 1 + r.IntN(60)
	p := &tiled{t32: NewTile[float32](lanes, dim), t64: NewTile[float64](lanes, dim), unit: 1,
		x32: &Entries[float32]{Start: []int32{0}}, x64: &Entries[float64]{Start: []int32{0}}}
	p.t32.Value = unaligned[float32](r, lanes*dim)
	used := 1 + r.IntN(lanes)
	for v := range used {
		square := 0.0
		for j := range dim {
			z := float32(r.NormFloat64())
			p.t32.Value[j*lanes+v], p.t64.Value[j*lanes+v] = z, float64(z)
			square += float64(z) * float64(z)
		}
		p.unit = max(p.unit, 1+square)
		weight, scale := float32(r.NormFloat64()), float32(-0.1*r.Float64())
		p.t32.Half[v], p.t64.Half[v] = float32(square/2), square/2
		p.t32.Weight[v], p.t64.Weight[v] = weight, float64(weight)
		p.t32.Scale[v], p.t64.Scale[v] = scale, float64(scale)
	}
	for range 1 + r.IntN(20) {
		density, square := r.Float64(), 0.0
		for j := range dim {
			if r.Float64() > density {
				continue
			}
			v := float32(r.NormFloat64())
			square += float64(v) * float64(v)
			for _, offset := range []*[]uint32{&p.x32.Offset, &p.x64.Offset} {
				*offset = append(*offset, TileOffset(int32(j)))
			}
			p.x32.Value, p.x64.Value = append(p.x32.Value, v), append(p.x64.Value, float64(v))
			p.x32.Last, p.x64.Last = max(p.x32.Last, TileOffset(int32(j))), max(p.x64.Last, TileOffset(int32(j)))
		}
		p.unit = max(p.unit, 1+square)
		p.x32.Start, p.x64.Start = append(p.x32.Start, int32(len(p.x32.Offset))), append(p.x64.Start, int32(len(p.x64.Offset)))
		p.x32.Half, p.x64.Half = append(p.x32.Half, float32(square/2)), append(p.x64.Half, square/2)
	}
	for range 1 + r.IntN(30) {
		p.rows = append(p.rows, int32(r.IntN(len(p.x32.Half))))
		p.slopes = append(p.slopes, float64(float32(r.NormFloat64()))*float64(r.IntN(2)))
	}
	return p
}

// near fails unless two numbers agree to some units in the last place of float32 of size.
func near(t *testing.T, what string, got float32, want, size float64) {
	t.Helper()
	if math.Abs(float64(got)-want) > 64*0x1p-24*size {
		t.Fatalf("%s: %g, want %g (size %g)", what, got, want, size)
	}
}

// On every path the float32 routines agree with float64 by the definition.
func TestTiles(t *testing.T) {
	for _, path := range Available() {
		for _, lanes := range []int{16, 32, 64} {
			t.Run(fmt.Sprintf("%v/%d", path, lanes), func(t *testing.T) {
				r, checked := rand.New(rand.NewPCG(uint64(lanes), 3)), 0
				for range 60 {
					p := newTiled(r, lanes)
					for _, kind := range []Kind{Dot, Exponential} {
						checked += p.check(t, r, path, kind)
					}
				}
				if checked < 1000 {
					t.Errorf("%d numbers checked", checked)
				}
			})
		}
	}
}

func (p *tiled) check(t *testing.T, r *rand.Rand, path Path, kind Kind) int {
	n, lanes, dim := len(p.rows), p.t32.Lanes, p.t32.Dim
	values, sums := unaligned[float32](r, n*lanes), unaligned[float32](r, n)
	want, total := make([]float64, n*lanes), make([]float64, n)
	for i := range sums {
		sums[i], total[i] = float32(i), float64(i)
	}
	Forward(path, kind, p.t32, p.x32, p.rows, values, sums)
	for i, row := range p.rows {
		size := float64(i) + p.unit
		for v := range lanes {
			dot := 0.0
			for k := p.x64.Start[row]; k < p.x64.Start[row+1]; k++ {
				dot += p.x64.Value[k] * p.t64.Value[int(p.x64.Offset[k])/64*lanes+v]
			}
			if kind == Exponential {
				dot = math.Exp2(p.t64.Scale[v] * (p.x64.Half[row] + p.t64.Half[v] - dot))
			}
			want[i*lanes+v] = dot
			total[i] += p.t64.Weight[v] * dot
			size += math.Abs(p.t64.Weight[v]) * p.unit
			near(t, "value", values[i*lanes+v], dot, p.unit)
		}
		near(t, "sum", sums[i], total[i], size)
	}
	slope := make([]float32, n)
	for i, s := range p.slopes {
		slope[i] = float32(s)
	}
	gradient, got := unaligned[float32](r, dim*lanes), unaligned[float32](r, lanes)
	clear(gradient)
	clear(got)
	Backward(path, p.t32, p.x32, p.rows, values, slope, gradient, got)
	exact, exactTotal := make([]float64, dim*lanes), make([]float64, lanes)
	goBackward(p.t64, p.x64, p.rows, want, p.slopes, exact, exactTotal)
	for k, g := range gradient {
		near(t, "gradient", g, exact[k], float64(n)*p.unit*5)
	}
	for v, g := range got {
		near(t, "total", g, exactTotal[v], float64(n)*p.unit*5)
	}
	return n*lanes + dim*lanes
}

// A step of Adam on every path is that of float64.
func TestDescend(t *testing.T) {
	m := Moments{Rate: 0.01, Keep1: 0.9, Keep2: 0.999, Floor: 1e-8}
	for _, path := range Available() {
		r, checked := rand.New(rand.NewPCG(8, 8)), 0
		for range 100 {
			lanes := 16 << r.IntN(3)
			p := newTiled(r, lanes)
			n := lanes * p.t32.Dim
			random := func(n int, least float64) ([]float32, []float64) {
				a, b := unaligned[float32](r, n), make([]float64, n)
				for i := range a {
					a[i] = float32(max(r.NormFloat64(), least))
					b[i] = float64(a[i])
				}
				return a, b
			}
			gradient, gradient64 := random(n, -9)
			first, first64 := random(n, -9)
			second, second64 := random(n, 0.01)
			factor, factor64 := random(lanes, -9)
			pull, pull64 := random(lanes, -9)
			Descend(path, m, p.t32, gradient, first, second, factor, pull)
			goDescend(m, p.t64, gradient64, first64, second64, factor64, pull64)
			for k := range n {
				near(t, "value", p.t32.Value[k], p.t64.Value[k], 10)
				near(t, "first", first[k], first64[k], 30)
				near(t, "second", second[k], second64[k], 300)
				if gradient[k] != 0 {
					t.Fatalf("gradient %g is left", gradient[k])
				}
			}
			for v := range lanes {
				near(t, "half", p.t32.Half[v], p.t64.Half[v], 10*p.unit)
			}
			checked += n
		}
		if checked < 1000 {
			t.Errorf("%d numbers checked", checked)
		}
	}
}

// What would be read outside of the slices is refused.
func TestTileChecks(t *testing.T) {
	p := newTiled(rand.New(rand.NewPCG(1, 1)), 16)
	n := len(p.rows)
	values, sums := make([]float32, n*16), make([]float32, n)
	gradient, total := make([]float32, 16*p.t32.Dim), make([]float32, 16)
	wide := *p.x32
	wide.Last = TileOffset(int32(p.t32.Dim))
	odd := *p.t32
	odd.Lanes = 17
	for name, f := range map[string]func(){
		"few values":  func() { Forward(Chosen(), Dot, p.t32, p.x32, p.rows, values[1:], sums) },
		"few sums":    func() { Forward(Chosen(), Dot, p.t32, p.x32, p.rows, values, sums[1:]) },
		"a power":     func() { Forward(Chosen(), Power, p.t32, p.x32, p.rows, values, sums) },
		"a row":       func() { Forward(Chosen(), Dot, p.t32, p.x32, []int32{int32(len(p.x32.Half))}, values, sums) },
		"a feature":   func() { Forward(Chosen(), Dot, p.t32, &wide, p.rows, values, sums) },
		"lanes":       func() { Forward(Chosen(), Dot, &odd, p.x32, p.rows, values, sums) },
		"gradient":    func() { Backward(Chosen(), p.t32, p.x32, p.rows, values, sums, gradient[1:], total) },
		"few moments": func() { Descend(Chosen(), Moments{}, p.t32, gradient, gradient[1:], gradient, total, total) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// ns per row and vector, forward and backward.
func BenchmarkTiles(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, path := range Available() {
		for _, lanes := range []int{16, 32, 64} {
			const n, dim, entries = 512, 300, 12
			t, x := NewTile[float32](lanes, dim), &Entries[float32]{Start: []int32{0}}
			for i := range n {
				for j := range entries {
					x.Offset, x.Value = append(x.Offset, TileOffset(int32(j*25+r.IntN(25)))), append(x.Value, 1)
				}
				x.Start, x.Half = append(x.Start, int32((i+1)*entries)), append(x.Half, 6)
			}
			rows := make([]int32, n)
			for i := range rows {
				rows[i] = int32(r.IntN(n))
			}
			values, sums := make([]float32, n*lanes), make([]float32, n)
			gradient, total := make([]float32, dim*lanes), make([]float32, lanes)
			for i := range sums {
				sums[i] = 1
			}
			b.Run(fmt.Sprintf("%v/forward%d", path, lanes), func(b *testing.B) {
				for b.Loop() {
					Forward(path, Exponential, t, x, rows, values, sums)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*lanes), "ns/value")
			})
			b.Run(fmt.Sprintf("%v/backward%d", path, lanes), func(b *testing.B) {
				for b.Loop() {
					Backward(path, t, x, rows, values, sums, gradient, total)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n*lanes), "ns/value")
			})
			first, second := make([]float32, dim*lanes), make([]float32, dim*lanes)
			b.Run(fmt.Sprintf("%v/descend%d", path, lanes), func(b *testing.B) {
				for b.Loop() {
					Descend(path, Moments{1e-3, 0.9, 0.999, 1e-8}, t, gradient, first, second, total, total)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*dim*lanes), "ns/number")
			})
		}
	}
}
