package solvers

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// homotopy is the optimum for a penalty τ, min ½αᵀKα - cᵀα + τ‖α‖₁. Its conditions are, for the
// residual r = c - Kα: rⱼ = τ·sign(αⱼ) if αⱼ ≠ 0, and |rⱼ| ≤ τ for all j. As τ falls, the
// coefficients of the face, with signs s, move along direction = K⁻¹s, and r falls by
// fall = K·direction for each unit of τ.
type homotopy struct {
	basis      *lassoBasis
	face       *lassoFace
	maxSupport int
	full       bool      // the next event would make the support larger than maxSupport
	start, tau float64   // τ at the beginning, max |c|, and now
	alpha      []float64 // by point
	residual   []float64
	fall       []float64
	direction  []float64 // by place in the face
	skipped    []bool    // points that depend on the face
	relax      bool
}

func newHomotopy(b *lassoBasis, maxSupport int) *homotopy {
	n := len(b.points)
	h := &homotopy{
		basis: b, face: newLassoFace(b), maxSupport: maxSupport,
		alpha: make([]float64, n), residual: make([]float64, n), fall: make([]float64, n), skipped: make([]bool, n),
	}
	copy(h.residual, b.target)
	for _, c := range b.target {
		h.start = max(h.start, math.Abs(c))
	}
	h.tau = h.start
	return h
}

// loop runs until τ = 0 or the support is full.
func (h *homotopy) loop(ctx context.Context, run *loop.Run, visit visitor) error {
	for h.tau > 0 && !h.full && run.Next(h.state) {
		moved, err := h.step(ctx)
		if err != nil {
			run.Abandon()
			return err
		}
		if visit != nil && moved && ctx.Err() == nil {
			objective, alpha := h.objective(), h.alpha
			if h.relax {
				m, err := h.face.relax(ctx)
				if err != nil {
					run.Next(h.state) // says that ctx ended
					return err
				}
				objective, alpha = m.objective, m.alpha
			}
			if err := visit(floats.Norm(h.alpha, 1), objective, h.basis.model(alpha)); err != nil {
				return err
			}
		}
	}
	return nil
}

// event is what happens when τ has fallen by after: point enters with a sign, or leaves if the
// sign is 0.
type event struct {
	after float64
	point int
	sign  float64
}

// rest is the share of the first τ that is as good as 0: residuals are rounded to about as much.
const rest = 1e-12

// step goes to the next breakpoint and reports whether that changed the coefficients: it does not
// when several points enter or leave at the same τ.
func (h *homotopy) step(ctx context.Context) (moved bool, err error) {
	if len(h.face.points) == 0 {
		if err := h.enterFirst(ctx); err != nil {
			return false, err
		}
	}
	if err := h.measure(ctx); err != nil {
		return false, err
	}
	next := h.next()
	last := next.after >= h.tau-rest*h.start
	if last {
		next.after = h.tau
	}
	for at, j := range h.face.points {
		h.alpha[j] += next.after * h.direction[at]
	}
	floats.AddScaled(h.residual, -next.after, h.fall)
	h.tau -= next.after
	moved = next.after > 0
	switch {
	case last:
		h.tau = 0
	case next.sign == 0:
		h.alpha[next.point] = 0
		if err := h.face.remove(ctx, next.point); err != nil {
			return false, err
		}
		clear(h.skipped)
	case len(h.face.points) >= h.maxSupport:
		h.full = true
	default:
		combination, err := h.face.add(ctx, next.point, next.sign)
		if err != nil {
			return false, err
		}
		h.skipped[next.point] = combination != nil
	}
	return moved, nil
}

// enterFirst puts a point with the largest residual on the empty face.
func (h *homotopy) enterFirst(ctx context.Context) error {
	first := 0
	for j, r := range h.residual {
		if math.Abs(r) > math.Abs(h.residual[first]) {
			first = j
		}
	}
	_, err := h.face.add(ctx, first, sign(h.residual[first]))
	return err
}

