package solvers

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// SBP is the stochastic batch perceptron, which trains a dense classifier of a given slack. It looks
// for the w in the unit ball, and the bias b, with the highest water level γ:
//
//	max over ‖w‖ ≤ 1, b   γ     with   Σⱼ max(0, γ - yⱼ(g(xⱼ) + b)) = n·ν,
//
// the level to which an amount n·ν of slack, poured over the margins, rises. The model is w/γ and
// b/γ: its mean hinge loss is ν/γ, and at the optimum no classifier of its norm 1/γ has a lower one.
//
// Each iteration finds the level for the present responses, in expected linear time, draws a
// row of each class uniformly from those below it, αᵢ += η/(2R√t) on both with η = 1, and scales w into
// the ball; R² = max K(xᵢ, xᵢ). With NoBias it draws one row and b is 0, as the paper has it first. The
// model is the average of the iterates, iterate t having the weight t.
//
// Objective is γ. The average p of the distributions that rows were drawn from bounds what any w can
// reach by ‖Σ pᵢyᵢΦ(xᵢ)‖ + ν·n·max p; Gap is how far γ is below that bound, as a share of it, and
// the run stops when it is at most Epsilon. γ is near its optimum long before the bound is.
//
// A C-SVC with mean hinge loss L and norm ‖w‖ solves the same problem with ν = L/‖w‖. The Model is
// a Reference for ISSVM, whose steps at Epsilon = ½ are then at most 16R²‖u‖², u being the best
// classifier of this slack (Corollary 1 of the ISSVM paper). Certificate has that with its bound,
// unless there is so little slack that a w shorter than 1 has the highest level.
//
// A run costs two kernel rows and O(rows) per iteration.
//
// Cotter, Shalev-Shwartz, Srebro, The kernelized stochastic batch perceptron, ICML 2012.
type SBP struct {
	Kernel  Kernel  // nil: RBF{}
	Slack   float64 // ν, the mean slack allowed at norm 1, > 0; 0: R/100
	Draws   int     // rows drawn per iteration, of each class, ≥ 1; 0: 1. More make steps less noisy
	NoBias  bool    // b = 0
	Epsilon float64 // stop at this relative gap, > 0; 0: 0.05
	// Start is a model of the same training set from whose w, scaled to norm 1, the run begins, with
	// the step of as many iterations as it has support vectors; nil: from 0.
	Start *Model

	Settings Settings // MaxIterations 0: 10⁶
}

var _ Solver = SBP{}

// Name is "SBP".
func (SBP) Name() string { return "SBP" }

// Fit trains on a two-class set.
func (s SBP) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	used, err := s.resolve(train)
	if err != nil {
		return nil, err
	}
	run := startRun(ctx, used.Settings, 1e6)
	p, err := newBatchPerceptron(ctx, used, train)
	if err != nil {
		return nil, err
	}
	if err = p.start(ctx, used.Start); err == nil {
		err = p.loop(ctx, run)
	} else {
		run.Next(p.state) // says that ctx ended
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	run.Finish(p.state)
	beta, bias := make([]float64, train.Len()), 0.0
	if p.best.level > 0 {
		bias = p.best.bias / p.best.level
		for i, b := range p.best.beta {
			beta[i] = b / p.best.level
		}
	}
	result := newResult(s, p.used, newModel(p.used.Kernel, train, beta, bias), run)
	result.KernelEvaluations, result.Rows = p.matrix.Evaluations(), train.Len()
	result.Certificate = p.certificate()
	return result, canceled(ctx, result.Status)
}

// loop steps until the gap, looked at after numbers of steps that grow by a quarter, is small.
func (p *batchPerceptron) loop(ctx context.Context, run *loop.Run) error {
	next := 16
	for run.Next(p.state) {
		if err := p.step(ctx); err != nil {
			run.Abandon()
			p.judge()
			return err
		}
		if p.steps < next {
			continue
		}
		next += next/4 + len(p.v)/8
		p.judge()
		if err := p.tighten(ctx); err != nil {
			run.Next(p.state) // says that ctx ended
			return err
		}
		if p.gap() <= p.used.Epsilon {
			return nil
		}
	}
	p.judge()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	return p.tighten(ctx)
}

// certificate states the level with its bound, and what ISSVM needs of this model. A u of norm 1 before
// the division by γ is no shorter than 1 over the bound.
func (p *batchPerceptron) certificate() []Check {
	checks := []Check{{"level γ ≤ its bound", p.best.level, p.bound}}
	if p.best.norm > 1-1e-6 {
		square := p.radius * p.radius
		checks = append(checks, Check{"4R²‖w‖², the most steps of ISSVM, ≤ 16R²‖u‖² of the best u (Corollary 1)",
			4 * square / (p.best.level * p.best.level), 16 * square / (p.bound * p.bound)})
	}
	return checks
}

// resolve checks the parameters and the data and fills in the defaults, but that of Slack.
func (s SBP) resolve(train *Dataset) (SBP, error) {
	var err error
	if s.Slack < 0 || math.IsNaN(s.Slack) || math.IsInf(s.Slack, 0) {
		return s, &ParamError{"SBP", "Slack", s.Slack, "> 0 (0: default R/100)"}
	}
	if s.Epsilon, err = positive("SBP", "Epsilon", s.Epsilon, 0.05); err != nil {
		return s, err
	}
	if s.Draws < 0 {
		return s, &ParamError{"SBP", "Draws", float64(s.Draws), "≥ 1 (0: default 1)"}
	}
	s.Draws = max(s.Draws, 1)
	if err := s.Settings.check("SBP"); err != nil {
		return s, err
	}
	if err := checkTrain(train); err != nil {
		return s, err
	}
	if err := checkStart("SBP", s.Start, train); err != nil {
		return s, err
	}
	s.Kernel, err = resolveKernel(s.Kernel, train.Dim)
	return s, err
}
