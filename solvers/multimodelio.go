package solvers

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
)

// WriteTo writes the model in LIBSVM's format, which svm-predict reads: classes in their
// order, numbers with 17 digits. The format holds machines for pairs of classes only, as OneVsOne
// makes them. It is an error if a pair has no machine, the kernel has no name in LIBSVM,
// or a label is no integer. ReadMultiModel reads such a file back.
func (m *MultiModel) WriteTo(w io.Writer) (int64, error) {
	k := len(m.Classes)
	switch {
	case !m.Pairs:
		return 0, errors.New("LIBSVM model files hold one machine per pair of classes: train with OneVsOne, or write the Machines one by one")
	case len(m.Machines) != k*(k-1)/2:
		return 0, fmt.Errorf("%d machines for %d classes: want %d; training was interrupted", len(m.Machines), k, k*(k-1)/2)
	case k == 2:
		return m.Machines[0].WriteTo(w)
	}
	kernel, err := kernelLines(m.Machines[0].Kernel)
	if err != nil {
		return 0, err
	}
	vectors, err := m.pairVectors()
	if err != nil {
		return 0, err
	}
	counted := &countingWriter{w: w}
	out := bufio.NewWriter(counted)
	fmt.Fprintf(out, "svm_type c_svc\n%snr_class %d\ntotal_sv %d\nrho", kernel, k, len(vectors))
	for _, machine := range m.Machines {
		fmt.Fprintf(out, " %s", digits(machine.Bias)) // their decision value is minus ours
	}
	out.WriteString("\nlabel")
	for _, label := range m.Labels {
		if label != math.Trunc(label) || math.Abs(label) > math.MaxInt32 {
			return 0, fmt.Errorf("label %g: LIBSVM model files hold integer labels only", label)
		}
		fmt.Fprintf(out, " %.0f", label)
	}
	out.WriteString("\nnr_sv")
	for c := range k {
		count := 0
		for _, v := range vectors {
			if v.class == c {
				count++
			}
		}
		fmt.Fprintf(out, " %d", count)
	}
	out.WriteString("\nSV\n")
	for _, v := range vectors {
		for _, beta := range v.against[:k-2] {
			out.WriteString(digits(0-beta) + " ")
		}
		writeVector(out, 0-v.against[k-2], v.x)
	}
	err = out.Flush()
	return counted.n, err
}

// pairVector is a support vector with its coefficients in the machines of its class.
type pairVector struct {
	x       Vector
	class   int
	against []float64 // by the other class, in ascending order
}

// pairVectors are the support vectors by class. A training row is in machines of its own class
// only, so the class is what its machines have in common, and in case of one machine what the sign
// of the coefficient says.
func (m *MultiModel) pairVectors() ([]pairVector, error) {
	type found struct {
		vector     pairVector
		candidates []int
		others     [][2]int // the classes of each machine
		beta       []float64
	}
	var all []*found
	known := map[int]*found{} // by training row
	for _, machine := range m.Machines {
		i, j := slices.Index(m.Classes, machine.Negative), slices.Index(m.Classes, machine.Positive)
		for s, beta := range machine.Coefficients {
			own := []int{i, j}
			if beta > 0 {
				own = []int{j, i}
			}
			var f *found
			if machine.Indices != nil {
				f = known[machine.Indices[s]]
			}
			if f == nil {
				f = &found{vector: pairVector{x: machine.SupportVectors[s]}, candidates: own}
				all = append(all, f)
				if machine.Indices != nil {
					known[machine.Indices[s]] = f
				}
			}
			f.candidates = slices.DeleteFunc(f.candidates, func(c int) bool { return c != i && c != j })
			f.others, f.beta = append(f.others, [2]int{i, j}), append(f.beta, beta)
		}
	}
	vectors := make([]pairVector, len(all))
	for v, f := range all {
		if len(f.candidates) == 0 {
			return nil, errors.New("a support vector is in machines that have no class in common: LIBSVM's format cannot hold it")
		}
		vectors[v] = f.vector
		vectors[v].class, vectors[v].against = f.candidates[0], make([]float64, len(m.Classes)-1)
		for s, pair := range f.others {
			other := pair[0] + pair[1] - vectors[v].class
			if other > vectors[v].class {
				other--
			}
			vectors[v].against[other] = f.beta[s]
		}
	}
	slices.SortStableFunc(vectors, func(a, b pairVector) int { return a.class - b.class })
	return vectors, nil
}
