package solvers_test

import (
	"context"
	"fmt"
	"math"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// multiText is the rows in LIBSVM's format, by ascending label, which is the order in which
// LIBSVM counts votes.
func multiText(d *solvers.Dataset) (sorted *solvers.Dataset, text string) {
	order := seq(0, d.Len())
	slices.SortStableFunc(order, func(a, b int) int { return int(d.Y[a] - d.Y[b]) })
	sorted = d.Subset(order)
	var out strings.Builder
	for i, x := range sorted.X {
		out.WriteString(strconv.Itoa(int(sorted.Y[i])))
		for k, j := range x.Index {
			fmt.Fprintf(&out, " %d:%.17g", j+1, x.Value[k])
		}
		out.WriteByte('\n')
	}
	return sorted, out.String()
}

// OneVsOne with SMO predicts what svm-train and svm-predict do.
func TestOneVsOneLIBSVM(t *testing.T) {
	folder, checked := t.TempDir(), 0
	for seed := range uint64(4) {
		d, text := multiText(clouds(400, []float64{1, 2, 5, 7, 9}, seed))
		checked += sameAsLIBSVM(t, folder, d, text, 0.5, 10)
	}
	if checked != 1600 {
		t.Errorf("checked %d", checked)
	}
}

func sameAsLIBSVM(t *testing.T, folder string, d *solvers.Dataset, text string, gamma, c float64) int {
	t.Helper()
	rows, model := write(t, filepath.Join(folder, "rows"), text), filepath.Join(folder, "model")
	if out, err := exec.Command(program(t, "svm-train"), "-q", "-e", "1e-5", "-g", fmt.Sprint(gamma), "-c", fmt.Sprint(c), rows, model).CombinedOutput(); err != nil {
		t.Fatalf("svm-train: %v\n%s", err, out)
	}
	r := fitMulti(t, solvers.OneVsOne{Solver: solvers.SMO{Kernel: solvers.RBF{Gamma: gamma}, C: c, Epsilon: 1e-5}}, d)
	theirs := predict(t, rows, model)
	differ, wrong := 0, 0
	for i, p := range r.Predictions(d) {
		if p != theirs[i] {
			differ++
		}
		if theirs[i] != d.Y[i] {
			wrong++
		}
	}
	if differ > d.Len()/500 || math.Abs(r.ErrorRate(d)*float64(d.Len())-float64(wrong)) > float64(differ)+1e-6 {
		t.Errorf("%d of %d predictions differ; error %g, LIBSVM %d", differ, d.Len(), r.ErrorRate(d), wrong)
	}
	return len(theirs)
}

func BenchmarkOneVsOne(b *testing.B) {
	d := clouds(2000, seqFloats(10), 1)
	for b.Loop() {
		if _, err := (solvers.OneVsOne{Solver: solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}}}).Fit(context.Background(), d); err != nil {
			b.Fatal(err)
		}
	}
}
