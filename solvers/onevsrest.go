package solvers

import (
	"context"
	"math"
)

// OneVsRest trains one two-class classifier for each of K classes, that class as +1 against all
// others as -1, with a Solver of two classes. A row gets the class of greatest decision value,
//
//	argmax over c   f_c(x),
//
// of equal ones the least. With two classes one classifier does, and the predictions are its own.
//
// The limits in the solver's Settings hold for each of the problems. Progress counts problems;
// its SupportSize, Objective and Gap are those of the problem that reported last. A solver that
// makes a reference sparse must be without one, and fits one for every problem. The cost is K
// times that of one problem on all rows.
//
// Vapnik, Statistical Learning Theory, 1998; Rifkin, Klautau, In defense of one-vs-all
// classification, JMLR 5, 2004.
type OneVsRest struct {
	Solver  Solver
	Workers int // problems solved at the same time, each with its own kernel cache; 0: 1. Results do not depend on it
}

var _ MultiSolver = OneVsRest{}

// Name is "OneVsRest(SMO)", with the name of the solver.
func (s OneVsRest) Name() string { return multiName("OneVsRest", s.Solver) }

// Fit trains on all classes that occur in train.
func (s OneVsRest) Fit(ctx context.Context, train *Dataset) (*MultiResult, error) {
	m, err := newMulticlass("OneVsRest", s.Solver, s.Workers, train)
	if err != nil {
		return nil, err
	}
	if len(m.classes) == 2 {
		return m.fit(ctx, s, 1, true, func(int) task { return m.pair(m.classes[0], m.classes[1]) })
	}
	return m.fit(ctx, s, len(m.classes), false, func(k int) task {
		return task{positive: m.classes[k], negative: math.NaN(), data: train.OneAgainst(m.classes[k])}
	})
}

func multiName(method string, s Solver) string {
	if s == nil {
		return method
	}
	return method + "(" + s.Name() + ")"
}
