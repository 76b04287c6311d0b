package gram

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// Schedule is a run of Adam: Epochs passes over the rows in random order, in batches. Rates rise
// over WarmUp batches and fall to 0 as a cosine.
type Schedule struct {
	Epochs, Batch, WarmUp int
	VectorRate            float64 // greatest step of a feature of a vector
	WeightRate            float64 // greatest step of a coefficient and of the bias
	Seed                  uint64
}

// Decays of Adam's moments (Kingma, Ba, ICLR 2015).
const (
	keepFirst  = 0.9
	keepSecond = 0.999
	adamFloor  = 1e-8
)

// moments are those of the coefficients and, last, the bias.
type moments struct{ first, second []float64 }

// adam moves theta by a schedule. after is called with the number of passes done and the
// parameters, which it may keep; it says whether to go on. When ctx ends theta is as it was after
// the last pass.
func (g *engine[T]) adam(ctx context.Context, theta []float64, s Schedule, after func(epoch int, theta []float64) bool) error {
	if err := g.load(ctx, theta); err != nil {
		return err
	}
	n, m := len(g.rows), g.Vectors
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	random := rand.New(rand.NewPCG(s.Seed, 0xada))
	own := moments{make([]float64, m+1), make([]float64, m+1)}
	first, second := make([][]T, len(g.tiles)), make([][]T, len(g.tiles))
	for k, t := range g.tiles {
		first[k], second[k] = make([]T, t.Dim*t.Lanes), make([]T, t.Dim*t.Lanes)
	}
	parts := g.parts(s.Batch)
	for len(g.spaces) < parts {
		g.spaces = append(g.spaces, g.newSpace())
	}
	for _, space := range g.spaces {
		for k := range space.gradient {
			clear(space.gradient[k])
		}
	}
	if len(g.data.Offset) >= poolFrom {
		random.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		var err error
		if g.pool, err = newPool(ctx, g.data, g.Target, order); err != nil {
			return err
		}
		defer func() { g.pool = nil }() // a pass in the order of the rows does without
	}
	weights, stored := make([]float64, m+1), append([]float64(nil), theta...)
	copy(weights, theta[m*g.Dim:])
	batches := (n + s.Batch - 1) / s.Batch
	step := 0
	for epoch := range s.Epochs {
		if g.pool != nil {
			reorder(order, random)
		} else {
			random.Shuffle(n, func(i, j int) { order[i], order[j] = order[j], order[i] })
		}
		for b := range batches {
			rows := order[b*s.Batch : min((b+1)*s.Batch, n)]
			if err := g.batch(ctx, rows, parts); err != nil {
				return err
			}
			step++
			g.descend(s, step, batches*s.Epochs, weights, own, first, second)
		}
		if err := g.store(ctx, stored, weights); err != nil {
			return err
		}
		copy(theta, stored)
		if !after(epoch+1, theta) {
			break
		}
	}
	return nil
}

// parts is the number of workers' shares of a batch, which is 1 unless there is much to do.
func (g *engine[T]) parts(batch int) int {
	const much = 1 << 23 // entries times lanes
	entries := float64(len(g.data.Offset)) / float64(max(len(g.rows), 1))
	if (entries+4)*float64(batch*g.lanes) > much {
		return 4
	}
	return 1
}

// batch leaves the gradient of the rows in the first space.
func (g *engine[T]) batch(ctx context.Context, rows []int32, parts int) error {
	size := (len(rows) + parts - 1) / parts
	err := Each(ctx, g.workers(), parts, func(p int) error {
		s := g.spaces[p]
		s.clear()
		return g.accumulate(ctx, s, rows[min(p*size, len(rows)):min((p+1)*size, len(rows))], 1/float64(len(rows)))
	})
	if err != nil {
		return err
	}
	s := g.spaces[0]
	for _, other := range g.spaces[1:parts] {
		s.bias += other.bias
		for v, b := range other.beta {
			s.beta[v] += b
		}
		for k, part := range other.gradient {
			for i, v := range part {
				s.gradient[k][i] += v
			}
			clear(part)
		}
	}
	return nil
}

// descend makes one step with the gradient of the first space, which it sets to 0.
func (g *engine[T]) descend(s Schedule, step, steps int, weights []float64, own moments, first, second [][]T) {
	share := min(float64(step)/float64(max(s.WarmUp, 1)), 1) * (1 + math.Cos(math.Pi*float64(step)/float64(steps))) / 2
	correct := math.Sqrt(1-math.Pow(keepSecond, float64(step))) / (1 - math.Pow(keepFirst, float64(step)))
	m := simd.Moments{Rate: s.VectorRate * share * correct, Keep1: keepFirst, Keep2: keepSecond, Floor: adamFloor}
	sums := g.spaces[0]
	for k, t := range g.tiles {
		factor, pull := make([]T, t.Lanes), make([]T, t.Lanes)
		for v := g.first[k]; v < g.first[k+1]; v++ {
			factor[v-g.first[k]] = T(weights[v])
			if g.Kernel.Kind == RBF {
				factor[v-g.first[k]] = T(2 * g.gamma[v] * weights[v])
				pull[v-g.first[k]] = T(sums.beta[v])
			}
		}
		simd.Descend(g.path, m, t, sums.gradient[k], first[k], second[k], factor, pull)
	}
	last := len(weights) - 1
	for v := range weights {
		slope := sums.bias
		if v < last {
			slope = sums.beta[v] + 2*g.Ridge*weights[v]
		}
		own.first[v] = keepFirst*own.first[v] + (1-keepFirst)*slope
		own.second[v] = keepSecond*own.second[v] + (1-keepSecond)*slope*slope
		weights[v] -= s.WeightRate * share * correct * own.first[v] / (math.Sqrt(own.second[v]) + adamFloor)
	}
	g.bias = weights[last]
	for k, t := range g.tiles {
		for v := g.first[k]; v < g.first[k+1]; v++ {
			t.Weight[v-g.first[k]] = T(weights[v])
		}
	}
}

// store copies the tiles and the weights to theta, and not all of them when ctx ends.
func (g *engine[T]) store(ctx context.Context, theta, weights []float64) error {
	for k, t := range g.tiles {
		if err := ctx.Err(); err != nil {
			return err
		}
		for v := g.first[k]; v < g.first[k+1]; v++ {
			for j := range g.Dim {
				theta[v*g.Dim+j] = float64(t.Value[j*t.Lanes+v-g.first[k]])
			}
		}
	}
	copy(theta[g.Vectors*g.Dim:], weights)
	return nil
}
