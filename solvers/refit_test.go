package solvers_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// slopes is the greatest slope of the loss 2C Σ counted (f - target)·column along a support vector
// or the bias, plus that of the regularizer, as a share of the greatest such sum of magnitudes.
func slopes(m *solvers.Model, d *solvers.Dataset, c float64, target []float64, counts func(i int, f float64) bool, regularizer func(v int) float64) float64 {
	worst, scale := 0.0, 0.0
	decisions := m.Decisions(d)
	for v := -1; v < m.SupportSize(); v++ {
		slope := regularizer(v)
		size := math.Abs(slope)
		for i, f := range decisions {
			if !counts(i, f) {
				continue
			}
			k := 1.0
			if v >= 0 {
				k = m.Kernel.Eval(m.SupportVectors[v], d.X[i])
			}
			slope += 2 * c * k * (f - target[i])
			size += 2 * c * math.Abs(k*(f-target[i]))
		}
		worst, scale = max(worst, math.Abs(slope)), max(scale, size)
	}
	return worst / scale
}

// ofNorm is the slope of ½‖w‖², which leaves the bias alone.
func ofNorm(m *solvers.Model) func(v int) float64 {
	return func(v int) float64 {
		if v < 0 {
			return 0
		}
		return m.Decision(m.SupportVectors[v]) - m.Bias
	}
}

func TestRefitGradient(t *testing.T) {
	checked := 0
	for seed := range uint64(10) {
		d := svmtest.Random(80, 3, 40+seed)
		kernel := solvers.RBF{Gamma: 0.4}
		dense := fit(t, solvers.SMO{Kernel: kernel, C: 2}, d)
		sparse := fit(t, solvers.ISSVM{Reference: dense.Model, Aggressive: true}, d)
		for _, c := range []float64{0.1, 1, 50} {
			r := fit(t, solvers.Refit{Reference: sparse.Model, C: c}, d)
			hinge := func(i int, f float64) bool { return d.Y[i]*f < 1 }
			if slope := slopes(r.Model, d, c, d.Y, hinge, ofNorm(r.Model)); slope > 1e-7 {
				t.Errorf("seed %d, C %g: slope %g", seed, c, slope)
			}
			before := *r
			before.Model = sparse.Model
			if was := squaredHinge(&before, d); r.Objective > was {
				t.Errorf("seed %d, C %g: objective %g, before %g", seed, c, r.Objective, was)
			}
			if !slices.Equal(r.Indices, sparse.Indices) {
				t.Errorf("support %v, before %v", r.Indices, sparse.Indices)
			}
			r = fit(t, solvers.Refit{Reference: sparse.Model, Teacher: dense.Model, C: c}, d)
			every := func(int, float64) bool { return true }
			if slope := slopes(r.Model, d, c, dense.Decisions(d), every, ofNorm(r.Model)); slope > 1e-8 {
				t.Errorf("seed %d, C %g, to responses: slope %g", seed, c, slope)
			}
			checked++
		}
	}
	if checked == 0 {
		t.Error("nothing checked")
	}
}

// With every step the objective falls.
func TestRefitTrace(t *testing.T) {
	d := svmtest.Random(200, 3, 1)
	sparse := fit(t, solvers.ISSVM{Kernel: solvers.RBF{Gamma: 1}, C: 10}, d)
	r := fit(t, solvers.Refit{Reference: sparse.Model, C: 10}, d)
	for k := 1; k < len(r.Trace); k++ {
		if r.Trace[k].Objective > r.Trace[k-1].Objective*(1+1e-12) {
			t.Errorf("objective %g after %g", r.Trace[k].Objective, r.Trace[k-1].Objective)
		}
	}
	if len(r.Trace) < 3 {
		t.Errorf("%d points", len(r.Trace))
	}
}

// Vectors that are no rows are kept as they are, and a stretched copy of one changes nothing.
func TestRefitVirtual(t *testing.T) {
	d := svmtest.Random(60, 3, 8)
	m := &solvers.Model{Kernel: solvers.Linear{}, SupportVectors: []solvers.Vector{
		{Index: []int32{0}, Value: []float64{1}}, {Index: []int32{1, 2}, Value: []float64{1, -0.5}}, {Index: []int32{0}, Value: []float64{2}}},
		Coefficients: []float64{1, 1, 0}}
	r := fit(t, solvers.Refit{Reference: m}, d)
	if r.Indices != nil || r.SupportSize() < 2 {
		t.Errorf("indices %v, %d vectors", r.Indices, r.SupportSize())
	}
	m.SupportVectors, m.Coefficients = m.SupportVectors[:2], m.Coefficients[:2]
	if fewer := fit(t, solvers.Refit{Reference: m}, d); math.Abs(fewer.Objective-r.Objective) > 1e-9*r.Objective {
		t.Errorf("objective %g, with a copy %g", fewer.Objective, r.Objective)
	}
}

