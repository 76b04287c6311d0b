package plotting

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// SupportVectors draws the n support vectors of a model whose coefficients are greatest in
// size, as Images does, the greatest first; n 0 is 40, and fewer are shown where m has fewer.
// Below each stands the class that it speaks for, by its label in the data, and its
// coefficient.
func SupportVectors(m *solvers.Model, n, width, height int) (*plot.Plot, error) {
	if n < 0 {
		return nil, fmt.Errorf("%d support vectors to draw: want > 0 (0: default 40)", n)
	}
	if n == 0 {
		n = 40
	}
	if m == nil || m.SupportSize() == 0 {
		return nil, errors.New("the model has no support vectors to draw")
	}
	order := make([]int, m.SupportSize())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		return cmp.Compare(math.Abs(m.Coefficients[j]), math.Abs(m.Coefficients[i]))
	})
	order = order[:min(n, len(order))]
	negative, positive := "−1", "+1"
	if len(m.Labels) == 2 {
		negative, positive = fmt.Sprintf("%g", m.Labels[0]), fmt.Sprintf("%g", m.Labels[1])
	}
	vectors, captions := make([]solvers.Vector, len(order)), make([]string, len(order))
	for k, i := range order {
		vectors[k] = m.SupportVectors[i]
		label := negative
		if m.Coefficients[i] > 0 {
			label = positive
		}
		captions[k] = fmt.Sprintf("%s: %.2g", label, math.Abs(m.Coefficients[i]))
	}
	return Images(vectors, captions, width, height)
}
