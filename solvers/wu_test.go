package solvers_test

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

func init() {
	baselines = append(baselines, baseline{name: "SparseLargeMargin", with: func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.SparseLargeMargin{Kernel: k, Budget: budget, Settings: s}
	}, objective: squaredHinge, virtual: true, limited: true, gradient: true})
}

// onVectors is W at the vectors of a model, found by Refit.
func onVectors(t *testing.T, m *solvers.Model, d *solvers.Dataset, c float64) float64 {
	t.Helper()
	return fit(t, solvers.Refit{Reference: m, C: c}, d).Objective
}

// movedTo is a model with its vectors, of two features, elsewhere.
func movedTo(m *solvers.Model, at []float64) *solvers.Model {
	moved := &solvers.Model{Kernel: m.Kernel, Coefficients: m.Coefficients, Bias: m.Bias}
	for v := range m.SupportVectors {
		moved.SupportVectors = append(moved.SupportVectors, solvers.Vector{Index: []int32{0, 1}, Value: at[2*v : 2*v+2]})
	}
	return moved
}

// slopeOf is the norm of the gradient of W by finite differences.
func slopeOf(t *testing.T, m *solvers.Model, d *solvers.Dataset) float64 {
	at := make([]float64, 2*m.SupportSize())
	for v, z := range m.SupportVectors {
		for k, feature := range z.Index {
			at[2*v+int(feature)] = z.Value[k]
		}
	}
	value := func(x []float64) float64 { return onVectors(t, movedTo(m, append([]float64{}, x...)), d, 3) }
	sum := 0.0
	for _, g := range fd.Gradient(nil, value, at, &fd.Settings{Formula: fd.Central, Step: 1e-4}) {
		sum += g * g
	}
	return math.Sqrt(sum)
}

// apart reports whether no two vectors of a model are nearly the same. W can go on falling as two
// become one, and then has no slope that differences could tell.
func apart(m *solvers.Model) bool {
	for v, z := range m.SupportVectors {
		for _, x := range m.SupportVectors[:v] {
			if k := m.Kernel.Eval(x, z); k*k > 0.99*m.Kernel.Eval(x, x)*m.Kernel.Eval(z, z) {
				return false
			}
		}
	}
	return true
}

// W is that of Refit on the vectors, less than at the start, and has little slope there.
func TestSparseLargeMargin(t *testing.T) {
	checked := 0
	for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 0.5}, solvers.Poly{Gamma: 0.5, Coef0: 1, Degree: 2}} {
		for seed := range uint64(3) {
			d := svmtest.Random(80, 2, seed)
			start := fit(t, solvers.KMeans{Kernel: kernel, C: 3, Budget: 4}, d)
			r := fit(t, solvers.SparseLargeMargin{Kernel: kernel, C: 3, Budget: 4, Epsilon: 1e-4, Settings: solvers.Settings{MaxIterations: 500}}, d)
			if w := onVectors(t, r.Model, d, 3); r.Objective > start.Objective || math.Abs(w-r.Objective) > 1e-7*w {
				t.Errorf("%v, seed %d: W %g, by Refit %g, at the start %g", kernel, seed, r.Objective, w, start.Objective)
			}
			if !apart(r.Model) {
				continue
			}
			if before, after := slopeOf(t, start.Model, d), slopeOf(t, r.Model, d); after > 0.1*before {
				t.Errorf("%v, seed %d: slope %g, at the start %g; %v", kernel, seed, after, before, r)
			}
			checked++
		}
	}
	if checked < 3 {
		t.Errorf("checked %d slopes", checked)
	}
}
