package solvers

import (
	"context"
	"math"
	"slices"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// OsunaGirosi makes a dense reference f sparse by support vector regression on its decision
// values at all training rows:
//
//	min over w̃, b̃, ξ   ½‖w̃‖² + C Σᵢ (ξᵢ + ξ*ᵢ)
//	subject to   -Tube - ξ*ᵢ ≤ f(xᵢ) - f̃(xᵢ) ≤ Tube + ξᵢ,   ξ, ξ* ≥ 0
//
// Rows within the tube are no support vectors: the wider the tube, the fewer there are. It is
// solved through its dual, by the blocks of SMO:
//
//	min over β   ½βᵀKβ - Σᵢ f(xᵢ)βᵢ + Tube Σᵢ |βᵢ|     subject to   Σβ = 0,  -C ≤ βᵢ ≤ C
//
// Objective is the dual as written; it falls from 0 to minus the primal optimum. Gap is the maximal
// violation of the optimality conditions: no pair of coefficients has a slope that is greater.
// A path goes from wide tubes to Tube, each run starting from the solution before.
//
// Osuna, Girosi, Reducing the run-time complexity of support vector machines, in Advances in
// kernel methods, 1999; Smola, Schölkopf, A tutorial on support vector regression, Statistics and
// Computing 14, 2004, eq. 10.
type OsunaGirosi struct {
	Reference *Model   // nil: SMO{Kernel, C} is fitted first
	Kernel    Kernel   // of that SMO; only without Reference
	C         float64  // price of slack, of that SMO too, > 0; 0: 1
	Tube      float64  // deviation that costs nothing, > 0; 0: 0.1
	Points    int      // of a path, ≥ 1; 0: 20
	Epsilon   float64  // stop when Gap is at most, > 0; 0: 1e-3
	Settings  Settings // MaxIterations 0: 10⁷, or 200 per row if that is more
}

var (
	_ PathSolver    = OsunaGirosi{}
	_ objectivePath = OsunaGirosi{}
)

// Name is "OsunaGirosi".
func (OsunaGirosi) Name() string { return "OsunaGirosi" }

// ParameterName is "Tube".
func (OsunaGirosi) ParameterName() string { return "Tube" }

// Fit makes the reference sparse.
func (s OsunaGirosi) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of Points tubes in equal ratios, from nine tenths of the one that holds
// all decision values down to Tube.
func (s OsunaGirosi) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s OsunaGirosi) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	started := time.Now()
	used := s
	if err := used.resolve(train); err != nil {
		return nil, err
	}
	model, fit, err := supportToKeep(ctx, "OsunaGirosi", s.Reference, s.Kernel, s.C, s.Settings, train)
	if model == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	used.Reference, used.Kernel = model, nil
	run := startRun(ctx, s.Settings.remaining(time.Since(started)), max(1e7, 200*train.Len()))
	r := newRegression(used, train)
	if err == nil {
		err = r.aim(ctx)
	}
	if err == nil {
		err = r.descend(ctx, run, visit)
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if err != nil {
		run.Next(r.state) // says that the context ended
	}
	run.Finish(r.state)
	result := newResult(s, used, r.model(), run)
	result.Rows, result.KernelEvaluations = train.Len(), r.evaluations
	result.addReference(model, fit, time.Since(started))
	return result, canceled(ctx, result.Status)
}

func (s *OsunaGirosi) resolve(train *Dataset) error {
	var err error
	for _, field := range []struct {
		name      string
		value     *float64
		byDefault float64
	}{{"C", &s.C, 1}, {"Tube", &s.Tube, 0.1}, {"Epsilon", &s.Epsilon, 1e-3}} {
		if *field.value, err = positive("OsunaGirosi", field.name, *field.value, field.byDefault); err != nil {
			return err
		}
	}
	if s.Points < 0 {
		return &ParamError{"OsunaGirosi", "Points", float64(s.Points), "≥ 1 (0: default 20)"}
	}
	if s.Points == 0 {
		s.Points = 20
	}
	if err := s.Settings.check("OsunaGirosi"); err != nil {
		return err
	}
	return checkTrain(train)
}

// regression is the dual of one tube after the other.
type regression struct {
	used        OsunaGirosi
	train       *Dataset
	target      []float64 // f(xᵢ)
	beta        []float64
	bias        float64
	objective   float64
	gap         float64
	evaluations int64
}

func newRegression(used OsunaGirosi, train *Dataset) *regression {
	n := train.Len()
	return &regression{used: used, train: train, target: make([]float64, n), beta: make([]float64, n),
		bias: used.Reference.Bias, gap: math.Inf(1)}
}

