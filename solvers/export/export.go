// Package export writes trained models for where there is no gonb-svm: as ONNX for the runtimes of
// servers and phones, and as C or Go source without dependencies for small devices, in
// single precision or in integers.
package export

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// Numbers says what a source file computes with.
type Numbers int

// The numbers of source files. Quantised vectors have a scale per feature, or one for all where
// that loses little; inputs are quantised to 16 bits, sums have 64, and exp is a table.
const (
	Float32 Numbers = iota
	Int16           // vectors of 15 bits, coefficients of 24
	Int8            // vectors of 8 bits, coefficients of 16
)

func (n Numbers) String() string {
	switch n {
	case Float32:
		return "float32"
	case Int16:
		return "int16"
	case Int8:
		return "int8"
	}
	return fmt.Sprintf("Numbers(%d)", int(n))
}

// Options say how a model is written. The zero value is right for most.
type Options struct {
	// Numbers are those of C and Go source; ONNX has its own precision.
	Numbers Numbers

	// Name is the prefix of functions and types in C, the package in Go and the name of the graph in
	// ONNX. Empty: the file's name without its ending.
	Name string

	// Dim is the number of features of a row; 0: that of Validation, or else the greatest that a
	// support vector has. With an RBF kernel features that no support vector has matter too.
	Dim int

	// Validation are rows, of a model of two classes with labels -1 and +1, on which the written form
	// is compared with the model: the report and the head of the file say how many answers differ. nil: no
	// comparison.
	Validation *solvers.Dataset

	// Device is what the time is estimated for; the zero value is CortexM0.
	Device Device

	// PlainOperators writes ONNX without ai.onnx.ml: matrix products and element-wise operators, in
	// double precision, for runtimes that lack SVMClassifier. It is so in any case with a machine for each of
	// more than two classes: an SVMClassifier knows pairs.
	PlainOperators bool
}

// Error is a model or an option that cannot be exported.
type Error struct {
	What string // "Gamma", "Dim", "kernel", "file"
	Text string // with the value, and what is allowed
}

func (e *Error) Error() string { return "export: " + e.What + ": " + e.Text }

// File writes the model in the form that the file's ending names: .onnx, .h (C99) or .go. An
// existing file is replaced only when all is written. The error is an *Error, or of the file system.
func File(m Model, file string, o Options) (*Report, error) {
	ending := filepath.Ext(file)
	if o.Name == "" {
		o.Name = strings.TrimSuffix(filepath.Base(file), ending)
	}
	write := map[string]func(io.Writer, Model, Options) (*Report, error){".onnx": ONNX, ".h": C, ".go": Go}[ending]
	if write == nil {
		return nil, &Error{"file", fmt.Sprintf("%s: no form has the ending %q; want .onnx, .h or .go", file, ending)}
	}
	var b bytes.Buffer
	report, err := write(&b, m, o)
	if err != nil {
		return nil, err
	}
	report.File = file
	temporary := file + ".new"
	if err := os.WriteFile(temporary, b.Bytes(), 0o644); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	if err := os.Rename(temporary, file); err != nil {
		return nil, fmt.Errorf("export: %w", err)
	}
	return report, nil
}

var notInName = regexp.MustCompile(`[^a-zA-Z0-9_]+`)

// identifier is a name that C and Go accept.
func identifier(name string) string {
	name = strings.ToLower(notInName.ReplaceAllString(name, "_"))
	if name == "" || name[0] >= '0' && name[0] <= '9' || name == "_" {
		name = "model_" + name
	}
	return strings.TrimSuffix(name, "_")
}

// kind of kernel.
type kind int

const (
	linear kind = iota
	rbf
	poly
	sigmoid
)

// kernel is the parameters of one of the package's own kernels.
type kernel struct {
	kind         kind
	gamma, coef0 float64
	degree       int
}

func kernelOf(k solvers.Kernel) (kernel, error) {
	switch k := k.(type) {
	case solvers.Linear:
		return kernel{kind: linear, gamma: 1}, nil
	case solvers.RBF:
		return kernel{kind: rbf, gamma: k.Gamma}, checkGamma(k.Gamma)
	case solvers.Poly:
		degree := k.Degree
		if degree == 0 {
			degree = 3
		}
		return kernel{kind: poly, gamma: k.Gamma, coef0: k.Coef0, degree: degree}, checkGamma(k.Gamma)
	case solvers.Sigmoid:
		return kernel{kind: sigmoid, gamma: k.Gamma, coef0: k.Coef0}, checkGamma(k.Gamma)
	}
	return kernel{}, &Error{"kernel", fmt.Sprintf("%v is a function of its own; want Linear, RBF, Poly or Sigmoid", k)}
}

func checkGamma(gamma float64) error {
	if !(gamma > 0) || math.IsInf(gamma, 1) {
		return &Error{"Gamma", fmt.Sprintf("%g; want > 0, as in a trained model", gamma)}
	}
	return nil
}
