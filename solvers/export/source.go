package export

import (
	"embed"
	"fmt"
	"go/format"
	"io"
	"math"
	"strconv"
	"strings"
	"text/template"
)

//go:embed templates
var templateFiles embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{
	"floats":   func(v []float32) string { return numbers(v, func(x float32) string { return float(x) + "f" }) },
	"goFloats": func(v []float32) string { return numbers(v, float) },
	"ints":     func(v []int) string { return numbers(v, strconv.Itoa) },
	"int32s":   func(v []int32) string { return numbers(v, func(x int32) string { return strconv.Itoa(int(x)) }) },
	"int64s":   func(v []int64) string { return numbers(v, func(x int64) string { return strconv.FormatInt(x, 10) }) },
	"longs": func(v []int64) string {
		return numbers(v, func(x int64) string { return fmt.Sprintf("INT64_C(%d)", x) })
	},
	"powers": func(v []uint32) string {
		return numbers(v, func(x uint32) string { return strconv.FormatUint(uint64(x), 10) + "u" })
	},
	"goPowers": func(v []uint32) string {
		return numbers(v, func(x uint32) string { return strconv.FormatUint(uint64(x), 10) })
	},
	"comment": func(text string) string { return strings.ReplaceAll(text, "\n", "\n// ") },
	"upper":   strings.ToUpper,
}).ParseFS(templateFiles, "templates/*.tmpl"))

// float is the shortest text that reads as the same number, and as a float.
func float(x float32) string {
	s := strconv.FormatFloat(float64(x), 'g', -1, 32)
	if !strings.ContainsAny(s, ".e") {
		s += ".0"
	}
	return s
}

// numbers are the elements of an array, in lines of up to 96 characters.
func numbers[T any](values []T, text func(T) string) string {
	var b strings.Builder
	column := 0
	for i, v := range values {
		s := text(v)
		if i > 0 {
			b.WriteByte(',')
			column++
			if column+len(s) > 96 {
				b.WriteString("\n\t")
				column = 0
			} else {
				b.WriteByte(' ')
				column++
			}
		}
		b.WriteString(s)
		column += len(s)
	}
	return b.String()
}

// source is what the templates see.
type source struct {
	Name, Head           string
	Numbers              string
	Dim, Count           int
	Negative, Positive   int
	RBF, Poly, Sigmoid   bool
	Gamma, Coef0         string
	Degree               int
	Dense, Sparse        bool // neither: all nonzero values are Value
	Floats               []float32
	Value                string
	Integers             []int32
	Index, Start         []int
	IndexType, StartType string
	Coefficients         []float32
	Bias                 string

	// Of more than two classes.
	Several, Pairs                      bool
	Machines                            int
	Labels, Positives, Negatives        []int // Positives and Negatives are places among Labels
	ClassType                           string
	TermStart, TermMachine              []int
	TermStartType, MachineType, SumType string
	IntegerSums                         bool
	Biases                              []float32
	IntegerBiases                       []int64

	// Of integers.
	Quantised                  bool
	ValueType, CoefficientType string
	Inverse                    []float32
	Weights                    []int64
	Steps                      []int64 // coefficients
	Shift                      int
	Scale                      string // 2^-Shift
	Step, Unit                 string
	IntegerBias                int64
	Whole, Part                []uint32
}

// C writes the model as a header in C99 that needs nothing but <stdint.h>: functions
// NAME_decision and NAME_predict of a row of Dim floats; of more than two classes NAME_decisions. With Int8 or Int16 an RBF model computes in
// integers but for the quantisation of the row, which NAME_sum, of a row already quantised, avoids.
func C(w io.Writer, m Model, o Options) (*Report, error) {
	return write(w, m, o, "C", func(w io.Writer, s *source) error { return templates.ExecuteTemplate(w, "c.tmpl", s) })
}

// Go writes the model as a Go package without imports but math: functions Decision and
// Predict of a row of Dim numbers; of more than two classes Decisions.
func Go(w io.Writer, m Model, o Options) (*Report, error) {
	return write(w, m, o, "Go", func(w io.Writer, s *source) error {
		var b strings.Builder
		if err := templates.ExecuteTemplate(&b, "go.tmpl", s); err != nil {
			return err
		}
		text, err := format.Source([]byte(b.String()))
		if err != nil {
			return fmt.Errorf("export: the Go source is not Go: %w", err)
		}
		_, err = w.Write(text)
		return err
	})
}

