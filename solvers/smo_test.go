package solvers_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// On problems small enough to try every set of bounds, SMO reaches the optimum.
func TestSMOOptimum(t *testing.T) {
	checked := 0
	for seed := range uint64(120) {
		d := svmtest.Random(3+int(seed%4), 2, seed)
		s := solvers.SMO{Kernel: kernels[seed%3], C: []float64{0.1, 1, 20}[seed/3%3], Epsilon: 1e-7}
		if seed%2 == 1 {
			s.WeightNegative, s.WeightPositive = 0.5, 3
		}
		r := fit(t, s, d)
		dual, beta := dualOf(r.Model, d, s.C)
		for i, y := range d.Y {
			switch {
			case seed%2 == 1 && y < 0:
				dual.C[i] = 0.5 * s.C
			case seed%2 == 1:
				dual.C[i] = 3 * s.C
			}
		}
		want := dual.Optimum()
		if math.Abs(r.Objective-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("seed %d: objective %.10g, optimum %.10g", seed, r.Objective, want)
		}
		if broken := dual.Infeasible(beta); broken > 1e-12*s.C*10 {
			t.Errorf("seed %d: constraints broken by %g", seed, broken)
		}
		if violation := dual.Violation(beta); violation > 1e-7+1e-12 {
			t.Errorf("seed %d: violation %g", seed, violation)
		}
		checked++
	}
	if checked != 120 {
		t.Errorf("checked %d", checked)
	}
}

// Values of svm-train 3.24 -e 1e-6 on the toy set (100 rows of two normal classes).
func TestSMOToy(t *testing.T) {
	train, _, err := datasets.Load("toy")
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		s                   solvers.SMO
		objective, rho      float64
		support, atTheBound int
	}{
		{solvers.SMO{Kernel: solvers.Linear{}, C: 1}, -12.422416, 0.121619, 15, 12},
		{solvers.SMO{Kernel: solvers.Linear{}, C: 50}, -576.748071, 0.272673, 13, 10},
		{solvers.SMO{Kernel: solvers.Linear{}, C: 100}, -1152.360981, 0.272676, 13, 10},
		{solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: 1}, -15.907076, -0.023288, 31, 13},
		{solvers.SMO{Kernel: solvers.RBF{Gamma: 2}, C: 10}, -91.571150, -0.012269, 53, 5},
		{solvers.SMO{Kernel: solvers.Poly{Gamma: 0.5, Coef0: 1, Degree: 2}, C: 1}, -12.217782, 0.179270, 16, 11},
		{solvers.SMO{Kernel: solvers.Sigmoid{Gamma: 0.05}, C: 1}, -21.583675, 0.098917, 30, 27},
	} {
		test.s.Epsilon = 1e-6
		r := fit(t, test.s, train)
		bounded := 0
		for _, beta := range r.Coefficients {
			if math.Abs(beta) == test.s.C {
				bounded++
			}
		}
		if math.Abs(r.Objective-test.objective) > 2e-6*math.Abs(test.objective) || math.Abs(r.Bias+test.rho) > 1e-3 ||
			r.SupportSize() != test.support || bounded != test.atTheBound {
			t.Errorf("%v: obj = %f, rho = %f, nSV = %d, nBSV = %d\nwant %+v", r, r.Objective, -r.Bias, r.SupportSize(), bounded, test)
		}
	}
}

func TestSMOParameters(t *testing.T) {
	d := svmtest.SixPoints()
	for _, test := range []struct {
		s    solvers.SMO
		want string
	}{
		{solvers.SMO{C: -1}, "SMO.C = -1: want > 0 (0: default 1)"},
		{solvers.SMO{C: math.Inf(1)}, "SMO.C = +Inf: want > 0 (0: default 1)"},
		{solvers.SMO{C: math.NaN()}, "SMO.C = NaN: want > 0 (0: default 1)"},
		{solvers.SMO{Epsilon: -1e-3}, "SMO.Epsilon = -0.001: want > 0 (0: default 0.001)"},
		{solvers.SMO{WeightNegative: -1}, "SMO.WeightNegative = -1: want > 0 (0: default 1)"},
		{solvers.SMO{WeightPositive: -1}, "SMO.WeightPositive = -1: want > 0 (0: default 1)"},
		{solvers.SMO{Settings: solvers.Settings{Workers: -2}}, "SMO.Settings.Workers = -2: want ≥ 0 (0: the default)"},
	} {
		_, err := test.s.Fit(context.Background(), d)
		if _, ok := errors.AsType[*solvers.ParamError](err); !ok || err.Error() != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// Rows that occur in both classes, and rows without any feature, are no trouble.
func TestSMODegenerate(t *testing.T) {
	d := svmtest.Random(30, 2, 4)
	copies := d.Subset([]int{0, 0, 1, 1, 2, 2, 3, 3})
	for i := range copies.Y {
		copies.Y[i] = float64(2*(i%2) - 1)
	}
	empty := &solvers.Dataset{Dim: 0, X: make([]solvers.Vector, 4), Y: []float64{1, -1, 1, 1}}
	for _, d := range []*solvers.Dataset{copies, empty} {
		for _, kernel := range kernels[:4] {
			r := fit(t, solvers.SMO{Kernel: kernel}, d)
			if r.Status != solvers.Converged {
				t.Errorf("%v: %v", kernel, r.Status)
			}
		}
	}
}

// A weight larger for one class never makes more errors in it.
func TestSMOWeights(t *testing.T) {
	d := svmtest.Random(200, 3, 8)
	errorsOf := func(s solvers.SMO, class float64) (wrong int) {
		for i, f := range fit(t, s, d).Decisions(d) {
			if d.Y[i] == class && f*class < 0 {
				wrong++
			}
		}
		return wrong
	}
	plain := solvers.SMO{Kernel: solvers.Linear{}, C: 0.1}
	weighted := plain
	weighted.WeightPositive = 10
	if a, b := errorsOf(plain, 1), errorsOf(weighted, 1); b >= a || a == 0 {
		t.Errorf("%d errors of the class +1, with its weight 10 %d", a, b)
	}
}

func ExampleSMO() {
	train, test, _ := datasets.Load("banana")
	result, err := solvers.SMO{Kernel: solvers.RBF{Gamma: 1}, C: 10}.Fit(context.Background(), train)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(result.Status)
	fmt.Println(result.SupportSize() < train.Len()/2)
	fmt.Println(result.ErrorRate(test) < 0.15)
	// Output:
	// Converged
	// true
	// true
}

func BenchmarkSMO(b *testing.B) {
	d := svmtest.Random(2000, 10, 1)
	var evaluations int64
	for range b.N {
		r, err := solvers.SMO{Kernel: solvers.RBF{Gamma: 0.1}, Settings: solvers.Settings{Workers: 1}}.Fit(context.Background(), d)
		if err != nil {
			b.Fatal(err)
		}
		evaluations += r.KernelEvaluations
	}
	b.ReportMetric(float64(evaluations)/float64(b.N), "kernel-evals/op")
}
