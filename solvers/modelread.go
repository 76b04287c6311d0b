package solvers

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// maxModelLine is the longest line of a model file, in bytes: a dense support vector of a few
// million features.
const maxModelLine = 1 << 26

// ReadModel reads a two-class model in LIBSVM's format, written by WriteTo or by svm-train with
// -s 0 or -s 1. The greater label becomes the class +1, whichever stands first in the file.
// Indices is nil. A malformed file gives a *ParseError with line and column.
func ReadModel(r io.Reader) (*Model, error) {
	p := newModelParser(r)
	m, err := p.read()
	return m, p.failure(err)
}

func newModelParser(r io.Reader) *modelParser {
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, maxModelLine)
	return &modelParser{scanner: scanner, classes: 2, totalSV: -1, kernel: map[string]float64{}}
}

// failure is an error of reading, or else the given one.
func (p *modelParser) failure(err error) error {
	switch wrong := p.scanner.Err(); {
	case err == nil:
		return nil
	case errors.Is(wrong, bufio.ErrTooLong):
		p.line++
		return p.wrong(1, "line longer than %d bytes", maxModelLine)
	case wrong != nil:
		return fmt.Errorf("read model: %w", wrong)
	}
	return err
}

type modelParser struct {
	scanner    *bufio.Scanner
	line       int
	kernelType string
	kernel     map[string]float64 // degree, gamma, coef0
	multi      bool               // more than two classes are allowed
	classes    int
	labels     []float64 // in the file's order, as all that is by class
	rho        []float64 // by pair of classes
	support    []float64 // by class; only if multi
	totalSV    int
}

func (p *modelParser) wrong(column int, format string, values ...any) error {
	return &ParseError{File: "model", Line: p.line, Column: column, Text: fmt.Sprintf(format, values...)}
}

// headers reads the lines up to SV.
func (p *modelParser) headers() error {
	for {
		if !p.scanner.Scan() {
			p.line++
			return p.wrong(1, "the file ends before the line SV")
		}
		p.line++
		words := tokens(p.scanner.Text())
		if len(words) == 0 {
			continue
		}
		if words[0].text == "SV" {
			return nil
		}
		if err := p.header(words[0], words[1:]); err != nil {
			return err
		}
	}
}

func (p *modelParser) read() (*Model, error) {
	if err := p.headers(); err != nil {
		return nil, err
	}
	m, err := p.model()
	if err != nil {
		return nil, err
	}
	err = p.vectors(func(coefficients []float64, x Vector) {
		if beta := coefficients[0]; beta != 0 {
			m.SupportVectors, m.Coefficients = append(m.SupportVectors, x), append(m.Coefficients, beta)
		}
	})
	if err != nil {
		return nil, err
	}
	if p.labels != nil && p.labels[0] < p.labels[1] {
		// The file's decision value is positive for the lesser label.
		m.Bias = -m.Bias
		for i := range m.Coefficients {
			m.Coefficients[i] = -m.Coefficients[i]
		}
		m.Labels = []float64{p.labels[0], p.labels[1]}
	}
	return m, nil
}

// header reads one line before SV.
func (p *modelParser) header(key token, values []token) error {
	switch key.text {
	case "svm_type":
		return p.svmType(key, values)
	case "kernel_type":
		if len(values) != 1 {
			return p.wrong(key.column, "kernel_type: want one value")
		}
		p.kernelType = values[0].text
	case "degree", "gamma", "coef0":
		numbers, err := p.numbers(key, values, 1)
		if err != nil {
			return err
		}
		p.kernel[key.text] = numbers[0]
	case "rho", "label", "nr_sv":
		return p.byClass(key, values)
	case "nr_class", "total_sv":
		return p.count(key, values)
	case "probA", "probB", "prob_density_marks": // not needed for the decision value
	default:
		return p.wrong(key.column, "%.40q: want a header of a LIBSVM model, such as svm_type, or SV", key.text)
	}
	return nil
}

// byClass reads a line with a number for each class or pair of classes.
func (p *modelParser) byClass(key token, values []token) (err error) {
	switch key.text {
	case "rho":
		p.rho, err = p.numbers(key, values, p.classes*(p.classes-1)/2)
	case "label":
		p.labels, err = p.numbers(key, values, p.classes)
		for k, label := range p.labels {
			if slices.Contains(p.labels[:k], label) {
				return p.wrong(values[k].column, "label %g twice: want %s different labels", label, numeral(p.classes))
			}
		}
	case "nr_sv":
		if p.multi { // else not needed
			p.support, err = p.numbers(key, values, p.classes)
		}
	}
	return err
}

func numeral(n int) string {
	if n == 2 {
		return "two"
	}
	return fmt.Sprint(n)
}

func (p *modelParser) svmType(key token, values []token) error {
	if len(values) != 1 {
		return p.wrong(key.column, "svm_type: want one value")
	}
	if t := values[0].text; t != "c_svc" && t != "nu_svc" {
		return p.wrong(values[0].column, "svm_type %.40s: want c_svc or nu_svc", t)
	}
	return nil
}

