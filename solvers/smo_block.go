package solvers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// dual is a quadratic problem over kernel values, in signed coefficients:
//
//	min over β   ½βᵀKβ + ½Σ ridge_t β_t² - Σ target_t β_t
//	subject to   lower_t ≤ β_t ≤ upper_t   and   Σβ_t over each group as at the start
//
// C-SVC has target y, and bounds 0 and C on the side of y. The squared hinge has no upper bound
// and ridge 1/(2C). ε-SVR has two variables per point, targets z-ε and z+ε. ν-SVC has target 0
// and its classes as groups.
type dual struct {
	x            []Vector  // the points
	point        []int     // of each variable; nil: variable t is of point t
	target       []float64 // by variable, as all that follow
	lower, upper []float64
	ridge        []float64 // nil: 0
	group        []uint8   // 0 or 1; nil: all 0
	beta         []float64 // a feasible start; then the solution
	known        []int     // after a context that ended: the variables whose residuals are those of beta; nil: all
}

// blocks solves a dual by blocks of variables. An outer iteration takes the variables that
// violate the optimality conditions most, solves the problem in them alone, two at a time, on
// the matrix of their kernel values, and brings the responses of all points up to date in one
// pass that keeps no kernel row. Variables that stay at a bound are left out for a while.
//
// The block method is that of Joachims (Making large-scale SVM learning practical, 1998) with
// the inner solver of Fan, Chen and Lin (2005); ThunderSVM (Wen et al., JMLR 19, 2018) has it
// with a cache of rows.
type blocks struct {
	*dual
	kernel    gram.Kernel
	workers   int
	epsilon   float64
	run       *loop.Run
	inner     *inner
	team      *gram.Team
	lists     []candidates // of each part of the variables, and of all: room for choose
	violating candidates
	objective float64
	gap       float64 // of all variables, as last known
	support   int
	broken    bool // a limit was reached, or the context ended
	undefined bool // a residual is not finite

	report func() loop.Point // instead of state, for a solver that measures otherwise; nil: state
}

const (
	blockSize = 1024 // variables of a block
	// smallProblem is the number of points up to which float64 is used throughout.
	smallProblem = 2000
	// outerRounds is the number of outer iterations before variables may be left out.
	outerRounds = 8
	// worthShrinking is the share of variables below which the rest is left out.
	worthShrinking = 0.7
)

// solve finds β with a violation of at most epsilon and returns what each variable's condition
// says: residual_t = target_t - ridge_t·β_t - Σ_s β_s K(x_s, x_t). When the context ends, β is
// that of the last step, and residuals may be known only for some variables, known.
func (b *blocks) solve(ctx context.Context) (residual []float64, evaluations int64, err error) {
	points, err := gram.ScanPoints(ctx, b.x)
	if err != nil {
		b.run.Next(b.state) // takes note of it
		return make([]float64, len(b.target)), 0, nil
	}
	precision := gram.Single
	if len(b.x) <= smallProblem {
		precision = gram.Double
	}
	b.team = gram.NewTeam(b.workers)
	defer b.team.Close()
	matrix := gram.NewMatrix(points, b.kernel, precision, b.workers)
	matrix.Employ(b.team)
	if err := finite(matrix); err != nil {
		return nil, 0, err
	}
	all := newStage(b, matrix)
	aim := b.epsilon
	if !matrix.Precise() {
		aim = max(aim, leastSingle)
	}
	err = b.descend(ctx, all, aim)
	evaluations = matrix.Evaluations()
	if err == nil && !b.broken && !matrix.Precise() {
		var noise float64
		if noise, err = b.noise(ctx, all); err == nil && (b.epsilon < aim || noise > b.epsilon/4) {
			all.matrix = gram.NewMatrix(points, b.kernel, gram.Double, b.workers)
			all.matrix.Employ(b.team)
			err = b.descend(ctx, all, b.epsilon)
			evaluations += all.matrix.Evaluations()
		}
	}
	if ctx.Err() != nil {
		b.run.Next(b.state) // takes note of it
		return all.residual, evaluations, nil
	}
	b.objective = b.value(all.residual)
	return all.residual, evaluations, err
}

// leastSingle is the least violation that is pursued in float32.
const leastSingle = 1e-5

// noise is the greatest error of the responses at some of the points.
func (b *blocks) noise(ctx context.Context, all *stage) (float64, error) {
	count := min(64, len(b.x))
	var at []int
	var sample, support []Vector
	var beta []float64
	for k := range count {
		at = append(at, k*len(b.x)/count)
		sample = append(sample, b.x[at[k]])
	}
	for t, v := range b.beta {
		if v != 0 {
			support, beta = append(support, b.x[all.place[t]]), append(beta, v)
		}
	}
	exact := make([]float64, count)
	m := gram.NewMatrix(gram.NewPoints(sample), b.kernel, gram.Double, b.workers)
	m.Employ(b.team)
	if err := m.Add(ctx, support, beta, exact); err != nil {
		return 0, err
	}
	noise := 0.0
	for k, j := range at {
		noise = max(noise, math.Abs(exact[k]-all.response[j]))
	}
	return noise, nil
}

// descend iterates from β until the violation of all variables is at most epsilon.
func (b *blocks) descend(ctx context.Context, all *stage, epsilon float64) error {
	var err error
	if err = all.recompute(ctx); err != nil {
		return err
	}
	b.objective = b.value(all.residual)
	for {
		if err = all.iterate(ctx, epsilon, outerRounds); err != nil || b.broken || all.gap() <= epsilon {
			return err
		}
		now, before := all, []float64(nil)
		for now.gap() > epsilon && !b.broken {
			keep, err := now.active(ctx)
			if err != nil {
				return err
			}
			if float64(len(keep)) < worthShrinking*float64(len(now.variables)) {
				if now == all {
					before = slices.Clone(b.beta)
				}
				now = now.part(keep)
			}
			if err := now.iterate(ctx, epsilon, outerRounds/2); err != nil {
				for k, t := range now.variables {
					all.residual[t] = now.residual[k]
				}
				return err
			}
		}
		if now == all {
			return nil
		}
		if err := all.catchUp(ctx, before); err != nil {
			return err
		}
	}
}

// value is the objective at β.
func (b *blocks) value(residual []float64) float64 {
	sum := 0.0
	for t, beta := range b.beta {
		sum -= 0.5 * beta * (b.target[t] + residual[t])
	}
	return sum
}

// finite checks the diagonal of the kernel matrix.
func finite(m *gram.Matrix) error {
	diagonal := make([]float64, m.Len())
	m.Diagonal(diagonal)
	for j, k := range diagonal {
		if math.IsNaN(k) || math.IsInf(k, 0) {
			return &DataError{Text: fmt.Sprintf("row %d: its kernel value with itself is not finite: scale the features or choose other kernel parameters", j)}
		}
	}
	return nil
}

func (b *blocks) state() loop.Point {
	if b.report != nil {
		return b.report()
	}
	return loop.Point{SupportSize: b.support, Objective: b.objective, Gap: b.gap}
}
