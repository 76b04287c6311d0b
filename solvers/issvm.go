package solvers

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// ISSVM makes a dense reference classifier f = g + b sparse. It looks for w̃ with few support
// vectors whose responses g̃ fall short of the reference's margins by at most Epsilon:
//
//	min over w̃   max over eligible i   hᵢ - yᵢ g̃(xᵢ),     hᵢ = min(1, yᵢ f(xᵢ)) - yᵢ b,
//
// where the eligible rows are those that the reference classifies rightly, yᵢ f(xᵢ) > 0. Each
// iteration is a subgradient step: the worst row i gets α_i += Eta. The run stops when the
// maximum is at most Epsilon; this value is both Objective and Gap.
//
// Every step brings ‖w̃ - w‖² down by 2ηε - η²R² at least, R² = max K(xᵢ, xᵢ), so that there
// are at most R²‖w‖²/ε² steps, and no more support vectors, with the default Eta. Eta ≥ 2ε/R²
// has no such bound. Certificate holds the value, the number of steps and Lemma 4.1, each
// with its bound.
//
// With the bias kept, w̃ = 0 leaves many rows equally wrong, and the first steps may all go to
// one class. With a learned bias the steps go in pairs, Eta/2 to the worst row of each class,
// and the bias is the best one for w̃: that makes better models of very few support vectors.
//
// Of equally bad rows the first is taken. A run costs one kernel row per new support vector and
// O(rows) per iteration.
//
// Cotter, Shalev-Shwartz, Srebro, Learning optimally sparse support vector machines, ICML
// 2013, section 4.
type ISSVM struct {
	Reference *Model  // nil: SMO{Kernel, C} is fitted first
	Kernel    Kernel  // of that SMO; only without Reference
	C         float64 // of that SMO; only without Reference

	Eta     float64 // step, > 0; 0: Epsilon/R²
	Epsilon float64 // shortfall allowed, > 0; 0: ½
	// Aggressive takes the worst support vector as long as one falls short by more than Epsilon,
	// and a new row only when none does.
	Aggressive bool
	LearnBias  bool    // Fit keeps the reference's bias unless LearnBias
	KeepBias   bool    // FitPath learns the bias unless KeepBias
	Radius     float64 // after each step w̃ is scaled to ‖w̃‖ ≤ Radius; 0: not at all

	Settings Settings // MaxIterations 0: 10⁶
}

var _ PathSolver = ISSVM{}

// Name is "ISSVM".
func (ISSVM) Name() string { return "ISSVM" }

// ParameterName is "Iterations".
func (ISSVM) ParameterName() string { return "Iterations" }

// Fit makes the reference sparse on the training set that it came from, or another of its kind.
func (s ISSVM) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fit(ctx, train, s.LearnBias, nil)
}

// FitPath visits the models of one run, each just before its support grows, and the last one.
// All support sizes up to 50 that occur are visited, then those at least 2 % apart. The bias is
// learned unless KeepBias.
func (s ISSVM) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, func(parameter, _ float64, m *Model) error { return visit(parameter, m) })
}

func (s ISSVM) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	return s.fit(ctx, train, !s.KeepBias, visit)
}

