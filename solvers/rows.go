package solvers

import (
	"context"
	"fmt"
	"math"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// rows evaluates one kernel against a fixed list of vectors, the points. It is where all
// kernel values of the solvers come from. It is used by one goroutine; the work inside a call
// is shared among workers, with results that do not depend on their number.
type rows struct {
	kernel      Kernel
	points      []Vector
	own         bool         // a kernel of the package, which gram knows:
	fast        gram.Kernel  // the same
	matrix      *gram.Matrix // its values; nil until first needed
	workers     int
	evaluations int64 // kernel values computed
	cache       *simplelru.LRU[int, []float64]
	capacity    int
	spare       []float64 // the row evicted last, to be written again
}

// newRows prepares the points for a kernel whose defaults are filled in.
func newRows(kernel Kernel, points []Vector, s Settings) *rows {
	r := &rows{kernel: kernel, points: points, workers: s.Workers}
	r.fast, r.own = gramKernel(kernel)
	cacheMB := s.CacheMB
	if cacheMB == 0 {
		cacheMB = 200
	}
	// Two rows at least, so that a pair of rows stays valid while both are in use.
	r.capacity = max(2, cacheMB<<20/(8*max(len(points), 1)))
	cache, err := simplelru.NewLRU(r.capacity, func(_ int, row []float64) { r.spare = row })
	if err != nil {
		panic("solvers: " + err.Error())
	}
	r.cache = cache
	return r
}

// row is K(z_i, z_j) for all points j. It is valid until two other rows have been asked for,
// and not to be changed. The error is ctx's, or says that a value is not finite.
func (r *rows) row(ctx context.Context, i int) ([]float64, error) {
	if err := ctx.Err(); err != nil { // sums over rows look nowhere else
		return nil, err
	}
	if row, ok := r.cache.Get(i); ok {
		return row, nil
	}
	if r.cache.Len() == r.capacity {
		r.cache.RemoveOldest()
	}
	row := r.spare
	r.spare = nil
	if row == nil {
		row = make([]float64, len(r.points))
	}
	if err := r.against(ctx, r.points[i], row); err != nil {
		r.spare = row
		return nil, err
	}
	if !r.own || !r.matrix.Finite() {
		for j, k := range row {
			if k-k != 0 {
				r.spare = row
				return nil, fmt.Errorf("%v of rows %d and %d is %g: want a finite number", r.kernel, i, j, k)
			}
		}
	}
	r.cache.Add(i, row)
	return row, nil
}

// values are the kernel values of a kernel of the package, in float64. Points are prepared when
// they are first needed, where ctx is known.
func (r *rows) values(ctx context.Context) (*gram.Matrix, error) {
	if r.matrix == nil {
		points, err := gram.ScanPoints(ctx, r.points)
		if err != nil {
			return nil, err
		}
		r.matrix = gram.NewMatrix(points, r.fast, gram.Double, r.workers)
	}
	return r.matrix, nil
}

// against sets out[j] = K(x, z_j) for all points j.
func (r *rows) against(ctx context.Context, x Vector, out []float64) error {
	r.evaluations += int64(len(out))
	if r.own {
		matrix, err := r.values(ctx)
		if err != nil {
			return err
		}
		return matrix.Row(ctx, x, out)
	}
	return gram.Each(ctx, r.workers, blockCount(len(out)), func(b int) error {
		low, high := b*blockRows, min((b+1)*blockRows, len(out))
		return r.fill(ctx, b, x, out[low:high])
	})
}

// filler prepares vectors. The function that it returns sets out to the kernel values of vector
// v and the points of block b; its calls may be concurrent.
func (r *rows) filler(ctx context.Context, vectors []Vector) (func(b, v int, out []float64) error, error) {
	if !r.own {
		return func(b, v int, out []float64) error { return r.fill(ctx, b, vectors[v], out) }, nil
	}
	matrix, err := r.values(ctx)
	if err != nil {
		return nil, err
	}
	q, err := matrix.Prepare(ctx, vectors)
	return func(b, v int, out []float64) error { return matrix.Values(ctx, q, v, b*blockRows, out) }, err
}

// fill sets out to the values of a user's kernel for x and the points of block b.
func (r *rows) fill(ctx context.Context, b int, x Vector, out []float64) error {
	low := b * blockRows
	// A kernel may take microseconds: look at ctx within the block too.
	for j := range out {
		if j%64 == 63 && ctx.Err() != nil {
			return ctx.Err()
		}
		out[j] = r.kernel.Eval(x, r.points[low+j])
	}
	return nil
}

// diagonal is K(z_j, z_j) for all points j.
func (r *rows) diagonal() ([]float64, error) {
	out := make([]float64, len(r.points))
	for j, z := range r.points {
		out[j] = r.kernel.Eval(z, z)
		if math.IsNaN(out[j]) || math.IsInf(out[j], 0) {
			return nil, fmt.Errorf("%v of row %d with itself is %g: want a finite number", r.kernel, j, out[j])
		}
	}
	r.evaluations += int64(len(out))
	return out, nil
}

// combine sets out[j] = Σ_s coefficients[s]·K(vectors[s], z_j) for all points j.
func (r *rows) combine(ctx context.Context, vectors []Vector, coefficients, out []float64) error {
	r.evaluations += int64(len(vectors)) * int64(len(out))
	if r.own {
		matrix, err := r.values(ctx)
		if err != nil {
			return err
		}
		clear(out)
		return matrix.Add(ctx, vectors, coefficients, out)
	}
	return gram.Each(ctx, r.workers, blockCount(len(out)), func(b int) error {
		sum := out[b*blockRows : min((b+1)*blockRows, len(out))]
		clear(sum)
		values := make([]float64, len(sum))
		for s, v := range vectors {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := r.fill(ctx, b, v, values); err != nil {
				return err
			}
			beta := coefficients[s]
			for j, k := range values {
				sum[j] += beta * k
			}
		}
		return nil
	})
}

// blockRows is the number of points that a worker takes at a time: their kernel values stay in
// the first-level cache.
const blockRows = 2048

func blockCount(rows int) int { return (rows + blockRows - 1) / blockRows }
