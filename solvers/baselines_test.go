package solvers_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// baseline is a solver that is compared with: its support vectors are chosen by chance, by order,
// or need not be rows, so that not all facts of everySolver hold for it.
type baseline struct {
	name string
	// with is the solver; reference is nil unless needed.
	with func(kernel solvers.Kernel, reference *solvers.Model, budget int, s solvers.Settings) solvers.Solver
	// objective is Objective by its definition, from the model; nil if the model does not tell.
	objective func(r *solvers.Result, d *solvers.Dataset) float64
	reference bool // needs one
	newton    bool // Gap is that of a Newton step
	virtual   bool // support vectors are no rows
	limited   bool // 3 iterations are not enough on 200 rows
	gradient  bool // the kernel must have one
}

var baselines = []baseline{
	{"Refit", func(k solvers.Kernel, r *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.Refit{Reference: r, Kernel: without(k, r), Budget: budget, Settings: s}
	}, squaredHinge, true, true, false, false, false},
	{"Refit of", func(k solvers.Kernel, r *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.Refit{Of: solvers.ISSVM{Reference: r, Kernel: without(k, r), Aggressive: true, Settings: s}, Budget: budget, Settings: s}
	}, squaredHinge, true, true, false, false, false},
	{"Refit to responses", func(k solvers.Kernel, r *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		teacher := &solvers.Model{Kernel: solvers.Linear{}, SupportVectors: []solvers.Vector{{Index: []int32{0}, Value: []float64{1}}},
			Coefficients: []float64{0.5}, Bias: 0.25}
		return solvers.Refit{Reference: r, Kernel: without(k, r), Teacher: teacher, C: 2, Budget: budget, Settings: s}
	}, squaresToTeacher, true, false, false, false, false},
	{"RSVM", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.RSVM{Kernel: k, Budget: budget, Settings: s}
	}, squaredHinge, false, true, false, true, false},
	{"RSVM coefficient norm", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.RSVM{Kernel: k, Budget: budget, CoefficientNorm: true, Settings: s}
	}, coefficientHinge, false, false, false, true, false},
	{"RandomSubset", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.RandomSubset{Kernel: k, Budget: budget, Settings: s}
	}, dualObjective, false, false, false, true, false},
	{"RandomSubset refit", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.RandomSubset{Kernel: k, Budget: budget, Refit: true, Settings: s}
	}, squaredHinge, false, true, false, true, false},
	{"Prune", func(k solvers.Kernel, r *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.Prune{Reference: r, Kernel: without(k, r), Budget: budget, Settings: s}
	}, prunedWeight, true, false, false, false, false},
	{"Prune refit", func(k solvers.Kernel, r *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.Prune{Reference: r, Kernel: without(k, r), Budget: budget, Refit: true, Settings: s}
	}, squaredHinge, true, true, false, false, false},
	{"KMeans", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.KMeans{Kernel: k, Budget: budget, Settings: s}
	}, squaredHinge, false, true, true, true, false},
	{"SpSVM", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.SpSVM{Kernel: k, Budget: budget, Settings: s}
	}, squaredHinge, false, false, false, true, false},
	{"Perceptron", func(k solvers.Kernel, _ *solvers.Model, _ int, s solvers.Settings) solvers.Solver {
		return solvers.Perceptron{Kernel: k, Settings: s}
	}, weights, false, false, false, true, false},
	{"RBP", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.RBP{Kernel: k, Budget: budget, Passes: 2, Settings: s}
	}, nil, false, false, false, true, false},
	{"Forgetron", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.Forgetron{Kernel: k, Budget: budget, Passes: 2, Settings: s}
	}, nil, false, false, false, true, false},
	{"BSGD merging", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.BSGD{Kernel: k, Budget: budget, Settings: s}
	}, hinge, false, false, true, true, false},
	{"BSGD projection", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.BSGD{Kernel: k, Budget: budget, Maintenance: solvers.Projection, Settings: s}
	}, hinge, false, false, false, true, false},
	{"BSGD removal", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.BSGD{Kernel: k, Budget: budget, Maintenance: solvers.Removal, Passes: 2, Settings: s}
	}, hinge, false, false, false, true, false},
	{"Nystrom", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.Nystrom{Kernel: k, Budget: budget, Settings: s}
	}, nil, false, false, false, true, false},
	{"VirtualVectors", func(k solvers.Kernel, r *solvers.Model, _ int, s solvers.Settings) solvers.Solver {
		return solvers.VirtualVectors{Reference: r, Kernel: without(k, r), Passes: 20, Settings: s}
	}, movedLoss, true, false, true, true, true},
	{"VirtualVectors L-BFGS", func(k solvers.Kernel, r *solvers.Model, _ int, s solvers.Settings) solvers.Solver {
		return solvers.VirtualVectors{Reference: r, Kernel: without(k, r), Loss: solvers.SquaredHingeLoss, LBFGS: true, Passes: 30, Ridge: 1e-4, Settings: s}
	}, movedLoss, true, false, true, true, true},
	{"Condense", func(k solvers.Kernel, r *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.Condense{Reference: r, Kernel: without(k, r), Budget: budget, Settings: s}
	}, nil, true, false, true, true, true},
}

