package solvers

import (
	"context"
	"math"
)

// leastViolation is where the pairs are given up: the rest is rounding, or a kernel that is not
// positive semidefinite, whose duality gap does not close.
const leastViolation = 1e-11

// optimum solves the dual for a norm to a relative duality gap of epsilon, from the weights that
// it has, which the norm allows.
//
// The ball ‖α‖₂ ≤ T couples all weights: pairs alone can stop short of the optimum. It is replaced
// by the multiplier μ, for which ‖α(μ)‖₂ falls as μ grows. 1/‖α(μ)‖₂ is nearly linear in μ, so a
// secant finds where it is 1/T, within an interval that is known to hold the point. The weights
// are then scaled into the ball, and the duality gap says whether the search was exact enough.
func (p *budgetDual) optimum(ctx context.Context, budget int, norm slackNorm, epsilon float64) error {
	if err := p.adopt(ctx, budget, norm); err != nil {
		return err
	}
	search := ballSearch{radius: norm.ball, high: math.Inf(1)}
	tolerance := 0.03
	if math.IsInf(norm.ball, 1) {
		tolerance = leastSingle // the gap is small long before
	}
	for {
		steps := p.run.Iterations()
		done, err := p.solve(ctx, tolerance, epsilon)
		if err != nil {
			return err
		}
		p.measure()
		if done && p.gap <= epsilon && p.all.matrix != p.matrices[1] {
			if err := p.precise(ctx); err != nil {
				return err
			}
			p.measure()
		}
		if !done || p.gap <= epsilon || tolerance < leastViolation {
			return nil
		}
		if math.IsInf(norm.ball, 1) {
			tolerance /= 8
			continue
		}
		length := p.length()
		// Without a step the weights are as good for this μ as for the one before.
		if search.near(p.mu, length, tolerance) || p.run.Iterations() == steps {
			tolerance /= 8
			search.widen()
		}
		p.multiply(search.next(p.mu, length, p.greatestMultiplier()))
	}
}

// adopt takes a norm up, with the cap if the norm has one and no ball, so that it is likely to be
// active.
func (p *budgetDual) adopt(ctx context.Context, budget int, norm slackNorm) error {
	p.bound(norm)
	p.all.matrix = p.matrices[0]
	switch {
	case math.IsInf(norm.ball, 1):
		p.multiply(0)
		_, err := p.holdCap(ctx)
		return err
	case p.mu == 0:
		p.multiply(0.1 * p.greatestMultiplier())
	}
	switch {
	case supportOf(p.beta) == 0:
		return p.corner(ctx, budget)
	case p.capped():
		_, err := p.holdCap(ctx)
		return err
	}
	return nil
}

// greatestMultiplier is the μ of the solution w = 0 with all slacks 1, about the greatest that
// occurs.
func (p *budgetDual) greatestMultiplier() float64 {
	return math.Sqrt(float64(len(p.beta))) / p.norm.ball
}

// ballSearch looks for the μ with ‖α(μ)‖₂ = radius, or for 0 if the ball holds ‖α(0)‖₂.
type ballSearch struct {
	radius    float64
	low, high float64 // ‖α(low)‖ > radius > ‖α(high)‖, as far as is known
	zero      bool    // ‖α(0)‖ is known too
	tried     int
	last      [2]float64 // the μ and 1/‖α‖ tried before
}

// widen makes the interval, whose ends were found at a coarser tolerance, ten times as wide on both
// sides.
func (s *ballSearch) widen() { s.low, s.high, s.zero, s.tried = s.low/10, s.high*10, false, 1 }

// mostTries is the number of multipliers tried at one tolerance.
const mostTries = 20

// near reports whether mu is as good as the tolerance lets it be.
func (s *ballSearch) near(mu, length, tolerance float64) bool {
	s.tried++
	return math.Abs(length/s.radius-1) <= tolerance || mu == 0 && length < s.radius || s.tried > mostTries
}

// next is the μ to try after the length ‖α(mu)‖.
func (s *ballSearch) next(mu, length, scale float64) float64 {
	before, now := s.last, [2]float64{mu, 1 / length}
	s.last = now
	s.zero = s.zero || mu == 0
	if length <= s.radius {
		s.high = min(s.high, mu)
	} else if s.low = max(s.low, mu); s.high <= mu {
		s.high = math.Inf(1) // at a finer tolerance ‖α(μ)‖ is on the other side
	}
	guess := mu * length / s.radius // as if α were proportional to 1/μ
	if before[1] > 0 && before[0] != now[0] && before[1] != now[1] {
		guess = mu + (1/s.radius-now[1])*(now[0]-before[0])/(now[1]-before[1])
	}
	switch {
	case s.high == 0:
		return 0
	case guess > s.low && guess < s.high && (s.tried%3 != 0 || s.low == 0):
		return guess
	case guess <= 0 && !s.zero:
		return 0
	case math.IsInf(s.high, 1):
		return max(4*mu, 1e-3*scale)
	case s.low == 0:
		return s.high / 8
	}
	return math.Sqrt(s.low * s.high)
}

// length is ‖α/k‖₂.
func (p *budgetDual) length() float64 {
	sum := 0.0
	for t, b := range p.beta {
		a := b / p.weights[p.classes[t]]
		sum += a * a
	}
	return math.Sqrt(sum)
}

// measured is the weights, scaled to what the norm allows, with the values of both problems.
type measured struct {
	scale        float64 // of β
	dual, primal float64
}

// measure computes the dual and primal objective anew, and from them Objective and Gap.
func (p *budgetDual) measure() measured {
	var quadratic, total, sum, largest float64
	for t, b := range p.beta {
		quadratic += b * p.all.response[t]
		alpha := math.Abs(b)
		total += alpha
		sum += alpha / p.weights[p.classes[t]]
		largest = max(largest, alpha/p.weights[p.classes[t]])
	}
	m := measured{scale: 1}
	switch {
	case sum == 0:
	case !math.IsInf(p.norm.ball, 1):
		// The best on the line through 0, if the norm allows it.
		m.scale = min(p.norm.ball/p.length(), p.norm.sum/sum, p.norm.box/largest)
		if quadratic > 0 {
			m.scale = min(m.scale, total/quadratic)
		}
	case sum > p.norm.sum*(1+1e-12): // more than rounding
		m.scale = p.norm.sum / sum
	}
	quadratic *= m.scale * m.scale
	bias, slack := p.bias(), make([]float64, len(p.beta))
	for t, y := range p.target {
		slack[t] = p.weights[p.classes[t]] * max(0, 1-y*(m.scale*p.all.response[t]+bias))
	}
	m.dual = m.scale*total - quadratic/2
	m.primal = quadratic/2 + p.norm.value(slack)
	p.objective, p.gap = m.dual, (m.primal-m.dual)/m.primal
	return m
}

// feasible is the greatest factor, at most 1, with which the norm allows the weights.
func (p *budgetDual) feasible() float64 {
	sum := 0.0
	for t, b := range p.beta {
		sum += math.Abs(b) / p.weights[p.classes[t]]
	}
	factor := 1.0
	if sum > p.norm.sum {
		factor = p.norm.sum / sum
	}
	if length := p.length(); length > p.norm.ball {
		factor = min(factor, p.norm.ball/length)
	}
	return factor
}
