// Package svmtest holds problems with known answers and checkers that compute from the
// definition, slowly and without the solvers. Only tests import it.
package svmtest

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"

	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// SixPoints is three points of each class in the plane. With the linear kernel and C ≥ ¼ the
// support vectors are rows 1 and 3 with coefficients -¼ and ¼, the bias is 0, w is (½, ½), and
// the dual objective in LIBSVM's sign is -¼.
func SixPoints() *datasets.Dataset {
	d, err := datasets.FromDense(
		[][]float64{{-2, -1}, {-1, -1}, {-1, -2}, {1, 1}, {1, 2}, {2, 1}},
		[]float64{-1, -1, -1, 1, 1, 1})
	if err != nil {
		panic(err)
	}
	d.Name = "six points"
	return d
}

// Random is n rows of two overlapping normal classes in dim features, about a third of the
// values zero. Both classes occur. n is at least 2.
func Random(n, dim int, seed uint64) *datasets.Dataset {
	random := rand.New(rand.NewPCG(seed, 77))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		y[i] = float64(2*random.IntN(2) - 1)
		if i < 2 {
			y[i] = float64(2*i - 1)
		}
		x[i] = make([]float64, dim)
		for j := range x[i] {
			if random.IntN(3) > 0 {
				x[i][j] = random.NormFloat64() + 0.7*y[i]
			}
		}
	}
	d, err := datasets.FromDense(x, y)
	if err != nil {
		panic(err)
	}
	d.Name = "random"
	return d
}

// Gram is K(x_i, x_j) for all pairs of rows.
func Gram(x []datasets.Vector, kernel func(x, z datasets.Vector) float64) [][]float64 {
	k := make([][]float64, len(x))
	for i := range x {
		k[i] = make([]float64, len(x))
		for j := range x {
			k[i][j] = kernel(x[i], x[j])
		}
	}
	return k
}

// Dual is the C-SVC's dual in signed coefficients: min ½βᵀKβ - yᵀβ subject to Σβ = 0 and
// 0 ≤ y_iβ_i ≤ C_i.
type Dual struct {
	K    [][]float64
	Y, C []float64
}

// Objective is ½βᵀKβ - yᵀβ.
func (d Dual) Objective(beta []float64) float64 {
	sum := 0.0
	for i, b := range beta {
		sum += b * (0.5*d.Response(beta, i) - d.Y[i])
	}
	return sum
}

// Response is g(x_i) = Σ_j β_jK_ij.
func (d Dual) Response(beta []float64, i int) float64 {
	sum := 0.0
	for j, b := range beta {
		sum += b * d.K[i][j]
	}
	return sum
}

// Infeasible is the greatest amount by which a constraint is broken.
func (d Dual) Infeasible(beta []float64) float64 {
	sum, worst := 0.0, 0.0
	for i, b := range beta {
		sum += b
		worst = max(worst, -d.Y[i]*b, d.Y[i]*b-d.C[i])
	}
	return max(worst, math.Abs(sum))
}

// Violation is the greatest slope over all pairs i, j of moving weight from β_j to β_i, as far
// as the bounds let it: 0 or less at the optimum.
func (d Dual) Violation(beta []float64) float64 {
	above, below := math.Inf(-1), math.Inf(1)
	for i, b := range beta {
		slope := d.Y[i] - d.Response(beta, i)
		if d.Y[i] > 0 && b < d.C[i] || d.Y[i] < 0 && b < 0 {
			above = max(above, slope)
		}
		if d.Y[i] > 0 && b > 0 || d.Y[i] < 0 && b > -d.C[i] {
			below = min(below, slope)
		}
	}
	return above - below
}

// Optimum is the least objective, by trying every choice of which coefficients are 0, at their
// bound, or between: 3ⁿ linear systems, so keep n at 7 or less.
func (d Dual) Optimum() float64 {
	n := len(d.Y)
	best := 0.0 // of β = 0
	state := make([]int, n)
	for {
		if beta := d.stationary(state); beta != nil && d.Infeasible(beta) < 1e-9 {
			best = min(best, d.Objective(beta))
		}
		at := 0
		for ; at < n && state[at] == 2; at++ {
			state[at] = 0
		}
		if at == n {
			return best
		}
		state[at]++
	}
}

// stationary is the β with the given states (0: zero, 1: at the bound, 2: free) at which the
// gradient of the free ones is equal; nil if it is not unique.
func (d Dual) stationary(state []int) []float64 {
	beta := make([]float64, len(state))
	var free []int
	sum := 0.0
	for i, s := range state {
		switch s {
		case 1:
			beta[i] = d.Y[i] * d.C[i]
			sum += beta[i]
		case 2:
			free = append(free, i)
		}
	}
	if len(free) == 0 {
		return beta
	}
	m := len(free)
	a, right := mat.NewDense(m+1, m+1, nil), mat.NewVecDense(m+1, nil)
	for p, i := range free {
		for q, j := range free {
			a.Set(p, q, d.K[i][j])
		}
		a.Set(p, m, 1)
		a.Set(m, p, 1)
		right.SetVec(p, d.Y[i]-d.Response(beta, i))
	}
	right.SetVec(m, -sum)
	var solution mat.VecDense
	if err := solution.SolveVec(a, right); err != nil {
		return nil
	}
	for p, i := range free {
		beta[i] = solution.AtVec(p)
	}
	return beta
}
