package solvers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// Compare runs every method with every combination of its grid on train, and judges the models on
// heldOut: in each split the parameters are chosen for each support size on the validation rows, and
// the error is that on the test rows. For a size all models count that have as many support
// vectors at most; of equal ones the smallest is taken, then the first of the grid.
//
// A trial is one combination: one path, or one fit of a solver without path. Up to Workers
// of them run at the same time; what they come to does not depend on it. A trial that fails is a
// result with its error. With File a trial that is in the file is not run again, so that a comparison
// goes on where it was killed; trials are known by Trial.Key, and a file from an older program
// may hold results that this one would not give. A method whose Reference is a solver is shown with
// that dense model, which is a trial as well.
//
// When ctx ends, the comparison of the trials that were finished is returned with ctx.Err().
func (p Protocol) Compare(ctx context.Context, train, heldOut *Dataset, methods ...Solver) (*Comparison, error) {
	if p.Workers < 0 {
		return nil, &ParamError{"Protocol", "Workers", float64(p.Workers), "≥ 0 (0: GOMAXPROCS)"}
	}
	if err := checkTrain(train); err != nil {
		return nil, err
	}
	if _, err := p.judge(heldOut); err != nil {
		return nil, err
	}
	plan, err := p.plan(train, heldOut, methods)
	if err != nil {
		return nil, err
	}
	if local := plan.bench.specs.local; p.File != "" && len(local) > 0 {
		return nil, fmt.Errorf("Protocol.File: %T cannot be written to it, so that its results would not be known again: leave File out", local[0])
	}
	file, err := openTrials(p.File)
	if err != nil {
		return nil, err
	}
	err = errors.Join(plan.run(ctx, p.Workers, file), file.close())
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return plan.comparison(file.done), ctx.Err()
}

// Trials are those that Compare would run, in its order.
func (p Protocol) Trials(train, heldOut *Dataset, methods ...Solver) ([]Trial, error) {
	plan, err := p.plan(train, heldOut, methods)
	if err != nil {
		return nil, err
	}
	return plan.all(), nil
}

// Comparison is what Compare comes to with these results of Trials, wherever they were run; those
// that are not there count for nothing.
func (p Protocol) Comparison(results []TrialResult, train, heldOut *Dataset, methods ...Solver) (*Comparison, error) {
	plan, err := p.plan(train, heldOut, methods)
	if err != nil {
		return nil, err
	}
	return plan.comparison(byKey(results)), nil
}

func byKey(results []TrialResult) map[string]TrialResult {
	done := map[string]TrialResult{}
	for _, r := range results {
		done[r.Key] = r
	}
	return done
}

// plan is a comparison to be made.
type plan struct {
	bench   *Bench
	dataset string
	sizes   []int
	methods []planned
}

// planned is the trials of one method.
type planned struct {
	name      string
	trials    []Trial
	reference []Trial // one or none
}

func (p Protocol) plan(train, heldOut *Dataset, methods []Solver) (*plan, error) {
	bench := NewBench(train, heldOut)
	data := dataKey{name: train.Name}
	data.train, data.heldOut = bench.checksums()
	made, err := p.planFor(bench.specs, data, methods)
	if err != nil {
		return nil, err
	}
	made.bench = bench
	return made, nil
}

// dataKey is the name of training rows and the checksums of the data.
type dataKey struct{ name, train, heldOut string }

// planFor is a plan for data that need not be here; it has no bench.
func (p Protocol) planFor(specs *specs, data dataKey, methods []Solver) (*plan, error) {
	if len(methods) == 0 {
		return nil, errors.New("no method to compare: want at least one, such as ISSVM{Aggressive: true}")
	}
	if p.Sizes == nil {
		p.Sizes = budgets(refitBudget)
	}
	if len(p.Sizes) == 0 || p.Sizes[0] < 1 || !slices.IsSorted(p.Sizes) {
		return nil, fmt.Errorf("Protocol.Sizes = %v: want numbers ≥ 1, ascending (nil: ten per decade from 1 to %d)", p.Sizes, refitBudget)
	}
	p = p.resolved()
	like := Trial{Splits: p.Splits, ValidationFraction: p.ValidationFraction, TuneBias: p.TuneBias, Seed: p.Seed}
	like.Train, like.HeldOut = data.train, data.heldOut
	made := &plan{dataset: data.name, sizes: slices.Compact(slices.Clone(p.Sizes))}
	for _, s := range methods {
		m := methodOf(s)
		var reference []Trial
		var err error
		if m.Reference != nil {
			if reference, err = (Method{Solver: m.Reference}).trials(specs, like); err != nil {
				return nil, err
			}
		}
		sized := like
		sized.Sizes = made.sizes
		trials, err := m.trials(specs, sized)
		if err != nil {
			return nil, err
		}
		made.methods = append(made.methods, planned{made.unused(m.Name()), trials, reference})
	}
	return made, nil
}

