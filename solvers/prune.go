package solvers

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// Prune keeps the Budget support vectors of a dense model whose coefficients are greatest in
// magnitude; of equal ones the first. A C-SVC has many coefficients at its bound C, so that the
// choice among those is one of order alone.
//
// Without Refit the coefficients and the bias stay; Objective is what was left out, Σ|βᵢ|, by
// which and R the norm of the change is bounded, ‖w̃ - w‖ ≤ R Σ|βᵢ|, and Gap is its share of the
// whole. With Refit they are found anew, as Refit does, with its Objective and Gap.
type Prune struct {
	Reference *Model  // nil: SMO{Kernel, C} is fitted first
	Kernel    Kernel  // of that SMO; only without Reference
	C         float64 // price of the squared slack for Refit, and of the slack for that SMO, > 0; 0: 1
	Budget    int     // number of support vectors, ≥ 1; 0: 100
	Refit     bool
	Epsilon   float64  // of Refit, stop when Gap is at most, > 0; 0: 1e-10
	Settings  Settings // MaxIterations as in Refit
}

var (
	_ PathSolver    = Prune{}
	_ objectivePath = Prune{}
)

// Name is "Prune".
func (Prune) Name() string { return "Prune" }

// ParameterName is "Budget".
func (Prune) ParameterName() string { return "Budget" }

// Fit keeps Budget support vectors.
func (s Prune) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of ten budgets per decade, up to Budget.
func (s Prune) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s Prune) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	started := time.Now()
	b := budgeted{s.Kernel, s.C, s.Epsilon, s.Budget}
	if err := b.resolve("Prune", newtonEpsilon, s.Settings, train); err != nil {
		return nil, err
	}
	model, fit, err := supportToKeep(ctx, "Prune", s.Reference, s.Kernel, s.C, s.Settings, train)
	if model == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	used := s
	used.Reference, used.Kernel, used.C, used.Epsilon = model, nil, b.c, b.epsilon
	used.Budget = min(b.budget, model.SupportSize())
	run := startRun(ctx, s.Settings.remaining(time.Since(started)), newtonSteps)
	var result *Result
	if s.Refit {
		p := newBasis(ctx, train, model.Kernel, b.c, s.Settings)
		if err == nil {
			err = p.prune(ctx, run, used, visit)
		}
		result = p.finish(s, used, run, err)
	} else {
		result, err = s.cut(run, used, train, visit)
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	result.addReference(model, fit, time.Since(started))
	result.FullSupportSize = model.SupportSize()
	return result, canceled(ctx, result.Status)
}

// prune refits the largest coefficients.
func (p *basis) prune(ctx context.Context, run *loop.Run, used Prune, visit visitor) error {
	m := used.Reference
	places := m.largest(used.Budget)
	vectors, rows := make([]Vector, len(places)), noRows(len(places))
	known := m.onRows(p.train.X)
	for k, place := range places {
		vectors[k] = m.SupportVectors[place]
		if known {
			rows[k] = m.Indices[place]
		}
	}
	return p.nested(ctx, run, vectors, rows, sizesOf(used.Budget, visit), used.Epsilon, visit)
}

// cut leaves the coefficients as they are. An iteration is a model of the path.
func (s Prune) cut(run *loop.Run, used Prune, train *Dataset, visit visitor) (*Result, error) {
	m := used.Reference
	places := m.largest(m.SupportSize())
	pruned := &Model{Kernel: m.Kernel, Bias: m.Bias, Labels: m.Labels}
	var out, whole float64
	for _, beta := range m.Coefficients {
		whole += math.Abs(beta)
	}
	state := func() loop.Point {
		return loop.Point{SupportSize: pruned.SupportSize(), Objective: out, Gap: out / max(whole, math.SmallestNonzeroFloat64)}
	}
	for _, size := range sizesOf(used.Budget, visit) {
		if !run.Next(state) {
			break
		}
		pruned, out = m.only(places[:size]), 0
		for _, place := range places[size:] {
			out += math.Abs(m.Coefficients[place])
		}
		if visit == nil {
			continue
		}
		if err := visit(float64(size), out, pruned); err != nil {
			return nil, err
		}
	}
	run.Finish(state)
	result := newResult(s, used, pruned, run)
	result.Rows = train.Len()
	return result, nil
}

// only is the model with some of its support vectors, in their order.
func (m *Model) only(places []int) *Model {
	part := &Model{Kernel: m.Kernel, Bias: m.Bias, Labels: m.Labels}
	if m.Indices != nil {
		part.Indices = []int{}
	}
	for _, k := range slices.Sorted(slices.Values(places)) {
		part.SupportVectors = append(part.SupportVectors, m.SupportVectors[k])
		part.Coefficients = append(part.Coefficients, m.Coefficients[k])
		if m.Indices != nil {
			part.Indices = append(part.Indices, m.Indices[k])
		}
	}
	return part
}
