package solvers_test

import (
	"context"
	"math"
	"reflect"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// interpolationNorm2 is ‖u‖² of the u of least norm with yᵢ⟨u, Φ(xᵢ)⟩ = 1 for all rows, yᵀK⁻¹y.
func interpolationNorm2(t *testing.T, d *solvers.Dataset, kernel solvers.Kernel) float64 {
	t.Helper()
	n := d.Len()
	k, y := mat.NewSymDense(n, nil), mat.NewVecDense(n, d.Y)
	for i := range n {
		for j := i; j < n; j++ {
			k.SetSym(i, j, kernel.Eval(d.X[i], d.X[j]))
		}
	}
	var factor mat.Cholesky
	var u mat.VecDense
	if !factor.Factorize(k) {
		t.Skip("equal rows")
	}
	if err := factor.SolveVecTo(&u, y); err != nil {
		t.Fatal(err)
	}
	return mat.Dot(y, &u)
}

// distinct is d without rows that are equal.
func distinct(d *solvers.Dataset) *solvers.Dataset {
	var rows []int
	for i, x := range d.X {
		found := false
		for _, j := range rows {
			found = found || reflect.DeepEqual(x, d.X[j])
		}
		if !found {
			rows = append(rows, i)
		}
	}
	return d.Subset(rows)
}

// Novikoff: on separable rows there are at most R²‖u‖² mistakes in all, and the run ends with none.
func TestPerceptronMistakes(t *testing.T) {
	checked := 0
	for seed := range uint64(10) {
		d := distinct(svmtest.Random(60, 3, seed))
		for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 3}, solvers.RBF{Gamma: 8}} {
			bound := interpolationNorm2(t, d, kernel)
			r := fit(t, solvers.Perceptron{Kernel: kernel, Passes: 100000}, d)
			if r.Objective > bound*(1+1e-6) {
				t.Errorf("seed %d, %v: %g mistakes, bound %g", seed, kernel, r.Objective, bound)
			}
			if r.ErrorRate(d) != 0 || r.Gap != 0 || r.Status != solvers.Converged {
				t.Errorf("seed %d, %v: error rate %g, %v", seed, kernel, r.ErrorRate(d), r)
			}
			checked++
		}
	}
	if checked == 0 {
		t.Error("nothing checked")
	}
}

// The definition, row by row, without any bookkeeping.
func TestPerceptronByHand(t *testing.T) {
	d := svmtest.Random(80, 3, 5)
	kernel := solvers.RBF{Gamma: 0.7}
	beta, mistakes := make([]float64, d.Len()), 0
	for i, x := range d.X {
		f := 0.0
		for j, b := range beta {
			f += b * kernel.Eval(d.X[j], x)
		}
		if d.Y[i]*f <= 0 {
			beta[i] += d.Y[i]
			mistakes++
		}
	}
	for _, s := range []solvers.Solver{
		solvers.Perceptron{Kernel: kernel, Passes: 1},
		solvers.RBP{Kernel: kernel, Budget: 80},
		solvers.Forgetron{Kernel: kernel, Budget: 80},
	} {
		r := fit(t, s, d)
		if !reflect.DeepEqual(betaOf(r.Model, d.Len()), beta) || r.Objective != float64(mistakes) || r.Bias != 0 {
			t.Errorf("%v; by hand %d mistakes", r, mistakes)
		}
	}
}

// At no time are there more support vectors than the budget allows.
func TestOnlineBudget(t *testing.T) {
	checked := 0
	d := svmtest.Random(400, 3, 3)
	for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 1}, solvers.Poly{Gamma: 0.5, Coef0: 1, Degree: 2}} {
		for _, budget := range []int{1, 2, 7, 40} {
			for _, s := range []solvers.Solver{
				solvers.RBP{Kernel: kernel, Budget: budget, Passes: 2},
				solvers.Forgetron{Kernel: kernel, Budget: budget, Passes: 2},
				solvers.BSGD{Kernel: kernel, Budget: budget},
				solvers.BSGD{Kernel: kernel, Budget: budget, Maintenance: solvers.Projection},
				solvers.BSGD{Kernel: kernel, Budget: budget, Maintenance: solvers.Removal},
			} {
				r := fit(t, s, d)
				most := 0
				for _, point := range r.Trace {
					most = max(most, point.SupportSize)
				}
				if most > budget || most < min(budget, 5) || r.SupportSize() > budget {
					t.Errorf("%v: up to %d support vectors, budget %d", r, most, budget)
				}
				checked += len(r.Trace)
			}
		}
	}
	if checked < 1000 {
		t.Errorf("%d points checked", checked)
	}
}

