package solvers

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// KMeans takes the centres of clusters of each class as vectors, half of the Budget per class,
// and finds their coefficients and the bias as Refit does, on all training rows:
//
//	min over β, b   ½‖w‖² + C Σᵢ max(0, 1 - yᵢ f(xᵢ))²,     w = Σᵥ βᵥ Φ(zᵥ),  z the centres.
//
// The centres are means of training rows and no rows themselves: Indices is nil, and on sparse
// data each has many more features than a row. Clusters are found in the input space by Lloyd's
// iteration, 30 rounds at most, from rows drawn uniformly, which follow the density of the class:
// the outliers that k-means++ prefers make worse models. A cluster that loses all its rows is
// left out. A class with fewer distinct rows than its half has those as centres.
//
// Objective and Gap are Refit's. Clustering costs O(Budget·nonzeros) per round, beside
// Refit's own cost.
//
// Lloyd, Least squares quantization in PCM, IEEE Transactions on Information Theory 28, 1982; from
// rows drawn uniformly: Forgy, 1965.
type KMeans struct {
	Kernel   Kernel   // nil: RBF{}
	C        float64  // price of the squared slack, > 0; 0: 1
	Budget   int      // number of centres of both classes, ≥ 1; 0: 100
	Epsilon  float64  // stop when Gap is at most, > 0; 0: 1e-10
	Settings Settings // MaxIterations, of rounds and Newton steps, 0: 10⁵; Seed draws the first centres
}

var (
	_ PathSolver    = KMeans{}
	_ objectivePath = KMeans{}
)

// Name is "KMeans".
func (KMeans) Name() string { return "KMeans" }

// ParameterName is "Budget".
func (KMeans) ParameterName() string { return "Budget" }

// Fit trains with Budget centres.
func (s KMeans) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of ten budgets per decade, up to Budget, each with clusters of its own.
func (s KMeans) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s KMeans) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	b := budgeted{s.Kernel, s.C, s.Epsilon, s.Budget}
	if err := b.resolve("KMeans", newtonEpsilon, s.Settings, train); err != nil {
		return nil, err
	}
	used := s
	used.Kernel, used.C, used.Epsilon, used.Budget = b.kernel, b.c, b.epsilon, min(b.budget, train.Len())
	run := startRun(ctx, s.Settings, 1e5)
	p := newBasis(ctx, train, b.kernel, b.c, s.Settings)
	classes := newClasses(train)
	var err error
	for _, size := range sizesOf(used.Budget, visit) {
		var centres []Vector
		if centres, err = classes.centres(ctx, run, p.state, size, s.Settings); err != nil {
			break
		}
		if run.Stopped() != loop.None {
			if len(p.vectors) == 0 {
				err = p.measure(ctx)
			}
			break // with the model of the budget before
		}
		p = newBasisOn(train, b.kernel, p.matrix, b.c, s.Settings.Workers)
		if err = p.nested(ctx, run, centres, noRows(len(centres)), []int{len(centres)}, b.epsilon, nil); err != nil || run.Stopped() != loop.None {
			break
		}
		if visit != nil {
			if err := visit(float64(size), p.objective, p.model()); err != nil {
				return nil, err
			}
		}
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	result := p.finish(s, used, run, err)
	return result, canceled(ctx, result.Status)
}

// classes are the rows of each class, those of -1 first.
type classes struct {
	rows [2][]Vector
	dim  int
}

func newClasses(train *Dataset) *classes {
	c := &classes{dim: train.Dim}
	for i, y := range train.Y {
		class := int(y+1) / 2
		c.rows[class] = append(c.rows[class], train.X[i])
	}
	return c
}

// centres are those of both classes.
func (c *classes) centres(ctx context.Context, run *loop.Run, state func() loop.Point, size int, s Settings) ([]Vector, error) {
	var centres []Vector
	for class, x := range c.rows {
		share := (size + class) / 2 // an odd one is for +1
		if share == 0 {
			continue
		}
		c := &clusters{x: x, dim: c.dim, workers: s.Workers, nearest: slices.Repeat([]int{-1}, len(x))}
		if err := c.seed(ctx, min(share, len(x)), rand.New(rand.NewPCG(s.Seed, uint64(class)))); err != nil {
			return nil, err
		}
		for range clusterRounds {
			if !run.Next(state) {
				return nil, ctx.Err()
			}
			moved, err := c.round(ctx)
			if err != nil {
				return nil, err
			}
			if !moved {
				break
			}
		}
		centres = append(centres, c.centres()...)
	}
	return centres, nil
}

