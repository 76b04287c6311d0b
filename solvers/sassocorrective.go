package solvers

import (
	"cmp"
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// batch is the share of the support that enters at a time.
const batch = 0.1

// correct adds the vertices on which the gradient is least to the face and goes to the optimum on
// it. It reports whether the objective fell.
func (p *frankWolfe) correct(ctx context.Context) (better bool, err error) {
	before := p.objective()
	if err := p.completeFace(ctx); err != nil {
		return false, err
	}
	for _, j := range p.steepestOutside(max(1, int(batch*float64(len(p.face.points))))) {
		if err := p.enter(ctx, j, -sign(p.response[j]-p.basis.target[j])); err != nil {
			return false, err
		}
	}
	if err := p.optimize(ctx); err != nil {
		return false, err
	}
	if err := p.recompute(ctx); err != nil {
		return false, err
	}
	return p.objective() < before, nil
}

// completeFace puts the present support vectors on the face that are not there, as after steps
// they are not.
func (p *frankWolfe) completeFace(ctx context.Context) error {
	if p.face == nil {
		p.face = newLassoFace(p.basis)
	}
	for _, i := range p.support {
		if p.face.place[i] >= 0 || p.alpha[i] == 0 {
			continue
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err := p.enter(ctx, i, sign(p.alpha[i])); err != nil {
			return err
		}
	}
	return nil
}

// steepestOutside are up to n points outside the face whose gradient is larger than on it, the
// largest first.
func (p *frankWolfe) steepestOutside(n int) []int {
	level := 0.0
	for _, i := range p.face.points {
		level = max(level, p.slope(i))
	}
	var points []int
	for j := range p.alpha {
		if p.face.place[j] < 0 && p.slope(j) > level {
			points = append(points, j)
		}
	}
	slices.SortStableFunc(points, func(i, j int) int { return cmp.Compare(p.slope(j), p.slope(i)) })
	return points[:min(n, len(points))]
}

// slope is |∇ⱼ|.
func (p *frankWolfe) slope(j int) float64 { return math.Abs(p.response[j] - p.basis.target[j]) }

// enter adds point j to the face. If Φ(zⱼ) = Σ combination·Φ of the face's points, weight can go
// from one side of this equation to the other without a change of w̃: it goes the way on which
// ‖α‖₁ falls, until a coefficient is zero and its point leaves.
func (p *frankWolfe) enter(ctx context.Context, j int, s float64) error {
	for {
		combination, err := p.face.add(ctx, j, s)
		if combination == nil || err != nil {
			return err
		}
		way, slope := s, 1.0
		for at, a := range combination {
			slope -= s * a * p.face.signs[at]
		}
		if slope > 0 {
			way = -s
		}
		first, length := j, math.Inf(1)
		if way != s {
			length = math.Abs(p.alpha[j])
		}
		for at, i := range p.face.points {
			if reach := math.Abs(p.alpha[i] / combination[at]); way*combination[at]*p.face.signs[at] > 0 && reach < length {
				first, length = i, reach
			}
		}
		if !math.IsInf(length, 1) {
			p.alpha[j] += way * length
			for at, i := range p.face.points {
				p.alpha[i] -= way * length * combination[at]
			}
		}
		p.alpha[first] = 0
		if first == j {
			return nil
		}
		if err := p.face.remove(ctx, first); err != nil {
			return err
		}
	}
}

// optimize goes to the optimum over the convex hull of the face's vertices and 0: to the optimum
// over the whole plane through them and, where a coefficient would change its sign, only so far,
// and on without it.
func (p *frankWolfe) optimize(ctx context.Context) error {
	for len(p.face.points) > 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		goal, err := p.goal(ctx)
		if err != nil {
			return err
		}
		first, length := -1, 1.0
		for at, i := range p.face.points {
			if goal[at]*p.face.signs[at] > 0 {
				continue
			}
			reach := 0.0
			if p.alpha[i] != 0 {
				reach = p.alpha[i] / (p.alpha[i] - goal[at])
			}
			if first < 0 || reach < length {
				first, length = i, reach
			}
		}
		for at, i := range p.face.points {
			p.alpha[i] += length * (goal[at] - p.alpha[i])
		}
		if first < 0 {
			break
		}
		p.alpha[first] = 0
		if err := p.face.remove(ctx, first); err != nil {
			return err
		}
	}
	return nil
}

// goal is the optimum over the coefficients of the face's points, of any sign, whose sum with
// the face's signs is at most δ.
func (p *frankWolfe) goal(ctx context.Context) ([]float64, error) {
	free, slope := make([]float64, len(p.face.points)), slices.Clone(p.face.signs)
	for at, i := range p.face.points {
		free[at] = p.basis.target[i]
	}
	if err := p.face.factor.solveWithin(ctx, free); err != nil {
		return nil, err
	}
	if excess := floats.Dot(p.face.signs, free) - p.inner(); excess > 0 {
		if err := p.face.factor.solveWithin(ctx, slope); err != nil {
			return nil, err
		}
		floats.AddScaled(free, -excess/floats.Dot(p.face.signs, slope), slope)
	}
	return free, nil
}
