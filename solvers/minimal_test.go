package solvers_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// minimalObjective is MinimalSVM's objective of a model from its decision values, in the plain form.
func minimalObjective(m *solvers.Model, s solvers.MinimalSVM, d *solvers.Dataset) float64 {
	norm := m.Norm()
	sum := norm * norm / 2
	for i, margin := range m.Margins(d) {
		c := s.C * s.WeightNegative
		if d.Y[i] > 0 {
			c = s.C * s.WeightPositive
		}
		// log(exp(0) + exp(sz))/s, with the greater exponent taken out.
		z := s.Sharpness * (1 - margin)
		top := max(z, 0)
		sum += c * math.Pow((top+math.Log(math.Exp(-top)+math.Exp(z-top)))/s.Sharpness, s.P)
	}
	return sum
}

// The exact objectives of the toy problem, best of 243 starts by another program.
func TestMinimalToy(t *testing.T) {
	d, _, err := datasets.Load("toy")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ c, objective, convex float64 }{
		{1, 10.631503, 12.422416}, {50, 398.387861, 576.748223}, {100, 793.970881, 1152.361533},
	} {
		r := fit(t, solvers.MinimalSVM{Kernel: solvers.Linear{}, C: test.c}, d)
		wrong := r.ErrorRate(d) * float64(d.Len())
		limits, support := r.Certificate[1], r.Certificate[2]
		if !near(r.Objective, test.objective, 1e-4) || math.Abs(wrong-5) > 1e-9 || support.Value != 5 || r.Status != solvers.Converged {
			t.Errorf("C = %g: %v, objective %.9g, want %.9g, %g errors, support %g", test.c, r, r.Objective, test.objective, wrong, support.Value)
		}
		if limits.Value < 2 || limits.Value > 12 || limits.Bound != 12 || r.SupportSize() > 2 {
			t.Errorf("C = %g: %g distinct limits of %g starts, %d vectors", test.c, limits.Value, limits.Bound, r.SupportSize())
		}
		// P = 1 is the C-SVC.
		r = fit(t, solvers.MinimalSVM{Kernel: solvers.Linear{}, C: test.c, P: 1, Sharpness: 2000}, d)
		if !near(r.Objective, test.convex, 1e-3) {
			t.Errorf("C = %g, P = 1: objective %.9g, the C-SVC has %.9g", test.c, r.Objective, test.convex)
		}
	}
}

// Learning rate 0.01/C, momentum ½ and start 0 settle in few steps, as the paper says. The
// steps to the solution for P = 1 are counted too.
func TestMinimalPaperStart(t *testing.T) {
	d, _, err := datasets.Load("toy")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []float64{1, 50, 100} {
		r := fit(t, solvers.MinimalSVM{Kernel: solvers.Linear{}, C: c, Starts: 1, Epsilon: 0.05}, d)
		if r.Iterations > 100 || r.ErrorRate(d) > 0.08 {
			t.Errorf("C = %g: %v, error rate %g", c, r, r.ErrorRate(d))
		}
	}
}

// Objective is the model's, and no small change of bias or of a coefficient lowers it by more than
// the gradient allows; with P = 1 it is SMO's, for every kernel.
func TestMinimalObjective(t *testing.T) {
	checked := 0
	for seed := range uint64(9) {
		d := svmtest.Random(20+8*int(seed), 3, seed)
		kernel := kernels[seed%3]
		dense := fit(t, solvers.SMO{Kernel: kernel, Epsilon: 1e-6}, d)
		convex := fit(t, solvers.MinimalSVM{Kernel: kernel, P: 1, Sharpness: 3000}, d)
		if !near(convex.Objective, -dense.Objective, 1e-3) {
			t.Errorf("seed %d, %v, P = 1: objective %.9g, SMO has %.9g", seed, kernel, convex.Objective, -dense.Objective)
		}
		r := fit(t, solvers.MinimalSVM{Kernel: kernel, WeightPositive: 2}, d)
		s := r.Solver.(solvers.MinimalSVM)
		for _, r := range []*solvers.Result{convex, r} {
			own := r.Solver.(solvers.MinimalSVM)
			if want := minimalObjective(r.Model, own, d); !near(r.Objective, want, 1e-8) {
				t.Errorf("seed %d, %v: objective %.10g, from the model %.10g", seed, kernel, r.Objective, want)
			}
			checkDecisions(t, r.Model, d)
			checkShape(t, r, d)
		}
		const step = 1e-6
		up, down := *r.Model, *r.Model
		up.Bias += step
		down.Bias -= step
		slope := (minimalObjective(&up, s, d) - minimalObjective(&down, s, d)) / (2 * step)
		if pull := 1 + 100*float64(d.Len()); math.Abs(slope) > r.Gap*pull {
			t.Errorf("seed %d, %v: slope %g in the bias, gap %g", seed, kernel, slope, r.Gap)
		}
		checked++
	}
	if checked != 9 {
		t.Errorf("checked %d", checked)
	}
}

