package solvers

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// BudgetSVM is the SVM on a budget: of the slack only that of the Budget worst rows counts.
//
//	min over w, b   ½‖w‖² + C‖ξ‖,     ξᵢ = max(0, 1 - yᵢ f(xᵢ)),
//
// where ‖·‖ is an interpolation norm. The solver works on the dual, with B for Budget:
//
//	max over α   Σα - ½ΣΣ αᵢαⱼyᵢyⱼK(xᵢ, xⱼ)   subject to   Σyα = 0,  α ≥ 0  and
//	L1 (default)    αᵢ ≤ C,  Σα ≤ B·C         ‖ξ‖ is the sum of the B largest slacks
//	SquaredNorm     ‖α‖₂ ≤ C,  Σα ≤ √B·C      L2: ‖ξ‖ is near √(sum of the B largest ξ²);
//	                                          the paper prints ξ for α there once
//	MixedNorm       αᵢ ≤ C,  ‖α‖₂ ≤ √B·C      between the L1 and the L2 SVM
//
// These are the 1-∞, the 2-∞ and the 1-2 interpolation norm.
//
// Objective is the dual, which grows from 0, of the full optimum. With the primal P, Gap is (P -
// Objective)/P, and the run stops when it is at most Epsilon: P is no more than that above its
// optimum. No pair of weights being left to improve ends a run too; that matters for kernels that
// are not positive semidefinite. With L1 and Σα = B·C this is the ν-SVC with ν = B/rows, up to the
// scale of f.
//
// Budget bounds the rows at αᵢ = C, and not the support as the paper suggests: rows whose margins
// tie have weights between 0 and C, and there may be many. So the optimum is pruned: the Budget
// largest weights stay, and Refit finds coefficients and bias for them on all rows, with the same
// C. KeepAll returns the optimum itself. FullSupportSize is its support size, and Certificate has
// the dual of the optimum beside the primal after pruning.
//
// WeightNegative and WeightPositive multiply the slack of a class's rows before the norm is taken of
// it: with k for the weight, the dual's constraints are on αᵢ/kᵢ.
//
// An iteration improves two weights. They are chosen among the 1024 of a block; for a new block the
// responses of all rows take a kernel row for each weight that changed.
//
// Dekel, Singer, Support vector machines on a budget, NIPS 2006. The choice of pairs and the search for
// the multiplier of ‖α‖₂ differ from its section on SMO, whose choice can stop short of the
// optimum.
type BudgetSVM struct {
	Kernel      Kernel  // nil: RBF{}
	C           float64 // price of slack, > 0; 0: 1
	Budget      int     // support vectors, and worst rows that count, ≥ 1; 0: 100
	SquaredNorm bool    // L2
	MixedNorm   bool    // the 1-2 norm; not with SquaredNorm
	KeepAll     bool    // leave the support of the optimum as it is
	Points      int     // budgets of a path, evenly spaced by logarithm from Budget/100 to Budget, ≥ 1; 0: 10
	Epsilon     float64 // stop at this relative duality gap, > 0; 0: 1e-4
	// WeightNegative and WeightPositive multiply the slack of the rows of a class, > 0; 0: 1.
	WeightNegative, WeightPositive float64
	// Start is a model of the same training set, such as that of another Budget, from whose
	// coefficients (cut to what the norm allows) the run begins; nil: from 0.
	Start *Model

	Settings Settings // MaxIterations 0: 10⁷
}

var (
	_ PathSolver    = BudgetSVM{}
	_ objectivePath = BudgetSVM{}
)

// Name is "BudgetSVM".
func (BudgetSVM) Name() string { return "BudgetSVM" }

// ParameterName is "Budget".
func (BudgetSVM) ParameterName() string { return "Budget" }

// Fit trains for Budget.
func (s BudgetSVM) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fit(ctx, train, nil)
}

// FitPath trains for Points budgets up to Budget with the same C, each run starting from the
// optimum before, and visits their models. The result is the last one's; its Iterations are of
// all.
func (s BudgetSVM) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, func(parameter, _ float64, m *Model) error { return visit(parameter, m) })
}

func (s BudgetSVM) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	return s.fit(ctx, train, visit)
}

// budgetFit is a run over some budgets, and what it has found for the last of them.
type budgetFit struct {
	used   BudgetSVM
	train  *Dataset
	dual   *budgetDual
	found  measured
	full   *Model // the optimum
	pruned *Model // nil with KeepAll, or if the optimum is small enough
	primal float64

	evaluations int64 // of kernel values, when refitting
}

