package solvers

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// LPSVM is the SVM as a linear program: the sum of the coefficients' magnitudes takes the place of
// ½‖w‖², which makes most of them zero.
//
//	min over β, b   Σⱼ |βⱼ| + C Σᵢ max(0, 1 - yᵢ f(xᵢ)),     f(x) = Σⱼ βⱼ K(xⱼ, x) + b
//
// over all training rows j. The kernel need not be positive semidefinite. The dual is
//
//	max over α   Σ αᵢ     subject to   0 ≤ αᵢ ≤ C,  Σ yᵢαᵢ = 0,  |Σᵢ yᵢαᵢ K(xⱼ, xᵢ)| ≤ 1 for all j
//
// It is solved by column generation, as LPBoost does: an iteration adds some rows whose constraint
// the present α violates, each the worst of some drawn at random, and solves the program of the rows
// that there are by an interior point method. When no row drawn violates its own, all rows are
// looked at.
//
// Objective is the one above. α divided by the greatest of the sums, if that is above 1, is feasible
// for all rows and gives a lower bound: Gap is (Objective - bound)/Objective, 1 as long as there is none.
// The run ends when it is at most Epsilon, or when there are Budget rows, some of which may have
// coefficient 0; then it is the optimum on these rows and the Status BudgetReached.
//
// An iteration with m rows costs some 15 times O(rows·m²), and the kernel values between the rows
// with αᵢ > 0 and those drawn. A run keeps m columns of the kernel matrix, 8·m·rows bytes.
//
// Bennett, Combining support vector and mathematical programming methods for classification, in
// Advances in Kernel Methods, 1999; Demiriz, Bennett, Shawe-Taylor, Linear programming boosting via
// column generation, Machine Learning 46, 2002. The interior point method is Mehrotra's, 1992.
type LPSVM struct {
	Kernel   Kernel   // nil: RBF{}
	C        float64  // price of slack, > 0; 0: 1
	Budget   int      // rows that may have a coefficient, ≥ 1; 0: 100
	Epsilon  float64  // stop when Gap is at most, > 0; 0: 1e-3
	Settings Settings // MaxIterations, of programs solved, 0: Budget; Seed draws the rows
}

var (
	_ PathSolver    = LPSVM{}
	_ objectivePath = LPSVM{}
)

// Name is "LPSVM".
func (LPSVM) Name() string { return "LPSVM" }

// ParameterName is "Iterations".
func (LPSVM) ParameterName() string { return "Iterations" }

// Fit solves the program.
func (s LPSVM) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the optimum of each iteration, on a few rows more each time.
func (s LPSVM) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s LPSVM) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	b := budgeted{s.Kernel, s.C, s.Epsilon, s.Budget}
	if err := b.resolve("LPSVM", 1e-3, s.Settings, train); err != nil {
		return nil, err
	}
	used := s
	used.Kernel, used.C, used.Epsilon, used.Budget = b.kernel, b.c, b.epsilon, min(b.budget, train.Len())
	run := startRun(ctx, s.Settings, used.Budget+1)
	p := newColumns(ctx, used, train)
	err := p.loop(ctx, run, visit)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	run.Finish(p.state)
	result := newResult(s, used, p.model(), run)
	result.Rows, result.KernelEvaluations = train.Len(), p.basis.matrix.Evaluations()+p.evaluations
	if !result.Status.Early() && p.gap > used.Epsilon {
		result.Status = BudgetReached
	}
	return result, canceled(ctx, result.Status)
}

// columns is the program of the rows that there are.
type columns struct {
	basis  *basis // keeps the rows and their kernel columns
	used   LPSVM
	train  *Dataset
	random *rand.Rand
	member []bool    // rows that there are
	alpha  []float64 // the dual of the last program
	beta   []float64 // without the bias
	bias   float64

	objective, gap float64
	evaluations    int64 // beside those of the columns
}

func newColumns(ctx context.Context, used LPSVM, train *Dataset) *columns {
	n := train.Len()
	p := &columns{basis: newBasis(ctx, train, used.Kernel, used.C, used.Settings), used: used, train: train,
		random: rand.New(rand.NewPCG(used.Settings.Seed, 0)), member: make([]bool, n), alpha: make([]float64, n), gap: 1}
	var negative, positive float64
	for _, y := range train.Y {
		if y > 0 {
			positive++
		} else {
			negative++
		}
	}
	// Without rows the optimum is a bias: that of the more frequent class. Its α are known.
	p.bias = 1
	if negative > positive {
		p.bias = -1
	}
	p.objective = 2 * used.C * min(negative, positive)
	for i, y := range train.Y {
		p.alpha[i] = used.C * min(negative, positive) / negative
		if y > 0 {
			p.alpha[i] = used.C * min(negative, positive) / positive
		}
	}
	return p
}

