package solvers_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// regressionOf is the dual objective of the ε-SVR on the reference's decision values, and how much
// its KKT conditions are violated, in the primal: rows inside of the tube have no coefficient,
// those on its edge any of the right sign, and those outside have ±C.
func regressionOf(r *solvers.Result, d *solvers.Dataset) (objective, pairs, kkt float64) {
	s := r.Solver.(solvers.OsunaGirosi)
	beta, sum := betaOf(r.Model, d.Len()), 0.0
	most, least := math.Inf(-1), math.Inf(1)
	for i, x := range d.X {
		f, g := r.Reference.Decision(x), r.Decision(x)-r.Bias
		objective += beta[i]*(g/2-f) + s.Tube*math.Abs(beta[i])
		sum += beta[i]
		up, down := f-g-s.Tube, f-g-s.Tube
		if beta[i] < 0 {
			up = f - g + s.Tube
		}
		if beta[i] <= 0 {
			down = f - g + s.Tube
		}
		if beta[i] < s.C {
			most = max(most, up)
		}
		if beta[i] > -s.C {
			least = min(least, down)
		}
		switch off := f - g - r.Bias; { // f - f̃
		case beta[i] == 0:
			kkt = max(kkt, math.Abs(off)-s.Tube)
		case beta[i] == s.C:
			kkt = max(kkt, s.Tube-off)
		case beta[i] == -s.C:
			kkt = max(kkt, s.Tube+off)
		default:
			kkt = max(kkt, math.Abs(off-math.Copysign(s.Tube, beta[i])))
		}
		kkt = max(kkt, math.Abs(beta[i])-s.C)
	}
	return objective, max(most-least, 0), max(kkt, math.Abs(sum))
}

func TestOsunaGirosi(t *testing.T) {
	checked, bounded := 0, 0
	for seed := range uint64(8) {
		for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 0.7}, solvers.Linear{}, solvers.Poly{Gamma: 0.5, Coef0: 1, Degree: 2}, solvers.KernelFunc(solvers.RBF{Gamma: 1}.Eval)} {
			d := svmtest.Random(20+10*int(seed), 3, seed)
			dense := fit(t, solvers.SMO{Kernel: kernel, C: 5}, d).Model
			for _, tube := range []float64{0.02, 0.3} {
				for _, c := range []float64{0.05, 5} {
					r := fit(t, solvers.OsunaGirosi{Reference: dense, C: c, Tube: tube, Epsilon: 1e-6}, d)
					objective, pairs, kkt := regressionOf(r, d)
					if math.Abs(objective-r.Objective) > 1e-8*(1+math.Abs(objective)) || math.Abs(pairs-r.Gap) > 1e-8 {
						t.Errorf("seed %d, %v: objective %g and gap %g, from the model %g and %g", seed, kernel, r.Objective, r.Gap, objective, pairs)
					}
					if kkt > 2e-6 || pairs > 1e-6+1e-9 || r.Status != solvers.Converged {
						t.Errorf("seed %d, %v, tube %g, C %g: KKT conditions violated by %g, pairs by %g, %v", seed, kernel, tube, c, kkt, pairs, r.Status)
					}
					// Weak duality holds with equality.
					primal := r.Norm() * r.Norm() / 2
					for _, x := range d.X {
						primal += c * max(0, math.Abs(dense.Decision(x)-r.Decision(x))-tube)
					}
					if math.Abs(primal+objective) > 1e-4*(1+primal) {
						t.Errorf("seed %d, %v: primal %g, dual %g", seed, kernel, primal, -objective)
					}
					for _, beta := range r.Coefficients {
						if math.Abs(beta) == c {
							bounded++
						}
					}
					checkDecisions(t, r.Model, d)
					if r.SupportSize() > 0 {
						checkShape(t, r, d)
					}
					checked++
				}
			}
		}
	}
	if checked != 128 || bounded == 0 {
		t.Errorf("checked %d results, %d coefficients at their bound", checked, bounded)
	}
}

// A path goes from few support vectors to many, meets the conditions of each tube, and ends where
// Fit does.
func TestOsunaGirosiPath(t *testing.T) {
	d := svmtest.Random(200, 3, 4)
	dense := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 1}, C: 10}, d).Model
	s := solvers.OsunaGirosi{Reference: dense, C: 10, Tube: 0.05, Points: 12, Epsilon: 1e-7}
	var sizes []int
	var tubes []float64
	r, err := s.FitPath(context.Background(), d, func(tube float64, m *solvers.Model) error {
		at := s
		at.Tube = tube
		if _, pairs, kkt := regressionOf(&solvers.Result{Model: m, Reference: dense, Solver: at}, d); pairs > 1e-6 || kkt > 2e-6 {
			t.Errorf("tube %g: KKT conditions violated by %g, pairs by %g", tube, kkt, pairs)
		}
		sizes, tubes = append(sizes, m.SupportSize()), append(tubes, tube)
		return nil
	})
	if err != nil || len(tubes) != 12 || tubes[11] != 0.05 || sizes[0] >= sizes[11] || !slices.IsSortedFunc(tubes, func(a, b float64) int { return int(math.Copysign(1, b-a)) }) {
		t.Fatalf("%v: tubes %v, support sizes %v", err, tubes, sizes)
	}
	alone := fit(t, s, d)
	if math.Abs(alone.Objective-r.Objective) > 1e-6*math.Abs(alone.Objective) {
		t.Errorf("objective %g at the end of the path, %g alone", r.Objective, alone.Objective)
	}
	enough, calls := errors.New("enough"), 0
	if r, err := s.FitPath(context.Background(), d, func(float64, *solvers.Model) error { calls++; return enough }); err != enough || r != nil || calls != 1 {
		t.Errorf("%v, %v after %d calls", r, err, calls)
	}
}

