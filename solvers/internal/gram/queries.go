package gram

import (
	"context"
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// Queries are vectors prepared for the points of one Matrix, as the rows of kernel values.
type Queries struct {
	x      []Vector
	norms  []float64 // ‖x‖²
	panels *simd.Panels
	rows   simd.Rows // for panels
	f      simd.Function
}

// Len is the number of rows.
func (q *Queries) Len() int { return len(q.x) }

// Prepare makes rows of vectors, which need not be points. The first call also prepares the
// points; its error is ctx's.
func (m *Matrix) Prepare(ctx context.Context, x []Vector) (*Queries, error) {
	q := &Queries{x: x}
	if m.form == plain {
		return q, nil
	}
	q.norms = make([]float64, len(x))
	largest, longest, ones := m.points.largest, 0, true
	for r, v := range x {
		q.norms[r] = squaredNorm(v)
		largest, longest = max(largest, q.norms[r]), max(longest, len(v.Index))
		ones = ones && allOnes(v)
	}
	if m.form == postings {
		return q, m.list(ctx)
	}
	storage := m.storage
	if storage == simd.Bytes && !(ones && longest <= mostOnes) {
		storage = simd.Float32
	}
	if storage == simd.Float32 && !(m.points.fits(storage) && m.points.single(m.kernel, largest)) {
		storage = simd.Float64
	}
	var err error
	if q.panels, err = m.panels(ctx, storage); err != nil {
		return nil, err
	}
	q.rows = m.rows(x, q.norms, storage)
	q.f = m.function
	q.f.Greatest = longest + m.points.longest
	return q, nil
}

// rows packs vectors for panels of a storage. Features that no point has contribute to the
// norm only.
func (m *Matrix) rows(x []Vector, norms []float64, storage simd.Storage) simd.Rows {
	dim := int32(m.points.Dim)
	entries := 0
	for _, v := range x {
		entries += len(v.Index)
	}
	rows := simd.Rows{Storage: storage, Start: make([]int32, 1, len(x)+1), Offset: make([]uint32, 0, entries)}
	for r, v := range x {
		n := len(v.Index)
		if n > 0 && v.Index[n-1] >= dim {
			n, _ = slices.BinarySearch(v.Index, dim)
		}
		for _, i := range v.Index[:n] {
			rows.Offset = append(rows.Offset, storage.Offset(i))
		}
		switch storage {
		case simd.Float64:
			rows.F64 = append(rows.F64, v.Value[:n]...)
			rows.Half64 = append(rows.Half64, norms[r]/2)
		case simd.Float32:
			for _, value := range v.Value[:n] {
				rows.F32 = append(rows.F32, float32(value))
			}
			rows.Half32 = append(rows.Half32, roundedHalf(v))
		default:
			rows.Ones = append(rows.Ones, int32(len(v.Index)))
		}
		if n > 0 {
			rows.Last = max(rows.Last, storage.Offset(v.Index[n-1]))
		}
		rows.Start = append(rows.Start, int32(len(rows.Offset)))
	}
	return rows
}
