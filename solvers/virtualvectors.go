package solvers

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// Loss is the loss of a decision value f at a row of class y.
type Loss int

const (
	LogisticLoss     Loss = iota // log(1 + exp(-yf))
	SquaredHingeLoss             // max(0, 1 - yf)²
	SigmoidLoss                  // 1/(1 + exp(2yf)): near the number of errors; for a last polish
)

// String is the name: logistic, squared hinge, sigmoid.
func (l Loss) String() string {
	if l < 0 || int(l) >= len(lossNames) {
		return fmt.Sprintf("Loss(%d)", int(l))
	}
	return lossNames[l]
}

var (
	lossNames     = [...]string{"logistic", "squared hinge", "sigmoid"}
	lossFunctions = [...]gram.Loss{gram.Logistic, gram.SquaredHinge, gram.SigmoidLoss}
)

// VirtualVectors takes the vectors of a model away from the training rows to where they do most:
// positions, coefficients and bias together descend
//
//	F = 1/n Σᵢ Loss(yᵢ, f(xᵢ)) + Ridge·‖β‖²,     f(x) = Σᵥ βᵥ K(zᵥ, x) + b,
//
// from the Reference on. The vectors are then no rows of the data, so that Indices is nil and they
// are called vectors, not support vectors; they are dense, also where rows are sparse: Bytes tells
// the size. The kernel stays as it is, so that the model is an ordinary one,
// which LIBSVM reads, unless LearnGammas or LearnScales. The kernel is RBF, Poly, Linear or Sigmoid.
//
// A run makes Passes passes of Adam over the rows, with rates that fall as a cosine, or steps of
// L-BFGS with LBFGS, which is better where one class is rare and rows are sparse. Objective is
// F in float64, Gap the share of the passes left. The model returned is that with the least F among
// the start, some twenty points of the run, and its end, so that it is never worse than the
// Reference. F is not convex: another start leads elsewhere. A pass costs O(nonzeros·vectors).
//
// With a Teacher, the target is that model's response, clipped to [-1, 1], and the loss
// (f - target)², or 0 where both are beyond ±1 on one side. Jitter adds copies of the rows with
// noise on their real features, whose labels nobody knows but whose responses the teacher gives.
type VirtualVectors struct {
	Reference *Model  // whose vectors are the start; nil: SMO{Kernel, C} is fitted first
	Kernel    Kernel  // of that SMO; only without Reference
	C         float64 // of that SMO; only without Reference
	Loss      Loss    // unless there is a Teacher
	Teacher   *Model  // nil: the loss is of the labels
	Jitter    int     // copies of each row for the Teacher, ≥ 0
	LBFGS     bool    // full gradients; else Adam on batches of 512 rows
	Passes    int     // of Adam, 0: 100; or steps of L-BFGS, 0: 1000
	Rate      float64 // of Adam: greatest change of a feature in a step, > 0; 0: 0.01, in units of the features where these are not about 1
	Ridge     float64 // > 0; 0: 1e-8
	// The kernel's Gamma too, by L-BFGS; RBF only. Off by default: it gains little on a8a and w8a, and
	// where rows drift it overfits (ijcnn1, 200 vectors: 0.5 % of the training rows wrong, 2.7 % of the others).
	LearnGamma bool
	// A Gamma for each vector; RBF only. Off by default: the model has no single kernel (WidthRBF), so that
	// no LIBSVM file holds it. Gains of about 0.1 points on a8a, up to 0.3 on ijcnn1 with 50 vectors.
	LearnGammas bool
	// A weight for each feature; RBF only, not with LearnGammas. Off by default: the model's kernel is a
	// ScaledRBF, which no LIBSVM file holds, and it overfits on ijcnn1. It gains on w8a, 0.1 points.
	LearnScales bool
	Settings    Settings // MaxIterations, of passes
}

var _ Solver = VirtualVectors{}

// Name is "VirtualVectors".
func (VirtualVectors) Name() string { return "VirtualVectors" }