func TestOsunaGirosiDeterministic(t *testing.T) {
	d := svmtest.Random(2500, 3, 5)
	reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 2}}, svmtest.Random(300, 3, 6)).Model
	var first *solvers.Result
	for _, settings := range []solvers.Settings{{Workers: 1}, {Workers: 1}, {Workers: 8}, {CacheMB: 1}} {
		s := solvers.OsunaGirosi{Reference: reference, Settings: settings}
		r := fit(t, s, d)
		if first == nil {
			first = r
		}
		if !reflect.DeepEqual(first.Model, r.Model) || first.Objective != r.Objective || first.Gap != r.Gap || first.Iterations != r.Iterations || r.SupportSize() == 0 {
			t.Errorf("%+v gives another model", settings)
		}
		if s.Reference != reference || s.Tube != 0 {
			t.Error("Fit changed the solver")
		}
	}
}

func TestOsunaGirosiLimits(t *testing.T) {
	d := svmtest.Random(1000, 3, 9)
	base := solvers.RBF{Gamma: 2}
	reference := *fit(t, solvers.SMO{Kernel: base}, svmtest.Random(100, 3, 6)).Model
	r := fit(t, solvers.OsunaGirosi{Reference: &reference, Settings: solvers.Settings{MaxIterations: 7}}, d)
	objective, pairs, _ := regressionOf(r, d)
	if r.Status != solvers.IterationLimit || r.Iterations != 7 || math.Abs(objective-r.Objective) > 1e-8 || math.Abs(pairs-r.Gap) > 1e-8 {
		t.Errorf("%v, objective %g, gap %g; from the model %g, %g", r, r.Objective, r.Gap, objective, pairs)
	}
	if r := fit(t, solvers.OsunaGirosi{Kernel: base, Settings: solvers.Settings{MaxTime: 1}}, d); r.Status != solvers.TimeLimit {
		t.Errorf("%v, want TimeLimit", r.Status)
	}
	for _, after := range []int64{1, 50_000, 1_200_000} {
		ctx, cancel := context.WithCancel(context.Background())
		var calls, late atomic.Int64
		reference.Kernel = solvers.KernelFunc(func(x, z solvers.Vector) float64 {
			if ctx.Err() != nil {
				late.Add(1)
			}
			if calls.Add(1) == after {
				cancel()
			}
			return base.Eval(x, z)
		})
		r, err := solvers.OsunaGirosi{Reference: &reference}.Fit(ctx, d)
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled || late.Load() > 3000 {
			t.Fatalf("canceled after %d evaluations: %v, %v, %d more", after, r, err, late.Load())
		}
		for _, f := range r.Decisions(d) {
			if f-f != 0 {
				t.Fatalf("decision value %g", f)
			}
		}
		_ = r.String() + r.HTML()
		cancel()
	}
}

func TestOsunaGirosiErrors(t *testing.T) {
	d := svmtest.SixPoints()
	for _, test := range []struct {
		s    solvers.OsunaGirosi
		want string
	}{
		{solvers.OsunaGirosi{C: -1}, "OsunaGirosi.C = -1: want > 0 (0: default 1)"},
		{solvers.OsunaGirosi{Tube: -1}, "OsunaGirosi.Tube = -1: want > 0 (0: default 0.1)"},
		{solvers.OsunaGirosi{Epsilon: math.NaN()}, "OsunaGirosi.Epsilon = NaN: want > 0 (0: default 0.001)"},
		{solvers.OsunaGirosi{Points: -1}, "OsunaGirosi.Points = -1: want ≥ 1 (0: default 20)"},
		{solvers.OsunaGirosi{Settings: solvers.Settings{Workers: -1}}, "OsunaGirosi.Settings.Workers = -1: want ≥ 0 (0: the default)"},
	} {
		r, err := test.s.Fit(context.Background(), d)
		if _, ok := errors.AsType[*solvers.ParamError](err); !ok || err.Error() != test.want || r != nil {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
	r, err := solvers.OsunaGirosi{}.Fit(context.Background(), nil)
	if _, ok := errors.AsType[*solvers.DataError](err); !ok || r != nil {
		t.Errorf("no rows: %v", err)
	}
}
