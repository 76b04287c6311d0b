package solvers

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// ReducedSet comes near the reference w by few vectors of the input space, that are no training
// rows: Indices is nil.
//
//	min over z, β   ‖w̃ - w‖²,     w̃ = Σᵥ βᵥ Φ(zᵥ)
//
// Each iteration adds a vector: a pre-image of what is left, w - w̃, found by the fixed-point
// iteration of the kernel from some support vectors; of the pre-images found it takes that which
// lowers the distance most. Then all coefficients are those that bring w̃ nearest to w, Kβ = g(z)
// over the vectors. The distance never rises, neither in the iteration nor from vector to vector.
//
// For RBF the iteration is Schölkopf's, z ← Σⱼ aⱼK(xⱼ, z)xⱼ / Σⱼ aⱼK(xⱼ, z), a being the
// coefficients of what is left; Poly and Linear have one of the same kind. It is made safe by
// halving steps that lead further away. Of other kernels no iteration is known, and support
// vectors are taken as they are. Burges's second phase, which moves all vectors at once, is not
// done.
//
// Without Refit the bias is the reference's, Objective is ‖w̃ - w‖² and Gap its share of ‖w‖². The
// run ends when Gap is at most Epsilon, when no vector lowers it, or when there are Budget
// vectors, which is the Status BudgetReached. With Refit the coefficients and the bias are
// then found on all training rows, as Refit does, with its Objective and Gap.
//
// With N support vectors in the reference a run costs N² kernel values at the start, and then
// Starts·N for each step of a fixed-point iteration, some ten to a hundred per vector.
//
// Burges, Simplified support vector decision rules, ICML 1996; Schölkopf, Mika, Burges, Knirsch,
// Müller, Rätsch, Smola, Input space versus feature space in kernel-based methods, IEEE Transactions
// on Neural Networks 10, 1999.
type ReducedSet struct {
	Reference *Model  // nil: SMO{Kernel, C} is fitted first
	Kernel    Kernel  // of that SMO; only without Reference
	C         float64 // price of the squared slack for Refit, and of the slack for that SMO, > 0; 0: 1
	Budget    int     // number of vectors, ≥ 1; 0: 100
	Starts    int     // fixed-point iterations for each vector, ≥ 1; 0: 5
	Refit     bool
	Epsilon   float64  // without Refit, stop when Gap is at most; with it, as there; > 0; 0: 1e-10
	Settings  Settings // MaxIterations, of vectors and Newton steps, 0: Budget + 1000; Seed draws the starts
}

var (
	_ PathSolver    = ReducedSet{}
	_ objectivePath = ReducedSet{}
)

// Name is "ReducedSet".
func (ReducedSet) Name() string { return "ReducedSet" }

// ParameterName is "Budget".
func (ReducedSet) ParameterName() string { return "Budget" }

// Fit finds Budget vectors.
func (s ReducedSet) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of ten budgets per decade, up to Budget. The vectors of each are among
// those of the next.
func (s ReducedSet) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s ReducedSet) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	started := time.Now()
	b := budgeted{s.Kernel, s.C, s.Epsilon, s.Budget}
	if err := b.resolve("ReducedSet", 1e-10, s.Settings, train); err != nil {
		return nil, err
	}
	if s.Starts < 0 {
		return nil, &ParamError{"ReducedSet", "Starts", float64(s.Starts), "≥ 1 (0: default 5)"}
	}
	model, fit, err := supportToKeep(ctx, "ReducedSet", s.Reference, s.Kernel, s.C, s.Settings, train)
	if model == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	used := s
	used.Reference, used.Kernel, used.C, used.Epsilon, used.Budget = model, nil, b.c, b.epsilon, b.budget
	if used.Starts == 0 {
		used.Starts = 5
	}
	run := startRun(ctx, s.Settings.remaining(time.Since(started)), used.Budget+newtonSteps)
	r := newReduction(ctx, used, train)
	search := visit
	if s.Refit {
		search = nil
	}
	if err == nil {
		err = r.search(ctx, run, search)
	}
	var result *Result
	if s.Refit {
		result, err = r.refit(ctx, s, run, visit, err)
	} else {
		result = r.finish(s, run, err)
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	result.addReference(model, fit, time.Since(started))
	return result, canceled(ctx, result.Status)
}

