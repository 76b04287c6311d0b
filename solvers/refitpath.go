package solvers

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"time"
)

// refitBudget is the default greatest support size of a path. Its columns are 4 kB per row.
const refitBudget = 500

// errEnough ends a path at the budget.
var errEnough = errors.New("the budget is reached")

// ParameterName is "Budget".
func (Refit) ParameterName() string { return "Budget" }

// FitPath runs the path of Of, which must be a PathSolver, and visits the refits of its models: for
// each of ten budgets per decade, up to Budget, the last model that keeps it. Without Of that
// path is ISSVM's, with Aggressive, from the Reference or from SMO{Kernel, C}. The result is that
// of the last refit; its Reference is the dense model that was made sparse, if that is known.
func (s Refit) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s Refit) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	used := s
	if err := used.resolve(train); err != nil {
		return nil, err
	}
	inner, err := s.pathOf()
	if err != nil {
		return nil, err
	}
	started := time.Now()
	p := &refitting{ctx: ctx, asked: s, used: used, train: train, visit: visit, sizes: budgets(used.Budget), started: started}
	dense, err := inner.FitPath(ctx, train, p.look)
	if err == nil {
		err = p.show()
	}
	if err != nil && !errors.Is(err, errEnough) && ctx.Err() == nil {
		return nil, err
	}
	if p.last == nil {
		if ctx.Err() == nil {
			return nil, &ReferenceError{"Refit", fmt.Sprintf("%s has no model of at most %d support vectors", inner.Name(), used.Budget)}
		}
		if dense == nil {
			return nil, ctx.Err()
		}
		p.last = dense
	}
	result := *p.last
	result.asked, result.Solver, result.Runtime = s, used, time.Since(started)
	result.Reference = referenceOf(inner)
	if dense != nil {
		result.Reference = dense.Reference
		result.KernelEvaluations += dense.KernelEvaluations
	}
	if ctx.Err() != nil {
		result.Status = Canceled
	}
	return &result, canceled(ctx, result.Status)
}

// pathOf is the solver whose path is refitted.
func (s Refit) pathOf() (PathSolver, error) {
	switch of := s.Of.(type) {
	case PathSolver:
		return of, nil
	case nil:
		inner := ISSVM{Reference: s.Reference, Kernel: s.Kernel, Aggressive: true, Settings: s.Settings}
		if s.Reference == nil {
			inner.C = s.C
		}
		return inner, nil
	}
	return nil, fmt.Errorf("Refit.Of: %s has no path: want a solver with one, such as ISSVM", s.Of.Name())
}

// referenceOf is the Reference that a solver was given, nil if there is none.
func referenceOf(s Solver) *Model {
	v := reflect.Indirect(reflect.ValueOf(s))
	if v.Kind() != reflect.Struct || !v.FieldByName("Reference").IsValid() {
		return nil
	}
	m, _ := v.FieldByName("Reference").Interface().(*Model)
	return m
}

// refitting chooses the models of a path to refit.
type refitting struct {
	ctx     context.Context
	asked   Refit
	used    Refit
	train   *Dataset
	visit   visitor
	sizes   []int // budgets to come
	held    *Model
	last    *Result
	started time.Time
}

// look is given the models of the path.
func (p *refitting) look(_ float64, m *Model) error {
	if m.SupportSize() > p.sizes[0] {
		if err := p.show(); err != nil {
			return err
		}
		for m.SupportSize() > p.sizes[0] {
			if p.sizes = p.sizes[1:]; len(p.sizes) == 0 {
				return errEnough
			}
		}
	}
	if m.SupportSize() > 0 {
		p.held = m
	}
	return nil
}

// show refits the model that is held.
func (p *refitting) show() error {
	if p.held == nil {
		return nil
	}
	one := p.asked
	one.Of, one.Kernel, one.Reference = nil, nil, p.held
	one.Settings = one.Settings.remaining(time.Since(p.started))
	p.held = nil
	result, err := one.Fit(p.ctx, p.train)
	if err != nil {
		return err
	}
	p.last = result
	return p.visit(float64(p.sizes[0]), result.Objective, result.Model)
}

// fitOf refits what Of fits.
func (s Refit) fitOf(ctx context.Context, train *Dataset) (*Result, error) {
	started := time.Now()
	fit, err := s.Of.Fit(ctx, train)
	if fit == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	if fit.SupportSize() == 0 || err != nil {
		fit.asked, fit.Solver, fit.Runtime = s, s, time.Since(started)
		return fit, err
	}
	one := s
	one.Of, one.Reference = nil, fit.Model
	one.Settings = one.Settings.remaining(time.Since(started))
	result, err := one.Fit(ctx, train)
	if result == nil {
		return nil, err
	}
	result.asked = s
	result.addReference(fit.Model, fit, time.Since(started))
	return result, err
}
