package solvers_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// The slant loss is what the certificate says at ε = ½, and the error rate of the randomized rule.
func TestSlantLoss(t *testing.T) {
	d := svmtest.Random(80, 3, 17)
	r := fit(t, solvers.ISSVM{Kernel: solvers.RBF{Gamma: 0.5}, C: 5}, d)
	loss := r.SlantLoss(d)
	if want := r.Certificate[2].Value; math.Abs(loss-want) > 1e-9 || loss <= 0 {
		t.Errorf("slant loss %g, certificate %g", loss, want)
	}
	if hinge := meanHinge(r.Reference, d); loss > hinge {
		t.Errorf("slant loss %g, hinge loss of the reference %g", loss, hinge)
	}
	random, wrong := rand.New(rand.NewPCG(1, 2)), 0
	const rounds = 500
	for range rounds {
		for i, x := range d.X {
			if r.PredictRandomized(x, random) != d.Y[i] {
				wrong++
			}
		}
	}
	draws := float64(rounds * d.Len())
	if rate := float64(wrong) / draws; math.Abs(rate-loss) > 5*math.Sqrt(loss/draws) {
		t.Errorf("error rate %g in %g draws, slant loss %g", rate, draws, loss)
	}
	empty := &solvers.Dataset{Dim: 3}
	if loss := r.SlantLoss(empty); !math.IsNaN(loss) {
		t.Errorf("slant loss %g of no rows", loss)
	}
}
