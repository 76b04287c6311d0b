package solvers

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// Model is the decision function f(x) = Σᵢ Coefficients[i]·K(SupportVectors[i], x) + Bias,
// with Coefficients[i] = αᵢyᵢ ≠ 0. Its sign is the predicted class, 0 counting as +1.
type Model struct {
	Kernel         Kernel // resolved: Gamma 0 has become 1/Dim
	SupportVectors []Vector
	Coefficients   []float64
	Bias           float64   // added, never subtracted; LIBSVM's rho is -Bias
	Indices        []int     // training rows, 0-based; nil if the vectors are no training rows
	Labels         []float64 // the labels of the data, ascending; nil: -1 and +1
}

// newModel is the model with the coefficients beta of all training rows; zeros are left out.
func newModel(kernel Kernel, train *Dataset, beta []float64, bias float64) *Model {
	m := &Model{Kernel: kernel, Bias: bias, Indices: []int{}}
	if len(train.Labels) == 2 {
		m.Labels = slices.Clone(train.Labels)
	}
	for i, b := range beta {
		if b != 0 {
			m.SupportVectors = append(m.SupportVectors, train.X[i])
			m.Coefficients = append(m.Coefficients, b)
			m.Indices = append(m.Indices, i)
		}
	}
	return m
}

// SupportSize is the number of support vectors.
func (m *Model) SupportSize() int { return len(m.SupportVectors) }

// Decision is f(x).
func (m *Model) Decision(x Vector) float64 {
	sum := 0.0
	for i, s := range m.SupportVectors {
		sum += m.Coefficients[i] * m.Kernel.Eval(s, x)
	}
	return sum + m.Bias
}

// Predict is the sign of Decision: +1 or -1, and +1 for 0.
func (m *Model) Predict(x Vector) float64 { return sign(m.Decision(x)) }

// Decisions are f(x) of all rows, in their order. The work is shared among the processors; the
// result does not depend on their number. From 10⁸ kernel values on (rows times support vectors)
// these are computed in float32, if that keeps their errors below 1e-5 of the greatest value;
// on usual data they are about 1e-7.
func (m *Model) Decisions(d *Dataset) []float64 {
	out, err := m.decisionsWithin(context.Background(), d)
	if err != nil { // it can only be of the context
		panic("solvers: " + err.Error())
	}
	return out
}

// decisionsWithin is Decisions that ends with ctx, whose error it returns.
func (m *Model) decisionsWithin(ctx context.Context, d *Dataset) ([]float64, error) {
	out, err := m.responsesWithin(ctx, d.X, m.precision(d.Len()))
	for i := range out {
		out[i] += m.Bias
	}
	return out, err
}

// manyValues is the number of kernel values from which on Decisions uses float32.
const manyValues = 1e8

// precision is that of the kernel values for the decisions on a number of rows.
func (m *Model) precision(rows int) gram.Precision {
	if float64(rows)*float64(m.SupportSize()) >= manyValues {
		return gram.Single
	}
	return gram.Double
}

// responses are f(x) - Bias, of kernel values of the given precision.
func (m *Model) responses(x []Vector, precision gram.Precision) []float64 {
	out, err := m.responsesWithin(context.Background(), x, precision)
	if err != nil { // it can only be of the context
		panic("solvers: " + err.Error())
	}
	return out
}

// responsesWithin is responses that ends with ctx, whose error it returns.
func (m *Model) responsesWithin(ctx context.Context, x []Vector, precision gram.Precision) ([]float64, error) {
	out := make([]float64, len(x))
	if kernel, own := gramKernel(m.Kernel); own {
		return out, gram.NewMatrix(gram.PointsWithin(ctx, x), kernel, precision, 0).Add(ctx, m.SupportVectors, m.Coefficients, out)
	}
	return out, newRows(m.Kernel, x, Settings{}).combine(ctx, m.SupportVectors, m.Coefficients, out)
}

// ErrorRate is the share of rows, in [0, 1], whose class is not the predicted one. A set of one
// class alone, whose labels are not -1 and +1, is compared with the model's Labels. It is NaN
// if there are no rows.
func (m *Model) ErrorRate(d *Dataset) float64 {
	wrong, binary := 0, d.Binary()
	for i, f := range m.Decisions(d) {
		if sign(f) != m.class(d.Y[i], binary) {
			wrong++
		}
	}
	return float64(wrong) / float64(d.Len())
}

// Margins are y·f(x) of all rows of a two-class set, in their order.
func (m *Model) Margins(d *Dataset) []float64 {
	out := m.Decisions(d)
	for i := range out {
		out[i] *= d.Y[i]
	}
	return out
}

// Norm is ‖w‖ = √(βᵀKβ).
func (m *Model) Norm() float64 {
	sum := 0.0
	for i, g := range m.responses(m.SupportVectors, gram.Double) {
		sum += m.Coefficients[i] * g
	}
	return math.Sqrt(max(sum, 0)) // rounding, or a kernel that is not positive semidefinite
}

// class is the class -1 or +1 of a label as a data set has it, and 0 if it is neither.
func (m *Model) class(y float64, binary bool) float64 {
	switch {
	case binary:
		return y
	case len(m.Labels) == 2 && y == m.Labels[0]:
		return -1
	case len(m.Labels) == 2 && y == m.Labels[1]:
		return 1
	}
	return 0
}

func sign(f float64) float64 {
	if f >= 0 {
		return 1
	}
	return -1
}

// largest are the places of the n coefficients of greatest magnitude, the greatest first.
func (m *Model) largest(n int) []int {
	order := make([]int, m.SupportSize())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Compare(math.Abs(m.Coefficients[b]), math.Abs(m.Coefficients[a]))
	})
	return order[:min(n, len(order))]
}
