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
	"strconv"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// sets are data of the three layouts: pixels, measurements of different units, and zeros and ones.
func sets(t *testing.T) map[string]*solvers.Dataset {
	t.Helper()
	digits, _, err := datasets.Load("mnist38")
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(3, 1))
	units, binary := make([][]float64, 300), make([][]float64, 300)
	labels := make([]float64, 300)
	for i := range units {
		a, b := random.NormFloat64(), random.NormFloat64()
		units[i] = []float64{a, 20 * b, 0.01 * random.NormFloat64(), 3}
		labels[i] = 1
		if a*a+b*b < 1.2 {
			labels[i] = -1
		}
		binary[i] = make([]float64, 120)
		for range 9 {
			binary[i][random.IntN(120)] = 1
		}
		binary[i][0] = max(labels[i], 0)
	}
	return map[string]*solvers.Dataset{"digits": rows(digits, 300), "units": fromDense(t, units, labels), "binary": fromDense(t, binary, labels)}
}

func rows(d *solvers.Dataset, n int) *solvers.Dataset {
	numbers := make([]int, n)
	for i := range numbers {
		numbers[i] = i * (d.Len() / n)
	}
	return d.Subset(numbers)
}

func fromDense(t *testing.T, x [][]float64, y []float64) *solvers.Dataset {
	t.Helper()
	d, err := solvers.FromDense(x, y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

var kernels = map[string]solvers.Kernel{
	"linear":  solvers.Linear{},
	"rbf":     solvers.RBF{Gamma: 0.05},
	"poly":    solvers.Poly{Gamma: 0.02, Coef0: 0.5, Degree: 3},
	"sigmoid": solvers.Sigmoid{Gamma: 0.005, Coef0: -0.2},
}

func fitted(t *testing.T, d *solvers.Dataset, k solvers.Kernel) *solvers.Model {
	t.Helper()
	r, err := solvers.SMO{Kernel: k, C: 1}.Fit(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	return r.Model
}

// forms calls f with every model, kind of numbers and data set.
func forms(t *testing.T, f func(t *testing.T, name string, m *solvers.Model, d *solvers.Dataset, o Options)) {
	t.Helper()
	called := 0
	for set, d := range sets(t) {
		for kernel, k := range kernels {
			m := fitted(t, d, k)
			for _, n := range []Numbers{Float32, Int16, Int8} {
				name := strings.Join([]string{set, kernel, n.String()}, "_")
				called++
				f(t, name, m, d, Options{Name: name, Numbers: n, Validation: d})
			}
		}
	}
	if called != 36 {
		t.Fatalf("%d forms, want 36", called)
	}
}

// The head of a file is true of the model, and what integers lose is small.
func TestReport(t *testing.T) {
	forms(t, func(t *testing.T, name string, m *solvers.Model, d *solvers.Dataset, o Options) {
		var b bytes.Buffer
		r, err := C(&b, m, o)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if r.Compared != d.Len() || math.Abs(r.ModelError-m.ErrorRate(d)) > 1e-12 {
			t.Errorf("%s: %d rows with error %g, want %d with %g", name, r.Compared, r.ModelError, d.Len(), m.ErrorRate(d))
		}
		most := map[Numbers]float64{Float32: 0.002, Int16: 0.005, Int8: 0.05}[o.Numbers]
		// The cube of a feature that reaches 60 needs more bits than these: the report says so.
		tooCoarse := strings.HasPrefix(name, "units_poly") && o.Numbers != Float32
		if r.Changed > most != tooCoarse {
			t.Errorf("%s: %.2f %% of the answers differ, want at most %g %%", name, 100*r.Changed, 100*most)
		}
		for _, want := range []string{r.Form, strconv.Itoa(r.DataBytes) + " bytes of data", "operations per prediction"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s: the head lacks %q", name, want)
			}
		}
	})
}

// The C source compiles without a warning and gives, row by row, what the report was made from.
func TestC(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is missing")
	}
	folder := t.TempDir()
	var include, calls strings.Builder
	want := map[string][]float64{}
	forms(t, func(t *testing.T, name string, m *solvers.Model, d *solvers.Dataset, o Options) {
		o.Validation = nil
		o.Dim = d.Dim
		if _, err := File(m, filepath.Join(folder, name+".h"), o); err != nil {
			t.Fatal(err)
		}
		set, _, _ := strings.Cut(name, "_")
		fmt.Fprintf(&include, "#include \"%s.h\"\n", name)
		fmt.Fprintf(&calls, "for (i = 0; i < 300; i++) printf(\"%s %%d %%.9g %%d\\n\", i, (double)%s_decision(%s[i]), (int)%s_predict(%s[i]));\n", name, name, set, name, set)
		want[name] = simulated(t, m, d, o)
	})
	var b strings.Builder
	b.WriteString("#include <stdio.h>\n" + include.String())
	for set, d := range sets(t) {
		fmt.Fprintf(&b, "static const float %s[300][%d] = {\n", set, d.Dim)
		for _, x := range d.X {
			fmt.Fprintf(&b, "{%s},\n", numbers(row(x, d.Dim), func(v float32) string { return float(v) + "f" }))
		}
		b.WriteString("};\n")
	}
	b.WriteString("int main(void) {\nint i;\n" + calls.String() + "return 0;\n}\n")
	compileAndCompare(t, folder, gcc, b.String(), want)
}

// simulated are the decision values that this package computes for the form.
func simulated(t *testing.T, m *solvers.Model, d *solvers.Dataset, o Options) []float64 {
	t.Helper()
	in, err := check(m, o)
	if err != nil {
		t.Fatal(err)
	}
	run, _, err := newMachine(in, o.Numbers)
	if err != nil {
		t.Fatal(err)
	}
	out := make([]float64, d.Len())
	for i, x := range d.X {
		out[i] = run.decisions(row(x, in.dim))[0]
	}
	return out
}

func compileAndCompare(t *testing.T, folder, gcc, program string, want map[string][]float64) {
	t.Helper()
	source, binary := filepath.Join(folder, "main.c"), filepath.Join(folder, "main")
	if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gcc, "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O1", "-o", binary, source).CombinedOutput(); err != nil {
		t.Fatalf("gcc: %v\n%.2000s", err, out)
	}
	out, err := exec.Command(binary).Output()
	if err != nil {
		t.Fatal(err)
	}
	compareLines(t, string(out), want)
}

