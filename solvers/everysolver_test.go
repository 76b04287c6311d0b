package solvers_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// everySolver is the table that the tests of this file run for all solvers. A solver that
// needs a reference gets a C-SVC with the given kernel and C = 1.
var everySolver = []struct {
	name string
	// with is the solver; reference may be nil.
	with func(kernel solvers.Kernel, reference *solvers.Model, s solvers.Settings) solvers.Solver
	// recompute gives Objective and Gap from their definition and the model alone.
	recompute func(r *solvers.Result, d *solvers.Dataset) (objective, gap float64)
	epsilon   float64
	sparse    bool // takes a reference
	// random: rows are drawn, so that their order matters; smooth: the loss is smoothed, and there is
	// no model before its basis is made.
	random, smooth bool
}{
	{"SMO", func(k solvers.Kernel, _ *solvers.Model, s solvers.Settings) solvers.Solver {
		return solvers.SMO{Kernel: k, Epsilon: 1e-5, Settings: s}
	}, recomputeSMO, 1e-5, false, false, false},
	{"ISSVM basic", issvm(solvers.ISSVM{}), recomputeISSVM, 0.5, true, false, false},
	{"ISSVM aggressive", issvm(solvers.ISSVM{Aggressive: true, Epsilon: 0.25}), recomputeISSVM, 0.25, true, false, false},
	{"ISSVM learned bias", issvm(solvers.ISSVM{LearnBias: true}), recomputeISSVM, 0.5, true, false, false},
	{"BudgetSVM L1", budgetSVM(solvers.BudgetSVM{Budget: 20}), recomputeBudget, 1e-8, false, false, false},
	{"BudgetSVM L2", budgetSVM(solvers.BudgetSVM{Budget: 40, SquaredNorm: true}), recomputeBudget, 1e-8, false, false, false},
	{"BudgetSVM mixed", budgetSVM(solvers.BudgetSVM{Budget: 10, MixedNorm: true}), recomputeBudget, 1e-8, false, false, false},
	{"ISSVM all", issvm(solvers.ISSVM{Aggressive: true, LearnBias: true, Epsilon: 0.125}), recomputeISSVM, 0.125, true, false, false},
	{"SASSO", sasso(solvers.SASSO{Delta: 8}), recomputeSASSO, 1e-3, true, false, false},
	{"SASSO fully corrective", sasso(solvers.SASSO{FullyCorrective: true, Epsilon: 1e-6}), recomputeSASSO, 1e-6, true, false, false},
	{"LassoPath", lassoPath, recomputeLassoPath, 1e-9, true, false, false},
	{"SBP", sbp(solvers.SBP{Slack: 0.3, Draws: 4}), recomputeSBP, 0.05, false, true, false},
	{"SBP no bias", sbp(solvers.SBP{Slack: 0.4, Draws: 4, NoBias: true}), recomputeSBP, 0.05, false, true, false},
	{"MinimalSVM", minimalSVM(solvers.MinimalSVM{Starts: 5, Basis: 200}), recomputeMinimal, 1e-3, false, false, true},
	{"MinimalSVM convex", minimalSVM(solvers.MinimalSVM{P: 1, Basis: 200}), recomputeMinimal, 1e-3, false, false, true},
}

func issvm(s solvers.ISSVM) func(solvers.Kernel, *solvers.Model, solvers.Settings) solvers.Solver {
	return func(k solvers.Kernel, reference *solvers.Model, settings solvers.Settings) solvers.Solver {
		s.Settings, s.Reference, s.Kernel = settings, reference, k
		if reference != nil {
			s.Kernel = nil
		}
		return s
	}
}

func sasso(s solvers.SASSO) func(solvers.Kernel, *solvers.Model, solvers.Settings) solvers.Solver {
	return func(k solvers.Kernel, reference *solvers.Model, settings solvers.Settings) solvers.Solver {
		s.Settings, s.Reference, s.Kernel = settings, reference, k
		if reference != nil {
			s.Kernel = nil
		}
		return s
	}
}

func sbp(s solvers.SBP) func(solvers.Kernel, *solvers.Model, solvers.Settings) solvers.Solver {
	return func(k solvers.Kernel, _ *solvers.Model, settings solvers.Settings) solvers.Solver {
		s.Kernel, s.Settings = k, settings
		return s
	}
}

// recomputeSBP has the level from the mean hinge loss, which is ν/γ for w/γ. The bound is beyond the
// model; that it holds is a test of SBP.
func recomputeSBP(r *solvers.Result, d *solvers.Dataset) (objective, gap float64) {
	level, bound := r.Solver.(solvers.SBP).Slack/meanHinge(r.Model, d), r.Certificate[0].Bound
	return level, (bound - level) / bound
}

