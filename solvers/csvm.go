package solvers

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// CSVM, the condensed SVM, trains on a small working set that grows by rows that are still on
// the wrong side of their margin, and merges support vectors whenever there are more than
// Budget, so that those of the model are no training rows (Indices is nil, once vectors were merged).
//
//	min over w, b   ½‖w‖² + C Σᵢ max(0, 1 - yᵢ f(xᵢ))
//
// Each round is a C-SVC on the working set, then the merging: of the vector that can best be spared
// and another of its class, that one vector which comes nearest to the two, as BSGD does, until Budget
// are left. These are the next working set, together with Chunk rows drawn from those with a loss.
// The paper's details that its description leaves open are taken so: the rows are drawn uniformly,
// from each class as its share of those with a loss is, but one at least; a merged vector is a row of its class with the
// same C as others; the run ends after Rounds, or when five in turn did not lower the objective.
//
// The model is that of the round with the least Objective, the one above over all training rows. Gap is
// the share of rows with a loss in the last round. With Budget and Chunk as many as there are rows it is
// the C-SVC. Kernels other than RBF drop the vectors that can be spared, instead of merging.
//
// Nguyen, Matsumoto, Takishima, Hashimoto, Condensed vector machines: learning fast machine for
// large data, IEEE Transactions on Neural Networks 21, 2010.
type CSVM struct {
	Kernel   Kernel   // nil: RBF{}
	C        float64  // price of slack, > 0; 0: 1
	Budget   int      // number of vectors, ≥ 1; 0: 100
	Chunk    int      // rows added in a round, ≥ 2; 0: 500
	Rounds   int      // ≥ 1; 0: 20
	Epsilon  float64  // of the C-SVCs, stop when the violation is at most, > 0; 0: 1e-3
	Settings Settings // MaxIterations, of rounds, 0: Rounds for each budget; Seed draws the rows
}

var (
	_ PathSolver    = CSVM{}
	_ objectivePath = CSVM{}
)

// Name is "CSVM".
func (CSVM) Name() string { return "CSVM" }

// ParameterName is "Budget".
func (CSVM) ParameterName() string { return "Budget" }

// Fit trains with Budget vectors.
func (s CSVM) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of ten budgets per decade, up to Budget, each trained from the start.
func (s CSVM) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s CSVM) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	used := s
	if err := used.resolve(train); err != nil {
		return nil, err
	}
	sizes := sizesOf(used.Budget, visit)
	run := startRun(ctx, s.Settings, used.Rounds*len(sizes))
	c := &workingSet{used: used, train: train, matrix: kernelMatrix(ctx, used.Kernel, train.X, s.Settings.Workers)}
	var err error
	for _, size := range sizes {
		before := *c
		if err = c.rounds(ctx, run, size); err != nil || run.Stopped() != loop.None {
			if c.best == nil && before.best != nil {
				c.best, c.objective, c.gap = before.best, before.objective, before.gap
			}
			break
		}
		if visit != nil {
			if err := visit(float64(size), c.objective, c.best); err != nil {
				return nil, err
			}
		}
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	run.Finish(c.state)
	model := c.best
	if model == nil {
		model = newModel(used.Kernel, train, nil, 0)
	}
	result := newResult(s, used, model, run)
	result.Rows, result.KernelEvaluations = train.Len(), c.evaluations+c.matrix.Evaluations()
	return result, canceled(ctx, result.Status)
}

func (s *CSVM) resolve(train *Dataset) error {
	b := budgeted{s.Kernel, s.C, s.Epsilon, s.Budget}
	if err := b.resolve("CSVM", 1e-3, s.Settings, train); err != nil {
		return err
	}
	s.Kernel, s.C, s.Epsilon, s.Budget = b.kernel, b.c, b.epsilon, min(b.budget, train.Len())
	for _, field := range []struct {
		name             string
		value            *int
		least, byDefault int
		want             string
	}{{"Chunk", &s.Chunk, 2, 500, "≥ 2 (0: default 500)"}, {"Rounds", &s.Rounds, 1, 20, "≥ 1 (0: default 20)"}} {
		if *field.value == 0 {
			*field.value = field.byDefault
		}
		if *field.value < field.least {
			return &ParamError{"CSVM", field.name, float64(*field.value), field.want}
		}
	}
	return nil
}

// workingSet is the working set and the best model so far.
type workingSet struct {
	used        CSVM
	train       *Dataset
	matrix      *gram.Matrix // of the training rows
	random      *rand.Rand
	best        *Model
	objective   float64
	gap         float64
	evaluations int64
}

// workingSetPatience is the number of rounds that may fail to lower the objective.
const workingSetPatience = 5

