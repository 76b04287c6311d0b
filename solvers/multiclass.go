package solvers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// MultiSolver trains a classifier of two or more classes, as Solver does of two. OneVsRest
// and OneVsOne make one of any Solver.
type MultiSolver interface {
	// Name is the method and the solver that it uses, "OneVsRest(SMO)".
	Name() string
	// Fit trains on all classes of the set, that is all values in its Y. A wrong parameter is a
	// *ParamError and unusable data a *DataError. When ctx ends, Fit returns ctx.Err() and a
	// result of the two-class problems begun so far, nil if there is none.
	Fit(ctx context.Context, train *Dataset) (*MultiResult, error)
}

// MultiResult is a trained classifier of several classes and how it was reached.
type MultiResult struct {
	*MultiModel
	// Results are those of the two-class problems: Results[k].Model is Machines[k].Model.
	Results           []*Result
	Status            Status // of the first problem that ended early, else Converged; Canceled if ctx ended
	Solver            MultiSolver
	Rows              int   // training rows
	Iterations        int   // of all problems
	KernelEvaluations int64 // of all problems
	Runtime           time.Duration

	method string // "OneVsRest"
}

// task is one two-class problem of several: the positive class is +1.
type task struct {
	positive, negative float64 // negative NaN: all other classes
	data               *Dataset
	rows               []int // the training rows that data has; nil: all
}

// multiclass is one run of a Solver on the two-class problems of a set.
type multiclass struct {
	method  string
	solver  Solver
	workers int
	train   *Dataset
	classes []float64 // ascending
}

// newMulticlass checks the data and what can be known of the parameters beforehand.
func newMulticlass(method string, s Solver, workers int, train *Dataset) (*multiclass, error) {
	if s == nil {
		return nil, fmt.Errorf("%s.Solver is nil: want one such as SMO{C: 10}", method)
	}
	if workers < 0 {
		return nil, &ParamError{method, "Workers", float64(workers), "≥ 0 (0: default 1)"}
	}
	if train == nil || train.Len() == 0 {
		return nil, &DataError{Text: "no rows: want at least one of each class"}
	}
	if len(train.Y) != train.Len() {
		return nil, &DataError{train.Name, fmt.Sprintf("%d rows but %d labels: want one label per row", train.Len(), len(train.Y))}
	}
	for i, x := range train.X {
		if y := train.Y[i]; math.IsNaN(y) || math.IsInf(y, 0) {
			return nil, &DataError{train.Name, fmt.Sprintf("row %d: label is %g: want a finite number", i, y)}
		}
		if text := wrongRow(x, train.Dim); text != "" {
			return nil, &DataError{train.Name, fmt.Sprintf("row %d: %s", i, text)}
		}
	}
	m := &multiclass{method: method, solver: s, workers: max(workers, 1), train: train, classes: slices.Clone(train.Y)}
	slices.Sort(m.classes)
	m.classes = slices.Compact(m.classes)
	if len(m.classes) == 1 {
		return nil, &DataError{train.Name, fmt.Sprintf("all rows are of the class %g: want rows of two classes at least", m.classes[0])}
	}
	if len(m.classes) > 2 && hasReference(s) {
		return nil, fmt.Errorf("%s.Solver: the Reference of %s knows two classes, and the data has %d; leave it out and give Kernel and C, so that every problem fits its own",
			method, s.Name(), len(m.classes))
	}
	return m, nil
}

// hasReference reports whether a solver is to make a given model sparse.
func hasReference(s Solver) bool {
	v := reflect.Indirect(reflect.ValueOf(s))
	if v.Kind() != reflect.Struct {
		return false
	}
	field := v.FieldByName("Reference")
	return field.IsValid() && field.Type() == reflect.TypeFor[*Model]() && !field.IsNil()
}

