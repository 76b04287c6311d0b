package solvers

import (
	"context"
	"fmt"
	"slices"
	"time"
)

// reference is the dense model that a solver makes sparse, with what it says about the
// training rows.
type reference struct {
	model       *Model
	responses   []float64 // f(x_i) - Bias of the training rows
	squaredNorm float64   // ‖w‖²
}

// givenOrFitted is the given model checked, or a C-SVC fitted now.
func givenOrFitted(ctx context.Context, solver string, given *Model, kernel Kernel, c float64, s Settings, train *Dataset) (*Model, *Result, error) {
	if given == nil {
		s.MaxIterations = 0 // a limit of the sparse solver
		fit, err := SMO{Kernel: kernel, C: c, Settings: s}.Fit(ctx, train)
		if fit == nil {
			return nil, nil, fmt.Errorf("%s.Reference: %w", solver, err)
		}
		return fit.Model, fit, err
	}
	switch {
	case kernel != nil || c != 0:
		return nil, nil, fmt.Errorf("%s: Kernel and C are for fitting a reference; leave them out when Reference is given", solver)
	case given.Kernel == nil:
		return nil, nil, fmt.Errorf("%s.Reference: the model has no kernel", solver)
	case len(given.SupportVectors) != len(given.Coefficients):
		return nil, nil, fmt.Errorf("%s.Reference: %d support vectors but %d coefficients", solver, len(given.SupportVectors), len(given.Coefficients))
	}
	resolved := *given
	var err error
	resolved.Kernel, err = resolveKernel(given.Kernel, train.Dim)
	return &resolved, nil, err
}

// newReference computes the responses to the training rows, which are the points of r.
func newReference(ctx context.Context, m *Model, r *rows) (*reference, error) {
	ref := &reference{model: m, responses: make([]float64, len(r.points))}
	if err := r.combine(ctx, m.SupportVectors, m.Coefficients, ref.responses); err != nil {
		return nil, err
	}
	if m.onRows(r.points) {
		for k, i := range m.Indices {
			ref.squaredNorm += m.Coefficients[k] * ref.responses[i]
		}
		return ref, nil
	}
	vectors := newRows(m.Kernel, m.SupportVectors, Settings{Workers: r.workers})
	own := make([]float64, m.SupportSize())
	if err := vectors.combine(ctx, m.SupportVectors, m.Coefficients, own); err != nil {
		return nil, err
	}
	r.evaluations += vectors.evaluations
	for k, g := range own {
		ref.squaredNorm += m.Coefficients[k] * g
	}
	return ref, nil
}

// onRows reports whether Indices says truly where the support vectors are among x.
func (m *Model) onRows(x []Vector) bool {
	if len(m.Indices) != m.SupportSize() {
		return false
	}
	for k, i := range m.Indices {
		v := m.SupportVectors[k]
		if i < 0 || i >= len(x) || !slices.Equal(v.Index, x[i].Index) || !slices.Equal(v.Value, x[i].Value) {
			return false
		}
	}
	return true
}

// remaining is the settings with what time used leaves of MaxTime.
func (s Settings) remaining(used time.Duration) Settings {
	if s.MaxTime > 0 {
		s.MaxTime = max(s.MaxTime-used, 1)
	}
	return s
}
