package solvers

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"
)

// changed is d with every row's values changed.
func changed(d *Dataset, change func(row int, value []float64)) *Dataset {
	e := *d
	e.X = slices.Clone(d.X)
	for i, x := range e.X {
		e.X[i].Value = slices.Clone(x.Value)
		change(i, e.X[i].Value)
	}
	return &e
}

// Where numbers are awkward the block solver reaches the objective of the plain solver in
// float64, which a kernel of one's own gets, to 1e-6 relative.
func TestBlocksSound(t *testing.T) {
	many, few := mixture(2050, 4, 11), mixture(63, 4, 12)
	twins := changed(many, func(int, []float64) {})
	for i := range twins.X {
		twins.X[i] = twins.X[i/8*8] // eight rows each, of both classes
	}
	for name, c := range map[string]struct {
		d       *Dataset
		kernel  Kernel
		c       float64
		epsilon float64
	}{
		"tolerance 1e-6": {many, RBF{Gamma: 0.5}, 1, 1e-6},
		"C 1e4":          {few, RBF{Gamma: 0.5}, 1e4, 1e-6},
		"C 1e4, linear":  {mixture(40, 4, 3), Linear{}, 1e4, 1e-5},
		"C 1e-6":         {many, RBF{Gamma: 0.5}, 1e-6, 1e-3},
		"small features": {changed(many, func(_ int, v []float64) {
			for j := range v {
				v[j] *= 1e-7
			}
		}), RBF{Gamma: 1e13}, 1, 1e-5},
		"large features": {changed(many, func(_ int, v []float64) {
			for j := range v {
				v[j] *= 1e9
			}
		}), RBF{Gamma: 1e-18}, 1, 1e-5},
		"bad scale": {changed(many, func(_ int, v []float64) {
			v[0], v[1] = v[0]*1e5, v[1]*1e-6
		}), RBF{Gamma: 1e-9}, 1, 1e-5},
		"bad scale, linear": {changed(few, func(_ int, v []float64) {
			v[0], v[1] = v[0]*10, v[1]*1e-6
		}), Linear{}, 0.01, 1e-6},
		"far from the origin": {changed(many, func(_ int, v []float64) { v[0] += 1e7 }), RBF{Gamma: 0.5}, 1, 1e-5},
		"tiny gamma":          {many, RBF{Gamma: 1e-12}, 1, 1e-6},
		"huge gamma":          {many, RBF{Gamma: 1e12}, 1, 1e-6},
		"duplicates":          {twins, RBF{Gamma: 0.5}, 1, 1e-5},
		"constant features":   {changed(many, func(_ int, v []float64) { v[1], v[2] = 3, -1e4 }), RBF{Gamma: 0.5}, 1, 1e-5},
		"all the same":        {changed(many, func(_ int, v []float64) { copy(v, []float64{1, 2, 3, 4}) }), RBF{Gamma: 0.5}, 1, 1e-6},
		"63 rows":             {few, RBF{Gamma: 0.5}, 1, 1e-6},
		"64 rows":             {mixture(64, 4, 5), RBF{Gamma: 0.5}, 10, 1e-6},
		"65 rows":             {mixture(65, 4, 6), RBF{Gamma: 0.5}, 10, 1e-6},
		"polynomial":          {many, Poly{Gamma: 0.2, Coef0: 1, Degree: 3}, 0.01, 1e-5},
		"even polynomial":     {many, Poly{Gamma: 0.5, Degree: 2}, 0.01, 1e-5},
	} {
		t.Run(name, func(t *testing.T) {
			s := SMO{Kernel: c.kernel, C: c.c, Epsilon: c.epsilon}
			fast, err := s.Fit(context.Background(), c.d)
			if err != nil {
				t.Fatal(err)
			}
			s.Kernel = KernelFunc(c.kernel.Eval)
			plain, err := s.Fit(context.Background(), c.d)
			if err != nil {
				t.Fatal(err)
			}
			if difference := math.Abs(fast.Objective-plain.Objective) / math.Abs(plain.Objective); !(difference <= 1e-6) {
				t.Errorf("objective %.10g, plain %.10g: %.2g relative", fast.Objective, plain.Objective, difference)
			}
			if fast.Status != Converged || fast.Gap > c.epsilon {
				t.Errorf("%v with gap %g", fast.Status, fast.Gap)
			}
		})
	}
}

// With a kernel that is not positive semidefinite there are many local minima, so that two
// solvers may end at different ones. What is reached is one: the optimality conditions hold, and
// the objective is the model's.
func TestBlocksIndefinite(t *testing.T) {
	for _, n := range []int{50, 2100} {
		d := mixture(n, 4, uint64(n))
		for name, k := range map[string]Kernel{"sigmoid": Sigmoid{Gamma: 0.5, Coef0: -0.5}, "odd polynomial": Poly{Gamma: 0.3, Coef0: -1, Degree: 3}} {
			s := SMO{Kernel: k, C: 0.1, Epsilon: 1e-4, WeightNegative: 1, WeightPositive: 1}
			r, err := s.Fit(context.Background(), d)
			if err != nil || r.Status != Converged {
				t.Fatalf("%s, %d rows: %v, error %v", name, n, r, err)
			}
			p := s.problem(d)
			p.beta = betaOn(r.Model, n)
			objective, violation, infeasible := conditions(p, k, make([]float64, n))
			if math.Abs(objective-r.Objective) > 1e-6*math.Abs(objective) || violation > 1.5*s.Epsilon || infeasible > 1e-9 || objective >= 0 {
				t.Errorf("%s, %d rows: objective %.9g, recomputed %.9g; violation %g, constraints broken by %g",
					name, n, r.Objective, objective, violation, infeasible)
			}
		}
	}
}

// Data of one class are refused with a text that says so.
func TestOneClass(t *testing.T) {
	d := mixture(70, 3, 1)
	var rows []int
	for i, y := range d.Y {
		if y > 0 {
			rows = append(rows, i)
		}
	}
	for _, s := range []Solver{SMO{}, SMO{SquaredHinge: true}, NuSVC{}, OsunaGirosi{}, ISSVM{}, SBP{}} {
		_, err := s.Fit(context.Background(), d.Subset(rows))
		if err == nil || !strings.Contains(err.Error(), "all rows are of the class +1: want rows of both classes") {
			t.Errorf("%s: %v", s.Name(), err)
		}
	}
}
