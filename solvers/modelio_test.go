package solvers_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// Reading what was written gives the same function, bit by bit; only the order of the support
// vectors changes.
func TestModelRoundTrip(t *testing.T) {
	d := svmtest.Random(60, 8, 4)
	for _, kernel := range kernels[:5] {
		for _, labels := range [][]float64{nil, {-1, 1}, {3, 8}, {-7, -2}} {
			m := *fit(t, solvers.SMO{Kernel: kernel, C: 0.37}, d).Model
			m.Labels = labels
			var file bytes.Buffer
			n, err := m.WriteTo(&file)
			if err != nil || n != int64(file.Len()) {
				t.Fatalf("%v: %d bytes of %d, %v", kernel, n, file.Len(), err)
			}
			text := file.String()
			back, err := solvers.ReadModel(&file)
			if err != nil {
				t.Fatalf("%v: %v\n%s", kernel, err, text)
			}
			want := labels
			if want == nil {
				want = []float64{-1, 1}
			}
			if !reflect.DeepEqual(back.Labels, want) || back.Bias != m.Bias || back.Indices != nil || back.Kernel != resolved(m.Kernel) {
				t.Errorf("%v: labels %v, bias %g, kernel %#v", kernel, back.Labels, back.Bias, back.Kernel)
			}
			if !slices.Equal(slices.Sorted(slices.Values(back.Coefficients)), slices.Sorted(slices.Values(m.Coefficients))) {
				t.Errorf("%v: other coefficients", kernel)
			}
			for i, x := range d.X {
				if a, b := m.Decision(x), back.Decision(x); math.Abs(a-b) > 1e-12*(1+math.Abs(a)) {
					t.Fatalf("%v: row %d has %g, after reading %g", kernel, i, a, b)
				}
			}
		}
	}
}

// resolved is the kernel with the default degree, which a file states.
func resolved(k solvers.Kernel) solvers.Kernel {
	if poly, ok := k.(solvers.Poly); ok && poly.Degree == 0 {
		poly.Degree = 3
		return poly
	}
	return k
}

