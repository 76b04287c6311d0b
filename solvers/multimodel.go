package solvers

import (
	"context"
	"math"
	"slices"
)

// MultiModel classifies two or more classes by two-class machines, all of one kernel: one per
// class, of which the greatest decision value wins, or one per pair of classes, which vote.
type MultiModel struct {
	// Classes are as the training set's Y has them: the labels, or -1 and +1 if there are two. Of
	// classes that tie the first wins.
	Classes  []float64
	Labels   []float64 // Labels[c] is what the file of the training set has for Classes[c]
	Machines []Machine // fewer than there are classes or pairs if training was interrupted
	Pairs    bool      // a machine per pair, and with two classes always; else one per class
}

// Machine is a two-class model in a MultiModel: f(x) ≥ 0 speaks for the class Positive.
type Machine struct {
	*Model
	Positive, Negative float64 // Negative is NaN if it is all other classes
}

// SupportSize is the number of support vectors; a training row that several machines have counts
// once, by their Indices.
func (m *MultiModel) SupportSize() int {
	rows, size := map[int]bool{}, 0
	for _, machine := range m.Machines {
		if machine.Indices == nil {
			size += machine.SupportSize()
		}
		for _, i := range machine.Indices {
			rows[i] = true
		}
	}
	return size + len(rows)
}

// Decisions are the decision values of all rows: Decisions(d)[i][k] is f(x_i) of Machines[k].
// Kernel values with a training row that several machines have are computed once. The
// work is shared among the processors; the result does not depend on their number.
func (m *MultiModel) Decisions(d *Dataset) [][]float64 {
	k := len(m.Machines)
	out, values := make([][]float64, d.Len()), make([]float64, d.Len()*k)
	for i := range out {
		out[i] = values[i*k : (i+1)*k : (i+1)*k]
	}
	if k == 0 || d.Len() == 0 {
		return out
	}
	if k == 1 { // the very values of the two-class model
		for i, f := range m.Machines[0].Decisions(d) {
			out[i][0] = f
		}
		return out
	}
	models := make([]*Model, k)
	for j, machine := range m.Machines {
		models[j] = machine.Model
	}
	shared := newPathModels(models)
	err := shared.each(context.Background(), newRows(shared.kernel, d.X, Settings{}), func(_, low, j int, responses []float64) {
		for i, g := range responses {
			out[low+i][j] = g + models[j].Bias
		}
	})
	if err != nil { // it can only be of the context
		panic("solvers: " + err.Error())
	}
	return out
}

// Predict is the class of x, as Classes has it.
func (m *MultiModel) Predict(x Vector) float64 {
	decisions := make([]float64, len(m.Machines))
	for k, machine := range m.Machines {
		decisions[k] = machine.Decision(x)
	}
	return m.Classes[m.winner(decisions)]
}

// Predictions are the classes of all rows, in their order.
func (m *MultiModel) Predictions(d *Dataset) []float64 {
	out := make([]float64, d.Len())
	for i, decisions := range m.Decisions(d) {
		out[i] = m.Classes[m.winner(decisions)]
	}
	return out
}

// Label is what the file of the training set has for the class that the machines choose, whose
// decision values these are, as Decisions gives them.
func (m *MultiModel) Label(decisions []float64) float64 {
	if len(m.Machines) == 1 && len(m.Classes) == 2 { // no votes to count
		if decisions[0] < 0 {
			return m.Labels[0]
		}
		return m.Labels[1]
	}
	return m.Labels[m.winner(decisions)]
}

// winner is the place among Classes of the one that the machines choose.
func (m *MultiModel) winner(decisions []float64) int {
	score := make([]float64, len(m.Classes))
	if !m.Pairs {
		for c := range score {
			score[c] = math.Inf(-1)
		}
	}
	for k, machine := range m.Machines {
		switch {
		case !m.Pairs:
			score[slices.Index(m.Classes, machine.Positive)] = decisions[k]
		case decisions[k] >= 0:
			score[slices.Index(m.Classes, machine.Positive)]++
		default:
			score[slices.Index(m.Classes, machine.Negative)]++
		}
	}
	best := 0
	for c, s := range score {
		if s > score[best] {
			best = c
		}
	}
	return best
}

// ErrorRate is the share of rows, in [0, 1], whose class is not the predicted one. Rows of a class
// that the model does not know count as errors. A set that has fewer classes than the model, so
// that its Y may be -1 and +1, is compared by its Labels. It is NaN if there are no rows.
func (m *MultiModel) ErrorRate(d *Dataset) float64 {
	classes := m.Classes
	same := len(m.Classes) == 2 && d.Binary() && m.Classes[0] == -1
	if !same {
		classes = m.Labels
	}
	wrong := 0
	for i, decisions := range m.Decisions(d) {
		y := d.Y[i]
		if !same {
			y = labelOf(d, y)
		}
		if classes[m.winner(decisions)] != y {
			wrong++
		}
	}
	return float64(wrong) / float64(d.Len())
}

// labelOf is what the file of d has for a class as its Y has it.
func labelOf(d *Dataset, y float64) float64 {
	if len(d.Labels) == 2 {
		switch y {
		case -1:
			return d.Labels[0]
		case 1:
			return d.Labels[1]
		}
	}
	return y
}
