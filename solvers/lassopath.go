package solvers

import (
	"context"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// LassoPath makes a dense reference classifier f = g + b sparse. It visits, for every ℓ1 radius δ
// from 0 on, the optimum of the kernelized Lasso
//
//	min over α   ½αᵀKα - cᵀα   subject to   ‖α‖₁ ≤ δ,     c = Kβ,
//
// where K is the kernel matrix of the reference's support vectors and β their coefficients. Up
// to ½‖w‖² the objective is ½‖w̃ - w‖². The optimum is piecewise linear in δ; a run goes from
// breakpoint to breakpoint, at each of which a support vector enters or leaves, and so has the
// exact optimum for every radius and every support size of the path.
//
// Objective is the one above. Gap is max |c - Kα| / max |c|: how large the gradient, which is equal
// for all support vectors and smaller for all others, is compared with that at 0. It falls from 1
// to 0, where w̃ = w. The bias is the reference's; Protocol.TuneBias or Model.TuneBias find the best.
//
// The ball keeps the coefficients small, and unevenly so. With Relaxed the coefficients of a breakpoint's
// support vectors are those of the w̃ nearest to w that these can make, as in the relaxed Lasso (φ =
// 0): that makes fewer errors with few support vectors. Objective and ‖w‖ are then of the relaxed
// model, and Gap of the optimum that chose the support.
//
// The kernel must be positive semidefinite. Support vectors of the reference that are equal count
// as one, and one that is within 3e-7 of its length from the span of those in use waits until
// one of them leaves. A run makes one kernel value for each pair of the reference's m support vectors, and
// costs O(m·size) per breakpoint; it keeps a kernel row for each support vector, 8m bytes, as
// far as Settings.CacheMB allows. There are somewhat more breakpoints than support vectors.
//
// SASSO solves the same problem for chosen radii, approximately and in less time.
//
// Osborne, Presnell, Turlach, A new approach to variable selection in least squares problems, IMA
// Journal of Numerical Analysis 20, 2000; Efron, Hastie, Johnstone, Tibshirani, Least angle
// regression, Annals of Statistics 32, 2004, section 3.1; Meinshausen, Relaxed Lasso, Computational
// Statistics & Data Analysis 52, 2007.
type LassoPath struct {
	Reference *Model  // nil: SMO{Kernel, C} is fitted first
	Kernel    Kernel  // of that SMO; only without Reference
	C         float64 // of that SMO; only without Reference

	// MaxSupport ends the run, with BudgetReached, where the support would grow beyond it, ≥ 1;
	// 0: 1000.
	MaxSupport int
	Relaxed    bool     // coefficients anew without the ball, for the support that it chose
	Settings   Settings // MaxIterations, the number of breakpoints, 0: 10⁶
}

var (
	_ PathSolver    = LassoPath{}
	_ objectivePath = LassoPath{}
)

// Name is "LassoPath".
func (LassoPath) Name() string { return "LassoPath" }

// ParameterName is "Delta", the ℓ1 norm of the coefficients.
func (LassoPath) ParameterName() string { return "Delta" }

// Fit is the last model of the path: the reference itself unless MaxSupport is less than it needs.
func (s LassoPath) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the model of every breakpoint, with its ‖α‖₁ as parameter.
func (s LassoPath) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, func(parameter, _ float64, m *Model) error { return visit(parameter, m) })
}

func (s LassoPath) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	used := s
	if err := used.resolve(train); err != nil {
		return nil, err
	}
	r, err := startSparse(ctx, "LassoPath", s.Reference, s.Kernel, s.C, s.Settings, train, 1e6)
	if r == nil {
		return nil, err
	}
	used.Reference, used.Kernel, used.C = r.basis.reference, nil, 0
	h := newHomotopy(r.basis, used.MaxSupport)
	h.relax = used.Relaxed
	if err == nil {
		err = h.loop(ctx, r.run, visit)
	} else {
		r.run.Next(h.state) // says that ctx ended
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	alpha, quadratic, last := h.alpha, h.squaredNorm(), h.state()
	if h.relax && ctx.Err() == nil {
		m, wrong := h.face.relax(ctx)
		if wrong != nil && ctx.Err() == nil {
			return nil, wrong
		}
		if wrong == nil {
			alpha, quadratic, last.Objective, last.SupportSize = m.alpha, m.linear, m.objective, m.size
		}
	}
	r.run.Finish(func() loop.Point { return last })
	result := r.result(s, used, alpha, quadratic)
	if h.full && !result.Status.Early() {
		result.Status = BudgetReached
	}
	return result, canceled(ctx, result.Status)
}

func (s *LassoPath) resolve(train *Dataset) error {
	if s.MaxSupport < 0 {
		return &ParamError{"LassoPath", "MaxSupport", float64(s.MaxSupport), "≥ 1 (0: default 1000)"}
	}
	if s.MaxSupport == 0 {
		s.MaxSupport = 1000
	}
	if err := s.Settings.check("LassoPath"); err != nil {
		return err
	}
	return checkTrain(train)
}