func TestSaveAndLoad(t *testing.T) {
	m := fit(t, solvers.SMO{Kernel: solvers.Linear{}}, svmtest.SixPoints()).Model
	file := filepath.Join(t.TempDir(), "six.model")
	for range 2 { // the second replaces the first
		if err := solvers.SaveModel(file, m); err != nil {
			t.Fatal(err)
		}
	}
	back, err := solvers.LoadModel(file)
	if err != nil || back.SupportSize() != 2 {
		t.Fatalf("%v, %v", back, err)
	}
	if entries, _ := os.ReadDir(filepath.Dir(file)); len(entries) != 1 {
		t.Errorf("%d files left", len(entries))
	}
	if err := os.WriteFile(file, []byte("svm_type c_svc\nkernel_type what\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := solvers.LoadModel(file); err == nil || !strings.HasPrefix(err.Error(), file+":3:1: ") {
		t.Errorf("error %v, want the file's name first", err)
	}
	if _, err := solvers.LoadModel(file + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v of a missing file", err)
	}
	if err := solvers.SaveModel(filepath.Join(file, "x"), m); err == nil {
		t.Error("no error for a folder that is a file")
	}
}

func TestWriteModelErrors(t *testing.T) {
	for _, test := range []struct {
		m    solvers.Model
		want string
	}{
		{solvers.Model{Kernel: kernels[5]}, "a model with kernel KernelFunc cannot be written: LIBSVM's format knows Linear, RBF, Poly and Sigmoid only"},
		{solvers.Model{Kernel: solvers.Linear{}, Labels: []float64{0.5, 1}}, "label 0.5: LIBSVM model files hold integer labels only"},
	} {
		file := filepath.Join(t.TempDir(), "m")
		if err := solvers.SaveModel(file, &test.m); err == nil || !strings.HasSuffix(err.Error(), test.want) {
			t.Errorf("%v\nwant %s", err, test.want)
		}
		if entries, _ := os.ReadDir(filepath.Dir(file)); len(entries) != 0 {
			t.Error("a file is left")
		}
	}
	m := fit(t, solvers.SMO{Kernel: solvers.Linear{}}, svmtest.SixPoints()).Model
	if _, err := m.WriteTo(fullDisk{}); !errors.Is(err, io.ErrShortWrite) {
		t.Errorf("error %v of a full disk", err)
	}
}

type fullDisk struct{}

func (fullDisk) Write(p []byte) (int, error) { return 0, io.ErrShortWrite }

const modelHead = "svm_type c_svc\nkernel_type rbf\ngamma 0.5\nnr_class 2\ntotal_sv 2\nrho 0.25\nlabel 1 -1\nnr_sv 1 1\nSV\n"

func TestReadModelErrors(t *testing.T) {
	good := modelHead + "1 1:1 3:2 \n-1 2:1 \n"
	if _, err := solvers.ReadModel(strings.NewReader(good)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ old, new, want string }{
		{"c_svc", "one_class", "model:1:10: svm_type one_class: want c_svc or nu_svc"},
		{"c_svc", "", "model:1:1: svm_type: want one value"},
		{"rbf", "precomputed", "model:9:1: kernel_type precomputed: want linear, rbf, polynomial or sigmoid"},
		{"rbf", "rbf rbf", "model:2:1: kernel_type: want one value"},
		{"kernel_type rbf\n", "", "model:8:1: no line kernel_type before SV"},
		{"rho 0.25\n", "", "model:8:1: no line rho before SV"},
		{"total_sv 2\n", "", "model:8:1: no line total_sv before SV"},
		{"gamma 0.5\n", "", "model:8:1: gamma 0: want > 0"},
		{"gamma 0.5", "gamma -2", "model:9:1: gamma -2: want > 0"},
		{"rbf\n", "polynomial\ndegree 0\n", "model:10:1: degree 0: want an integer ≥ 1"},
		{"rho 0.25", "rho nan", `model:6:5: "nan": want a finite number`},
		{"rho 0.25", "rho 1 2", "model:6:1: rho: 2 values: want 1"},
		{"nr_class 2", "nr_class 3", "model:4:10: nr_class 3: want 2; read it with LoadMultiModel, or train one class against the rest"},
		{"total_sv 2", "total_sv -1", "model:5:10: total_sv -1: want a number of things"},
		{"total_sv 2", "total_sv 3", "model:12:1: the file ends after 2 of 3 support vectors"},
		{"total_sv 2", "total_sv 1", "model:11:1: more than the 1 support vectors that total_sv says"},
		{"label 1 -1", "label 1 1", "model:7:9: label 1 twice: want two different labels"},
		{"label 1 -1", "label 1", "model:7:1: label: 1 values: want 2"},
		{"nr_sv", "garbage", `model:8:1: "garbage": want a header of a LIBSVM model, such as svm_type, or SV`},
		{"SV\n1 1:1 3:2 \n-1 2:1 \n", "", "model:9:1: the file ends before the line SV"},
		{"1 1:1 3:2", "x 1:1", `model:10:1: "x": want a finite number`},
		{"1 1:1 3:2", "1 1:1 3", `model:10:7: "3": want index:value`},
		{"1 1:1 3:2", "1 1:1 0:2", `model:10:7: index "0": want an integer from 1 to 2147483647`},
		{"1 1:1 3:2", "1 1:1 9999999999:2", `model:10:7: index "9999999999": want an integer from 1 to 2147483647`},
		{"1 1:1 3:2", "1 3:1 3:2", "model:10:7: index 3 after 3: indices must increase"},
		{"1 1:1 3:2", "1 1:inf", `model:10:5: "inf": want a finite number`},
		{"1 1:1 3:2", "1 1:", `model:10:5: "": want a finite number`},
	} {
		text := strings.Replace(good, test.old, test.new, 1)
		m, err := solvers.ReadModel(strings.NewReader(text))
		if _, ok := errors.AsType[*solvers.ParseError](err); !ok || err.Error() != test.want || m != nil {
			t.Errorf("%q for %q: %v\nwant %s", test.new, test.old, err, test.want)
		}
	}
	broken := errors.New("broken pipe")
	if _, err := solvers.ReadModel(io.MultiReader(strings.NewReader(modelHead), failing{broken})); !errors.Is(err, broken) {
		t.Errorf("error %v, want that of the reader", err)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

// Models of any bytes are an error or a model that can be written and read again.
func FuzzReadModel(f *testing.F) {
	f.Add([]byte(modelHead + "1 1:1 3:2 \n-1 2:1 \n"))
	f.Add([]byte("svm_type nu_svc\nkernel_type polynomial\ndegree 2\ngamma 1\ncoef0 0\ntotal_sv 0\nrho 0\nlabel -1 1\nSV\n"))
	f.Add([]byte("SV"))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := solvers.ReadModel(bytes.NewReader(text))
		if err != nil {
			if _, ok := errors.AsType[*solvers.ParseError](err); !ok {
				t.Errorf("error of type %T: %v", err, err)
			}
			return
		}
		var file bytes.Buffer
		if _, err := m.WriteTo(&file); err != nil {
			if !strings.Contains(err.Error(), "integer labels") {
				t.Errorf("cannot be written: %v", err)
			}
			return
		}
		back, err := solvers.ReadModel(bytes.NewReader(file.Bytes()))
		if err != nil {
			t.Fatalf("cannot be read again: %v\n%s", err, file.Bytes())
		}
		if back.SupportSize() != m.SupportSize() || back.Bias != m.Bias || back.Kernel != m.Kernel {
			t.Errorf("%v became %v", m, back)
		}
	})
}

// program is the path of one of LIBSVM's programs; the test is skipped if it is not installed.
func program(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed (Debian: libsvm-tools)", name)
	}
	return path
}

