package solvers

import (
	"cmp"
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/optimize"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// SparseLargeMargin trains with Budget vectors of the input space, that are no training rows (Indices
// is nil), and moves all of them to where the SVM on their span is best:
//
//	min over z   W(z),     W(z) = min over β, b   ½‖w‖² + C Σᵢ max(0, 1 - yᵢ f(xᵢ))²,     w = Σᵥ βᵥ Φ(zᵥ)
//
// The inner problem is Refit's, solved by Newton's method. W has a gradient, that of the inner
// objective with β and b as they are (the paper's eq. 13 and 14); its derivative by β is 0 there.
// The outer problem is not convex and goes to a local minimum by L-BFGS.
//
// The paper has the hinge loss, whose W has kinks where the rows with a loss change, and no bias
// in the span; here the loss is squared, which makes W smooth.
//
// The first vectors are those of Reference whose coefficients are greatest, or without one the
// centres of KMeans. Objective is W; it never rises. Gap is the norm of its gradient as a share of
// that at the start. The run ends when this is at most Epsilon or W falls no more. The kernel
// must be RBF, Poly or Linear.
//
// Each evaluation of W costs O(rows·Budget·nonzeros) and some Newton steps; see Refit. There is a
// run for each budget of a path.
//
// Wu, Schölkopf, Bakır, Building sparse large margin classifiers, ICML 2005, and A direct method for
// building sparse kernel learning algorithms, JMLR 7, 2006.
type SparseLargeMargin struct {
	Reference *Model   // whose vectors to start from; nil: the centres of KMeans
	Kernel    Kernel   // nil: RBF{}; only without Reference
	C         float64  // price of the squared slack, > 0; 0: 1
	Budget    int      // number of vectors, ≥ 1; 0: 100
	Epsilon   float64  // stop when Gap is at most, > 0; 0: 1e-3
	Settings  Settings // MaxIterations, of L-BFGS for each budget, 0: 500; Seed draws the first centres
}

var (
	_ PathSolver    = SparseLargeMargin{}
	_ objectivePath = SparseLargeMargin{}
)

// Name is "SparseLargeMargin".
func (SparseLargeMargin) Name() string { return "SparseLargeMargin" }

// ParameterName is "Budget".
func (SparseLargeMargin) ParameterName() string { return "Budget" }

// Fit finds Budget vectors.
func (s SparseLargeMargin) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of ten budgets per decade, up to Budget.
func (s SparseLargeMargin) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s SparseLargeMargin) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	used := s
	if err := used.resolve(train); err != nil {
		return nil, err
	}
	sizes := sizesOf(used.Budget, visit)
	whole := s.Settings
	whole.MaxIterations = 0 // that is for each budget
	run := startRun(ctx, whole, used.steps()*len(sizes))
	var p *marginMoves
	var err error
	var evaluations int64
	for _, size := range sizes {
		next := newMarginMoves(ctx, used, train, run)
		err = next.move(ctx, size)
		evaluations += next.empty.matrix.Evaluations()
		if p == nil || next.best != nil {
			p = next
		}
		if err != nil || run.Stopped() != loop.None {
			break
		}
		if visit != nil {
			if err := visit(float64(size), p.best.objective, p.best.model()); err != nil {
				return nil, err
			}
		}
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if err != nil {
		run.Next(p.state) // says that the context ended
	}
	run.Finish(p.state)
	model := newModel(used.Kernel, train, nil, 0)
	model.Indices = nil
	if p.best != nil {
		model = p.best.model()
	}
	result := newResult(s, used, model, run)
	result.Rows, result.KernelEvaluations = train.Len(), evaluations
	if p.limited && !result.Status.Early() {
		result.Status = IterationLimit
	}
	return result, canceled(ctx, result.Status)
}

