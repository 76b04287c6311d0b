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
	if err := m.points.interrupted; err != nil {
		return nil, err
	}
	if m.form == plain {
		return q, nil
	}
	q.norms = make([]float64, len(x))
	parts := make([]extent, (len(x)+prepared-1)/prepared)
	err := m.each(ctx, len(parts), func(i int) error {
		low, high := i*prepared, min((i+1)*prepared, len(x))
		parts[i] = measure(x[low:high], q.norms[low:high])
		return nil
	})
	if err != nil {
		return nil, err
	}
	all := extent{largest: m.points.largest, ones: true}
	for _, e := range parts {
		all.largest, all.longest, all.ones = max(all.largest, e.largest), max(all.longest, e.longest), all.ones && e.ones
	}
	return q, m.finishQueries(ctx, q, all)
}

// prepared is the number of rows that a worker prepares at a time.
const prepared = 256

// ownRows are the points of the whole as rows.
func (m *Matrix) ownRows(ctx context.Context) (*Queries, error) {
	if m.origin != nil {
		return m.origin.ownRows(ctx)
	}
	m.owning.Lock()
	defer m.owning.Unlock()
	p := m.points
	if m.own != nil || p.interrupted != nil {
		return m.own, p.interrupted
	}
	q := &Queries{x: p.X}
	if m.form != plain {
		q.norms = p.Norms
		if err := m.finishQueries(ctx, q, extent{largest: p.largest, longest: p.longest, ones: p.ones}); err != nil {
			return nil, err
		}
	}
	m.own = q
	return q, nil
}

// extent is what the choice of routines asks about vectors.
type extent struct {
	largest float64 // greatest squared norm
	longest int     // most entries
	ones    bool    // every value is 1
}

// measure also computes the squared norms.
func measure(x []Vector, norms []float64) extent {
	e := extent{ones: true}
	for r, v := range x {
		norms[r] = SquaredNorm(v)
		e.largest, e.longest = max(e.largest, norms[r]), max(e.longest, len(v.Index))
		e.ones = e.ones && allOnes(v)
	}
	return e
}

// finishQueries packs rows whose norms are known.
func (m *Matrix) finishQueries(ctx context.Context, q *Queries, all extent) error {
	if m.form == postings {
		return m.list(ctx)
	}
	storage := m.storage
	if storage == simd.Bytes && !(all.ones && all.longest <= mostOnes) {
		storage = simd.Float32
	}
	if storage == simd.Float32 && !(m.points.fits(storage) && m.points.single(m.kernel, all.largest)) {
		storage = simd.Float64
	}
	var err error
	if q.panels, err = m.panels(ctx, storage); err != nil {
		return err
	}
	if q.rows, err = m.rows(ctx, q.x, q.norms, storage); err != nil {
		return err
	}
	q.f = m.function
	q.f.Greatest = all.longest + m.points.longest
	return nil
}

// rows packs vectors for panels of a storage. Features that no point has contribute to the
// norm only.
func (m *Matrix) rows(ctx context.Context, x []Vector, norms []float64, storage simd.Storage) (simd.Rows, error) {
	dim := int32(m.points.Dim)
	rows := simd.Rows{Storage: storage, Start: make([]int32, len(x)+1)}
	for r, v := range x {
		n := len(v.Index)
		if n > 0 && v.Index[n-1] >= dim {
			n, _ = slices.BinarySearch(v.Index, dim)
		}
		if n > 0 {
			rows.Last = max(rows.Last, storage.Offset(v.Index[n-1]))
		}
		rows.Start[r+1] = rows.Start[r] + int32(n)
	}
	if err := allocate(ctx, &rows); err != nil {
		return rows, err
	}
	err := m.each(ctx, (len(x)+prepared-1)/prepared, func(i int) error {
		for r := i * prepared; r < min((i+1)*prepared, len(x)); r++ {
			writeRow(&rows, r, x[r], norms[r])
		}
		return nil
	})
	return rows, err
}

// allocate makes the arrays of rows that Start is known of.
func allocate(ctx context.Context, rows *simd.Rows) (err error) {
	n := rows.Count()
	entries := int(rows.Start[n])
	if rows.Offset, err = Make[uint32](ctx, entries); err != nil {
		return err
	}
	switch rows.Storage {
	case simd.Float64:
		rows.Half64 = make([]float64, n)
		rows.F64, err = Make[float64](ctx, entries)
	case simd.Float32:
		rows.Half32 = make([]float32, n)
		rows.F32, err = Make[float32](ctx, entries)
	default:
		rows.Ones = make([]int32, n)
	}
	return err
}

// writeRow puts a vector where Start says.
func writeRow(rows *simd.Rows, r int, v Vector, norm float64) {
	begin, end := rows.Start[r], rows.Start[r+1]
	offset := rows.Offset[begin:end]
	for k, i := range v.Index[:len(offset)] {
		offset[k] = rows.Storage.Offset(i)
	}
	switch rows.Storage {
	case simd.Float64:
		copy(rows.F64[begin:end], v.Value)
		rows.Half64[r] = norm / 2
	case simd.Float32:
		values := rows.F32[begin:end]
		for k, value := range v.Value[:len(values)] {
			values[k] = float32(value)
		}
		rows.Half32[r] = roundedHalf(v)
	default:
		rows.Ones[r] = int32(len(v.Index))
	}
}

// pick is some rows of q, in the order given.
func (m *Matrix) pick(ctx context.Context, q *Queries, which []int) (*Queries, error) {
	p := &Queries{x: make([]Vector, len(which)), panels: q.panels, f: q.f}
	if q.norms != nil {
		p.norms = make([]float64, len(which))
	}
	if q.panels != nil {
		p.rows.Storage, p.rows.Last, p.rows.Start = q.rows.Storage, q.rows.Last, make([]int32, len(which)+1)
		for k, r := range which {
			p.rows.Start[k+1] = p.rows.Start[k] + q.rows.Start[r+1] - q.rows.Start[r]
		}
		if err := allocate(ctx, &p.rows); err != nil {
			return nil, err
		}
	}
	err := m.each(ctx, (len(which)+prepared-1)/prepared, func(i int) error {
		for k := i * prepared; k < min((i+1)*prepared, len(which)); k++ {
			p.copyRow(k, q, which[k])
		}
		return nil
	})
	return p, err
}

// copyRow makes row k that of number r of another.
func (q *Queries) copyRow(k int, other *Queries, r int) {
	q.x[k] = other.x[r]
	if q.norms != nil {
		q.norms[k] = other.norms[r]
	}
	if q.panels == nil {
		return
	}
	from, to := &other.rows, &q.rows
	begin, end, at := from.Start[r], from.Start[r+1], to.Start[k]
	copy(to.Offset[at:], from.Offset[begin:end])
	switch from.Storage {
	case simd.Float64:
		copy(to.F64[at:], from.F64[begin:end])
		to.Half64[k] = from.Half64[r]
	case simd.Float32:
		copy(to.F32[at:], from.F32[begin:end])
		to.Half32[k] = from.Half32[r]
	default:
		to.Ones[k] = from.Ones[r]
	}
}
