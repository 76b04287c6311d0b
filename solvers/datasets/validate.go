package datasets

import (
	"fmt"
	"slices"
)

// Validate checks what Dataset and Vector promise: one finite label per row, as many
// indices as values in each, indices from 0, increasing and below Dim, and finite values.
// The readers and FromDense promise it; a set put together by hand may not. The error names
// the first row that is wrong, from 0. A set without rows is valid.
func (d *Dataset) Validate() error {
	if len(d.X) != len(d.Y) {
		return fmt.Errorf("%s: %d rows but %d labels: want one label per row", d.Name, len(d.X), len(d.Y))
	}
	for i, x := range d.X {
		if !finite(d.Y[i]) {
			return fmt.Errorf("%s: label of row %d is %g: want a finite number", d.Name, i, d.Y[i])
		}
		if err := x.validate(d.Dim); err != nil {
			return fmt.Errorf("%s: row %d: %w", d.Name, i, err)
		}
	}
	if !slices.IsSorted(d.Labels) {
		return fmt.Errorf("%s: Labels are %v: want them ascending", d.Name, d.Labels)
	}
	return nil
}

func (x Vector) validate(dim int) error {
	if len(x.Index) != len(x.Value) {
		return fmt.Errorf("%d indices but %d values: want one value per index", len(x.Index), len(x.Value))
	}
	last := int32(-1)
	for k, index := range x.Index {
		switch {
		case index < 0 || int(index) >= dim:
			return fmt.Errorf("index %d: want 0 to %d, below Dim", index, dim-1)
		case index <= last:
			return fmt.Errorf("index %d after %d: indices must increase", index, last)
		case !finite(x.Value[k]):
			return fmt.Errorf("value %g of index %d: want a finite number", x.Value[k], index)
		}
		last = index
	}
	return nil
}
