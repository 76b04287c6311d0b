package solvers_test

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// svm-predict says of a model of ours what we say, for solvers whose support vectors are training
// rows and for one whose are not, whatever the signs of the coefficients.
func TestMultiModelLIBSVM(t *testing.T) {
	folder, checked := t.TempDir(), 0
	for seed := range uint64(3) {
		d, text := multiText(clouds(240, []float64{-4, 1, 2, 5, 9}[:3+seed], seed))
		rows := write(t, filepath.Join(folder, "rows"), text)
		for _, s := range []solvers.Solver{
			solvers.SMO{C: 2}, solvers.SMO{Kernel: solvers.Poly{Gamma: 0.5, Coef0: 1, Degree: 2}}, solvers.LassoPath{}, solvers.ReducedSet{Budget: 6},
		} {
			r := fitMulti(t, solvers.OneVsOne{Solver: s}, d)
			var file bytes.Buffer
			n, err := r.WriteTo(&file)
			if err != nil || n != int64(file.Len()) {
				t.Fatalf("%v: %d bytes of %d, %v", r, n, file.Len(), err)
			}
			theirs := predict(t, rows, write(t, filepath.Join(folder, "ours"), file.String()))
			for i, p := range r.Predictions(d) {
				if p != theirs[i] {
					t.Errorf("%v: row %d: %g, svm-predict says %g", r, i, p, theirs[i])
				}
				checked++
			}
		}
	}
	if checked != 3*4*240 {
		t.Errorf("checked %d predictions", checked)
	}
}

// svm-train's models of several classes read here predict as svm-predict says, ours come back as they were,
// and one of two classes is what ReadModel makes of it.
func TestMultiModelRead(t *testing.T) {
	folder, checked := t.TempDir(), 0
	for seed := range uint64(4) {
		labels := []float64{5, -4, 9, 1, 2}[:2+seed] // first in the file: not in order
		d, text := multiText(clouds(240, labels, seed))
		rows, model := write(t, filepath.Join(folder, "rows"), text), filepath.Join(folder, "theirs")
		for _, kernel := range [][]string{{"-t", "2", "-g", "0.3"}, {"-t", "1", "-g", "0.5", "-r", "1", "-d", "2"}, {"-t", "0"}} {
			if out, err := exec.Command(program(t, "svm-train"), append(kernel, "-q", "-c", "2", rows, model)...).CombinedOutput(); err != nil {
				t.Fatalf("svm-train: %v\n%s", err, out)
			}
			m, err := solvers.LoadMultiModel(model)
			if err != nil {
				t.Fatal(err)
			}
			theirs := predict(t, rows, model)
			for i, p := range m.Predictions(d) {
				if len(m.Classes) == 2 {
					p = m.Labels[int(p+1)/2]
				}
				if p != theirs[i] {
					t.Errorf("%v: row %d: %g, svm-predict says %g", kernel, i, p, theirs[i])
				}
				checked++
			}
			var first, second bytes.Buffer
			if _, err := m.WriteTo(&first); err != nil {
				t.Fatal(err)
			}
			again, err := solvers.ReadMultiModel(bytes.NewReader(first.Bytes()))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := again.WriteTo(&second); err != nil || first.String() != second.String() || again.SupportSize() != m.SupportSize() {
				t.Errorf("%v: another model comes back, %d support vectors of %d", err, again.SupportSize(), m.SupportSize())
			}
			two, err := solvers.LoadModel(model)
			switch {
			case len(labels) > 2:
				if err == nil || !strings.Contains(err.Error(), "want 2; read it with LoadMultiModel") {
					t.Error(err)
				}
			case err != nil || two.Bias != m.Machines[0].Bias || !slices.Equal(two.Coefficients, m.Machines[0].Coefficients):
				t.Errorf("%v: bias %g, alone %g", err, m.Machines[0].Bias, two.Bias)
			}
		}
	}
	if checked != 4*3*240 {
		t.Errorf("checked %d predictions", checked)
	}
}

const threeClasses = "svm_type c_svc\nkernel_type linear\nnr_class 3\ntotal_sv 3\nrho 0.5 1 1.5\nlabel 3 1 2\nnr_sv 1 1 1\nSV\n1 0.5 1:1\n-1 2 1:2\n-0.5 -2 1:3\n"