func minimalSVM(s solvers.MinimalSVM) func(solvers.Kernel, *solvers.Model, solvers.Settings) solvers.Solver {
	return func(k solvers.Kernel, _ *solvers.Model, settings solvers.Settings) solvers.Solver {
		s.Kernel, s.Settings = k, settings
		return s
	}
}

// recomputeMinimal has the gradient in w from its definition: w - Σ sᵢΦ(xᵢ), sᵢ being the slope of row
// i's loss.
func recomputeMinimal(r *solvers.Result, d *solvers.Dataset) (objective, gap float64) {
	s := r.Solver.(solvers.MinimalSVM)
	left, sum, pull := betaOf(r.Model, d.Len()), 0.0, 1.0
	for i, margin := range r.Margins(d) {
		z := s.Sharpness * (1 - margin)
		n := (max(z, 0) + math.Log1p(math.Exp(-math.Abs(z)))) / s.Sharpness
		slope := s.C * s.P * math.Pow(n, s.P-1) / (1 + math.Exp(-z))
		if n == 0 {
			slope = 0
		}
		left[i] -= slope * d.Y[i]
		sum += slope * d.Y[i]
		pull += slope
	}
	square := sum * sum
	for i, row := range svmtest.Gram(d.X, r.Kernel.Eval) {
		for j, k := range row {
			square += left[i] * k * left[j]
		}
	}
	return minimalObjective(r.Model, s, d), math.Sqrt(max(square, 0)) / pull
}

func lassoPath(k solvers.Kernel, reference *solvers.Model, settings solvers.Settings) solvers.Solver {
	if reference != nil {
		k = nil
	}
	return solvers.LassoPath{Reference: reference, Kernel: k, Settings: settings}
}

func recomputeSMO(r *solvers.Result, d *solvers.Dataset) (objective, gap float64) {
	dual, beta := dualOf(r.Model, d, 1)
	return dual.Objective(beta), dual.Violation(beta)
}

// dualOf is the C-SVC's dual with the model's kernel, and the model's coefficients of all rows.
func dualOf(m *solvers.Model, d *solvers.Dataset, c float64) (svmtest.Dual, []float64) {
	dual := svmtest.Dual{K: svmtest.Gram(d.X, m.Kernel.Eval), Y: d.Y, C: slices.Repeat([]float64{c}, d.Len())}
	return dual, betaOf(m, d.Len())
}

func betaOf(m *solvers.Model, n int) []float64 {
	beta := make([]float64, n)
	for k, i := range m.Indices {
		beta[i] = m.Coefficients[k]
	}
	return beta
}

// recomputeISSVM is the greatest shortfall of the model from its reference.
func recomputeISSVM(r *solvers.Result, d *solvers.Dataset) (objective, gap float64) {
	worst := math.Inf(-1)
	for i, x := range d.X {
		if margin := d.Y[i] * r.Reference.Decision(x); margin > 0 {
			worst = max(worst, min(1, margin)-d.Y[i]*r.Decision(x))
		}
	}
	return worst, worst
}

func fit(t *testing.T, s solvers.Solver, d *solvers.Dataset) *solvers.Result {
	t.Helper()
	r, err := s.Fit(context.Background(), d)
	if err != nil {
		t.Fatalf("%s: %v", s.Name(), err)
	}
	return r
}

func TestEverySolver(t *testing.T) {
	for _, solver := range everySolver {
		t.Run(solver.name, func(t *testing.T) {
			checked := 0
			for seed := range uint64(12) {
				for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 0.7}, solvers.Linear{}, solvers.Poly{Gamma: 0.5, Coef0: 1, Degree: 2}} {
					d := svmtest.Random(10+5*int(seed), 3, seed)
					r := fit(t, solver.with(kernel, nil, solvers.Settings{}), d)
					if r.Status != solvers.Converged {
						t.Fatalf("seed %d, %v: %v", seed, kernel, r.Status)
					}
					objective, gap := solver.recompute(r, d)
					tolerance := 1e-8
					if solver.smooth {
						tolerance = 1e-6 // the basis leaves 1e-10 of the greatest K(x, x) out
					}
					if math.Abs(objective-r.Objective) > 1e-8*(1+math.Abs(objective)) {
						t.Errorf("seed %d, %v: objective %g, from the model %g", seed, kernel, r.Objective, objective)
					}
					if math.Abs(gap-r.Gap) > tolerance || gap > solver.epsilon+1e-9 {
						t.Errorf("seed %d, %v: gap %g, from the model %g, want ≤ %g", seed, kernel, r.Gap, gap, solver.epsilon)
					}
					checkDecisions(t, r.Model, d)
					checkShape(t, r, d)
					checked++
				}
			}
			if checked != 36 {
				t.Errorf("checked %d results", checked)
			}
		})
	}
}

