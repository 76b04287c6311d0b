package gram

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// space is what one worker needs, and the sums that it makes.
type space[T simd.Float] struct {
	values   [][]T // of each tile, for the rows of a part: K, or its derivative by the dot product
	kernels  [][]T // K where values are derivatives, else nil
	sums     []T   // f - b
	slope    []T
	gradient [][]T // of each tile: Σ slope·value·x
	total    [][]T // Σ slope·value of each lane
	rows     []int32

	loss      float64
	bias      float64   // Σ slope
	beta      []float64 // Σ slope·K of each vector
	squares   []float64 // Σ slope·K·‖x‖² of each vector, if Gammas
	features  []float64 // Σ slope·h·xⱼ² of each feature, if Scales, h = Σᵥ βᵥγᵥKᵥ
	collected [][]float64
}

func (g *engine[T]) newSpace() *space[T] {
	s := &space[T]{sums: make([]T, g.part), slope: make([]T, g.part), rows: make([]int32, 0, blockOfRows),
		beta: make([]float64, g.Vectors), squares: make([]float64, g.Vectors), features: make([]float64, g.Dim)}
	for _, t := range g.tiles {
		s.values = append(s.values, make([]T, g.part*t.Lanes))
		if g.Kernel.Kind != RBF {
			s.kernels = append(s.kernels, make([]T, g.part*t.Lanes))
		}
		s.gradient = append(s.gradient, make([]T, t.Dim*t.Lanes))
		s.total = append(s.total, make([]T, t.Lanes))
	}
	return s
}

const (
	// blockOfRows is the number of rows whose gradient is summed in T before it is added to float64.
	blockOfRows = 2048
	// slots is the number of sums that are made independently, each in the order of its rows.
	slots = 16
)

// evaluate is Expansion.Evaluate.
func (g *engine[T]) evaluate(ctx context.Context, theta, gradient []float64) (float64, error) {
	if err := g.load(ctx, theta); err != nil {
		return 0, err
	}
	n := len(g.rows)
	blocks := (n + blockOfRows - 1) / blockOfRows
	used := min(blocks, slots)
	for len(g.spaces) < used {
		g.spaces = append(g.spaces, g.newSpace())
	}
	err := Each(ctx, g.workers(), used, func(slot int) error {
		s := g.spaces[slot]
		s.begin(g.tiles)
		for b := slot; b < blocks; b += used {
			s.rows = s.rows[:0]
			for i := b * blockOfRows; i < min((b+1)*blockOfRows, n); i++ {
				s.rows = append(s.rows, int32(i))
			}
			if err := g.accumulate(ctx, s, s.rows, 1/float64(n)); err != nil {
				return err
			}
			s.collect()
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return g.gather(ctx, g.spaces[:used], theta, gradient)
}

// begin sets the sums to 0.
func (s *space[T]) begin(tiles []*simd.Tile[T]) {
	if s.collected == nil {
		for _, t := range tiles {
			s.collected = append(s.collected, make([]float64, t.Dim*t.Lanes))
		}
	}
	for k := range s.gradient {
		clear(s.collected[k])
		clear(s.gradient[k])
	}
	s.clear()
	clear(s.squares)
	clear(s.features)
}

// clear sets the sums over rows, but for the gradient of the vectors, to 0.
func (s *space[T]) clear() {
	s.loss, s.bias = 0, 0
	clear(s.beta)
	for k := range s.total {
		clear(s.total[k])
	}
}

// collect adds the gradient of a block to the sums in float64.
func (s *space[T]) collect() {
	for k, part := range s.gradient {
		sum := s.collected[k][:len(part)]
		for i, v := range part {
			sum[i] += float64(v)
		}
		clear(part)
	}
}

// accumulate adds the rows to the sums of s; share is the weight of a row.
func (g *engine[T]) accumulate(ctx context.Context, s *space[T], rows []int32, share float64) error {
	for low := 0; low < len(rows); low += g.part {
		if err := ctx.Err(); err != nil {
			return err
		}
		g.acrossPart(s, rows[low:min(low+g.part, len(rows))], share)
	}
	return nil
}

func (g *engine[T]) acrossPart(s *space[T], rows []int32, share float64) {
	sums := s.sums[:len(rows)]
	clear(sums)
	data, targets := g.data, g.Target
	if g.pool != nil {
		data, targets = g.pool.data, g.pool.target
	}
	for k, t := range g.tiles {
		simd.Forward(g.path, g.kind(), t, data, rows, s.values[k], sums)
	}
	if s.kernels != nil {
		g.derive(s, len(rows))
	}
	for i, r := range rows {
		value, slope := g.Loss(float64(sums[i])+g.bias, targets[r])
		s.loss += share * value
		s.bias += share * slope
		s.slope[i] = T(share * slope)
	}
	for k, t := range g.tiles {
		simd.Backward(g.path, t, data, rows, s.values[k], s.slope, s.gradient[k], s.total[k])
		count := g.first[k+1] - g.first[k]
		beta := s.beta[g.first[k]:][:count]
		if s.kernels == nil {
			for v := range beta {
				beta[v] += float64(s.total[k][v])
			}
			clear(s.total[k])
			continue
		}
		for i, slope := range s.slope[:len(rows)] {
			for v, value := range s.kernels[k][i*t.Lanes:][:count] {
				beta[v] += float64(slope * value)
			}
		}
	}
	if g.Gammas > 0 {
		g.addSquares(s, rows)
	}
	if g.Scales {
		g.addFeatures(s, rows)
	}
}

// derive makes of dot products u in values the kernel φ(u) and its derivative, and the sums.
func (g *engine[T]) derive(s *space[T], rows int) {
	gamma, shift, degree := T(g.Kernel.Gamma), T(g.Kernel.Coef0), g.Kernel.Degree
	clear(s.sums[:rows])
	for k, t := range g.tiles {
		for i := range rows {
			values, kernels := s.values[k][i*t.Lanes:][:t.Lanes], s.kernels[k][i*t.Lanes:][:t.Lanes]
			sum := T(0)
			for v, u := range values {
				switch g.Kernel.Kind {
				case Linear:
					kernels[v], values[v] = u, 1
				case Polynomial:
					base := gamma*u + shift
					lower := T(power(float64(base), degree-1))
					kernels[v], values[v] = lower*base, T(degree)*gamma*lower
				default:
					p := T(math.Tanh(float64(gamma*u + shift)))
					kernels[v], values[v] = p, gamma*(1-p*p)
				}
				sum += t.Weight[v] * kernels[v]
			}
			s.sums[i] += sum
		}
	}
}

func (g *engine[T]) addSquares(s *space[T], rows []int32) {
	for k, t := range g.tiles {
		squares := s.squares[g.first[k]:g.first[k+1]]
		for i, r := range rows {
			weight := float64(s.slope[i]) * g.norms[r]
			for v, value := range s.values[k][i*t.Lanes:][:len(squares)] {
				squares[v] += weight * float64(value)
			}
		}
	}
}

func (g *engine[T]) addFeatures(s *space[T], rows []int32) {
	for i, r := range rows {
		h := 0.0
		for k, t := range g.tiles {
			for v, value := range s.values[k][i*t.Lanes:][:g.first[k+1]-g.first[k]] {
				h += float64(t.Weight[v]) * g.gamma[g.first[k]+v] * float64(value)
			}
		}
		h *= float64(s.slope[i])
		x := g.rows[r]
		for k, j := range x.Index {
			s.features[j] += h * x.Value[k] * x.Value[k]
		}
	}
}
