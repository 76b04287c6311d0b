package solvers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What ν-SVC promises, recomputed from the model: the optimality conditions of its dual, the
// shares that ν bounds, margins of 1, and that it is the C-SVC of C = 1/ρ.
func TestNuSVC(t *testing.T) {
	checked, bounded := 0, 0
	// Small ν on overlapping classes mean w = 0, or almost.
	for n, nus := range map[int][]float64{12: {0.3, 0.9}, 63: {0.5, 0.9}, 300: {0.6, 0.9}, 2100: {0.8}} {
		d := mixture(n, 5, uint64(n))
		for _, k := range []Kernel{RBF{Gamma: 0.5}, Poly{Gamma: 0.5, Coef0: 1, Degree: 2}, KernelFunc(RBF{Gamma: 0.5}.Eval)} {
			for _, nu := range nus {
				if _, small := k.(Poly); small && nu < 0.8 {
					continue
				}
				s := NuSVC{Kernel: k, Nu: nu, Epsilon: 1e-5}
				r, err := s.Fit(context.Background(), d)
				if err != nil || r.Status != Converged || r.Gap > s.Epsilon {
					t.Fatalf("%d rows, %v, ν %g: %v, error %v", n, k, nu, r, err)
				}
				bounded += checkNu(t, s, d, r)
				checked++
			}
		}
	}
	if checked != 18 || bounded == 0 {
		t.Errorf("%d models, %d bounded coefficients checked", checked, bounded)
	}
}

// checkNu returns the number of coefficients at their bound.
func checkNu(t *testing.T, s NuSVC, d *Dataset, r *Result) (bounded int) {
	t.Helper()
	n := float64(d.Len())
	beta, total := betaOn(r.Model, d.Len()), 0.0
	for _, b := range beta {
		total += math.Abs(b)
	}
	rho := s.Nu * n / total
	p := s.problem(d)
	start := slices.Clone(p.beta)
	for i, b := range beta {
		p.beta[i] = b * rho
		if math.Abs(p.beta[i]) > 1-1e-9 {
			p.beta[i] = d.Y[i] // the bound, before the rounding of a division and a product
		}
	}
	objective, violation, infeasible := conditions(p, r.Kernel, start)
	if math.Abs(objective-r.Objective) > 1e-6*(1+math.Abs(objective)) || violation > 1.5*s.Epsilon || infeasible > 1e-10*n {
		t.Errorf("%v: objective %.9g, recomputed %.9g; violation %g, constraints broken by %g", r, r.Objective, objective, violation, infeasible)
	}
	errors, support := 0, 0
	slack := 3 * s.Epsilon / rho
	for i, f := range r.Decisions(d) {
		margin, weight := d.Y[i]*f, math.Abs(beta[i])*rho
		switch {
		case weight > 1-1e-9:
			bounded++
			if margin > 1+slack {
				t.Errorf("row %d at the bound has margin %g", i, margin)
			}
		case weight == 0 && margin < 1-slack, weight > 0 && math.Abs(margin-1) > slack:
			t.Errorf("row %d with weight %g has margin %g", i, weight, margin)
		}
		if weight > 0 {
			support++
		}
		if margin < 1-slack {
			errors++
		}
	}
	if float64(errors) > s.Nu*n+1e-9 || float64(support) < s.Nu*n-1e-9 {
		t.Errorf("ν %g: %d rows within the margin, %d support vectors of %g", s.Nu, errors, support, n)
	}
	same, err := SMO{Kernel: s.Kernel, C: 1 / rho, Epsilon: s.Epsilon / rho}.Fit(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	if want := -same.Objective; math.Abs(total-objective/(rho*rho)-want) > 1e-4*want {
		t.Errorf("as a C-SVC its objective is %g, the optimum %g", total-objective/(rho*rho), want)
	}
	return bounded
}

func TestNuSVCRefuses(t *testing.T) {
	d := mixture(40, 3, 1)
	unbalanced := d.Subset([]int{0, 1, 2, 4, 6, 8, 10, 12, 14, 16})
	same := &Dataset{Dim: 1, Labels: []float64{-1, 1}, X: make([]Vector, 4), Y: []float64{-1, 1, -1, 1}}
	for _, c := range []struct {
		s    NuSVC
		d    *Dataset
		want string
	}{
		{NuSVC{Nu: -1}, d, "NuSVC.Nu = -1: want > 0"},
		{NuSVC{Nu: 1.5}, d, "NuSVC.Nu = 1.5: want in (0, 1]"},
		{NuSVC{}, unbalanced, "NuSVC.Nu = 0.5: want in (0, 0.2], twice the share of the smaller class, 1 of 10 rows"},
		{NuSVC{Epsilon: math.NaN()}, d, "NuSVC.Epsilon = NaN"},
		{NuSVC{}, d.Subset([]int{0, 2, 4}), "all rows are of the class -1"},
		{NuSVC{Kernel: Linear{}}, same, "NuSVC.Nu = 0.5: want more"},
	} {
		if _, err := c.s.Fit(context.Background(), c.d); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.s, err, c.want)
		}
	}
	// The greatest ν: every row of the smaller class is at its bound.
	r, err := NuSVC{Kernel: RBF{Gamma: 1}, Nu: 0.2, Epsilon: 1e-6}.Fit(context.Background(), unbalanced)
	if err != nil || math.IsNaN(r.Bias) || math.IsInf(r.Bias, 0) || r.SupportSize() < 2 {
		t.Fatalf("%v, error %v", r, err)
	}
}

