package solvers

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// RampLoss trains the SVM whose loss stops rising at Clip, so that rows far on the wrong side are
// given up, and are no support vectors:
//
//	min over w, b   ½‖w‖² + C Σᵢ min(Clip, max(0, 1 - yᵢ f(xᵢ)))
//
// The loss is the ramp R_s of the paper, s = 1 - Clip. It is a difference of convex
// functions, and is lowered by the concave-convex procedure: each iteration takes the
// rows with yᵢ f(xᵢ) < s as given up, and solves the convex problem that is left, which in signed
// coefficients is
//
//	min over β   ½βᵀKβ - Σ yᵢβᵢ     subject to   Σβ = 0,  -ηᵢ ≤ yᵢβᵢ ≤ C - ηᵢ
//
// with ηᵢ = C for the rows given up and 0 for the others. The first iteration gives up none: it is
// the C-SVC. The run ends when the rows given up stay the same. The objective never rises: an
// iteration by which it would, because the convex problem is solved to Epsilon only and had
// nothing to gain, is taken back and ends the run, too. The limit is a stationary point, and not
// always the least one.
//
// Objective is the one above. Gap is the maximal violation of the optimality conditions of the
// last convex problem.
//
// Collobert, Sinz, Weston, Bottou, Trading convexity for scalability, ICML 2006.
type RampLoss struct {
	Kernel   Kernel   // nil: RBF{}
	C        float64  // price of the loss, > 0; 0: 1
	Clip     float64  // greatest loss of a row, > 0; 0: 1, for which all errors cost the same
	Epsilon  float64  // of the convex problems, stop when the violation is at most, > 0; 0: 1e-3
	Settings Settings // MaxIterations, of convex problems, 0: 100
}

var _ Solver = RampLoss{}

// Name is "RampLoss".
func (RampLoss) Name() string { return "RampLoss" }

// Fit trains on a two-class set. When ctx ends the model is that of the last iteration that was
// complete; in the first, which is the C-SVC, it is the one that this had come to, and Objective is
// infinite.
func (s RampLoss) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	started := time.Now()
	used := s
	if err := used.resolve(train); err != nil {
		return nil, err
	}
	run := startRun(ctx, s.Settings, 100)
	r := newRamp(used, train)
	var err error
	for settled := false; !settled && run.Next(r.state); {
		settings := s.Settings.remaining(time.Since(started))
		settings.MaxIterations = 0 // a limit of the convex problems' number
		if settled, err = r.iterate(ctx, startRun(ctx, settings, max(1e7, 100*train.Len()))); err != nil {
			run.Abandon()
			break
		}
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	run.Finish(r.state)
	result := newResult(s, used, r.model(), run)
	result.Rows, result.KernelEvaluations, result.norm = train.Len(), r.evaluations, math.Sqrt(max(r.norm2, 0))
	if r.stopped != loop.None && !result.Status.Early() {
		result.Status = statusOf(r.stopped)
	}
	return result, canceled(ctx, result.Status)
}

func (s *RampLoss) resolve(train *Dataset) error {
	var err error
	for _, field := range []struct {
		name      string
		value     *float64
		byDefault float64
	}{{"C", &s.C, 1}, {"Clip", &s.Clip, 1}, {"Epsilon", &s.Epsilon, 1e-3}} {
		if *field.value, err = positive("RampLoss", field.name, *field.value, field.byDefault); err != nil {
			return err
		}
	}
	if err := s.Settings.check("RampLoss"); err != nil {
		return err
	}
	if err := checkTrain(train); err != nil {
		return err
	}
	s.Kernel, err = resolveKernel(s.Kernel, train.Dim)
	return err
}

// ramp is the model on its way down.
type ramp struct {
	used        RampLoss
	train       *Dataset
	kernel      gram.Kernel
	beta        []float64
	bias        float64
	givenUp     []bool // rows whose loss is cut off in the next convex problem
	norm2       float64
	objective   float64
	gap         float64
	evaluations int64
	stopped     loop.Reason // a limit ended a convex problem
}

func newRamp(used RampLoss, train *Dataset) *ramp {
	n := train.Len()
	r := &ramp{used: used, train: train, beta: make([]float64, n), givenUp: make([]bool, n),
		objective: used.C * float64(n) * min(used.Clip, 1), gap: math.Inf(1)}
	var own bool
	if r.kernel, own = gramKernel(used.Kernel); !own {
		r.kernel = gram.Kernel{Kind: gram.Custom, Eval: used.Kernel.Eval}
	}
	return r
}

// iterate solves a convex problem. It reports whether nothing is left to do. When the context ends,
// all stays as it was, unless there is no model yet.
func (r *ramp) iterate(ctx context.Context, run *loop.Run) (settled bool, err error) {
	d := r.convex()
	b := &blocks{dual: d, kernel: r.kernel, workers: r.used.Settings.Workers, epsilon: r.used.Epsilon, run: run,
		inner: newInner(len(d.beta)), gap: math.Inf(1), support: supportOf(d.beta)}
	residual, evaluations, err := b.solve(ctx)
	r.evaluations += evaluations
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		if ctx.Err() != nil && r.norm2 == 0 && supportOf(d.beta) > 0 {
			r.beta, r.bias, r.objective, r.gap = d.beta, d.bias(residual), math.Inf(1), b.gap
		}
		return false, err
	}
	r.stopped = run.Stopped()
	bias := d.bias(residual)
	objective, norm2 := 0.0, 0.0
	givenUp := make([]bool, len(r.givenUp))
	for t, y := range r.train.Y {
		g := y - residual[t]
		norm2 += d.beta[t] * g
		margin := y * (g + bias)
		objective += min(r.used.Clip, max(0, 1-margin))
		givenUp[t] = margin < 1-r.used.Clip
	}
	if objective = norm2/2 + r.used.C*objective; objective > r.objective {
		return true, nil
	}
	settled = slices.Equal(givenUp, r.givenUp) || r.stopped != loop.None
	r.beta, r.bias, r.norm2, r.objective, r.gap, r.givenUp = d.beta, bias, norm2, objective, b.gap, givenUp
	return settled, nil
}

// convex is the problem with the rows given up, and a start near the present β: what is outside of
// its bounds goes to them, and then weight is taken from the side that has too much.
func (r *ramp) convex() *dual {
	n := r.train.Len()
	d := &dual{x: r.train.X, target: r.train.Y, lower: make([]float64, n), upper: make([]float64, n), beta: slices.Clone(r.beta)}
	excess := 0.0
	for t, y := range r.train.Y {
		if positive := y > 0; positive != r.givenUp[t] {
			d.upper[t] = r.used.C
		} else {
			d.lower[t] = -r.used.C
		}
		d.beta[t] = min(max(d.beta[t], d.lower[t]), d.upper[t])
		excess += d.beta[t]
	}
	for t, beta := range d.beta {
		if beta*excess > 0 {
			take := math.Copysign(min(math.Abs(beta), math.Abs(excess)), excess)
			d.beta[t] -= take
			excess -= take
		}
	}
	return d
}

func supportOf(beta []float64) int {
	size := 0
	for _, b := range beta {
		if b != 0 {
			size++
		}
	}
	return size
}

func (r *ramp) model() *Model { return newModel(r.used.Kernel, r.train, r.beta, r.bias) }

func (r *ramp) state() loop.Point {
	return loop.Point{SupportSize: supportOf(r.beta), Objective: r.objective, Gap: r.gap}
}