// fit solves count problems, made by problem when their turn comes.
func (m *multiclass) fit(ctx context.Context, asked MultiSolver, count int, pairs bool, problem func(k int) task) (*MultiResult, error) {
	started := time.Now()
	progress := newMultiProgress(ctx, count)
	inner, stop := context.WithCancel(progress.context(ctx))
	defer stop()
	tasks, results := make([]task, count), make([]*Result, count)
	err := gram.Each(inner, m.workers, count, func(k int) error {
		tasks[k] = problem(k)
		var err error
		results[k], err = m.solve(inner, tasks[k])
		if err != nil && inner.Err() != nil && ctx.Err() == nil {
			return nil // another problem failed before
		}
		if err != nil {
			stop() // the others would be of no use
			return err
		}
		progress.done(results[k])
		return nil
	})
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	r := &MultiResult{MultiModel: &MultiModel{Classes: m.classes, Pairs: pairs}, Solver: asked, method: m.method, Rows: m.train.Len()}
	for _, class := range m.classes {
		r.Labels = append(r.Labels, labelOf(m.train, class))
	}
	for k, result := range results {
		if result != nil {
			r.add(tasks[k], result)
		}
	}
	r.Runtime = time.Since(started)
	if err != nil {
		if len(r.Machines) == 0 {
			return nil, err
		}
		r.Status = Canceled
	}
	return r, err
}

// solve trains on one problem. The indices of the models become those of the whole training set.
func (m *multiclass) solve(ctx context.Context, t task) (*Result, error) {
	result, err := m.solver.Fit(ctx, t.data)
	if result != nil && t.rows != nil {
		result.Model = result.Model.ofRows(t.rows)
		if result.Reference != nil {
			result.Reference = result.Reference.ofRows(t.rows)
		}
	}
	if err == nil || ctx.Err() != nil && result != nil {
		return result, err
	}
	_, parameter := errors.AsType[*ParamError](err)
	_, data := errors.AsType[*DataError](err)
	if parameter || data {
		return result, err
	}
	return result, fmt.Errorf("%s: %w", t.data.Name, err)
}

// ofRows is the model of the rows of a view as one of the whole set: rows[i] is row i of the view.
func (m *Model) ofRows(rows []int) *Model {
	if m.Indices == nil {
		return m
	}
	whole := *m
	whole.Indices = make([]int, len(m.Indices))
	for k, i := range m.Indices {
		whole.Indices[k] = rows[i]
	}
	return &whole
}

func (r *MultiResult) add(t task, result *Result) {
	r.Machines = append(r.Machines, Machine{Model: result.Model, Positive: t.positive, Negative: t.negative})
	r.Results = append(r.Results, result)
	r.Iterations += result.Iterations
	r.KernelEvaluations += result.KernelEvaluations
	if r.Status == Converged {
		r.Status = result.Status
	}
}

// pair is the problem of two classes, the greater one positive. A two-class set is its own.
func (m *multiclass) pair(negative, positive float64) task {
	if len(m.classes) == 2 && m.train.Binary() {
		return task{positive: positive, negative: negative, data: m.train}
	}
	t := task{positive: positive, negative: negative, rows: []int{}}
	for i, y := range m.train.Y {
		if y == negative || y == positive {
			t.rows = append(t.rows, i)
		}
	}
	t.data = m.train.Subset(t.rows)
	t.data.Name = fmt.Sprintf("%s: %g against %g", m.train.Name, positive, negative)
	t.data.Labels = []float64{negative, positive}
	for i, y := range t.data.Y {
		t.data.Y[i] = -1
		if y == positive {
			t.data.Y[i] = 1
		}
	}
	return t
}

// multiProgress reports on many problems as one run, whose iterations are the problems.
type multiProgress struct {
	report   func(Progress) // nil: none
	started  time.Time
	mutex    sync.Mutex
	last     time.Time
	finished int
	count    int
}

func newMultiProgress(ctx context.Context, count int) *multiProgress {
	return &multiProgress{report: progressFrom(ctx, Settings{}), started: time.Now(), count: count}
}

// context is ctx for the solver of one problem.
func (p *multiProgress) context(ctx context.Context) context.Context {
	if p.report == nil {
		return ctx
	}
	return WithProgress(ctx, func(state Progress) {
		p.mutex.Lock()
		defer p.mutex.Unlock()
		p.tell(state)
	})
}

func (p *multiProgress) done(r *Result) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.finished++
	if p.report != nil {
		p.tell(Progress{SupportSize: r.SupportSize(), Objective: r.Objective, Gap: r.Gap})
	}
}

// tell reports at most ten times a second, and when all is done.
func (p *multiProgress) tell(state Progress) {
	now := time.Now()
	if p.finished < p.count && now.Sub(p.last) < time.Second/10 {
		return
	}
	p.last = now
	state.Iteration, state.MaxIterations, state.Elapsed = p.finished, p.count, now.Sub(p.started)
	p.report(state)
}
