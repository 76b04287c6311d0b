package gram

import (
	"context"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// Matrix is the kernel values K(x, z_j) of any vectors x and the points z_j. Nothing of it is
// stored: values are computed when they are asked for. Its methods may be called concurrently.
type Matrix struct {
	points   *Points
	kernel   Kernel
	form     form
	storage  simd.Storage // of panels, unless the queries need another
	workers  int
	team     *Team // of the caller's; nil: goroutines are started for each call
	path     simd.Path
	function simd.Function

	packing sync.Mutex      // of the following, which are made when they are first needed
	packed  [3]*simd.Panels // by storage
	lists   []list

	origin *Matrix // that this is a subset of, in the end; nil: none
	owning sync.Mutex
	own    *Queries // the points as rows; of the origin alone

	careful     bool // distances between points may cancel: see near
	evaluations *atomic.Int64
}

// NewMatrix prepares the values of a kernel; its parameters must be finite and Gamma > 0.
// workers is the number of goroutines that share the work of one call; 0: GOMAXPROCS.
func NewMatrix(p *Points, k Kernel, precision Precision, workers int) *Matrix {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	m := &Matrix{points: p, kernel: k, workers: workers, path: simd.Chosen(), evaluations: new(atomic.Int64)}
	m.form, m.storage = p.choose(k, precision)
	m.prepare()
	return m
}

// Employ makes a team do the shared work of m and of the subsets that are made of it from now
// on. They may then be used by the team's goroutine only.
func (m *Matrix) Employ(t *Team) { m.team = t }

func (m *Matrix) each(ctx context.Context, n int, work func(i int) error) error {
	if m.team != nil {
		return m.team.Each(ctx, n, work)
	}
	return Each(ctx, m.workers, n, work)
}

// whole is the matrix that m is a subset of in the end, or m itself.
func (m *Matrix) whole() *Matrix {
	if m.origin != nil {
		return m.origin
	}
	return m
}

// Subset is the matrix of the same kernel whose points are those given. It computes as its
// origin does and counts its evaluations there.
func (m *Matrix) Subset(points []int) *Matrix {
	// The bounds are those of all points, so that the same routines are chosen.
	p := &Points{}
	*p = *m.points
	p.X, p.Norms = make([]Vector, len(points)), make([]float64, len(points))
	for i, j := range points {
		p.X[i], p.Norms[i] = m.points.X[j], m.points.Norms[j]
	}
	sub := &Matrix{points: p, kernel: m.kernel, form: m.form, storage: m.storage,
		workers: m.workers, team: m.team, origin: m.whole(), path: m.path, evaluations: m.evaluations}
	sub.prepare()
	return sub
}

func (m *Matrix) prepare() {
	switch m.kernel.Kind {
	case RBF:
		m.function = simd.Function{Kind: simd.Exponential, Scale: -2 * m.kernel.Gamma * math.Log2E,
			Table: simd.NewTable(m.kernel.Gamma)}
		m.careful = m.kernel.Gamma*m.points.largest > 1e5
	case Polynomial:
		m.function = simd.Function{Kind: simd.Power, Scale: m.kernel.Gamma, Shift: m.kernel.Coef0, Degree: m.kernel.Degree}
	}
}

// panels are the points in panels of a storage.
func (m *Matrix) panels(ctx context.Context, storage simd.Storage) (*simd.Panels, error) {
	m.packing.Lock()
	defer m.packing.Unlock()
	if m.packed[storage] == nil {
		z, err := m.points.pack(ctx, storage, m.each)
		if err != nil {
			return nil, err
		}
		m.packed[storage] = z
	}
	return m.packed[storage], nil
}

// list makes the lists of the points.
func (m *Matrix) list(ctx context.Context) error {
	m.packing.Lock()
	defer m.packing.Unlock()
	if m.lists != nil {
		return nil
	}
	x := m.points.X
	lists := make([]list, (len(x)+listPoints-1)/listPoints)
	err := m.each(ctx, len(lists), func(i int) error {
		lists[i] = newList(x[i*listPoints : min((i+1)*listPoints, len(x))])
		return nil
	})
	if err == nil {
		m.lists = lists
	}
	return err
}

// Len is the number of points.
func (m *Matrix) Len() int { return len(m.points.X) }

// Precise reports whether values are computed in float64.
func (m *Matrix) Precise() bool { return m.form != panels || m.storage == simd.Float64 }

// Finite reports whether the values between points are known to be finite: no product of two
// points exceeds the greatest squared norm. It is false for Custom.
func (m *Matrix) Finite() bool {
	const greatest = 1e300
	bound := math.Abs(m.kernel.Gamma)*m.points.largest + math.Abs(m.kernel.Coef0)
	if m.kernel.Kind == Polynomial {
		bound = power(bound, m.kernel.Degree)
	}
	return m.kernel.Kind != Custom && m.points.largest < greatest && bound < greatest
}

// Evaluations is the number of kernel values computed so far.
func (m *Matrix) Evaluations() int64 { return m.evaluations.Load() }

// Diagonal sets out[j] = K(z_j, z_j), in float64.
func (m *Matrix) Diagonal(out []float64) {
	for j, z := range m.points.X {
		if m.kernel.Kind == Custom {
			out[j] = m.kernel.Eval(z, z)
		} else {
			norm := m.points.Norms[j]
			out[j] = m.kernel.fromDot(norm, norm, norm)
		}
	}
	m.evaluations.Add(int64(len(m.points.X)))
}

// Row sets out[j] = K(x, z_j) for all points j.
func (m *Matrix) Row(ctx context.Context, x Vector, out []float64) error {
	return m.Rows(ctx, []Vector{x}, out, len(out))
}

// Rows sets out[r·stride + j] = K(x_r, z_j) for all points j, stride ≥ Len.
func (m *Matrix) Rows(ctx context.Context, x []Vector, out []float64, stride int) error {
	return m.inBlocks(ctx, len(x), func(low, high int) error {
		q, err := m.Prepare(ctx, x[low:high])
		if err != nil {
			return err
		}
		return m.rowsOf(ctx, q, out[low*stride:], stride)
	})
}

// RowsOf is Rows of some points of the matrix that m is a subset of in the end, or of m itself.
// They are prepared once for all subsets.
func (m *Matrix) RowsOf(ctx context.Context, which []int, out []float64, stride int) error {
	q, err := m.ownRows(ctx)
	if err != nil {
		return err
	}
	picked, err := m.pick(ctx, q, which)
	if err != nil {
		return err
	}
	return m.rowsOf(ctx, picked, out, stride)
}

func (m *Matrix) rowsOf(ctx context.Context, q *Queries, out []float64, stride int) error {
	return m.share(ctx, q, func(q *Queries, low, high int) error {
		return m.values(ctx, q, low, high, out[low:], stride)
	})
}

// Add adds Σ_r weight[r]·K(x_r, z_j) to sum[j] for all points j, in float64 and in an order
// that depends on x alone. When ctx ends, sum is partly done.
func (m *Matrix) Add(ctx context.Context, x []Vector, weight, sum []float64) error {
	return m.inBlocks(ctx, len(x), func(low, high int) error {
		ordered, weights := byLength(x[low:high], weight[low:high], func(v Vector) int { return len(v.Index) })
		q, err := m.Prepare(ctx, ordered)
		if err != nil {
			return err
		}
		return m.add(ctx, q, weights, sum)
	})
}

// AddOf is Add of some points, as RowsOf takes them.
func (m *Matrix) AddOf(ctx context.Context, which []int, weight, sum []float64) error {
	q, err := m.ownRows(ctx)
	if err != nil {
		return err
	}
	return m.inBlocks(ctx, len(which), func(low, high int) error {
		ordered, weights := byLength(which[low:high], weight[low:high], func(r int) int { return len(q.x[r].Index) })
		picked, err := m.pick(ctx, q, ordered)
		if err != nil {
			return err
		}
		return m.add(ctx, picked, weights, sum)
	})
}

func (m *Matrix) add(ctx context.Context, q *Queries, weights, sum []float64) error {
	return m.share(ctx, q, func(q *Queries, low, high int) error {
		return m.addTo(ctx, q, weights, low, high, sum[low:high])
	})
}

// byLength sorts rows by their number of entries: a loop that is as long as the one before is
// predicted by the processor.
func byLength[T any](rows []T, weight []float64, length func(T) int) ([]T, []float64) {
	order := make([]int, len(rows))
	for r := range order {
		order[r] = r
	}
	slices.SortStableFunc(order, func(a, b int) int { return length(rows[a]) - length(rows[b]) })
	sorted, weights := make([]T, len(rows)), make([]float64, len(rows))
	for k, r := range order {
		sorted[k], weights[k] = rows[r], weight[r]
	}
	return sorted, weights
}

// Values sets out[j-low] = K(x_r, z_j) for row r of q and the points j = low, …, low+len(out)-1;
// low is a multiple of 64. It is for callers that share the work themselves.
func (m *Matrix) Values(ctx context.Context, q *Queries, r, low int, out []float64) error {
	one := q.slice(r, r+1)
	m.evaluations.Add(int64(len(out)))
	return m.values(ctx, one, low, low+len(out), out, len(out))
}

// rowBlock is the number of rows that are prepared and passed over the points at a time.
const rowBlock = 2048

// inBlocks calls work for one range of at most rowBlock of n rows after the other.
func (m *Matrix) inBlocks(ctx context.Context, n int, work func(low, high int) error) error {
	for low := 0; low < n; low += rowBlock {
		if err := work(low, min(low+rowBlock, n)); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// share calls work for ranges [low, high) of the points, low a multiple of 64, concurrently.
func (m *Matrix) share(ctx context.Context, q *Queries, work func(q *Queries, low, high int) error) error {
	bound, n, err := *q, m.Len(), error(nil)
	switch {
	case q.panels != nil:
		if bound.panels, err = m.panels(ctx, q.panels.Storage); err != nil {
			return err
		}
	case m.form == postings:
		if err = m.list(ctx); err != nil {
			return err
		}
	}
	step := m.step(q)
	err = m.each(ctx, (n+step-1)/step, func(i int) error {
		return work(&bound, i*step, min((i+1)*step, n))
	})
	if err == nil {
		m.evaluations.Add(int64(q.Len()) * int64(n))
	}
	return err
}

// step is the number of points that a worker takes at a time, a multiple of 64: some
// 5·10⁴ ns of work, as far as the number of entries tells.
func (m *Matrix) step(q *Queries) int {
	if m.form == postings {
		return listPoints
	}
	entries := 0
	for _, x := range q.x {
		entries += len(x.Index)
	}
	nanoseconds := 64 * 0.02 * float64(entries+20*len(q.x))
	if m.form == plain {
		nanoseconds = 64 * 1e3 * float64(len(q.x))
	}
	return 64 * int(min(max(5e4/nanoseconds, 1), 1024))
}
