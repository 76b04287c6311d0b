// Package datasets holds labelled sparse data: the Dataset type, readers and writers of the
// usual file formats, and a catalogue of the sets that the sparse-SVM literature uses.
package datasets

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Vector is a sparse row: Index is 0-based and strictly increasing, and
// len(Index) == len(Value). An index that does not occur stands for the value 0.
type Vector struct {
	Index []int32
	Value []float64
}

// Dataset is Len labelled rows. With two classes Y[i] is -1 or +1 (the greater label
// in the file is +1, and Labels keeps what the file said); with more classes Y keeps
// the labels, and OneAgainst or Groups makes the two-class set that a solver takes.
// A Dataset is read-only once built; views made by Subset and Split share its rows.
type Dataset struct {
	Name   string
	Dim    int // number of features; every index is below it
	X      []Vector
	Y      []float64
	Labels []float64 // the labels in the file, ascending
}

// Len is the number of rows.
func (d *Dataset) Len() int { return len(d.X) }

// Binary reports whether every Y[i] is -1 or +1, as a two-class solver needs.
func (d *Dataset) Binary() bool {
	for _, y := range d.Y {
		if y != -1 && y != 1 {
			return false
		}
	}
	return len(d.Y) > 0
}

// Subset is the view of the given rows (0-based), in the order given. Rows may repeat.
// It panics if a row is out of range.
func (d *Dataset) Subset(rows []int) *Dataset {
	view := &Dataset{Name: d.Name, Dim: d.Dim, Labels: d.Labels,
		X: make([]Vector, len(rows)), Y: make([]float64, len(rows))}
	for i, row := range rows {
		view.X[i], view.Y[i] = d.X[row], d.Y[row]
	}
	return view
}

// Split divides the rows at random into two views, keeping the share of each label: of
// the n_c rows of label c the first view gets round(fraction·n_c). fraction is in [0, 1];
// values outside are clipped. Within a view the rows keep their order, and the same seed
// gives the same split.
func (d *Dataset) Split(fraction float64, seed uint64) (first, rest *Dataset) {
	fraction = min(max(fraction, 0), 1)
	byLabel := map[float64][]int{}
	for i, y := range d.Y {
		byLabel[y] = append(byLabel[y], i)
	}
	labels := make([]float64, 0, len(byLabel))
	for y := range byLabel {
		labels = append(labels, y)
	}
	slices.Sort(labels)
	random := rand.New(rand.NewPCG(seed, 0x5b1d))
	var a, b []int
	for _, y := range labels {
		rows := byLabel[y]
		random.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		cut := int(math.Round(fraction * float64(len(rows))))
		a, b = append(a, rows[:cut]...), append(b, rows[cut:]...)
	}
	slices.Sort(a)
	slices.Sort(b)
	return d.Subset(a), d.Subset(b)
}

// OneAgainst is the two-class view in which the given label is +1 and all others are -1.
func (d *Dataset) OneAgainst(label float64) *Dataset {
	y := make([]float64, d.Len())
	for i, v := range d.Y {
		y[i] = -1
		if v == label {
			y[i] = 1
		}
	}
	return &Dataset{Name: fmt.Sprintf("%s: %g against the rest", d.Name, label), Dim: d.Dim,
		X: d.X, Y: y, Labels: []float64{-1, 1}}
}

// Groups is the two-class view with the rows of the negative labels as -1 and those of the
// positive labels as +1, in their order; rows with other labels are left out. A label in
// both groups counts as positive.
func (d *Dataset) Groups(negative, positive []float64) *Dataset {
	view := &Dataset{Name: fmt.Sprintf("%s: %v against %v", d.Name, positive, negative), Dim: d.Dim,
		Labels: []float64{-1, 1}}
	for i, v := range d.Y {
		switch {
		case slices.Contains(positive, v):
			view.X, view.Y = append(view.X, d.X[i]), append(view.Y, 1)
		case slices.Contains(negative, v):
			view.X, view.Y = append(view.X, d.X[i]), append(view.Y, -1)
		}
	}
	return view
}

// FromDense makes a Dataset of dense rows: x[i][j] is feature j of row i and y[i] its label.
// Zeros are not stored, and two distinct labels become -1 and +1 as Dataset says. It returns
// an error that names the row if the rows differ in length, a value is not finite, or
// len(x) != len(y).
func FromDense(x [][]float64, y []float64) (*Dataset, error) {
	if len(x) == 0 {
		return nil, errors.New("no rows: want at least one")
	}
	if len(x) != len(y) {
		return nil, fmt.Errorf("%d rows but %d labels: want one label per row", len(x), len(y))
	}
	d := &Dataset{Name: "dense", Dim: len(x[0]), X: make([]Vector, len(x)), Y: slices.Clone(y)}
	for i, row := range x {
		if len(row) != d.Dim {
			return nil, fmt.Errorf("row %d has %d features, row 0 has %d: want rows of equal length", i, len(row), d.Dim)
		}
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return nil, fmt.Errorf("row %d feature %d is %g: want a finite number", i, j, v)
			}
			if v != 0 {
				d.X[i].Index = append(d.X[i].Index, int32(j))
				d.X[i].Value = append(d.X[i].Value, v)
			}
		}
		if math.IsNaN(y[i]) || math.IsInf(y[i], 0) {
			return nil, fmt.Errorf("label of row %d is %g: want a finite number", i, y[i])
		}
	}
	d.mapLabels()
	return d, nil
}

// mapLabels fills Labels from Y and, where there are two, makes Y -1 and +1. A lone label
// -1 or +1 stays what it is; other lone labels stay too, and the solvers refuse them.
func (d *Dataset) mapLabels() {
	d.Labels = distinct(d.Y)
	if len(d.Labels) != 2 {
		return
	}
	for i, y := range d.Y {
		d.Y[i] = -1
		if y == d.Labels[1] {
			d.Y[i] = 1
		}
	}
}

// distinct returns the different ones of values, ascending. There are few of them in most sets: so
// each is looked for among those found before, up to some number.
func distinct(values []float64) []float64 {
	const few = 16
	var found []float64
	for _, v := range values {
		if slices.Contains(found, v) {
			continue
		}
		if len(found) == few {
			found = slices.Clone(values)
			break
		}
		found = append(found, v)
	}
	slices.Sort(found)
	return slices.Compact(found)
}