func write(w io.Writer, m Model, o Options, language string, execute func(io.Writer, *source) error) (*Report, error) {
	in, err := check(m, o)
	if err != nil {
		return nil, err
	}
	s := &source{Name: in.name, Numbers: o.Numbers.String(), Dim: in.dim, Negative: in.labels[0], Positive: in.labels[1]}
	s.Several, s.Pairs, s.Machines = in.several(), in.negative != nil, in.machines()
	s.Labels, s.Positives, s.Negatives, s.ClassType = in.labels, in.positive, in.negative, unsignedType(unsignedBytes(len(in.labels)-1))
	s.setKernel(in.kernel)
	run, stack, err := newMachine(in, o.Numbers)
	if err != nil {
		return nil, err
	}
	switch run := run.(type) {
	case *single:
		s.setSingle(run)
	case *fixed:
		s.setFixed(run)
	}
	report := newReport(in, fmt.Sprintf("%s, %v, %s vectors", language, o.Numbers, s.layoutName()), run, stack)
	s.Head = in.describe + "\n" + report.String()
	return report, execute(w, s)
}

// newMachine is the model in these numbers, and the bytes of its local arrays.
func newMachine(in *input, n Numbers) (run machine, stack int, err error) {
	switch n {
	case Float32:
		return newSingle(in), 0, nil
	case Int16, Int8:
		run, err := newFixed(in, n)
		return run, 2 * in.dim, err
	}
	return nil, 0, &Error{"Numbers", fmt.Sprintf("%v; want Float32, Int16 or Int8", n)}
}

func (s *source) setKernel(k kernel) {
	s.RBF, s.Poly, s.Sigmoid = k.kind == rbf, k.kind == poly, k.kind == sigmoid
	s.Gamma, s.Coef0, s.Degree = float(float32(k.gamma)), float(float32(k.coef0)), k.degree
}

func (s *source) layoutName() string {
	switch {
	case s.Dense:
		return "dense"
	case s.Sparse:
		return "sparse"
	}
	return "binary"
}

func unsignedType(bytes int) string { return fmt.Sprintf("uint%d", 8*bytes) }

func (s *source) setSums(of *sums) {
	s.TermStart, s.TermMachine = of.start, of.machine
	s.TermStartType, s.MachineType = unsignedType(unsignedBytes(len(of.machine))), unsignedType(unsignedBytes(of.machines-1))
}

func (s *source) setSingle(p *single) {
	v := &p.vectors
	s.Count, s.Dense, s.Sparse = v.count, v.layout == denseLayout, v.layout == sparseLayout
	s.Index, s.Start = v.index, v.start
	s.IndexType, s.StartType = unsignedType(v.indexBytes()), unsignedType(v.startBytes())
	s.Floats, s.Coefficients, s.Bias = v.values, p.coefficients, float(p.biases[0])
	s.setSums(&p.sums)
	s.Biases, s.SumType = p.biases, "float"
	if v.layout == binaryLayout {
		s.Value = float(v.values[0])
	}
}

func (s *source) setFixed(p *fixed) {
	v := &p.vectors
	s.Quantised = true
	s.Count, s.Dense, s.Sparse = v.count, v.layout == denseLayout, v.layout == sparseLayout
	s.Index, s.Start = v.index, v.start
	s.IndexType, s.StartType = unsignedType(v.indexBytes()), unsignedType(v.startBytes())
	s.Integers = v.values
	if v.layout == binaryLayout {
		s.Value = strconv.Itoa(int(v.values[0]))
	}
	s.ValueType, s.CoefficientType = "int8", "int16"
	if p.numbers == Int16 {
		s.ValueType, s.CoefficientType = "int16", "int32"
	}
	s.Inverse, s.Weights, s.Steps, s.Shift = p.inverse, p.weights, p.coefficients, p.shift
	s.Scale = float(float32(math.Ldexp(1, -p.shift)))
	s.Step, s.Unit = float(float32(p.step)), strconv.FormatFloat(p.unit, 'g', -1, 64)
	s.setSums(&p.sums)
	s.Bias, s.SumType = float(float32(p.floatBiases[0])), "float"
	for _, b := range p.floatBiases {
		s.Biases = append(s.Biases, float32(b))
	}
	if s.RBF {
		s.IntegerSums, s.SumType = true, "int64_t"
		s.IntegerBias, s.IntegerBiases = p.biases[0], p.biases
	}
	s.Whole, s.Part = wholePowers, partPowers
}