// unused is the name, with a number if another method has it.
func (p *plan) unused(name string) string {
	unused := name
	for number := 2; slices.ContainsFunc(p.methods, func(m planned) bool { return m.name == unused }); number++ {
		unused = fmt.Sprintf("%s %d", name, number)
	}
	return unused
}

// all are the trials, each once: first the references, which others need.
func (p *plan) all() []Trial {
	var trials []Trial
	known := map[string]bool{}
	add := func(more []Trial) {
		for _, t := range more {
			if key := t.Key(); !known[key] {
				known[key] = true
				trials = append(trials, t)
			}
		}
	}
	for _, m := range p.methods {
		add(m.reference)
	}
	for _, m := range p.methods {
		add(m.trials)
	}
	return trials
}

// run runs the trials that are not in the file.
func (p *plan) run(ctx context.Context, workers int, file *trialFile) error {
	trials := p.all()
	total := len(trials)
	trials = slices.DeleteFunc(trials, func(t Trial) bool { _, done := file.done[t.Key()]; return done })
	report, _ := ctx.Value(trialsKey{}).(func(done, total int, last *TrialResult))
	if report == nil {
		report = func(int, int, *TrialResult) {}
	}
	report(total-len(trials), total, nil)
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	workers = max(1, min(workers, len(trials)))
	inner := max(1, runtime.GOMAXPROCS(0)/workers) // of a trial, for the rows of its kernel
	quietly := WithProgress(ctx, nil)              // of the solvers
	var mutex sync.Mutex
	left := len(trials)
	return gram.Each(quietly, workers, len(trials), func(k int) error {
		result, err := p.bench.Run(quietly, trials[k], inner)
		if err != nil {
			return err
		}
		mutex.Lock()
		defer mutex.Unlock()
		left--
		err = file.add(result)
		report(total-left, total, &result)
		return err
	})
}

type trialsKey struct{}

// WithTrials is a context under which Compare calls f at the start, with last nil, and after each
// trial. Trials that were in the file count as done. Calls are not concurrent.
func WithTrials(ctx context.Context, f func(done, total int, last *TrialResult)) context.Context {
	return context.WithValue(ctx, trialsKey{}, f)
}

// comparison makes the table of the results that there are.
func (p *plan) comparison(done map[string]TrialResult) *Comparison {
	c := &Comparison{Dataset: p.dataset, Sizes: p.sizes}
	results := func(trials []Trial) []TrialResult {
		var found []TrialResult
		for _, t := range trials {
			if r, ok := done[t.Key()]; ok {
				r.Trial = t // the name may be another
				found = append(found, r)
			}
		}
		return found
	}
	for _, m := range p.methods {
		path, settings := choose(p.sizes, results(m.trials))
		path.Solver, path.Dataset, path.ParameterName = m.name, p.dataset, "At most"
		for _, r := range results(m.reference) {
			if dense, _ := choose(nil, []TrialResult{r}); len(dense.Points) > 0 {
				path.Reference = dense.Points[0]
			}
		}
		c.Paths, c.Settings = append(c.Paths, path), append(c.Settings, settings)
		c.Trials = append(c.Trials, results(m.trials)...)
		c.Missing += len(m.trials) - len(results(m.trials))
	}
	return c
}

// chosen is a model of a trial.
type chosen struct {
	result *TrialResult
	point  *TrialPoint
}

// choose takes for each size and split the model that is best on the validation rows. Without
// sizes it takes from all models.
func choose(sizes []int, results []TrialResult) (*Path, []string) {
	path := &Path{}
	var settings []string
	var models []chosen
	for r := range results {
		for k := range results[r].Points {
			models = append(models, chosen{&results[r], &results[r].Points[k]})
		}
	}
	if len(models) == 0 {
		return path, nil
	}
	if sizes == nil {
		sizes = []int{slices.MaxFunc(models, func(a, b chosen) int { return cmp.Compare(a.point.Size, b.point.Size) }).point.Size}
	}
	splits := len(models[0].point.Test)
	before := -1 // models that the size before had
	for _, size := range sizes {
		var allowed []chosen
		for _, m := range models {
			if m.point.Size <= size {
				allowed = append(allowed, m)
			}
		}
		if len(allowed) == 0 || len(allowed) == before {
			continue // nothing new
		}
		before = len(allowed)
		best := make([]chosen, splits)
		for k := range best {
			best[k] = slices.MinFunc(allowed, func(a, b chosen) int {
				return cmp.Or(a.point.Validation[k]-b.point.Validation[k], a.point.SupportSize-b.point.SupportSize)
			})
		}
		point := averaged(best)
		point.Parameter = float64(size)
		path.Points, settings = append(path.Points, point), append(settings, mostOften(best))
	}
	return path, settings
}