// compareLines checks lines "form row decision label".
func compareLines(t *testing.T, out string, want map[string][]float64) {
	t.Helper()
	checked := 0
	for line := range strings.Lines(out) {
		var name string
		var i, label int
		var decision float64
		if _, err := fmt.Sscan(line, &name, &i, &decision, &label); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		checked++
		if f := want[name][i]; math.Abs(decision-f) > 1e-5*(1+math.Abs(f)) {
			t.Errorf("%s row %d: decision %g, want %g", name, i, decision, f)
		}
		if f := want[name][i]; math.Abs(f) > 1e-4 && label != labelOf(name, f) {
			t.Errorf("%s row %d: label %d of decision %g", name, i, label, f)
		}
	}
	if checked != 36*300 {
		t.Errorf("%d values, want %d", checked, 36*300)
	}
}

// labelOf is the label in the data of the class of f.
func labelOf(form string, f float64) int {
	if strings.HasPrefix(form, "digits") {
		return map[float64]int{-1: 3, 1: 8}[class(f)]
	}
	return int(class(f))
}

func class(decision float64) float64 {
	if decision < 0 {
		return -1
	}
	return 1
}

// The functions are not larger than the report says.
func TestCodeSize(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is missing")
	}
	folder := t.TempDir()
	checked := 0
	forms(t, func(t *testing.T, name string, m *solvers.Model, d *solvers.Dataset, o Options) {
		if !strings.HasPrefix(name, "units") && !strings.HasPrefix(name, "binary") {
			return
		}
		r, err := File(m, filepath.Join(folder, name+".h"), o)
		if err != nil {
			t.Fatal(err)
		}
		program := fmt.Sprintf("#include \"%s.h\"\nint32_t answer(const float *x);\nint32_t answer(const float *x) { return %s_predict(x); }\n", name, name)
		source, object := filepath.Join(folder, "size.c"), filepath.Join(folder, "size.o")
		if err := os.WriteFile(source, []byte(program), 0o644); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command(gcc, "-std=c99", "-Os", "-fno-asynchronous-unwind-tables", "-c", "-o", object, source).CombinedOutput(); err != nil {
			t.Fatalf("gcc: %v\n%.2000s", err, out)
		}
		out, err := exec.Command("size", "-A", object).Output()
		if err != nil {
			t.Skip("size is missing")
		}
		code, data := 0, 0
		for line := range strings.Lines(string(out)) {
			var section string
			var bytes int
			if n, _ := fmt.Sscan(line, &section, &bytes); n == 2 {
				switch {
				case strings.HasPrefix(section, ".text"):
					code += bytes
				case strings.HasPrefix(section, ".rodata") || strings.HasPrefix(section, ".data"):
					data += bytes
				}
			}
		}
		checked++
		if code > r.CodeBytes || code == 0 {
			t.Errorf("%s: %d bytes of code, want at most %d", name, code, r.CodeBytes)
		}
		// Alignment, and constants of the functions.
		if data > r.DataBytes+128 || data < r.DataBytes-64 {
			t.Errorf("%s: %d bytes of data, reported %d", name, data, r.DataBytes)
		}
	})
	if checked != 24 {
		t.Errorf("%d forms measured, want 24", checked)
	}
}