func TestNuSVCEndedEarly(t *testing.T) {
	d := mixture(3000, 4, 2)
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	r, err := NuSVC{}.Fit(ended, d)
	if !errors.Is(err, context.Canceled) || r == nil || r.Status != Canceled {
		t.Fatalf("%v, error %v", r, err)
	}
	r, err = NuSVC{Settings: Settings{MaxIterations: 50}}.Fit(context.Background(), d)
	if err != nil || r.Status != IterationLimit || r.Iterations != 50 || r.SupportSize() < 1500 {
		t.Fatalf("%v, error %v", r, err)
	}
	for _, f := range r.Decisions(d) {
		if math.IsNaN(f) || math.IsInf(f, 0) {
			t.Fatalf("decision value %g", f)
		}
	}
}

// libsvmRun trains with svm-train and returns the objective and rho that it prints.
func libsvmRun(t *testing.T, d *Dataset, target []float64, options ...string) (objective, rho float64) {
	t.Helper()
	program, err := exec.LookPath("svm-train")
	if err != nil {
		t.Skip("svm-train is not installed")
	}
	var text strings.Builder
	for i, x := range d.X {
		fmt.Fprintf(&text, "%.17g", target[i])
		for k, j := range x.Index {
			fmt.Fprintf(&text, " %d:%.17g", j+1, x.Value[k])
		}
		text.WriteByte('\n')
	}
	file := filepath.Join(t.TempDir(), "set")
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(program, append(options, file, file+".model")...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	m := regexp.MustCompile(`obj = (\S+), rho = (\S+)`).FindSubmatch(out)
	if m == nil {
		t.Fatalf("no objective in %s", out)
	}
	objective, err = strconv.ParseFloat(string(m[1]), 64)
	if err == nil {
		rho, err = strconv.ParseFloat(string(m[2]), 64)
	}
	if err != nil {
		t.Fatal(err)
	}
	return objective, rho
}

func TestNuSVCAgainstLIBSVM(t *testing.T) {
	d := mixture(400, 5, 3)
	for _, nu := range []float64{0.5, 0.8} {
		objective, rho := libsvmRun(t, d, d.Y, "-s", "1", "-n", fmt.Sprint(nu), "-g", "0.5", "-e", "1e-5")
		r, err := NuSVC{Kernel: RBF{Gamma: 0.5}, Nu: nu, Epsilon: 1e-5}.Fit(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		total := 0.0
		for _, b := range r.Coefficients {
			total += math.Abs(b)
		}
		margin := nu * float64(d.Len()) / total
		if ours := r.Objective / (margin * margin); math.Abs(ours-objective) > 1e-4*objective {
			t.Errorf("ν %g: objective %.9g, LIBSVM's %.9g", nu, ours, objective)
		}
		if math.Abs(r.Bias+rho) > 2e-3*(1+math.Abs(rho)) {
			t.Errorf("ν %g: bias %.9g, LIBSVM's %.9g", nu, r.Bias, -rho)
		}
	}
}

// ε-SVR, which OsunaGirosi uses, by the same blocks.
func TestRegressionAgainstLIBSVM(t *testing.T) {
	for _, n := range []int{300, 2300} {
		d := mixture(n, 5, uint64(n)+1)
		p := dualCases(d, 2)["regression"]
		target := make([]float64, n)
		for i := range target {
			target[i] = p.target[i] + 0.1
		}
		want, rho := libsvmRun(t, d, target, "-s", "3", "-p", "0.1", "-c", "2", "-g", "0.3", "-e", "1e-5")
		objective, residual := solveDual(t, p, RBF{Gamma: 0.3}, 1e-5, 2)
		if math.Abs(objective-want) > 1e-5*math.Abs(want) {
			t.Errorf("%d rows: objective %.9g, LIBSVM's %.9g", n, objective, want)
		}
		if bias := p.bias(residual); math.Abs(bias+rho) > 1e-3 {
			t.Errorf("%d rows: bias %.9g, LIBSVM's %.9g", n, bias, -rho)
		}
	}
}