// libsvmText is the rows in LIBSVM's format with the labels of the file.
func libsvmText(d *solvers.Dataset, labels [2]string) string {
	var text strings.Builder
	for i, x := range d.X {
		text.WriteString(labels[int(d.Y[i]+1)/2])
		for k, j := range x.Index {
			text.WriteString(" " + strconv.Itoa(int(j)+1) + ":" + strconv.FormatFloat(x.Value[k], 'g', 17, 64))
		}
		text.WriteByte('\n')
	}
	return text.String()
}

func write(t *testing.T, file, text string) string {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}

// predict is what svm-predict says of the rows.
func predict(t *testing.T, rows, model string) []float64 {
	t.Helper()
	out := model + ".out"
	if text, err := exec.Command(program(t, "svm-predict"), rows, model, out).CombinedOutput(); err != nil {
		t.Fatalf("svm-predict: %v\n%s", err, text)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var labels []float64
	for word := range strings.FieldsSeq(string(text)) {
		label, err := strconv.ParseFloat(word, 64)
		if err != nil {
			t.Fatal(err)
		}
		labels = append(labels, label)
	}
	return labels
}

// svm-predict says of a model of ours what we say, and we of a model of svm-train what it says,
// whatever the labels and whichever class comes first in the file.
func TestLIBSVMPrograms(t *testing.T) {
	program(t, "svm-predict")
	folder := t.TempDir()
	all := svmtest.Random(300, 5, 12)
	options := [][]string{{"-t", "0"}, {"-t", "2", "-g", "0.3"}, {"-t", "1", "-g", "0.5", "-r", "1", "-d", "2"},
		{"-t", "1", "-g", "0.1", "-r", "-0.3"}, {"-t", "3", "-g", "0.05", "-r", "0.1"}}
	checked := 0
	for _, labels := range [][2]string{{"-1", "+1"}, {"0", "1"}, {"3", "8"}, {"-5", "-2"}} {
		for first := range 2 { // Random's rows 0 and 1 are of different classes
			d := all.Subset(append([]int{first, 1 - first}, seq(2, all.Len())...))
			rows := write(t, filepath.Join(folder, "rows"), libsvmText(d, labels))
			d, err := datasets.LoadFile(rows)
			if err != nil {
				t.Fatal(err)
			}
			for k, kernel := range kernels[:5] {
				m := fit(t, solvers.SMO{Kernel: kernel}, d).Model
				file := filepath.Join(folder, "ours")
				if err := solvers.SaveModel(file, m); err != nil {
					t.Fatal(err)
				}
				checked += sameLabels(t, "ours, "+kernel.String(), m, d, predict(t, rows, file))
				theirs := filepath.Join(folder, "theirs")
				arguments := append([]string{"-q"}, options[k]...)
				if text, err := exec.Command(program(t, "svm-train"), append(arguments, rows, theirs)...).CombinedOutput(); err != nil {
					t.Fatalf("svm-train: %v\n%s", err, text)
				}
				back, err := solvers.LoadModel(theirs)
				if err != nil {
					t.Fatal(err)
				}
				checked += sameLabels(t, "theirs, "+kernel.String(), back, d, predict(t, rows, theirs))
				if k == 3 || k == 4 {
					continue // not positive semidefinite: the two may stop at different points
				}
				if math.Abs(back.Bias-m.Bias) > 0.01 || math.Abs(float64(back.SupportSize()-m.SupportSize())) > 3 {
					t.Errorf("%v: bias %g and %d support vectors, svm-train %g and %d", kernel, m.Bias, m.SupportSize(), back.Bias, back.SupportSize())
				}
			}
		}
	}
	if checked < 4*2*5*2*290 {
		t.Errorf("checked %d predictions", checked)
	}
}

func seq(from, to int) []int {
	var out []int
	for i := from; i < to; i++ {
		out = append(out, i)
	}
	return out
}

// sameLabels compares predictions with svm-predict's, and returns how many it compared. Rows on the
// boundary, to rounding, may differ.
func sameLabels(t *testing.T, what string, m *solvers.Model, d *solvers.Dataset, labels []float64) (checked int) {
	t.Helper()
	if len(labels) != d.Len() {
		t.Fatalf("%s: %d predictions for %d rows", what, len(labels), d.Len())
	}
	for i, f := range m.Decisions(d) {
		class := 0
		if f >= 0 {
			class = 1
		}
		if math.Abs(f) < 1e-9 {
			continue
		}
		if m.Labels[class] != labels[i] {
			t.Fatalf("%s: row %d: %g, svm-predict says %g", what, i, m.Labels[class], labels[i])
		}
		checked++
	}
	return checked
}
