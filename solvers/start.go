package solvers

import (
	"fmt"
	"math"
)

// StartError is a Start that a solver cannot begin from.
type StartError struct {
	Solver string
	Text   string // what is wrong and what to do
}

func (e *StartError) Error() string { return e.Solver + ".Start: " + e.Text }

// checkStart is a *StartError unless m is nil or its coefficients are those of rows of the training
// set.
func checkStart(solver string, m *Model, train *Dataset) error {
	if m == nil {
		return nil
	}
	if len(m.Indices) != len(m.Coefficients) {
		return &StartError{solver, fmt.Sprintf("%d indices for %d coefficients: want a model trained on this set", len(m.Indices), len(m.Coefficients))}
	}
	for k, i := range m.Indices {
		if i < 0 || i >= train.Len() {
			return &StartError{solver, fmt.Sprintf("support vector %d is row %d: want a model trained on this set, of %d rows", k, i, train.Len())}
		}
		if beta := m.Coefficients[k]; math.IsNaN(beta) || math.IsInf(beta, 0) {
			return &StartError{solver, fmt.Sprintf("coefficient %d is %g: want a finite number", k, beta)}
		}
	}
	return nil
}
