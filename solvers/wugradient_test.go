package solvers

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/diff/fd"

	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// The gradient of W is that of finite differences.
func TestSparseLargeMarginGradient(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 0))
	d := svmtest.Random(60, 3, 4)
	checked := 0
	for _, kernel := range []Kernel{RBF{Gamma: 0.7}, Poly{Gamma: 0.5, Coef0: 1, Degree: 3}, Linear{}} {
		p := newMarginMoves(context.Background(), SparseLargeMargin{Kernel: kernel, C: 2}, d, nil)
		size := 4
		if (kernel == Linear{}) {
			size = 2 // more would depend on each other
		}
		at := make([]float64, size*d.Dim)
		for k := range at {
			at[k] = random.NormFloat64()
		}
		value := func(x []float64) float64 {
			w, err := p.value(context.Background(), x, nil)
			if err != nil {
				t.Fatal(err)
			}
			return w
		}
		want := fd.Gradient(nil, value, at, &fd.Settings{Formula: fd.Central, Step: 1e-5})
		got := make([]float64, len(at))
		if _, err := p.value(context.Background(), at, got); err != nil {
			t.Fatal(err)
		}
		for k, g := range got {
			if math.Abs(g-want[k]) > 1e-4*(1+math.Abs(want[k])) {
				t.Errorf("%v, variable %d: %g, by differences %g", kernel, k, g, want[k])
			}
			checked++
		}
	}
	if checked != 30 {
		t.Errorf("checked %d derivatives", checked)
	}
}
