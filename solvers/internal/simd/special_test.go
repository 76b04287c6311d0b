package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Add of denormal, huge, infinite and undefined numbers gives what plain Go gives.
func TestAddOfSpecialValues(t *testing.T) {
	special := []float64{0, 1, -1, 1e-40, -1e-45, 1e38, -3e38, math.Inf(1), math.Inf(-1), math.NaN(), 1e-20, 0.5}
	each(t, func(t *testing.T, path Path, s Storage, kind Kind) {
		if s == Bytes {
			t.Skip("bytes are 0 or 1")
		}
		r := rand.New(rand.NewPCG(8, uint64(kind)))
		finite, other := 0, 0
		for range 100 {
			some := special[:3+r.IntN(len(special)-2)]
			p := newProblem(r, s, kind, func() float64 { return some[r.IntN(len(some))] })
			rows, n := len(p.rows), p.z.Count*Lanes
			weight, a, b := make([]float64, rows), unaligned[float64](r, n), make([]float64, n)
			for k := range weight {
				weight[k] = special[r.IntN(len(special)-3)] // denormal and huge ones too
				if math.IsInf(weight[k], 0) {
					weight[k] = 1e-310
				}
			}
			path.Add(p.f, p.z, 0, p.z.Count, p.x, weight, a)
			Go.Add(p.f, p.z, 0, p.z.Count, p.x, weight, b)
			for i, v := range a {
				overflows, slack := false, 1e-43
				for k, w := range weight {
					value, tolerance := p.want(k, i)
					overflows = overflows || p.overflows(k, i)
					slack += math.Abs(w) * (2*tolerance + 1e-44 + 1e-15*math.Abs(value))
				}
				switch {
				case overflows: // depends on the order of the terms
				case math.IsNaN(v) != math.IsNaN(b[i]) || math.IsInf(v, 0) != math.IsInf(b[i], 0):
					t.Fatalf("point %d: %g, in Go %g", i, v, b[i])
				case math.IsNaN(v) || math.IsInf(v, 0):
					other++
				default:
					finite++
					if !(math.Abs(v-b[i]) <= slack) {
						t.Fatalf("point %d: %g, in Go %g ± %g", i, v, b[i], slack)
					}
				}
			}
		}
		if finite == 0 {
			t.Fatalf("%d finite and %d other sums compared", finite, other)
		}
	})
}

// Update of denormal, huge and infinite numbers gives the numbers of the plain loop, bit by bit.
func TestUpdateOfSpecialValues(t *testing.T) {
	special := []float64{0, math.Copysign(0, -1), 5e-324, -2e-310, 1, -1, 1e300, -1e300, math.MaxFloat64}
	for _, path := range Available() {
		r := rand.New(rand.NewPCG(9, 9))
		compared, infinite := 0, 0
		for range 2000 {
			f, rowA, rowB, _, up, low := randomScan(r)
			a, b := special[r.IntN(6)], special[r.IntN(6)]
			want, most, least := make([]float64, len(f)), math.Inf(-1), math.Inf(1)
			for i := range f {
				rowA[i], rowB[i] = special[r.IntN(len(special))], special[r.IntN(len(special))]
				want[i] = f[i] - a*rowA[i]
				want[i] -= b * rowB[i]
				if math.IsNaN(want[i]) {
					t.Fatal("no case of this test")
				}
				if up.Has(i) {
					most = max(most, want[i])
				}
				if low.Has(i) {
					least = min(least, want[i])
				}
			}
			gotMost, gotLeast := path.Update(f, rowA, rowB, a, b, up, low)
			if gotMost != most || gotLeast != least {
				t.Fatalf("%v: %g and %g, want %g and %g", path, gotMost, gotLeast, most, least)
			}
			for i, v := range f {
				if math.Float64bits(v) != math.Float64bits(want[i]) {
					t.Fatalf("%v f[%d] = %g, want %g", path, i, v, want[i])
				}
				compared++
				if math.IsInf(v, 0) {
					infinite++
				}
			}
		}
		if compared == 0 || infinite == 0 {
			t.Fatalf("%v: %d compared, %d infinite", path, compared, infinite)
		}
	}
}
