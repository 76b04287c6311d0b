package solvers_test

import (
	"context"
	"math"
	"os"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// The tradeoff on the papers' sets is better than that of the authors' own program at each of its
// sizes: relaxed, with the size, the radius and the bias chosen on validation rows alone. Without
// Relaxed the exact optima are worse than that program's models, which stop early, up to 100 support
// vectors on a8a and 650 on ijcnn1.
func TestRealSASSO(t *testing.T) {
	type point struct {
		size      int
		testError float64
	}
	for _, test := range []struct {
		set    *realSet
		share  float64 // of ‖β‖₁, at which there are enough support vectors
		theirs []point
	}{
		{realSets[0], 0.05, []point{{103, 0.1506}, {507, 0.1473}}},
		{realSets[1], 0.4, []point{{209, 0.0684}, {426, 0.0209}, {664, 0.0160}}},
		{w8a, 0.8, []point{{1002, 0.0092}, {2088, 0.0072}}},
	} {
		t.Run(test.set.name, func(t *testing.T) {
			if test.set == w8a && os.Getenv("GONB_SVM_LONG") == "" {
				t.Skip("takes minutes; set GONB_SVM_LONG")
			}
			data := test.set.realData(t)
			s := solvers.SASSO{Reference: data.result.Model, Delta: test.share * norm1(data.result.Coefficients), Points: 30,
				FullyCorrective: true, Epsilon: 0.05, Relaxed: true}
			var solver solvers.PathSolver = s
			if os.Getenv("GONB_SVM_LONG") != "" { // every optimum, exactly
				solver = solvers.LassoPath{Reference: data.result.Model, MaxSupport: test.theirs[len(test.theirs)-1].size, Relaxed: true}
			}
			path, err := solvers.Protocol{TuneBias: true}.Run(context.Background(), solver, data.train, data.test)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range test.theirs {
				got := path.AtMost(want.size)
				t.Logf("at most %d: %d support vectors, %.2f%%; theirs %.2f%%", want.size, got.SupportSize, 100*got.TestError, 100*want.testError)
				if got.TestError > want.testError || got.SupportSize == 0 {
					t.Errorf("at most %d: %v, theirs %g", want.size, got, want.testError)
				}
			}
		})
	}
}

// The default path on the papers' sets: its gap by responses to the reference's support vectors.
func TestRealSASSOPath(t *testing.T) {
	for _, set := range realSets {
		t.Run(set.name, func(t *testing.T) {
			data := set.realData(t)
			reference := data.result.Model
			among := &solvers.Dataset{Dim: data.train.Dim, X: reference.SupportVectors, Y: make([]float64, reference.SupportSize())}
			dense, checked := reference.Decisions(among), 0
			r, err := solvers.SASSO{Reference: reference}.FitPath(context.Background(), data.train, func(delta float64, m *solvers.Model) error {
				own := map[int]float64{}
				for k, i := range m.Indices {
					own[i] = m.Coefficients[k]
				}
				objective, gap, steepest := 0.0, 0.0, 0.0
				for k, f := range m.Decisions(among) {
					slope := f - dense[k]
					gap += own[reference.Indices[k]] * slope
					objective += own[reference.Indices[k]] * (0.5*(f-m.Bias) - (dense[k] - reference.Bias))
					steepest = max(steepest, math.Abs(slope))
				}
				if gap += delta * steepest; gap > 1e-3*math.Abs(objective)+1e-8 || norm1(m.Coefficients) > delta {
					t.Errorf("radius %g: gap %g, objective %g, ‖α‖₁ = %g", delta, gap, objective, norm1(m.Coefficients))
				}
				checked++
				return nil
			})
			if err != nil || r.Status != solvers.Converged || checked != 10 {
				t.Errorf("%v, %v; %d checked", r, err, checked)
			}
			t.Log(r, r.Objective, r.Gap)
		})
	}
}

func BenchmarkSASSO(b *testing.B) {
	benchmarkSparse(b, func(reference *solvers.Model) solvers.PathSolver { return solvers.SASSO{Reference: reference} })
}
