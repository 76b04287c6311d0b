package solvers_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// meanHinge is the mean hinge loss.
func meanHinge(m *solvers.Model, d *solvers.Dataset) float64 {
	sum := 0.0
	for _, margin := range m.Margins(d) {
		sum += max(0, 1-margin)
	}
	return sum / float64(d.Len())
}

// bruteLevel is the water level of the rows' responses by halving, for the best of the given biases.
func bruteLevel(responses, y []float64, slack float64, biases []float64) float64 {
	best := math.Inf(-1)
	for _, bias := range biases {
		low, high := -1e6, 1e6
		for range 200 {
			level, sum := (low+high)/2, 0.0
			for j, g := range responses {
				sum += max(0, level-y[j]*(g+bias))
			}
			if sum > slack*float64(len(y)) {
				high = level
			} else {
				low = level
			}
		}
		best = max(best, low)
	}
	return best
}

// The level is that of the model, no bias gives a higher one, the mean hinge loss is ν/γ, and the
// level of the C-SVC with the same slack is between it and its bound.
func TestSBPLevel(t *testing.T) {
	checked := 0
	for seed := range uint64(12) {
		d := svmtest.Random(20+10*int(seed), 3, seed)
		kernel := kernels[seed%3]
		dense := fit(t, solvers.SMO{Kernel: kernel, Epsilon: 1e-6}, d)
		slack := meanHinge(dense.Model, d) / dense.Norm()
		r := fit(t, solvers.SBP{Kernel: kernel, Slack: slack, Epsilon: 0.03, Draws: 4}, d)
		if r.Status != solvers.Converged || r.Gap > 0.03 {
			t.Errorf("seed %d: %v with gap %g", seed, r.Status, r.Gap)
		}
		level := r.Objective
		if norm := r.Norm(); norm*level > 1+1e-6 || !near(meanHinge(r.Model, d), slack/level, 1e-6) {
			t.Errorf("seed %d: level %g, ‖w‖ %g, mean hinge loss %g, ν %g", seed, level, norm, meanHinge(r.Model, d), slack)
		}
		best, bound := 1/dense.Norm(), r.Certificate[0].Bound
		if level > best*(1+1e-4) || bound < best*(1-1e-4) || !near(r.Gap, (bound-level)/bound, 1e-9) {
			t.Errorf("seed %d: level %g, of the C-SVC %g, bound %g", seed, level, best, bound)
		}
		responses := r.Decisions(d)
		var biases []float64
		for b := -0.5; b <= 0.5; b += 1. / 64 {
			biases = append(biases, b)
		}
		own := bruteLevel(responses, d.Y, slack/level, []float64{0})
		if other := bruteLevel(responses, d.Y, slack/level, biases); !near(own, 1, 1e-6) || other > own+1e-6 {
			t.Errorf("seed %d: level %g, with another bias %g", seed, own, other)
		}
		checked++
	}
	if checked != 12 {
		t.Errorf("checked %d", checked)
	}
}

// SBP, then ISSVM with its model as reference: the steps keep to 16R²‖u‖² of the C-SVC u.
func TestSBPThenISSVM(t *testing.T) {
	for seed := range uint64(5) {
		d := svmtest.Random(100, 3, seed)
		kernel := solvers.RBF{Gamma: 0.5}
		dense := fit(t, solvers.SMO{Kernel: kernel, C: 3}, d)
		first := fit(t, solvers.SBP{Kernel: kernel, Slack: meanHinge(dense.Model, d) / dense.Norm(), Draws: 4}, d)
		second := fit(t, solvers.ISSVM{Reference: first.Model}, d)
		corollary := first.Certificate[1]
		if most := 16 * dense.Norm() * dense.Norm(); float64(second.Iterations) > corollary.Value || !corollary.Holds() || corollary.Bound > most*(1+1e-3) {
			t.Errorf("seed %d: %d steps ≤ %g ≤ %g ≤ %g", seed, second.Iterations, corollary.Value, corollary.Bound, most)
		}
		if !second.Certificate[2].Holds() {
			t.Errorf("seed %d: Lemma 4.1 does not hold", seed)
		}
	}
}