// aim computes the reference's decision values.
func (r *regression) aim(ctx context.Context) error {
	m := r.used.Reference
	matrix := kernelMatrix(ctx, m.Kernel, r.train.X, r.used.Settings.Workers)
	err := matrix.Add(ctx, m.SupportVectors, m.Coefficients, r.target)
	r.evaluations += matrix.Evaluations()
	for i := range r.target {
		r.target[i] += m.Bias
		if g := r.target[i]; g-g != 0 && err == nil {
			err = &ReferenceError{"OsunaGirosi", "its decision values are not finite: scale the features or choose other kernel parameters"}
		}
	}
	return err
}

// tubes are those of the run, from wide to narrow.
func (r *regression) tubes(visit visitor) []float64 {
	widest := 0.9 * (slices.Max(r.target) - slices.Min(r.target)) / 2
	points := r.used.Points
	if visit == nil || points == 1 || widest <= r.used.Tube {
		return []float64{r.used.Tube}
	}
	tubes := make([]float64, points)
	for k := range tubes {
		tubes[k] = widest * math.Pow(r.used.Tube/widest, float64(k)/float64(points-1))
	}
	tubes[points-1] = r.used.Tube
	return tubes
}

// descend solves for all tubes.
func (r *regression) descend(ctx context.Context, run *loop.Run, visit visitor) error {
	for _, tube := range r.tubes(visit) {
		if err := r.solve(ctx, run, tube); err != nil || run.Stopped() != loop.None {
			return err
		}
		if visit != nil {
			if err := visit(tube, r.objective, r.model()); err != nil {
				return err
			}
		}
	}
	return nil
}

// solve finds β for a tube, from the present one. A row is two variables: one of the side from 0
// to C, and one of that from -C to 0.
func (r *regression) solve(ctx context.Context, run *loop.Run, tube float64) error {
	n, c := r.train.Len(), r.used.C
	d := &dual{x: r.train.X, point: make([]int, 2*n), target: make([]float64, 2*n),
		lower: make([]float64, 2*n), upper: make([]float64, 2*n), beta: make([]float64, 2*n)}
	for i, f := range r.target {
		d.point[i], d.point[n+i] = i, i
		d.target[i], d.target[n+i] = f-tube, f+tube
		d.upper[i], d.lower[n+i] = c, -c
		d.beta[i], d.beta[n+i] = max(r.beta[i], 0), min(r.beta[i], 0)
	}
	kernel, own := gramKernel(r.used.Reference.Kernel)
	if !own {
		kernel = gram.Kernel{Kind: gram.Custom, Eval: r.used.Reference.Kernel.Eval}
	}
	b := &blocks{dual: d, kernel: kernel, workers: r.used.Settings.Workers, epsilon: r.used.Epsilon, run: run,
		inner: newInner(2 * n), gap: math.Inf(1), support: r.state().SupportSize}
	residual, evaluations, err := b.solve(ctx)
	r.evaluations += evaluations
	if err != nil {
		return err
	}
	r.take(d.beta, residual, tube)
	if ctx.Err() == nil {
		r.bias = d.bias(residual)
		return nil
	}
	// The residuals are not those of β: what the steps have added up to is.
	r.objective, r.gap = b.objective, b.gap
	for i, beta := range r.beta {
		r.objective -= tube * (math.Abs(d.beta[i]) + math.Abs(d.beta[n+i]) - math.Abs(beta))
	}
	return nil
}

// take puts the two sides of a row together. Both are nonzero only in a run that ended early; what
// they have in common is left out, which lowers the objective and no condition is the worse for.
func (r *regression) take(sides, residual []float64, tube float64) {
	n := len(r.beta)
	r.objective = 0
	most, least := math.Inf(-1), math.Inf(1)
	for i, f := range r.target {
		beta := sides[i] + sides[n+i]
		r.beta[i] = beta
		above, below := residual[n+i], residual[i] // slopes up and down from β
		if beta >= 0 {
			above = residual[i]
		}
		if beta <= 0 {
			below = residual[n+i]
		}
		if beta < r.used.C {
			most = max(most, above)
		}
		if beta > -r.used.C {
			least = min(least, below)
		}
		response := f - tube - residual[i]
		r.objective += beta*(0.5*response-f) + tube*math.Abs(beta)
	}
	r.gap = max(most-least, 0)
}

func (r *regression) model() *Model {
	return newModel(r.used.Reference.Kernel, r.train, r.beta, r.bias)
}

func (r *regression) state() loop.Point {
	size := 0
	for _, b := range r.beta {
		if b != 0 {
			size++
		}
	}
	return loop.Point{SupportSize: size, Objective: r.objective, Gap: r.gap}
}