// checkDecisions compares Decision, Decisions, Predict, Margins, ErrorRate and Norm with sums by hand.
func checkDecisions(t *testing.T, m *solvers.Model, d *solvers.Dataset) {
	t.Helper()
	decisions, margins, wrong, norm2 := m.Decisions(d), m.Margins(d), 0, 0.0
	for i, x := range d.X {
		want := m.Bias
		for k, s := range m.SupportVectors {
			want += m.Coefficients[k] * m.Kernel.Eval(s, x)
		}
		if math.Abs(want-m.Decision(x)) > 1e-9*(1+math.Abs(want)) || math.Abs(want-decisions[i]) > 1e-9*(1+math.Abs(want)) || margins[i] != d.Y[i]*decisions[i] {
			t.Fatalf("row %d: Decision %g, Decisions %g, Margins %g, by hand %g", i, m.Decision(x), decisions[i], margins[i], want)
		}
		if m.Predict(x) != d.Y[i] {
			wrong++
		}
	}
	if got, want := m.ErrorRate(d), float64(wrong)/float64(d.Len()); math.Abs(got-want) > 1e-12 {
		t.Errorf("ErrorRate %g, by hand %g", got, want)
	}
	for k, s := range m.SupportVectors {
		norm2 += m.Coefficients[k] * (m.Decision(s) - m.Bias)
	}
	if got := m.Norm(); math.Abs(got*got-norm2) > 1e-8*(1+norm2) {
		t.Errorf("Norm² %g, by hand %g", got*got, norm2)
	}
}

// checkShape checks what holds for every result.
func checkShape(t *testing.T, r *solvers.Result, d *solvers.Dataset) {
	t.Helper()
	if r.SupportSize() != len(r.Coefficients) || r.SupportSize() != len(r.Indices) || r.Rows != d.Len() {
		t.Fatalf("%d vectors, %d coefficients, %d indices, %d rows", r.SupportSize(), len(r.Coefficients), len(r.Indices), r.Rows)
	}
	for k, i := range r.Indices {
		if r.Coefficients[k] == 0 || !reflect.DeepEqual(r.SupportVectors[k], d.X[i]) || k > 0 && i <= r.Indices[k-1] {
			t.Fatalf("support vector %d: coefficient %g, row %d", k, r.Coefficients[k], i)
		}
	}
	if last := r.Trace[len(r.Trace)-1]; last.Iteration != r.Iterations || last.SupportSize != r.SupportSize() || last.Gap != r.Gap {
		t.Errorf("trace ends with %+v, result has %+v", last, r.Stats)
	}
	if r.KernelEvaluations <= 0 || r.Runtime <= 0 {
		t.Errorf("%d kernel evaluations in %v", r.KernelEvaluations, r.Runtime)
	}
}

func TestEverySolverSixPoints(t *testing.T) {
	d := svmtest.SixPoints()
	for _, solver := range everySolver {
		r := fit(t, solver.with(solvers.Linear{}, nil, solvers.Settings{}), d)
		if rate := r.ErrorRate(d); rate != 0 {
			t.Errorf("%s: error rate %g on separable rows", solver.name, rate)
		}
		if solver.random || solver.smooth {
			continue // near the exact model, which tests of their own look at
		}
		model := r.Model
		if solver.sparse {
			model = r.Reference
		}
		if !slices.Equal(model.Indices, []int{1, 3}) || math.Abs(model.Bias) > 1e-6 || math.Abs(model.Norm()-math.Sqrt(0.5)) > 1e-6 ||
			math.Abs(model.Coefficients[0]+0.25) > 1e-6 || math.Abs(model.Coefficients[1]-0.25) > 1e-6 {
			t.Errorf("%s: support %v, coefficients %v, bias %g", solver.name, model.Indices, model.Coefficients, model.Bias)
		}
	}
}

