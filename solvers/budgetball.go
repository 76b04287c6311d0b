package solvers

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
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
func (p *budgetPairs) optimum(ctx context.Context, run *loop.Run, norm slackNorm, epsilon float64) error {
	p.settle(norm, p.mu)
	if math.IsInf(norm.ball, 1) {
		p.settle(norm, 0)
	} else if p.mu == 0 {
		p.settle(norm, 0.1*p.greatestMultiplier())
	}
	search := ballSearch{radius: norm.ball}
	search.forget()
	for tolerance := 0.03; ; {
		done, err := p.solve(ctx, run, tolerance)
		p.measure()
		if err != nil || !done || p.gap <= epsilon || tolerance < leastViolation {
			return err
		}
		if math.IsInf(norm.ball, 1) {
			tolerance /= 8
			continue
		}
		length := math.Sqrt(p.squares())
		if search.near(p.mu, length, tolerance) {
			tolerance /= 8
			search.forget()
		}
		p.settle(norm, search.next(p.mu, length, p.greatestMultiplier()))
	}
}

// greatestMultiplier is the μ of the solution w = 0 with all slacks 1, about the greatest that
// occurs.
func (p *budgetPairs) greatestMultiplier() float64 {
	return math.Sqrt(float64(len(p.y))) / p.norm.ball
}

// ballSearch looks for the μ with ‖α(μ)‖₂ = radius, or for 0 if the ball holds ‖α(0)‖₂.
type ballSearch struct {
	radius    float64
	low, high float64 // ‖α(low)‖ > radius > ‖α(high)‖, as far as is known
	zero      bool    // ‖α(0)‖ is known too
	tried     int
	last      [2]float64 // the μ and 1/‖α‖ tried before
}

// forget drops the interval: its ends were found at a coarser tolerance.
func (s *ballSearch) forget() { s.low, s.high, s.zero, s.tried = 0, math.Inf(1), false, 0 }

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
	case guess > s.low && guess < s.high:
		return guess
	case guess <= 0 && !s.zero:
		return 0
	case math.IsInf(s.high, 1):
		return max(4*mu, 1e-3*scale)
	case s.low == 0:
		return s.high / 8
	}
	return s.low + (s.high-s.low)/2
}

func (p *budgetPairs) squares() float64 {
	sum := 0.0
	for _, b := range p.beta {
		sum += b * b
	}
	return sum
}

// measured is the weights, scaled to what the norm allows, with the values of both problems.
type measured struct {
	scale        float64   // of β
	responses    []float64 // g(x_t) of the scaled weights
	dual, primal float64
}

// measure computes the dual and primal objective anew, and from them Objective and Gap.
func (p *budgetPairs) measure() measured {
	m := measured{responses: make([]float64, len(p.y))}
	var quadratic, total, largest float64
	for t, b := range p.beta {
		m.responses[t] = p.y[t] - p.residual[t] - p.mu*b
		quadratic += b * m.responses[t]
		total += math.Abs(b)
		largest = max(largest, math.Abs(b))
	}
	m.scale = 1
	if !math.IsInf(p.norm.ball, 1) && total > 0 {
		// The best on the line through 0, if the norm allows it.
		m.scale = min(p.norm.ball/math.Sqrt(p.squares()), p.norm.sum/total, p.norm.box/largest)
		if quadratic > 0 {
			m.scale = min(m.scale, total/quadratic)
		}
	}
	quadratic *= m.scale * m.scale
	bias, slack := p.bias(), make([]float64, len(p.y))
	for t := range m.responses {
		m.responses[t] *= m.scale
		slack[t] = max(0, 1-p.y[t]*(m.responses[t]+bias))
	}
	m.dual = m.scale*total - quadratic/2
	m.primal = quadratic/2 + p.norm.value(slack)
	p.objective, p.gap = m.dual, (m.primal-m.dual)/m.primal
	return m
}