// fit trains for all budgets of a path or, without visit, for the last alone.
func (s BudgetSVM) fit(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	used, err := s.resolve(train)
	if err != nil {
		return nil, err
	}
	budgets := []int{used.Budget}
	if visit != nil {
		budgets = budgetsUpTo(used.Budget, used.Points)
	}
	run := startRun(ctx, used.Settings, 1e7)
	f := &budgetFit{used: used, train: train}
	if f.dual, err = newBudgetDual(ctx, used, train, run); err != nil {
		return nil, err
	}
	defer f.dual.team.Close()
	if err = f.dual.start(ctx, used.Start); err == nil {
		err = f.path(ctx, run, budgets, visit)
	} else {
		run.Next(f.dual.state) // says that ctx ended
		f.used.Budget = budgets[0]
		err = cmp.Or(f.extract(ctx), err)
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	model := f.model()
	run.Finish(func() loop.Point {
		return loop.Point{SupportSize: model.SupportSize(), Objective: f.dual.objective, Gap: f.dual.gap}
	})
	result := newResult(s, used, model, run)
	result.KernelEvaluations, result.Rows = f.dual.evaluations()+f.evaluations, train.Len()
	result.Certificate = f.certificate()
	if !used.KeepAll {
		result.FullSupportSize = f.full.SupportSize()
	}
	return result, canceled(ctx, result.Status)
}

func (f *budgetFit) path(ctx context.Context, run *loop.Run, budgets []int, visit visitor) error {
	for _, budget := range budgets {
		f.used.Budget = budget
		err := f.dual.optimum(ctx, budget, f.used.norm(budget), f.used.Epsilon)
		if err != nil && ctx.Err() == nil {
			return err
		}
		if ctx.Err() != nil {
			run.Next(f.dual.state) // takes note of it
		}
		if err := f.extract(ctx); err != nil {
			return err
		}
		if visit != nil && ctx.Err() == nil {
			if err := visit(float64(budget), f.dual.objective, f.model()); err != nil {
				return err
			}
		}
		if run.Stopped() != loop.None {
			return ctx.Err()
		}
	}
	return nil
}

// extract makes the models of the present weights. When ctx has ended there is no time to fit
// anything again.
func (f *budgetFit) extract(ctx context.Context) error {
	p := f.dual
	if ctx.Err() == nil {
		f.found = p.measure()
	} else {
		f.found.scale = p.feasible()
	}
	beta := make([]float64, len(p.beta))
	for t, b := range p.beta {
		beta[t] = b * f.found.scale
	}
	f.full, f.pruned = newModel(f.used.Kernel, f.train, beta, p.bias()), nil
	if f.used.KeepAll || f.full.SupportSize() <= f.used.Budget {
		return nil
	}
	if ctx.Err() != nil {
		f.pruned, f.primal = f.leaveOut(), math.Inf(1)
		return nil
	}
	return f.prune(ctx)
}

func (f *budgetFit) model() *Model {
	if f.pruned != nil {
		return f.pruned
	}
	return f.full
}

// budgetsUpTo are at most n different budgets from last/100 to last, evenly spaced by logarithm.
func budgetsUpTo(last, n int) []int {
	first := max(2, float64(last)/100)
	var out []int
	for k := range n {
		budget := last
		if k < n-1 {
			share := float64(k) / float64(n-1)
			budget = int(math.Round(first * math.Pow(float64(last)/first, share)))
		}
		if budget <= last && (len(out) == 0 || budget > out[len(out)-1]) {
			out = append(out, budget)
		}
	}
	return out
}

// certificate states the gap, the paper's property of the budget, and the price of pruning.
func (f *budgetFit) certificate() []Check {
	checks := []Check{{"primal - dual ≤ Epsilon·primal", f.found.primal - f.found.dual, f.used.Epsilon * f.found.primal}}
	if !f.used.SquaredNorm && !f.used.MixedNorm {
		bounded := 0
		for _, beta := range f.full.Coefficients {
			if beta == f.used.C*f.used.WeightPositive || -beta == f.used.C*f.used.WeightNegative {
				bounded++
			}
		}
		checks = append(checks, Check{"rows with α = C ≤ Budget", float64(bounded), float64(f.used.Budget)})
	}
	if f.pruned != nil {
		checks = append(checks,
			Check{"support vectors ≤ those of the optimum", float64(f.pruned.SupportSize()), float64(f.full.SupportSize())},
			Check{"dual of the optimum ≤ primal of the pruned model", f.found.dual, f.primal})
	}
	return checks
}

// resolve checks the parameters and the data and fills in the defaults.
func (s BudgetSVM) resolve(train *Dataset) (BudgetSVM, error) {
	var err error
	for _, field := range []struct {
		name      string
		value     *float64
		byDefault float64
	}{{"C", &s.C, 1}, {"Epsilon", &s.Epsilon, 1e-4}, {"WeightNegative", &s.WeightNegative, 1}, {"WeightPositive", &s.WeightPositive, 1}} {
		if *field.value, err = positive("BudgetSVM", field.name, *field.value, field.byDefault); err != nil {
			return s, err
		}
	}
	for _, field := range []struct {
		name      string
		value     *int
		byDefault int
	}{{"Budget", &s.Budget, 100}, {"Points", &s.Points, 10}} {
		if *field.value < 0 {
			return s, &ParamError{"BudgetSVM", field.name, float64(*field.value), fmt.Sprintf("≥ 1 (0: default %d)", field.byDefault)}
		}
		if *field.value == 0 {
			*field.value = field.byDefault
		}
	}
	if s.SquaredNorm && s.MixedNorm {
		return s, fmt.Errorf("BudgetSVM: SquaredNorm and MixedNorm are both set: want one at most")
	}
	if err := s.Settings.check("BudgetSVM"); err != nil {
		return s, err
	}
	if err := checkTrain(train); err != nil {
		return s, err
	}
	if err := checkStart("BudgetSVM", s.Start, train); err != nil {
		return s, err
	}
	s.Kernel, err = resolveKernel(s.Kernel, train.Dim)
	return s, err
}
