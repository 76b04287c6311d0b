package solvers

import (
	"context"
	"fmt"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// NuSVC trains the ν-SVC, whose parameter is a share of the rows instead of a price:
//
//	min over w, b, ξ, ρ   ½‖w‖² - νρ + (1/n) Σᵢ ξᵢ     subject to   yᵢ f(xᵢ) ≥ ρ - ξᵢ,  ξᵢ ≥ 0,  ρ ≥ 0
//
// ν is an upper bound of the share of rows within the margin (ξᵢ > 0) and a lower bound of the
// share of support vectors. It is solved through its dual, here times n as in LIBSVM, by the
// blocks of SMO:
//
//	min over α   ½αᵀQα     subject to   yᵀα = 0,  Σα = νn,  0 ≤ αᵢ ≤ 1,     Qᵢⱼ = yᵢyⱼK(xᵢ, xⱼ)
//
// There is a solution if νn is at most twice the number of rows of the smaller class. It is w = 0, of
// no use and an error, where ν is so small that hulls of νn/2 rows of each class still meet. The model is
// that solution over its ρ, so that its margin is 1: it is the C-SVC of C = 1/ρ, which is the
// magnitude of its bounded coefficients.
//
// Objective is the dual as written, before that division; LIBSVM prints it over ρ². Gap is the
// maximal violation of the optimality conditions, of pairs of one class.
//
// Schölkopf, Smola, Williamson, Bartlett, New support vector algorithms, Neural Computation 12,
// 2000; Chang, Lin, Training ν-support vector classifiers, Neural Computation 13, 2001.
type NuSVC struct {
	Kernel   Kernel   // nil: RBF{}
	Nu       float64  // in (0, 1], and at most 2·min(n₋, n₊)/n; 0: 0.5
	Epsilon  float64  // stop when Gap is at most, > 0; 0: 1e-3
	Settings Settings // MaxIterations 0: 10⁷, or 100 per row if that is more
}

var _ Solver = NuSVC{}

// Name is "NuSVC".
func (NuSVC) Name() string { return "NuSVC" }

// Fit trains on a two-class set.
func (s NuSVC) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	used, err := s.resolve(train)
	if err != nil {
		return nil, err
	}
	kernel, own := gramKernel(used.Kernel)
	if !own {
		kernel = gram.Kernel{Kind: gram.Custom, Eval: used.Kernel.Eval}
	}
	d := used.problem(train)
	run := startRun(ctx, used.Settings, max(1e7, 100*train.Len()))
	b := &blocks{dual: d, kernel: kernel, workers: used.Settings.Workers, epsilon: used.Epsilon, run: run,
		inner: newInner(train.Len()), gap: math.Inf(1), support: supportOf(d.beta)}
	residual, evaluations, err := b.solve(ctx)
	if err != nil {
		return nil, err
	}
	run.Finish(b.state)
	// For free rows f = ±ρ and the residual is -g: -ρ + b for the positive, ρ + b for the negative.
	negative, positive := d.level(residual, 0), d.level(residual, 1)
	rho, bias := (negative-positive)/2, (negative+positive)/2
	// An early end may have seen no conditions yet.
	if run.Stopped() == loop.None && !(rho > used.Epsilon) {
		return nil, &ParamError{"NuSVC", "Nu", used.Nu, fmt.Sprintf("more, or a smaller Epsilon: ρ is %.3g, so that w = 0 within Epsilon", rho)}
	}
	if !(rho > 0) || math.IsInf(rho, 1) {
		rho, bias = 1, 0
	}
	for t := range d.beta {
		d.beta[t] /= rho
	}
	result := newResult(s, used, newModel(used.Kernel, train, d.beta, bias/rho), run)
	result.KernelEvaluations, result.Rows = evaluations, train.Len()
	return result, canceled(ctx, result.Status)
}

// resolve checks the parameters and the data and fills in the defaults.
func (s NuSVC) resolve(train *Dataset) (NuSVC, error) {
	var err error
	if s.Nu, err = positive("NuSVC", "Nu", s.Nu, 0.5); err != nil {
		return s, err
	}
	if s.Epsilon, err = positive("NuSVC", "Epsilon", s.Epsilon, 1e-3); err != nil {
		return s, err
	}
	if err := s.Settings.check("NuSVC"); err != nil {
		return s, err
	}
	if err := checkTrain(train); err != nil {
		return s, err
	}
	n, positives := train.Len(), 0
	for _, y := range train.Y {
		if y > 0 {
			positives++
		}
	}
	smaller := min(positives, n-positives)
	if most := 2 * float64(smaller) / float64(n); s.Nu > most {
		return s, &ParamError{"NuSVC", "Nu", s.Nu, fmt.Sprintf("in (0, %.6g], twice the share of the smaller class, %d of %d rows (0: default 0.5)", most, smaller, n)}
	}
	s.Kernel, err = resolveKernel(s.Kernel, train.Dim)
	return s, err
}

// problem is the dual, begun at the first rows of both classes.
func (s NuSVC) problem(train *Dataset) *dual {
	n := train.Len()
	d := &dual{x: train.X, target: make([]float64, n), lower: make([]float64, n), upper: make([]float64, n),
		group: make([]uint8, n), beta: make([]float64, n)}
	left := [2]float64{s.Nu * float64(n) / 2, s.Nu * float64(n) / 2}
	for t, y := range train.Y {
		d.lower[t], d.upper[t] = min(y, 0), max(y, 0)
		if y > 0 {
			d.group[t] = 1
		}
		weight := min(1, left[d.group[t]])
		left[d.group[t]] -= weight
		d.beta[t] = y * weight
	}
	return d
}