// Fit moves the vectors of the Reference.
func (s VirtualVectors) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	started := time.Now()
	used := s
	if err := used.resolve(train); err != nil {
		return nil, err
	}
	model, fit, err := givenOrFitted(ctx, "VirtualVectors", s.Reference, s.Kernel, s.C, s.Settings, train)
	if model == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	if wrong := used.checkStart(model, train.Dim); wrong != nil {
		return nil, wrong
	}
	used.Reference, used.Kernel, used.C = model, nil, 0
	run := startRun(ctx, s.Settings.remaining(time.Since(started)), math.MaxInt)
	p, wrong := used.prepare(ctx, train)
	if wrong != nil && ctx.Err() == nil {
		return nil, wrong
	}
	if wrong == nil {
		if wrong = p.look(ctx); wrong == nil {
			wrong = p.descend(ctx, run, nil)
		}
		if wrong != nil && ctx.Err() == nil {
			return nil, wrong
		}
		p.settle(ctx)
	}
	if ctx.Err() != nil && run.Stopped() == loop.None {
		run.Next(p.state) // says that the context ended
	}
	run.Finish(p.state)
	result := newResult(s, used, p.model(), run)
	result.Rows, result.KernelEvaluations = train.Len(), p.evaluations
	result.addReference(model, fit, time.Since(started))
	return result, canceled(ctx, result.Status)
}

func (s *VirtualVectors) resolve(train *Dataset) error {
	var err error
	if s.Ridge, err = positive("VirtualVectors", "Ridge", s.Ridge, 1e-8); err != nil {
		return err
	}
	if s.Rate < 0 || s.Rate-s.Rate != 0 {
		return &ParamError{"VirtualVectors", "Rate", s.Rate, "> 0 (0: default 0.01, or what the features' size makes of it)"}
	}
	if s.Loss < 0 || int(s.Loss) >= len(lossNames) {
		return &ParamError{"VirtualVectors", "Loss", float64(s.Loss), "LogisticLoss, SquaredHingeLoss or SigmoidLoss"}
	}
	if s.Passes < 0 {
		return &ParamError{"VirtualVectors", "Passes", float64(s.Passes), "≥ 1 (0: default 100, or 1000 with LBFGS)"}
	}
	if s.LearnGammas && s.LearnScales {
		return fmt.Errorf("VirtualVectors: LearnGammas and LearnScales are both set: want one at most")
	}
	s.LBFGS = s.LBFGS || s.learnsKernel()
	if s.Passes == 0 {
		s.Passes = 100
		if s.LBFGS {
			s.Passes = 1000
		}
	}
	if s.Jitter < 0 || s.Jitter > 0 && s.Teacher == nil {
		return &ParamError{"VirtualVectors", "Jitter", float64(s.Jitter), "≥ 0, and 0 without a Teacher: labels of rows with noise are not known"}
	}
	if err := s.Settings.check("VirtualVectors"); err != nil {
		return err
	}
	if err := checkTrain(train); err != nil {
		return err
	}
	s.Teacher, err = checkTeacher("VirtualVectors", s.Teacher, train.Dim)
	return err
}

// moving is a run of VirtualVectors, on rows that may be more than those of the training set.
type moving struct {
	used      VirtualVectors
	train     *Dataset
	expansion *gram.Expansion
	theta     []float64 // as gram.Expansion has it
	objective float64   // at the point looked at last
	done      int       // passes

	judged      bool      // by others: no objective needs to be known
	best        []float64 // the parameters with the least objective
	least       float64
	evaluations int64
}

// prepare begins a run; the solver has its defaults filled in and a Reference.
func (s VirtualVectors) prepare(ctx context.Context, train *Dataset) (*moving, error) {
	p := &moving{used: s, train: train, objective: math.Inf(1), least: math.Inf(1)}
	x, target, loss := train.X, train.Y, lossFunctions[s.Loss]
	if s.Teacher != nil {
		var err error
		if x, target, err = taught(ctx, train, s.Teacher, s.Jitter, s.Settings); err != nil {
			return p, err
		}
		p.evaluations += int64(len(x)) * int64(s.Teacher.SupportSize())
		loss = gram.Response
	}
	kernel, _ := gramKernel(s.Reference.Kernel)
	m := s.Reference
	e := gram.NewExpansion(kernel, x, target, train.Dim, m.SupportSize())
	e.Loss, e.Ridge, e.Workers = loss, s.Ridge, s.Settings.Workers
	e.Scales = s.LearnScales
	if s.LearnGamma {
		e.Gammas = 1
	}
	if s.LearnGammas {
		e.Gammas = e.Vectors
	}
	p.expansion, p.theta = e, make([]float64, e.Len())
	for v, z := range m.SupportVectors {
		for k, j := range z.Index {
			p.theta[v*train.Dim+int(j)] = z.Value[k]
		}
	}
	weights := p.theta[m.SupportSize()*train.Dim:]
	copy(weights, m.Coefficients)
	weights[m.SupportSize()] = m.Bias
	for v := range e.Gammas {
		weights[m.SupportSize()+1+v] = math.Log(kernel.Gamma)
	}
	return p, nil
}

