package export

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
)

const severalRows = 160

// severalSets are data of four classes: measurements, and zeros and ones.
func severalSets(t *testing.T) map[string]*solvers.Dataset {
	t.Helper()
	random := rand.New(rand.NewPCG(5, 1))
	measured, binary, labels := make([][]float64, severalRows), make([][]float64, severalRows), make([]float64, severalRows)
	for i := range labels {
		class := i % 4
		labels[i] = []float64{-2, 1, 5, 9}[class]
		measured[i] = []float64{random.NormFloat64() + 2*float64(class%2), random.NormFloat64() + 2*float64(class/2), 0.3 * random.NormFloat64()}
		binary[i] = make([]float64, 90)
		for range 6 {
			binary[i][random.IntN(90)] = 1
		}
		binary[i][class] = 1
	}
	return map[string]*solvers.Dataset{"measured": fromDense(t, measured, labels), "binary": fromDense(t, binary, labels)}
}

// severalForms calls f with models of pairs and of classes against the rest, and returns how many.
func severalForms(t *testing.T, f func(name string, m *solvers.MultiModel, d *solvers.Dataset, o Options)) int {
	t.Helper()
	called := 0
	for set, d := range severalSets(t) {
		for kernel, k := range kernels {
			smo := solvers.SMO{Kernel: k, C: 1}
			for method, s := range map[string]solvers.MultiSolver{"pairs": solvers.OneVsOne{Solver: smo}, "rest": solvers.OneVsRest{Solver: smo}} {
				if method == "rest" && (kernel == "poly" || kernel == "sigmoid") {
					continue
				}
				r, err := s.Fit(context.Background(), d)
				if err != nil {
					t.Fatal(err)
				}
				for _, n := range []Numbers{Float32, Int16, Int8} {
					name := strings.Join([]string{set, kernel, method, n.String()}, "_")
					called++
					f(name, r.MultiModel, d, Options{Name: name, Numbers: n, Dim: d.Dim})
				}
			}
		}
	}
	if called != 2*(4+2)*3 {
		t.Fatalf("%d forms, want 36", called)
	}
	return called
}

// answer is what a form says of a row.
type answer struct {
	label     int
	decisions []float64
	clear     bool // no decision value is so near a tie that its rounding matters
}

// answers are those that this package computes for a form; exact are the model's own.
func answers(t *testing.T, m *solvers.MultiModel, d *solvers.Dataset, o Options, exact bool) []answer {
	t.Helper()
	in, err := check(m, o)
	if err != nil {
		t.Fatal(err)
	}
	run, _, err := newMachine(in, o.Numbers)
	if err != nil {
		t.Fatal(err)
	}
	own := m.Decisions(d)
	out := make([]answer, d.Len())
	for i, x := range d.X {
		a := &out[i]
		a.decisions = run.decisions(row(x, in.dim))
		if exact {
			a.decisions = own[i]
		}
		a.label, a.clear = in.labels[in.winner(a.decisions)], true
		sorted := slices.Sorted(slices.Values(a.decisions))
		for _, f := range a.decisions {
			a.clear = a.clear && (!m.Pairs || math.Abs(f) > 1e-4)
		}
		a.clear = a.clear && (m.Pairs || sorted[len(sorted)-1]-sorted[len(sorted)-2] > 1e-4)
	}
	return out
}

// compareAnswers checks lines "form row label decision…".
func compareAnswers(t *testing.T, out string, want map[string][]answer, count int) {
	t.Helper()
	checked, labels := 0, 0
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		i, err := strconv.Atoi(words[1])
		if err != nil {
			t.Fatal(err)
		}
		a := want[words[0]][i]
		if len(words) != 3+len(a.decisions) {
			t.Fatalf("%q: want %d decision values", line, len(a.decisions))
		}
		for k, word := range words[3:] {
			f, err := strconv.ParseFloat(word, 64)
			if err != nil || math.Abs(f-a.decisions[k]) > 2e-5*(1+math.Abs(a.decisions[k])) {
				t.Errorf("%s row %d: decision %d is %s, want %g (%v)", words[0], i, k, word, a.decisions[k], err)
			}
		}
		if a.clear {
			labels++
			if words[2] != strconv.Itoa(a.label) {
				t.Errorf("%s row %d: label %s, want %d", words[0], i, words[2], a.label)
			}
		}
		checked++
	}
	if checked != count || labels < checked*9/10 {
		t.Errorf("%d rows and %d labels, want %d", checked, labels, count)
	}
}

