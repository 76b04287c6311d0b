package solvers

import (
	"context"
	"fmt"
	"time"
)

// Refit keeps the support vectors of a model and finds the best coefficients and bias for them on
// all training rows:
//
//	min over β, b   ½‖w‖² + C Σᵢ max(0, 1 - yᵢ f(xᵢ))²,     w = Σᵥ βᵥ Φ(zᵥ),
//
// where z are the support vectors of the Reference, which may be of any method, and need not be
// training rows. With a Teacher it comes near that model's decision values instead:
// the loss is then C Σᵢ (f(xᵢ) - f_teacher(xᵢ))².
//
// The problem is convex and piecewise quadratic. A run makes Newton steps with exact line searches
// from the reference's own coefficients, each lowering the objective. Gap is what the next step
// would lower the objective by, on the present quadratic piece, as a share of the
// objective. Support vectors that depend on others keep their coefficient.
//
// A run keeps m columns of the kernel matrix, 8·m·rows bytes, m being the number of support
// vectors. The first iteration costs O(m²·rows), the others O(m²) per row whose loss begins or ends.
//
// Chapelle, Training a support vector machine in the primal, Neural Computation 19, 2007; with a
// basis of its own: Keerthi, Chapelle, DeCoste, JMLR 7, 2006, section 2.
type Refit struct {
	Reference *Model   // whose support vectors are kept; nil: Of, or SMO{Kernel, C}, is fitted first
	Of        Solver   // the method whose models to refit; only without Reference
	Kernel    Kernel   // of that SMO; only without Reference and Of
	C         float64  // price of the squared slack, and of the slack for that SMO, > 0; 0: 1
	Teacher   *Model   // nil: the loss is of the labels
	Epsilon   float64  // stop when Gap is at most, > 0; 0: 1e-10
	Budget    int      // the greatest support size on a path, ≥ 1; 0: 500
	Settings  Settings // MaxIterations, of Newton steps, 0: 1000
}

var (
	_ PathSolver    = Refit{}
	_ objectivePath = Refit{}
)

// Name is "Refit".
func (Refit) Name() string { return "Refit" }

// Fit finds the coefficients and the bias for the Reference, or for what Of fits.
func (s Refit) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	started := time.Now()
	used := s
	if err := used.resolve(train); err != nil {
		return nil, err
	}
	if s.Of != nil {
		return s.fitOf(ctx, train)
	}
	model, fit, err := supportToKeep(ctx, "Refit", s.Reference, s.Kernel, s.C, s.Settings, train)
	if model == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	used.Reference, used.Kernel = model, nil
	run := startRun(ctx, s.Settings.remaining(time.Since(started)), newtonSteps)
	p := newBasis(ctx, train, model.Kernel, used.C, s.Settings)
	if err == nil {
		err = p.take(ctx, model, used.Teacher)
	}
	if err == nil {
		err = p.solve(ctx, used.Epsilon, func() bool { return run.Next(p.state) })
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	result := p.finish(s, used, run, err)
	if len(p.vectors) == 0 {
		result.Model = model // the context ended before the start
	}
	result.addReference(model, fit, time.Since(started))
	return result, canceled(ctx, result.Status)
}

// newtonSteps is the default limit of runs of Newton's method, which take some ten steps.
const newtonSteps = 1000

func (s *Refit) resolve(train *Dataset) error {
	var err error
	if s.C, err = positive("Refit", "C", s.C, 1); err != nil {
		return err
	}
	if s.Epsilon, err = positive("Refit", "Epsilon", s.Epsilon, newtonEpsilon); err != nil {
		return err
	}
	if s.Budget < 0 {
		return &ParamError{"Refit", "Budget", float64(s.Budget), "≥ 1 (0: default 500)"}
	}
	if s.Budget == 0 {
		s.Budget = refitBudget
	}
	if s.Of != nil && (s.Reference != nil || s.Kernel != nil) {
		return fmt.Errorf("Refit: Of has its own kernel and fits its own model; leave Reference and Kernel out")
	}
	if err := s.Settings.check("Refit"); err != nil {
		return err
	}
	if err := checkTrain(train); err != nil {
		return err
	}
	if s.Teacher == nil {
		return nil
	}
	if s.Teacher.Kernel == nil || len(s.Teacher.SupportVectors) != len(s.Teacher.Coefficients) {
		return fmt.Errorf("Refit.Teacher: want a model with a kernel and a coefficient for each of its %d support vectors", s.Teacher.SupportSize())
	}
	teacher := *s.Teacher
	teacher.Kernel, err = resolveKernel(s.Teacher.Kernel, train.Dim)
	s.Teacher = &teacher
	return err
}

// newtonEpsilon is the default gap of Newton's method; one step more makes it much smaller.
const newtonEpsilon = 1e-10

// supportToKeep is the given reference, or that of an SMO with the same C.
func supportToKeep(ctx context.Context, solver string, given *Model, kernel Kernel, c float64, s Settings, train *Dataset) (*Model, *Result, error) {
	if given != nil {
		if kernel != nil {
			return nil, nil, &ReferenceError{solver, "it is given, and Kernel is for fitting one: leave it out"}
		}
		c = 0
	}
	model, fit, err := givenOrFitted(ctx, solver, given, kernel, c, s, train)
	if given != nil && err == nil {
		err = checkSupport(solver, model)
	}
	if err != nil && (given != nil || ctx.Err() == nil) {
		return nil, nil, err
	}
	return model, fit, err
}

// take makes the support vectors of a model the basis, with their coefficients, and the decision
// values of a teacher, if there is one, the target.
func (p *basis) take(ctx context.Context, m, teacher *Model) error {
	if teacher != nil {
		target := make([]float64, p.train.Len())
		if err := kernelMatrix(ctx, teacher.Kernel, p.train.X, p.workers).Add(ctx, teacher.SupportVectors, teacher.Coefficients, target); err != nil {
			return err
		}
		for i := range target {
			target[i] += teacher.Bias
		}
		p.target, p.squares = target, true
	}
	rows := m.Indices
	if !m.onRows(p.train.X) {
		rows = noRows(m.SupportSize())
	}
	if err := p.grow(ctx, m.SupportVectors, rows); err != nil {
		return err
	}
	return p.begin(ctx, m.Coefficients, m.Bias)
}

// addReference notes the model that was made sparse and what it cost, if it was fitted for this.
func (r *Result) addReference(reference *Model, fit *Result, runtime time.Duration) {
	r.Reference, r.Runtime = reference, runtime
	if fit == nil {
		return
	}
	r.KernelEvaluations += fit.KernelEvaluations
	if fit.Status.Early() && !r.Status.Early() {
		r.Status = fit.Status // of an unfinished reference
	}
}
