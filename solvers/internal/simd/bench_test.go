package simd

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// Rows of 14 features against 128 panels of 123 features, the shape of the Adult data.
func BenchmarkRows(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const dim, panels, rows, entries = 123, 128, 256, 14
	for _, path := range Available() {
		for _, s := range []Storage{Float32, Float64, Bytes} {
			n := panels * Lanes
			z := &Panels{Storage: s, Dim: dim, Count: panels, F32: make([]float32, n*dim), F64: make([]float64, n*dim),
				U8: make([]uint8, n*dim), Half32: make([]float32, n), Half64: make([]float64, n), Ones: make([]uint8, n)}
			x := &Rows{Storage: s, Start: []int32{0}, Last: s.Offset(dim - 1)}
			for range rows {
				for k := range entries {
					x.Offset = append(x.Offset, s.Offset(int32(k*dim/entries+r.IntN(dim/entries))))
					x.F32, x.F64 = append(x.F32, 1), append(x.F64, 1)
				}
				x.Start = append(x.Start, int32(len(x.Offset)))
				x.Half32, x.Half64, x.Ones = append(x.Half32, 7), append(x.Half64, 7), append(x.Ones, 14)
			}
			weight, sums := make([]float64, rows), make([]float64, n)
			for _, f := range []Function{{Kind: Dot}, {Kind: Exponential, Scale: -0.3, Table: NewTable(0.1), Greatest: 28},
				{Kind: Exponential, Scale: -0.3, Table: NewTable(0.1), Greatest: 100}, {Kind: Power, Scale: 1, Degree: 3}} {
				if f.Greatest > 28 && s != Bytes {
					continue
				}
				b.Run(fmt.Sprintf("%v/%d/%d/%d", path, s, f.Kind, f.Greatest), func(b *testing.B) {
					for b.Loop() {
						path.Add(f, z, 0, panels, x, weight, sums)
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(rows*panels*Lanes), "ns/value")
				})
			}
		}
	}
}

func BenchmarkScan(b *testing.B) {
	const n = 1024
	f, row, diagonal, up, low := make([]float64, n), make([]float64, n), make([]float64, n), NewMask(n), NewMask(n)
	r := rand.New(rand.NewPCG(1, 2))
	for t := range f {
		f[t], row[t], diagonal[t] = r.NormFloat64(), r.Float64(), 1
		up.Set(t, r.IntN(2) == 0)
		low.Set(t, r.IntN(2) == 0)
	}
	for _, path := range Available() {
		b.Run(path.String()+"/update", func(b *testing.B) {
			for b.Loop() {
				path.Update(f, row, diagonal, 1e-9, -1e-9, up, low)
			}
		})
		b.Run(path.String()+"/find", func(b *testing.B) {
			for b.Loop() {
				path.Find(f, 17, up)
			}
		})
		b.Run(path.String()+"/pair", func(b *testing.B) {
			for b.Loop() {
				path.Pair(f, row, diagonal, 2, 1, low)
			}
		})
	}
}
