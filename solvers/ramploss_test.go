package solvers_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"sync/atomic"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// rampLoss is ½‖w‖² + C Σ min(Clip, max(0, 1 - yf)).
func rampLoss(r *solvers.Result, d *solvers.Dataset) float64 {
	sum, clip := 0.0, r.Solver.(solvers.RampLoss).Clip
	for i, f := range r.Decisions(d) {
		sum += min(clip, max(0, 1-d.Y[i]*f))
	}
	return r.Model.Norm()*r.Model.Norm()/2 + penalty(r)*sum
}

// cut is the greatest violation of the optimality conditions of the convex problem that the model
// itself leads to: rows with a margin below 1-Clip have C taken off their weight. With a margin of
// 1-Clip, as far as rounding tells, a row may be given up or not.
func cut(r *solvers.Result, d *solvers.Dataset) (violation, infeasible float64, givenUp int) {
	s, beta := r.Solver.(solvers.RampLoss), betaOf(r.Model, d.Len())
	above, below, sum := math.Inf(-1), math.Inf(1), 0.0
	for i, f := range r.Decisions(d) {
		low, high := min(d.Y[i], 0)*s.C, max(d.Y[i], 0)*s.C
		tie := math.Abs(d.Y[i]*f-(1-s.Clip)) < 1e-5
		if tie && beta[i] == 0 {
			continue
		}
		if tie && d.Y[i]*beta[i] < 0 || !tie && d.Y[i]*f < 1-s.Clip {
			low, high = low-d.Y[i]*s.C, high-d.Y[i]*s.C
			givenUp++
		}
		slope := d.Y[i] - (f - r.Bias)
		if beta[i] < high {
			above = max(above, slope)
		}
		if beta[i] > low {
			below = min(below, slope)
		}
		infeasible = max(infeasible, low-beta[i], beta[i]-high)
		sum += beta[i]
	}
	return above - below, max(infeasible, math.Abs(sum)), givenUp
}

// The procedure never rises, ends where the model is optimal for its own convex problem, and is
// never above the C-SVC that it starts from.
func TestRampLoss(t *testing.T) {
	checked, givenUp, sparser, level := 0, 0, 0, 0
	for seed := range uint64(10) {
		for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 0.5}, solvers.Linear{}, solvers.KernelFunc(solvers.RBF{Gamma: 1}.Eval)} {
			for _, clip := range []float64{0.5, 1, 2} {
				d := svmtest.Random(60+10*int(seed), 3, 30+seed)
				r := fit(t, solvers.RampLoss{Kernel: kernel, C: 3, Clip: clip, Epsilon: 1e-6}, d)
				for k := 1; k < len(r.Trace); k++ {
					if r.Trace[k].Objective > r.Trace[k-1].Objective {
						t.Errorf("seed %d, %v: objective %g after %g", seed, kernel, r.Trace[k].Objective, r.Trace[k-1].Objective)
					}
				}
				objective := rampLoss(r, d)
				if math.Abs(objective-r.Objective) > 1e-8*objective || r.Status != solvers.Converged {
					t.Errorf("seed %d, %v: objective %g, from the model %g, %v", seed, kernel, r.Objective, objective, r.Status)
				}
				violation, infeasible, rows := cut(r, d)
				if violation > 1e-6+1e-9 {
					// Along a direction in which the objective is level, as that of the bias may be, rows
					// change sides and nothing is gained.
					level++
				} else if infeasible > 1e-9 || math.Abs(violation-r.Gap) > 1e-8 {
					t.Errorf("seed %d, %v, clip %g: violation %g, gap %g, infeasible by %g", seed, kernel, clip, violation, r.Gap, infeasible)
				}
				dense := fit(t, solvers.SMO{Kernel: kernel, C: 3, Epsilon: 1e-6}, d)
				start := *r
				start.Model = dense.Model
				if was := rampLoss(&start, d); objective > was*(1+1e-5) {
					t.Errorf("seed %d, %v: objective %g, of the C-SVC %g", seed, kernel, objective, was)
				}
				if r.SupportSize() < dense.SupportSize() {
					sparser++
				}
				givenUp += rows
				checked++
			}
		}
	}
	if checked != 90 || givenUp < 100 || sparser < 50 || level > 2 {
		t.Errorf("checked %d results, %d rows given up, %d sparser than the C-SVC, %d level", checked, givenUp, sparser, level)
	}
}

// A loss that is never cut off is the hinge.
func TestRampLossOfHinge(t *testing.T) {
	d := svmtest.Random(100, 3, 3)
	r := fit(t, solvers.RampLoss{Kernel: solvers.RBF{Gamma: 0.5}, Clip: 1e6, Epsilon: 1e-6}, d)
	dense := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, Epsilon: 1e-6}, d)
	if math.Abs(r.Objective+dense.Objective) > 1e-5*r.Objective || r.Iterations != 1 {
		t.Errorf("objective %g after %d iterations, of the C-SVC %g", r.Objective, r.Iterations, -dense.Objective)
	}
}

