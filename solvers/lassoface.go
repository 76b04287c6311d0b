package solvers

import "context"

// lassoFace is a face of the ℓ1 ball: some of the points, each with the sign of its coefficient,
// and the Cholesky factor of their kernel matrix.
type lassoFace struct {
	basis  *lassoBasis
	points []int
	signs  []float64
	place  []int // of a point among points; -1 if it is not there
	factor cholesky
}

func newLassoFace(b *lassoBasis) *lassoFace {
	f := &lassoFace{basis: b, place: make([]int, len(b.points))}
	for j := range f.place {
		f.place[j] = -1
	}
	return f
}

// add adds point j with a sign. If Φ(zⱼ) depends on the points of the face, nothing is added and
// combination says how: Φ(zⱼ) = Σ combination·Φ(points).
func (f *lassoFace) add(ctx context.Context, j int, sign float64) (combination []float64, err error) {
	row, err := f.basis.rows.row(ctx, j)
	if err != nil {
		return nil, err
	}
	column := make([]float64, len(f.points))
	for at, i := range f.points {
		column[at] = row[i]
	}
	added, err := f.factor.addWithin(ctx, column, f.basis.diagonal[j])
	if err != nil {
		return nil, err
	}
	if !added {
		return column, f.factor.backwardWithin(ctx, column)
	}
	f.place[j] = len(f.points)
	f.points = append(f.points, j)
	f.signs = append(f.signs, sign)
	return nil, nil
}

// remove takes a point out. When ctx ends its error is returned, and the face is of no more use.
func (f *lassoFace) remove(ctx context.Context, j int) error {
	at := f.place[j]
	if err := f.factor.remove(ctx, at); err != nil {
		return err
	}
	f.points = append(f.points[:at], f.points[at+1:]...)
	f.signs = append(f.signs[:at], f.signs[at+1:]...)
	f.place[j] = -1
	for k := at; k < len(f.points); k++ {
		f.place[f.points[k]] = k
	}
	return nil
}
