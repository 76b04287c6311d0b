package solvers

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
)

// ReadMultiModel reads a model of two or more classes in LIBSVM's format, written by
// MultiModel.WriteTo or by svm-train with -s 0 or -s 1. Classes, and of more than two Labels too, are in the
// file's order, so that ties are decided as svm-predict does. Indices of the machines of more than two
// classes count the file's support vectors, so that one which several machines have counts once. A
// malformed file gives a *ParseError with line and column.
func ReadMultiModel(r io.Reader) (*MultiModel, error) {
	p := newModelParser(r)
	p.multi = true
	m, err := p.readMulti()
	return m, p.failure(err)
}

// LoadMultiModel reads a LIBSVM model file of two or more classes; see ReadMultiModel.
func LoadMultiModel(file string) (*MultiModel, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("load model: %w", err)
	}
	defer f.Close()
	m, err := ReadMultiModel(f)
	if wrong, ok := errors.AsType[*ParseError](err); ok {
		wrong.File = file
	}
	return m, err
}

func (p *modelParser) readMulti() (*MultiModel, error) {
	if err := p.headers(); err != nil {
		return nil, err
	}
	first, err := p.model()
	if err != nil {
		return nil, err
	}
	switch total := 0.0; {
	case len(p.labels) != p.classes:
		return nil, p.wrong(1, "no line label of %d labels before SV", p.classes)
	case len(p.support) != p.classes:
		return nil, p.wrong(1, "no line nr_sv of %d numbers before SV", p.classes)
	case len(p.rho) != p.classes*(p.classes-1)/2:
		return nil, p.wrong(1, "rho has %d values: want nr_class before it, and one for each pair of %d classes", len(p.rho), p.classes)
	default:
		for _, count := range p.support {
			if count < 0 || count != float64(int(count)) {
				return nil, p.wrong(1, "nr_sv %g: want a number of support vectors", count)
			}
			total += count
		}
		if total != float64(p.totalSV) {
			return nil, p.wrong(1, "nr_sv adds up to %g: want total_sv %d", total, p.totalSV)
		}
	}
	m := p.machines(first.Kernel)
	if err := p.vectors(p.distribute(m)); err != nil {
		return nil, err
	}
	if p.classes == 2 {
		m.twoClasses()
	}
	return m, nil
}

// machines are those of the pairs of classes, without support vectors. The file's decision value speaks
// for the first class of a pair, ours for the second.
func (p *modelParser) machines(kernel Kernel) *MultiModel {
	m := &MultiModel{Classes: slices.Clone(p.labels), Labels: slices.Clone(p.labels), Pairs: true}
	pair := 0
	for i, negative := range p.labels {
		for _, positive := range p.labels[i+1:] {
			labels := []float64{negative, positive}
			slices.Sort(labels)
			m.Machines = append(m.Machines, Machine{Positive: positive, Negative: negative,
				Model: &Model{Kernel: kernel, Bias: p.rho[pair], Indices: []int{}, Labels: labels}})
			pair++
		}
	}
	return m
}

// distribute is called for the support vectors in turn, which are those of one class after the other. A
// vector of class c has its coefficients against the other classes in their order.
func (p *modelParser) distribute(m *MultiModel) func(coefficients []float64, x Vector) {
	place := map[[2]int]int{} // of a pair of classes among the machines
	for i := range p.classes {
		for j := i + 1; j < p.classes; j++ {
			place[[2]int{i, j}] = len(place)
		}
	}
	class, left, number := 0, int(p.support[0]), 0
	return func(coefficients []float64, x Vector) {
		for left == 0 {
			class++
			left = int(p.support[class])
		}
		left--
		for k, beta := range coefficients {
			other := k
			if other >= class {
				other++
			}
			if beta == 0 {
				continue
			}
			machine := m.Machines[place[[2]int{min(class, other), max(class, other)}]].Model
			machine.SupportVectors = append(machine.SupportVectors, x)
			machine.Coefficients = append(machine.Coefficients, -beta)
			machine.Indices = append(machine.Indices, number)
		}
		number++
	}
}

// twoClasses makes the model of a file with two classes what ReadModel makes of it: -1 and +1 are the lesser
// and the greater label.
func (m *MultiModel) twoClasses() {
	own := m.Machines[0].Model
	if m.Labels[0] > m.Labels[1] {
		slices.Reverse(m.Labels)
		own.Bias = -own.Bias
		for k := range own.Coefficients {
			own.Coefficients[k] = -own.Coefficients[k]
		}
	}
	own.Indices, own.Labels = nil, slices.Clone(m.Labels)
	m.Classes = []float64{-1, 1}
	m.Machines[0].Positive, m.Machines[0].Negative = 1, -1
}
