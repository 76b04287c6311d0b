package solvers

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// leaveOut is the optimum with all but its Budget largest coefficients left out.
func (f *budgetFit) leaveOut() *Model {
	beta := make([]float64, f.train.Len())
	for _, k := range f.full.largest(f.used.Budget) {
		beta[f.full.Indices[k]] = f.full.Coefficients[k]
	}
	return newModel(f.used.Kernel, f.train, beta, f.full.Bias)
}

// prune keeps the Budget largest weights and fits coefficients and bias again. The coefficients x
// bring Σ xₖΦ(xₖ) nearest to the optimum w, so that their responses at the support vectors are
// w's: Kx = g. The bias is the one with the least price of slack.
func (f *budgetFit) prune(ctx context.Context) error {
	p := f.pairs
	kept := f.leaveOut()
	target := make([]float64, kept.SupportSize())
	for k, i := range kept.Indices {
		target[k] = f.found.responses[i]
	}
	own := newRows(f.used.Kernel, kept.SupportVectors, f.used.Settings)
	matrix := make([][]float64, len(target))
	for k, v := range kept.SupportVectors {
		matrix[k] = make([]float64, len(target))
		if err := own.against(ctx, v, matrix[k]); err != nil {
			return err
		}
	}
	p.rows.evaluations += own.evaluations
	coefficients := conjugateGradients(matrix, target, kept.Coefficients)
	responses := make([]float64, len(p.y))
	if err := p.rows.combine(ctx, kept.SupportVectors, coefficients, responses); err != nil {
		return err
	}
	bias, price := f.bestBias(responses)
	beta, square := make([]float64, len(p.y)), 0.0
	for k, i := range kept.Indices {
		beta[i] = coefficients[k]
		square += coefficients[k] * responses[i]
	}
	f.pruned = newModel(f.used.Kernel, f.train, beta, bias)
	f.primal = square/2 + price
	return nil
}

// bestBias is the bias with the least price of slack for given responses, and that price. It
// narrows an interval by the golden section; where the price is level, from both ends.
func (f *budgetFit) bestBias(responses []float64) (bias, price float64) {
	slack := make([]float64, len(responses))
	at := func(bias float64) float64 {
		for t, g := range responses {
			slack[t] = max(0, 1-f.pairs.y[t]*(g+bias))
		}
		return f.pairs.norm.value(slack)
	}
	reach := 1 + max(floats.Max(responses), -floats.Min(responses))
	low, high := -reach, reach
	const golden = 0.6180339887498949
	a, b := high-golden*(high-low), low+golden*(high-low)
	priceA, priceB := at(a), at(b)
	for high-low > 1e-10*reach {
		switch {
		case priceA < priceB:
			high, b, priceB = b, a, priceA
			a = high - golden*(high-low)
			priceA = at(a)
		case priceA > priceB:
			low, a, priceA = a, b, priceB
			b = low + golden*(high-low)
			priceB = at(b)
		default:
			low, high = a, b
			a, b = high-golden*(high-low), low+golden*(high-low)
			priceA, priceB = at(a), at(b)
		}
	}
	bias = (low + high) / 2
	return bias, at(bias)
}

// conjugateGradients solves Ax = b for a positive semidefinite matrix, from a first guess. A
// singular matrix, as equal support vectors make it, is no trouble as long as b is in its range:
// the x with the least residual is returned, found before rounding takes over.
func conjugateGradients(a [][]float64, b, guess []float64) []float64 {
	n := len(b)
	x, residual, product := slices.Clone(guess), slices.Clone(b), make([]float64, n)
	apply := func(v []float64) {
		for i, row := range a {
			product[i] = floats.Dot(row, v)
		}
	}
	apply(x)
	floats.Sub(residual, product)
	direction := slices.Clone(residual)
	square, limit := floats.Dot(residual, residual), 1e-24*floats.Dot(b, b)
	best, least, since := slices.Clone(x), square, 0
	for square > limit && since < n+10 {
		apply(direction)
		curvature := floats.Dot(direction, product)
		if !(curvature > 0) || math.IsInf(curvature, 1) {
			break
		}
		step := square / curvature
		floats.AddScaled(x, step, direction)
		floats.AddScaled(residual, -step, product)
		next := floats.Dot(residual, residual)
		floats.Scale(next/square, direction)
		floats.Add(direction, residual)
		square = next
		since++
		if square < least {
			least, since = square, 0
			copy(best, x)
		}
	}
	return best
}
