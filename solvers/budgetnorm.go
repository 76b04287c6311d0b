package solvers

import "math"

// slackNorm is a norm of the slack, given by its dual norm's ball: what the dual of a soft-margin
// SVM allows the weights α ≥ 0 is
//
//	αᵢ ≤ box,     Σα ≤ sum,     ‖α‖₂ ≤ ball,
//
// +Inf for a constraint that is not there, and the primal pays for the slack ξ ≥ 0 what such
// weights can make of it, max over α of αᵀξ. Each pair of constraints is one of the paper's
// interpolation norms:
//
//	box and sum    L1: C·‖ξ‖ of the 1-∞ norm, C times the sum of the Budget largest slacks
//	sum and ball   L2: C·‖ξ‖ of the 2-∞ norm
//	box and ball   C·‖ξ‖ of the 1-2 norm
type slackNorm struct{ box, sum, ball float64 }

// norm is the norm of the solver's kind for a budget.
func (s BudgetSVM) norm(budget int) slackNorm {
	b := float64(budget)
	switch {
	case s.SquaredNorm:
		return slackNorm{box: math.Inf(1), sum: math.Sqrt(b) * s.C, ball: s.C}
	case s.MixedNorm:
		return slackNorm{box: s.C, sum: math.Inf(1), ball: math.Sqrt(b) * s.C}
	}
	return slackNorm{box: s.C, sum: b * s.C, ball: math.Inf(1)}
}

// value is the price of the slack ξ ≥ 0. With ρ ≥ 0 for the constraint on the sum it is
//
//	min over ρ   ρ·sum + capped(ξ - ρ)
//
// and ρ is found by halving an interval: the greater ρ, the less the weights sum to.
func (n slackNorm) value(xi []float64) float64 {
	value, total := n.capped(xi, 0)
	if total <= n.sum {
		return value
	}
	low, high := 0.0, 0.0
	for _, x := range xi {
		high = max(high, x)
	}
	for {
		rho := low + (high-low)/2
		if rho <= low || rho >= high {
			break
		}
		if _, total = n.capped(xi, rho); total > n.sum {
			low = rho
		} else {
			high = rho
		}
	}
	value, _ = n.capped(xi, high)
	return high*n.sum + value
}

// capped is the price of the slack (ξ - ρ)₊ without the constraint on the sum, and the sum of the
// weights that make it.
func (n slackNorm) capped(xi []float64, rho float64) (value, total float64) {
	var count int
	var sum, squares float64
	for _, x := range xi {
		if z := x - rho; z > 0 {
			count++
			sum += z
			squares += z * z
		}
	}
	length := math.Sqrt(squares)
	switch {
	case count == 0:
		return 0, 0
	case n.box*math.Sqrt(float64(count)) <= n.ball:
		return n.box * sum, n.box * float64(count)
	case math.IsInf(n.box, 1):
		return n.ball * length, n.ball * sum / length
	}
	return n.boxAndBall(xi, rho, length/n.ball)
}

// boxAndBall is capped where both constraints may hold: the weights are min(box, z/κ), and κ, at
// most most, is the one for which they reach the ball.
func (n slackNorm) boxAndBall(xi []float64, rho, most float64) (value, total float64) {
	low, high := 0.0, most
	weights := func(kappa float64) (value, total, squares float64) {
		for _, x := range xi {
			if z := x - rho; z > 0 {
				weight := min(n.box, z/kappa)
				value += weight * z
				total += weight
				squares += weight * weight
			}
		}
		return value, total, squares
	}
	for {
		kappa := low + (high-low)/2
		if kappa <= low || kappa >= high {
			break
		}
		if _, _, squares := weights(kappa); squares > n.ball*n.ball {
			low = kappa
		} else {
			high = kappa
		}
	}
	value, total, _ = weights(high)
	return value, total
}
