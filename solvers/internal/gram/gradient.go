package gram

import (
	"context"
	"fmt"
	"math"
	"runtime"

	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// Loss is the loss of a decision value f at a row with a target, and its derivative by f.
type Loss func(f, target float64) (value, slope float64)

// Expansion is the loss of f(x) = Σᵥ βᵥ K(zᵥ, x) + b on fixed rows,
//
//	F(θ) = 1/n Σᵢ Loss(f(xᵢ), targetᵢ) + Ridge·‖β‖²,
//
// as a function of all that f is made of: θ is the features of the vectors, one vector after the
// other, the coefficients, the bias, then, if they are variable, the logarithms of Gamma (one, or
// one for each vector) and those of the feature scales s in K = exp(-γ Σⱼ sⱼ(xⱼ-zⱼ)²).
//
// A pass costs O(rows' entries · vectors), forward and backward alike. Results do not depend on
// the number of workers.
type Expansion struct {
	Kernel  Kernel
	Dim     int
	Vectors int
	Target  []float64
	Loss    Loss
	Ridge   float64
	Gammas  int  // variable ones: 0, 1 or Vectors; RBF only
	Scales  bool // the feature scales are variable; RBF only
	Workers int  // 0: GOMAXPROCS
	Precise bool // float64, else float32 with sums over many rows in float64

	rows   []Vector
	norms  []float64
	single *engine[float32]
	double *engine[float64]
}

// NewExpansion prepares the rows, whose features are below dim. Fields may be set until the first
// evaluation.
func NewExpansion(k Kernel, rows []Vector, target []float64, dim, vectors int) *Expansion {
	if k.Kind == Custom || len(rows) != len(target) || dim > simd.MostTileFeatures {
		panic(fmt.Sprintf("gram: no gradient for kernel kind %d, %d rows, %d targets, %d features", k.Kind, len(rows), len(target), dim))
	}
	e := &Expansion{Kernel: k, Dim: dim, Vectors: vectors, Target: target, rows: rows, norms: make([]float64, len(rows))}
	entries, largest := 0, 0.0
	for i, x := range rows {
		e.norms[i] = SquaredNorm(x)
		largest = max(largest, e.norms[i])
		entries += len(x.Index)
	}
	p := Points{}
	const small = 1 << 18 // entries times vectors for which float64 takes no noticeable time
	e.Precise = !p.single(k, largest) || entries*max(vectors, 1) <= small
	return e
}

// Len is the number of parameters.
func (e *Expansion) Len() int {
	n := e.Vectors*(e.Dim+1) + 1 + e.Gammas
	if e.Scales {
		n += e.Dim
	}
	return n
}

// Evaluate is F(theta); it sets gradient to the derivatives. The error is ctx's.
func (e *Expansion) Evaluate(ctx context.Context, theta, gradient []float64) (float64, error) {
	if len(theta) != e.Len() || len(gradient) != e.Len() {
		panic(fmt.Sprintf("gram: %d parameters and a gradient of %d for %d", len(theta), len(gradient), e.Len()))
	}
	if err := e.prepare(ctx); err != nil {
		return 0, err
	}
	if e.Precise {
		return e.double.evaluate(ctx, theta, gradient)
	}
	return e.single.evaluate(ctx, theta, gradient)
}

// Adam moves theta; see engine.adam.
func (e *Expansion) Adam(ctx context.Context, theta []float64, s Schedule, after func(epoch int, theta []float64) bool) error {
	if len(theta) != e.Len() || e.Gammas > 0 || e.Scales {
		panic("gram: Adam moves vectors, coefficients and bias only")
	}
	if err := e.prepare(ctx); err != nil {
		return err
	}
	if e.Precise {
		return e.double.adam(ctx, theta, s, after)
	}
	return e.single.adam(ctx, theta, s, after)
}

// prepare makes the engine of the precision that is wanted, if it is not there.
func (e *Expansion) prepare(ctx context.Context) (err error) {
	switch {
	case e.Precise && e.double == nil:
		e.double, err = newEngine[float64](ctx, e)
	case !e.Precise && e.single == nil:
		e.single, err = newEngine[float32](ctx, e)
	}
	return err
}

// engine evaluates an Expansion in one precision.
type engine[T simd.Float] struct {
	*Expansion
	path   simd.Path
	data   *simd.Entries[T]
	pool   *pool[T] // the rows again, while Adam reads them in random order; nil: it does not
	tiles  []*simd.Tile[T]
	first  []int // the vector of lane 0 of each tile, and the number of vectors
	lanes  int   // of all tiles
	part   int   // rows whose kernel values are kept at a time
	bias   float64
	gamma  []float64 // of each vector
	scale  []float64 // of each feature; nil: 1
	spaces []*space[T]
}

// newEngine ends with ctx, whose error it returns.
func newEngine[T simd.Float](ctx context.Context, e *Expansion) (*engine[T], error) {
	g := &engine[T]{Expansion: e, path: simd.Chosen(), data: &simd.Entries[T]{Start: []int32{0}}, gamma: make([]float64, e.Vectors)}
	for v := range g.gamma {
		g.gamma[v] = e.Kernel.Gamma
	}
	for left := e.Vectors; left > 0; {
		lanes := 64
		if left <= 16 {
			lanes = 16
		} else if left <= 32 {
			lanes = 32
		}
		g.first = append(g.first, e.Vectors-left)
		g.tiles = append(g.tiles, simd.NewTile[T](lanes, e.Dim))
		g.lanes += lanes
		left -= min(left, lanes)
	}
	g.first = append(g.first, e.Vectors)
	g.part = min(max(1<<16/max(g.lanes, 1), 64), 1024)
	for i, x := range e.rows {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for k, index := range x.Index {
			offset := simd.TileOffset(index)
			g.data.Offset, g.data.Value = append(g.data.Offset, offset), append(g.data.Value, T(x.Value[k]))
			g.data.Last = max(g.data.Last, offset)
		}
		g.data.Start = append(g.data.Start, int32(len(g.data.Offset)))
		g.data.Half = append(g.data.Half, halfNorm[T](x, e.norms[i]))
	}
	return g, nil
}

// halfNorm is ‖x‖²/2 of the values as T has them.
func halfNorm[T simd.Float](x Vector, norm float64) T {
	if _, single := any(T(0)).(float32); single {
		return T(roundedHalf(x))
	}
	return T(norm / 2)
}

// workers is the number of goroutines.
func (e *Expansion) workers() int {
	if e.Workers > 0 {
		return e.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// load puts the parameters into the tiles.
func (g *engine[T]) load(ctx context.Context, theta []float64) error {
	coefficients := theta[g.Vectors*g.Dim:]
	g.bias = coefficients[g.Vectors]
	extra := coefficients[g.Vectors+1:]
	for v := range g.gamma {
		if g.Gammas > 0 {
			g.gamma[v] = math.Exp(extra[min(v, g.Gammas-1)])
		}
	}
	if g.Scales {
		g.rescale(extra[g.Gammas:])
	}
	for k, t := range g.tiles {
		if err := ctx.Err(); err != nil {
			return err
		}
		clear(t.Half)
		for v := g.first[k]; v < g.first[k+1]; v++ {
			lane, square := v-g.first[k], 0.0
			for j, z := range theta[v*g.Dim : (v+1)*g.Dim] {
				at := T(z)
				if g.scale != nil {
					square += g.scale[j] * z * z
					at = T(g.scale[j] * z)
				} else {
					square += float64(at) * float64(at)
				}
				t.Value[j*t.Lanes+lane] = at
			}
			t.Half[lane] = T(square / 2)
			t.Weight[lane] = T(coefficients[v])
			t.Scale[lane] = T(-2 * math.Log2E * g.gamma[v])
		}
	}
	return nil
}

// rescale takes the feature scales from their logarithms, and the rows' norms with them.
func (g *engine[T]) rescale(logs []float64) {
	if g.scale == nil {
		g.scale = make([]float64, g.Dim)
	}
	for j, l := range logs {
		g.scale[j] = math.Exp(l)
	}
	for i, x := range g.rows {
		sum := 0.0
		for k, j := range x.Index {
			sum += g.scale[j] * x.Value[k] * x.Value[k]
		}
		g.norms[i], g.data.Half[i] = sum, T(sum/2)
	}
}

// kind is how kernel values are made of dot products in a forward pass.
func (g *engine[T]) kind() simd.Kind {
	if g.Kernel.Kind == RBF {
		return simd.Exponential
	}
	return simd.Dot
}