// rounds trains for one budget, from random rows.
func (c *workingSet) rounds(ctx context.Context, run *loop.Run, budget int) error {
	c.best, c.objective, c.gap = nil, math.Inf(1), 1
	c.random = rand.New(rand.NewPCG(c.used.Settings.Seed, uint64(budget)))
	var vectors []Vector
	var labels []float64
	var rows []int // the training rows of the working set; -1 for those that are none
	loss := slices.Repeat([]bool{true}, c.train.Len())
	failures := 0
	for range c.used.Rounds {
		if !run.Next(c.state) {
			return nil
		}
		for _, i := range c.draw(loss, rows) {
			vectors, labels, rows = append(vectors, c.train.X[i]), append(labels, c.train.Y[i]), append(rows, i)
		}
		o, bias, err := c.condense(ctx, vectors, labels, rows, budget)
		if err != nil {
			run.Abandon()
			return err
		}
		m := o.model()
		m.Bias = bias
		vectors, rows, labels = slices.Clone(o.vectors), slices.Clone(o.rows), labels[:0:0]
		for _, beta := range o.coefficient {
			labels = append(labels, math.Copysign(1, beta))
		}
		objective, err := c.judge(ctx, m, loss)
		if err != nil {
			run.Abandon()
			return err
		}
		failures++
		if objective < c.objective {
			c.best, c.objective, failures = m, objective, 0
		}
		if c.gap == 0 || failures == workingSetPatience || len(vectors) == 0 {
			return nil
		}
	}
	return nil
}

// draw is rows with a loss that are not in the working set, in each class the same share of them.
func (c *workingSet) draw(loss []bool, present []int) []int {
	member := map[int]bool{}
	for _, i := range present {
		member[i] = true
	}
	var free [2][]int
	for i, is := range loss {
		if is && !member[i] {
			class := int(c.train.Y[i]+1) / 2
			free[class] = append(free[class], i)
		}
	}
	var drawn []int
	total := len(free[0]) + len(free[1])
	for _, rows := range free {
		if len(rows) == 0 {
			continue
		}
		share := max(1, c.used.Chunk*len(rows)/total)
		c.random.Shuffle(len(rows), func(a, b int) { rows[a], rows[b] = rows[b], rows[a] })
		drawn = append(drawn, rows[:min(share, len(rows))]...)
	}
	slices.Sort(drawn)
	return drawn
}

// condense is the C-SVC of the working set, its vectors merged until there are no more than budget.
func (c *workingSet) condense(ctx context.Context, vectors []Vector, labels []float64, rows []int, budget int) (*online, float64, error) {
	set := &Dataset{Name: c.train.Name, Dim: c.train.Dim, X: vectors, Y: labels}
	o := newOnline(c.train, c.used.Kernel)
	if slices.Min(labels) == slices.Max(labels) {
		return o, labels[0], nil
	}
	smo := SMO{Kernel: c.used.Kernel, C: c.used.C, Epsilon: c.used.Epsilon, Settings: Settings{Workers: c.used.Settings.Workers, Progress: func(Progress) {}}}
	fit, err := smo.Fit(ctx, set)
	if err != nil {
		return nil, 0, err
	}
	c.evaluations += fit.KernelEvaluations
	merging := &descent{online: o, used: BSGD{Maintenance: Merging}, budget: budget}
	_, mergeable := c.used.Kernel.(RBF)
	for k, i := range fit.Indices {
		x := vectors[i]
		o.values = o.values[:0]
		for _, z := range o.vectors {
			o.values = append(o.values, c.used.Kernel.Eval(z, x))
		}
		c.evaluations += int64(len(o.values) + 1)
		o.vectors, o.rows, o.coefficient = append(o.vectors, x), append(o.rows, rows[i]), append(o.coefficient, fit.Coefficients[k])
		merging.know(o.values, c.used.Kernel.Eval(x, x))
		if k%64 == 0 && ctx.Err() != nil {
			return nil, 0, ctx.Err()
		}
	}
	for len(o.vectors) > budget {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if mergeable {
			merging.merge(merging.least())
		} else {
			merging.forget(merging.least())
		}
	}
	return o, fit.Bias, nil
}

// judge is the objective over all training rows; it notes which have a loss.
func (c *workingSet) judge(ctx context.Context, m *Model, loss []bool) (float64, error) {
	responses := make([]float64, c.train.Len())
	if err := c.matrix.Add(ctx, m.SupportVectors, m.Coefficients, responses); err != nil {
		return 0, err
	}
	norm, sum, count := m.Norm(), 0.0, 0
	for i, g := range responses {
		xi := max(0, 1-c.train.Y[i]*(g+m.Bias))
		loss[i] = xi > c.used.Epsilon
		if loss[i] {
			count++
		}
		sum += xi
	}
	c.gap = float64(count) / float64(len(loss))
	return norm*norm/2 + c.used.C*sum, nil
}

func (c *workingSet) state() loop.Point {
	if c.best == nil {
		return loop.Point{Objective: math.Inf(1), Gap: 1}
	}
	return loop.Point{SupportSize: c.best.SupportSize(), Objective: c.objective, Gap: c.gap}
}