func TestBaselines(t *testing.T) {
	for _, b := range baselines {
		t.Run(b.name, func(t *testing.T) {
			checked := 0
			for seed := range uint64(12) {
				for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 0.7}, solvers.Linear{}, solvers.Poly{Gamma: 0.5, Coef0: 1, Degree: 2}} {
					d := svmtest.Random(10+5*int(seed), 3, seed)
					budget := 3 + int(seed)
					r := fit(t, b.with(kernel, nil, budget, solvers.Settings{Seed: seed}), d)
					if r.Status != solvers.Converged && r.Status != solvers.BudgetReached {
						t.Fatalf("seed %d, %v: %v", seed, kernel, r.Status)
					}
					if !strings.HasPrefix(b.name, "Refit") && b.name != "Perceptron" && !strings.HasPrefix(b.name, "VirtualVectors") && r.SupportSize() > budget {
						t.Fatalf("seed %d, %v: %d support vectors, budget %d", seed, kernel, r.SupportSize(), budget)
					}
					b.check(t, r, d)
					checked++
				}
			}
			if checked != 36 {
				t.Errorf("checked %d results", checked)
			}
		})
	}
}

func (b baseline) check(t *testing.T, r *solvers.Result, d *solvers.Dataset) {
	t.Helper()
	if b.objective != nil {
		if want := b.objective(r, d); math.Abs(want-r.Objective) > 1e-8*(1+math.Abs(want)) {
			t.Errorf("objective %g, from the model %g", r.Objective, want)
		}
	}
	if b.newton {
		if gap := newtonGap(r, d); math.Abs(gap-r.Gap) > 1e-8 || gap > 1e-7 {
			t.Errorf("gap %g, from the model %g", r.Gap, gap)
		}
	}
	checkDecisions(t, r.Model, d)
	if r.Indices == nil || b.virtual && r.SupportSize() == 0 {
		if !b.virtual || r.Indices != nil || r.SupportSize() != len(r.Coefficients) || r.Rows != d.Len() || slices.Contains(r.Coefficients, 0) {
			t.Fatalf("%d vectors, %d coefficients, indices %v", r.SupportSize(), len(r.Coefficients), r.Indices)
		}
	} else if r.SupportSize() > 0 {
		checkShape(t, r, d)
	}
	_ = r.String() + r.HTML()
}

