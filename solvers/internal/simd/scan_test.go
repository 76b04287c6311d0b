package simd

import (
	"math"
	"math/rand/v2"
	"testing"
)

func randomScan(r *rand.Rand) (f, rowA, rowB, diagonal []float64, up, low Mask) {
	n := 1 + r.IntN(200)
	f, rowA, rowB, diagonal = unaligned[float64](r, n), unaligned[float64](r, n), unaligned[float64](r, n), unaligned[float64](r, n)
	up, low = NewMask(n), NewMask(n)
	share := r.Float64()
	for t := range f {
		// Few different values, so that ties occur.
		f[t], rowA[t], rowB[t] = float64(r.IntN(20))-10, r.NormFloat64(), r.NormFloat64()
		if r.IntN(30) == 0 {
			f[t] = [4]float64{math.Inf(1), math.Inf(-1), 5e-324, math.MaxFloat64}[r.IntN(4)]
		}
		diagonal[t] = 1 + r.Float64()
		up.Set(t, r.Float64() < share)
		low.Set(t, r.Float64() < share)
	}
	return f, rowA, rowB, diagonal, up, low
}

func TestScansMatchPlainLoops(t *testing.T) {
	for _, path := range Available() {
		r := rand.New(rand.NewPCG(3, 4))
		ties, found := 0, 0
		for trial := range 3000 {
			f, rowA, rowB, _, up, low := randomScan(r)
			a, b := r.NormFloat64(), r.NormFloat64()
			if trial%3 == 0 {
				a, b = 0, 0
			}
			want := make([]float64, len(f))
			most, least := math.Inf(-1), math.Inf(1)
			for i := range f {
				want[i] = f[i] - a*rowA[i]
				want[i] -= b * rowB[i]
				if up.Has(i) {
					most = max(most, want[i])
				}
				if low.Has(i) {
					least = min(least, want[i])
				}
			}
			gotMost, gotLeast := path.Update(f, rowA, rowB, a, b, up, low)
			if gotMost != most || gotLeast != least {
				t.Fatalf("%v n %d: %g and %g, want %g and %g", path, len(f), gotMost, gotLeast, most, least)
			}
			first, equal := -1, 0
			for i := range f {
				if f[i] != want[i] {
					t.Fatalf("%v f[%d] = %g, want %g", path, i, f[i], want[i])
				}
				if f[i] == most && up.Has(i) {
					equal++
					if first < 0 {
						first = i
					}
				}
			}
			if equal > 1 {
				ties++
			}
			if first >= 0 {
				found++
			}
			if got := path.Find(f, most, up); got != first {
				t.Fatalf("%v: found %d, want %d", path, got, first)
			}
			if got := path.Find(f, math.Pi, up); got != -1 {
				t.Fatalf("%v: found %d where there is none", path, got)
			}
		}
		if ties == 0 || found == 0 {
			t.Fatalf("%v: %d ties and %d indices seen", path, ties, found)
		}
	}
}

func TestPairHasGreatestGain(t *testing.T) {
	for _, path := range Available() {
		r := rand.New(rand.NewPCG(5, 6))
		some, none := 0, 0
		for range 3000 {
			f, row, _, diagonal, _, low := randomScan(r)
			most, self := float64(r.IntN(20)-12), 1+r.Float64()
			gain := func(i int) float64 {
				b := most - f[i]
				if b <= 0 || !low.Has(i) {
					return 0
				}
				return b * b / max(self+diagonal[i]-2*row[i], leastCurvature)
			}
			best := 0.0
			for i := range f {
				if math.IsInf(f[i], 0) || f[i] == math.MaxFloat64 {
					f[i] = 100
				}
				best = max(best, gain(i))
			}
			got := path.Pair(f, row, diagonal, most, self, low)
			if best == 0 {
				none++
				if got != -1 {
					t.Fatalf("%v: %d, want none", path, got)
				}
				continue
			}
			some++
			if got < 0 || gain(got) < best*(1-1e-12) {
				t.Fatalf("%v: index %d, the best gain is %g", path, got, best)
			}
		}
		if some == 0 || none == 0 {
			t.Fatalf("%v: %d with and %d without an answer", path, some, none)
		}
	}
}

func TestMask(t *testing.T) {
	m := NewMask(130)
	for i := 0; i < 130; i += 3 {
		m.Set(i, true)
	}
	m.Set(3, false)
	if m.Count() != 43 || m.Has(3) || !m.Has(129) || m.Has(1) {
		t.Errorf("%d set; 3: %t, 129: %t, 1: %t", m.Count(), m.Has(3), m.Has(129), m.Has(1))
	}
}
