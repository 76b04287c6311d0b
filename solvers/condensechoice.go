package solvers

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// condensing is one run of Condense.
type condensing struct {
	ctx        context.Context
	used       Condense
	full       *ground
	part       *ground // what candidates are trained on; full if nothing is held out
	validation *Dataset

	mutex   sync.Mutex // of the following
	run     *loop.Run
	best    *judgement // of the present budget
	last    *Model     // the winner of the budget before
	kept    *judgement // likewise
	total   int        // passes of all candidates
	done    int
	figures []Candidate
}

// judgement is a model and its mistakes on the validation rows.
type judgement struct {
	choice choice
	model  *Model
	wrong  []bool
	errors int
	loss   float64 // mean logistic loss, where errors are equal
	took   time.Duration
	spare  bool // it exceeds the budget and is there to be compared with
	kept   bool // it won with a smaller budget, and is trained on all rows
}

func newCondensing(ctx context.Context, used Condense, train *Dataset, dense *Model, s Settings) *condensing {
	s.MaxIterations = used.Settings.MaxIterations
	p := &condensing{ctx: ctx, used: used, run: startRun(ctx, s, math.MaxInt), validation: used.Validation}
	inner := used.Settings
	inner.MaxIterations, inner.MaxTime, inner.Progress = 0, 0, func(Progress) {}
	p.full = &ground{train: train, dense: dense, c: used.C, settings: inner, counted: new(atomic.Int64)}
	p.part = p.full
	return p
}

// leastClass is the number of rows of a class from which on some are held out.
const leastClass = 10

// all condenses to the budget, or to all budgets of a path.
func (p *condensing) all(visit visitor) error {
	if err := p.divide(); err != nil {
		return err
	}
	sizes := []int{p.used.Budget}
	if visit != nil && p.used.Budgets != nil {
		sizes = p.used.Budgets
	} else if visit != nil {
		sizes = slices.DeleteFunc(budgets(p.used.Budget), func(size int) bool { return size < min(8, p.used.Budget) })
	}
	for _, size := range sizes {
		p.total += p.work(size)
	}
	grounds := []*ground{p.full}
	if p.part != p.full {
		grounds = append(grounds, p.part)
	}
	for _, g := range grounds {
		if err := g.walk(p.ctx, sizes[len(sizes)-1], p.alive); err != nil {
			return err
		}
	}
	for _, size := range sizes {
		if err := p.condense(size, visit); err != nil {
			return err
		}
	}
	return nil
}

// work is the number of passes for a budget.
func (p *condensing) work(budget int) int {
	passes := 0
	for _, r := range p.recipes(budget) {
		passes += r.passes()
	}
	if p.used.Finish {
		passes += finishPasses
	}
	return passes
}

func (p *condensing) recipes(budget int) []*recipe {
	return p.used.recipes(p.part.train, p.part.dense.Kernel, budget)
}

// divide holds rows out and trains the dense model of the others.
func (p *condensing) divide() error {
	train := p.full.train
	if p.used.EveryCandidate {
		p.validation = train
	}
	if p.validation != nil {
		return nil
	}
	part, rest := p.split(train)
	if !enough(part) || rest.Len() == 0 {
		p.validation = train
		return nil
	}
	s := p.full.settings
	fit, err := SMO{Kernel: p.full.dense.Kernel, C: p.used.C, Settings: s}.Fit(p.ctx, part)
	if err != nil {
		return err
	}
	p.full.counted.Add(fit.KernelEvaluations)
	if fit.SupportSize() == 0 {
		p.validation = train
		return nil
	}
	p.validation = rest
	p.part = &ground{train: part, dense: fit.Model, c: p.used.C, settings: s, counted: p.full.counted}
	return nil
}

func (p *condensing) split(train *Dataset) (part, rest *Dataset) {
	if !p.used.LastRows {
		return train.Split(1-p.used.HoldOut, p.used.Settings.Seed)
	}
	rows := make([]int, train.Len())
	for i := range rows {
		rows[i] = i
	}
	cut := int(math.Round((1 - p.used.HoldOut) * float64(len(rows))))
	return train.Subset(rows[:cut]), train.Subset(rows[cut:])
}