// The number of workers changes nothing, nor does the run change the solver.
func TestRampLossDeterministic(t *testing.T) {
	d := svmtest.Random(2500, 3, 5)
	var first *solvers.Result
	for _, settings := range []solvers.Settings{{Workers: 1}, {Workers: 1}, {Workers: 8}, {CacheMB: 1}} {
		s := solvers.RampLoss{Kernel: solvers.RBF{Gamma: 2}, Settings: settings}
		r := fit(t, s, d)
		if first == nil {
			first = r
		}
		if !reflect.DeepEqual(first.Model, r.Model) || first.Objective != r.Objective || first.Iterations != r.Iterations || r.Iterations < 3 {
			t.Errorf("%+v gives another model", settings)
		}
		if s.Clip != 0 || s.C != 0 {
			t.Error("Fit changed the solver")
		}
		checkShape(t, r, d)
	}
}

func TestRampLossLimits(t *testing.T) {
	d := svmtest.Random(600, 3, 9)
	base := solvers.RBF{Gamma: 2}
	whole := fit(t, solvers.RampLoss{Kernel: base}, d)
	r := fit(t, solvers.RampLoss{Kernel: base, Settings: solvers.Settings{MaxIterations: 2}}, d)
	if objective := rampLoss(r, d); r.Status != solvers.IterationLimit || r.Iterations != 2 || math.Abs(objective-r.Objective) > 1e-8*objective || r.Objective < whole.Objective {
		t.Errorf("%v, objective %g, from the model %g, of the whole run %g", r, r.Objective, objective, whole.Objective)
	}
	if r := fit(t, solvers.RampLoss{Kernel: base, Settings: solvers.Settings{MaxTime: 1}}, d); r.Status != solvers.TimeLimit || math.Abs(rampLoss(r, d)-r.Objective) > 1e-9*r.Objective {
		t.Errorf("%v, objective %g", r, r.Objective)
	}
	var calls, late atomic.Int64
	counted := func(ctx context.Context, cancel func(), after int64) solvers.Kernel {
		calls.Store(0)
		late.Store(0)
		return solvers.KernelFunc(func(x, z solvers.Vector) float64 {
			if ctx.Err() != nil {
				late.Add(1)
			}
			if calls.Add(1) == after {
				cancel()
			}
			return base.Eval(x, z)
		})
	}
	first := fit(t, solvers.RampLoss{Kernel: base, Settings: solvers.Settings{MaxIterations: 1}}, d)
	for _, after := range []int64{1, 50_000, first.KernelEvaluations + 10_000} {
		ctx, cancel := context.WithCancel(context.Background())
		r, err := solvers.RampLoss{Kernel: counted(ctx, cancel, after)}.Fit(ctx, d)
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled || late.Load() > 3000 {
			t.Fatalf("canceled after %d evaluations: %v, %v, %d more", after, r, err, late.Load())
		}
		if want := after > first.KernelEvaluations; (r.SupportSize() > 0) != want || math.Abs(rampLoss(r, d)-r.Objective) > 1e-8*r.Objective {
			t.Errorf("canceled after %d evaluations: %v, objective %g, from the model %g", after, r, r.Objective, rampLoss(r, d))
		}
		_ = r.String() + r.HTML()
		cancel()
	}
}

func TestRampLossErrors(t *testing.T) {
	d := svmtest.SixPoints()
	for want, s := range map[string]solvers.RampLoss{
		"RampLoss.C = -1: want > 0 (0: default 1)":                        {C: -1},
		"RampLoss.Clip = -1: want > 0 (0: default 1)":                     {Clip: -1},
		"RampLoss.Epsilon = -1: want > 0 (0: default 0.001)":              {Epsilon: -1},
		"RampLoss.Settings.MaxIterations = -1: want ≥ 0 (0: the default)": {Settings: solvers.Settings{MaxIterations: -1}},
	} {
		r, err := s.Fit(context.Background(), d)
		if _, ok := errors.AsType[*solvers.ParamError](err); !ok || err.Error() != want || r != nil {
			t.Errorf("%v\nwant %s", err, want)
		}
	}
	r, err := solvers.RampLoss{}.Fit(context.Background(), nil)
	if _, ok := errors.AsType[*solvers.DataError](err); !ok || r != nil {
		t.Errorf("no rows: %v", err)
	}
}

// Interrupted in its first convex problem it has the model of that, as far as it had come.
func TestRampLossInterrupted(t *testing.T) {
	d := svmtest.Random(3000, 3, 5)
	ctx, cancel := context.WithCancel(context.Background())
	base := solvers.RBF{Gamma: 3}
	var calls atomic.Int64
	kernel := solvers.KernelFunc(func(x, z solvers.Vector) float64 {
		if calls.Add(1) == 8_000_000 {
			cancel()
		}
		return base.Eval(x, z)
	})
	r, err := solvers.RampLoss{Kernel: kernel, C: 1000, Epsilon: 1e-6}.Fit(ctx, d)
	if !errors.Is(err, context.Canceled) || r.Status != solvers.Canceled || r.SupportSize() == 0 {
		t.Fatalf("%v: %v", err, r)
	}
	if rate := r.ErrorRate(d); rate > 0.4 || !math.IsInf(r.Objective, 1) {
		t.Errorf("training error %g, objective %g after %d evaluations", rate, r.Objective, calls.Load())
	}
	_ = r.String() + r.HTML()
}
