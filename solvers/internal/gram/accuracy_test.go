package gram

import (
	"compress/bzip2"
	"context"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// load reads a file of the folder GONB_SVM_DATA.
func load(tb testing.TB, name string) *datasets.Dataset {
	folder := os.Getenv("GONB_SVM_DATA")
	if folder == "" {
		tb.Skip("GONB_SVM_DATA is not set")
	}
	file, err := os.Open(filepath.Join(folder, name))
	if err != nil {
		tb.Skip(err)
	}
	defer file.Close()
	var r io.Reader = file
	if strings.HasSuffix(name, ".bz2") {
		r = bzip2.NewReader(file)
	}
	d, err := datasets.ReadLIBSVM(r, name)
	if err != nil {
		tb.Fatal(err)
	}
	return d
}

// On the sets of the literature values in float32 are nearly as good as those that LIBSVM stores.
// Where norms are large ‖x‖² + ‖z‖² − 2xᵀz cancels: γ(‖x‖² + ‖z‖²) is up to 8 on ijcnn1, each of its
// sums is rounded by 2⁻²⁴ of that, and the order of the sums differs between kinds of instructions.
func TestSinglePrecisionOnRealData(t *testing.T) {
	for _, c := range []struct {
		file  string
		gamma float64
		most  float64 // error allowed
	}{{"a8a", 0.1, 1.2e-7}, {"w8a", 0.1, 1.2e-7}, {"ijcnn1.tr.bz2", 1, 2e-6}} {
		t.Run(c.file, func(t *testing.T) {
			d := load(t, c.file)
			k := Kernel{Kind: RBF, Gamma: c.gamma}
			m := NewMatrix(NewPoints(d.X), k, Single, 0)
			if m.Precise() {
				t.Fatal("the matrix is computed in float64")
			}
			r, row, worst := rand.New(rand.NewPCG(5, 5)), make([]float64, d.Len()), 0.0
			for range 20 {
				x := d.X[r.IntN(d.Len())]
				if err := m.Row(context.Background(), x, row); err != nil {
					t.Fatal(err)
				}
				for j, v := range row {
					worst = max(worst, math.Abs(v-exact(k, x, d.X[j])))
				}
			}
			t.Logf("greatest error %.2g", worst)
			if worst > c.most || worst == 0 {
				t.Errorf("greatest error %g, want at most %g", worst, c.most)
			}
		})
	}
}
