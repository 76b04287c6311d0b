package solvers

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// frankWolfe is the state of a run. The gradient is response - target.
type frankWolfe struct {
	used      SASSO
	basis     *lassoBasis
	radius    float64   // δ
	alpha     []float64 // by point
	response  []float64 // Kα, by recursion
	support   []int     // points with α ≠ 0, ascending
	toward    int       // the point with the largest |∇|, -1 if there is no point
	steepest  float64   // that |∇|
	quadratic float64   // αᵀKα
	linear    float64   // cᵀα
	norm1     float64   // ‖α‖₁
	since     int       // steps since response was computed from α
	steps     int       // at this radius
	exact     bool      // corrections have done at this radius what rounding allows
	face      *lassoFace
	relaxed   *relaxedModel // of the last radius; nil without Relaxed
}

func newFrankWolfe(used SASSO, b *lassoBasis) *frankWolfe {
	n := len(b.points)
	return &frankWolfe{used: used, basis: b, radius: used.Delta, alpha: make([]float64, n), response: make([]float64, n), toward: -1}
}

// margin is what a run stays below δ, relative to it, so that ‖α‖₁ ≤ δ holds however the sum is
// rounded.
const margin = 0x1p-40

func (p *frankWolfe) inner() float64 { return p.radius * (1 - margin) }

func (p *frankWolfe) path(ctx context.Context, run *loop.Run, radii []float64, visit visitor) error {
	for _, delta := range radii {
		p.widen(delta)
		if err := p.loop(ctx, run); err != nil {
			p.relaxed = nil
			return err
		}
		objective, alpha := p.objective(), p.alpha
		if p.used.Relaxed {
			m, err := p.basis.relaxSupport(ctx, p.alpha)
			if err != nil {
				run.Next(p.state) // says that ctx ended
				p.relaxed = nil
				return err
			}
			p.relaxed, objective, alpha = &m, m.objective, m.alpha
		}
		if visit != nil && ctx.Err() == nil && len(p.support) > 0 {
			if err := visit(delta, objective, p.basis.model(alpha)); err != nil {
				return err
			}
		}
		if run.Stopped() != loop.None {
			break
		}
	}
	return nil
}

// widen sets the radius and starts from the best multiple of the present coefficients.
func (p *frankWolfe) widen(delta float64) {
	p.radius = delta
	factor := 1.0
	if p.norm1 > 0 {
		factor = p.inner() / p.norm1
		if p.quadratic > 0 {
			factor = min(factor, p.linear/p.quadratic)
		}
	}
	p.scale(factor)
	p.steps, p.exact = 0, false
	switch {
	case !p.used.FullyCorrective:
		p.face = nil
	case p.face == nil:
		p.face = newLassoFace(p.basis)
	}
}

// loop runs until the gap is small, and still is when the responses are computed anew.
func (p *frankWolfe) loop(ctx context.Context, run *loop.Run) error {
	for {
		if p.relativeGap() <= p.used.Epsilon {
			if p.since == 0 {
				return nil
			}
			if err := p.recompute(ctx); err != nil {
				run.Next(p.state) // says that ctx ended
				return err
			}
			continue
		}
		if !run.Next(p.state) {
			return nil
		}
		if err := p.iterate(ctx); err != nil {
			run.Abandon()
			return err
		}
	}
}

// patience is the number of steps at one radius that are always allowed.
const patience = 1000

// iterate makes a step or a correction. Where steps alone would take long, because many support
// vectors are nearly dependent, corrections take over: after as many steps as cost about what the
// factor does, size³/3 multiplications against some 20 per point and step.
func (p *frankWolfe) iterate(ctx context.Context) error {
	size, n := float64(len(p.support)), float64(len(p.alpha))
	patient := p.steps < patience+10*len(p.support)
	if !patient && p.radius >= floats.Norm(p.basis.beta, 1) {
		copy(p.alpha, p.basis.beta) // the optimum
		return p.recompute(ctx)
	}
	if p.face != nil || !p.exact && float64(p.steps) >= patience+size*size*size/(60*n) {
		before := slices.Clone(p.alpha)
		better, err := p.correct(ctx)
		if err != nil {
			copy(p.alpha, before) // what the responses belong to
		}
		if better || err != nil {
			return err
		}
		p.face, p.exact = nil, true
	}
	// The recursion of the responses starts anew; the more support vectors, the more that costs.
	if p.since >= patience+10*len(p.support) {
		if err := p.recompute(ctx); err != nil {
			return err
		}
	}
	return p.step(ctx)
}

