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
	var err error
	for _, size := range sizesOf(used.Budget, visit) {
		var centres []Vector
		if centres, err = classCentres(ctx, run, p.state, train, size, s.Settings); err != nil {
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

// classCentres are the centres of both classes, those of -1 first.
func classCentres(ctx context.Context, run *loop.Run, state func() loop.Point, train *Dataset, size int, s Settings) ([]Vector, error) {
	var rows [2][]Vector
	for i, y := range train.Y {
		class := int(y+1) / 2
		rows[class] = append(rows[class], train.X[i])
	}
	var centres []Vector
	for class, x := range rows {
		share := (size + class) / 2 // an odd one is for +1
		if share == 0 {
			continue
		}
		c := newClusters(x, train.Dim, s.Workers, rand.New(rand.NewPCG(s.Seed, uint64(class))))
		if err := c.seed(ctx, min(share, len(x))); err != nil {
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

// clusterRounds is the number of Lloyd's rounds; the last ones change little.
const clusterRounds = 30

// clusters is a set of rows and the mean of each of its parts.
type clusters struct {
	x       []Vector
	norm    []float64 // ‖x_i‖²
	dim     int
	workers int
	random  *rand.Rand
	mean    [][]float64
	square  []float64 // ‖mean‖²
	nearest []int     // the cluster of row i
}

func newClusters(x []Vector, dim, workers int, random *rand.Rand) *clusters {
	c := &clusters{x: x, norm: make([]float64, len(x)), dim: dim, workers: workers, random: random, nearest: slices.Repeat([]int{-1}, len(x))}
	for i, v := range x {
		c.norm[i] = gram.SquaredNorm(v)
	}
	return c
}

// seed makes k rows, drawn uniformly, the first means; fewer if there are not so many distinct
// ones.
func (c *clusters) seed(ctx context.Context, k int) error {
	for _, i := range c.random.Perm(len(c.x)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if len(c.mean) == k {
			break
		}
		same := false
		for m := range c.mean {
			same = same || c.distance(i, m) == 0
		}
		if !same {
			c.add(c.x[i])
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

// distance is ‖x_i - mean_k‖², 0 where rounding says so.
func (c *clusters) distance(i, k int) float64 {
	x, mean, product := c.x[i], c.mean[k], 0.0
	for p, feature := range x.Index {
		product += x.Value[p] * mean[feature]
	}
	sum := c.norm[i] + c.square[k]
	if d := sum - 2*product; d > 1e-14*sum {
		return d
	}
	return 0
}

// round gives each row to the nearest mean, of equally near ones the first, and each cluster its
// mean. It reports whether a row moved.
func (c *clusters) round(ctx context.Context) (bool, error) {
	moved := make([]bool, blockCount(len(c.x)))
	err := gram.Each(ctx, c.workers, len(moved), func(b int) error {
		for i := b * blockRows; i < min((b+1)*blockRows, len(c.x)); i++ {
			best, least := 0, math.Inf(1)
			for k := range c.mean {
				if d := c.distance(i, k); d < least {
					best, least = k, d
				}
			}
			moved[b] = moved[b] || c.nearest[i] != best
			c.nearest[i] = best
			if i%64 == 63 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
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
