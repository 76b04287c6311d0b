//go:build unix

package solvers_test

import (
	"bytes"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// On real data the objective is not above LIBSVM's (svm-train 3.24 at the same parameters) by more
// than 1e-4 of it, and the model is the same, byte by byte, for any number of workers.
func TestRealObjectiveAndWorkers(t *testing.T) {
	libsvm := map[string]float64{"a8a": -7134.254449, "ijcnn1": -19293.613408, "w8a": -8017.0857}
	checked := 0
	for _, c := range speedCases[:3] {
		t.Run(c.name, func(t *testing.T) {
			d, _ := c.load(t)
			var texts [2][]byte
			for i, workers := range []int{1, 2} {
				r := solved(t, c.solver(workers), d)
				if want := libsvm[c.name]; r.Status != solvers.Converged || r.Objective > want*(1-1e-4) {
					t.Errorf("%v: objective %.9g, LIBSVM's %.9g", r.Status, r.Objective, want)
				}
				var text bytes.Buffer
				if _, err := r.Model.WriteTo(&text); err != nil {
					t.Fatal(err)
				}
				texts[i] = text.Bytes()
			}
			if !bytes.Equal(texts[0], texts[1]) {
				t.Error("1 and 2 workers give different models")
			}
			checked += len(texts[0])
		})
	}
	if checked == 0 {
		t.Skip("no data")
	}
}