// The number of workers and of cached rows changes nothing, and a second run changes nothing.
func TestEverySolverDeterministic(t *testing.T) {
	d := svmtest.Random(2500, 3, 5) // more than a block
	small := svmtest.Random(300, 3, 6)
	reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 2}}, small).Model
	for _, solver := range everySolver {
		t.Run(solver.name, func(t *testing.T) {
			var first *solvers.Result
			for _, s := range []solvers.Settings{{Workers: 1}, {Workers: 1}, {Workers: 8}, {CacheMB: 1}} {
				s.MaxIterations = 200
				r := fit(t, solver.with(solvers.RBF{Gamma: 2}, reference, s), d)
				if first == nil {
					first = r
				}
				if !reflect.DeepEqual(first.Model, r.Model) || first.Objective != r.Objective || first.Gap != r.Gap || first.Iterations != r.Iterations {
					t.Errorf("%+v gives another model", s)
				}
			}
			if first.SupportSize() == 0 {
				t.Error("empty model")
			}
		})
	}
}

// Permuting the rows permutes Indices. The reference is shrunk, so that its margins are below 1
// and distinct: of equal ones a solver may take the first.
func TestEverySolverPermuted(t *testing.T) {
	for _, solver := range everySolver {
		if solver.random {
			continue
		}
		checked := 0
		for seed := range uint64(10) {
			d := svmtest.Random(60, 4, 100+seed)
			kernel := solvers.RBF{Gamma: 0.5}
			reference := *fit(t, solvers.SMO{Kernel: kernel, Epsilon: 1e-8}, d).Model
			reference.Coefficients = slices.Clone(reference.Coefficients)
			for k := range reference.Coefficients {
				reference.Coefficients[k] *= 0.6
			}
			order := rand.New(rand.NewPCG(seed, 1)).Perm(d.Len())
			a := fit(t, solver.with(kernel, &reference, solvers.Settings{}), d)
			b := fit(t, solver.with(kernel, &reference, solvers.Settings{}), d.Subset(order))
			var moved []int
			for _, i := range b.Indices {
				moved = append(moved, order[i])
			}
			slices.Sort(moved)
			if !slices.Equal(a.Indices, moved) {
				t.Errorf("%s, seed %d: support %v, permuted and back %v", solver.name, seed, a.Indices, moved)
			}
			checked += len(moved)
		}
		if checked == 0 {
			t.Errorf("%s: no support vectors", solver.name)
		}
	}
}

// When ctx ends, a fit stops within a fraction of a row and returns the model it has.
func TestEverySolverCanceled(t *testing.T) {
	d := svmtest.Random(1000, 3, 2)
	base := solvers.RBF{Gamma: 2}
	reference := *fit(t, solvers.SMO{Kernel: base}, d).Model
	for _, solver := range everySolver {
		start := int64(len(d.X)) // the diagonal
		if solver.sparse {
			reference.Kernel = base
			start = fit(t, solver.with(base, &reference, solvers.Settings{MaxIterations: 1}), d).KernelEvaluations
		}
		for _, after := range []int64{1, start + 10*1000} {
			ctx, cancel := context.WithCancel(context.Background())
			var calls atomic.Int64
			kernel := solvers.KernelFunc(func(x, z solvers.Vector) float64 {
				if calls.Add(1) == after {
					cancel()
				}
				return base.Eval(x, z)
			})
			reference.Kernel = kernel
			r, err := solver.with(kernel, &reference, solvers.Settings{}).Fit(ctx, d)
			if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled {
				t.Fatalf("%s, canceled after %d evaluations: %v, %v", solver.name, after, r, err)
			}
			if more := calls.Load() - after; more > 2000 {
				t.Errorf("%s: %d kernel evaluations after the end of ctx", solver.name, more)
			}
			for _, f := range r.Decisions(d) {
				if math.IsNaN(f) || math.IsInf(f, 0) {
					t.Fatalf("%s: decision value %g", solver.name, f)
				}
			}
			if after > 1 && r.SupportSize() == 0 && !solver.smooth {
				t.Errorf("%s: no support vectors after %d evaluations", solver.name, after)
			}
			_ = r.String() + r.HTML()
		}
	}
}

func TestEverySolverIterationLimit(t *testing.T) {
	d := svmtest.Random(200, 3, 9)
	for _, solver := range everySolver {
		r := fit(t, solver.with(solvers.RBF{Gamma: 5}, nil, solvers.Settings{MaxIterations: 3}), d)
		if r.Status != solvers.IterationLimit || r.Iterations != 3 || r.Gap <= solver.epsilon {
			t.Errorf("%s: %v after %d iterations, gap %g", solver.name, r.Status, r.Iterations, r.Gap)
		}
		objective, gap := solver.recompute(r, d)
		if math.Abs(objective-r.Objective) > 1e-9 || math.Abs(gap-r.Gap) > 1e-9 {
			t.Errorf("%s: objective %g, gap %g; from the model %g, %g", solver.name, r.Objective, r.Gap, objective, gap)
		}
	}
}

