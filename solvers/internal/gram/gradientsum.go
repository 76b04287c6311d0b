package gram

import (
	"context"

	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// gather makes the loss and the gradient by theta of the sums of all spaces.
func (g *engine[T]) gather(ctx context.Context, spaces []*space[T], theta, gradient []float64) (float64, error) {
	clear(gradient)
	m, dim := g.Vectors, g.Dim
	beta, byBeta := theta[m*dim:][:m], gradient[m*dim:][:m]
	squares, features := make([]float64, m), make([]float64, dim)
	loss := 0.0
	for _, s := range spaces {
		loss += s.loss
		gradient[m*(dim+1)] += s.bias
		for v := range m {
			byBeta[v] += s.beta[v]
			squares[v] += s.squares[v]
		}
		for j, f := range s.features {
			features[j] += f
		}
		for k, t := range g.tiles {
			if err := ctx.Err(); err != nil {
				return 0, err
			}
			for v := g.first[k]; v < g.first[k+1]; v++ {
				row, lane := gradient[v*dim:(v+1)*dim], v-g.first[k]
				for j := range row {
					row[j] += s.collected[k][j*t.Lanes+lane]
				}
			}
		}
	}
	if g.Kernel.Kind == RBF {
		if err := g.chain(ctx, theta, gradient, squares, features); err != nil {
			return 0, err
		}
	} else {
		for v := range m {
			for j := range dim {
				gradient[v*dim+j] *= beta[v]
			}
		}
	}
	for v, b := range beta {
		loss += g.Ridge * b * b
		byBeta[v] += 2 * g.Ridge * b
	}
	return loss, nil
}

// chain turns the sums G = Σᵢ gᵢKᵢᵥxᵢ in gradient into derivatives by zᵥ, and makes those by the
// logarithms of Gamma and of the scales.
func (g *engine[T]) chain(ctx context.Context, theta, gradient, squares, features []float64) error {
	m, dim := g.Vectors, g.Dim
	extra := gradient[m*(dim+1)+1:]
	for v := range m {
		if v%simd.Lanes == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		beta, total, gamma := theta[m*dim+v], gradient[m*dim+v], g.gamma[v]
		distance := squares[v] // Σᵢ gᵢKᵢᵥ‖xᵢ-zᵥ‖²
		for j, z := range theta[v*dim : (v+1)*dim] {
			sum, scale := gradient[v*dim+j], 1.0
			if g.scale != nil {
				scale = g.scale[j]
			}
			cross := z * (z*total - 2*sum)
			distance += scale * cross
			if g.Scales {
				features[j] += beta * gamma * cross
			}
			gradient[v*dim+j] = 2 * gamma * scale * beta * (sum - total*z)
		}
		if g.Gammas > 0 {
			extra[min(v, g.Gammas-1)] -= gamma * beta * distance
		}
	}
	if g.Scales {
		for j, f := range features {
			extra[g.Gammas+j] = -g.scale[j] * f
		}
	}
	return nil
}