// reduction is w̃ on its way to w. What is left, w - w̃, is the expansion.
type reduction struct {
	*expansion
	used     ReducedSet
	train    *Dataset
	random   *rand.Rand
	diagonal []float64   // K(xⱼ, xⱼ) of the support vectors
	left     []float64   // ⟨w - w̃, Φ(xⱼ)⟩
	column   [][]float64 // K(zᵥ, xⱼ)
	factor   cholesky    // of K(zᵥ, zᵤ)
	target   []float64   // ⟨w, Φ(zᵥ)⟩
	norm2    float64     // ‖w‖²
	distance float64     // ‖w̃ - w‖²
}

func newReduction(ctx context.Context, used ReducedSet, train *Dataset) *reduction {
	m := used.Reference
	r := &reduction{
		expansion: newExpansion(ctx, m.Kernel, train.Dim, m.SupportVectors, used.Settings.Workers),
		used:      used, train: train, random: rand.New(rand.NewPCG(used.Settings.Seed, 0)),
		diagonal: make([]float64, m.SupportSize()), left: make([]float64, m.SupportSize()),
		norm2: math.Inf(1), distance: math.Inf(1),
	}
	copy(r.weight, m.Coefficients)
	return r
}

// search adds vectors.
func (r *reduction) search(ctx context.Context, run *loop.Run, visit visitor) error {
	if err := r.begin(ctx); err != nil {
		return err
	}
	sizes, visited := budgets(r.used.Budget), 0
	epsilon := r.used.Epsilon
	if r.used.Refit {
		epsilon = 0
	}
	for len(r.vectors) < r.used.Budget && r.gap() > epsilon && run.Next(r.state) {
		added, err := r.extend(ctx)
		if err != nil {
			run.Abandon()
			return err
		}
		if !added {
			break
		}
		if size := len(r.vectors); visit != nil && slices.Contains(sizes, size) {
			visited = size
			if err := visit(float64(size), r.distance, r.model()); err != nil {
				return err
			}
		}
	}
	if size := len(r.vectors); visit != nil && size > visited && run.Stopped() == loop.None {
		return visit(float64(size), r.distance, r.model())
	}
	return nil
}

// begin computes ‖w‖² and the responses of the support vectors.
func (r *reduction) begin(ctx context.Context) error {
	if err := r.matrix.Add(ctx, r.points, r.weight, r.left); err != nil {
		return err
	}
	r.matrix.Diagonal(r.diagonal)
	sum := 0.0
	for j, g := range r.left {
		if g-g != 0 {
			return &ReferenceError{"ReducedSet", "its responses are not finite: scale the features or choose other kernel parameters"}
		}
		sum += r.weight[j] * g
	}
	r.norm2 = max(sum, 0)
	r.distance = r.norm2
	return nil
}

// dependentImage is the share of K(z, z) below which what is left of Φ(z), outside of the span
// of the vectors there, counts as none: coefficients would become great and cancel.
const dependentImage = 1e-6

// extend adds the pre-image that lowers the distance most. It reports whether one does.
func (r *reduction) extend(ctx context.Context) (bool, error) {
	var best Vector
	var bestColumn []float64
	most := 0.0
	for start := range r.used.Starts {
		z, err := r.climb(ctx, r.points[r.start(start)])
		if err != nil {
			return false, err
		}
		s, err := r.response(ctx, z)
		if err != nil {
			return false, err
		}
		square := r.kernel.Eval(z, z)
		rest := square - r.factor.forward(slices.Clone(r.ownValues))
		if gain := s * s / rest; rest > dependentImage*square && gain > most {
			best, bestColumn, most = z, slices.Clone(r.values), gain
		}
	}
	if !(most > 1e-15*r.norm2) {
		return false, nil
	}
	return true, r.add(best, bestColumn, most)
}

