package solvers

import (
	"context"
	"fmt"
	"math"
	"time"
)

// ISSVM makes a dense reference classifier f = g + b sparse. It looks for w̃ with few support
// vectors whose responses g̃ fall short of the reference's margins by at most Epsilon:
//
//	min over w̃   max over eligible i   hᵢ - yᵢ g̃(xᵢ),     hᵢ = min(1, yᵢ f(xᵢ)) - yᵢ b,
//
// where the eligible rows are those that the reference classifies rightly, yᵢ f(xᵢ) > 0. Each
// iteration is a subgradient step: the worst row i gets α_i += Eta. The run stops when the
// maximum is at most Epsilon; this value is both Objective and Gap.
//
// Every step brings ‖w̃ - w‖² down by 2ηε - η²R² at least, R² = max K(xᵢ, xᵢ), so that there
// are at most R²‖w‖²/ε² steps, and no more support vectors, with the default Eta. Eta ≥ 2ε/R²
// has no such bound. Certificate holds the value, the number of steps and Lemma 4.1, each
// with its bound.
//
// With the bias kept, w̃ = 0 leaves many rows equally wrong, and the first steps may all go to
// one class. With a learned bias the steps go in pairs, Eta/2 to the worst row of each class,
// and the bias is the best one for w̃: that makes better models of very few support vectors.
//
// Of equally bad rows the first is taken. Many are: all that the reference has at margin 1 or more begin
// equal. So the number of steps depends, by some percent, on the last digits of the reference. A run costs one kernel row per new support vector and
// O(rows) per iteration.
//
// Cotter, Shalev-Shwartz, Srebro, Learning optimally sparse support vector machines, ICML
// 2013, section 4.
type ISSVM struct {
	Reference *Model  // nil: SMO{Kernel, C} is fitted first
	Kernel    Kernel  // of that SMO; only without Reference
	C         float64 // of that SMO; only without Reference

	Eta     float64 // step, > 0; 0: Epsilon/R²
	Epsilon float64 // shortfall allowed, > 0; 0: ½
	// Aggressive takes the worst support vector as long as one falls short by more than Epsilon,
	// and a new row only when none does. The paper's listing prints ≤ for that >, and leaves yᵢ out: its
	// text says what is meant.
	Aggressive bool
	LearnBias  bool    // Fit keeps the reference's bias unless LearnBias
	KeepBias   bool    // FitPath learns the bias unless KeepBias
	Radius     float64 // after each step w̃ is scaled to ‖w̃‖ ≤ Radius; 0: not at all

	Settings Settings // MaxIterations 0: 10⁶
}

var _ PathSolver = ISSVM{}

// Name is "ISSVM".
func (ISSVM) Name() string { return "ISSVM" }

// ParameterName is "Iterations".
func (ISSVM) ParameterName() string { return "Iterations" }

// Fit makes the reference sparse on the training set that it came from, or another of its kind.
func (s ISSVM) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fit(ctx, train, s.LearnBias, nil)
}

// FitPath visits the models of one run, each just before its support grows, and the last one.
// All support sizes up to 50 that occur are visited, then those at least 2 % apart. The bias is
// learned unless KeepBias.
func (s ISSVM) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, func(parameter, _ float64, m *Model) error { return visit(parameter, m) })
}

func (s ISSVM) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	return s.fit(ctx, train, !s.KeepBias, visit)
}

func (s ISSVM) fit(ctx context.Context, train *Dataset, learn bool, visit visitor) (*Result, error) {
	started := time.Now()
	used := s
	if err := used.resolve(train); err != nil {
		return nil, err
	}
	model, fit, err := givenOrFitted(ctx, "ISSVM", s.Reference, s.Kernel, s.C, s.Settings, train)
	if model == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	used.Reference, used.Kernel, used.C = model, nil, 0
	run := startRun(ctx, s.Settings.remaining(time.Since(started)), 1e6)
	p := newShortfall(used, train, learn)
	if err == nil {
		err = p.begin(ctx, model)
	}
	if err == nil {
		err = p.loop(ctx, run, visit)
	} else {
		run.Next(p.state) // says that ctx ended
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	run.Finish(p.state)
	result := newResult(s, p.used, p.model(), run)
	result.Reference, result.Rows, result.Runtime = model, train.Len(), time.Since(started)
	result.KernelEvaluations = p.rows.evaluations
	if fit != nil {
		result.KernelEvaluations += fit.KernelEvaluations
		if fit.Status.Early() && !result.Status.Early() {
			result.Status = fit.Status // sparse enough, but of an unfinished reference
		}
	}
	result.norm = math.Sqrt(max(p.norm2, 0))
	if p.ref != nil {
		result.Certificate = p.certificate(run.Iterations())
	}
	return result, canceled(ctx, result.Status)
}

func (s *ISSVM) resolve(train *Dataset) error {
	var err error
	if s.Epsilon, err = positive("ISSVM", "Epsilon", s.Epsilon, 0.5); err != nil {
		return err
	}
	if s.Eta < 0 || math.IsNaN(s.Eta) || math.IsInf(s.Eta, 0) {
		return &ParamError{"ISSVM", "Eta", s.Eta, "> 0 (0: default Epsilon/R²)"}
	}
	if s.Radius < 0 || math.IsNaN(s.Radius) || math.IsInf(s.Radius, 0) {
		return &ParamError{"ISSVM", "Radius", s.Radius, "> 0 (0: no ball)"}
	}
	if s.LearnBias && s.KeepBias {
		return fmt.Errorf("ISSVM: LearnBias and KeepBias are both set: want one at most")
	}
	if err := s.Settings.check("ISSVM"); err != nil {
		return err
	}
	return checkTrain(train)
}
