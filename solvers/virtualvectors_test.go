package solvers_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// lossOf is the loss of a decision value by its definition.
func lossOf(l solvers.Loss, f, y float64) float64 {
	switch l {
	case solvers.SquaredHingeLoss:
		return math.Pow(max(0, 1-y*f), 2)
	case solvers.SigmoidLoss:
		return 1 / (1 + math.Exp(2*y*f))
	}
	return math.Log1p(math.Exp(-y * f))
}

// meanLoss is the mean loss of a model's decisions, and the ridge of its coefficients.
func meanLoss(m *solvers.Model, d *solvers.Dataset, l solvers.Loss, ridge float64) float64 {
	sum := 0.0
	for i, f := range m.Decisions(d) {
		sum += lossOf(l, f, d.Y[i]) / float64(d.Len())
	}
	for _, beta := range m.Coefficients {
		sum += ridge * beta * beta
	}
	return sum
}

// movedLoss is the objective of VirtualVectors.
func movedLoss(r *solvers.Result, d *solvers.Dataset) float64 {
	s := r.Solver.(solvers.VirtualVectors)
	return meanLoss(r.Model, d, s.Loss, s.Ridge)
}

// blobs is n rows of a class inside of a ring and one around it, in the first two features.
func blobs(n, dim int, seed uint64) *solvers.Dataset {
	d := svmtest.Random(n, dim, seed)
	for i, x := range d.X {
		square := 0.0
		for _, v := range x.Value {
			square += v * v
		}
		d.Y[i] = -1
		if square > float64(dim) {
			d.Y[i] = 1
		}
	}
	return d
}

// Moving the vectors of the dense SVM never makes its own loss worse, whatever the loss and the
// kernel, and moving those of a small model makes it much better.
func TestVirtualVectorsDescend(t *testing.T) {
	checked := 0
	for seed := range uint64(4) {
		d := blobs(120, 4, seed)
		for _, k := range []solvers.Kernel{solvers.RBF{Gamma: 0.5}, solvers.Poly{Gamma: 0.5, Coef0: 1, Degree: 2}, solvers.Linear{}, solvers.Sigmoid{Gamma: 0.1}} {
			dense := fit(t, solvers.SMO{Kernel: k}, d).Model
			few := fit(t, solvers.Prune{Reference: dense, Budget: 6, Refit: true}, d).Model
			for _, loss := range []solvers.Loss{solvers.LogisticLoss, solvers.SquaredHingeLoss, solvers.SigmoidLoss} {
				for _, lbfgs := range []bool{false, true} {
					s := solvers.VirtualVectors{Loss: loss, LBFGS: lbfgs, Passes: 60, Ridge: 1e-6}
					for _, start := range []*solvers.Model{dense, few} {
						s.Reference = start
						r := fit(t, s, d)
						before, after := meanLoss(start, d, loss, s.Ridge), meanLoss(r.Model, d, loss, s.Ridge)
						if after > before*(1+1e-9) || math.Abs(after-r.Objective) > 1e-9*(1+after) {
							t.Errorf("%v, %v, L-BFGS %t: loss %g, before %g, objective %g", k, loss, lbfgs, after, before, r.Objective)
						}
						if _, rbf := k.(solvers.RBF); rbf && start == few && lbfgs && after > 0.8*before {
							t.Errorf("%v, %v: loss %g of moved vectors, %g before", k, loss, after, before)
						}
						if r.Indices != nil || r.SupportSize() > start.SupportSize() {
							t.Errorf("%d vectors of %d with indices %v", r.SupportSize(), start.SupportSize(), r.Indices)
						}
						checked++
					}
				}
			}
		}
	}
	if checked != 4*4*3*2*2 {
		t.Errorf("%d runs checked", checked)
	}
}

// A teacher's responses are learned, with copies of rows that have noise.
func TestVirtualVectorsTeacher(t *testing.T) {
	d := blobs(300, 4, 3)
	dense := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: 10}, d).Model
	few := fit(t, solvers.Prune{Reference: dense, Budget: 12, Refit: true}, d).Model
	away := func(m *solvers.Model) float64 {
		sum := 0.0
		responses := dense.Decisions(d)
		for i, f := range m.Decisions(d) {
			clip := func(v float64) float64 { return max(-1, min(1, v)) }
			sum += math.Pow(clip(f)-clip(responses[i]), 2)
		}
		return sum
	}
	for _, jitter := range []int{0, 3} {
		r := fit(t, solvers.VirtualVectors{Reference: few, Teacher: dense, Jitter: jitter, LBFGS: true, Passes: 200}, d)
		if after, before := away(r.Model), away(few); after > before/2 {
			t.Errorf("%d copies: %g from the teacher, before %g", jitter, after, before)
		}
	}
}

// With LearnGamma the kernel is part of what is learned.
func TestVirtualVectorsGamma(t *testing.T) {
	d := blobs(200, 3, 1)
	few := fit(t, solvers.RSVM{Kernel: solvers.RBF{Gamma: 10}, Budget: 5}, d).Model
	fixed := fit(t, solvers.VirtualVectors{Reference: few, LBFGS: true, Passes: 200}, d)
	learned := fit(t, solvers.VirtualVectors{Reference: few, LearnGamma: true, Passes: 200}, d)
	if fixed.Kernel != (solvers.RBF{Gamma: 10}) {
		t.Errorf("kernel %v", fixed.Kernel)
	}
	if gamma := learned.Kernel.(solvers.RBF).Gamma; gamma == 10 || learned.Objective > 0.9*fixed.Objective {
		t.Errorf("Gamma %g, loss %g; with Gamma fixed %g", gamma, learned.Objective, fixed.Objective)
	}
}

