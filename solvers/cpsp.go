package solvers

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// CPSP trains with Budget vectors of the input space, that are no training rows (Indices is nil),
// by cutting planes:
//
//	min over z, β, b   ½(‖w‖² + b²) + C Σᵢ max(0, 1 - yᵢ f(xᵢ)),     w = Σᵥ βᵥ Φ(zᵥ)
//
// The sum of losses is n times the least ξ that is above every plane, one for each set c of rows:
//
//	ξ ≥ (1/n) Σᵢ cᵢ - (1/n) Σᵢ cᵢyᵢ f(xᵢ),     cᵢ 0 or 1
//
// Each iteration adds the plane that is violated most, which has cᵢ = 1 for the rows with a loss, and
// solves the problem of the planes that there are, in the span of the vectors, through its dual.
// As long as there are fewer vectors than Budget it also adds one: a pre-image, by the fixed-point
// iteration of ReducedSet, of the direction in which the objective falls most,
// C Σᵢ cᵢyᵢΦ(xᵢ) - w, or the row that this started from if the pre-image depends on the vectors
// there. The paper takes the pre-image of the plane alone, which is the same for the
// first vector. Its problem has no bias; here the bias is a feature that is 1 in all rows.
//
// Gap is by how much the most violated plane exceeds ξ; the run ends when it is at most Epsilon with
// Budget vectors, or as many as there are independent ones. Then the objective is at most C·n·Epsilon
// above its optimum on the vectors; Certificate holds both. On a path this is so for each budget.
//
// A run keeps a column of kernel values per vector, 8·rows bytes, and a byte per row for each plane.
// An iteration costs O(rows·vectors), and one that adds a vector also some ten to a hundred
// kernel rows.
//
// Joachims, Yu, Sparse kernel SVMs via cutting-plane training, Machine Learning 76, 2009.
type CPSP struct {
	Kernel   Kernel   // nil: RBF{}
	C        float64  // price of slack, > 0; 0: 1
	Budget   int      // number of vectors, ≥ 1; 0: 100
	Epsilon  float64  // stop when Gap is at most, > 0; 0: 1e-3
	Settings Settings // MaxIterations, of planes, 0: 2000 and Budget; Seed draws the rows that pre-images start from
}

var (
	_ PathSolver    = CPSP{}
	_ objectivePath = CPSP{}
)

// Name is "CPSP".
func (CPSP) Name() string { return "CPSP" }

// ParameterName is "Budget".
func (CPSP) ParameterName() string { return "Budget" }

// Fit trains with Budget vectors.
func (s CPSP) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of ten budgets per decade, up to Budget. The vectors of each are among
// those of the next.
func (s CPSP) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s CPSP) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	b := budgeted{s.Kernel, s.C, s.Epsilon, s.Budget}
	if err := b.resolve("CPSP", 1e-3, s.Settings, train); err != nil {
		return nil, err
	}
	used := s
	used.Kernel, used.C, used.Epsilon, used.Budget = b.kernel, b.c, b.epsilon, min(b.budget, train.Len())
	run := startRun(ctx, s.Settings, 2000+used.Budget)
	p := newCutting(ctx, used, train)
	err := p.loop(ctx, run, visit)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	run.Finish(p.state)
	result := newResult(s, used, p.model(), run)
	result.Rows, result.KernelEvaluations = train.Len(), p.matrix.Evaluations()
	scale := used.C * float64(train.Len())
	result.Certificate = []Check{
		{"violation of the planes ≤ ε", p.violation(), used.Epsilon},
		{"objective - its least value on the vectors ≤ Cnε", p.objective - p.lower, scale * used.Epsilon},
	}
	return result, canceled(ctx, result.Status)
}

// cutting is the problem of the planes and vectors that there are. In coordinates, the first of
// which is the bias and the others of which are along the vectors made orthonormal, w is a sum of planes
// with weights ≥ 0.
type cutting struct {
	*expansion
	used     CPSP
	train    *Dataset
	random   *rand.Rand
	column   [][]float64 // K(zᵥ, xᵢ)
	factor   cholesky    // of K(zᵥ, zᵤ)
	full     bool        // no independent pre-image was found
	planes   planes
	probe    []float64 // f(xᵢ) at which the next plane touches the loss
	decision []float64 // f(xᵢ) of the model

	w                []float64 // the model in coordinates, the bias first
	beta             []float64
	bias             float64
	objective, lower float64 // the lower bound is the planes'
	gap              float64
}

