package solvers

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// defaultBudget is the number of support vectors of solvers that are told it beforehand.
const defaultBudget = 100

// budgeted is what solvers have in common that train on a given number of vectors without a
// reference.
type budgeted struct {
	kernel     Kernel
	c, epsilon float64
	budget     int
}

// resolve checks and fills in the defaults; epsilon is that of Epsilon.
func (b *budgeted) resolve(solver string, epsilon float64, s Settings, train *Dataset) error {
	var err error
	if b.c, err = positive(solver, "C", b.c, 1); err != nil {
		return err
	}
	if b.epsilon, err = positive(solver, "Epsilon", b.epsilon, epsilon); err != nil {
		return err
	}
	if b.budget, err = checkBudget(solver, b.budget); err != nil {
		return err
	}
	if err := s.check(solver); err != nil {
		return err
	}
	if err := checkTrain(train); err != nil {
		return err
	}
	b.kernel, err = resolveKernel(b.kernel, train.Dim)
	return err
}

func checkBudget(solver string, budget int) (int, error) {
	if budget < 0 {
		return 0, &ParamError{solver, "Budget", float64(budget), "≥ 1 (0: default 100)"}
	}
	if budget == 0 {
		budget = defaultBudget
	}
	return budget, nil
}

// preferred are the budgets of a decade: ten, in about equal ratios.
var preferred = [...]float64{1, 1.25, 1.6, 2, 2.5, 3.15, 4, 5, 6.3, 8}

// budgets are the support sizes of a path: ten per decade from 1 on, and the last.
func budgets(last int) []int {
	var sizes []int
	for decade := 1.0; ; decade *= 10 {
		for _, p := range preferred {
			size := int(math.Floor(p * decade))
			if size >= last {
				return append(sizes, last)
			}
			if len(sizes) == 0 || size > sizes[len(sizes)-1] {
				sizes = append(sizes, size)
			}
		}
	}
}

// shuffled is the numbers 0 … n-1 in random order.
func shuffled(n int, seed uint64) []int {
	return rand.New(rand.NewPCG(seed, 0)).Perm(n)
}

// subset is the vectors of training rows.
func subset(train *Dataset, rows []int) []Vector {
	x := make([]Vector, len(rows))
	for k, i := range rows {
		x[k] = train.X[i]
	}
	return x
}

// nested solves for the first vectors alone, as many as sizes says, one size after the
// other, each from the solution before.
func (p *basis) nested(ctx context.Context, run *loop.Run, vectors []Vector, rows, sizes []int, epsilon float64, visit visitor) error {
	for _, size := range sizes {
		size = min(size, len(vectors))
		from := len(p.vectors)
		if err := p.grow(ctx, vectors[from:size], rows[from:size]); err != nil {
			return err
		}
		if err := p.solve(ctx, epsilon, func() bool { return run.Next(p.state) }); err != nil {
			return err
		}
		if run.Stopped() != loop.None {
			return nil
		}
		if visit != nil {
			if err := visit(float64(size), p.objective, p.model()); err != nil {
				return err
			}
		}
		if size == len(vectors) {
			return nil
		}
	}
	return nil
}

// sizesOf are the sizes that a run is for: those of a path with a visitor, else the budget.
func sizesOf(budget int, visit visitor) []int {
	if visit == nil {
		return []int{budget}
	}
	return budgets(budget)
}

// quiet is a visitor that does not look at the objective.
func quiet(visit func(parameter float64, m *Model) error) visitor {
	return func(parameter, _ float64, m *Model) error { return visit(parameter, m) }
}