// Where no classifier has as little slack as asked for, the optimum is shorter than 1: it is the one of
// the least mean hinge loss.
func TestSBPLittleSlack(t *testing.T) {
	d := svmtest.Random(60, 3, 10)
	least := fit(t, solvers.SMO{Kernel: solvers.Linear{}, C: 100, Epsilon: 1e-6}, d)
	r := fit(t, solvers.SBP{Kernel: solvers.Linear{}, Slack: 0.3, Draws: 4, Epsilon: 0.02}, d)
	if hinge := meanHinge(least.Model, d); r.Status != solvers.Converged || !near(meanHinge(r.Model, d), hinge, 0.02) || r.Objective > 0.3/hinge*(1+1e-6) {
		t.Errorf("%v, level %g, mean hinge loss %g, least %g", r, r.Objective, meanHinge(r.Model, d), hinge)
	}
	if len(r.Certificate) != 1 || r.Norm()*r.Objective > 0.95 {
		t.Errorf("norm %g, certificate %v", r.Norm()*r.Objective, r.Certificate)
	}
}

func TestSBPNoBias(t *testing.T) {
	d := svmtest.Random(80, 3, 7)
	r := fit(t, solvers.SBP{Kernel: solvers.RBF{Gamma: 0.5}, NoBias: true, Slack: 0.05, Draws: 4}, d)
	if r.Bias != 0 || r.Status != solvers.Converged {
		t.Error(r)
	}
	if level := bruteLevel(r.Decisions(d), d.Y, 0.05/r.Objective, []float64{0}); !near(level, 1, 1e-6) {
		t.Errorf("level %g", level)
	}
}

func TestSBPSixPoints(t *testing.T) {
	d := svmtest.SixPoints()
	r := fit(t, solvers.SBP{Kernel: solvers.Linear{}, Slack: 1e-6, Epsilon: 1e-3}, d)
	if r.ErrorRate(d) != 0 || !near(r.Norm(), math.Sqrt(0.5), 2e-3) || math.Abs(r.Bias) > 0.05 {
		t.Errorf("%v, ‖w‖ %g", r, r.Norm())
	}
	checkDecisions(t, r.Model, d)
	checkShape(t, r, d)
}

// Workers change nothing, a seed does, and Fit leaves the solver as it is.
func TestSBPDeterministic(t *testing.T) {
	d := svmtest.Random(2500, 3, 5)
	s := solvers.SBP{Kernel: solvers.RBF{Gamma: 2}, Settings: solvers.Settings{MaxIterations: 200, Workers: 1}}
	first := fit(t, s, d)
	s.Settings.Workers = 8
	second := fit(t, s, d)
	s.Settings.Seed = 1
	third := fit(t, s, d)
	if !reflect.DeepEqual(first.Model, second.Model) || first.Gap != second.Gap || slices.Equal(first.Indices, third.Indices) {
		t.Error("Workers change the model, or Seed does not")
	}
	if first.Status != solvers.IterationLimit || first.Iterations != 200 || first.SupportSize() == 0 {
		t.Error(first)
	}
}

func TestSBPEnds(t *testing.T) {
	d := svmtest.Random(1000, 3, 2)
	for _, after := range []int{1, 20000} {
		ctx, cancel := context.WithCancel(context.Background())
		calls := 0
		kernel := solvers.KernelFunc(func(x, z solvers.Vector) float64 {
			if calls++; calls == after {
				cancel()
			}
			return solvers.RBF{Gamma: 2}.Eval(x, z)
		})
		r, err := solvers.SBP{Kernel: kernel, Settings: solvers.Settings{Workers: 1}}.Fit(ctx, d)
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled || calls > after+2000 || after > 1 && r.SupportSize() == 0 {
			t.Errorf("canceled after %d evaluations: %v, %v, %d evaluations", after, r, err, calls)
		}
		_ = r.String() + r.HTML()
	}
	if r := fit(t, solvers.SBP{Settings: solvers.Settings{MaxTime: 1}}, d); r.Status != solvers.TimeLimit {
		t.Error(r)
	}
}

