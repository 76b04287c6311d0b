package solvers

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// inner is the problem in the variables of one block, with the matrix of their kernel values.
// It is minimised two variables at a time, chosen with second-order information.
type inner struct {
	path     simd.Path
	n        int
	stride   int       // of matrix
	matrix   []float64 // K(x_s, x_t), with the ridge on the diagonal
	diagonal []float64
	residual []float64
	beta     []float64
	lower    []float64
	upper    []float64
	group    []uint8
	above    [2]simd.Mask // by group: room above
	below    [2]simd.Mask
	groups   int
}

func newInner(variables int) *inner {
	n := min(blockSize, variables)
	in := &inner{path: simd.Chosen(), stride: (n + simd.Lanes - 1) / simd.Lanes * simd.Lanes}
	in.matrix = make([]float64, n*in.stride)
	for _, a := range []*[]float64{&in.diagonal, &in.residual, &in.beta, &in.lower, &in.upper} {
		*a = make([]float64, n)
	}
	in.group = make([]uint8, n)
	for g := range in.above {
		in.above[g], in.below[g] = simd.NewMask(n), simd.NewMask(n)
	}
	return in
}

const notFinite = "a kernel value is not finite: scale the features or choose other kernel parameters"

// load takes over the block of a stage. Its error is the context's, or says that a kernel value
// is not finite.
func (in *inner) load(ctx context.Context, s *stage) error {
	b := s.b
	in.n = len(s.block)
	points, places := make([]int, in.n), make([]int, in.n)
	for k, t := range s.block {
		places[k] = s.place[t]
		points[k] = s.points[places[k]]
	}
	if err := s.matrix.Subset(places).RowsOf(ctx, points, in.matrix, in.stride); err != nil {
		return err
	}
	if !s.matrix.Finite() {
		for k := range in.n {
			for _, v := range in.matrix[k*in.stride:][:in.n] {
				if v-v != 0 {
					return &DataError{Text: notFinite}
				}
			}
		}
	}
	in.groups = 1
	if b.group != nil {
		in.groups = 2
	}
	for k, t := range s.block {
		v := s.variables[t]
		if b.ridge != nil {
			in.matrix[k*in.stride+k] += b.ridge[v]
		}
		in.diagonal[k], in.residual[k] = in.matrix[k*in.stride+k], s.residual[t]
		in.beta[k], in.lower[k], in.upper[k] = b.beta[v], b.lower[v], b.upper[v]
		in.group[k] = b.groupOf(v)
		in.place(k)
	}
	return nil
}

// place says in which directions variable k has room.
func (in *inner) place(k int) {
	g := in.group[k]
	in.above[g].Set(k, in.beta[k] < in.upper[k])
	in.below[g].Set(k, in.beta[k] > in.lower[k])
	if in.groups == 2 {
		in.above[1-g].Set(k, false)
		in.below[1-g].Set(k, false)
	}
}

// innerSteps is the number of steps per variable after which a block is given up for now.
const innerSteps = 100

// solve steps until the violation is at most aim. It is false if the run ended before.
func (in *inner) solve(b *blocks, aim float64) bool {
	n := in.n
	residual, row := in.residual[:n], in.matrix[:n]
	first, second, delta := row, row, 0.0
	for range innerSteps * n {
		g, most, gap := in.advance(residual, first, second, delta)
		if gap <= aim {
			return true
		}
		i := in.path.Find(residual, most, in.above[g])
		first = in.matrix[i*in.stride : i*in.stride+n]
		j := in.path.Pair(residual, first, in.diagonal[:n], most, in.diagonal[i], in.below[g])
		if j < 0 {
			return true
		}
		if !b.run.Next(b.state) {
			return false
		}
		second = in.matrix[j*in.stride : j*in.stride+n]
		delta = in.step(b, i, j, first[j])
	}
	return true
}

// advance updates the residuals after a step of delta and returns the group with the greatest
// violation, its greatest residual with room above, and the violation.
func (in *inner) advance(residual, first, second []float64, delta float64) (group int, most, gap float64) {
	most, least := in.path.Update(residual, first, second, delta, -delta, in.above[0], in.below[0])
	gap = most - least
	if in.groups == 2 {
		most1, least1 := in.path.Update(residual, first, second, 0, 0, in.above[1], in.below[1])
		if most1-least1 > gap {
			return 1, most1, most1 - least1
		}
	}
	return 0, most, gap
}

// step moves δ from variable j to variable i, the best amount within the bounds.
func (in *inner) step(b *blocks, i, j int, kernel float64) float64 {
	slope := in.residual[i] - in.residual[j]
	curvature := max(in.diagonal[i]+in.diagonal[j]-2*kernel, tau)
	roomI, roomJ := in.upper[i]-in.beta[i], in.beta[j]-in.lower[j]
	delta := min(slope/curvature, roomI, roomJ)
	in.beta[i] += delta
	in.beta[j] -= delta
	// At a bound exactly, whatever the sum rounded to.
	if delta == roomI {
		in.beta[i] = in.upper[i]
	}
	if delta == roomJ {
		in.beta[j] = in.lower[j]
	}
	in.place(i)
	in.place(j)
	b.objective += delta * (0.5*delta*curvature - slope)
	if math.IsInf(delta, 1) {
		panic("solvers: the problem has no minimum")
	}
	return delta
}