func newCutting(ctx context.Context, used CPSP, train *Dataset) *cutting {
	n := train.Len()
	return &cutting{
		expansion: newExpansion(ctx, used.Kernel, train.Dim, train.X, used.Settings.Workers),
		used:      used, train: train, random: rand.New(rand.NewPCG(used.Settings.Seed, 0)),
		planes: planes{total: used.C * float64(n), weight: []float64{used.C * float64(n)}, gradient: []float64{0}, product: [][]float64{{0}}},
		probe:  make([]float64, n), decision: make([]float64, n), w: []float64{0}, objective: used.C * float64(n), gap: 1,
	}
}

func (p *cutting) loop(ctx context.Context, run *loop.Run, visit visitor) error {
	for _, size := range sizesOf(p.used.Budget, visit) {
		for first := true; first || p.gap > p.used.Epsilon || len(p.vectors) < size && !p.full; first = false {
			if !run.Next(p.state) {
				return nil
			}
			if err := p.iterate(ctx, size); err != nil {
				run.Abandon()
				return err
			}
		}
		if visit != nil {
			if err := visit(float64(size), p.objective, p.model()); err != nil {
				return err
			}
		}
	}
	return nil
}

// iterate adds a plane, and a vector if there are fewer than size, and solves.
func (p *cutting) iterate(ctx context.Context, size int) error {
	cut := make([]bool, len(p.probe))
	for i, f := range p.probe {
		cut[i] = p.train.Y[i]*f < 1
	}
	if len(p.vectors) < size && !p.full {
		if err := p.extend(ctx, cut); err != nil {
			return err
		}
	}
	if err := p.plane(ctx, cut); err != nil {
		return err
	}
	if err := p.planes.solve(ctx, p.used.Epsilon/100); err != nil {
		return err
	}
	return p.take(ctx)
}

const (
	preimageTries  = 5  // pre-images looked for before there is thought to be none
	preimageStarts = 20 // rows of which the best is the start
)

// extend adds a pre-image of the direction in which the objective falls most.
func (p *cutting) extend(ctx context.Context, cut []bool) error {
	var rows []int
	for i, y := range p.train.Y {
		p.weight[i] = 0
		if cut[i] {
			p.weight[i] = p.used.C * y
			rows = append(rows, i)
		}
	}
	p.own = p.own[:0]
	for v := range p.vectors {
		beta := 0.0
		if v < len(p.beta) {
			beta = p.beta[v]
		}
		p.own = append(p.own, -beta)
	}
	for range preimageTries {
		if len(rows) == 0 {
			break
		}
		start, most := Vector{}, -1.0
		for range preimageStarts {
			x := p.train.X[rows[p.random.IntN(len(rows))]]
			s, err := p.response(ctx, x)
			if err != nil {
				return err
			}
			if q := p.quality(x, s); q > most {
				start, most = x, q
			}
		}
		z, err := p.climb(ctx, start)
		if err != nil {
			return err
		}
		for _, z := range []Vector{z, start} {
			added, err := p.add(ctx, z)
			if added || err != nil {
				return err
			}
		}
	}
	p.full = true
	return nil
}

// add makes z a vector, unless it depends on those there.
func (p *cutting) add(ctx context.Context, z Vector) (bool, error) {
	if _, err := p.response(ctx, z); err != nil {
		return false, err
	}
	square := p.kernel.Eval(z, z)
	if rest := square - p.factor.forward(slices.Clone(p.ownValues)); !(rest > dependentImage*square) {
		return false, nil
	}
	if !p.factor.add(slices.Clone(p.ownValues), square) {
		panic("solvers: a pre-image depends on the vectors before")
	}
	p.vectors, p.column = append(p.vectors, z), append(p.column, slices.Clone(p.values))
	p.w, p.lower = append(p.w, 0), 0 // more vectors allow less
	last := p.factor.rows[len(p.factor.rows)-1]
	m := len(last) - 1
	p.planes.widen(func(cut []bool, at []float64) float64 {
		return (p.slope(cut, m) - floats.Dot(last[:m], at[1:])) / last[m]
	})
	return true, nil
}

// slope is (1/n) Σ cᵢyᵢ K(zᵥ, xᵢ).
func (p *cutting) slope(cut []bool, v int) float64 {
	sum := 0.0
	for i, k := range p.column[v] {
		if cut[i] {
			sum += p.train.Y[i] * k
		}
	}
	return sum / float64(len(cut))
}

