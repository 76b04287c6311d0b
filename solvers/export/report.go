package export

import (
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// Device is what times are estimated for: its clock, and the cycles of one operation with its
// loads, as a compiler's code has them on average.
type Device struct {
	Name          string
	MHz           float64
	IntegerCycles float64 // of one operation of up to 64 bits
	FloatCycles   float64 // of one operation in float32
}

// Two common kinds of microcontrollers: without a floating-point unit, where each operation is a
// call, and with one.
var (
	CortexM0 = Device{Name: "Cortex-M0+, 48 MHz, no FPU", MHz: 48, IntegerCycles: 14, FloatCycles: 60}
	CortexM4 = Device{Name: "Cortex-M4F, 64 MHz", MHz: 64, IntegerCycles: 4, FloatCycles: 4}
)

// work is the operations of one prediction.
type work struct{ integer, float int }

func (w work) time(d Device) time.Duration {
	cycles := float64(w.integer)*d.IntegerCycles + float64(w.float)*d.FloatCycles
	return time.Duration(cycles / d.MHz * float64(time.Microsecond))
}

// codeMost is the size of the functions without data, with gcc -Os less than this on x86-64; the
// instructions of microcontrollers are shorter.
const codeMost = 1200

// votesMost is what choosing among more than two classes adds to it.
const votesMost = 500

// Report says what was written and what it costs.
type Report struct {
	File    string // empty if it was written to a writer
	Form    string // "C, int8, sparse"
	Vectors int
	Dim     int

	DataBytes  int           // constants; for ONNX the whole file
	CodeBytes  int           // at most, beside the data; 0 for ONNX
	RAMBytes   int           // of the stack, beside the caller's row; 0 for ONNX
	Operations int           // additions, multiplications and table look-ups of a prediction
	WorstCase  time.Duration // of one prediction on Device; an estimate from Operations
	Device     string

	// Of the validation rows, if there were any: the share that the model and the written form get
	// wrong, the share on which they differ, and the greatest difference of their decision values.
	Compared                        int
	ModelError, WrittenError        float64
	Changed, GreatestDecisionChange float64
}

// String is a few lines for people, without a last newline.
func (r *Report) String() string {
	var b strings.Builder
	if r.File != "" {
		fmt.Fprintf(&b, "%s: ", r.File)
	}
	fmt.Fprintf(&b, "%s, %d vectors of %d features, %d bytes of data", r.Form, r.Vectors, r.Dim, r.DataBytes)
	if r.CodeBytes > 0 {
		fmt.Fprintf(&b, ", at most %d of code, %d of stack", r.CodeBytes, r.RAMBytes)
		fmt.Fprintf(&b, "\n%d operations per prediction, about %v on %s", r.Operations, r.WorstCase.Round(time.Microsecond), r.Device)
	}
	if r.Compared > 0 {
		fmt.Fprintf(&b, "\non %d validation rows: %.2f %% wrong, the model %.2f %%; %.2f %% of the answers differ, decision values by %.2g at most",
			r.Compared, 100*r.WrittenError, 100*r.ModelError, 100*r.Changed, r.GreatestDecisionChange)
	}
	return b.String()
}

// machine is a written form that can be run here.
type machine interface {
	decisions(x []float32) []float64 // of each machine of the model
	work() work
	dataBytes() int
}

// newReport describes a source file; stack is its bytes of local arrays.
func newReport(in *input, form string, m machine, stack int) *Report {
	w := m.work()
	r := &Report{Form: form, Vectors: len(in.vectors), Dim: in.dim, DataBytes: m.dataBytes(), CodeBytes: codeMost,
		RAMBytes: stack + 64, Operations: w.integer + w.float, WorstCase: w.time(in.device), Device: in.device.Name}
	if in.several() {
		// The labels and the classes of the machines; the decision values and the votes.
		r.DataBytes += 4*len(in.labels) + len(in.positive) + len(in.negative)
		r.CodeBytes += votesMost
		r.RAMBytes += 8*in.machines() + 4*len(in.labels)
	}
	if in.validation != nil {
		r.compare(in, m)
	}
	return r
}

func (r *Report) compare(in *input, m machine) {
	d := in.validation
	var wrong, modelWrong, changed float64
	for i, f := range in.decisions(d) {
		g := m.decisions(row(d.X[i], in.dim))
		want, own, written := in.place(d, d.Y[i]), in.winner(f), in.winner(g)
		if written != want {
			wrong++
		}
		if own != want {
			modelWrong++
		}
		if own != written {
			changed++
		}
		for k := range f {
			r.GreatestDecisionChange = max(r.GreatestDecisionChange, math.Abs(f[k]-g[k]))
		}
	}
	n := float64(d.Len())
	r.Compared, r.WrittenError, r.ModelError, r.Changed = d.Len(), wrong/n, modelWrong/n, changed/n
}

// row is a row as a device has it.
func row(x solvers.Vector, dim int) []float32 {
	out := make([]float32, dim)
	for p, j := range x.Index {
		out[j] = float32(x.Value[p])
	}
	return out
}