// look computes the objective where the parameters are, and keeps them if they are the best.
func (p *moving) look(ctx context.Context) error {
	value, err := p.expansion.Evaluate(ctx, p.theta, make([]float64, len(p.theta)))
	if err != nil {
		return err
	}
	p.evaluations += p.passCost()
	p.keep(value)
	return nil
}

// keep notes the objective of the parameters.
func (p *moving) keep(objective float64) {
	p.objective = objective
	if objective < p.least || p.best == nil {
		p.best, p.least = append(p.best[:0], p.theta...), objective
	}
}

// passCost is the number of kernel values of a pass.
func (p *moving) passCost() int64 {
	return int64(len(p.expansion.Target)) * int64(p.expansion.Vectors)
}

// descend runs Adam or L-BFGS. after is called after each pass with the number done; it may be nil.
func (p *moving) descend(ctx context.Context, run *loop.Run, after func(done int) error) error {
	if p.used.LBFGS {
		return p.quasiNewton(ctx, run, after)
	}
	return p.stochastic(ctx, run, after)
}

const (
	adamBatch  = 512
	adamWarmUp = 100
	looks      = 20 // points of a run of Adam where the objective is computed
)

func (p *moving) stochastic(ctx context.Context, run *loop.Run, after func(done int) error) error {
	m := p.used.Reference
	s := gram.Schedule{Epochs: p.used.Passes, Batch: adamBatch, WarmUp: adamWarmUp,
		VectorRate: p.rate(), WeightRate: 0.03 * rms(m.Coefficients), Seed: p.used.Settings.Seed}
	if !run.Next(p.state) {
		return ctx.Err()
	}
	var wrong error
	err := p.expansion.Adam(ctx, p.theta, s, func(epoch int, _ []float64) bool {
		p.done = epoch
		p.evaluations += p.passCost()
		if !p.judged && (epoch == s.Epochs || epoch%max(s.Epochs/looks, 1) == 0) {
			if wrong = p.look(ctx); wrong != nil {
				return false
			}
		}
		if after != nil {
			if wrong = after(epoch); wrong != nil {
				return false
			}
		}
		return epoch == s.Epochs || run.Next(p.state)
	})
	if err == nil {
		err = wrong
	}
	if err != nil && ctx.Err() != nil {
		run.Abandon()
	}
	return err
}

// rate is the greatest step of a feature: 0.01 where values are of the size of 1.
func (p *moving) rate() float64 {
	if p.used.Rate > 0 {
		return p.used.Rate
	}
	sum, count := 0.0, 0
	for _, x := range p.train.X {
		sum += gram.SquaredNorm(x)
		count += len(x.Value)
	}
	size := math.Sqrt(sum / float64(max(count, 1)))
	return 0.01 * size / max(0.1, min(size, 10))
}

func rms(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v * v
	}
	return math.Sqrt(sum / float64(max(len(x), 1)))
}

// settle makes the best parameters the result, with their objective in float64. An interrupted run
// keeps the objective as it was found.
func (p *moving) settle(ctx context.Context) {
	if p.best == nil {
		return
	}
	copy(p.theta, p.best)
	p.objective = p.least
	if p.expansion.Precise {
		return
	}
	p.expansion.Precise = true
	value, err := p.expansion.Evaluate(ctx, p.theta, make([]float64, len(p.theta)))
	if err != nil { // it can only be of ctx
		return
	}
	p.objective = value
	p.evaluations += p.passCost()
}

func (p *moving) state() loop.Point {
	left := 1 - float64(p.done)/float64(p.used.Passes)
	return loop.Point{SupportSize: p.used.Reference.SupportSize(), Objective: p.objective, Gap: left}
}