// plane adds the plane of the rows in cut.
func (p *cutting) plane(ctx context.Context, cut []bool) error {
	at := make([]float64, 1+len(p.vectors))
	err := gram.Each(ctx, p.used.Settings.Workers, len(p.vectors), func(v int) error {
		at[1+v] = p.slope(cut, v)
		return nil
	})
	if err != nil {
		return err
	}
	count := 0.0
	for i, is := range cut {
		if is {
			count++
			at[0] += p.train.Y[i]
		}
	}
	at[0] /= float64(len(cut))
	p.factor.forward(at[1:])
	p.planes.add(cut, at, count/float64(len(cut)))
	return nil
}

// nearSolution is the share of the way from the model to the solution of the planes at which the next
// plane touches: that of OCAS.
const nearSolution = 0.1

// take moves the model to where the objective is least on the line through it and the solution of the
// planes.
func (p *cutting) take(ctx context.Context) error {
	w := p.planes.sum(1 + len(p.vectors))
	p.lower = max(p.lower, p.planes.value(floats.Dot(w, w)))
	solution, err := p.decide(ctx, w)
	if err != nil {
		return err
	}
	floats.Sub(w, p.w)
	floats.Sub(solution, p.decision)
	t := p.search(w, solution)
	floats.AddScaled(p.w, t, w)
	floats.AddScaled(p.decision, t, solution)
	p.probe = make([]float64, len(p.decision))
	floats.AddScaledTo(p.probe, p.decision, nearSolution*(1-t), solution)
	p.beta, p.bias = slices.Clone(p.w[1:]), p.w[0]
	p.factor.backward(p.beta)
	loss := 0.0
	for i, f := range p.decision {
		loss += max(0, 1-p.train.Y[i]*f)
	}
	p.objective = floats.Dot(p.w, p.w)/2 + p.used.C*loss
	p.gap = max(p.objective-p.lower, 0) / (p.used.C * float64(len(p.decision)))
	return nil
}

// decide is f(xᵢ) of a w in coordinates.
func (p *cutting) decide(ctx context.Context, w []float64) ([]float64, error) {
	beta := slices.Clone(w[1:])
	p.factor.backward(beta)
	decision := make([]float64, len(p.decision))
	err := gram.Each(ctx, p.used.Settings.Workers, blockCount(len(decision)), func(b int) error {
		low, high := b*blockRows, min((b+1)*blockRows, len(decision))
		for i := low; i < high; i++ {
			decision[i] = w[0]
		}
		for v, weight := range beta {
			floats.AddScaled(decision[low:high], weight, p.column[v][low:high])
		}
		return nil
	})
	return decision, err
}

// search is the t ≥ 0 at which the objective of w + t·step, whose decision values change by
// t·change, is least: where its slope, which rises linearly between the points at which a row
// comes to its margin and jumps there, reaches 0.
func (p *cutting) search(step, change []float64) float64 {
	type point struct{ at, jump float64 }
	var points []point
	slope, curvature := floats.Dot(p.w, step), floats.Dot(step, step)
	for i, f := range p.decision {
		y := p.train.Y[i]
		room, rate := 1-y*f, y*change[i] // the loss is room - t·rate where that is > 0
		if room > 0 || room == 0 && rate < 0 {
			slope -= p.used.C * rate
		}
		if at := room / rate; at > 0 && !math.IsInf(at, 1) {
			points = append(points, point{at, p.used.C * math.Abs(rate)})
		}
	}
	if slope >= 0 || curvature == 0 {
		return 0
	}
	slices.SortFunc(points, func(a, b point) int { return cmp.Compare(a.at, b.at) })
	t := 0.0
	for _, q := range points {
		if next := slope + (q.at-t)*curvature; next >= 0 {
			break
		} else {
			slope, t = next+q.jump, q.at
		}
		if slope >= 0 {
			return t
		}
	}
	return t - slope/curvature
}

// violation is by how much the most violated plane exceeds the least ξ above those that there are.
func (p *cutting) violation() float64 {
	slack, loss := 0.0, 0.0
	for k, at := range p.planes.at {
		slack = max(slack, p.planes.height[k]-floats.Dot(at, p.w))
	}
	for i, f := range p.decision {
		loss += max(0, 1-p.train.Y[i]*f) / float64(len(p.decision))
	}
	return max(loss-slack, 0)
}

func (p *cutting) model() *Model {
	m := newModel(p.kernel, p.train, nil, p.bias)
	m.Indices = nil
	for v, beta := range p.beta {
		if beta != 0 {
			m.SupportVectors, m.Coefficients = append(m.SupportVectors, p.vectors[v]), append(m.Coefficients, beta)
		}
	}
	return m
}

func (p *cutting) state() loop.Point {
	return loop.Point{SupportSize: p.model().SupportSize(), Objective: p.objective, Gap: p.gap}
}