// A point where every start ends at a small gradient is stationary: the gradient by differences, along
// every support vector and the bias, is as small as Gap says.
func TestMinimalStationary(t *testing.T) {
	d := svmtest.Random(40, 2, 3)
	r := fit(t, solvers.MinimalSVM{Kernel: solvers.Linear{}, Epsilon: 1e-6}, d)
	s := r.Solver.(solvers.MinimalSVM)
	if r.Gap > 1e-6 || r.SupportSize() != 2 {
		t.Fatalf("%v with gap %g", r, r.Gap)
	}
	for k := range r.Coefficients {
		const step = 1e-6
		value := func(delta float64) float64 {
			m := *r.Model
			m.Coefficients = append([]float64(nil), m.Coefficients...)
			m.Coefficients[k] += delta
			return minimalObjective(&m, s, d)
		}
		if slope := (value(step) - value(-step)) / (2 * step); math.Abs(slope) > 1e-3 {
			t.Errorf("slope %g along support vector %d", slope, k)
		}
	}
}

// Extreme parameters overflow nowhere.
func TestMinimalExtremes(t *testing.T) {
	d := svmtest.Random(40, 3, 1)
	scaled := d.Subset([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
	for i, x := range scaled.X {
		scaled.X[i] = solvers.Vector{Index: x.Index, Value: append([]float64(nil), x.Value...)}
		for k := range x.Value {
			scaled.X[i].Value[k] *= 1e4
		}
	}
	checked := 0
	for _, data := range []*solvers.Dataset{d, scaled} {
		for _, s := range []solvers.MinimalSVM{{Sharpness: 1e7}, {Sharpness: 1e-3}, {C: 1e6}, {C: 1e-6}, {P: 0.01}, {P: 1}, {LearningRate: 1e6}} {
			s.Kernel, s.Settings.MaxIterations = solvers.Linear{}, 3000
			r := fit(t, s, data)
			if r.Objective-r.Objective != 0 || r.Gap-r.Gap != 0 || r.Bias-r.Bias != 0 || r.Norm()-r.Norm() != 0 {
				t.Errorf("%+v: objective %g, gap %g, bias %g", s, r.Objective, r.Gap, r.Bias)
			}
			checked++
		}
	}
	if checked != 14 {
		t.Errorf("checked %d", checked)
	}
}

func TestMinimalSixPoints(t *testing.T) {
	d := svmtest.SixPoints()
	r := fit(t, solvers.MinimalSVM{Kernel: solvers.Linear{}, P: 1, Sharpness: 1e4, Epsilon: 1e-5}, d)
	if r.ErrorRate(d) != 0 || !near(r.Norm(), math.Sqrt(0.5), 1e-2) || math.Abs(r.Bias) > 1e-2 {
		t.Errorf("%v, ‖w‖ %g", r, r.Norm())
	}
}

// The basis bounds the support; workers change nothing; Fit leaves the solver as it is.
func TestMinimalDeterministic(t *testing.T) {
	d := svmtest.Random(2500, 3, 5)
	var first *solvers.Result
	for _, workers := range []int{1, 8} {
		s := solvers.MinimalSVM{Kernel: solvers.RBF{Gamma: 2}, Basis: 30, Settings: solvers.Settings{MaxIterations: 300, Workers: workers}}
		before := s.Settings
		r := fit(t, s, d)
		if first == nil {
			first = r
		}
		if !reflect.DeepEqual(first.Model, r.Model) || first.Objective != r.Objective || !reflect.DeepEqual(before, s.Settings) {
			t.Errorf("%d workers give another model", workers)
		}
	}
	if first.SupportSize() > 30 || first.SupportSize() < 20 || first.Status != solvers.IterationLimit || first.Iterations != 300 {
		t.Error(first)
	}
}

// A path has prices up to C, a model for each no worse than Fit's alone, and ends with Fit's objective or a
// better one; the objectives grow with C.
func TestMinimalPath(t *testing.T) {
	d, _, err := datasets.Load("toy")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []solvers.MinimalSVM{{C: 50, Points: 5}, {C: 50, Points: 4, P: 1}, {C: 2, Points: 1}} {
		s.Kernel = solvers.Linear{}
		var prices []float64
		last := 0.0
		r, err := s.FitPath(context.Background(), d, func(price float64, m *solvers.Model) error {
			prices = append(prices, price)
			alone := s
			alone.C = price
			own := fit(t, alone, d)
			objective := minimalObjective(m, own.Solver.(solvers.MinimalSVM), d)
			if objective > own.Objective*(1+2e-3) || objective < last {
				t.Errorf("C = %g: objective %.9g, alone %.9g, of the price before %.9g", price, objective, own.Objective, last)
			}
			last = objective
			return nil
		})
		if err != nil || len(prices) != s.Points || !near(prices[len(prices)-1], s.C, 1e-12) || s.Points > 1 && !near(prices[0], s.C/1000, 1e-12) {
			t.Fatalf("%v: prices %v", err, prices)
		}
		if !near(r.Objective, last, 1e-9) || r.Solver.(solvers.MinimalSVM).C != s.C {
			t.Errorf("objective %g, of the last model %g", r.Objective, last)
		}
	}
	enough := errors.New("enough")
	if r, err := (solvers.MinimalSVM{Kernel: solvers.Linear{}}).FitPath(context.Background(), d, func(float64, *solvers.Model) error { return enough }); err != enough || r != nil {
		t.Errorf("%v, %v", r, err)
	}
}

// One more run begins at Start: with a single other start, at 0, it is a limit near the start.
func TestMinimalStart(t *testing.T) {
	d := svmtest.Random(60, 3, 11)
	best := fit(t, solvers.MinimalSVM{Kernel: solvers.RBF{Gamma: 0.5}}, d)
	s := solvers.MinimalSVM{Kernel: solvers.RBF{Gamma: 0.5}, Starts: 1, Start: best.Model}
	r := fit(t, s, d)
	if r.Objective > best.Objective*(1+1e-6) || r.Certificate[1].Bound != 2 {
		t.Errorf("objective %.9g from the start's %.9g, %g starts", r.Objective, best.Objective, r.Certificate[1].Bound)
	}
	s.Start = &solvers.Model{Kernel: solvers.Linear{}, SupportVectors: []solvers.Vector{{Index: []int32{9}, Value: []float64{1}}}, Coefficients: []float64{1}}
	_, err := s.Fit(context.Background(), d)
	if wrong, ok := errors.AsType[*solvers.StartError](err); !ok {
		t.Error(wrong, err)
	}
}

func TestMinimalEnds(t *testing.T) {
	d := svmtest.Random(1000, 3, 2)
	for _, after := range []int64{1, 20000} {
		ctx, cancel := context.WithCancel(context.Background())
		var calls atomic.Int64
		kernel := solvers.KernelFunc(func(x, z solvers.Vector) float64 {
			if calls.Add(1) == after {
				cancel()
			}
			return solvers.RBF{Gamma: 2}.Eval(x, z)
		})
		r, err := solvers.MinimalSVM{Kernel: kernel}.Fit(ctx, d)
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled || calls.Load() > after+2000 {
			t.Errorf("canceled after %d evaluations: %v, %v, %d evaluations", after, r, err, calls.Load())
		}
		_ = r.String() + r.HTML()
	}
	if r := fit(t, solvers.MinimalSVM{Settings: solvers.Settings{MaxTime: 1}}, d); r.Status != solvers.TimeLimit {
		t.Error(r)
	}
}

func TestMinimalErrors(t *testing.T) {
	d := svmtest.SixPoints()
	for _, test := range []struct {
		s    solvers.MinimalSVM
		d    *solvers.Dataset
		want string
	}{
		{solvers.MinimalSVM{P: 1.5}, d, "MinimalSVM.P = 1.5: want in (0, 1] (0: default 0.5)"},
		{solvers.MinimalSVM{P: -0.5}, d, "MinimalSVM.P = -0.5: want > 0 (0: default 0.5)"},
		{solvers.MinimalSVM{C: 2, LearningRate: -1}, d, "MinimalSVM.LearningRate = -1: want > 0 (0: default 0.005)"},
		{solvers.MinimalSVM{Momentum: 1}, d, "MinimalSVM.Momentum = 1: want in (0, 1) (0: default 0.5)"},
		{solvers.MinimalSVM{Starts: -1}, d, "MinimalSVM.Starts = -1: want ≥ 1 (0: default 12)"},
		{solvers.MinimalSVM{Basis: -1}, d, "MinimalSVM.Basis = -1: want ≥ 1 (0: default 500)"},
		{solvers.MinimalSVM{Sharpness: math.NaN()}, d, "MinimalSVM.Sharpness = NaN: want > 0 (0: default 100)"},
		{solvers.MinimalSVM{Settings: solvers.Settings{MaxTime: -1e9}}, d, "MinimalSVM.Settings.MaxTime = -1: want ≥ 0 (0: the default)"},
		{solvers.MinimalSVM{}, nil, "no rows: want at least one of each class"},
		{solvers.MinimalSVM{}, d.Subset([]int{3, 4}), "six points: all rows are of the class +1: want rows of both classes"},
	} {
		if r, err := test.s.Fit(context.Background(), test.d); err == nil || err.Error() != test.want || r != nil {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}

func BenchmarkMinimalSVM(b *testing.B) {
	d := svmtest.Random(1000, 10, 1)
	var evaluations int64
	for b.Loop() {
		r, err := solvers.MinimalSVM{Kernel: solvers.Linear{}}.Fit(context.Background(), d)
		if err != nil {
			b.Fatal(err)
		}
		evaluations += r.KernelEvaluations
	}
	b.ReportMetric(float64(evaluations)/float64(b.N), "kernel-evals/op")
}