func (s ISSVM) fit(ctx context.Context, train *Dataset, learn bool, visit visitor) (*Result, error) {
	started := time.Now()
	used := s
	if err := used.resolve(train); err != nil {
		return nil, err
	}
	model, fit, err := givenOrFitted(ctx, "ISSVM", s.Reference, s.Kernel, s.C, s.Settings, train)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	used.Reference, used.Kernel, used.C = model, nil, 0
	run := startRun(ctx, s.Settings.remaining(time.Since(started)), 1e6)
	p := newShortfall(used, train, learn)
	if err == nil {
		err = p.begin(ctx, model, fit)
	}
	if err == nil {
		err = p.loop(ctx, run, visit)
	} else {
		run.Next(p.state) // says that ctx ended
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	run.Finish(p.state)
	result := newResult(s, p.used, p.model(), run)
	result.Reference, result.Rows, result.Runtime = model, train.Len(), time.Since(started)
	result.KernelEvaluations = p.rows.evaluations
	if fit != nil {
		result.KernelEvaluations += fit.KernelEvaluations
	}
	if p.ref != nil {
		result.Certificate = p.certificate(run.Iterations())
	}
	return result, canceled(ctx, result.Status)
}

func (s *ISSVM) resolve(train *Dataset) error {
	var err error
	if s.Epsilon, err = positive("ISSVM", "Epsilon", s.Epsilon, 0.5); err != nil {
		return err
	}
	if s.Eta < 0 || math.IsNaN(s.Eta) || math.IsInf(s.Eta, 0) {
		return &ParamError{"ISSVM", "Eta", s.Eta, "> 0 (0: default Epsilon/R²)"}
	}
	if s.Radius < 0 || math.IsNaN(s.Radius) || math.IsInf(s.Radius, 0) {
		return &ParamError{"ISSVM", "Radius", s.Radius, "> 0 (0: no ball)"}
	}
	if s.LearnBias && s.KeepBias {
		return fmt.Errorf("ISSVM: LearnBias and KeepBias are both set: want one at most")
	}
	if err := s.Settings.check("ISSVM"); err != nil {
		return err
	}
	return checkTrain(train)
}

// shortfall is the state of a run: s_j = target_j - y_j·response_j is how far row j falls short.
type shortfall struct {
	used     ISSVM
	train    *Dataset
	rows     *rows
	ref      *reference // nil until begin
	learn    bool
	target   []float64 // h_j; -Inf if the row is not eligible
	response []float64 // g̃(x_j)
	beta     []float64
	support  []int
	diagonal []float64
	radius2  float64 // R²
	norm2    float64 // ‖w̃‖²
	worst    pair    // of all rows
}

// pair is the worst row of each class, -1 and -Inf if there is none.
type pair struct {
	negative, positive           int
	negativeValue, positiveValue float64
}

var noPair = pair{-1, -1, math.Inf(-1), math.Inf(-1)}

func newShortfall(used ISSVM, train *Dataset, learn bool) *shortfall {
	n := train.Len()
	return &shortfall{used: used, train: train, learn: learn, rows: newRows(used.Reference.Kernel, train.X, used.Settings),
		target: make([]float64, n), response: make([]float64, n), beta: make([]float64, n), worst: noPair}
}

// begin computes the targets from the reference.
func (p *shortfall) begin(ctx context.Context, model *Model, fit *Result) error {
	ref, err := newReference(ctx, model, fit, p.rows)
	if err != nil {
		return err
	}
	if p.diagonal, err = p.rows.diagonal(); err != nil {
		return err
	}
	for _, k := range p.diagonal {
		p.radius2 = max(p.radius2, k)
	}
	if p.used.Eta == 0 {
		p.used.Eta = p.used.Epsilon
		if p.radius2 > 0 {
			p.used.Eta /= p.radius2
		}
	}
	p.ref = ref
	var eligible [2]bool
	for j, y := range p.train.Y {
		margin := y * (ref.responses[j] + model.Bias)
		p.target[j] = math.Inf(-1)
		if margin > 0 {
			p.target[j] = min(1, margin)
			eligible[int(y+1)/2] = true
		}
	}
	// The best bias needs a worst row of each class; without, the reference's is as good as any.
	p.learn = p.learn && eligible[0] && eligible[1]
	if !p.learn {
		for j, y := range p.train.Y {
			p.target[j] -= y * model.Bias
		}
	}
	p.advance(0, p.diagonal, 0, p.diagonal, 1)
	return nil
}

// loop runs until the value is at most Epsilon.
func (p *shortfall) loop(ctx context.Context, run *loop.Run, visit visitor) error {
	visited := 0
	show := func() error {
		visited = len(p.support)
		return visit(float64(run.Iterations()), p.value(p.worst), p.model())
	}
	for p.value(p.worst) > p.used.Epsilon && run.Next(p.state) {
		chosen := p.choose()
		if size := len(p.support); visit != nil && size >= nextVisit(visited) && p.grows(chosen) {
			if err := show(); err != nil {
				return err
			}
		}
		if err := p.step(ctx, chosen); err != nil {
			run.Abandon()
			return err
		}
	}
	if visit != nil && ctx.Err() == nil && len(p.support) > 0 {
		return show()
	}
	return nil
}

// nextVisit is the least support size to be visited after size.
func nextVisit(size int) int { return max(size+1, int(math.Ceil(float64(size)*1.02))) }

// choose is the pair, or without a learned bias the one row, to step on.
func (p *shortfall) choose() pair {
	chosen := p.worst
	if p.used.Aggressive {
		if own := p.worstSupport(); p.value(own) > p.used.Epsilon {
			chosen = own
		}
	}
	if p.learn {
		return chosen
	}
	if i, _ := chosen.single(); i == chosen.positive {
		chosen.negative = -1
	} else {
		chosen.positive = -1
	}
	return chosen
}

// single is the worse row of the pair and its value; of equal ones the first.
func (w pair) single() (int, float64) {
	if w.positiveValue > w.negativeValue || w.positiveValue == w.negativeValue && w.positive < w.negative {
		return w.positive, w.positiveValue
	}
	return w.negative, w.negativeValue
}

// value is what a pair falls short by: with the best bias both classes by the same.
func (p *shortfall) value(w pair) float64 {
	if p.learn {
		return (w.positiveValue + w.negativeValue) / 2
	}
	_, value := w.single()
	return value
}

func (p *shortfall) worstSupport() pair {
	worst := noPair
	for _, j := range p.support {
		if p.train.Y[j] > 0 {
			s := p.target[j] - p.response[j]
			if s > worst.positiveValue || s == worst.positiveValue && j < worst.positive {
				worst.positive, worst.positiveValue = j, s
			}
		} else {
			s := p.target[j] + p.response[j]
			if s > worst.negativeValue || s == worst.negativeValue && j < worst.negative {
				worst.negative, worst.negativeValue = j, s
			}
		}
	}
	return worst
}

func (p *shortfall) grows(w pair) bool {
	return w.positive >= 0 && p.beta[w.positive] == 0 || w.negative >= 0 && p.beta[w.negative] == 0
}

// step adds Eta to the row chosen, or Eta/2 to each of the pair, and scales into the ball.
func (p *shortfall) step(ctx context.Context, chosen pair) error {
	eta := p.used.Eta
	if chosen.positive >= 0 && chosen.negative >= 0 {
		eta /= 2
	}
	var taken [2]struct {
		i     int
		delta float64
		row   []float64
	}
	n := 0
	for _, c := range [2]struct {
		i     int
		delta float64
	}{{chosen.negative, -eta}, {chosen.positive, eta}} {
		if c.i < 0 {
			continue
		}
		row, err := p.rows.row(ctx, c.i)
		if err != nil {
			return err
		}
		taken[n].i, taken[n].delta, taken[n].row = c.i, c.delta, row
		n++
	}
	a, b := taken[0], taken[1]
	if n == 1 {
		b.i, b.row = a.i, a.row
	}
	p.norm2 += 2*(a.delta*p.response[a.i]+b.delta*p.response[b.i]) +
		a.delta*a.delta*p.diagonal[a.i] + b.delta*b.delta*p.diagonal[b.i] + 2*a.delta*b.delta*a.row[b.i]
	p.add(a.i, a.delta)
	p.add(b.i, b.delta)
	factor := 1.0
	if radius := p.used.Radius; radius > 0 && p.norm2 > radius*radius {
		factor = radius / math.Sqrt(p.norm2)
		p.norm2 = radius * radius
		for _, j := range p.support {
			p.beta[j] *= factor
		}
	}
	p.advance(a.delta, a.row, b.delta, b.row, factor)
	return nil
}

func (p *shortfall) add(i int, delta float64) {
	if delta == 0 {
		return
	}
	if p.beta[i] == 0 {
		p.support = append(p.support, i)
	}
	p.beta[i] += delta
}

// advance updates the responses and finds the worst rows.
func (p *shortfall) advance(deltaA float64, rowA []float64, deltaB float64, rowB []float64, factor float64) {
	response := p.response
	target, y := p.target[:len(response)], p.train.Y[:len(response)]
	rowA, rowB = rowA[:len(response)], rowB[:len(response)]
	worst := noPair
	for j, g := range response {
		g = (g + deltaA*rowA[j] + deltaB*rowB[j]) * factor
		response[j] = g
		if y[j] > 0 {
			if s := target[j] - g; s > worst.positiveValue {
				worst.positive, worst.positiveValue = j, s
			}
		} else if s := target[j] + g; s > worst.negativeValue {
			worst.negative, worst.negativeValue = j, s
		}
	}
	p.worst = worst
}

// bias is the reference's, or the one for which both classes fall short by the same.
func (p *shortfall) bias() float64 {
	if p.learn && p.ref != nil {
		return (p.worst.positiveValue - p.worst.negativeValue) / 2
	}
	return p.used.Reference.Bias
}

func (p *shortfall) model() *Model {
	return newModel(p.used.Reference.Kernel, p.train, p.beta, p.bias())
}

// certificate computes the three facts that hold for every finished run.
func (p *shortfall) certificate(steps int) []Check {
	epsilon, eta, n := p.used.Epsilon, p.used.Eta, float64(p.train.Len())
	bound := math.Inf(1)
	fall := 2*eta*epsilon - eta*eta*p.radius2
	if radius := p.used.Radius; fall > 0 && (radius == 0 || radius*radius >= p.ref.squaredNorm) {
		bound = p.ref.squaredNorm / fall
	}
	var slant, hinge float64
	bias := p.bias()
	for j, y := range p.train.Y {
		slant += min(1, max(0, 1-epsilon-y*(p.response[j]+bias))) / n
		hinge += max(0, 1-y*(p.ref.responses[j]+p.ref.model.Bias)) / n
	}
	return []Check{
		{"worst shortfall ≤ ε", p.value(p.worst), epsilon},
		{"steps ≤ ‖w‖²/(2ηε - η²R²)", float64(steps), bound},
		{"mean slant loss ≤ mean hinge loss of the reference (Lemma 4.1)", slant, hinge},
	}
}

func (p *shortfall) state() loop.Point {
	value := p.value(p.worst)
	return loop.Point{SupportSize: len(p.support), Objective: value, Gap: value}
}
