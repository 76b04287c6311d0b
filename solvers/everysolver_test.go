package solvers_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

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
					if !isVirtual(r.Solver) {
						checkShape(t, r, d)
					}
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
	terms := 0.0 // of which vectors that are nearly the same make a small sum of large ones
	for k, s := range m.SupportVectors {
		norm2 += m.Coefficients[k] * (m.Decision(s) - m.Bias)
		for j, z := range m.SupportVectors {
			terms += math.Abs(m.Coefficients[k] * m.Coefficients[j] * m.Kernel.Eval(s, z))
		}
	}
	if got := m.Norm(); math.Abs(got*got-norm2) > 1e-8*(1+norm2)+1e-13*terms {
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
			sameModel(t, d, func(s solvers.Settings) solvers.Solver {
				s.MaxIterations = 200
				return solver.with(solvers.RBF{Gamma: 2}, reference, s)
			})
		})
	}
}

// sameModel checks that a solver gives one model again, with any number of workers and with a small
// cache.
func sameModel(t *testing.T, d *solvers.Dataset, with func(solvers.Settings) solvers.Solver) {
	t.Helper()
	first := fit(t, with(solvers.Settings{Workers: 1}), d)
	if first.SupportSize() == 0 {
		t.Error("empty model")
	}
	for _, s := range []solvers.Settings{{Workers: 1}, {Workers: 8}, {CacheMB: 1}} {
		r := fit(t, with(s), d)
		if !reflect.DeepEqual(first.Model, r.Model) || first.Objective != r.Objective || first.Gap != r.Gap || first.Iterations != r.Iterations {
			t.Errorf("%+v gives another model", s)
		}
	}
}

// Permuting the rows permutes Indices. The reference is shrunk, so that its margins are below 1
// and distinct: of equal ones a solver may take the first.
func TestEverySolverPermuted(t *testing.T) {
	for _, solver := range everySolver {
		if solver.random || isVirtual(solver.with(nil, nil, solvers.Settings{})) {
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
		if isVirtual(solver.with(nil, nil, solvers.Settings{})) {
			continue // its kernel must have a gradient; its own tests cancel it
		}
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

// A reference that cannot be used, such as one of other data, is a *ReferenceError that says what to do,
// for every solver that takes one.
func TestEverySolverReferenceErrors(t *testing.T) {
	d := svmtest.Random(30, 3, 3)
	good := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 1}}, d).Model
	wide := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 1}}, svmtest.Random(30, 5, 3)).Model
	change := func(f func(m *solvers.Model)) *solvers.Model {
		m := *good
		m.SupportVectors, m.Coefficients = slices.Clone(m.SupportVectors), slices.Clone(m.Coefficients)
		f(&m)
		return &m
	}
	type sparse struct {
		name string
		with func(reference *solvers.Model) solvers.Solver
	}
	var all []sparse
	for _, solver := range everySolver {
		if solver.sparse {
			all = append(all, sparse{solver.name, func(r *solvers.Model) solvers.Solver { return solver.with(nil, r, solvers.Settings{}) }})
		}
	}
	for _, b := range baselines {
		if b.reference {
			all = append(all, sparse{b.name, func(r *solvers.Model) solvers.Solver { return b.with(nil, r, 5, solvers.Settings{}) }})
		}
	}
	checked := 0
	for _, test := range []struct {
		m    *solvers.Model
		want string
	}{
		{wide, "; want a model trained on the same features as this set"},
		{change(func(m *solvers.Model) { m.Kernel = nil }), "the model has no kernel"},
		{change(func(m *solvers.Model) { m.Coefficients = m.Coefficients[1:] }), " support vectors but "},
		{change(func(m *solvers.Model) { m.Coefficients[1] = math.NaN() }), "coefficient 1 is NaN: want a finite number"},
		{change(func(m *solvers.Model) { m.Bias = math.Inf(1) }), "the bias is +Inf: want a finite number"},
		{change(func(m *solvers.Model) {
			m.SupportVectors[0] = solvers.Vector{Index: []int32{0}, Value: []float64{math.Inf(1)}}
		}), "support vector 0: feature 0 is +Inf: want a finite number"},
	} {
		for _, s := range all {
			r, err := s.with(test.m).Fit(context.Background(), d)
			if _, ok := errors.AsType[*solvers.ReferenceError](err); !ok || !strings.Contains(err.Error(), test.want) || r != nil {
				t.Errorf("%s: %v\nwant %s", s.name, err, test.want)
			}
			checked++
		}
	}
	if len(all) < 10 || checked != 6*len(all) {
		t.Errorf("checked %d of %d solvers", checked, len(all))
	}
}
