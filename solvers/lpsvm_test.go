package solvers_test

import (
	"context"
	"math"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

func init() {
	baselines = append(baselines, baseline{name: "LPSVM", with: func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.LPSVM{Kernel: k, Budget: budget, Settings: s}
	}, objective: absoluteWeight, limited: true})
}

// absoluteWeight is Σ|β| + C Σ max(0, 1 - yf).
func absoluteWeight(r *solvers.Result, d *solvers.Dataset) float64 {
	sum := 0.0
	for _, beta := range r.Coefficients {
		sum += math.Abs(beta)
	}
	for i, f := range r.Decisions(d) {
		sum += penalty(r) * max(0, 1-d.Y[i]*f)
	}
	return sum
}

// simplex is the least Σ|β| + C Σξ on the given rows, by gonum.
func simplex(t *testing.T, d *solvers.Dataset, kernel solvers.Kernel, c float64, rows []int) float64 {
	t.Helper()
	n, m := d.Len(), len(rows)
	// Variables p, q, the bias's two parts, ξ, t.
	cost := make([]float64, 2*m+2+2*n)
	a := mat.NewDense(n, len(cost), nil)
	right := make([]float64, n)
	for k, j := range rows {
		cost[k], cost[m+k] = 1, 1
		for i := range n {
			value := d.Y[i] * kernel.Eval(d.X[j], d.X[i])
			a.Set(i, k, value)
			a.Set(i, m+k, -value)
		}
	}
	for i := range n {
		right[i] = 1
		a.Set(i, 2*m, d.Y[i])
		a.Set(i, 2*m+1, -d.Y[i])
		a.Set(i, 2*m+2+i, 1)
		a.Set(i, 2*m+2+n+i, -1)
		cost[2*m+2+i] = c
	}
	basic := make([]int, n) // ξ = 1
	for i := range basic {
		basic[i] = 2*m + 2 + i
	}
	least, _, err := lp.Simplex(cost, a, right, 1e-10, basic)
	if err != nil {
		t.Fatal(err)
	}
	return least
}

// The optimum is the simplex method's, over all rows and over those that a budget leaves, and the
// gap says how far it is from the former.
func TestLPSVMSimplex(t *testing.T) {
	checked := 0
	for seed := range uint64(4) {
		for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 0.7}, solvers.Linear{}, solvers.Sigmoid{Gamma: 0.3, Coef0: -1}} {
			for _, c := range []float64{0.05, 1, 30} {
				d := svmtest.Random(12+2*int(seed), 3, seed)
				r := fit(t, solvers.LPSVM{Kernel: kernel, C: c, Budget: d.Len(), Epsilon: 1e-6}, d)
				var all []int
				for i, x := range d.X {
					if _, linear := kernel.(solvers.Linear); !linear || len(x.Index) > 0 { // gonum takes no column of zeros
						all = append(all, i)
					}
				}
				want := simplex(t, d, kernel, c, all)
				if r.Gap > 1e-5 || math.Abs(r.Objective-want) > 1e-6*want {
					t.Errorf("seed %d, %v, C %g: %v, objective %.9g, gap %g; simplex %.9g", seed, kernel, c, r.Status, r.Objective, r.Gap, want)
				}
				few := fit(t, solvers.LPSVM{Kernel: kernel, C: c, Budget: 4, Epsilon: 1e-6}, d)
				if lower := few.Objective * (1 - few.Gap); lower > want*(1+1e-9) || few.Objective < want*(1-1e-9) || few.SupportSize() > 4 {
					t.Errorf("seed %d, %v, C %g: objective %g with gap %g, %d support vectors; the optimum is %g", seed, kernel, c, few.Objective, few.Gap, few.SupportSize(), want)
				}
				checked++
			}
		}
	}
	if checked != 36 {
		t.Errorf("checked %d programs", checked)
	}
}

// The objective falls from one model of the path to the next, as far as the programs are solved.
func TestLPSVMPath(t *testing.T) {
	d := svmtest.Random(400, 3, 4)
	kernel := solvers.RBF{Gamma: 0.5}
	last, models := math.Inf(1), 0
	s := solvers.LPSVM{Kernel: kernel, C: 3, Budget: 60}
	r, err := s.FitPath(context.Background(), d, func(_ float64, m *solvers.Model) error {
		objective := 0.0
		for _, beta := range m.Coefficients {
			objective += math.Abs(beta)
		}
		for i, f := range m.Decisions(d) {
			objective += 3 * max(0, 1-d.Y[i]*f)
		}
		if objective > last*(1+1e-4) {
			t.Errorf("%d support vectors: objective %g, before %g", m.SupportSize(), objective, last)
		}
		last = objective
		models++
		return nil
	})
	if err != nil || models < 5 || r.SupportSize() == 0 || math.Abs(last-r.Objective) > 1e-9*last {
		t.Errorf("%v, %d models, objective %g and %g", err, models, last, r.Objective)
	}
}
