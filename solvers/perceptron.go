package solvers

import (
	"context"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// Perceptron is the kernel perceptron. It looks at the rows one after the other; whenever one is
// on the wrong side, yᵢ f(xᵢ) ≤ 0, that row becomes a support vector, or has its weight raised:
//
//	αᵢ += 1,     f(x) = Σᵢ yᵢ αᵢ K(xᵢ, x).
//
// There is no bias. The first pass takes the rows in their order, the others in random ones. A run
// ends with the first pass without a mistake, or after Passes passes. If some u has
// yᵢ⟨u, Φ(xᵢ)⟩ ≥ 1 for all rows, there are at most R²‖u‖² mistakes in all.
//
// An iteration looks at one row. Objective is the number of mistakes so far, which is Σαᵢ, and Gap
// the share of rows that were mistakes in the last complete pass. A run makes a kernel row,
// O(rows·nonzeros), per mistake.
//
// Rosenblatt, 1958; Novikoff, On convergence proofs for perceptrons, 1962; Freund, Schapire, Large
// margin classification using the perceptron algorithm, Machine Learning 37, 1999.
type Perceptron struct {
	Kernel   Kernel   // nil: RBF{}
	Passes   int      // over the rows, ≥ 1; 0: 10
	Settings Settings // MaxIterations, of rows looked at, 0: Passes·rows; Seed orders the rows
}

var (
	_ PathSolver    = Perceptron{}
	_ objectivePath = Perceptron{}
)

// Name is "Perceptron".
func (Perceptron) Name() string { return "Perceptron" }

// ParameterName is "Mistakes".
func (Perceptron) ParameterName() string { return "Mistakes" }

// Fit trains until no row is on the wrong side, or for Passes passes.
func (s Perceptron) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of one run: those of all support sizes up to 50 that occur, then
// those 2 % apart, and the last.
func (s Perceptron) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

// defaultPasses is the number of passes of Perceptron; those with a budget make one.
const defaultPasses = 10

func (s Perceptron) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	used := s
	var err error
	if used.Passes, err = checkPasses("Perceptron", s.Passes, defaultPasses); err != nil {
		return nil, err
	}
	if err := s.Settings.check("Perceptron"); err != nil {
		return nil, err
	}
	if err := checkTrain(train); err != nil {
		return nil, err
	}
	if used.Kernel, err = resolveKernel(s.Kernel, train.Dim); err != nil {
		return nil, err
	}
	n := train.Len()
	run := startRun(ctx, s.Settings, used.Passes*n)
	p := &perceptron{train: train, rows: newRows(used.Kernel, train.X, s.Settings), beta: make([]float64, n), response: make([]float64, n), wrong: 1}
	err = p.loop(ctx, run, used, visit)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	run.Finish(p.state)
	result := newResult(s, used, p.model(), run)
	result.Rows, result.KernelEvaluations = n, p.rows.evaluations
	return result, canceled(ctx, result.Status)
}

func checkPasses(solver string, passes, byDefault int) (int, error) {
	if passes < 0 {
		return 0, &ParamError{solver, "Passes", float64(passes), "≥ 1 (0: default " + number(float64(byDefault)) + ")"}
	}
	if passes == 0 {
		passes = byDefault
	}
	return passes, nil
}

// perceptron is the state of a run.
type perceptron struct {
	train    *Dataset
	rows     *rows
	beta     []float64
	response []float64 // f(x_j)
	support  int
	mistakes int
	wrong    float64 // share of mistakes in the last pass
}

func (p *perceptron) loop(ctx context.Context, run *loop.Run, used Perceptron, visit visitor) error {
	visited := 0
	for order := range orders(p.train.Len(), used.Passes, used.Settings.Seed, false) {
		before := p.mistakes
		for _, i := range order {
			if !run.Next(p.state) {
				return p.show(ctx, visit)
			}
			if p.train.Y[i]*p.response[i] > 0 {
				continue
			}
			if visit != nil && p.beta[i] == 0 && p.support > 0 && p.support >= nextVisit(visited) {
				visited = p.support
				if err := p.show(ctx, visit); err != nil {
					return err
				}
			}
			if err := p.mistake(ctx, i); err != nil {
				run.Abandon()
				return err
			}
		}
		p.wrong = float64(p.mistakes-before) / float64(len(order))
		if p.mistakes == before {
			break
		}
	}
	return p.show(ctx, visit)
}

// orders are the orders of the rows for each pass: random, except for the first unless shuffled. Each
// is valid until the next.
func orders(n, passes int, seed uint64, shuffled bool) func(yield func([]int) bool) {
	random := rand.New(rand.NewPCG(seed, 0))
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return func(yield func([]int) bool) {
		for pass := range passes {
			if pass > 0 || shuffled {
				random.Shuffle(n, func(a, b int) { order[a], order[b] = order[b], order[a] })
			}
			if !yield(order) {
				return
			}
		}
	}
}

func (p *perceptron) mistake(ctx context.Context, i int) error {
	row, err := p.rows.row(ctx, i)
	if err != nil {
		return err
	}
	if p.beta[i] == 0 {
		p.support++
	}
	p.mistakes++
	p.beta[i] += p.train.Y[i]
	floats.AddScaled(p.response, p.train.Y[i], row)
	return nil
}

func (p *perceptron) show(ctx context.Context, visit visitor) error {
	if visit == nil || ctx.Err() != nil || p.support == 0 {
		return nil
	}
	return visit(float64(p.mistakes), float64(p.mistakes), p.model())
}

func (p *perceptron) model() *Model { return newModel(p.rows.kernel, p.train, p.beta, 0) }

func (p *perceptron) state() loop.Point {
	return loop.Point{SupportSize: p.support, Objective: float64(p.mistakes), Gap: p.wrong}
}