// step makes the Frank-Wolfe or the pairwise step, whichever decreases the objective more.
func (p *frankWolfe) step(ctx context.Context) error {
	j := p.toward
	row, err := p.basis.rows.row(ctx, j)
	if err != nil {
		return err
	}
	vertex := -sign(p.response[j] - p.basis.target[j])
	// From α to the vertex inner·vertex·eⱼ.
	reach := p.inner()
	slope := p.quadratic - p.linear + reach*p.steepest
	curvature := p.quadratic - 2*reach*vertex*p.response[j] + reach*reach*p.basis.diagonal[j]
	whole, wholeGain := lineSearch(slope, curvature, 1)
	from, amount, gain := p.bestPair(j, vertex, row)
	p.since++
	p.steps++
	if wholeGain > gain {
		for _, i := range p.support {
			p.alpha[i] *= 1 - whole
		}
		p.alpha[j] += vertex * whole * reach
		p.advance(1-whole, vertex*whole*reach, row, 0, row)
		return nil
	}
	if from < 0 {
		p.alpha[j] += vertex * amount
		p.advance(1, vertex*amount, row, 0, row)
		return nil
	}
	other, err := p.basis.rows.row(ctx, from)
	if err != nil {
		return err
	}
	taken := math.Copysign(amount, p.alpha[from])
	p.alpha[from] -= taken // exactly zero if all is taken
	p.alpha[j] += vertex * amount
	p.advance(1, vertex*amount, row, -taken, other)
	return nil
}

// bestPair is the support vector to take weight from, for a step to the vertex of point j, how
// much, and what that gains. It is -1 for weight that is free because ‖α‖₁ < δ.
func (p *frankWolfe) bestPair(j int, vertex float64, row []float64) (from int, amount, gain float64) {
	diagonal := p.basis.diagonal
	from = -1
	amount, gain = lineSearch(p.steepest, diagonal[j], max(0, p.inner()-p.norm1))
	for _, i := range p.support {
		s := sign(p.alpha[i])
		slope := p.steepest + s*(p.response[i]-p.basis.target[i])
		a, g := lineSearch(slope, diagonal[j]+diagonal[i]-2*s*vertex*row[i], math.Abs(p.alpha[i]))
		if g > gain {
			from, amount, gain = i, a, g
		}
	}
	return from, amount, gain
}

// lineSearch is the step in [0, limit] that decreases the objective most, and by how much: at t
// by slope·t - ½curvature·t².
func lineSearch(slope, curvature, limit float64) (step, gain float64) {
	step = limit
	if slope < curvature*limit {
		step = max(0, slope/curvature)
	}
	return step, step * (slope - 0.5*curvature*step)
}

// advance makes the response keep·response + a·rowA + b·rowB, as the changed coefficients want it,
// and measures anew.
func (p *frankWolfe) advance(keep, a float64, rowA []float64, b float64, rowB []float64) {
	response := p.response
	target, rowA, rowB := p.basis.target[:len(response)], rowA[:len(response)], rowB[:len(response)]
	toward, steepest, support := -1, -1.0, p.support[:0]
	for j, q := range response {
		q = keep*q + a*rowA[j] + b*rowB[j]
		response[j] = q
		if slope := math.Abs(q - target[j]); slope > steepest {
			toward, steepest = j, slope
		}
		if p.alpha[j] != 0 {
			support = append(support, j)
		}
	}
	p.toward, p.steepest, p.support = toward, max(steepest, 0), support
	p.quadratic, p.linear, p.norm1 = 0, 0, 0
	for _, i := range p.support {
		p.quadratic += p.alpha[i] * response[i]
		p.linear += p.alpha[i] * target[i]
		p.norm1 += math.Abs(p.alpha[i])
	}
	if p.norm1 > p.radius*(1-margin/2) {
		p.scale(p.inner() / p.norm1)
	}
}

// scale multiplies all coefficients.
func (p *frankWolfe) scale(factor float64) {
	for _, i := range p.support {
		p.alpha[i] *= factor
	}
	p.advance(factor, 0, p.response, 0, p.response)
}

// recompute makes the responses from the coefficients.
func (p *frankWolfe) recompute(ctx context.Context) error {
	sum := make([]float64, len(p.response))
	for i, alpha := range p.alpha {
		if alpha == 0 {
			continue
		}
		row, err := p.basis.rows.row(ctx, i)
		if err != nil {
			return err
		}
		floats.AddScaled(sum, alpha, row)
	}
	p.response, p.since = sum, 0
	p.advance(1, 0, sum, 0, sum)
	return nil
}

// objective is ½αᵀKα - cᵀα.
func (p *frankWolfe) objective() float64 { return 0.5*p.quadratic - p.linear }

// gap is ⟨α - u, ∇⟩ for the best vertex u: the objective is at most that above its optimum.
func (p *frankWolfe) gap() float64 { return p.quadratic - p.linear + p.radius*p.steepest }

// relativeGap is a bound on how far the objective is above its optimum, as a share of that.
func (p *frankWolfe) relativeGap() float64 {
	gap, objective := max(p.gap(), 0), p.objective()
	if gap == 0 {
		return 0
	}
	if gap >= -objective {
		return 1 // as 0 is feasible, the optimum is at least as far from 0
	}
	return gap / -objective
}

func (p *frankWolfe) certificate() []Check {
	return []Check{
		{"‖α‖₁ ≤ δ", p.norm1, p.radius},
		{"duality gap αᵀ∇ + δ·max |∇ⱼ| ≤ ε·|objective|", p.gap(), -p.used.Epsilon * p.objective()},
	}
}

func (p *frankWolfe) state() loop.Point {
	return loop.Point{SupportSize: len(p.support), Objective: p.objective(), Gap: p.relativeGap()}
}