// From the optimum of the C-SVC the level is no lower than its own from the beginning.
func TestSBPStart(t *testing.T) {
	d := svmtest.Random(100, 3, 3)
	kernel := solvers.RBF{Gamma: 0.5}
	dense := fit(t, solvers.SMO{Kernel: kernel, Epsilon: 1e-6}, d)
	s := solvers.SBP{Kernel: kernel, Slack: meanHinge(dense.Model, d) / dense.Norm(), Start: dense.Model, Settings: solvers.Settings{MaxIterations: 1}}
	r := fit(t, s, d)
	if !near(r.Objective, 1/dense.Norm(), 1e-4) || r.Certificate[0].Bound < r.Objective {
		t.Errorf("level %g, of the start %g", r.Objective, 1/dense.Norm())
	}
	s.Settings.MaxIterations = 0
	if r := fit(t, s, d); r.Status != solvers.Converged {
		t.Error(r)
	}
	s.Start = &solvers.Model{Coefficients: []float64{1}}
	_, err := s.Fit(context.Background(), d)
	if wrong, ok := errors.AsType[*solvers.StartError](err); !ok || wrong.Error() != "SBP.Start: 0 indices for 1 coefficients: want a model trained on this set" {
		t.Error(err)
	}
}

func TestSBPErrors(t *testing.T) {
	d := svmtest.SixPoints()
	for _, test := range []struct {
		s    solvers.SBP
		d    *solvers.Dataset
		want string
	}{
		{solvers.SBP{Slack: -1}, d, "SBP.Slack = -1: want > 0 (0: default R/100)"},
		{solvers.SBP{Epsilon: -1}, d, "SBP.Epsilon = -1: want > 0 (0: default 0.05)"},
		{solvers.SBP{Draws: -1}, d, "SBP.Draws = -1: want ≥ 1 (0: default 1)"},
		{solvers.SBP{Settings: solvers.Settings{Workers: -1}}, d, "SBP.Settings.Workers = -1: want ≥ 0 (0: the default)"},
		{solvers.SBP{}, nil, "no rows: want at least one of each class"},
		{solvers.SBP{}, d.Subset([]int{0, 1}), "six points: all rows are of the class -1: want rows of both classes"},
	} {
		if r, err := test.s.Fit(context.Background(), test.d); err == nil || err.Error() != test.want || r != nil {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}

// On a8a the hinge loss comes within 1 % of the C-SVC's at the matching norm, and ISSVM makes the model
// sparse in as many steps as Corollary 1 allows.
func TestRealSBP(t *testing.T) {
	set := realSets[0]
	data := set.realData(t)
	hinge, norm := meanHinge(data.result.Model, data.train), data.result.Norm()
	s := solvers.SBP{Kernel: data.result.Kernel, Slack: hinge / norm, Draws: 8, Epsilon: 0.02}
	r := fit(t, s, data.train)
	own := meanHinge(r.Model, data.train)
	t.Log(r, own, hinge, r.Norm(), norm)
	if own > 1.01*hinge || r.Norm() > 1.01*norm {
		t.Errorf("mean hinge loss %g at norm %g; the C-SVC has %g at %g", own, r.Norm(), hinge, norm)
	}
	sparse := fit(t, solvers.ISSVM{Reference: r.Model}, data.train)
	corollary := r.Certificate[1]
	t.Log(sparse, corollary)
	if !corollary.Holds() || float64(sparse.Iterations) > corollary.Value || float64(sparse.SupportSize()) > corollary.Bound {
		t.Errorf("%d steps, %d support vectors; %s: %g, %g", sparse.Iterations, sparse.SupportSize(), corollary.Claim, corollary.Value, corollary.Bound)
	}
	for _, check := range sparse.Certificate {
		if !check.Holds() {
			t.Errorf("%s: %g ≤ %g does not hold", check.Claim, check.Value, check.Bound)
		}
	}
}

func BenchmarkSBP(b *testing.B) {
	d := svmtest.Random(2000, 10, 1)
	s := solvers.SBP{Kernel: solvers.RBF{Gamma: 0.1}, Settings: solvers.Settings{Workers: 1, MaxIterations: 1000}, Epsilon: 1e-9}
	var evaluations int64
	for b.Loop() {
		r, err := s.Fit(context.Background(), d)
		if err != nil {
			b.Fatal(err)
		}
		evaluations += r.KernelEvaluations
	}
	b.ReportMetric(float64(evaluations)/float64(b.N), "kernel-evals/op")
}