func (p *columns) loop(ctx context.Context, run *loop.Run, visit visitor) error {
	for run.Next(p.state) {
		rows, err := p.price(ctx, len(p.basis.vectors) == p.used.Budget)
		if err != nil {
			run.Abandon()
			return err
		}
		if len(rows) == 0 {
			return nil
		}
		if err := p.solve(ctx, rows); err != nil {
			run.Abandon()
			return err
		}
		if visit != nil {
			if err := visit(float64(run.Iterations()), p.objective, p.model()); err != nil {
				return err
			}
		}
	}
	return nil
}

const (
	drawnRows   = 59   // of which one is among the worst 5 % with probability 0.95
	activeAlpha = 1e-7 // share of C below which α counts as 0
)

// price finds rows to add. Looking at all rows it finds the gap too; it does so when full, or
// when none of those drawn violates its constraint.
func (p *columns) price(ctx context.Context, full bool) ([]int, error) {
	present := len(p.basis.vectors)
	more := min(max(1, present/4), p.used.Budget-present, 50)
	if !full && more*drawnRows < p.train.Len() {
		worst, err := p.worst(ctx, p.drawn(more*drawnRows), more)
		if err != nil || len(worst) > 0 {
			return worst, err
		}
	}
	all := make([]int, p.train.Len())
	for i := range all {
		all[i] = i
	}
	p.random.Shuffle(len(all), func(a, b int) { all[a], all[b] = all[b], all[a] })
	values, err := p.sums(ctx, all)
	if err != nil {
		return nil, err
	}
	greatest := floats.Norm(values, math.Inf(1))
	bound := floats.Sum(p.alpha) / max(greatest, 1)
	if p.gap = min(max((p.objective-bound)/p.objective, 0), 1); p.objective == 0 {
		p.gap = 0
	}
	if full || p.gap <= p.used.Epsilon {
		return nil, nil
	}
	return p.worstOf(all, values, more), nil
}

// drawn is rows drawn at random that are not there.
func (p *columns) drawn(count int) []int {
	var rows []int
	for _, i := range p.random.Perm(p.train.Len()) {
		if !p.member[i] {
			rows = append(rows, i)
		}
		if len(rows) == count {
			break
		}
	}
	return rows
}

func (p *columns) worst(ctx context.Context, rows []int, count int) ([]int, error) {
	values, err := p.sums(ctx, rows)
	if err != nil {
		return nil, err
	}
	return p.worstOf(rows, values, count), nil
}

// worstOf takes the worst violation of each of count parts of the rows.
func (p *columns) worstOf(rows []int, values []float64, count int) []int {
	var worst []int
	for part := range count {
		low, high := part*len(rows)/count, (part+1)*len(rows)/count
		best, most := -1, 1+p.used.Epsilon/10
		for k := low; k < high; k++ {
			if v := math.Abs(values[k]); v > most && !p.member[rows[k]] {
				best, most = rows[k], v
			}
		}
		if best >= 0 {
			worst = append(worst, best)
		}
	}
	return worst
}

// sums are Σᵢ yᵢαᵢ K(xⱼ, xᵢ) for some rows j.
func (p *columns) sums(ctx context.Context, rows []int) ([]float64, error) {
	var vectors []Vector
	var weights []float64
	for i, a := range p.alpha {
		if a > activeAlpha*p.used.C {
			vectors, weights = append(vectors, p.train.X[i]), append(weights, p.train.Y[i]*a)
		}
	}
	at := kernelMatrix(ctx, p.used.Kernel, subset(p.train, rows), p.used.Settings.Workers)
	values := make([]float64, len(rows))
	err := at.Add(ctx, vectors, weights, values)
	p.evaluations += at.Evaluations()
	return values, err
}

// solve adds rows and goes to the optimum.
func (p *columns) solve(ctx context.Context, rows []int) error {
	vectors := subset(p.train, rows)
	added, err := p.basis.columns(ctx, vectors, new([][]float64))
	if err != nil {
		return err
	}
	all := append(p.basis.column[:len(p.basis.column):len(p.basis.column)], added...)
	beta := append(append([]float64{p.bias}, p.beta...), make([]float64, len(rows))...)
	solved := newProgram(all, p.train.Y, p.used.C, p.used.Settings.Workers)
	if err := solved.solve(ctx, beta, p.alpha, p.used.Epsilon/10); err != nil {
		return err
	}
	p.basis.column = all
	p.basis.vectors, p.basis.rows = append(p.basis.vectors, vectors...), append(p.basis.rows, rows...)
	for _, i := range rows {
		p.member[i] = true
	}
	p.alpha, p.bias, p.beta, p.objective = solved.alpha, solved.beta[0], solved.beta[1:], solved.objective
	p.gap = 1 // not known
	return nil
}

func (p *columns) model() *Model {
	copy(p.basis.beta, []float64{p.bias})
	p.basis.beta = append(p.basis.beta[:1], p.beta...)
	return p.basis.model()
}

func (p *columns) state() loop.Point {
	return loop.Point{SupportSize: supportOf(p.beta), Objective: p.objective, Gap: p.gap}
}
