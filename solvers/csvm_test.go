package solvers_test

import (
	"context"
	"math"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

func init() {
	baselines = append(baselines, baseline{name: "CSVM", with: func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.CSVM{Kernel: k, Budget: budget, Chunk: 20, Settings: s}
	}, objective: hinge, virtual: true, limited: true})
}

// With room for all rows it is the C-SVC; with less, the vectors are no more than the budget, the
// objective is no less than the C-SVC's, and more rounds never make it worse.
func TestCSVM(t *testing.T) {
	checked := 0
	for seed := range uint64(4) {
		d := svmtest.Random(120, 3, seed)
		for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 0.7}, solvers.Linear{}} {
			smo := fit(t, solvers.SMO{Kernel: kernel, C: 2}, d)
			all := fit(t, solvers.CSVM{Kernel: kernel, C: 2, Budget: 120, Chunk: 240}, d)
			if least := hinge(all, d); math.Abs(least+smo.Objective) > 5e-3*least || math.Abs(all.Objective-least) > 1e-9*least {
				t.Errorf("seed %d, %v: objective %g, by hand %g, C-SVC %g", seed, kernel, all.Objective, least, -smo.Objective)
			}
			last := math.Inf(1)
			for _, rounds := range []int{1, 3, 10} {
				few := fit(t, solvers.CSVM{Kernel: kernel, C: 2, Budget: 8, Chunk: 30, Rounds: rounds}, d)
				if few.SupportSize() > 8 || few.Objective > last || few.Objective < -smo.Objective*(1-1e-6) {
					t.Errorf("seed %d, %v, %d rounds: %d vectors, objective %g, before %g, C-SVC %g", seed, kernel, rounds, few.SupportSize(), few.Objective, last, -smo.Objective)
				}
				last = few.Objective
				checked++
			}
		}
	}
	if checked != 24 {
		t.Errorf("checked %d", checked)
	}
	_, err := solvers.CSVM{Chunk: 1}.Fit(context.Background(), svmtest.Random(20, 3, 1))
	if err == nil || err.Error() != "CSVM.Chunk = 1: want ≥ 2 (0: default 500)" {
		t.Error(err)
	}
}