// resolve fills in the defaults. The kernel of a reference becomes the solver's.
func (s *SparseLargeMargin) resolve(train *Dataset) error {
	const name = "SparseLargeMargin"
	if s.Reference != nil {
		if s.Kernel != nil {
			return errors.New(name + ": Kernel is for a start without Reference; leave it out when Reference is given")
		}
		s.Kernel = s.Reference.Kernel
	}
	b := budgeted{s.Kernel, s.C, s.Epsilon, s.Budget}
	if err := b.resolve(name, 1e-3, s.Settings, train); err != nil {
		return err
	}
	s.Kernel, s.C, s.Epsilon, s.Budget = b.kernel, b.c, b.epsilon, min(b.budget, train.Len())
	switch s.Kernel.(type) {
	case RBF, Poly, Linear:
	default:
		return errors.New(name + ": " + s.Kernel.String() + " has no gradient that is known: want RBF, Poly or Linear")
	}
	if s.Reference != nil {
		return cmp.Or(checkReference(name, s.Reference, train.Dim), checkSupport(name, s.Reference))
	}
	return nil
}

func (s *SparseLargeMargin) steps() int {
	if s.Settings.MaxIterations > 0 {
		return s.Settings.MaxIterations
	}
	return 500
}

// marginMoves is the vectors of one budget on their way.
type marginMoves struct {
	empty *basis // without vectors; its matrix serves all
	used  SparseLargeMargin
	train *Dataset
	run   *loop.Run
	best  *basis // the best vectors so far, solved
	last  *basis // those that were looked at last
	at    []float64
	gap   float64

	limited bool // ended by the number of steps
}

func newMarginMoves(ctx context.Context, used SparseLargeMargin, train *Dataset, run *loop.Run) *marginMoves {
	return &marginMoves{empty: newBasis(ctx, train, used.Kernel, used.C, used.Settings), used: used, train: train, run: run, gap: math.Inf(1)}
}

func (p *marginMoves) state() loop.Point {
	if p.best == nil {
		return loop.Point{Objective: math.Inf(1), Gap: math.Inf(1)}
	}
	point := p.best.state()
	point.Gap = p.gap
	return point
}

// start is the first vectors.
func (p *marginMoves) start(ctx context.Context, size int) ([]Vector, error) {
	if m := p.used.Reference; m != nil {
		var vectors []Vector
		for _, place := range m.largest(min(size, m.SupportSize())) {
			vectors = append(vectors, m.SupportVectors[place])
		}
		return vectors, nil
	}
	clustering := loop.Start(ctx, loop.Limits{MaxIterations: 1000}, nil)
	return newClasses(p.train).centres(ctx, clustering, p.empty.state, size, p.used.Settings)
}

// move goes from the first vectors to a local minimum.
func (p *marginMoves) move(ctx context.Context, size int) error {
	vectors, err := p.start(ctx, size)
	if err != nil {
		return err
	}
	at := p.flat(vectors)
	gradient := make([]float64, len(at))
	if _, err := p.value(ctx, at, gradient); err != nil {
		return err
	}
	first := 0.0
	for _, g := range gradient {
		first += g * g
	}
	first = math.Sqrt(first)
	var failed error
	failure := func(err error) float64 {
		failed = err
		return math.Inf(1)
	}
	problem := optimize.Problem{
		Func: func(x []float64) float64 {
			value, err := p.value(ctx, x, nil)
			if err != nil {
				return failure(err)
			}
			return value
		},
		Grad: func(grad, x []float64) {
			if _, err := p.value(ctx, x, grad); err != nil {
				failure(err)
				clear(grad)
			}
		},
	}
	recorder := &movingRecorder{p: p, first: first, steps: p.used.steps(), failed: &failed}
	settings := &optimize.Settings{Recorder: recorder, GradientThreshold: p.used.Epsilon * first / math.Sqrt(float64(max(len(at), 1))),
		Converger: &optimize.FunctionConverge{Relative: 1e-7, Iterations: 5}, Concurrent: 1}
	// A line search that finds nothing lower is an error there and an end like others here: the best
	// vectors are kept.
	_, _ = optimize.Minimize(problem, at, settings, &optimize.LBFGS{Store: 20})
	return failed
}

// movingRecorder ends the minimization and tells how far it is.
type movingRecorder struct {
	p      *marginMoves
	first  float64
	steps  int
	done   int
	failed *error
}

func (r *movingRecorder) Init() error { return nil }

