package solvers_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// TuneBias makes as few errors as any bias, on rows with many equal responses too.
func TestTuneBias(t *testing.T) {
	checked, kept, changed := 0, 0, 0
	for seed := range uint64(300) {
		random := rand.New(rand.NewPCG(seed, 9))
		n := 1 + random.IntN(12)
		x, y := make([][]float64, n), make([]float64, n)
		for i := range x {
			x[i] = []float64{float64(random.IntN(7)) - 3, 1} // ties
			y[i] = float64(2*random.IntN(2) - 1)
		}
		d := &solvers.Dataset{Dim: 2, Y: y}
		for _, row := range x {
			d.X = append(d.X, solvers.Vector{Index: []int32{0, 1}, Value: row})
		}
		m := &solvers.Model{Kernel: solvers.Linear{}, Bias: random.NormFloat64(),
			SupportVectors: []solvers.Vector{{Index: []int32{0}, Value: []float64{0.1}}}, Coefficients: []float64{random.NormFloat64()}}
		least := math.Inf(1)
		for _, center := range append([][]float64{{40}, {-40}}, x...) {
			for _, offset := range []float64{-1e-9, 0, 1e-9} {
				other := *m
				other.Bias = -0.1*m.Coefficients[0]*center[0] + offset
				least = min(least, other.ErrorRate(d))
			}
		}
		before := m.Bias
		tuned := m.TuneBias(d)
		if got := tuned.ErrorRate(d); got > least {
			t.Errorf("seed %d: error rate %g with bias %g, least %g", seed, got, tuned.Bias, least)
		}
		if m.Bias != before {
			t.Fatal("TuneBias changed its model")
		}
		if m.ErrorRate(d) == least {
			kept++
			if tuned.Bias != before {
				t.Errorf("seed %d: bias %g was best already, now %g", seed, before, tuned.Bias)
			}
		} else {
			changed++
		}
		checked++
	}
	if checked != 300 || kept == 0 || changed == 0 {
		t.Errorf("checked %d, kept %d, changed %d", checked, kept, changed)
	}
}
