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

// ReferenceError is a reference that a solver cannot make sparse.
type ReferenceError struct {
	Solver string
	Text   string // what is wrong and what to do
}

func (e *ReferenceError) Error() string { return e.Solver + ".Reference: " + e.Text }

// givenOrFitted is the given model checked, or a C-SVC fitted now. A given model that cannot be used is
// a *ReferenceError.
func givenOrFitted(ctx context.Context, solver string, given *Model, kernel Kernel, c float64, s Settings, train *Dataset) (*Model, *Result, error) {
	if given == nil {
		s.MaxIterations = 0 // a limit of the sparse solver
		fit, err := SMO{Kernel: kernel, C: c, Settings: s}.Fit(ctx, train)
		if fit == nil {
			return nil, nil, fmt.Errorf("%s.Reference: %w", solver, err)
		}
		return fit.Model, fit, err
	}
	if kernel != nil || c != 0 {
		return nil, nil, &ReferenceError{solver, "it is given, and Kernel and C are for fitting one: leave them out"}
	}
	if err := checkReference(solver, given, train.Dim); err != nil {
		return nil, nil, err
	}
	resolved := *given
	var err error
	resolved.Kernel, err = resolveKernel(given.Kernel, train.Dim)
	return &resolved, nil, err
}

// checkReference is a *ReferenceError unless the model has a kernel and a coefficient for each support
// vector, and is finite, in dim features.
func checkReference(solver string, m *Model, dim int) error {
	switch {
	case m.Kernel == nil:
		return &ReferenceError{solver, "the model has no kernel"}
	case m.Kernel == Kernel(WidthRBF{}):
		return &ReferenceError{solver, "its vectors have a Gamma each, which no row has: want a model with one kernel"}
	case len(m.SupportVectors) != len(m.Coefficients):
		return &ReferenceError{solver, fmt.Sprintf("%d support vectors but %d coefficients", len(m.SupportVectors), len(m.Coefficients))}
	case m.Bias-m.Bias != 0:
		return &ReferenceError{solver, fmt.Sprintf("the bias is %g: want a finite number", m.Bias)}
	}
	for k, v := range m.SupportVectors {
		if beta := m.Coefficients[k]; beta-beta != 0 {
			return &ReferenceError{solver, fmt.Sprintf("coefficient %d is %g: want a finite number", k, beta)}
		}
		if text := wrongRow(v, dim); text != "" {
			return &ReferenceError{solver, fmt.Sprintf("support vector %d: %s; want a model trained on the same features as this set", k, text)}
		}
	}
	return nil
}

// checkSupport is a *ReferenceError unless the model has support vectors.
func checkSupport(solver string, m *Model) error {
	if m.SupportSize() == 0 {
		return &ReferenceError{solver, "no support vectors: want a trained model"}
	}
	return nil
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