// The number of workers and of cached rows changes nothing, and a second run changes nothing;
// another seed may.
func TestBaselinesDeterministic(t *testing.T) {
	d := svmtest.Random(2500, 3, 5) // more than a block
	reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 2}}, svmtest.Random(100, 3, 6)).Model
	for _, b := range baselines {
		t.Run(b.name, func(t *testing.T) {
			from := reference
			if !b.reference {
				from = nil
			}
			sameModel(t, d, func(s solvers.Settings) solvers.Solver {
				s.MaxIterations, s.Seed = 400, 3
				return b.with(solvers.RBF{Gamma: 2}, from, 20, s)
			})
		})
	}
}

// When ctx ends, a fit stops soon and returns a model that can be used.
func TestBaselinesCanceled(t *testing.T) {
	d := svmtest.Random(1000, 3, 2)
	base := solvers.RBF{Gamma: 2}
	reference := *fit(t, solvers.SMO{Kernel: base}, svmtest.Random(100, 3, 6)).Model
	for _, b := range baselines {
		if b.gradient {
			continue // its own test cancels it
		}
		for _, after := range []int64{1, 1200} {
			ctx, cancel := context.WithCancel(context.Background())
			var calls, late atomic.Int64
			kernel := solvers.KernelFunc(func(x, z solvers.Vector) float64 {
				if ctx.Err() != nil {
					late.Add(1)
				}
				if calls.Add(1) == after {
					cancel()
				}
				return base.Eval(x, z)
			})
			given := &reference
			given.Kernel = kernel
			if !b.reference {
				given = nil
			}
			if b.name == "Prune" { // which evaluates no kernel
				cancel()
			}
			r, err := b.with(kernel, given, 50, solvers.Settings{}).Fit(ctx, d)
			if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled {
				t.Fatalf("%s, canceled after %d evaluations: %v, %v", b.name, after, r, err)
			}
			if more := late.Load(); more > 2000 {
				t.Errorf("%s: %d kernel evaluations after the end of ctx", b.name, more)
			}
			for _, f := range r.Decisions(d) {
				if math.IsNaN(f) || math.IsInf(f, 0) {
					t.Fatalf("%s: decision value %g", b.name, f)
				}
			}
			_ = r.String() + r.HTML()
			cancel()
		}
	}
}

func TestBaselinesLimits(t *testing.T) {
	d := svmtest.Random(200, 3, 9)
	for _, b := range baselines {
		if b.limited {
			r := fit(t, b.with(solvers.RBF{Gamma: 5}, nil, 50, solvers.Settings{MaxIterations: 2}), d)
			if r.Status != solvers.IterationLimit || r.Iterations != 2 {
				t.Errorf("%s: %v after %d iterations", b.name, r.Status, r.Iterations)
			}
			if b.objective != nil {
				if want := b.objective(r, d); math.Abs(want-r.Objective) > 1e-8*(1+math.Abs(want)) {
					t.Errorf("%s: objective %g, from the model %g", b.name, r.Objective, want)
				}
			}
		}
		if r := fit(t, b.with(solvers.RBF{Gamma: 5}, nil, 50, solvers.Settings{MaxTime: 1}), d); r.Status != solvers.TimeLimit {
			t.Errorf("%s: %v, want TimeLimit", b.name, r.Status)
		}
	}
}

func TestBaselinesUnchanged(t *testing.T) {
	d := svmtest.Random(50, 3, 3)
	for _, b := range baselines {
		s := b.with(nil, nil, 0, solvers.Settings{})
		before := reflect.New(reflect.TypeOf(s)).Elem()
		before.Set(reflect.ValueOf(s))
		r := fit(t, s, d)
		if !reflect.DeepEqual(before.Interface(), s) {
			t.Errorf("%s: Fit changed the solver to %+v", b.name, s)
		}
		if r.Solver.Name() != s.Name() || r.Kernel != (solvers.RBF{Gamma: 1. / 3}) {
			t.Errorf("%s: result of %v with %v", b.name, r.Solver.Name(), r.Kernel)
		}
	}
}

