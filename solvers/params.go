package solvers

import (
	"fmt"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// DataError is a training set that a solver cannot use.
type DataError struct {
	Dataset string // its name; may be empty
	Text    string // what is wrong and what to do
}

func (e *DataError) Error() string {
	if e.Dataset == "" {
		return e.Text
	}
	return e.Dataset + ": " + e.Text
}

// checkTrain is nil if d can be trained on: two classes -1 and +1, finite values, sorted rows.
func checkTrain(d *Dataset) error {
	if d == nil || d.Len() == 0 {
		name := ""
		if d != nil {
			name = d.Name
		}
		return &DataError{name, "no rows: want at least one of each class"}
	}
	if err := checkLabels(d); err != nil {
		return err
	}
	for i, x := range d.X {
		if text := wrongRow(x, d.Dim); text != "" {
			return &DataError{d.Name, fmt.Sprintf("row %d: %s", i, text)}
		}
	}
	return nil
}

func checkLabels(d *Dataset) error {
	if len(d.Y) != d.Len() {
		return &DataError{d.Name, fmt.Sprintf("%d rows but %d labels: want one label per row", d.Len(), len(d.Y))}
	}
	var negative, positive int
	for i, y := range d.Y {
		switch {
		case y == -1:
			negative++
		case y == 1:
			positive++
		case math.IsNaN(y):
			return &DataError{d.Name, fmt.Sprintf("row %d: label is NaN", i)}
		case len(d.Labels) > 2:
			return &DataError{d.Name, fmt.Sprintf("%d classes: want two; take OneAgainst(label) or Groups(negative, positive)", len(d.Labels))}
		default:
			return &DataError{d.Name, fmt.Sprintf("row %d: label %g: want -1 or +1; take OneAgainst(label) or Groups(negative, positive)", i, y)}
		}
	}
	if negative == 0 {
		return &DataError{d.Name, "all rows are of the class +1: want rows of both classes"}
	}
	if positive == 0 {
		return &DataError{d.Name, "all rows are of the class -1: want rows of both classes"}
	}
	return nil
}

func wrongRow(x Vector, dim int) string {
	if len(x.Index) != len(x.Value) {
		return fmt.Sprintf("%d indices but %d values", len(x.Index), len(x.Value))
	}
	previous := int32(-1)
	for k, index := range x.Index {
		if index <= previous {
			return fmt.Sprintf("index %d after %d: indices must increase", index, previous)
		}
		if int(index) >= dim {
			return fmt.Sprintf("index %d: want below Dim = %d", index, dim)
		}
		if v := x.Value[k]; math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprintf("feature %d is %g: want a finite number", index, v)
		}
		previous = index
	}
	return ""
}

// positive is value, or byDefault if value is 0; anything but a finite number > 0 is a *ParamError.
func positive(solver, field string, value, byDefault float64) (float64, error) {
	if value == 0 {
		return byDefault, nil
	}
	if !(value > 0) || math.IsInf(value, 1) {
		return 0, &ParamError{solver, field, value, fmt.Sprintf("> 0 (0: default %g)", byDefault)}
	}
	return value, nil
}

func checkFinite(solver, field string, value float64) error {
	if math.IsNaN(value) || math.IsInf(value, 0) {
		return &ParamError{solver, field, value, "a finite number"}
	}
	return nil
}

// check is a *ParamError if a setting is out of range.
func (s Settings) check(solver string) error {
	for _, field := range []struct {
		name  string
		value float64
	}{
		{"MaxIterations", float64(s.MaxIterations)},
		{"MaxTime", s.MaxTime.Seconds()},
		{"CacheMB", float64(s.CacheMB)},
		{"Workers", float64(s.Workers)},
	} {
		if field.value < 0 {
			return &ParamError{solver, "Settings." + field.name, field.value, "≥ 0 (0: the default)"}
		}
	}
	return nil
}

// limits are the run's limits; iterations is the solver's default number.
func (s Settings) limits(iterations int) loop.Limits {
	limits := loop.Limits{MaxIterations: s.MaxIterations, MaxTime: s.MaxTime, Shown: s.MaxIterations}
	if limits.MaxIterations == 0 {
		limits.MaxIterations = iterations
	}
	return limits
}
