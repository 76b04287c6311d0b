package solvers_test

import (
	"math"
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// everySolver is the table that the tests of this file run for all solvers. A solver that
// needs a reference gets a C-SVC with the given kernel and C = 1.
var everySolver = []struct {
	name string
	// with is the solver; reference may be nil.
	with func(kernel solvers.Kernel, reference *solvers.Model, s solvers.Settings) solvers.Solver
	// recompute gives Objective and Gap from their definition and the model alone.
	recompute func(r *solvers.Result, d *solvers.Dataset) (objective, gap float64)
	epsilon   float64
	sparse    bool // takes a reference
	// random: rows are drawn, so that their order matters; smooth: the loss is smoothed, and there is
	// no model before its basis is made.
	random, smooth bool
}{
	{"SMO", func(k solvers.Kernel, _ *solvers.Model, s solvers.Settings) solvers.Solver {
		return solvers.SMO{Kernel: k, Epsilon: 1e-5, Settings: s}
	}, recomputeSMO, 1e-5, false, false, false},
	{"ISSVM basic", issvm(solvers.ISSVM{}), recomputeISSVM, 0.5, true, false, false},
	{"ISSVM aggressive", issvm(solvers.ISSVM{Aggressive: true, Epsilon: 0.25}), recomputeISSVM, 0.25, true, false, false},
	{"ISSVM learned bias", issvm(solvers.ISSVM{LearnBias: true}), recomputeISSVM, 0.5, true, false, false},
	{"BudgetSVM L1", budgetSVM(solvers.BudgetSVM{Budget: 20}), recomputeBudget, 1e-8, false, false, false},
	{"BudgetSVM L2", budgetSVM(solvers.BudgetSVM{Budget: 40, SquaredNorm: true}), recomputeBudget, 1e-8, false, false, false},
	{"BudgetSVM mixed", budgetSVM(solvers.BudgetSVM{Budget: 10, MixedNorm: true}), recomputeBudget, 1e-8, false, false, false},
	{"ISSVM all", issvm(solvers.ISSVM{Aggressive: true, LearnBias: true, Epsilon: 0.125}), recomputeISSVM, 0.125, true, false, false},
	{"SASSO", sasso(solvers.SASSO{Delta: 8}), recomputeSASSO, 1e-3, true, false, false},
	{"SASSO fully corrective", sasso(solvers.SASSO{FullyCorrective: true, Epsilon: 1e-6}), recomputeSASSO, 1e-6, true, false, false},
	{"LassoPath", lassoPath, recomputeLassoPath, 1e-9, true, false, false},
	{"SBP", sbp(solvers.SBP{Slack: 0.3, Draws: 4}), recomputeSBP, 0.05, false, true, false},
	{"SBP no bias", sbp(solvers.SBP{Slack: 0.4, Draws: 4, NoBias: true}), recomputeSBP, 0.05, false, true, false},
	{"MinimalSVM", minimalSVM(solvers.MinimalSVM{Starts: 5, Basis: 200}), recomputeMinimal, 1e-3, false, false, true},
	{"MinimalSVM convex", minimalSVM(solvers.MinimalSVM{P: 1, Basis: 200}), recomputeMinimal, 1e-3, false, false, true},
	{"VirtualVectors", moved(solvers.VirtualVectors{Passes: 20}), recomputeMoved, 0, true, false, false},
	{"VirtualVectors L-BFGS", moved(solvers.VirtualVectors{Passes: 20, LBFGS: true}), recomputeMoved, 0, true, false, false},
	{"Condense", condense, recomputeCondense, 0, true, false, false},
}

func issvm(s solvers.ISSVM) func(solvers.Kernel, *solvers.Model, solvers.Settings) solvers.Solver {
	return func(k solvers.Kernel, reference *solvers.Model, settings solvers.Settings) solvers.Solver {
		s.Settings, s.Reference, s.Kernel = settings, reference, k
		if reference != nil {
			s.Kernel = nil
		}
		return s
	}
}

func sasso(s solvers.SASSO) func(solvers.Kernel, *solvers.Model, solvers.Settings) solvers.Solver {
	return func(k solvers.Kernel, reference *solvers.Model, settings solvers.Settings) solvers.Solver {
		s.Settings, s.Reference, s.Kernel = settings, reference, k
		if reference != nil {
			s.Kernel = nil
		}
		return s
	}
}

func sbp(s solvers.SBP) func(solvers.Kernel, *solvers.Model, solvers.Settings) solvers.Solver {
	return func(k solvers.Kernel, _ *solvers.Model, settings solvers.Settings) solvers.Solver {
		s.Kernel, s.Settings = k, settings
		return s
	}
}

// recomputeSBP has the level from the mean hinge loss, which is ν/γ for w/γ. The bound is beyond the
// model; that it holds is a test of SBP.
func recomputeSBP(r *solvers.Result, d *solvers.Dataset) (objective, gap float64) {
	level, bound := r.Solver.(solvers.SBP).Slack/meanHinge(r.Model, d), r.Certificate[0].Bound
	return level, (bound - level) / bound
}

func minimalSVM(s solvers.MinimalSVM) func(solvers.Kernel, *solvers.Model, solvers.Settings) solvers.Solver {
	return func(k solvers.Kernel, _ *solvers.Model, settings solvers.Settings) solvers.Solver {
		s.Kernel, s.Settings = k, settings
		return s
	}
}

// recomputeMinimal has the gradient in w from its definition: w - Σ sᵢΦ(xᵢ), sᵢ being the slope of row
// i's loss.
func recomputeMinimal(r *solvers.Result, d *solvers.Dataset) (objective, gap float64) {
	s := r.Solver.(solvers.MinimalSVM)
	left, sum, pull := betaOf(r.Model, d.Len()), 0.0, 1.0
	for i, margin := range r.Margins(d) {
		z := s.Sharpness * (1 - margin)
		n := (max(z, 0) + math.Log1p(math.Exp(-math.Abs(z)))) / s.Sharpness
		slope := s.C * s.P * math.Pow(n, s.P-1) / (1 + math.Exp(-z))
		if n == 0 {
			slope = 0
		}
		left[i] -= slope * d.Y[i]
		sum += slope * d.Y[i]
		pull += slope
	}
	square := sum * sum
	for i, row := range svmtest.Gram(d.X, r.Kernel.Eval) {
		for j, k := range row {
			square += left[i] * k * left[j]
		}
	}
	return minimalObjective(r.Model, s, d), math.Sqrt(max(square, 0)) / pull
}

func lassoPath(k solvers.Kernel, reference *solvers.Model, settings solvers.Settings) solvers.Solver {
	if reference != nil {
		k = nil
	}
	return solvers.LassoPath{Reference: reference, Kernel: k, Settings: settings}
}

func recomputeSMO(r *solvers.Result, d *solvers.Dataset) (objective, gap float64) {
	dual, beta := dualOf(r.Model, d, 1)
	return dual.Objective(beta), dual.Violation(beta)
}

// dualOf is the C-SVC's dual with the model's kernel, and the model's coefficients of all rows.
func dualOf(m *solvers.Model, d *solvers.Dataset, c float64) (svmtest.Dual, []float64) {
	dual := svmtest.Dual{K: svmtest.Gram(d.X, m.Kernel.Eval), Y: d.Y, C: slices.Repeat([]float64{c}, d.Len())}
	return dual, betaOf(m, d.Len())
}

func betaOf(m *solvers.Model, n int) []float64 {
	beta := make([]float64, n)
	for k, i := range m.Indices {
		beta[i] = m.Coefficients[k]
	}
	return beta
}

// recomputeISSVM is the greatest shortfall of the model from its reference.
func recomputeISSVM(r *solvers.Result, d *solvers.Dataset) (objective, gap float64) {
	worst := math.Inf(-1)
	for i, x := range d.X {
		if margin := d.Y[i] * r.Reference.Decision(x); margin > 0 {
			worst = max(worst, min(1, margin)-d.Y[i]*r.Decision(x))
		}
	}
	return worst, worst
}
