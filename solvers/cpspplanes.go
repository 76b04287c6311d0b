package solvers

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
)

// planes is the dual of the problem with the planes that there are, u being their slopes in
// orthonormal coordinates and d their heights:
//
//	max over α ≥ 0   Σ αₖdₖ - ½‖Σ αₖuₖ‖²     subject to   Σ αₖ = total = C·n
//
// Plane 0 is the constant 0, so that ξ ≥ 0.
type planes struct {
	total    float64
	cut      [][]bool    // of plane k+1
	at       [][]float64 // u of plane k+1
	height   []float64   // d of plane k+1
	weight   []float64   // α
	gradient []float64   // dₖ - uₖᵀw, how far w is below the plane
	product  [][]float64 // uₖᵀuₗ
}

// add adds a plane with weight 0.
func (p *planes) add(cut []bool, at []float64, height float64) {
	row := make([]float64, len(p.weight)+1)
	gradient := height
	for k, other := range p.at {
		row[k+1] = floats.Dot(at, other)
		gradient -= p.weight[k+1] * row[k+1]
		p.product[k+1] = append(p.product[k+1], row[k+1])
	}
	row[len(p.weight)] = floats.Dot(at, at)
	p.product[0] = append(p.product[0], 0)
	p.product = append(p.product, row)
	p.cut, p.at, p.height = append(p.cut, cut), append(p.at, at), append(p.height, height)
	p.weight, p.gradient = append(p.weight, 0), append(p.gradient, gradient)
}

// widen adds a coordinate, which next gives from the rows of a plane and its coordinates so far.
func (p *planes) widen(next func(cut []bool, at []float64) float64) {
	for k := range p.at {
		p.at[k] = append(p.at[k], next(p.cut[k], p.at[k]))
	}
	last := func(k int) float64 { return p.at[k][len(p.at[k])-1] }
	w := 0.0
	for k := range p.at {
		w += p.weight[k+1] * last(k)
		for l := range p.at {
			p.product[k+1][l+1] += last(k) * last(l)
		}
	}
	for k := range p.at {
		p.gradient[k+1] -= last(k) * w
	}
}

// solve moves weight between two planes at a time until no plane with weight is more than epsilon
// below the greatest.
func (p *planes) solve(ctx context.Context, epsilon float64) error {
	for step := range 10000 + 1000*len(p.weight) {
		if step%100 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		i := floats.MaxIdx(p.gradient)
		from, best, least := -1, 0.0, math.Inf(1)
		for j, weight := range p.weight {
			if slope := p.gradient[i] - p.gradient[j]; weight > 0 && slope > 0 {
				least = min(least, p.gradient[j])
				if gain := slope * slope / p.curvature(i, j); gain > best {
					from, best = j, gain
				}
			}
		}
		if from < 0 || p.gradient[i]-least <= epsilon {
			return nil
		}
		move := min((p.gradient[i]-p.gradient[from])/p.curvature(i, from), p.weight[from])
		p.weight[i] += move
		if p.weight[from] -= move; move == 0 {
			return nil
		}
		for k := range p.gradient {
			p.gradient[k] -= move * (p.product[i][k] - p.product[from][k])
		}
	}
	return nil
}

func (p *planes) curvature(i, j int) float64 {
	return max(p.product[i][i]+p.product[j][j]-2*p.product[i][j], tau)
}

// sum is w = Σ αₖuₖ; it computes the gradient anew.
func (p *planes) sum(dim int) []float64 {
	w := make([]float64, dim)
	for k, at := range p.at {
		floats.AddScaled(w, p.weight[k+1], at)
	}
	for k, at := range p.at {
		p.gradient[k+1] = p.height[k] - floats.Dot(at, w)
	}
	return w
}

// value is the dual objective.
func (p *planes) value(norm float64) float64 {
	return floats.Dot(p.height, p.weight[1:]) - norm/2
}