// The C source of models of several classes compiles without a warning, and says what this package
// computes for it, its labels too.
func TestSeveralC(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is missing")
	}
	folder := t.TempDir()
	var include, calls strings.Builder
	want := map[string][]answer{}
	count := severalForms(t, func(name string, m *solvers.MultiModel, d *solvers.Dataset, o Options) {
		if _, err := File(m, filepath.Join(folder, name+".h"), o); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		set, _, _ := strings.Cut(name, "_")
		fmt.Fprintf(&include, "#include \"%s.h\"\n", name)
		fmt.Fprintf(&calls, "for (i = 0; i < %d; i++) { float d[%s_MACHINES]; %s_decisions(%s[i], d); printf(\"%s %%d %%d\", i, (int)%s_predict(%s[i])); "+
			"for (k = 0; k < %s_MACHINES; k++) printf(\" %%.9g\", (double)d[k]); printf(\"\\n\"); }\n",
			severalRows, strings.ToUpper(name), name, set, name, name, set, strings.ToUpper(name))
		want[name] = answers(t, m, d, o, false)
	})
	var b strings.Builder
	b.WriteString("#include <stdio.h>\n" + include.String())
	for set, d := range severalSets(t) {
		fmt.Fprintf(&b, "static const float %s[%d][%d] = {\n", set, severalRows, d.Dim)
		for _, x := range d.X {
			fmt.Fprintf(&b, "{%s},\n", numbers(row(x, d.Dim), func(v float32) string { return float(v) + "f" }))
		}
		b.WriteString("};\n")
	}
	b.WriteString("int main(void) {\nint i, k;\n" + calls.String() + "return 0;\n}\n")
	source, binary := filepath.Join(folder, "main.c"), filepath.Join(folder, "main")
	if err := os.WriteFile(source, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%.2000s", err, out)
	}
	out, err := exec.Command(binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	compareAnswers(t, string(out), want, count*severalRows)
}

// So does the Go source.
func TestSeveralGo(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles 36 packages")
	}
	folder := t.TempDir()
	var imports, calls strings.Builder
	want := map[string][]answer{}
	count := severalForms(t, func(name string, m *solvers.MultiModel, d *solvers.Dataset, o Options) {
		if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := File(m, filepath.Join(folder, name, name+".go"), o); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want[name] = answers(t, m, d, o, false)
		set, _, _ := strings.Cut(name, "_")
		fmt.Fprintf(&imports, "\t\"exported/%s\"\n", name)
		fmt.Fprintf(&calls, "\tfor i, x := range read[[%d]float32](%q) {\n\t\tvar d [%s.Machines]float32\n\t\t%s.Decisions(&x, &d)\n"+
			"\t\tfmt.Println(%q, i, %s.Predict(&x), strings.Trim(fmt.Sprint(d), \"[]\"))\n\t}\n", d.Dim, set, name, name, name, name)
	})
	for set, d := range severalSets(t) {
		writeRows(t, filepath.Join(folder, set), d)
	}
	program, err := os.ReadFile("testdata/main.go.txt")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.NewReplacer("// IMPORTS\n", imports.String(), "// CALLS\n", calls.String()).Replace(string(program))
	for file, content := range map[string]string{"main.go": text, "go.mod": "module exported\n\ngo 1.22\n"} {
		if err := os.WriteFile(filepath.Join(folder, file), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	c := exec.Command("go", "run", ".")
	c.Dir, c.Env = folder, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := c.Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			t.Fatalf("%v\n%.2000s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	compareAnswers(t, string(out), want, count*severalRows)
}

func writeRows(t *testing.T, file string, d *solvers.Dataset) {
	t.Helper()
	var b bytes.Buffer
	for _, x := range d.X {
		fmt.Fprintln(&b, strings.Trim(fmt.Sprint(row(x, d.Dim)), "[]"))
	}
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// onnxruntime gives the model's own labels and decision values, in both forms.
func TestSeveralONNX(t *testing.T) {
	python := os.Getenv("GONB_SVM_PYTHON")
	if python == "" {
		t.Skip("GONB_SVM_PYTHON does not name a Python with onnxruntime")
	}
	folder := t.TempDir()
	want := map[string][]answer{}
	count := 0
	severalForms(t, func(name string, m *solvers.MultiModel, d *solvers.Dataset, o Options) {
		if o.Numbers != Float32 {
			return
		}
		for form, plain := range map[string]bool{"classifier": false, "plain": true} {
			o.Name, o.PlainOperators = strings.TrimSuffix(name, "float32")+form, plain
			if _, err := File(m, filepath.Join(folder, o.Name+".onnx"), o); err != nil {
				t.Fatal(err)
			}
			count++
			want[o.Name] = answers(t, m, d, o, true)
		}
	})
	for set, d := range severalSets(t) {
		writeRows(t, filepath.Join(folder, set+".txt"), d)
	}
	out, err := exec.Command(python, "testdata/onnx_several.py", folder).Output()
	if err != nil {
		if exit, ok := errors.AsType[*exec.ExitError](err); ok {
			t.Fatalf("%v\n%.3000s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	compareAnswers(t, string(out), want, count*severalRows)
}

// The report compares classes, and its error is the model's; vectors that several machines have count
// once. A model of interrupted training is refused.
func TestSeveralReport(t *testing.T) {
	severalForms(t, func(name string, m *solvers.MultiModel, d *solvers.Dataset, o Options) {
		o.Validation = d
		var b bytes.Buffer
		r, err := C(&b, m, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.Compared != d.Len() || math.Abs(r.ModelError-m.ErrorRate(d)) > 1e-12 || r.Vectors != m.SupportSize() || !strings.Contains(b.String(), "4 classes") {
			t.Errorf("%s: %v; want error %g, %d vectors", name, r, m.ErrorRate(d), m.SupportSize())
		}
		if most := map[Numbers]float64{Float32: 0.01, Int16: 0.02, Int8: 0.06}[o.Numbers]; r.Changed > most {
			t.Errorf("%s: %.2f %% of the answers differ", name, 100*r.Changed)
		}
		part := *m
		part.Machines = m.Machines[:2]
		if _, err := C(&b, &part, o); err == nil || !strings.Contains(err.Error(), "interrupted") {
			t.Errorf("%s: %v: want it to say interrupted", name, err)
		}
	})
}
