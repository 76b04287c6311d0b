package solvers_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

func init() {
	baselines = append(baselines, baseline{name: "CPSP", with: func(k solvers.Kernel, _ *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
		return solvers.CPSP{Kernel: k, Budget: budget, Settings: s}
	}, objective: hingeWithBias, virtual: true, limited: true})
}

// hingeWithBias is ½(‖w‖² + b²) + C Σ max(0, 1 - yf).
func hingeWithBias(r *solvers.Result, d *solvers.Dataset) float64 {
	sum := 0.0
	for i, f := range r.Decisions(d) {
		sum += max(0, 1-d.Y[i]*f)
	}
	return (r.Model.Norm()*r.Model.Norm()+r.Bias*r.Bias)/2 + penalty(r)*sum
}

// The planes satisfy their tolerance, and so does the objective: no other coefficients on the same
// vectors are better by more.
func TestCPSPTolerance(t *testing.T) {
	checked := 0
	for seed := range uint64(6) {
		for _, epsilon := range []float64{1e-2, 1e-4} {
			d := svmtest.Random(100, 3, 60+seed)
			s := solvers.CPSP{Kernel: solvers.RBF{Gamma: 0.5}, C: 2, Budget: 12, Epsilon: epsilon}
			r := fit(t, s, d)
			if r.Status != solvers.Converged || r.SupportSize() != 12 || len(r.Certificate) != 2 {
				t.Fatalf("seed %d: %v", seed, r)
			}
			for _, c := range r.Certificate {
				if !c.Holds() || c.Value < -1e-9*c.Bound-1e-9 {
					t.Errorf("seed %d: %s: %g, %g", seed, c.Claim, c.Value, c.Bound)
				}
			}
			random := rand.New(rand.NewPCG(seed, 3))
			allowed := s.C * float64(d.Len()) * epsilon
			for range 300 {
				other, model := *r, *r.Model
				model.Coefficients = slices.Clone(r.Coefficients)
				size := math.Pow(10, -4*random.Float64())
				for k := range model.Coefficients {
					model.Coefficients[k] *= 1 + size*random.NormFloat64()
				}
				model.Bias += size * random.NormFloat64()
				other.Model = &model
				if better := r.Objective - hingeWithBias(&other, d); better > allowed {
					t.Errorf("seed %d: other coefficients are better by %g, allowed %g", seed, better, allowed)
				}
				checked++
			}
		}
	}
	if checked != 3600 {
		t.Errorf("%d checked", checked)
	}
}

// More vectors make the objective lower, as far as its tolerance goes, and with many it comes within 3 %
// of what is least with all rows.
func TestCPSPPath(t *testing.T) {
	d := svmtest.Random(120, 3, 4)
	s := solvers.CPSP{Kernel: solvers.RBF{Gamma: 0.5}, Budget: 60, Epsilon: 1e-5}
	last, checked := math.Inf(1), 0
	r, err := s.FitPath(context.Background(), d, func(budget float64, m *solvers.Model) error {
		objective := hingeWithBias(&solvers.Result{Model: m, Solver: solvers.CPSP{C: 1}}, d)
		if m.SupportSize() > int(budget) || objective > last+120*1e-5 {
			t.Errorf("objective %g with %g vectors, %g with fewer", objective, budget, last)
		}
		last = objective
		checked++
		return nil
	})
	if err != nil || checked < 10 {
		t.Fatalf("%v after %d models", err, checked)
	}
	// The least is at least that of the C-SVC, whose bias is free of charge, and at most its
	// objective with the price of its bias.
	dense := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, Epsilon: 1e-6}, d)
	low, high := -dense.Objective, -dense.Objective+dense.Bias*dense.Bias/2
	if r.Objective < low-1e-4 || r.Objective > 1.03*high {
		t.Errorf("objective %g, want from %g to %g", r.Objective, low, high)
	}
}