func TestReadMultiModelErrors(t *testing.T) {
	m, err := solvers.ReadMultiModel(strings.NewReader(threeClasses))
	if err != nil || m.SupportSize() != 3 || !slices.Equal(m.Classes, []float64{3, 1, 2}) || m.Machines[2].Bias != 1.5 {
		t.Fatal(m, err)
	}
	for _, change := range [][3]string{
		{"nr_class 3", "nr_class 1", "model:3:10: nr_class 1: want 2 to 10000"},
		{"nr_class 3", "nr_class 1e9", "model:3:10: nr_class 1e+09: want 2 to 10000"},
		{"rho 0.5 1 1.5", "rho 0.5 1", "model:5:1: rho: 2 values: want 3"},
		{"label 3 1 2", "label 3 1 3", "model:6:11: label 3 twice: want 3 different labels"},
		{"label 3 1 2\n", "", "model:7:1: no line label of 3 labels before SV"},
		{"nr_sv 1 1 1", "nr_sv 1 2 1", "model:8:1: nr_sv adds up to 4: want total_sv 3"},
		{"nr_sv 1 1 1", "nr_sv 1 -1 3", "model:8:1: nr_sv -1: want a number of support vectors"},
		{"nr_sv 1 1 1\n", "", "model:7:1: no line nr_sv of 3 numbers before SV"},
		{"1 0.5 1:1", "1", "model:9:1: 1 values: want 2 coefficients and a support vector"},
		{"1 0.5 1:1", "1 1:1", "model:9:3: \"1:1\": want a finite number"},
		{"-0.5 -2 1:3\n", "", "model:11:1: the file ends after 2 of 3 support vectors"},
		{"nr_class 3\ntotal_sv 3\nrho 0.5 1 1.5", "rho 0.5\ntotal_sv 3\nnr_class 3", "model:8:1: rho has 1 values: want nr_class before it, and one for each pair of 3 classes"},
	} {
		_, err := solvers.ReadMultiModel(strings.NewReader(strings.Replace(threeClasses, change[0], change[1], 1)))
		if _, ok := errors.AsType[*solvers.ParseError](err); !ok || err.Error() != change[2] {
			t.Errorf("%v\nwant %s", err, change[2])
		}
	}
}

func FuzzReadMultiModel(f *testing.F) {
	f.Add([]byte(threeClasses))
	f.Add([]byte(strings.Replace(threeClasses, "nr_class 3", "nr_class 2", 1)))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := solvers.ReadMultiModel(bytes.NewReader(text))
		if err != nil {
			return
		}
		m.Predict(solvers.Vector{Index: []int32{0}, Value: []float64{1}})
		m.SupportSize()
	})
}

func TestMultiModelWriteErrors(t *testing.T) {
	d := clouds(90, []float64{0, 1, 2.5}, 1)
	whole := clouds(90, []float64{0, 1, 2}, 1)
	own := solvers.SMO{Kernel: solvers.KernelFunc(solvers.Linear{}.Eval)}
	cut := fitMulti(t, solvers.OneVsOne{Solver: solvers.SMO{}}, whole)
	cut.Machines = cut.Machines[:2]
	mixed := fitMulti(t, solvers.OneVsOne{Solver: solvers.SMO{}}, whole)
	for k, machine := range mixed.Machines {
		model := *machine.Model
		model.Indices = make([]int, model.SupportSize())
		mixed.Machines[k].Model = &model
	}
	for want, r := range map[string]*solvers.MultiResult{
		"train with OneVsOne":                 fitMulti(t, solvers.OneVsRest{Solver: solvers.SMO{}}, whole),
		"2 machines for 3 classes: want 3":    cut,
		"label 2.5: LIBSVM model files hold":  fitMulti(t, solvers.OneVsOne{Solver: solvers.SMO{}}, d),
		"cannot be written: LIBSVM's format":  fitMulti(t, solvers.OneVsOne{Solver: own}, whole),
		"machines that have no class in comm": mixed,
	} {
		var file bytes.Buffer
		if _, err := r.WriteTo(&file); err == nil || !strings.Contains(err.Error(), want) || file.Len() > 0 {
			t.Errorf("%v, want %s", err, want)
		}
	}
	// Two classes are written as the two-class model.
	two := clouds(60, []float64{3, 8}, 1)
	model, err := solvers.SMO{}.Fit(context.Background(), two)
	if err != nil {
		t.Fatal(err)
	}
	var a, b bytes.Buffer
	_, wrongA := model.WriteTo(&a)
	_, wrongB := fitMulti(t, solvers.OneVsRest{Solver: solvers.SMO{}}, two).WriteTo(&b)
	if wrongA != nil || wrongB != nil || a.String() != b.String() {
		t.Errorf("%v, %v\n%s\n%s", wrongA, wrongB, a.String(), b.String())
	}
	if _, err := fitMulti(t, solvers.OneVsOne{Solver: solvers.SMO{}}, whole).WriteTo(fullDisk{}); err == nil {
		t.Error("no error from a full disk")
	}
}
