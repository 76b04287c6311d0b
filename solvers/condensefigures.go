package solvers

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

func (p *condensing) share(j *judgement) float64 {
	return float64(j.errors) / float64(p.validation.Len())
}

func (p *condensing) state() loop.Point {
	point := loop.Point{Objective: 1, Gap: max(0, 1-float64(p.done)/float64(max(p.total, 1)))}
	if p.best != nil {
		point.Objective, point.SupportSize = p.share(p.best), p.best.model.SupportSize()
	}
	return point
}

// compare makes the figures of the judgements of a budget.
func (p *condensing) compare(found []*judgement, budget int) []Candidate {
	var out []Candidate
	for _, j := range found {
		c := Candidate{Name: j.name(), Budget: budget, Vectors: j.model.SupportSize(), Passes: j.choice.passes,
			ValidationError: p.share(j), Chosen: j == p.best, Runtime: j.took}
		c.Difference, c.StandardError = p.apart(j, p.best)
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return cmp.Compare(a.ValidationError, b.ValidationError) })
	return out
}

// result puts together what was reached.
func (p *condensing) result(asked, used Condense) *Result {
	model := p.last
	if p.best != nil && p.best.model.SupportSize() > 0 {
		model = p.best.model
	}
	if model == nil {
		model = p.full.dense // nothing has been condensed
	}
	if p.run.Stopped() == loop.None && p.ctx.Err() != nil {
		p.run.Next(p.state)
	}
	finish := p.state
	p.run.Finish(func() loop.Point {
		point := finish()
		point.SupportSize = model.SupportSize()
		if p.run.Stopped() == loop.None {
			point.Gap = 0
		}
		return point
	})
	result := newResult(asked, used, model, p.run)
	result.Rows, result.KernelEvaluations = p.full.train.Len(), p.full.counted.Load()
	return result
}

// name is that of the candidate.
func (j *judgement) name() string {
	if j.kept {
		return fmt.Sprintf("%s, with %d vectors before", j.choice.name(), j.model.SupportSize())
	}
	return j.choice.name()
}
