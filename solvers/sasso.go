package solvers

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// SASSO makes a dense reference classifier f = g + b sparse. It brings w̃ near the reference's w
// within an ℓ1 ball, which is a kernelized Lasso:
//
//	min over α   ½αᵀKα - cᵀα   subject to   ‖α‖₁ ≤ δ,     c = Kβ,
//
// where K is the kernel matrix of the reference's support vectors and β their coefficients. Up
// to ½‖w‖² the objective is ½‖w̃ - w‖². Its gradient is ∇ = Kα - c; eq. (8) of the paper prints a
// plus, a misprint.
//
// Each iteration is a Frank-Wolfe step: it moves towards the vertex of the ball on which ∇ is least,
// ±δ at the coefficient with the largest |∇ⱼ|, either from where it is, or taking the weight from one
// support vector alone (a pairwise step), whichever brings the objective down more, with
// an exact line search. A pairwise step can make a support vector leave.
//
// Objective is the one above. With the duality gap G = αᵀ∇ + δ·max |∇ⱼ|, which is never less than
// what the objective is above its optimum, Gap is G/|Objective|, or 1 if that is less: a run
// stops when it is at most Epsilon. Certificate has ‖α‖₁ and G with their bounds. The bias is the
// reference's; Protocol.TuneBias or Model.TuneBias find the best.
//
// The optimum is not what classifies best for its size: the ball keeps its coefficients small, and
// unevenly so. With Relaxed the optimum chooses the support vectors, and the coefficients are those of
// the w̃ nearest to w that these can make, as in the relaxed Lasso (φ = 0); for few support vectors
// that makes far fewer errors. Objective and ‖w‖ are then of the relaxed model, Gap and the certificate
// of the optimum that chose the support. More Points give more sizes to choose from.
//
// At δ ≥ ‖β‖₁ the reference itself is the optimum; it is the result, with all its support vectors,
// if 1000 steps and 10 per support vector do not close the gap. Where steps are slow at other
// radii, corrections as with FullyCorrective take over.
//
// Support vectors of the reference that are equal count as one. A run makes one kernel value for
// each pair of the reference's m support vectors, once, and one kernel row of m for each that
// becomes a support vector; an iteration costs O(m).
//
// Sparse SVM approximations via kernelized Lasso, 2016. The pairwise steps: Lacoste-Julien, Jaggi,
// On the global linear convergence of Frank-Wolfe optimization variants, NIPS 2015, algorithm 2.
// The corrections: Wolfe, Finding the nearest point in a polytope, Mathematical Programming 11,
// 1976. Relaxed: Meinshausen, Relaxed Lasso, Computational Statistics & Data Analysis 52, 2007.
type SASSO struct {
	Reference *Model  // nil: SMO{Kernel, C} is fitted first
	Kernel    Kernel  // of that SMO; only without Reference
	C         float64 // of that SMO; only without Reference

	Delta   float64 // the radius δ, the last one of a path, > 0; 0: ‖β‖₁
	Epsilon float64 // stop at this relative duality gap, > 0; 0: 1e-3
	Points  int     // radii of a path, evenly spaced by logarithm from 1e-4·Delta to Delta, ≥ 1; 0: 10
	// FullyCorrective finds, in each iteration, the optimum on the support vectors and up to a tenth
	// as many new ones, by which several can leave. An iteration then costs O(m·size + size²) for
	// each that enters or leaves, and a run keeps 4·size² bytes.
	FullyCorrective bool
	Relaxed         bool // coefficients anew without the ball, for the support that it chose

	Settings Settings // MaxIterations 0: 10⁷
}

var (
	_ PathSolver    = SASSO{}
	_ objectivePath = SASSO{}
)

// Name is "SASSO".
func (SASSO) Name() string { return "SASSO" }

// ParameterName is "Delta".
func (SASSO) ParameterName() string { return "Delta" }

// Fit solves the problem for the radius Delta.
func (s SASSO) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fit(ctx, train, nil)
}

// FitPath solves it for Points radii, each run starting from the model before, and visits their
// models. The result is the last one's; its Iterations are of all.
func (s SASSO) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, func(parameter, _ float64, m *Model) error { return visit(parameter, m) })
}

func (s SASSO) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	return s.fit(ctx, train, visit)
}

// A path has defaultRadii radii, the first being firstRadius times the last.
const (
	defaultRadii = 10
	firstRadius  = 1e-4
)

// fit solves for all radii of a path or, without visit, for the last alone.
func (s SASSO) fit(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	used := s
	if err := used.resolve(train); err != nil {
		return nil, err
	}
	r, err := startSparse(ctx, "SASSO", s.Reference, s.Kernel, s.C, s.Settings, train, 1e7)
	if r == nil {
		return nil, err
	}
	used.Reference, used.Kernel, used.C = r.basis.reference, nil, 0
	if used.Delta == 0 {
		used.Delta = r.basis.norm1
	}
	deltas := []float64{used.Delta}
	if visit != nil {
		deltas = spaced(firstRadius*used.Delta, used.Delta, used.Points)
	}
	p := newFrankWolfe(used, r.basis)
	if err == nil {
		err = p.path(ctx, r.run, deltas, visit)
	} else {
		r.run.Next(p.state) // says that ctx ended
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	alpha, quadratic, last := p.alpha, p.quadratic, p.state()
	if m := p.relaxed; m != nil {
		alpha, quadratic, last.Objective, last.SupportSize = m.alpha, m.linear, m.objective, m.size
	}
	r.run.Finish(func() loop.Point { return last })
	result := r.result(s, used, alpha, quadratic)
	result.Certificate = p.certificate()
	return result, canceled(ctx, result.Status)
}

func (s *SASSO) resolve(train *Dataset) error {
	if s.Delta < 0 || math.IsNaN(s.Delta) || math.IsInf(s.Delta, 0) {
		return &ParamError{"SASSO", "Delta", s.Delta, "> 0 (0: default ‖β‖₁ of the reference)"}
	}
	var err error
	if s.Epsilon, err = positive("SASSO", "Epsilon", s.Epsilon, 1e-3); err != nil {
		return err
	}
	if s.Points < 0 {
		return &ParamError{"SASSO", "Points", float64(s.Points), "≥ 1 (0: default 10)"}
	}
	if s.Points == 0 {
		s.Points = defaultRadii
	}
	if err := s.Settings.check("SASSO"); err != nil {
		return err
	}
	return checkTrain(train)
}
