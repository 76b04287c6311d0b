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

	"gonum.org/v1/gonum/mat"

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
}

var baselines = []baseline{
	{"Refit", func(k solvers.Kernel, r *solvers.Model, _ int, s solvers.Settings) solvers.Solver {
		return solvers.Refit{Reference: r, Kernel: without(k, r), Settings: s}
	}, squaredHinge, true, true, false, false},
	{"Refit to responses", func(k solvers.Kernel, r *solvers.Model, _ int, s solvers.Settings) solvers.Solver {
		teacher := &solvers.Model{Kernel: solvers.Linear{}, SupportVectors: []solvers.Vector{{Index: []int32{0}, Value: []float64{1}}},
			Coefficients: []float64{0.5}, Bias: 0.25}
		return solvers.Refit{Reference: r, Kernel: without(k, r), Teacher: teacher, C: 2, Settings: s}
	}, squaresToTeacher, true, false, false, false},
	{"RSVM", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.RSVM{Kernel: k, Budget: budget, Settings: s}
	}, squaredHinge, false, true, false, true},
	{"RSVM coefficient norm", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.RSVM{Kernel: k, Budget: budget, CoefficientNorm: true, Settings: s}
	}, coefficientHinge, false, false, false, true},
	{"RandomSubset", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.RandomSubset{Kernel: k, Budget: budget, Settings: s}
	}, dualObjective, false, false, false, true},
	{"RandomSubset refit", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.RandomSubset{Kernel: k, Budget: budget, Refit: true, Settings: s}
	}, squaredHinge, false, true, false, true},
	{"Prune", func(k solvers.Kernel, r *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.Prune{Reference: r, Kernel: without(k, r), Budget: budget, Settings: s}
	}, prunedWeight, true, false, false, false},
	{"Prune refit", func(k solvers.Kernel, r *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.Prune{Reference: r, Kernel: without(k, r), Budget: budget, Refit: true, Settings: s}
	}, squaredHinge, true, true, false, false},
	{"KMeans", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.KMeans{Kernel: k, Budget: budget, Settings: s}
	}, squaredHinge, false, true, true, true},
	{"SpSVM", func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.SpSVM{Kernel: k, Budget: budget, Settings: s}
	}, squaredHinge, false, false, false, true},
}

// without is the kernel for solvers that take it only without a reference.
func without(k solvers.Kernel, reference *solvers.Model) solvers.Kernel {
	if reference != nil {
		return nil
	}
	return k
}

// penalty is the price C of the solver as it ran.
func penalty(r *solvers.Result) float64 {
	return reflect.ValueOf(r.Solver).FieldByName("C").Float()
}

// squaredHinge is ½‖w‖² + C Σ max(0, 1 - yf)².
func squaredHinge(r *solvers.Result, d *solvers.Dataset) float64 {
	sum := 0.0
	for i, f := range r.Decisions(d) {
		sum += math.Pow(max(0, 1-d.Y[i]*f), 2)
	}
	return r.Model.Norm()*r.Model.Norm()/2 + penalty(r)*sum
}

func coefficientHinge(r *solvers.Result, d *solvers.Dataset) float64 {
	norm := r.Model.Norm()
	sum := r.Bias * r.Bias / 2
	for _, beta := range r.Coefficients {
		sum += beta * beta / 2
	}
	return squaredHinge(r, d) - norm*norm/2 + sum
}

func squaresToTeacher(r *solvers.Result, d *solvers.Dataset) float64 {
	teacher := r.Solver.(solvers.Refit).Teacher.Decisions(d)
	sum := 0.0
	for i, f := range r.Decisions(d) {
		sum += (f - teacher[i]) * (f - teacher[i])
	}
	return r.Model.Norm()*r.Model.Norm()/2 + penalty(r)*sum
}

// dualObjective is SMO's, ½βᵀKβ - Σ|β|.
func dualObjective(r *solvers.Result, d *solvers.Dataset) float64 {
	sum := r.Model.Norm() * r.Model.Norm() / 2
	for _, beta := range r.Coefficients {
		sum -= math.Abs(beta)
	}
	return sum
}

func prunedWeight(r *solvers.Result, d *solvers.Dataset) float64 {
	sum := 0.0
	for _, beta := range r.Reference.Coefficients {
		sum += math.Abs(beta)
	}
	for _, beta := range r.Coefficients {
		sum -= math.Abs(beta)
	}
	return sum
}

// newtonGap is what a Newton step lowers the quadratic model of the squared hinge problem on the
// model's own support vectors by, as a share of the objective.
func newtonGap(r *solvers.Result, d *solvers.Dataset) float64 {
	c, m := penalty(r), r.SupportSize()
	column := func(v, i int) float64 {
		if v == m {
			return 1
		}
		return r.Kernel.Eval(r.SupportVectors[v], d.X[i])
	}
	hessian, gradient := mat.NewSymDense(m+1, nil), mat.NewVecDense(m+1, nil)
	for v := range m {
		for u := v; u < m; u++ {
			hessian.SetSym(v, u, r.Kernel.Eval(r.SupportVectors[v], r.SupportVectors[u]))
		}
		gradient.SetVec(v, r.Decision(r.SupportVectors[v])-r.Bias)
	}
	for i, f := range r.Decisions(d) {
		if d.Y[i]*f >= 1 {
			continue
		}
		for v := range m + 1 {
			gradient.SetVec(v, gradient.AtVec(v)-2*c*column(v, i)*(d.Y[i]-f))
			for u := v; u <= m; u++ {
				hessian.SetSym(v, u, hessian.At(v, u)+2*c*column(v, i)*column(u, i))
			}
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(hessian, true) {
		return math.NaN()
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil)
	sum := 0.0
	for k, value := range values {
		along := mat.Dot(gradient, vectors.ColView(k))
		if value > 1e-10*values[m] {
			sum += along * along / value
		}
	}
	return sum / 2 / squaredHinge(r, d)
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
					if !strings.HasPrefix(b.name, "Refit") && r.SupportSize() > budget {
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
	if b.virtual {
		if r.Indices != nil || r.SupportSize() != len(r.Coefficients) || r.Rows != d.Len() || slices.Contains(r.Coefficients, 0) {
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
			if !b.reference {
				reference = nil
			}
			var first *solvers.Result
			for _, s := range []solvers.Settings{{Workers: 1}, {Workers: 1}, {Workers: 8}, {CacheMB: 1}} {
				s.MaxIterations, s.Seed = 400, 3
				r := fit(t, b.with(solvers.RBF{Gamma: 2}, reference, 20, s), d)
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

// When ctx ends, a fit stops soon and returns a model that can be used.
func TestBaselinesCanceled(t *testing.T) {
	d := svmtest.Random(1000, 3, 2)
	base := solvers.RBF{Gamma: 2}
	reference := *fit(t, solvers.SMO{Kernel: base}, svmtest.Random(100, 3, 6)).Model
	for _, b := range baselines {
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
		if !slices.IsSorted(parameters) || len(parameters) < 10 || !reflect.DeepEqual(last, r.Model) {
			t.Errorf("%s: parameters %v; the last model is not the result's", b.name, parameters)
		}
		if s.ParameterName() == "Budget" && parameters[len(parameters)-1] != 40 {
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
