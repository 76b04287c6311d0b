package gram

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// values computes the rows of q for the points [low, high).
func (m *Matrix) values(ctx context.Context, q *Queries, low, high int, out []float64, stride int) error {
	switch m.form {
	case plain:
		for r, x := range q.x {
			for j := low; j < high; j++ {
				if (j-low)%16 == 0 && ctx.Err() != nil {
					return ctx.Err()
				}
				out[r*stride+j-low] = m.kernel.Eval(x, m.points.X[j])
			}
		}
		return nil
	case postings:
		for r := range q.x {
			for j := low; j < high; {
				end := min(high, (j/listPoints+1)*listPoints)
				m.fromList(q, r, j, out[r*stride+j-low:r*stride+end-low])
				j = end
			}
		}
		m.near(q, low, high, out, stride)
		return nil
	}
	first, whole := low/simd.Lanes, (high-low)/simd.Lanes
	m.path.Store(q.f, q.panels, first, whole, &q.rows, out, stride)
	if rest := high - low - whole*simd.Lanes; rest > 0 {
		last := make([]float64, len(q.x)*simd.Lanes)
		m.path.Store(q.f, q.panels, first+whole, 1, &q.rows, last, simd.Lanes)
		for r := range q.x {
			copy(out[r*stride+whole*simd.Lanes:][:rest], last[r*simd.Lanes:])
		}
	}
	if m.kernel.Kind == Sigmoid {
		for r := range q.x {
			m.squash(out[r*stride:][:high-low])
		}
	}
	m.near(q, low, high, out, stride)
	return nil
}

// near computes values anew, from the differences of features, where vectors are so much nearer
// to each other than to the origin that ‖x‖² + ‖z‖² - 2xᵀz is inexact.
func (m *Matrix) near(q *Queries, low, high int, out []float64, stride int) {
	if !m.careful {
		return
	}
	for r, x := range q.x {
		bound := math.Exp(-1e-6 * m.kernel.Gamma * (q.norms[r] + m.points.largest))
		for j, v := range out[r*stride:][:high-low] {
			if v >= bound {
				out[r*stride+j] = math.Exp(-m.kernel.Gamma * SquaredDistance(x, m.points.X[low+j]))
			}
		}
	}
}

// squash makes values of the sigmoid kernel of dot products.
func (m *Matrix) squash(dots []float64) {
	for j, d := range dots {
		dots[j] = math.Tanh(m.kernel.Gamma*d + m.kernel.Coef0)
	}
}

// addTo adds the weighted rows of q to sum for the points [low, high).
func (m *Matrix) addTo(ctx context.Context, q *Queries, weight []float64, low, high int, sum []float64) error {
	if m.form != panels || m.kernel.Kind == Sigmoid || m.careful {
		values := make([]float64, high-low)
		for r := range q.x {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := m.values(ctx, q.slice(r, r+1), low, high, values, len(values)); err != nil {
				return err
			}
			for j, v := range values {
				sum[j] += weight[r] * v
			}
		}
		return nil
	}
	first, whole := low/simd.Lanes, (high-low)/simd.Lanes
	m.path.Add(q.f, q.panels, first, whole, &q.rows, weight, sum)
	if rest := high - low - whole*simd.Lanes; rest > 0 {
		var last [simd.Lanes]float64
		copy(last[:], sum[whole*simd.Lanes:])
		m.path.Add(q.f, q.panels, first+whole, 1, &q.rows, weight, last[:])
		copy(sum[whole*simd.Lanes:], last[:rest])
	}
	return nil
}

// slice is the rows low … high-1 of q.
func (q *Queries) slice(low, high int) *Queries {
	s := *q
	s.x = q.x[low:high]
	if q.norms != nil {
		s.norms = q.norms[low:high]
	}
	if q.panels == nil {
		return &s
	}
	s.rows.Start = q.rows.Start[low : high+1]
	if q.rows.Half32 != nil {
		s.rows.Half32 = q.rows.Half32[low:high]
	}
	if q.rows.Half64 != nil {
		s.rows.Half64 = q.rows.Half64[low:high]
	}
	if q.rows.Ones != nil {
		s.rows.Ones = q.rows.Ones[low:high]
	}
	return &s
}