// clusterRounds limits Lloyd's iteration: later rounds change the centres little.
const clusterRounds = 30

// clusters is a set of rows and the mean of each of its parts.
type clusters struct {
	x       []Vector
	dim     int
	workers int
	mean    [][]float64
	square  []float64 // ‖mean‖²
	nearest []int     // the cluster of row i
}

// seed makes k rows, drawn uniformly, the first means; fewer if there are not so many distinct
// ones.
func (c *clusters) seed(ctx context.Context, k int, random *rand.Rand) error {
	var drawn []Vector
	for _, i := range random.Perm(len(c.x)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(drawn) == k {
			break
		}
		x := c.x[i]
		if !slices.ContainsFunc(drawn, func(z Vector) bool { return gram.SquaredDistance(x, z) == 0 }) {
			drawn = append(drawn, x)
			c.add(x)
		}
	}
	return nil
}

// add makes a row a mean.
func (c *clusters) add(x Vector) {
	mean := make([]float64, c.dim)
	for k, feature := range x.Index {
		mean[feature] = x.Value[k]
	}
	c.mean, c.square = append(c.mean, mean), append(c.square, gram.SquaredNorm(x))
}

// round gives each row to the nearest mean, of equally near ones the first, and each cluster its
// mean. It reports whether a row moved.
func (c *clusters) round(ctx context.Context) (bool, error) {
	// Rows have fewer entries than means: they are the queries, and the means the points.
	product := gram.NewMatrix(gram.PointsWithin(ctx, c.centres()), gram.Kernel{Kind: gram.Linear}, gram.Double, 1)
	n, k := len(c.nearest), len(c.mean)
	moved := make([]bool, blockCount(n))
	err := gram.Each(ctx, c.workers, len(moved), func(b int) error {
		low, high := b*blockRows, min((b+1)*blockRows, n)
		products, best := make([]float64, (high-low)*k), make([]int, high-low)
		if err := product.Rows(ctx, c.x[low:high], products, k); err != nil {
			return err
		}
		for i := range best {
			least := math.Inf(1)
			for m, p := range products[i*k : (i+1)*k] {
				if d := c.square[m] - 2*p; d < least {
					best[i], least = m, d
				}
			}
		}
		moved[b] = !slices.Equal(c.nearest[low:high], best)
		copy(c.nearest[low:high], best)
		return nil
	})
	if err != nil || !slices.Contains(moved, true) {
		return false, err
	}
	c.recentre()
	return true, nil
}

// recentre makes the means of the clusters; those without rows go.
func (c *clusters) recentre() {
	sizes := make([]float64, len(c.mean))
	for k := range c.mean {
		clear(c.mean[k])
	}
	for i, x := range c.x {
		k := c.nearest[i]
		sizes[k]++
		for p, feature := range x.Index {
			c.mean[k][feature] += x.Value[p]
		}
	}
	place := make([]int, len(sizes))
	kept := c.mean[:0]
	c.square = c.square[:0]
	for k, mean := range c.mean {
		place[k] = len(kept)
		if sizes[k] == 0 {
			continue
		}
		square := 0.0
		for feature := range mean {
			mean[feature] /= sizes[k]
			square += mean[feature] * mean[feature]
		}
		kept, c.square = append(kept, mean), append(c.square, square)
	}
	c.mean = kept
	for i, k := range c.nearest {
		c.nearest[i] = place[k]
	}
}

// centres are the means as sparse vectors.
func (c *clusters) centres() []Vector {
	out := make([]Vector, len(c.mean))
	for k, mean := range c.mean {
		for feature, value := range mean {
			if value != 0 {
				out[k].Index = append(out[k].Index, int32(feature))
				out[k].Value = append(out[k].Value, value)
			}
		}
	}
	return out
}
