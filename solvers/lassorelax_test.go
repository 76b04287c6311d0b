package solvers_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// A relaxed model has the support of the optimum in the ball, and no other coefficients on it come
// nearer to w: there the responses are the reference's.
func TestLassoRelaxed(t *testing.T) {
	checked := 0
	for seed := range uint64(8) {
		d := svmtest.Random(60+10*int(seed), 3, 900+seed)
		reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 2}}, d).Model
		l := newLasso(reference)
		for _, pair := range [][2]solvers.PathSolver{
			{solvers.SASSO{Reference: reference, Relaxed: true}, solvers.SASSO{Reference: reference}},
			{solvers.SASSO{Reference: reference, Relaxed: true, FullyCorrective: true}, solvers.SASSO{Reference: reference, FullyCorrective: true}},
			{solvers.LassoPath{Reference: reference, Relaxed: true, MaxSupport: 25}, solvers.LassoPath{Reference: reference, MaxSupport: 25}},
		} {
			var plain [][]int
			own, err := pair[1].FitPath(context.Background(), d, func(_ float64, m *solvers.Model) error {
				plain = append(plain, m.Indices)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			var last *solvers.Model
			r, err := pair[0].FitPath(context.Background(), d, func(_ float64, m *solvers.Model) error {
				alpha := l.of(m, reference)
				for i, q := range l.times(alpha) {
					if alpha[i] != 0 && math.Abs(q-l.target[i]) > 1e-7 {
						t.Errorf("%s, model %d: response %g to a support vector, the reference's is %g", pair[0].Name(), n, q, l.target[i])
					}
				}
				if !slices.Equal(m.Indices, plain[n]) && pair[0].Name() == "SASSO" {
					t.Errorf("model %d has support %v, in the ball %v", n, m.Indices, plain[n])
				}
				last = m
				n++
				checked += m.SupportSize()
				return nil
			})
			if err != nil || n != len(plain) {
				t.Fatal(err, n, len(plain))
			}
			objective := l.objective(l.of(r.Model, reference))
			if math.Abs(objective-r.Objective) > 1e-9*math.Abs(objective) || r.Objective > own.Objective*(1-1e-9) || r.Gap != own.Gap || r.Status != own.Status {
				t.Errorf("%v: objective %.12g, from the model %.12g, in the ball %.12g; gap %g, %g", r, r.Objective, objective, own.Objective, r.Gap, own.Gap)
			}
			if !slices.Equal(last.Coefficients, r.Coefficients) || !near(r.Norm(), math.Sqrt(-2*objective), 1e-6) {
				t.Errorf("%v is not the last model, or ‖w‖ %g is not %g", r, r.Norm(), math.Sqrt(-2*objective))
			}
			checkShape(t, r, d)
		}
	}
	if checked < 1000 {
		t.Errorf("checked %d support vectors", checked)
	}
}
