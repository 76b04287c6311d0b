package svmtest

import (
	"math"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

func linear(x, z datasets.Vector) float64 {
	sum := 0.0
	for a, i := range x.Index {
		for b, j := range z.Index {
			if i == j {
				sum += x.Value[a] * z.Value[b]
			}
		}
	}
	return sum
}

// The stated answer of the six points is optimal by every checker, and a changed one is not.
func TestSixPoints(t *testing.T) {
	d := SixPoints()
	dual := Dual{Gram(d.X, linear), d.Y, []float64{1, 1, 1, 1, 1, 1}}
	beta := []float64{0, -0.25, 0, 0.25, 0, 0}
	if got := dual.Objective(beta); got != -0.25 {
		t.Errorf("objective %g, want -0.25", got)
	}
	if got := dual.Violation(beta); math.Abs(got) > 1e-12 {
		t.Errorf("violation %g, want 0", got)
	}
	if got := dual.Optimum(); math.Abs(got+0.25) > 1e-12 {
		t.Errorf("optimum %g, want -0.25", got)
	}
	worse := []float64{0, -0.2, 0, 0.2, 0, 0}
	if dual.Violation(worse) < 0.1 || dual.Objective(worse) <= -0.25 {
		t.Errorf("a worse point: violation %g, objective %g", dual.Violation(worse), dual.Objective(worse))
	}
	if got := dual.Infeasible([]float64{0.5, 0, 0, 0, 0, 0}); got != 0.5 {
		t.Errorf("infeasible by %g, want 0.5", got)
	}
}
