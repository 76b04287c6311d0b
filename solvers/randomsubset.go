package solvers

import (
	"context"
	"slices"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// RandomSubset trains on Budget random rows. It is what one tries first, and what other methods
// have to beat.
//
// Without Refit it is the C-SVC of those rows alone, all others being ignored; Objective
// and Gap are SMO's. If the rows are all of one class the model is that class, a bias without
// support vectors. With Refit the rows are the support vectors and all rows are trained on: the
// same as RSVM, with its Objective and Gap.
//
// Rows are drawn uniformly, without replacement; on a path each budget's rows are among
// those of the next.
type RandomSubset struct {
	Kernel   Kernel  // nil: RBF{}
	C        float64 // price of slack, > 0; 0: 1
	Budget   int     // number of rows, ≥ 1; 0: 100
	Refit    bool
	Epsilon  float64  // of SMO, 0: 1e-3, or with Refit of that, 0: 1e-10
	Settings Settings // MaxIterations as in SMO or RSVM, of each budget; Seed draws the rows
}

var (
	_ PathSolver    = RandomSubset{}
	_ objectivePath = RandomSubset{}
)

// Name is "RandomSubset".
func (RandomSubset) Name() string { return "RandomSubset" }

// ParameterName is "Budget".
func (RandomSubset) ParameterName() string { return "Budget" }

// Fit trains on Budget rows.
func (s RandomSubset) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of ten budgets per decade, up to Budget.
func (s RandomSubset) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s RandomSubset) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	started := time.Now()
	b, epsilon := budgeted{s.Kernel, s.C, s.Epsilon, s.Budget}, 1e-3
	if s.Refit {
		epsilon = newtonEpsilon
	}
	if err := b.resolve("RandomSubset", epsilon, s.Settings, train); err != nil {
		return nil, err
	}
	used := s
	used.Kernel, used.C, used.Epsilon, used.Budget = b.kernel, b.c, b.epsilon, min(b.budget, train.Len())
	if s.Refit {
		return s.refit(ctx, used, train, visit)
	}
	var result *Result
	var evaluations int64
	order := shuffled(train.Len(), s.Settings.Seed)
	for _, size := range sizesOf(used.Budget, visit) {
		rows := slices.Sorted(slices.Values(order[:size]))
		settings := used.Settings.remaining(time.Since(started))
		last, err := alone(ctx, train, rows, SMO{Kernel: b.kernel, C: b.c, Epsilon: b.epsilon, Settings: settings})
		if last == nil {
			return nil, err
		}
		evaluations += last.KernelEvaluations
		result = last
		if err != nil || result.Status == TimeLimit {
			break
		}
		if visit != nil {
			if err := visit(float64(size), result.Objective, result.Model); err != nil {
				return nil, err
			}
		}
	}
	result.asked, result.Solver = s, used
	result.Rows, result.KernelEvaluations, result.Runtime = train.Len(), evaluations, time.Since(started)
	return result, canceled(ctx, result.Status)
}

// refit is RSVM under this name.
func (s RandomSubset) refit(ctx context.Context, used RandomSubset, train *Dataset, visit visitor) (*Result, error) {
	same := RSVM{Kernel: used.Kernel, C: used.C, Budget: used.Budget, Epsilon: used.Epsilon, Settings: s.Settings}
	result, err := same.fitPath(ctx, train, visit)
	if result != nil {
		result.asked, result.Solver = s, used
	}
	return result, err
}

// alone trains on some rows, ascending, and gives the model its place among all.
func alone(ctx context.Context, train *Dataset, rows []int, smo SMO) (*Result, error) {
	part := train.Subset(rows)
	if slices.Min(part.Y) == slices.Max(part.Y) {
		run := startRun(ctx, smo.Settings, 1)
		nothing := func() loop.Point { return loop.Point{} }
		if ctx.Err() != nil {
			run.Next(nothing)
		}
		run.Finish(nothing)
		result := newResult(smo, smo, newModel(smo.Kernel, train, nil, part.Y[0]), run)
		return result, canceled(ctx, result.Status)
	}
	result, err := smo.Fit(ctx, part)
	if result == nil {
		return nil, err
	}
	placed := *result.Model
	placed.Indices = make([]int, len(result.Indices))
	for k, i := range result.Indices {
		placed.Indices[k] = rows[i]
	}
	result.Model = &placed
	return result, err
}
