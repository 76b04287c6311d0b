package solvers_test

import (
	"bytes"
	"context"
	"path/filepath"
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