// Record is called for each iteration, among others.
func (r *movingRecorder) Record(location *optimize.Location, operation optimize.Operation, _ *optimize.Stats) error {
	if *r.failed != nil {
		return *r.failed
	}
	if operation != optimize.MajorIteration {
		return nil
	}
	if location.Gradient != nil && r.first > 0 {
		norm := 0.0
		for _, g := range location.Gradient {
			norm += g * g
		}
		r.p.gap = math.Sqrt(norm) / r.first
	}
	if r.done == r.steps {
		r.p.limited = true
		return errEnough
	}
	r.done++
	if !r.p.run.Next(r.p.state) {
		return errEnough
	}
	return nil
}

// flat is the vectors one after the other, dense.
func (p *marginMoves) flat(vectors []Vector) []float64 {
	at := make([]float64, len(vectors)*p.train.Dim)
	for v, z := range vectors {
		for k, feature := range z.Index {
			at[v*p.train.Dim+int(feature)] = z.Value[k]
		}
	}
	return at
}

func (p *marginMoves) vectorsAt(at []float64) []Vector {
	dim := p.train.Dim
	vectors := make([]Vector, len(at)/max(dim, 1))
	for v := range vectors {
		vectors[v] = between(Vector{}, at[v*dim:(v+1)*dim], 1)
	}
	return vectors
}

// value is W and, if asked for, its gradient.
func (p *marginMoves) value(ctx context.Context, at, gradient []float64) (float64, error) {
	if p.last == nil || !sameNumbers(p.at, at) {
		vectors := p.vectorsAt(at)
		next := newBasisOn(p.train, p.used.Kernel, p.empty.matrix, p.used.C, p.used.Settings.Workers)
		if err := next.grow(ctx, vectors, noRows(len(vectors))); err != nil {
			return 0, err
		}
		if p.last != nil {
			if err := next.begin(ctx, p.last.beta[1:], p.last.beta[0]); err != nil {
				return 0, err
			}
		}
		steps := 0
		if err := next.solve(ctx, newtonEpsilon, func() bool { steps++; return steps <= newtonSteps }); err != nil {
			return 0, err
		}
		p.last, p.at = next, append(p.at[:0], at...)
		if p.best == nil || next.objective < p.best.objective {
			p.best = next
		}
	}
	if gradient != nil {
		return p.last.objective, p.gradient(ctx, gradient)
	}
	return p.last.objective, nil
}

func sameNumbers(a, b []float64) bool {
	if len(a) != len(b) {
		return false
	}
	for i, v := range a {
		if v != b[i] {
			return false
		}
	}
	return true
}

// gradient is that of the inner objective by the vectors: of ½‖w‖², Σᵤ βᵥβᵤ ∂K(zᵥ, zᵤ)/∂zᵥ, the
// derivative being by the first argument, and of the loss, -2C Σᵢ (yᵢ - f(xᵢ))βᵥ ∂K(zᵥ, xᵢ)/∂zᵥ.
func (p *marginMoves) gradient(ctx context.Context, out []float64) error {
	b, dim := p.last, p.train.Dim
	return gram.Each(ctx, p.used.Settings.Workers, len(b.vectors), func(v int) error {
		sum, z, beta := out[v*dim:(v+1)*dim], b.vectors[v], b.beta[v+1]
		clear(sum)
		shrink := 0.0
		add := func(x Vector, value, weight float64) {
			factor, own := kernelSlope(p.used.Kernel, x, z, value)
			weight *= factor
			shrink += weight * own
			for k, feature := range x.Index {
				sum[feature] += weight * x.Value[k]
			}
		}
		for u, x := range b.vectors {
			add(x, p.used.Kernel.Eval(z, x), beta*b.beta[u+1])
		}
		for i, is := range b.counted {
			if is {
				add(p.train.X[i], b.column[v+1][i], -2*p.used.C*b.residual[i]*beta)
			}
		}
		for k, feature := range z.Index {
			sum[feature] += shrink * z.Value[k]
		}
		return nil
	})
}

// kernelSlope says that ∂K(z, x)/∂z = factor·(x + own·z).
func kernelSlope(kernel Kernel, x, z Vector, value float64) (factor, own float64) {
	switch k := kernel.(type) {
	case RBF:
		return 2 * k.Gamma * value, -1
	case Poly:
		return float64(k.degree()) * k.Gamma * power(k.Gamma*dot(x, z)+k.Coef0, k.degree()-1), 0
	case Linear:
		return 1, 0
	}
	panic("solvers: a kernel without gradient")
}