func (p *modelParser) count(key token, values []token) error {
	numbers, err := p.numbers(key, values, 1)
	if err != nil {
		return err
	}
	v := numbers[0]
	switch {
	case v < 0 || v != math.Trunc(v) || v > math.MaxInt32:
		return p.wrong(values[0].column, "%s %g: want a number of things", key.text, v)
	case key.text == "total_sv":
		p.totalSV = int(v)
	case !p.multi && v != 2:
		return p.wrong(values[0].column, "nr_class %g: want 2; read it with LoadMultiModel, or train one class against the rest", v)
	case v < 2 || v > mostClasses:
		return p.wrong(values[0].column, "nr_class %g: want 2 to %d", v, mostClasses)
	default:
		p.classes = int(v)
	}
	return nil
}

// mostClasses is the number of classes that a model file may have.
const mostClasses = 10000

func (p *modelParser) numbers(key token, values []token, want int) ([]float64, error) {
	if len(values) != want {
		return nil, p.wrong(key.column, "%s: %d values: want %d", key.text, len(values), want)
	}
	out := make([]float64, want)
	for i, v := range values {
		var err error
		if out[i], err = p.number(v); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (p *modelParser) number(t token) (float64, error) {
	v, err := strconv.ParseFloat(t.text, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, p.wrong(t.column, "%.40q: want a finite number", t.text)
	}
	return v, nil
}

// model is the empty model that the header describes.
func (p *modelParser) model() (*Model, error) {
	missing := ""
	switch {
	case p.kernelType == "":
		missing = "kernel_type"
	case p.rho == nil:
		missing = "rho"
	case p.totalSV < 0:
		missing = "total_sv"
	}
	if missing != "" {
		return nil, p.wrong(1, "no line %s before SV", missing)
	}
	m := &Model{Bias: -p.rho[0]}
	if len(p.labels) == 2 && p.labels[0] > p.labels[1] {
		m.Labels = []float64{p.labels[1], p.labels[0]}
	}
	gamma, degree := p.kernel["gamma"], p.kernel["degree"]
	switch p.kernelType {
	case "linear":
		m.Kernel = Linear{}
		return m, nil
	case "rbf":
		m.Kernel = RBF{Gamma: gamma}
	case "polynomial":
		m.Kernel = Poly{Gamma: gamma, Coef0: p.kernel["coef0"], Degree: int(degree)}
		if degree < 1 || degree != math.Trunc(degree) || degree > math.MaxInt16 {
			return nil, p.wrong(1, "degree %g: want an integer ≥ 1", degree)
		}
	case "sigmoid":
		m.Kernel = Sigmoid{Gamma: gamma, Coef0: p.kernel["coef0"]}
	default:
		return nil, p.wrong(1, "kernel_type %.40s: want linear, rbf, polynomial or sigmoid", p.kernelType)
	}
	if gamma <= 0 {
		return nil, p.wrong(1, "gamma %g: want > 0", gamma)
	}
	return m, nil
}

// vectors reads the lines after SV: a coefficient for each class but one, and a support vector.
func (p *modelParser) vectors(use func(coefficients []float64, x Vector)) error {
	read, coefficients := 0, make([]float64, p.classes-1)
	for p.scanner.Scan() {
		p.line++
		words := tokens(p.scanner.Text())
		if len(words) == 0 {
			continue
		}
		if len(words) < len(coefficients) {
			return p.wrong(words[0].column, "%d values: want %d coefficients and a support vector", len(words), len(coefficients))
		}
		for k := range coefficients {
			var err error
			if coefficients[k], err = p.number(words[k]); err != nil {
				return err
			}
		}
		x, err := p.vector(words[len(coefficients):])
		if err != nil {
			return err
		}
		if read++; read > p.totalSV {
			return p.wrong(1, "more than the %d support vectors that total_sv says", p.totalSV)
		}
		use(coefficients, x)
	}
	if p.scanner.Err() != nil {
		return p.scanner.Err()
	}
	if read < p.totalSV {
		p.line++
		return p.wrong(1, "the file ends after %d of %d support vectors", read, p.totalSV)
	}
	return nil
}

func (p *modelParser) vector(words []token) (Vector, error) {
	x := Vector{Index: make([]int32, len(words)), Value: make([]float64, len(words))}
	previous := int64(0)
	for k, word := range words {
		index, value, found := strings.Cut(word.text, ":")
		if !found {
			return x, p.wrong(word.column, "%.40q: want index:value", word.text)
		}
		i, err := strconv.ParseInt(index, 10, 32)
		if err != nil || i < 1 {
			return x, p.wrong(word.column, "index %.40q: want an integer from 1 to %d", index, math.MaxInt32)
		}
		if i <= previous {
			return x, p.wrong(word.column, "index %d after %d: indices must increase", i, previous)
		}
		previous = i
		v, err := p.number(token{word.column + len(index) + 1, value})
		if err != nil {
			return x, err
		}
		x.Index[k], x.Value[k] = int32(i-1), v
	}
	return x, nil
}

// token is a word of a line; column counts bytes from 1.
type token struct {
	column int
	text   string
}

func tokens(line string) []token {
	var out []token
	for at := 0; at < len(line); {
		if line[at] == ' ' || line[at] == '\t' || line[at] == '\r' {
			at++
			continue
		}
		end := at
		for end < len(line) && line[end] != ' ' && line[end] != '\t' && line[end] != '\r' {
			end++
		}
		out = append(out, token{at + 1, line[at:end]})
		at = end
	}
	return out
}