// A refitted path has the models of Of's, the last that keeps each budget, refitted.
func TestRefitPath(t *testing.T) {
	d := svmtest.Random(200, 3, 4)
	dense := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: 10}, d).Model
	of := solvers.ISSVM{Reference: dense, Epsilon: 0.1}
	var path []*solvers.Model
	if _, err := of.FitPath(context.Background(), d, func(_ float64, m *solvers.Model) error { path = append(path, m); return nil }); err != nil {
		t.Fatal(err)
	}
	checked := 0
	r, err := solvers.Refit{Of: of, Budget: 30}.FitPath(context.Background(), d, func(budget float64, m *solvers.Model) error {
		var want *solvers.Model
		for _, q := range path {
			if float64(q.SupportSize()) <= budget {
				want = q
			}
		}
		if !slices.Equal(m.Indices, want.Indices) {
			t.Errorf("budget %g: support %v, want %v", budget, m.Indices, want.Indices)
		}
		if same := fit(t, solvers.Refit{Reference: want}, d); !slices.Equal(same.Coefficients, m.Coefficients) {
			t.Errorf("budget %g: not the refit of the path's model", budget)
		}
		checked++
		return nil
	})
	if err != nil || checked < 5 || r.Reference != dense {
		t.Errorf("%v after %d models", err, checked)
	}
	if _, err := (solvers.Refit{Of: solvers.SMO{}}).FitPath(context.Background(), d, nil); err == nil || err.Error() != "Refit.Of: SMO has no path: want a solver with one, such as ISSVM" {
		t.Error(err)
	}
}

