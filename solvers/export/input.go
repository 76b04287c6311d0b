package export

import (
	"fmt"
	"math"
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// Model is what can be exported: a *solvers.Model, of two classes, or a *solvers.MultiModel; a
// *solvers.Result and a *solvers.MultiResult count as their models.
type Model interface{ SupportSize() int }

// input is a model whose parts have been checked. A model of two classes is one machine.
type input struct {
	kernel     kernel
	dim        int
	name       string
	vectors    []solvers.Vector
	terms      [][]term  // of each vector: the sums that it is in
	biases     []float64 // of the machines
	labels     []int     // of the classes
	positive   []int     // for what class each machine speaks
	negative   []int     // and for what other; nil: a machine per class
	validation *solvers.Dataset
	device     Device
	describe   string                                  // for the head of a file
	decisions  func(d *solvers.Dataset) [][]float64    // the model's own
	place      func(d *solvers.Dataset, y float64) int // of a row's class among the labels; -1: another
}

// term is β K(s, x) of a vector in the decision value of a machine.
type term struct {
	machine int
	beta    float64
}

func (in *input) machines() int { return len(in.biases) }

// several reports whether there are more than two classes.
func (in *input) several() bool { return len(in.labels) > 2 }

func check(m Model, o Options) (*input, error) {
	switch r := m.(type) {
	case *solvers.Result:
		if r != nil {
			return checkTwo(r.Model, o)
		}
	case *solvers.MultiResult:
		if r != nil {
			return checkSeveral(r.MultiModel, o)
		}
	case *solvers.Model:
		return checkTwo(r, o)
	case *solvers.MultiModel:
		return checkSeveral(r, o)
	}
	return nil, errEmpty
}

var errEmpty = &Error{"model", "it is empty; want a trained model, such as the Model of a result"}

func checkTwo(m *solvers.Model, o Options) (*input, error) {
	if m == nil || m.Kernel == nil || len(m.Coefficients) != len(m.SupportVectors) {
		return nil, errEmpty
	}
	in := &input{labels: []int{-1, 1}, positive: []int{1}, negative: []int{0}, biases: []float64{m.Bias}, vectors: m.SupportVectors}
	for _, beta := range m.Coefficients {
		in.terms = append(in.terms, []term{{0, beta}})
	}
	in.decisions = func(d *solvers.Dataset) [][]float64 {
		var all [][]float64
		for _, f := range m.Decisions(d) {
			all = append(all, []float64{f})
		}
		return all
	}
	in.place = func(_ *solvers.Dataset, y float64) int {
		if y < 0 {
			return 0
		}
		return 1
	}
	if len(m.Labels) == 2 && isInteger(m.Labels[0]) && isInteger(m.Labels[1]) {
		in.labels = []int{int(m.Labels[0]), int(m.Labels[1])}
	}
	if o.Validation != nil && (!o.Validation.Binary() || o.Validation.Len() == 0) {
		return nil, &Error{"Validation", "want rows of two classes"}
	}
	return in, in.complete(m.Kernel, o, m.Indices != nil)
}

func checkSeveral(m *solvers.MultiModel, o Options) (*input, error) {
	if m == nil || len(m.Machines) == 0 {
		return nil, errEmpty
	}
	k := len(m.Classes)
	if k == 2 {
		return checkTwo(m.Machines[0].Model, o)
	}
	want := k
	if m.Pairs {
		want = k * (k - 1) / 2
	}
	if len(m.Machines) != want {
		return nil, &Error{"model", fmt.Sprintf("%d machines for %d classes; want %d: training was interrupted", len(m.Machines), k, want)}
	}
	in := &input{}
	for _, label := range m.Labels {
		if !isInteger(label) {
			return nil, &Error{"Labels", fmt.Sprintf("%g; want integers", label)}
		}
		in.labels = append(in.labels, int(label))
	}
	if o.Validation != nil && o.Validation.Len() == 0 {
		return nil, &Error{"Validation", "want rows"}
	}
	known := map[int]int{} // the place of a training row among the vectors
	for number, machine := range m.Machines {
		in.biases = append(in.biases, machine.Bias)
		in.positive = append(in.positive, slices.Index(m.Classes, machine.Positive))
		if m.Pairs {
			in.negative = append(in.negative, slices.Index(m.Classes, machine.Negative))
		}
		for s, beta := range machine.Coefficients {
			at, found := 0, false
			if machine.Indices != nil {
				at, found = known[machine.Indices[s]], known[machine.Indices[s]] > 0
			}
			if !found {
				in.vectors, in.terms = append(in.vectors, machine.SupportVectors[s]), append(in.terms, nil)
				at = len(in.vectors) // from 1
				if machine.Indices != nil {
					known[machine.Indices[s]] = at
				}
			}
			in.terms[at-1] = append(in.terms[at-1], term{number, beta})
		}
	}
	in.decisions = m.Decisions
	in.place = func(d *solvers.Dataset, y float64) int {
		if len(d.Labels) == 2 && d.Binary() {
			y = d.Labels[int(y+1)/2]
		}
		return slices.Index(m.Labels, y)
	}
	return in, in.complete(m.Machines[0].Kernel, o, m.Machines[0].Indices != nil)
}

// complete sets what does not depend on the number of classes.
func (in *input) complete(k solvers.Kernel, o Options, rows bool) error {
	var err error
	if in.kernel, err = kernelOf(k); err != nil {
		return err
	}
	in.name, in.validation, in.device = identifier(o.Name), o.Validation, o.Device
	for _, s := range in.vectors {
		if n := len(s.Index); n > 0 {
			in.dim = max(in.dim, int(s.Index[n-1])+1)
		}
	}
	if o.Dim != 0 && o.Dim < in.dim {
		return &Error{"Dim", fmt.Sprintf("%d, but a support vector has feature %d (0-based); want %d or more", o.Dim, in.dim-1, in.dim)}
	}
	if o.Validation != nil {
		if o.Dim != 0 && o.Dim < o.Validation.Dim {
			return &Error{"Dim", fmt.Sprintf("%d, but Validation has %d features", o.Dim, o.Validation.Dim)}
		}
		in.dim = max(in.dim, o.Validation.Dim)
	}
	in.dim = max(in.dim, o.Dim, 1)
	if in.device == (Device{}) {
		in.device = CortexM0
	}
	what := "support vectors"
	if !rows {
		what = "vectors"
	}
	in.describe = fmt.Sprintf("%d %s, %v, %d features", len(in.vectors), what, k, in.dim)
	if in.several() {
		in.describe = fmt.Sprintf("%d classes, %s", len(in.labels), in.describe)
	}
	return nil
}

func isInteger(v float64) bool { return v == math.Trunc(v) && math.Abs(v) < 1<<31 }

// winner is the place of the class that the machines choose: that of the most votes, or of the
// greatest decision value, of equal ones the first.
func (in *input) winner(decisions []float64) int {
	score := make([]float64, len(in.labels))
	for k, f := range decisions {
		switch {
		case in.negative == nil:
			score[in.positive[k]] = f
		case f < 0:
			score[in.negative[k]]++
		default:
			score[in.positive[k]]++
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

// reduced are the vectors and terms to write: of a linear kernel one vector for each machine says all,
// w = Σ βᵢsᵢ.
func (in *input) reduced() ([]solvers.Vector, [][]term) {
	if in.kernel.kind != linear {
		return in.vectors, in.terms
	}
	sums := make([][]float64, in.machines())
	for m := range sums {
		sums[m] = make([]float64, in.dim)
	}
	for i, s := range in.vectors {
		for _, t := range in.terms[i] {
			for p, j := range s.Index {
				sums[t.machine][j] += t.beta * s.Value[p]
			}
		}
	}
	vectors, terms := make([]solvers.Vector, len(sums)), make([][]term, len(sums))
	for m, sum := range sums {
		for j, v := range sum {
			if v != 0 {
				vectors[m].Index, vectors[m].Value = append(vectors[m].Index, int32(j)), append(vectors[m].Value, v)
			}
		}
		terms[m] = []term{{m, 1}}
	}
	return vectors, terms
}

// sums says to which machines the vectors contribute: the coefficients of vector i are from start[i] to
// start[i+1], each for a machine.
type sums struct {
	machines       int
	start, machine []int
}

func newSums(machines int, terms [][]term) (s sums, beta []float64) {
	s = sums{machines: machines, start: []int{0}}
	for _, of := range terms {
		for _, t := range of {
			s.machine, beta = append(s.machine, t.machine), append(beta, t.beta)
		}
		s.start = append(s.start, len(beta))
	}
	return s, beta
}

// bytes of the arrays, which one machine does without.
func (s *sums) bytes() int {
	if s.machines == 1 {
		return 0
	}
	return len(s.machine)*unsignedBytes(s.machines-1) + len(s.start)*unsignedBytes(len(s.machine))
}
