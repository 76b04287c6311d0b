package solvers_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// The objective falls with each addition, keeps what was chosen, and is the optimum on its basis.
func TestSpSVMPath(t *testing.T) {
	checked := 0
	for seed := range uint64(4) {
		d := svmtest.Random(150, 3, 20+seed)
		s := solvers.SpSVM{Kernel: solvers.RBF{Gamma: 0.5}, C: 5, Budget: 30, Settings: solvers.Settings{Seed: seed}}
		var before *solvers.Model
		last := math.Inf(1)
		_, err := s.FitPath(context.Background(), d, func(size float64, m *solvers.Model) error {
			r := fit(t, solvers.Refit{Reference: m, C: 5, Epsilon: 1e-14}, d)
			own := *r
			own.Model = m
			objective := squaredHinge(&own, d)
			if objective >= last {
				t.Errorf("seed %d, %g support vectors: objective %g after %g", seed, size, objective, last)
			}
			if objective > r.Objective*(1+1e-9) {
				t.Errorf("seed %d, %g support vectors: objective %.12g, optimum %.12g", seed, size, objective, r.Objective)
			}
			if before != nil {
				for _, i := range before.Indices {
					if !slices.Contains(m.Indices, i) {
						t.Errorf("seed %d, %g support vectors: row %d left", seed, size, i)
					}
				}
			}
			before, last = m, objective
			checked++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if checked < 100 {
		t.Errorf("%d models checked", checked)
	}
}

// With every row a candidate, the first one chosen is that with which a Newton step from the
// best bias alone lowers the objective most; on a quadratic piece that is the exact decrease.
func TestSpSVMScore(t *testing.T) {
	checked := 0
	for seed := range uint64(10) {
		d := svmtest.Random(25, 2, 60+seed)
		// With a small C all margins stay below 1: the objective is one quadratic piece.
		s := solvers.SpSVM{Kernel: solvers.RBF{Gamma: 0.5}, C: 1e-4, Budget: 1, Candidates: 25, Epsilon: 1e-12}
		r := fit(t, s, d)
		bias := fit(t, solvers.SpSVM{Kernel: s.Kernel, C: s.C, Budget: 1, Settings: solvers.Settings{MaxTime: 1}}, d)
		best := math.Inf(1)
		for i := range d.X {
			one := &solvers.Model{Kernel: s.Kernel, SupportVectors: d.X[i : i+1], Coefficients: []float64{1}, Indices: []int{i}}
			best = min(best, fit(t, solvers.Refit{Reference: one, C: s.C, Epsilon: 1e-15}, d).Objective)
		}
		if r.Objective > best*(1+1e-12) {
			t.Errorf("seed %d: objective %.15g, with the best row %.15g", seed, r.Objective, best)
		}
		if promised := r.Gap * bias.Objective; math.Abs(promised-(bias.Objective-r.Objective)) > 1e-9*promised {
			t.Errorf("seed %d: fell by %g, promised %g", seed, bias.Objective-r.Objective, promised)
		}
		checked++
	}
	if checked == 0 {
		t.Error("nothing checked")
	}
}

func TestSpSVMStatus(t *testing.T) {
	d := svmtest.Random(60, 3, 4)
	if r := fit(t, solvers.SpSVM{Budget: 5}, d); r.Status != solvers.BudgetReached || r.SupportSize() != 5 {
		t.Errorf("%v", r)
	}
	r := fit(t, solvers.SpSVM{Kernel: solvers.Linear{}, Budget: 60, Epsilon: 1e-5}, d)
	if r.Status != solvers.Converged || r.SupportSize() > 4 || r.Gap > 1e-5 {
		t.Errorf("three features, linear kernel: %v", r)
	}
	whole := fit(t, solvers.RSVM{Kernel: solvers.RBF{Gamma: 1}, Budget: 60}, d)
	r = fit(t, solvers.SpSVM{Kernel: solvers.RBF{Gamma: 1}, Budget: 60, Candidates: 60, Epsilon: 1e-9}, d)
	if r.Objective < whole.Objective*(1-1e-9) || r.Objective > whole.Objective*(1+1e-4) {
		t.Errorf("objective %g, of all rows %g", r.Objective, whole.Objective)
	}
}
