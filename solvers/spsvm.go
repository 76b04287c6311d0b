package solvers

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// SpSVM chooses support vectors one by one, each the best of some candidates, and after each finds
// the coefficients and the bias that are best for all rows:
//
//	min over β, b   ½‖w‖² + C Σᵢ max(0, 1 - yᵢ f(xᵢ))²,     w = Σᵥ βᵥ Φ(xᵥ),  v in the basis.
//
// The paper's objective (eq. 3) is this one over 2C, λ = 1/(2C) and the same loss, without bias.
//
// Each iteration draws Candidates rows, half of them of each class, and takes the one with
// which a Newton step lowers the objective most. With the counted rows, those with a loss, as they
// are, that is exactly C·s²/h, where s is the slope along the candidate and h what is left of
// its curvature when all other coefficients follow. The paper scores a candidate by its own
// coefficient alone, with the others as they are, and draws without regard to class; both fail
// on sets with a rare class.
//
// Objective is the one above; it falls with each iteration. Gap is the share of it by which the
// best candidate, when last drawn, was to lower it: the run ends when that is at most Epsilon, or
// when there are Budget support vectors, which is the Status BudgetReached.
//
// An iteration with m support vectors costs O(Candidates·m·counted rows); a run keeps m columns
// of the kernel matrix, 8·m·rows bytes.
//
// Keerthi, Chapelle, DeCoste, Building support vector machines with reduced classifier
// complexity, JMLR 7, 2006.
type SpSVM struct {
	Kernel     Kernel   // nil: RBF{}
	C          float64  // price of the squared slack, > 0; 0: 1
	Budget     int      // number of support vectors, ≥ 1; 0: 100
	Candidates int      // rows to choose from, ≥ 1; 0: 59, of which one is among the best 5 % with probability 0.95
	Epsilon    float64  // stop when Gap is at most, > 0; 0: 1e-6
	Settings   Settings // MaxIterations 0: Budget; Seed draws the candidates
}

var (
	_ PathSolver    = SpSVM{}
	_ objectivePath = SpSVM{}
)

// Name is "SpSVM".
func (SpSVM) Name() string { return "SpSVM" }

// ParameterName is "Iterations", which is the support size.
func (SpSVM) ParameterName() string { return "Iterations" }

// Fit trains with Budget support vectors.
func (s SpSVM) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of one run: those of all sizes up to 50, then those 2 % apart.
func (s SpSVM) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

// defaultCandidates is the paper's number (section 3.3).
const defaultCandidates = 59

func (s SpSVM) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	b := budgeted{s.Kernel, s.C, s.Epsilon, s.Budget}
	if err := b.resolve("SpSVM", 1e-6, s.Settings, train); err != nil {
		return nil, err
	}
	if s.Candidates < 0 {
		return nil, &ParamError{"SpSVM", "Candidates", float64(s.Candidates), "≥ 1 (0: default 59)"}
	}
	used := s
	used.Kernel, used.C, used.Epsilon, used.Budget = b.kernel, b.c, b.epsilon, min(b.budget, train.Len())
	if used.Candidates == 0 {
		used.Candidates = defaultCandidates
	}
	run := startRun(ctx, s.Settings, used.Budget)
	g := &greedy{basis: newBasis(ctx, train, b.kernel, b.c, s.Settings), used: used, promise: math.Inf(1)}
	g.random = rand.New(rand.NewPCG(s.Settings.Seed, 0))
	err := g.loop(ctx, run, visit)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	if err != nil {
		run.Next(g.state) // says that the context ended
	}
	g.gap = g.promise
	result := g.finish(s, used, run, nil)
	if !result.Status.Early() && len(g.vectors) == used.Budget {
		result.Status = BudgetReached
	}
	return result, canceled(ctx, result.Status)
}

// greedy is a basis that grows by the best candidates.
type greedy struct {
	*basis
	used    SpSVM
	random  *rand.Rand
	free    [2][]int    // rows of each class not in the basis, in the order of the draws
	promise float64     // Gap
	room    [][]float64 // for the columns of candidates
}

func (g *greedy) state() loop.Point {
	point := g.basis.state()
	point.Gap = g.promise
	return point
}

