package solvers

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// recipe is a way to train a candidate.
type recipe struct {
	name        string
	solver      VirtualVectors // but for Reference, Teacher and Settings
	taught      bool           // by the dense model's responses
	still       bool           // nothing is moved
	share       float64        // still: C over the solver's
	checkpoints []int          // passes after which the model is judged
	polish      bool           // the last one also with refitted coefficients
	late        bool           // after the others, to end early where it is far behind
	unless      string         // a shorter run of the same, which being far behind makes this one hopeless
	after       *choice        // what it goes on from; nil: the start
}

// choice is a checkpoint of a recipe.
type choice struct {
	recipe   *recipe
	passes   int
	polished bool
}

func (c choice) name() string {
	if c.recipe == nil {
		return "dense model"
	}
	if c.polished {
		return c.recipe.name + ", coefficients refitted"
	}
	return c.recipe.name
}

const (
	finishPasses = 33
	finishRate   = 0.003
	taughtCopies = 9
	taughtPasses = 40
	// shortTaughtFrom is the number of vectors from which on half the passes are a candidate too: so
	// many can follow what is by chance in the copies.
	shortTaughtFrom = 64
	// settledFrom is the number of steps of L-BFGS from which on a run ends at a checkpoint that is no
	// better than the one before. Where a class is rare, as in w8a, thousands of steps go on helping.
	settledFrom = 1000
	// After raceAt steps, L-BFGS ends if it is behind the best of the others by more than hopeless
	// standard errors, and has more than hopelessRatio times its errors; after earlyRaceAt, if that best
	// learned from the dense model, more than earlyRatio times.
	raceAt        = 300
	hopeless      = 3
	hopelessRatio = 1.25
	earlyRaceAt   = 100
	earlyRatio    = 1.75
	// A long run of Adam is left out if the short one is as far behind, and has more than longRatio
	// times the errors.
	longRatio = 1.5
	// polishAtMost is the number of vectors up to which coefficients are refitted after the run:
	// with more, that takes longer than the run.
	polishAtMost = 200
)

// recipes are the candidates for some rows.
func (s Condense) recipes(train *Dataset, kernel Kernel, budget int) []*recipe {
	polish := budget <= polishAtMost
	const short = "logistic loss, Adam, short"
	all := []*recipe{
		{name: "refitted rows", still: true, share: 1},
		{name: "refitted rows, C·100", still: true, share: 100},
		{name: short, solver: VirtualVectors{Passes: 30}, checkpoints: []int{15, 22, 30}, polish: polish},
	}
	if realNoise(train, kernel) != nil {
		all = append(all, taughtRecipes(budget)...)
	}
	all = append(all,
		&recipe{name: "logistic loss, Adam", solver: VirtualVectors{Passes: 100}, checkpoints: []int{50, 75, 100}, polish: polish, late: true, unless: short},
		&recipe{name: "squared hinge, L-BFGS", solver: VirtualVectors{Loss: SquaredHingeLoss, LBFGS: true, Passes: 3000}, checkpoints: []int{30, 100, raceAt, settledFrom, 2000, 3000}, late: true})
	if _, rbf := kernel.(RBF); !rbf {
		return all
	}
	for _, r := range []struct {
		wanted bool
		name   string
		solver VirtualVectors
	}{
		{s.LearnGamma, "Gamma", VirtualVectors{LearnGamma: true}},
		{s.LearnGammas, "Gamma of each vector", VirtualVectors{LearnGammas: true}},
		{s.LearnScales, "scales of the features", VirtualVectors{LearnScales: true}},
	} {
		if r.wanted {
			r.solver.LBFGS, r.solver.Passes = true, raceAt
			all = append(all, &recipe{name: "logistic loss, " + r.name + " learned", solver: r.solver, checkpoints: []int{30, 100, raceAt}, late: true})
		}
	}
	return all
}

// taughtRecipes learn the dense model's responses.
func taughtRecipes(budget int) []*recipe {
	const name = "responses of the dense model"
	polish := budget <= polishAtMost
	solver := VirtualVectors{Passes: taughtPasses, Jitter: taughtCopies}
	all := []*recipe{{name: name, taught: true, checkpoints: []int{taughtPasses / 2, 3 * taughtPasses / 4, taughtPasses}, polish: polish, solver: solver}}
	if budget >= shortTaughtFrom {
		solver.Passes /= 2
		all = append(all, &recipe{name: name + ", short", taught: true, checkpoints: []int{solver.Passes}, solver: solver})
	}
	return all
}

// finishing is the recipe of a last polish after a choice.
func finishing(c choice) *recipe {
	return &recipe{name: c.name() + ", sigmoid loss", solver: VirtualVectors{Loss: SigmoidLoss, Passes: finishPasses, Rate: finishRate},
		checkpoints: []int{finishPasses}, after: &c}
}

// passes is the number that the recipe takes at most.
func (r *recipe) passes() int {
	if r.still {
		return 0
	}
	return r.solver.Passes
}

// ground is training rows, their dense model, and what candidates start from.
type ground struct {
	train    *Dataset
	dense    *Model
	path     []*Model // ISSVM's, by support size
	c        float64
	settings Settings
	previous *Model        // the winner of the budget before
	counted  *atomic.Int64 // kernel values of all candidates
}

