package solvers

import (
	"context"
	"math"
	"strings"
	"testing"
)

// betaOn is the coefficients of a model by training row.
func betaOn(m *Model, n int) []float64 {
	beta := make([]float64, n)
	for k, i := range m.Indices {
		beta[i] = m.Coefficients[k]
	}
	return beta
}

// The squared hinge reaches the optimum of its primal: the duality gap, from the definition of
// both sides, is as small as the violation allows.
func TestSquaredHinge(t *testing.T) {
	checked := 0
	for _, n := range []int{40, 400, 2500} {
		d := mixture(n, 4, uint64(n))
		for _, k := range []Kernel{RBF{Gamma: 0.3}, Linear{}, KernelFunc(RBF{Gamma: 0.3}.Eval)} {
			s := SMO{Kernel: k, C: 2, WeightPositive: 3, SquaredHinge: true, Epsilon: 1e-5}
			r, err := s.Fit(context.Background(), d)
			if err != nil || r.Status != Converged {
				t.Fatalf("%v, error %v", r, err)
			}
			beta := betaOn(r.Model, n)
			sum, primal, dual := 0.0, 0.0, 0.0
			for i, x := range d.X {
				if beta[i]*d.Y[i] < 0 {
					t.Fatalf("row %d of class %g has coefficient %g", i, d.Y[i], beta[i])
				}
				price := 2.0
				if d.Y[i] > 0 {
					price = 6
				}
				f := r.Decision(x)
				slack := max(0, 1-d.Y[i]*f)
				norm := 0.5 * beta[i] * (f - r.Bias)
				sum += beta[i]
				primal += norm + price*slack*slack
				dual += norm + beta[i]*beta[i]/(4*price) - math.Abs(beta[i])
			}
			if math.Abs(sum) > 1e-9*float64(n) {
				t.Errorf("coefficients sum to %g", sum)
			}
			if math.Abs(r.Objective-dual) > 1e-6*math.Abs(dual) {
				t.Errorf("objective %.9g, recomputed %.9g", r.Objective, dual)
			}
			if primal+dual > 1e-4*primal || primal+dual < -1e-8*primal {
				t.Errorf("%d rows, %v: primal %.9g, dual %.9g", n, k, primal, dual)
			}
			checked++
		}
	}
	if checked != 9 {
		t.Errorf("checked %d", checked)
	}
}

// From any start the run ends at the same optimum, and from a good one soon.
func TestStart(t *testing.T) {
	ctx := context.Background()
	d := mixture(2500, 4, 5)
	for _, squared := range []bool{false, true} {
		s := SMO{Kernel: RBF{Gamma: 0.3}, C: 3, Epsilon: 1e-4, SquaredHinge: squared}
		cold, err := s.Fit(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		other := s
		other.C, other.SquaredHinge = 10, false
		far, err := other.Fit(ctx, d)
		if err != nil {
			t.Fatal(err)
		}
		wild := &Model{Indices: []int{4, 5, 7}, Coefficients: []float64{-1e9, 1e9, 5}}
		for name, start := range map[string]*Model{"itself": cold.Model, "a larger C": far.Model, "wild": wild, "nothing": {}} {
			s.Start = start
			warm, err := s.Fit(ctx, d)
			if err != nil || warm.Status != Converged || warm.Gap > s.Epsilon {
				t.Fatalf("%s: %v, error %v", name, warm, err)
			}
			if math.Abs(warm.Objective-cold.Objective) > 1e-5*math.Abs(cold.Objective) {
				t.Errorf("%s: objective %.9g, from 0 %.9g", name, warm.Objective, cold.Objective)
			}
			p := s
			p.WeightNegative, p.WeightPositive = 1, 1
			q := p.problem(d)
			q.beta = betaOn(warm.Model, d.Len())
			if _, violation, infeasible := conditions(q, s.Kernel, make([]float64, d.Len())); violation > 1.5*s.Epsilon || infeasible > 1e-7 {
				t.Errorf("%s: violation %g, constraints broken by %g", name, violation, infeasible)
			}
			if name == "itself" && warm.Iterations > cold.Iterations/10 {
				t.Errorf("%d iterations from the optimum, %d from 0", warm.Iterations, cold.Iterations)
			}
		}
	}
	for _, c := range []struct {
		start *Model
		want  string
	}{
		{&Model{Coefficients: []float64{1}}, "0 indices for 1 coefficients"},
		{&Model{Indices: []int{2500}, Coefficients: []float64{1}}, "support vector 0 is row 2500"},
		{&Model{Indices: []int{0}, Coefficients: []float64{math.NaN()}}, "coefficient 0 is NaN"},
	} {
		if _, err := (SMO{Start: c.start}).Fit(ctx, d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// A kernel whose values between different rows are not finite is an error in both solvers.
func TestKernelNotFinite(t *testing.T) {
	d := mixture(100, 3, 1)
	k := KernelFunc(func(x, z Vector) float64 {
		if x.Value[0] == z.Value[0] {
			return 1
		}
		return math.NaN()
	})
	for _, squared := range []bool{false, true} {
		if r, err := (SMO{Kernel: k, SquaredHinge: squared}).Fit(context.Background(), d); err == nil {
			t.Errorf("squared %t: %v, no error", squared, r)
		}
	}
}
