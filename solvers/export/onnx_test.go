package export

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// onnxruntime gives the labels and decision values of the model, for both forms.
func TestONNX(t *testing.T) {
	python := os.Getenv("GONB_SVM_PYTHON")
	if python == "" {
		t.Skip("GONB_SVM_PYTHON does not name a Python with onnxruntime")
	}
	folder := t.TempDir()
	want := map[string][]float64{}
	for set, d := range sets(t) {
		var b bytes.Buffer
		for _, x := range d.X {
			fmt.Fprintln(&b, strings.Trim(fmt.Sprint(row(x, d.Dim)), "[]"))
		}
		if err := os.WriteFile(filepath.Join(folder, set+".txt"), b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		for kernel, k := range kernels {
			m := fitted(t, d, k)
			for form, plain := range map[string]bool{"classifier": false, "plain": true} {
				name := strings.Join([]string{set, kernel, form}, "_")
				r, err := File(m, filepath.Join(folder, name+".onnx"), Options{PlainOperators: plain, Dim: d.Dim})
				if err != nil {
					t.Fatal(err)
				}
				if info, err := os.Stat(r.File); err != nil || info.Size() != int64(r.DataBytes) {
					t.Errorf("%s: %v, reported %d bytes", name, err, r.DataBytes)
				}
				want[name] = rounded(m, d)
			}
		}
	}
	out, err := exec.Command(python, "testdata/onnx_decisions.py", folder).Output()
	if err != nil {
		if exit, ok := err.(*exec.ExitError); ok {
			t.Fatalf("%v\n%.3000s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	checked := 0
	for line := range strings.Lines(string(out)) {
		var name string
		var i, label int
		var decision float64
		if _, err := fmt.Sscan(line, &name, &i, &decision, &label); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		checked++
		f := want[name][i]
		// Decision values come in float32; those of kernels without a bound reach thousands.
		if math.Abs(decision-f) > 1e-5*max(1, math.Abs(f), magnitude(name)) {
			t.Errorf("%s row %d: decision %g, want %g", name, i, decision, f)
		}
		if math.Abs(f) > 1e-5 && label != labelOf(name, f) {
			t.Errorf("%s row %d: label %d of decision %g", name, i, label, f)
		}
	}
	if checked != 3*4*2*300 {
		t.Errorf("%d values, want %d", checked, 3*4*2*300)
	}
}

// magnitude is that of the sums in single precision whose rounding may show: the cubes of
// unscaled features are near 4·10⁵, and single precision has steps of 0.03 there.
func magnitude(name string) float64 {
	if name == "units_poly_classifier" {
		return 3000
	}
	return 1
}

// rounded are the decision values on rows rounded to float32, as ONNX gets them.
func rounded(m *solvers.Model, d *solvers.Dataset) []float64 {
	out := make([]float64, d.Len())
	for i, x := range d.X {
		z := solvers.Vector{Index: x.Index}
		for _, v := range x.Value {
			z.Value = append(z.Value, float64(float32(v)))
		}
		out[i] = m.Decision(z)
	}
	return out
}