// corrections is how often the coefficients and the direction are improved against rounding.
const corrections = 3

// measure computes direction, fall and the residual anew. Where the kernel matrix of the face is
// nearly singular, the factor's solutions are inexact: they are improved by what they leave.
func (h *homotopy) measure(ctx context.Context) error {
	h.direction = append(h.direction[:0], h.face.signs...)
	if err := h.face.factor.solveWithin(ctx, h.direction); err != nil {
		return err
	}
	for round := 0; ; round++ {
		if err := h.multiply(ctx); err != nil {
			return err
		}
		alphaLeft, directionLeft := make([]float64, len(h.direction)), make([]float64, len(h.direction))
		worst := 0.0
		for at, j := range h.face.points {
			alphaLeft[at] = h.residual[j] - h.tau*h.face.signs[at]
			directionLeft[at] = h.face.signs[at] - h.fall[j]
			worst = max(worst, math.Abs(alphaLeft[at])/h.tau, math.Abs(directionLeft[at]))
		}
		if worst <= 1e-10 || round == corrections {
			return nil
		}
		for _, left := range [][]float64{alphaLeft, directionLeft} {
			if err := h.face.factor.solveWithin(ctx, left); err != nil {
				return err
			}
		}
		floats.Add(h.direction, directionLeft)
		for at, j := range h.face.points {
			h.alpha[j] += alphaLeft[at]
		}
	}
}

// multiply sets residual = c - Kα and fall = K·direction.
func (h *homotopy) multiply(ctx context.Context) error {
	copy(h.residual, h.basis.target)
	clear(h.fall)
	for at, j := range h.face.points {
		row, err := h.basis.rows.row(ctx, j)
		if err != nil {
			return err
		}
		floats.AddScaled(h.residual, -h.alpha[j], row)
		floats.AddScaled(h.fall, h.direction[at], row)
	}
	return nil
}

// next is the first event. Of several at once, the one of the first point is taken: that rule
// cannot go round in circles (Murty, Note on a Bard-type scheme for solving the complementarity
// problem, Opsearch 11, 1974).
func (h *homotopy) next() event {
	first := event{after: math.Inf(1)}
	consider := func(e event) {
		if e.after < 1e-14*h.tau {
			e.after = 0
		}
		if e.after < first.after {
			first = e
		}
	}
	rounding := 1e-12
	for at, j := range h.face.points {
		rounding += 4e-16 * math.Abs(h.direction[at]) * h.basis.diagonal[j]
	}
	for j, alpha := range h.alpha {
		if at := h.face.place[j]; at >= 0 {
			if d := h.direction[at]; d*h.face.signs[at] < 0 {
				consider(event{max(0, -alpha/d), j, 0})
			}
			continue
		}
		if h.skipped[j] {
			continue
		}
		for _, s := range [2]float64{1, -1} {
			if closing := 1 - s*h.fall[j]; closing > rounding {
				consider(event{max(0, h.tau-s*h.residual[j]) / closing, j, s})
			}
		}
	}
	return first
}

// objective is ½αᵀKα - cᵀα.
func (h *homotopy) objective() float64 {
	sum := 0.0
	for _, j := range h.face.points {
		sum -= 0.5 * h.alpha[j] * (h.basis.target[j] + h.residual[j])
	}
	return sum
}

// squaredNorm is αᵀKα.
func (h *homotopy) squaredNorm() float64 {
	sum := 0.0
	for _, j := range h.face.points {
		sum += h.alpha[j] * (h.basis.target[j] - h.residual[j])
	}
	return sum
}

func (h *homotopy) state() loop.Point {
	p := loop.Point{Objective: h.objective()}
	for _, j := range h.face.points {
		if h.alpha[j] != 0 {
			p.SupportSize++
		}
	}
	if h.start > 0 {
		p.Gap = h.tau / h.start
	}
	return p
}