func TestEverySolverTimeLimit(t *testing.T) {
	d := svmtest.Random(200, 3, 9)
	for _, solver := range everySolver {
		r := fit(t, solver.with(solvers.RBF{Gamma: 5}, nil, solvers.Settings{MaxTime: 1}), d)
		if r.Status != solvers.TimeLimit {
			t.Errorf("%s: %v, want TimeLimit", solver.name, r.Status)
		}
	}
}

func TestEverySolverUnchanged(t *testing.T) {
	d := svmtest.Random(50, 3, 3)
	for _, solver := range everySolver {
		s := solver.with(nil, nil, solvers.Settings{})
		before := reflect.New(reflect.TypeOf(s)).Elem()
		before.Set(reflect.ValueOf(s))
		r := fit(t, s, d)
		if !reflect.DeepEqual(before.Interface(), s) {
			t.Errorf("%s: Fit changed the solver to %+v", solver.name, s)
		}
		if r.Solver.Name() != s.Name() || r.Kernel != (solvers.RBF{Gamma: 1. / 3}) {
			t.Errorf("%s: result of %v with %v", solver.name, r.Solver.Name(), r.Kernel)
		}
	}
}

// Unusable data and parameters are errors that say what is wrong, for every solver.
func TestEverySolverErrors(t *testing.T) {
	good := svmtest.Random(20, 3, 3)
	change := func(f func(d *solvers.Dataset)) *solvers.Dataset {
		d := good.Subset([]int{0, 1, 2, 3, 4, 5})
		f(d)
		return d
	}
	row := func(index []int32, value []float64) *solvers.Dataset {
		return change(func(d *solvers.Dataset) { d.X[2] = solvers.Vector{Index: index, Value: value} })
	}
	for _, test := range []struct {
		d    *solvers.Dataset
		want string
	}{
		{nil, "no rows: want at least one of each class"},
		{&solvers.Dataset{Name: "empty"}, "empty: no rows: want at least one of each class"},
		{change(func(d *solvers.Dataset) { d.Y = slices.Repeat([]float64{1}, 6) }), "random: all rows are of the class +1: want rows of both classes"},
		{change(func(d *solvers.Dataset) { d.Y = slices.Repeat([]float64{-1}, 6) }), "random: all rows are of the class -1: want rows of both classes"},
		{change(func(d *solvers.Dataset) { d.Y, d.Labels = []float64{1, 2, 3, 1, 2, 3}, []float64{1, 2, 3} }), "random: 3 classes: want two; take OneAgainst(label) or Groups(negative, positive)"},
		{change(func(d *solvers.Dataset) { d.Y[1] = 7 }), "random: row 1: label 7: want -1 or +1; take OneAgainst(label) or Groups(negative, positive)"},
		{change(func(d *solvers.Dataset) { d.Y[1] = math.NaN() }), "random: row 1: label is NaN"},
		{change(func(d *solvers.Dataset) { d.Y = d.Y[:3] }), "random: 6 rows but 3 labels: want one label per row"},
		{row([]int32{0, 1}, []float64{1}), "random: row 2: 2 indices but 1 values"},
		{row([]int32{1, 0}, []float64{1, 1}), "random: row 2: index 0 after 1: indices must increase"},
		{row([]int32{-1}, []float64{1}), "random: row 2: index -1 after -1: indices must increase"},
		{row([]int32{3}, []float64{1}), "random: row 2: index 3: want below Dim = 3"},
		{row([]int32{1}, []float64{math.NaN()}), "random: row 2: feature 1 is NaN: want a finite number"},
		{row([]int32{1}, []float64{math.Inf(-1)}), "random: row 2: feature 1 is -Inf: want a finite number"},
	} {
		for _, solver := range everySolver {
			r, err := solver.with(nil, nil, solvers.Settings{}).Fit(context.Background(), test.d)
			if _, ok := errors.AsType[*solvers.DataError](err); !ok || err.Error() != test.want || r != nil {
				t.Errorf("%s: %v\nwant %s", solver.name, err, test.want)
			}
		}
	}
	for _, s := range []solvers.Settings{{MaxIterations: -1}, {MaxTime: -1}, {CacheMB: -1}, {Workers: -1}} {
		for _, solver := range everySolver {
			if _, err := solver.with(nil, nil, s).Fit(context.Background(), good); err == nil {
				t.Errorf("%s with %+v: no error", solver.name, s)
			}
		}
	}
}
