package solvers

import (
	"context"
	"math/rand/v2"
)

// RBP is the Randomized Budget Perceptron: the kernel perceptron with at most Budget support
// vectors. A row on the wrong side, yᵢ f(xᵢ) ≤ 0, becomes a support vector with the coefficient
// yᵢ; if there are Budget already, one of them, drawn uniformly, leaves.
//
// There is no bias. The first pass takes the rows in their order, others in random ones. A row that
// is a mistake again counts as one more of the Budget; in the model it is one support
// vector. Against every sequence u₁, u₂, … of changing opponents the expected number
// of mistakes is bounded by their losses, norms and total shift (theorem 5).
//
// An iteration looks at one row and costs at most Budget kernel values. Objective is the number of
// mistakes of the run, and Gap the share of rows that were mistakes in the last complete pass.
// There is one run for each budget of a path.
//
// Cavallanti, Cesa-Bianchi, Gentile, Tracking the best hyperplane with a simple budget Perceptron,
// Machine Learning 69, 2007.
type RBP struct {
	Kernel   Kernel   // nil: RBF{}
	Budget   int      // number of support vectors, ≥ 1; 0: 100
	Passes   int      // over the rows, ≥ 1; 0: 1
	Settings Settings // MaxIterations, of rows looked at, 0: those of all passes; Seed draws who leaves, and orders
}

var (
	_ PathSolver    = RBP{}
	_ objectivePath = RBP{}
)

// Name is "RBP".
func (RBP) Name() string { return "RBP" }

// ParameterName is "Budget".
func (RBP) ParameterName() string { return "Budget" }

// Fit looks at all rows.
func (s RBP) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of ten budgets per decade, up to Budget.
func (s RBP) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s RBP) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	b := passes(s)
	if err := b.resolve("RBP", train); err != nil {
		return nil, err
	}
	result, _, err := b.runs(ctx, s, RBP(b), train, visit, func(budget int) (*online, rule) {
		o, random := newOnline(train, b.Kernel), rand.New(rand.NewPCG(s.Settings.Seed, 1))
		return o, func(i int, f float64) error {
			if train.Y[i]*f > 0 {
				return nil
			}
			if len(o.vectors) == budget {
				o.remove(random.IntN(budget))
			}
			o.append(i, train.Y[i])
			return o.counted()
		}
	}, (*online).counted)
	return result, err
}