// The Go source is Go, and gives what the report was made from.
func TestGo(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles 36 packages")
	}
	folder := t.TempDir()
	var imports, calls strings.Builder
	want := map[string][]float64{}
	forms(t, func(t *testing.T, name string, m *solvers.Model, d *solvers.Dataset, o Options) {
		o.Validation = nil
		o.Dim = d.Dim
		if err := os.Mkdir(filepath.Join(folder, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := File(m, filepath.Join(folder, name, name+".go"), o); err != nil {
			t.Fatal(err)
		}
		want[name] = simulated(t, m, d, o)
		set, _, _ := strings.Cut(name, "_")
		fmt.Fprintf(&imports, "\t\"exported/%s\"\n", name)
		fmt.Fprintf(&calls, "\tfor i, x := range read[[%d]float32](%q) {\n\t\tfmt.Println(%q, i, %s.Decision(&x), %s.Predict(&x))\n\t}\n", d.Dim, set, name, name, name)
	})
	for set, d := range sets(t) {
		var b bytes.Buffer
		for _, x := range d.X {
			fmt.Fprintln(&b, strings.Trim(fmt.Sprint(row(x, d.Dim)), "[]"))
		}
		if err := os.WriteFile(filepath.Join(folder, set), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
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
	for _, args := range [][]string{{"vet", "./..."}, {"run", "."}} {
		c := exec.Command("go", args...)
		c.Dir, c.Env = folder, append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%.2000s", args[0], err, out)
		}
		if args[0] == "run" {
			compareLines(t, string(out), want)
		}
	}
}

func TestErrors(t *testing.T) {
	m := &solvers.Model{Kernel: solvers.RBF{Gamma: 1}, SupportVectors: []solvers.Vector{{Index: []int32{4}, Value: []float64{1}}}, Coefficients: []float64{1}}
	own := *m
	own.Kernel = solvers.KernelFunc(func(x, z solvers.Vector) float64 { return 1 })
	unresolved := *m
	unresolved.Kernel = solvers.RBF{}
	far := *m
	far.SupportVectors = []solvers.Vector{{Index: []int32{4}, Value: []float64{1e9}}}
	for _, c := range []struct {
		model *solvers.Model
		o     Options
		file  string
		want  string
	}{
		{nil, Options{}, "m.h", "model: it is empty"},
		{&own, Options{}, "m.h", "kernel: KernelFunc is a function of its own"},
		{&unresolved, Options{}, "m.onnx", "Gamma: 0; want > 0"},
		{m, Options{Dim: 3}, "m.h", "Dim: 3, but a support vector has feature 4"},
		{m, Options{}, "m.txt", `no form has the ending ".txt"`},
		{m, Options{Numbers: 7}, "m.h", "Numbers(7); want Float32, Int16 or Int8"},
		{&far, Options{Numbers: Int8}, "m.go", "want features scaled"},
	} {
		folder := t.TempDir()
		_, err := File(c.model, filepath.Join(folder, c.file), c.o)
		var wrong *Error
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: want an *Error with %q", err, c.want)
		}
		if files, _ := os.ReadDir(folder); len(files) > 0 {
			t.Errorf("%s: left %s behind", c.want, files[0].Name())
		}
	}
}