func (g *greedy) loop(ctx context.Context, run *loop.Run, visit visitor) error {
	diagonal := make([]float64, g.train.Len())
	g.matrix.Diagonal(diagonal)
	for i, y := range g.train.Y {
		class := int(y+1) / 2
		g.free[class] = append(g.free[class], i)
	}
	if err := g.settle(ctx); err != nil {
		return err
	}
	visited := 0
	for len(g.vectors) < g.used.Budget && g.promise > g.used.Epsilon && run.Next(g.state) {
		grown, err := g.grow(ctx, diagonal)
		if err != nil {
			return err
		}
		if grown && visit != nil && len(g.vectors) >= nextVisit(visited) {
			visited = len(g.vectors)
			if err := visit(float64(visited), g.objective, g.model()); err != nil {
				return err
			}
		}
	}
	if size := len(g.vectors); visit != nil && size > visited {
		return visit(float64(size), g.objective, g.model())
	}
	return nil
}

// settle solves for the present basis.
func (g *greedy) settle(ctx context.Context) error {
	steps := 0
	return g.solve(ctx, newtonEpsilon, func() bool { steps++; return steps <= newtonSteps })
}

// grow adds the best candidate and solves. It reports whether one was worth it.
func (g *greedy) grow(ctx context.Context, diagonal []float64) (bool, error) {
	rows := g.draw()
	columns, err := g.columns(ctx, subset(g.train, rows), &g.room)
	if err != nil {
		return false, err
	}
	scores, err := g.scores(ctx, rows, columns, diagonal)
	if err != nil {
		return false, err
	}
	best := floats.MaxIdx(scores)
	g.promise = scores[best] / g.objective
	if g.promise <= g.used.Epsilon {
		return false, nil
	}
	column := make([]float64, len(columns[best]))
	copy(column, columns[best])
	if err := g.add(ctx, subset(g.train, rows[best:best+1]), rows[best:best+1], [][]float64{column}); err != nil {
		return false, err
	}
	for class, free := range g.free {
		for k, i := range free {
			if i == rows[best] {
				g.free[class][k] = free[len(free)-1]
				g.free[class] = free[:len(free)-1]
				break
			}
		}
	}
	return true, g.settle(ctx)
}

// draw moves random rows of each class to the front of free, and returns them.
func (g *greedy) draw() []int {
	var rows []int
	for class, free := range g.free {
		share := (g.used.Candidates + class) / 2 // an odd one is for +1
		if other := len(g.free[1-class]); other < (g.used.Candidates+1-class)/2 {
			share = g.used.Candidates - other
		}
		share = min(share, len(free))
		for k := range share {
			at := k + g.random.IntN(len(free)-k)
			free[k], free[at] = free[at], free[k]
		}
		rows = append(rows, free[:share]...)
	}
	return rows
}

// scores are what a Newton step with each candidate lowers the objective by.
func (g *greedy) scores(ctx context.Context, rows []int, columns [][]float64, diagonal []float64) ([]float64, error) {
	counted := g.countedRows()
	sums := make([][]float64, len(rows))
	for k := range sums {
		sums[k] = make([]float64, len(g.column))
	}
	if err := g.cross(ctx, counted, columns, g.column, 1, sums); err != nil {
		return nil, err
	}
	scores := make([]float64, len(rows))
	err := gram.Each(ctx, g.workers, len(rows), func(k int) error {
		slope, curvature := 0.0, diagonal[rows[k]]/(2*g.c)
		for _, i := range counted {
			slope -= columns[k][i] * g.residual[i]
			curvature += columns[k][i] * columns[k][i]
		}
		for v := 1; v < len(g.beta); v++ {
			between := g.column[v][rows[k]] / (2 * g.c)
			sums[k][v] += between
			slope += between * g.beta[v]
		}
		coupling := make([]float64, len(g.place))
		for p, v := range g.place {
			coupling[p] = sums[k][v]
			slope += sums[k][v] * g.step[v]
		}
		if rest := curvature - g.factor.forward(coupling); rest > dependentVariable*curvature {
			scores[k] = g.c * slope * slope / rest
		}
		return nil
	})
	return scores, err
}