func TestRefitParameters(t *testing.T) {
	d := svmtest.SixPoints()
	good := fit(t, solvers.SMO{Kernel: solvers.Linear{}}, d).Model
	far := &solvers.Model{Kernel: solvers.Linear{}, SupportVectors: []solvers.Vector{{Index: []int32{5}, Value: []float64{1}}}, Coefficients: []float64{1}}
	for _, test := range []struct {
		s    solvers.Solver
		want string
	}{
		{solvers.Refit{C: -1}, "Refit.C = -1: want > 0 (0: default 1)"},
		{solvers.Refit{Reference: good, Kernel: solvers.Linear{}}, "Refit.Reference: it is given, and Kernel is for fitting one: leave it out"},
		{solvers.Refit{Reference: &solvers.Model{}}, "Refit.Reference: the model has no kernel"},
		{solvers.Refit{Reference: good, Teacher: &solvers.Model{}}, "Refit.Teacher: want a model with a kernel and a coefficient for each of its 0 support vectors"},
		{solvers.Refit{Reference: far}, "Refit.Reference: support vector 0: index 5: want below Dim = 2; want a model trained on the same features as this set"},
		{solvers.Refit{Of: solvers.ISSVM{}, Reference: good}, "Refit: Of has its own kernel and fits its own model; leave Reference and Kernel out"},
		{solvers.Prune{Reference: good, Budget: -1}, "Prune.Budget = -1: want ≥ 1 (0: default 100)"},
	} {
		if r, err := test.s.Fit(context.Background(), d); err == nil || err.Error() != test.want || r != nil {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}

// With all rows the reduced problem is the full one: twice C times the slacks are a feasible
// point of its dual, whose value equals the objective.
func TestRSVMAllRows(t *testing.T) {
	checked := 0
	for seed := range uint64(8) {
		d := svmtest.Random(60, 3, 70+seed)
		for _, c := range []float64{0.2, 1, 20} {
			for _, s := range []solvers.Solver{
				solvers.RSVM{Kernel: solvers.RBF{Gamma: 0.5}, C: c, Budget: 1000},
				solvers.RandomSubset{Kernel: solvers.RBF{Gamma: 0.5}, C: c, Budget: 60, Refit: true},
			} {
				r := fit(t, s, d)
				dual, beta := dualOf(r.Model, d, math.Inf(1))
				for i, f := range r.Decisions(d) {
					dual.K[i][i] += 1 / (2 * c)
					beta[i] = 2 * c * d.Y[i] * max(0, 1-d.Y[i]*f)
				}
				if off := dual.Infeasible(beta); off > 1e-7*c {
					t.Errorf("seed %d, C %g: infeasible by %g", seed, c, off)
				}
				if lower := -dual.Objective(beta); math.Abs(lower-r.Objective) > 1e-8*r.Objective {
					t.Errorf("seed %d, C %g: objective %.12g, dual %.12g", seed, c, r.Objective, lower)
				}
				checked++
			}
			r := fit(t, solvers.RSVM{Kernel: solvers.RBF{Gamma: 0.5}, C: c, Budget: 60, CoefficientNorm: true, Epsilon: 1e-14}, d)
			own := func(v int) float64 {
				if v < 0 {
					return r.Bias
				}
				return r.Coefficients[v]
			}
			hinge := func(i int, f float64) bool { return d.Y[i]*f < 1 }
			if slope := slopes(r.Model, d, c, d.Y, hinge, own); slope > 1e-7 || r.SupportSize() != 60 {
				t.Errorf("seed %d, C %g, coefficient norm: slope %g with %d rows", seed, c, slope, r.SupportSize())
			}
		}
	}
	if checked == 0 {
		t.Error("nothing checked")
	}
}

// A path's model is that of Fit with its budget. Which of rows that depend on each other has the
// coefficient is open.
func TestRSVMPath(t *testing.T) {
	d := svmtest.Random(120, 3, 4)
	checked := 0
	_, err := solvers.RSVM{Kernel: solvers.RBF{Gamma: 0.5}, Budget: 30, Epsilon: 1e-14}.FitPath(context.Background(), d, func(budget float64, m *solvers.Model) error {
		r := fit(t, solvers.RSVM{Kernel: solvers.RBF{Gamma: 0.5}, Budget: int(budget), Epsilon: 1e-14}, d)
		for i, x := range d.X {
			if f, want := m.Decision(x), r.Decision(x); math.Abs(f-want) > 1e-6 {
				t.Errorf("budget %g: the path's model is %g at row %d, that of Fit %g", budget, f, i, want)
			}
		}
		checked++
		return nil
	})
	if err != nil || checked < 10 {
		t.Errorf("%v after %d models", err, checked)
	}
}

func TestRandomSubset(t *testing.T) {
	d := svmtest.Random(60, 3, 4)
	kernel := solvers.RBF{Gamma: 0.5}
	whole := fit(t, solvers.SMO{Kernel: kernel, C: 3}, d)
	r := fit(t, solvers.RandomSubset{Kernel: kernel, C: 3, Budget: 60}, d)
	if !slices.Equal(r.Coefficients, whole.Coefficients) || r.Bias != whole.Bias || r.Objective != whole.Objective {
		t.Errorf("all rows: %v, SMO: %v", r, whole)
	}
	if a, b := fit(t, solvers.RandomSubset{Budget: 10}, d), fit(t, solvers.RandomSubset{Budget: 10, Settings: solvers.Settings{Seed: 1}}, d); slices.Equal(a.Indices, b.Indices) {
		t.Errorf("seeds 0 and 1 give the same rows %v", a.Indices)
	}
	r = fit(t, solvers.RandomSubset{Budget: 1}, d)
	if r.SupportSize() != 0 || math.Abs(r.Bias) != 1 {
		t.Errorf("one row: %v", r)
	}
}

func TestPrune(t *testing.T) {
	d := svmtest.Random(100, 3, 4)
	dense := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: 10}, d).Model
	checked := 0
	for budget := 1; budget <= dense.SupportSize()+1; budget++ {
		r := fit(t, solvers.Prune{Reference: dense, Budget: budget}, d)
		if r.SupportSize() != min(budget, dense.SupportSize()) || r.Bias != dense.Bias {
			t.Fatalf("budget %d of %d: %v", budget, dense.SupportSize(), r)
		}
		least := math.Inf(1)
		for _, beta := range r.Coefficients {
			least = min(least, math.Abs(beta))
		}
		for k, i := range dense.Indices {
			at, kept := slices.BinarySearch(r.Indices, i)
			if kept && r.Coefficients[at] != dense.Coefficients[k] || !kept && math.Abs(dense.Coefficients[k]) > least {
				t.Errorf("budget %d: row %d with %g", budget, i, dense.Coefficients[k])
			}
		}
		change := *dense
		change.Coefficients = slices.Clone(dense.Coefficients)
		for k, i := range dense.Indices {
			if _, kept := slices.BinarySearch(r.Indices, i); kept {
				change.Coefficients[k] = 0
			}
		}
		if norm := change.Norm(); norm > r.Objective*(1+1e-9) {
			t.Errorf("budget %d: ‖w̃ - w‖ = %g, Σ|β| left out %g", budget, norm, r.Objective)
		}
		checked++
	}
	if checked < 10 {
		t.Errorf("%d budgets checked", checked)
	}
}
