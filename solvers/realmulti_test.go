package solvers_test

import (
	"os"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// Sparse solvers on ten digits and 36 letters and digits.
func TestRealMulticlass(t *testing.T) {
	if os.Getenv("GONB_SVM_DATA") == "" {
		t.Skip("GONB_SVM_DATA names no folder of real data")
	}
	if testing.Short() {
		t.Skip("real data takes seconds")
	}
	for _, set := range []struct {
		name        string
		fraction    float64 // of the rows
		gamma, most float64 // the greatest error
	}{{"mnist", 0.015, 0.02, 0.1}, {"binalpha", 0.5, 0.02, 0.4}} {
		t.Run(set.name, func(t *testing.T) {
			train, test, err := datasets.Load(set.name)
			if err != nil {
				t.Fatal(err)
			}
			train, _ = train.Split(set.fraction, 1)
			if test.Len() > 2000 {
				test, _ = test.Split(0.1, 1)
			}
			kernel := solvers.RBF{Gamma: set.gamma}
			for _, s := range bothWays(solvers.SMO{Kernel: kernel, C: 10}, 0) {
				r := fitMulti(t, s, train)
				t.Logf("%v; error %.4f", r, r.ErrorRate(test))
				if r.Status != solvers.Converged || r.ErrorRate(test) > set.most {
					t.Errorf("%v: error %g", r, r.ErrorRate(test))
				}
			}
			sparse := fitMulti(t, solvers.OneVsRest{Solver: solvers.ISSVM{Kernel: kernel, C: 10, Aggressive: true}}, train)
			t.Logf("%v; error %.4f", sparse, sparse.ErrorRate(test))
			if sparse.ErrorRate(test) > set.most+0.05 {
				t.Errorf("%v: error %g", sparse, sparse.ErrorRate(test))
			}
			sorted, text := multiText(train)
			sameAsLIBSVM(t, t.TempDir(), sorted, text, set.gamma, 10)
		})
	}
}