func TestBaselinesErrors(t *testing.T) {
	good := svmtest.Random(20, 3, 3)
	one := good.Subset([]int{0, 1, 2})
	one.Y = []float64{1, 1, 1}
	broken := good.Subset([]int{0, 1, 2, 3})
	broken.X[2] = solvers.Vector{Index: []int32{1}, Value: []float64{math.NaN()}}
	for _, b := range baselines {
		for want, d := range map[string]*solvers.Dataset{
			"no rows: want at least one of each class":                        nil,
			"random: all rows are of the class +1: want rows of both classes": one,
			"random: row 2: feature 1 is NaN: want a finite number":           broken,
		} {
			r, err := b.with(nil, nil, 0, solvers.Settings{}).Fit(context.Background(), d)
			if _, ok := errors.AsType[*solvers.DataError](err); !ok || err.Error() != want || r != nil {
				t.Errorf("%s: %v\nwant %s", b.name, err, want)
			}
		}
		for _, s := range []solvers.Settings{{MaxIterations: -1}, {MaxTime: -1}, {CacheMB: -1}, {Workers: -1}} {
			_, err := b.with(nil, nil, 0, s).Fit(context.Background(), good)
			if _, ok := errors.AsType[*solvers.ParamError](err); !ok {
				t.Errorf("%s with %+v: %v", b.name, s, err)
			}
		}
		s := reflect.New(reflect.TypeOf(b.with(nil, nil, 0, solvers.Settings{}))).Elem()
		checked := 0
		for _, name := range []string{"C", "Epsilon", "Budget", "Passes", "Candidates"} {
			field := s.FieldByName(name)
			if !field.IsValid() {
				continue
			}
			checked++
			if field.Kind() == reflect.Int {
				field.SetInt(-2)
			} else {
				field.SetFloat(-2)
			}
			r, err := s.Interface().(solvers.Solver).Fit(context.Background(), good)
			wrong, ok := errors.AsType[*solvers.ParamError](err)
			if !ok || r != nil || wrong.Field != name || wrong.Value != -2 {
				t.Errorf("%s.%s = -2: %v", b.name, name, err)
			}
			field.SetZero()
		}
		if checked == 0 {
			t.Errorf("%s: no parameter checked", b.name)
		}
	}
}

// A path visits models from sparse to dense within the budget, and an error of visit ends it.
func TestBaselinesPath(t *testing.T) {
	d := svmtest.Random(150, 3, 4)
	checked := 0
	for _, b := range baselines {
		s, ok := b.with(solvers.RBF{Gamma: 0.5}, nil, 40, solvers.Settings{}).(solvers.PathSolver)
		if !ok {
			continue
		}
		var last *solvers.Model
		var parameters []float64
		r, err := s.FitPath(context.Background(), d, func(parameter float64, m *solvers.Model) error {
			if m.SupportSize() > int(parameter) && s.ParameterName() == "Budget" {
				t.Errorf("%s: %d support vectors at %g", b.name, m.SupportSize(), parameter)
			}
			parameters, last = append(parameters, parameter), m
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", b.name, err)
		}
		if !slices.IsSorted(parameters) || len(parameters) < 8 || !reflect.DeepEqual(last, r.Model) {
			t.Errorf("%s: parameters %v; the last model is not the result's", b.name, parameters)
		}
		// A refitted path ends where ISSVM's does.
		if s.ParameterName() == "Budget" && s.Name() != "Refit" && parameters[len(parameters)-1] != 40 {
			t.Errorf("%s: the path ends at %g, budget 40", b.name, parameters[len(parameters)-1])
		}
		enough := errors.New("enough")
		calls := 0
		if r, err := s.FitPath(context.Background(), d, func(float64, *solvers.Model) error { calls++; return enough }); err != enough || r != nil || calls != 1 {
			t.Errorf("%s: %v, %v after %d calls", b.name, r, err, calls)
		}
		checked++
	}
	if checked == 0 {
		t.Error("no path checked")
	}
}