// walk finds the path of models of up to size rows.
func (g *ground) walk(ctx context.Context, size int, visit func() error) error {
	for _, epsilon := range []float64{0.5, 1. / 16} {
		g.path = g.path[:0]
		s := ISSVM{Reference: g.dense, Aggressive: true, Epsilon: epsilon, Eta: epsilon, Settings: g.settings}
		if epsilon == 0.5 {
			s.Eta = 0
		}
		// The path ends as if interrupted, so that it still says what it cost.
		inner, enough := context.WithCancel(ctx)
		r, err := s.FitPath(inner, g.train, func(_ float64, m *Model) error {
			if inner.Err() != nil {
				return nil
			}
			g.path = append(g.path, m)
			if m.SupportSize() >= size {
				enough()
			}
			return visit()
		})
		ended := inner.Err() != nil && ctx.Err() == nil
		enough()
		if r != nil {
			g.counted.Add(r.KernelEvaluations)
		}
		if err != nil && !ended {
			return err
		}
		if n := len(g.path); n > 0 && g.path[n-1].SupportSize() >= size {
			return nil
		}
	}
	return nil
}

// rowsFor are budget rows to begin with: those of the path, the least of too many left out, and of
// the dense model's the greatest for those that lack.
func (g *ground) rowsFor(budget int) *Model {
	m := newModel(g.dense.Kernel, g.train, nil, g.dense.Bias)
	for _, step := range g.path {
		m = step
		if step.SupportSize() >= budget {
			break
		}
	}
	m = m.only(m.largest(budget))
	if lack := budget - m.SupportSize(); lack > 0 {
		m = m.with(g.dense, lack)
	}
	return m
}

// with is the model and up to count vectors of another that it does not have, those of the
// greatest coefficients, with small ones: a refit finds the right ones.
func (m *Model) with(other *Model, count int) *Model {
	out := *m
	out.SupportVectors, out.Coefficients = slices.Clone(m.SupportVectors), slices.Clone(m.Coefficients)
	out.Indices = nil
	for _, k := range other.largest(other.SupportSize()) {
		if count == 0 {
			break
		}
		z := other.SupportVectors[k]
		same := slices.ContainsFunc(m.SupportVectors, func(x Vector) bool {
			return slices.Equal(x.Index, z.Index) && slices.Equal(x.Value, z.Value)
		})
		if !same {
			out.SupportVectors = append(out.SupportVectors, z)
			out.Coefficients = append(out.Coefficients, 1e-3*other.Coefficients[k])
			count--
		}
	}
	return &out
}

// start is the model that candidates of a budget start from.
func (g *ground) start(ctx context.Context, budget int) (*Model, error) {
	if g.dense.SupportSize() <= budget && g.previous == nil {
		return g.dense, nil
	}
	rows := g.rowsFor(budget)
	if g.previous == nil {
		return g.refit(ctx, rows, g.c)
	}
	return g.refit(ctx, g.previous.with(rows, budget-g.previous.SupportSize()), g.c)
}

// refit finds the coefficients and the bias anew.
func (g *ground) refit(ctx context.Context, m *Model, c float64) (*Model, error) {
	if m.SupportSize() == 0 {
		return m, nil
	}
	r, err := Refit{Reference: m, C: c, Settings: g.settings}.Fit(ctx, g.train)
	if r == nil {
		return nil, err
	}
	g.counted.Add(r.KernelEvaluations)
	return r.Model, err
}

// run trains by a recipe and gives judge the models of its checkpoints. tick is called after each pass.
func (g *ground) run(ctx context.Context, r *recipe, start *Model, tick func() error, judge func(c choice, m *Model) error) error {
	if r.still {
		m, err := g.refit(ctx, start, g.c*r.share)
		if err != nil {
			return err
		}
		return judge(choice{recipe: r}, m)
	}
	s := r.solver
	s.Reference, s.Settings = start, g.settings
	if r.taught {
		s.Teacher = g.dense
	}
	if start.SupportSize() == 0 {
		return nil
	}
	if err := s.resolve(g.train); err != nil {
		return err
	}
	p, err := s.prepare(ctx, g.train)
	defer func() { g.counted.Add(p.evaluations) }()
	if err != nil {
		return err
	}
	p.judged = true
	judged := 0
	inner := loop.Start(ctx, s.Settings.limits(s.Passes), nil)
	err = p.descend(ctx, inner, func(done int) error {
		if err := tick(); err != nil {
			return err
		}
		if slices.Contains(r.checkpoints, done) {
			judged = done
			return judge(choice{recipe: r, passes: done}, p.model())
		}
		return nil
	})
	if err != nil {
		return err
	}
	last := r.checkpoints[len(r.checkpoints)-1]
	if judged != last { // L-BFGS has come to an end before
		if err := judge(choice{recipe: r, passes: last}, p.model()); err != nil {
			return err
		}
	}
	if !r.polish {
		return nil
	}
	m, err := g.refit(ctx, p.model(), g.c)
	if err != nil {
		return err
	}
	return judge(choice{recipe: r, passes: last, polished: true}, m)
}

// errChosen ends the training of a choice at its checkpoint.
var errChosen = errors.New("the checkpoint is reached")

// realize trains what was chosen.
func (g *ground) realize(ctx context.Context, c choice, start *Model, tick func() error) (*Model, error) {
	if c.recipe == nil {
		return g.dense, nil
	}
	if c.recipe.after != nil {
		var err error
		if start, err = g.realize(ctx, *c.recipe.after, start, tick); err != nil {
			return nil, err
		}
	}
	var chosen *Model
	err := g.run(ctx, c.recipe, start, tick, func(at choice, m *Model) error {
		if at.passes == c.passes && at.polished == c.polished {
			chosen = m
			return errChosen
		}
		return nil
	})
	if err != nil && err != errChosen {
		return nil, err
	}
	if chosen == nil {
		return nil, fmt.Errorf("Condense: %s has no checkpoint at %d", c.name(), c.passes)
	}
	return chosen, nil
}
