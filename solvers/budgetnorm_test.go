package solvers_test

import (
	"math"
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// recomputeBudget is the dual, and the relative duality gap, of the weights and bias of a model
// that was not pruned.
func recomputeBudget(r *solvers.Result, d *solvers.Dataset) (objective, gap float64) {
	s := r.Solver.(solvers.BudgetSVM)
	norm := budgetNorm(s)
	var quadratic, total float64
	slack := make([]float64, d.Len())
	for i, x := range d.X {
		slack[i] = classWeight(s, d.Y[i]) * max(0, 1-d.Y[i]*r.Decision(x))
	}
	for k, i := range r.Indices {
		quadratic += r.Coefficients[k] * (r.Decision(d.X[i]) - r.Bias)
		total += r.Coefficients[k] * d.Y[i]
	}
	primal := quadratic/2 + norm.price(slack)
	return total - quadratic/2, (primal - total + quadratic/2) / primal
}

func classWeight(s solvers.BudgetSVM, y float64) float64 {
	if y > 0 {
		return s.WeightPositive
	}
	return s.WeightNegative
}

// dualBall is what the dual allows: α ≤ box, Σα ≤ sum, ‖α‖₂ ≤ ball.
type dualBall struct{ box, sum, ball float64 }

func budgetNorm(s solvers.BudgetSVM) dualBall {
	inf, b := math.Inf(1), float64(s.Budget)
	switch {
	case s.SquaredNorm:
		return dualBall{inf, s.C * math.Sqrt(b), s.C}
	case s.MixedNorm:
		return dualBall{s.C, inf, s.C * math.Sqrt(b)}
	}
	return dualBall{s.C, s.C * b, inf}
}

// price is max αᵀξ over the ball, from the sorted slacks.
func (b dualBall) price(slack []float64) float64 {
	z := slices.Clone(slack)
	slices.Sort(z)
	slices.Reverse(z)
	switch {
	case math.IsInf(b.ball, 1): // the box for as many as the sum allows
		left, value := b.sum, 0.0
		for _, x := range z {
			weight := min(b.box, left)
			value += weight * x
			left -= weight
		}
		return value
	case math.IsInf(b.sum, 1): // the box for the m greatest, the rest in proportion
		best := 0.0
		for m := 0; m <= len(z); m++ {
			left := b.ball*b.ball - float64(m)*b.box*b.box
			if left < 0 {
				break
			}
			value, squares := 0.0, 0.0
			for k, x := range z {
				if k < m {
					value += b.box * x
				} else {
					squares += x * x
				}
			}
			if value += math.Sqrt(left * squares); m == len(z) || z[m] <= 0 || math.Sqrt(left/squares)*z[m] <= b.box*(1+1e-12) {
				best = max(best, value)
			}
		}
		return best
	}
	// min over ρ of sum·ρ + ball·‖(ξ-ρ)₊‖, a convex function.
	at := func(rho float64) float64 {
		squares := 0.0
		for _, x := range z {
			squares += math.Pow(max(0, x-rho), 2)
		}
		return b.sum*rho + b.ball*math.Sqrt(squares)
	}
	low, high := 0.0, z[0]
	for range 200 {
		first, second := low+(high-low)/3, high-(high-low)/3
		if at(first) <= at(second) {
			high = second
		} else {
			low = first
		}
	}
	return min(at(0), at(low), at(high), at(z[0]))
}