// start is the support vector that a fixed-point iteration starts from: the best pre-image among
// them for the first, then random ones.
func (r *reduction) start(k int) int {
	if k > 0 {
		return r.random.IntN(len(r.points))
	}
	best, most := 0, -1.0
	for j, g := range r.left {
		if q := g * g / r.diagonal[j]; r.diagonal[j] > 0 && q > most {
			best, most = j, q
		}
	}
	return best
}

// add makes z a vector and finds the coefficients anew.
func (r *reduction) add(z Vector, column []float64, gain float64) error {
	row := make([]float64, len(r.vectors))
	for v, other := range r.vectors {
		row[v] = r.kernel.Eval(other, z)
	}
	if !r.factor.add(row, r.kernel.Eval(z, z)) {
		panic("solvers: a pre-image depends on the vectors before")
	}
	target := 0.0
	for j, k := range column {
		target += r.weight[j] * k
	}
	r.vectors, r.column, r.target = append(r.vectors, z), append(r.column, column), append(r.target, target)
	before := append(r.own, 0)
	r.own = slices.Clone(r.target)
	r.factor.solve(r.own)
	for v := range r.own {
		r.own[v] = -r.own[v]
		change := r.own[v] - before[v]
		for j, k := range r.column[v] {
			r.left[j] += change * k
		}
	}
	r.distance = max(r.distance-gain, 0)
	return nil
}

// gap is the share of ‖w‖² that is left.
func (r *reduction) gap() float64 {
	if r.norm2 == 0 {
		return 0
	}
	if math.IsInf(r.norm2, 1) {
		return 1
	}
	return r.distance / r.norm2
}

func (r *reduction) model() *Model {
	m := newModel(r.kernel, r.train, nil, r.used.Reference.Bias)
	m.Indices = nil
	for v, z := range r.vectors {
		if beta := -r.own[v]; beta != 0 {
			m.SupportVectors, m.Coefficients = append(m.SupportVectors, z), append(m.Coefficients, beta)
		}
	}
	return m
}

func (r *reduction) state() loop.Point {
	return loop.Point{SupportSize: len(r.vectors), Objective: r.distance, Gap: r.gap()}
}

// finish puts together the result without Refit.
func (r *reduction) finish(asked ReducedSet, run *loop.Run, err error) *Result {
	if err != nil {
		run.Next(r.state) // says that the context ended
	}
	run.Finish(r.state)
	result := newResult(asked, r.used, r.model(), run)
	result.Rows, result.KernelEvaluations = r.train.Len(), r.matrix.Evaluations()
	if !result.Status.Early() && len(r.vectors) == r.used.Budget && r.gap() > r.used.Epsilon {
		result.Status = BudgetReached
	}
	return result
}

// refit finds coefficients and bias on all training rows. When the search ended early, with or
// without err, they are those that it found.
func (r *reduction) refit(ctx context.Context, asked ReducedSet, run *loop.Run, visit visitor, err error) (*Result, error) {
	p := newBasis(ctx, r.train, r.kernel, r.used.C, r.used.Settings)
	switch size := len(r.vectors); {
	case err != nil:
	case run.Stopped() != loop.None:
		if err = p.grow(ctx, r.vectors, noRows(size)); err == nil {
			model := r.model()
			if err = p.begin(ctx, model.Coefficients, model.Bias); err == nil {
				err = p.measure(ctx)
			}
		}
	default:
		err = p.nested(ctx, run, r.vectors, noRows(size), sizesOf(r.used.Budget, visit), r.used.Epsilon, visit)
	}
	result := p.finish(asked, r.used, run, err)
	if len(p.vectors) == 0 {
		result.Model = r.model() // the context ended before the start
	}
	result.KernelEvaluations += r.matrix.Evaluations()
	return result, err
}