// enough reports whether both classes have the rows to train on.
func enough(d *Dataset) bool {
	positive := 0
	for _, y := range d.Y {
		if y > 0 {
			positive++
		}
	}
	return min(positive, d.Len()-positive) >= leastClass
}

// condense finds the model of one budget.
func (p *condensing) condense(budget int, visit visitor) error {
	p.best = nil
	start, err := p.part.start(p.ctx, budget)
	if err != nil {
		return err
	}
	found, err := p.candidates(budget, start)
	if p.best != nil { // the context may have ended before there was one
		p.prefer(found)
		p.figures = append(p.figures, p.compare(found, budget)...)
	}
	if err != nil {
		return err
	}
	if p.used.EveryCandidate && visit != nil {
		for _, j := range found {
			if !j.spare {
				if err := visit(float64(budget), p.share(j), j.model); err != nil {
					return err
				}
			}
		}
		p.last = p.best.model
		return nil
	}
	winner := p.best
	if !winner.kept {
		if err := p.complete(winner, budget); err != nil {
			return err
		}
	}
	kept := *winner
	kept.kept = true
	p.last, p.kept = winner.model, &kept
	if visit == nil {
		return nil
	}
	return visit(float64(budget), p.share(winner), winner.model)
}

// complete trains a winner on all rows.
func (p *condensing) complete(winner *judgement, budget int) error {
	part := winner.model
	if p.part != p.full {
		start, err := p.full.start(p.ctx, budget)
		if err != nil {
			return err
		}
		if winner.model, err = p.full.realize(p.ctx, winner.choice, start, p.alive); err != nil {
			winner.model = part
			return err
		}
	}
	if !isLearned(part.Kernel) { // others start from kernels of the package only
		p.part.previous, p.full.previous = part, winner.model
	}
	return nil
}

// candidates trains all recipes, at once unless their passes are limited: then the order decides.
func (p *condensing) candidates(budget int, start *Model) ([]*judgement, error) {
	g := p.part
	var found []*judgement
	dense, err := p.judge(choice{}, g.dense, 0)
	if err != nil {
		return nil, err
	}
	dense.spare = max(g.dense.SupportSize(), p.full.dense.SupportSize()) > budget
	found = append(found, dense)
	p.offer(dense)
	if p.kept != nil {
		found = append(found, p.kept)
		p.offer(p.kept)
	}
	recipes := p.recipes(budget)
	workers := p.used.Settings.Workers
	if p.used.Settings.MaxIterations > 0 {
		workers = 1
	}
	late := slices.IndexFunc(recipes, func(r *recipe) bool { return r.late })
	for stage, list := range [][]*recipe{recipes[:late], recipes[late:]} {
		if stage == 1 {
			list = slices.DeleteFunc(list, func(r *recipe) bool { return p.pointless(r, found) })
		}
		each, leader := make([][]*judgement, len(list)), p.best
		err = gram.Each(p.ctx, workers, len(list), func(i int) error {
			from := start
			if list[i].still {
				from = g.rowsFor(budget)
			}
			return p.candidate(list[i], from, leader, &each[i])
		})
		for _, judged := range each {
			found = append(found, judged...)
		}
		if err != nil {
			break
		}
	}
	if err != nil || !p.used.Finish || p.best.choice.recipe == nil || p.best.kept || isLearned(p.best.model.Kernel) {
		return found, err
	}
	var list []*judgement
	err = p.candidate(finishing(p.best.choice), p.best.model, p.best, &list)
	return append(found, list...), err
}

// pointless reports whether a shorter run of the same kind is so far behind the best that the recipe
// need not be tried.
func (p *condensing) pointless(r *recipe, found []*judgement) bool {
	for k := len(found) - 1; r.unless != "" && k >= 0; k-- {
		if short := found[k].choice; short.recipe != nil && short.recipe.name == r.unless && !short.polished {
			return p.hopeless(found[k], p.best, longRatio)
		}
	}
	return false
}

