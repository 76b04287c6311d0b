package solvers

import "context"

// OneVsOne trains one two-class classifier for each of the K(K-1)/2 pairs of classes, on the
// rows of these classes alone, with a Solver of two classes. Each pair gives a vote, and a row
// gets the class with most votes, of equal ones the least. This is the method of LIBSVM, whose
// predictions SMO in here reproduces. With two classes the predictions are those of the one
// classifier.
//
// The limits in the solver's Settings hold for each of the problems. Progress counts problems;
// its SupportSize, Objective and Gap are those of the problem that reported last. A solver that
// makes a reference sparse must be without one, and fits one for every problem. With classes of
// equal size the problems have 2/K of the rows each, which together is less work than OneVsRest.
//
// Knerr, Personnaz, Dreyfus, Single-layer learning revisited, 1990; Hsu, Lin, A comparison of
// methods for multiclass support vector machines, IEEE Trans. Neural Networks 13, 2002.
type OneVsOne struct {
	Solver  Solver
	Workers int // problems solved at the same time, each with its own kernel cache; 0: 1. Results do not depend on it
}

var _ MultiSolver = OneVsOne{}

// Name is "OneVsOne(SMO)", with the name of the solver.
func (s OneVsOne) Name() string { return multiName("OneVsOne", s.Solver) }

// Fit trains on all classes that occur in train.
func (s OneVsOne) Fit(ctx context.Context, train *Dataset) (*MultiResult, error) {
	m, err := newMulticlass("OneVsOne", s.Solver, s.Workers, train)
	if err != nil {
		return nil, err
	}
	type pair struct{ negative, positive float64 }
	var pairs []pair
	for i, negative := range m.classes {
		for _, positive := range m.classes[i+1:] {
			pairs = append(pairs, pair{negative, positive})
		}
	}
	return m.fit(ctx, s, len(pairs), true, func(k int) task { return m.pair(pairs[k].negative, pairs[k].positive) })
}
