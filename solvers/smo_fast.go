package solvers

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// gramKernel is the package's own kernel as gram knows it; false for a kernel of the user.
func gramKernel(k Kernel) (gram.Kernel, bool) {
	switch k := k.(type) {
	case Linear:
		return gram.Kernel{Kind: gram.Linear}, true
	case RBF:
		return gram.Kernel{Kind: gram.RBF, Gamma: k.Gamma}, true
	case Poly:
		return gram.Kernel{Kind: gram.Polynomial, Gamma: k.Gamma, Coef0: k.Coef0, Degree: k.degree()}, true
	case Sigmoid:
		return gram.Kernel{Kind: gram.Sigmoid, Gamma: k.Gamma, Coef0: k.Coef0}, true
	}
	return gram.Kernel{}, false
}

// fitBlocks trains by blocks; s has its defaults filled in and asked is what the user gave.
func (s SMO) fitBlocks(ctx context.Context, asked SMO, kernel gram.Kernel, train *Dataset) (*Result, error) {
	n := train.Len()
	d := s.problem(train)
	run := startRun(ctx, s.Settings, max(1e7, 100*n))
	b := &blocks{dual: d, kernel: kernel, workers: s.Settings.Workers, epsilon: s.Epsilon, run: run,
		inner: newInner(n), gap: math.Inf(1), support: supportOf(d.beta)}
	residual, evaluations, err := b.solve(ctx)
	if err != nil {
		return nil, err
	}
	run.Finish(b.state)
	result := newResult(asked, s, newModel(s.Kernel, train, d.beta, d.bias(residual)), run)
	result.KernelEvaluations, result.Rows = evaluations, n
	return result, canceled(ctx, result.Status)
}

// bias is the level of a problem without groups.
func (d *dual) bias(residual []float64) float64 { return d.level(residual, 0) }

// level is the mean residual of the variables of a group between their bounds, of those known if
// there are such; without any, the middle of the interval that the optimality conditions leave.
func (d *dual) level(residual []float64, group uint8) float64 {
	sum, free := 0.0, 0
	for _, t := range d.known {
		if d.groupOf(t) == group && d.lower[t] < d.beta[t] && d.beta[t] < d.upper[t] {
			sum += residual[t]
			free++
		}
	}
	if free > 0 {
		return sum / float64(free)
	}
	most, least := math.Inf(-1), math.Inf(1)
	for t, r := range residual {
		if d.groupOf(t) != group {
			continue
		}
		above, below := d.beta[t] < d.upper[t], d.beta[t] > d.lower[t]
		if above && below {
			sum += r
			free++
		}
		if above {
			most = max(most, r)
		}
		if below {
			least = min(least, r)
		}
	}
	switch {
	case free > 0:
		return sum / float64(free)
	case math.IsInf(most, -1): // all of the group are at their upper bounds
		return least
	case math.IsInf(least, 1):
		return most
	}
	return (most + least) / 2
}
