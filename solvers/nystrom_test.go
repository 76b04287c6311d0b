package solvers_test

import (
	"math"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// With all rows as landmarks it is the full kernel's C-SVC.
func TestNystromAllRows(t *testing.T) {
	checked := 0
	for seed := range uint64(6) {
		d := svmtest.Random(80, 3, seed)
		for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 0.8}, solvers.Linear{}} {
			dense := fit(t, solvers.SMO{Kernel: kernel, C: 2, Epsilon: 1e-7}, d)
			r := fit(t, solvers.Nystrom{Kernel: kernel, C: 2, Budget: 1000, Epsilon: 1e-7}, d)
			if math.Abs(r.Objective-dense.Objective) > 1e-6*math.Abs(dense.Objective) {
				t.Errorf("seed %d, %v: objective %.9g, SMO %.9g", seed, kernel, r.Objective, dense.Objective)
			}
			want := dense.Decisions(d)
			for i, f := range r.Decisions(d) {
				if math.Abs(f-want[i]) > 1e-4 {
					t.Errorf("seed %d, %v: row %d: %g, SMO %g", seed, kernel, i, f, want[i])
				}
				checked++
			}
		}
	}
	if checked == 0 {
		t.Error("nothing checked")
	}
}

// The primal objective of the model is minus the dual one: w in the span of the landmarks is
// optimal there, and the approximate kernel is the kernel's projection.
func TestNystromOptimum(t *testing.T) {
	checked := 0
	last := math.Inf(-1)
	d := svmtest.Random(200, 3, 7)
	for _, budget := range []int{100, 60, 30, 10, 4} {
		r := fit(t, solvers.Nystrom{Kernel: solvers.RBF{Gamma: 0.8}, Budget: budget, Epsilon: 1e-7}, d)
		if primal := hinge(r, d); math.Abs(primal+r.Objective) > 1e-4*primal || primal < last {
			t.Errorf("%d landmarks: primal %g, dual %g; with more %g", budget, primal, -r.Objective, last)
		} else {
			last = primal
		}
		checked++
	}
	if checked == 0 {
		t.Error("nothing checked")
	}
}
