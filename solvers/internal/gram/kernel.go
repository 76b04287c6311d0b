// Package gram evaluates a kernel between vectors and a fixed list of points: rows of the
// kernel matrix and weighted sums of rows. It keeps the points in the form that suits them,
// panels of 64 for the vector units of the processor, or lists by feature, and shares the
// work among workers with results that do not depend on their number.
package gram

import (
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// Vector is a sparse row; see datasets.Vector.
type Vector = datasets.Vector

// Kernel is a kernel function of two vectors.
type Kernel struct {
	Kind   Kind
	Gamma  float64 // RBF, Polynomial, Sigmoid
	Coef0  float64 // Polynomial, Sigmoid
	Degree int     // Polynomial, ≥ 1
	// Eval is the function of the Kind Custom. It must be safe for concurrent use.
	Eval func(x, z Vector) float64
}

// Kind is the form of a Kernel.
type Kind int

const (
	Linear     Kind = iota // xᵀz
	RBF                    // exp(-Gamma·‖x-z‖²)
	Polynomial             // (Gamma·xᵀz + Coef0)^Degree
	Sigmoid                // tanh(Gamma·xᵀz + Coef0)
	Custom                 // Eval
)

// Precision is how exactly a Matrix computes.
type Precision int

const (
	// Double is float64 throughout. Distances between points that are much nearer to each
	// other than to the origin are summed from the differences.
	Double Precision = iota
	// Single is float32 for the values and float64 for sums of them, where that keeps the
	// errors of values below 1e-5 of the greatest value; elsewhere it is Double.
	Single
)

// fromDot is the kernel of vectors with dot product d and squared norms x and z.
func (k Kernel) fromDot(d, x, z float64) float64 {
	switch k.Kind {
	case RBF:
		return math.Exp(-k.Gamma * max(x+z-2*d, 0))
	case Polynomial:
		return power(k.Gamma*d+k.Coef0, k.Degree)
	case Sigmoid:
		return math.Tanh(k.Gamma*d + k.Coef0)
	}
	return d
}

// singleError is a bound on the error of values computed in float32 from values rounded to
// float32, relative to the greatest value, if no squared norm exceeds norm.
func (k Kernel) singleError(norm float64) float64 {
	const unit = 0x1p-24
	switch k.Kind {
	case RBF:
		return unit * (3 + 4*k.Gamma*norm)
	case Polynomial:
		return unit * float64(4*k.Degree)
	case Sigmoid:
		return unit * (3 + 4*(math.Abs(k.Gamma)*norm+math.Abs(k.Coef0)))
	}
	return 4 * unit
}

func power(base float64, exponent int) float64 {
	result := 1.0
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 == 1 {
			result *= base
		}
		base *= base
	}
	return result
}

// SquaredDistance is ‖x-z‖², summed from the differences.
func SquaredDistance(x, z Vector) float64 {
	sum := 0.0
	i, j := 0, 0
	for i < len(x.Index) || j < len(z.Index) {
		var d float64
		switch {
		case j == len(z.Index) || i < len(x.Index) && x.Index[i] < z.Index[j]:
			d = x.Value[i]
			i++
		case i == len(x.Index) || x.Index[i] > z.Index[j]:
			d = z.Value[j]
			j++
		default:
			d = x.Value[i] - z.Value[j]
			i, j = i+1, j+1
		}
		sum += d * d
	}
	return sum
}

// SquaredNorm is xᵀx, summed in the order of the features.
func SquaredNorm(x Vector) float64 {
	sum := 0.0
	for _, v := range x.Value {
		sum += v * v
	}
	return sum
}
