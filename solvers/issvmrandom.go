package solvers

import "math/rand/v2"

// PredictRandomized is the randomized rule of ISSVM: the sign of f(x) + ζ, with the noise ζ uniform in
// [-½, ½], 0 counting as +1. A classifier whose margins fall short of a reference's by ½ at most errs, with
// this rule, no more often than the reference's mean hinge loss.
//
// Cotter, Shalev-Shwartz, Srebro, Learning optimally sparse support vector machines, ICML
// 2013, Lemma 4.1.
func (m *Model) PredictRandomized(x Vector, random *rand.Rand) float64 {
	return sign(m.Decision(x) + random.Float64() - 0.5)
}

// SlantLoss is the mean over the rows of a two-class set of the slant loss of the margin z = y·f(x),
//
//	min(1, max(0, ½ - z)),
//
// which is the error rate expected of PredictRandomized. It is NaN if there are no rows.
func (m *Model) SlantLoss(d *Dataset) float64 {
	sum, binary := 0.0, d.Binary()
	for i, f := range m.Decisions(d) {
		sum += min(1, max(0, 0.5-m.class(d.Y[i], binary)*f))
	}
	return sum / float64(d.Len())
}