// hopeless reports whether a judgement is far behind another.
func (p *condensing) hopeless(j, leader *judgement, ratio float64) bool {
	behind, deviation := p.apart(j, leader)
	return behind > hopeless*deviation && float64(j.errors) > ratio*float64(leader.errors)
}

// candidate trains by a recipe and judges the checkpoints. leader is the best of those before.
func (p *condensing) candidate(r *recipe, from *Model, leader *judgement, found *[]*judgement) error {
	began := time.Now()
	err := p.part.run(p.ctx, r, from, p.tick, func(c choice, m *Model) error {
		j, err := p.judge(c, m, time.Since(began))
		if err != nil {
			return err
		}
		n := len(*found)
		ends := n > 0 && c.passes > settledFrom && j.errors >= (*found)[n-1].errors
		if r.solver.LBFGS && c.passes == raceAt {
			ends = p.hopeless(j, leader, hopelessRatio)
		}
		if r.solver.LBFGS && c.passes == earlyRaceAt && leader.choice.recipe != nil && leader.choice.recipe.taught {
			ends = p.hopeless(j, leader, earlyRatio)
		}
		*found = append(*found, j)
		p.offer(j)
		if ends {
			return errChosen
		}
		return p.ctx.Err()
	})
	if err == errChosen {
		err = nil
	}
	if err != nil && p.ctx.Err() == nil && !errors.Is(err, errEnough) {
		return err
	}
	for _, j := range *found {
		j.took = time.Since(began)
	}
	return err
}

func (p *condensing) judge(c choice, m *Model, took time.Duration) (*judgement, error) {
	j := &judgement{choice: c, model: m, wrong: make([]bool, p.validation.Len()), took: took}
	p.full.counted.Add(int64(p.validation.Len()) * int64(m.SupportSize()))
	decisions, err := m.decisionsWithin(p.ctx, p.validation)
	for i, f := range decisions {
		y := p.validation.Y[i]
		if sign(f) != y {
			j.wrong[i] = true
			j.errors++
		}
		j.loss += math.Log1p(math.Exp(-math.Abs(f))) + max(0, -y*f)
	}
	return j, err
}

// better orders judgements: fewer mistakes, then a smaller loss.
func better(a, b *judgement) bool {
	return cmp.Or(cmp.Compare(a.errors, b.errors), cmp.Compare(a.loss, b.loss)) < 0
}

// offer makes a judgement the best if it is, and a name decides between equals.
func (p *condensing) offer(j *judgement) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if j.spare {
		return
	}
	if b := p.best; b == nil || better(j, b) || !better(b, j) && j.name() < b.name() {
		p.best = j
	}
}

// prefer makes the best of those that the dense model taught the winner, if it is within one
// standard error of the least: the few rows held out cannot tell the two apart, but a model that
// repeats the dense one's responses has not learned the labels by heart.
func (p *condensing) prefer(found []*judgement) {
	var taught *judgement
	for _, j := range found {
		if r := j.choice.recipe; r != nil && r.taught && (taught == nil || better(j, taught)) {
			taught = j
		}
	}
	if taught == nil || p.best == nil || taught == p.best {
		return
	}
	if difference, deviation := p.apart(taught, p.best); difference <= deviation {
		p.best = taught
	}
}

// apart is the difference of two shares of wrong rows, and its standard error.
func (p *condensing) apart(a, b *judgement) (difference, deviation float64) {
	n, apart := float64(p.validation.Len()), 0.0
	for i, wrong := range a.wrong {
		if wrong != b.wrong[i] {
			apart++
		}
	}
	difference = p.share(a) - p.share(b)
	return difference, math.Sqrt(max(apart/n-difference*difference, 0) / n)
}

// tick counts a pass of a candidate and says whether to go on.
func (p *condensing) tick() error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.done++
	if !p.run.Next(p.state) {
		return errEnough
	}
	return nil
}

// alive looks at ctx and the time, outside of the candidates' passes.
func (p *condensing) alive() error {
	if most := p.used.Settings.MaxTime; most > 0 && p.run.Elapsed() > most {
		return errEnough
	}
	return p.ctx.Err()
}
