package solvers

import (
	"context"
	"fmt"
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// online is a run of a method that looks at the rows one after the other and keeps at most a
// budget of them, the oldest first, with f(x) = scale·Σ coefficients_s K(x_s, x) and no bias.
type online struct {
	train       *Dataset
	kernel      Kernel
	vectors     []Vector
	rows        []int     // the training rows of vectors; -1 for those that are none
	coefficient []float64 // to be multiplied by scale
	scale       float64
	values      []float64 // K(x_s, x) of the row looked at last
	mistakes    int
	wrong       float64 // share of mistakes in the last pass
	objective   float64
	shuffled    bool // the first pass too takes the rows in random order
	evaluations int64
}

// rule is what an online method does with row i, whose decision value is f.
type rule func(i int, f float64) error

func newOnline(train *Dataset, kernel Kernel) *online {
	return &online{train: train, kernel: kernel, scale: 1, wrong: 1}
}

// decide is f(x_i).
func (o *online) decide(i int) (float64, error) {
	sum := 0.0
	o.values = o.values[:0]
	for s, z := range o.vectors {
		k := o.kernel.Eval(z, o.train.X[i])
		o.values = append(o.values, k)
		sum += o.coefficient[s] * k
	}
	o.evaluations += int64(len(o.vectors))
	if sum-sum != 0 {
		return 0, fmt.Errorf("%v: the decision value of row %d is %g: want a finite number", o.kernel, i, sum)
	}
	return o.scale * sum, nil
}

// self is K(x_i, x_i).
func (o *online) self(i int) float64 {
	o.evaluations++
	return o.kernel.Eval(o.train.X[i], o.train.X[i])
}

// append makes row i the newest vector.
func (o *online) append(i int, beta float64) {
	o.vectors = append(o.vectors, o.train.X[i])
	o.rows = append(o.rows, i)
	o.coefficient = append(o.coefficient, beta/o.scale)
}

// remove leaves vector s out.
func (o *online) remove(s int) {
	o.vectors = append(o.vectors[:s], o.vectors[s+1:]...)
	o.rows = append(o.rows[:s], o.rows[s+1:]...)
	o.coefficient = append(o.coefficient[:s], o.coefficient[s+1:]...)
}

// shrink multiplies f by a factor. A scale that has become tiny goes into the coefficients.
func (o *online) shrink(factor float64) {
	o.scale *= factor
	if o.scale < 1e-100 {
		for s := range o.coefficient {
			o.coefficient[s] *= o.scale
		}
		o.scale = 1
	}
}

// loop looks at all rows passes times, the first time in their order unless shuffled, then in
// random ones.
func (o *online) loop(run *loop.Run, passes int, seed uint64, use rule) error {
	for order := range orders(o.train.Len(), passes, seed, o.shuffled) {
		before := o.mistakes
		for _, i := range order {
			if !run.Next(o.state) {
				return nil
			}
			f, err := o.decide(i)
			if err != nil {
				return err
			}
			if o.train.Y[i]*f <= 0 {
				o.mistakes++
			}
			if err := use(i, f); err != nil {
				return err
			}
		}
		o.wrong = float64(o.mistakes-before) / float64(len(order))
	}
	return nil
}

// model is f as it is now. A row that is there more than once counts as one.
func (o *online) model() *Model {
	m := newModel(o.kernel, o.train, nil, 0)
	if !slices.Contains(o.rows, -1) {
		beta := make([]float64, o.train.Len())
		for s, i := range o.rows {
			beta[i] += o.scale * o.coefficient[s]
		}
		return newModel(o.kernel, o.train, beta, 0)
	}
	m.Indices = nil
	for s, z := range o.vectors {
		if b := o.scale * o.coefficient[s]; b != 0 {
			m.SupportVectors, m.Coefficients = append(m.SupportVectors, z), append(m.Coefficients, b)
		}
	}
	return m
}

// size is the number of support vectors of model.
func (o *online) size() int {
	size := 0
	for s, i := range o.rows {
		if o.scale*o.coefficient[s] != 0 && (i < 0 || !slices.Contains(o.rows[:s], i)) {
			size++
		}
	}
	return size
}

func (o *online) state() loop.Point {
	return loop.Point{SupportSize: o.size(), Objective: o.objective, Gap: o.wrong}
}

// passes is what the online methods with a budget have in common: the fields of Forgetron and RBP, which
// are the same.
type passes struct {
	Kernel         Kernel
	Budget, Passes int
	Settings       Settings
}

// resolve checks the fields and fills in the defaults.
func (b *passes) resolve(solver string, train *Dataset) error {
	var err error
	if b.Budget, err = checkBudget(solver, b.Budget); err != nil {
		return err
	}
	if b.Passes, err = checkPasses(solver, b.Passes, 1); err != nil {
		return err
	}
	if err := b.Settings.check(solver); err != nil {
		return err
	}
	if err := checkTrain(train); err != nil {
		return err
	}
	b.Kernel, err = resolveKernel(b.Kernel, train.Dim)
	return err
}

// runs makes a run for each budget, from nothing, and shows each model. begin gives the state of
// a run and what it does with a row, finish what is to be done at its end.
func (b passes) runs(ctx context.Context, asked, used Solver, train *Dataset, visit visitor,
	begin func(budget int) (*online, rule), finish func(o *online) error) (*Result, *online, error) {
	sizes := sizesOf(b.Budget, visit)
	run := startRun(ctx, b.Settings, len(sizes)*b.Passes*train.Len())
	var o *online
	var evaluations int64
	for _, size := range sizes {
		before := o
		var use rule
		o, use = begin(size)
		err := o.loop(run, b.Passes, b.Settings.Seed, use)
		evaluations += o.evaluations
		if run.Stopped() != loop.None && len(o.vectors) == 0 && before != nil {
			o = before
		}
		if err == nil && run.Stopped() != loop.Context {
			err = finish(o)
		}
		if err != nil && ctx.Err() == nil {
			return nil, nil, err
		}
		if run.Stopped() != loop.None || err != nil {
			break
		}
		if visit != nil {
			if err := visit(float64(size), o.objective, o.model()); err != nil {
				return nil, nil, err
			}
		}
	}
	run.Finish(o.state)
	result := newResult(asked, used, o.model(), run)
	result.Rows, result.KernelEvaluations = train.Len(), evaluations
	return result, o, canceled(ctx, result.Status)
}

// counted makes the number of mistakes the objective.
func (o *online) counted() error {
	o.objective = float64(o.mistakes)
	return nil
}
