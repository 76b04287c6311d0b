package solvers

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

// SupportSize is the number of support vectors.
func (m *Model) SupportSize() int { return len(m.SupportVectors) }
