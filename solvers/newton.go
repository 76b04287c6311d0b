package solvers

import (
	"context"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// solve makes Newton steps until the gap is at most epsilon or next, which is asked before each
// step, says no. Rounding can keep the gap from becoming so small; then the run ends where a step
// no longer lowers the objective.
func (p *basis) solve(ctx context.Context, epsilon float64, next func() bool) error {
	if err := p.measure(ctx); err != nil {
		return err
	}
	for p.gap > epsilon && next() {
		before := p.objective
		if err := p.move(ctx); err != nil {
			return err
		}
		if err := p.measure(ctx); err != nil {
			return err
		}
		if p.objective >= before {
			break
		}
	}
	return nil
}

// measure finds which rows count, and with them the objective, the Newton step and the gap.
func (p *basis) measure(ctx context.Context) error {
	if err := p.recount(ctx); err != nil {
		return err
	}
	loss := 0.0
	for i, f := range p.response {
		p.residual[i] = 0
		if p.counted[i] {
			p.residual[i] = p.target[i] - f
			loss += p.residual[i] * p.residual[i]
		}
	}
	size := len(p.beta)
	rBeta, err := p.regularized(ctx, p.beta)
	if err != nil {
		return err
	}
	gradient := make([]float64, size) // over 2C
	err = gram.Each(ctx, p.workers, size, func(v int) error {
		gradient[v] = rBeta[v]/(2*p.c) - floats.Dot(p.column[v], p.residual)
		return nil
	})
	if err != nil {
		return err
	}
	p.norm2 = floats.Dot(rBeta, p.beta)
	p.objective = p.norm2/2 + p.c*loss
	if !p.factored {
		if err := p.factorize(ctx); err != nil {
			return err
		}
	}
	right := make([]float64, len(p.place))
	for k, v := range p.place {
		right[k] = -gradient[v]
	}
	if err := p.factor.solveWithin(ctx, right); err != nil {
		return err
	}
	clear(p.step)
	decrement := 0.0
	for k, v := range p.place {
		p.step[v] = right[k]
		decrement -= gradient[v] * right[k]
	}
	// The quadratic model falls by half the decrement, in units of 2C.
	p.gap = 0
	if decrement > 0 {
		p.gap = min(p.c*decrement/p.objective, 1)
	}
	return nil
}

// recount brings counted and gram up to date with the responses.
func (p *basis) recount(ctx context.Context) error {
	var in, out []int
	for i, f := range p.response {
		counts := p.squares || p.target[i]*f < 1
		switch {
		case counts && !p.counted[i]:
			in = append(in, i)
		case !counts && p.counted[i]:
			out = append(out, i)
		}
	}
	if len(in)+len(out) == 0 {
		return nil
	}
	sums, err := triangle(ctx, 0, len(p.gram))
	if err != nil {
		return err
	}
	if err := p.cross(ctx, in, p.column, p.column, 1, sums); err != nil {
		return err
	}
	if err := p.cross(ctx, out, p.column, p.column, -1, sums); err != nil {
		return err
	}
	// Both parts of what follows happen, or none.
	err = gram.Each(ctx, p.workers, len(sums), func(v int) error {
		floats.Add(sums[v], p.gram[v])
		return nil
	})
	if err != nil {
		return err
	}
	p.gram = sums
	for _, i := range in {
		p.counted[i] = true
	}
	for _, i := range out {
		p.counted[i] = false
	}
	p.factored = false
	return nil
}

// factorize makes the factor anew. Of the variables left it takes the one that depends least on
// those before, so that coefficients stay as small as they can.
func (p *basis) factorize(ctx context.Context) error {
	p.factor, p.place, p.factored = cholesky{}, p.place[:0], false
	size := len(p.beta)
	rest, rows, left := make([]float64, size), make([][]float64, size), make([]int, size)
	for v := range left {
		left[v], rest[v], rows[v] = v, 1, make([]float64, 0, v+1)
	}
	for len(left) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		best := 0
		for k, v := range left {
			if rest[v] > rest[left[best]] {
				best = k
			}
		}
		pivot := left[best]
		left = slices.Delete(left, best, best+1)
		if diagonal := p.hessian(pivot, pivot); !(rest[pivot] > dependentVariable && diagonal > 0) {
			break
		}
		row := rows[pivot]
		root := math.Sqrt(rest[pivot] * p.hessian(pivot, pivot))
		for _, v := range left {
			entry := (p.hessian(v, pivot) - floats.Dot(rows[v], row)) / root
			rows[v] = append(rows[v], entry)
			if diagonal := p.hessian(v, v); diagonal > 0 {
				rest[v] -= entry * entry / diagonal
			} else {
				rest[v] = 0
			}
		}
		p.factor.rows = append(p.factor.rows, append(row, root))
		p.place = append(p.place, pivot)
	}
	p.factored = true
	return nil
}

