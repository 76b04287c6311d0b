package solvers

import "math"

// problem is the dual that SMO solves, with the start that it was given.
func (s SMO) problem(train *Dataset) *dual {
	n := train.Len()
	d := &dual{x: train.X, target: train.Y, lower: make([]float64, n), upper: make([]float64, n), beta: make([]float64, n)}
	if s.SquaredHinge {
		d.ridge = make([]float64, n)
	}
	for t, y := range train.Y {
		price := s.C * s.WeightPositive
		if y < 0 {
			price = s.C * s.WeightNegative
		}
		if s.SquaredHinge {
			d.ridge[t] = 1 / (2 * price)
			price = math.Inf(1)
		}
		if y > 0 {
			d.upper[t] = price
		} else {
			d.lower[t] = -price
		}
	}
	if s.Start != nil {
		d.begin(s.Start)
	}
	return d
}

// begin sets β to the feasible coefficients near those of a model: cut to the bounds, and then
// the class that has more weight loses what makes the sum differ from 0, row after row.
func (d *dual) begin(m *Model) {
	for k, i := range m.Indices {
		d.beta[i] = min(max(m.Coefficients[k], d.lower[i]), d.upper[i])
	}
	excess := 0.0
	for _, beta := range d.beta {
		excess += beta
	}
	for t, beta := range d.beta {
		if beta*excess > 0 {
			take := math.Copysign(min(math.Abs(beta), math.Abs(excess)), excess)
			d.beta[t] -= take
			excess -= take
		}
	}
}