// Theorem 5.3: mistakes ≤ 2‖u‖² + 4Σ max(0, 1 - y⟨u, Φ⟩) for ‖u‖ ≤ ¼√((B+1)/ln(B+1)); and the
// damage stays in proportion to the mistakes.
func TestForgetronMistakes(t *testing.T) {
	checked := 0
	for seed := range uint64(5) {
		d := svmtest.Random(300, 3, 30+seed)
		kernel := solvers.RBF{Gamma: 0.3}
		u := fit(t, solvers.SMO{Kernel: kernel}, d).Model
		for _, budget := range []int{5, 20, 100} {
			r := fit(t, solvers.Forgetron{Kernel: kernel, Budget: budget}, d)
			check := r.Certificate[0]
			if !check.Holds() || check.Bound != 15./32*r.Objective || r.Objective > float64(budget) && check.Value <= 0 {
				t.Errorf("seed %d, budget %d: %+v", seed, budget, check)
			}
			norm := math.Sqrt(float64(budget+1)/math.Log(float64(budget+1))) / 4
			scale, bound := norm/u.Norm(), 2*norm*norm
			for i, f := range u.Decisions(d) {
				bound += 4 * max(0, 1-d.Y[i]*scale*(f-u.Bias))
			}
			if r.Objective > bound {
				t.Errorf("seed %d, budget %d: %g mistakes, bound %g", seed, budget, r.Objective, bound)
			}
			checked++
		}
	}
	if checked == 0 {
		t.Error("nothing checked")
	}
}

// Without need for maintenance many passes come near the optimum, which is between that with a
// bias and what the SVM's w has without its bias.
func TestBSGDOptimum(t *testing.T) {
	d := svmtest.Random(100, 3, 3)
	kernel := solvers.RBF{Gamma: 0.5}
	dense := fit(t, solvers.SMO{Kernel: kernel, Epsilon: 1e-6}, d)
	for _, maintenance := range []solvers.Maintenance{solvers.Merging, solvers.Projection, solvers.Removal} {
		r := fit(t, solvers.BSGD{Kernel: kernel, Budget: 100, Passes: 300, Maintenance: maintenance}, d)
		without := *r
		plain := *dense.Model
		plain.Bias, without.Model = 0, &plain
		if upper := hinge(&without, d); r.Objective < -dense.Objective*(1-1e-6) || r.Objective > 1.02*upper {
			t.Errorf("%v: objective %g, want between %g and %g", maintenance, r.Objective, -dense.Objective, upper)
		}
	}
}

// Merging and projection lose less than removal.
func TestBSGDMaintenance(t *testing.T) {
	var sums [3]float64
	for seed := range uint64(5) {
		d := svmtest.Random(500, 2, 50+seed)
		for m := range sums {
			r := fit(t, solvers.BSGD{Kernel: solvers.RBF{Gamma: 1}, Budget: 15, Passes: 4, Maintenance: solvers.Maintenance(m)}, d)
			sums[m] += r.Objective
		}
	}
	if sums[solvers.Merging] >= sums[solvers.Removal] || sums[solvers.Projection] >= sums[solvers.Removal] {
		t.Errorf("objectives of merging, projection, removal: %v", sums)
	}
}

func TestBSGDParameters(t *testing.T) {
	d := svmtest.SixPoints()
	for _, test := range []struct {
		s    solvers.Solver
		want string
	}{
		{solvers.BSGD{Maintenance: 3}, "BSGD.Maintenance = 3: want Merging, Projection or Removal"},
		{solvers.BSGD{Passes: -1}, "BSGD.Passes = -1: want ≥ 1 (0: default 1)"},
		{solvers.Perceptron{Passes: -1}, "Perceptron.Passes = -1: want ≥ 1 (0: default 10)"},
		{solvers.Perceptron{Kernel: solvers.RBF{Gamma: -1}}, "RBF.Gamma = -1: want > 0 (0: default 1/Dim)"},
	} {
		if r, err := test.s.Fit(context.Background(), d); err == nil || err.Error() != test.want || r != nil {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
	if text := solvers.Maintenance(9).String(); text != "Maintenance(9)" {
		t.Error(text)
	}
}
