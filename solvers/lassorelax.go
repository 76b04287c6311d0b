package solvers

import (
	"context"

	"gonum.org/v1/gonum/floats"
)

// relaxed are the coefficients, by place in the face, of the w̃ nearest to w that the points of the face
// make, without regard to ‖α‖₁: the solution of Kα = c among them. One step of iterative
// refinement makes up for the rounding of the factor.
func (f *lassoFace) relaxed(ctx context.Context) ([]float64, error) {
	left := make([]float64, len(f.points))
	for at, j := range f.points {
		left[at] = f.basis.target[j]
	}
	alpha := make([]float64, len(left))
	for refined := false; ; refined = true {
		if err := f.factor.solveWithin(ctx, left); err != nil {
			return nil, err
		}
		floats.Add(alpha, left)
		if refined {
			return alpha, nil
		}
		for at, j := range f.points {
			row, err := f.basis.rows.row(ctx, j)
			if err != nil {
				return nil, err
			}
			left[at] = f.basis.target[j]
			for to, i := range f.points {
				left[at] -= alpha[to] * row[i]
			}
		}
	}
}

// relaxedModel is a model with the relaxed coefficients.
type relaxedModel struct {
	alpha     []float64 // by point
	linear    float64   // cᵀα, which is αᵀKα
	objective float64
	size      int
}

// relax is the relaxed model on the points of a face.
func (f *lassoFace) relax(ctx context.Context) (relaxedModel, error) {
	own, err := f.relaxed(ctx)
	m := relaxedModel{alpha: make([]float64, len(f.basis.points))}
	if err != nil {
		return m, err
	}
	for at, j := range f.points {
		m.alpha[j] = own[at]
		m.linear += own[at] * f.basis.target[j]
		if own[at] != 0 {
			m.size++
		}
	}
	m.objective = -m.linear / 2
	return m, nil
}

// relaxSupport is the relaxed model on the points whose coefficients are not 0. Points that depend on
// others are left out.
func (b *lassoBasis) relaxSupport(ctx context.Context, alpha []float64) (relaxedModel, error) {
	face := newLassoFace(b)
	for j, a := range alpha {
		if a == 0 {
			continue
		}
		if _, err := face.add(ctx, j, sign(a)); err != nil {
			return relaxedModel{}, err
		}
	}
	return face.relax(ctx)
}