// hessian is an entry of R/(2C) + gram.
func (p *basis) hessian(v, u int) float64 {
	v, u = max(v, u), min(v, u)
	return p.r[v][u]/(2*p.c) + p.gram[v][u]
}

// extend adds variable v to the factor, unless it depends on those there. When ctx ends the factor
// is to be made anew.
func (p *basis) extend(ctx context.Context, v int) {
	column := make([]float64, len(p.place))
	for k, u := range p.place {
		column[k] = p.hessian(v, u)
	}
	diagonal := p.hessian(v, v)
	square, err := p.factor.forwardWithin(ctx, slices.Clone(column))
	if rest := diagonal - square; err == nil && !(rest > dependentVariable*diagonal) {
		return
	}
	added := false
	if err == nil {
		added, err = p.factor.addWithin(ctx, column, diagonal)
	}
	if added {
		p.place = append(p.place, v)
	}
	p.factored = err == nil
}

// dependentVariable is the share of its diagonal below which what is left of a variable counts as
// none: with less, rounding makes steps along it that go nowhere.
const dependentVariable = 1e-12

// regularized is R times the vector x.
func (p *basis) regularized(ctx context.Context, x []float64) ([]float64, error) {
	out := make([]float64, len(x))
	for v, row := range p.r {
		if v%lookRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		out[v] += floats.Dot(row, x[:v+1])
		floats.AddScaled(out[:v], x[v], row[:v])
	}
	return out, nil
}

// triangle is room for the rows from … to-1 of a lower triangle.
func triangle(ctx context.Context, from, to int) ([][]float64, error) {
	rows := make([][]float64, to-from)
	for k := range rows {
		if k%lookRows == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		rows[k] = make([]float64, from+k+1)
	}
	return rows, nil
}

// move goes along the Newton step to where the objective is least.
func (p *basis) move(ctx context.Context) error {
	direction := make([]float64, len(p.response))
	if err := p.combine(ctx, p.step, direction); err != nil {
		return err
	}
	t, err := p.search(ctx, direction)
	if err != nil {
		return err
	}
	floats.AddScaled(p.beta, t, p.step)
	p.norm2 = 0
	floats.AddScaled(p.response, t, direction)
	return nil
}

// searchTolerance is the share of the slope at 0 that counts as none.
const searchTolerance = 1e-6

// search is the t at which the objective at β + t·step has slope 0. The slope is increasing and
// piecewise linear: Newton's method within a bracket finds its zero.
func (p *basis) search(ctx context.Context, direction []float64) (float64, error) {
	rStep, err := p.regularized(ctx, p.step)
	if err != nil {
		return 0, err
	}
	linear, quadratic := floats.Dot(rStep, p.beta)/(2*p.c), floats.Dot(rStep, p.step)/(2*p.c)
	slopeAt := func(t float64) (slope, curvature float64) {
		slope, curvature = linear+t*quadratic, quadratic
		for i, d := range direction {
			if f := p.response[i] + t*d; p.squares || p.target[i]*f < 1 {
				slope -= d * (p.target[i] - f)
				curvature += d * d
			}
		}
		return slope, curvature
	}
	start, _ := slopeAt(0)
	t, low, high := 1.0, 0.0, math.Inf(1)
	for range 100 {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		slope, curvature := slopeAt(t)
		if math.Abs(slope) <= searchTolerance*math.Abs(start) {
			break
		}
		if slope < 0 {
			low = t
		} else {
			high = t
		}
		next := t - slope/curvature
		if !(next > low && next < high) {
			next = (low + min(high, 2*low+1)) / 2
		}
		t = next
	}
	return t, nil
}
