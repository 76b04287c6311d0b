package solvers

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
)

// SaveModel writes a model, a *Model or a *MultiModel, to a file in LIBSVM's format; see their
// WriteTo. An existing file is replaced only when all is written.
func SaveModel(file string, m io.WriterTo) (err error) {
	temporary, err := os.CreateTemp(filepath.Dir(file), filepath.Base(file)+".*")
	if err != nil {
		return fmt.Errorf("save model: %w", err)
	}
	defer func() {
		if err != nil {
			os.Remove(temporary.Name())
		}
	}()
	_, err = m.WriteTo(temporary)
	if err = errors.Join(err, temporary.Chmod(0o644), temporary.Close()); err != nil {
		return fmt.Errorf("save model %s: %w", file, err)
	}
	if err = os.Rename(temporary.Name(), file); err != nil {
		return fmt.Errorf("save model: %w", err)
	}
	return nil
}

// LoadModel reads a LIBSVM model file; see ReadModel.
func LoadModel(file string) (*Model, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, fmt.Errorf("load model: %w", err)
	}
	defer f.Close()
	m, err := ReadModel(f)
	if wrong, ok := errors.AsType[*ParseError](err); ok {
		wrong.File = file
	}
	return m, err
}

// WriteTo writes the model in LIBSVM's format, as svm-train does and svm-predict reads: rho is
// -Bias, the first label is the greater one, and numbers have 17 digits, so that reading
// gives the same model. The support vectors with positive coefficients come first. It is an
// error if the kernel has no name in LIBSVM, or a label is no integer.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	kernel, err := kernelLines(m.Kernel)
	if err != nil {
		return 0, err
	}
	labels := m.Labels
	if len(labels) != 2 {
		labels = []float64{-1, 1}
	}
	for _, label := range labels {
		if label != math.Trunc(label) || math.Abs(label) > math.MaxInt32 {
			return 0, fmt.Errorf("label %g: LIBSVM model files hold integer labels only", label)
		}
	}
	positive := 0
	for _, beta := range m.Coefficients {
		if beta > 0 {
			positive++
		}
	}
	counted := &countingWriter{w: w}
	out := bufio.NewWriter(counted)
	fmt.Fprintf(out, "svm_type c_svc\n%snr_class 2\ntotal_sv %d\nrho %s\nlabel %.0f %.0f\nnr_sv %d %d\nSV\n",
		kernel, m.SupportSize(), digits(-m.Bias), labels[1], labels[0], positive, m.SupportSize()-positive)
	for _, first := range []bool{true, false} {
		for i, beta := range m.Coefficients {
			if (beta > 0) == first {
				writeVector(out, beta, m.SupportVectors[i])
			}
		}
	}
	err = out.Flush()
	return counted.n, err
}

func kernelLines(k Kernel) (string, error) {
	switch k := k.(type) {
	case Linear:
		return "kernel_type linear\n", nil
	case RBF:
		return fmt.Sprintf("kernel_type rbf\ngamma %s\n", digits(k.Gamma)), nil
	case Poly:
		return fmt.Sprintf("kernel_type polynomial\ndegree %d\ngamma %s\ncoef0 %s\n", k.degree(), digits(k.Gamma), digits(k.Coef0)), nil
	case Sigmoid:
		return fmt.Sprintf("kernel_type sigmoid\ngamma %s\ncoef0 %s\n", digits(k.Gamma), digits(k.Coef0)), nil
	}
	return "", fmt.Errorf("a model with kernel %v cannot be written: LIBSVM's format knows Linear, RBF, Poly and Sigmoid only", k)
}

// writeVector leaves errors to the writer, which keeps the first.
func writeVector(out *bufio.Writer, beta float64, x Vector) {
	out.WriteString(digits(beta))
	for k, index := range x.Index {
		out.WriteByte(' ')
		out.WriteString(strconv.Itoa(int(index) + 1))
		out.WriteByte(':')
		out.WriteString(digits(x.Value[k]))
	}
	out.WriteString(" \n")
}

// digits is C's %.17g.
func digits(v float64) string { return strconv.FormatFloat(v, 'g', 17, 64) }

type countingWriter struct {
	w io.Writer
	n int64
}

func (c *countingWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += int64(n)
	return n, err
}