// When ctx ends the best point so far is returned.
func TestVirtualVectorsCanceled(t *testing.T) {
	d := blobs(2000, 6, 2)
	few := fit(t, solvers.RSVM{Kernel: solvers.RBF{Gamma: 0.3}, Budget: 20}, d).Model
	for _, lbfgs := range []bool{false, true} {
		ctx, cancel := context.WithCancel(context.Background())
		s := solvers.VirtualVectors{Reference: few, LBFGS: lbfgs, Passes: 100000}
		s.Settings.Progress = func(p solvers.Progress) {
			if p.Iteration > 10 {
				cancel()
			}
		}
		r, err := s.Fit(ctx, d)
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled || r.Iterations < 10 {
			t.Fatalf("L-BFGS %t: %v, %v", lbfgs, r, err)
		}
		before, after := meanLoss(few, d, solvers.LogisticLoss, 1e-8), meanLoss(r.Model, d, solvers.LogisticLoss, 1e-8)
		if after > before || math.Abs(after-r.Objective) > 1e-9 {
			t.Errorf("L-BFGS %t: loss %g, before %g, objective %g", lbfgs, after, before, r.Objective)
		}
		cancel()
	}
}

func TestVirtualVectorsErrors(t *testing.T) {
	d := blobs(30, 3, 2)
	m := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 1}}, d).Model
	own := *m
	own.Kernel = solvers.KernelFunc(func(x, z solvers.Vector) float64 { return 1 })
	for _, test := range []struct {
		s    solvers.VirtualVectors
		want string
	}{
		{solvers.VirtualVectors{Reference: &own}, "VirtualVectors: no gradient of KernelFunc is known: want RBF, Poly, Linear or Sigmoid"},
		{solvers.VirtualVectors{Kernel: solvers.Linear{}, LearnGamma: true}, "VirtualVectors: Linear has no Gamma and no scales to learn: want an RBF kernel"},
		{solvers.VirtualVectors{Kernel: solvers.Poly{Degree: 2}, LearnScales: true}, "VirtualVectors: Poly(Gamma=0.333333, Coef0=0, Degree=2) has no Gamma and no scales to learn: want an RBF kernel"},
		{solvers.VirtualVectors{Reference: m, LearnScales: true, LearnGammas: true}, "VirtualVectors: LearnGammas and LearnScales are both set: want one at most"},
		{solvers.VirtualVectors{Reference: m, Jitter: 2}, "VirtualVectors.Jitter = 2: want ≥ 0, and 0 without a Teacher: labels of rows with noise are not known"},
		{solvers.VirtualVectors{Reference: m, Loss: 7}, "VirtualVectors.Loss = 7: want LogisticLoss, SquaredHingeLoss or SigmoidLoss"},
		{solvers.VirtualVectors{Reference: m, Ridge: -1}, "VirtualVectors.Ridge = -1: want > 0 (0: default 1e-08)"},
		{solvers.VirtualVectors{Reference: m, Rate: -1}, "VirtualVectors.Rate = -1: want > 0 (0: default 0.01, or what the features' size makes of it)"},
		{solvers.VirtualVectors{Reference: m, Teacher: &solvers.Model{}}, "VirtualVectors.Teacher: want a model with a kernel and a coefficient for each of its 0 vectors"},
		{solvers.VirtualVectors{Reference: &solvers.Model{Kernel: solvers.Linear{}}}, "VirtualVectors.Reference: no support vectors: want a trained model"},
	} {
		if r, err := test.s.Fit(context.Background(), d); err == nil || err.Error() != test.want || r != nil {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}

// moved and condense are entries of everySolver.
func moved(s solvers.VirtualVectors) func(solvers.Kernel, *solvers.Model, solvers.Settings) solvers.Solver {
	return func(k solvers.Kernel, reference *solvers.Model, settings solvers.Settings) solvers.Solver {
		s.Reference, s.Kernel, s.Settings = reference, without(k, reference), settings
		return s
	}
}

func condense(k solvers.Kernel, reference *solvers.Model, settings solvers.Settings) solvers.Solver {
	return solvers.Condense{Reference: reference, Kernel: without(k, reference), Budget: 8, Settings: settings}
}

// recomputeMoved is the loss of moved vectors. The gap is what is left of the passes, which the model
// does not tell.
func recomputeMoved(r *solvers.Result, d *solvers.Dataset) (objective, gap float64) {
	return movedLoss(r, d), r.Gap
}

// recomputeCondense has the winner's error from the figures of the candidates: the model itself is
// trained on more rows than were judged.
func recomputeCondense(r *solvers.Result, _ *solvers.Dataset) (objective, gap float64) {
	for _, c := range r.Candidates {
		if c.Chosen {
			return c.ValidationError, r.Gap
		}
	}
	return r.Objective, r.Gap
}

// isVirtual reports whether the solver's vectors are no rows, and its kernel must have a gradient.
func isVirtual(s solvers.Solver) bool {
	switch s.(type) {
	case solvers.VirtualVectors, solvers.Condense:
		return true
	}
	return false
}
