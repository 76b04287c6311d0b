package solvers_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

var issvmRules = []solvers.ISSVM{{}, {Aggressive: true}, {LearnBias: true}, {Aggressive: true, LearnBias: true}}

// checkCertificate recomputes the three facts of ISSVM's theory from the model and its reference,
// for K(x, x) ≤ R² and the default step.
func checkCertificate(t *testing.T, r *solvers.Result, d *solvers.Dataset, epsilon, radius2 float64) {
	t.Helper()
	value, _ := recomputeISSVM(r, d)
	if value > epsilon+1e-9 {
		t.Errorf("value %g, want ≤ %g", value, epsilon)
	}
	bound := radius2 * math.Pow(r.Reference.Norm()/epsilon, 2)
	if float64(r.Iterations) > bound*(1+1e-9) {
		t.Errorf("%d steps, want ≤ %g", r.Iterations, bound)
	}
	var slant, hinge float64
	for i, x := range d.X {
		slant += min(1, max(0, 1-epsilon-d.Y[i]*r.Decision(x))) / float64(d.Len())
		hinge += max(0, 1-d.Y[i]*r.Reference.Decision(x)) / float64(d.Len())
	}
	if slant > hinge+1e-9 {
		t.Errorf("mean slant loss %g, want ≤ mean hinge loss %g", slant, hinge)
	}
	if len(r.Certificate) != 3 {
		t.Fatalf("%d checks", len(r.Certificate))
	}
	for k, want := range [3][2]float64{{value, epsilon}, {float64(r.Iterations), bound}, {slant, hinge}} {
		c := r.Certificate[k]
		if math.Abs(c.Value-want[0]) > 1e-8 || math.Abs(c.Bound-want[1]) > 1e-8*(1+bound) || !c.Holds() {
			t.Errorf("%s: stated %g ≤ %g, recomputed %g ≤ %g", c.Claim, c.Value, c.Bound, want[0], want[1])
		}
	}
}

// The three facts hold exactly, on every problem and for every rule.
func TestISSVMCertificate(t *testing.T) {
	checked, supports := 0, 0
	for seed := range uint64(200) {
		d := svmtest.Random(20+int(seed%60), 1+int(seed%6), seed)
		reference := fit(t, solvers.SMO{Kernel: kernels[seed%3], C: []float64{0.1, 1, 30}[seed/3%3]}, d).Model
		radius2 := 0.0
		for _, x := range d.X {
			radius2 = max(radius2, reference.Kernel.Eval(x, x))
		}
		for _, s := range issvmRules {
			s.Reference = reference
			epsilon := 0.5
			if seed%2 == 1 {
				epsilon = 0.1
				s.Epsilon = epsilon
			}
			r := fit(t, s, d)
			checkCertificate(t, r, d, epsilon, radius2)
			checked++
			supports += r.SupportSize()
		}
	}
	if checked != 800 || supports == 0 {
		t.Errorf("checked %d results with %d support vectors", checked, supports)
	}
}

// With the bias kept it is the reference's; learned, it is the best for the coefficients.
func TestISSVMBias(t *testing.T) {
	d := svmtest.Random(80, 3, 3)
	reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: 5}, d).Model
	kept := fit(t, solvers.ISSVM{Reference: reference}, d)
	if kept.Bias != reference.Bias {
		t.Errorf("kept bias %g, reference has %g", kept.Bias, reference.Bias)
	}
	learned := fit(t, solvers.ISSVM{Reference: reference, LearnBias: true}, d)
	value, _ := recomputeISSVM(learned, d)
	for _, delta := range []float64{-0.01, 0.01} {
		other := *learned
		model := *learned.Model
		model.Bias += delta
		other.Model = &model
		if worse, _ := recomputeISSVM(&other, d); worse < value+0.009 {
			t.Errorf("bias changed by %g: value %g, was %g", delta, worse, value)
		}
	}
}

// w̃ stays in the ball; one that holds w keeps the bound on the steps, a smaller one has none.
func TestISSVMRadius(t *testing.T) {
	d := svmtest.Random(80, 3, 3)
	reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: 5}, d).Model
	for _, share := range []float64{0.3, 0.6, 1.01} {
		for _, s := range issvmRules {
			s.Reference, s.Radius, s.Settings.MaxIterations = reference, share*reference.Norm(), 500
			r := fit(t, s, d)
			if norm := r.Norm(); norm > s.Radius*(1+1e-9) {
				t.Errorf("‖w̃‖ = %g, radius %g", norm, s.Radius)
			}
			bound := r.Certificate[1].Bound
			if math.IsInf(bound, 1) != (share < 1) || !r.Certificate[1].Holds() {
				t.Errorf("radius %g·‖w‖: bound %g on %d steps", share, bound, r.Iterations)
			}
			value, _ := recomputeISSVM(r, d)
			if math.Abs(value-r.Objective) > 1e-9 {
				t.Errorf("radius %g·‖w‖: value %g, from the model %g", share, r.Objective, value)
			}
		}
	}
}

func TestISSVMLongStep(t *testing.T) {
	d := svmtest.Random(50, 3, 1)
	r := fit(t, solvers.ISSVM{Kernel: solvers.RBF{Gamma: 1}, Eta: 1, Settings: solvers.Settings{MaxIterations: 1000}}, d)
	if bound := r.Certificate[1].Bound; !math.IsInf(bound, 1) {
		t.Errorf("Eta = 2ε/R²: bound %g on the steps, want none", bound)
	}
}

// A reference that puts all rows into one class leaves nothing to learn.
func TestISSVMOneSidedReference(t *testing.T) {
	d := svmtest.Random(30, 3, 1)
	kernel := solvers.RBF{Gamma: 1}
	for _, bias := range []float64{-1, 0, 2} {
		for _, s := range issvmRules {
			s.Reference = &solvers.Model{Kernel: kernel, Bias: bias}
			r := fit(t, s, d)
			if r.SupportSize() != 0 || r.Bias != bias || r.Status != solvers.Converged {
				t.Errorf("bias %g: %v", bias, r)
			}
			_ = r.HTML()
		}
	}
}

// A path visits models from sparse to dense, each as the solver would leave it after so many
// iterations.
func TestISSVMPath(t *testing.T) {
	d := svmtest.Random(300, 4, 2)
	reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: 10}, d).Model
	for _, s := range []solvers.ISSVM{{}, {Aggressive: true}, {KeepBias: true}, {KeepBias: true, Aggressive: true}} {
		s.Reference, s.Epsilon = reference, 0.1
		var sizes []int
		checked := 0
		last, err := s.FitPath(context.Background(), d, func(parameter float64, m *solvers.Model) error {
			sizes = append(sizes, m.SupportSize())
			if checked%7 == 0 {
				same := s
				same.LearnBias, same.KeepBias = !s.KeepBias, false
				same.Settings.MaxIterations = int(parameter)
				if r := fit(t, same, d); !slices.Equal(r.Coefficients, m.Coefficients) || r.Bias != m.Bias {
					t.Errorf("after %g iterations the path has another model than Fit", parameter)
				}
			}
			checked++
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		for i := 1; i < len(sizes); i++ {
			if sizes[i] <= sizes[i-1] && i != len(sizes)-1 {
				t.Errorf("%d support vectors after %d", sizes[i], sizes[i-1])
			}
		}
		if len(sizes) < 10 || sizes[len(sizes)-1] != last.SupportSize() || last.Reference.SupportSize() != reference.SupportSize() {
			t.Errorf("sizes %v, the last model has %d", sizes, last.SupportSize())
		}
	}
}

func TestISSVMPathStops(t *testing.T) {
	d := svmtest.Random(100, 4, 2)
	enough := errors.New("enough")
	calls := 0
	r, err := solvers.ISSVM{Kernel: solvers.RBF{Gamma: 1}}.FitPath(context.Background(), d, func(float64, *solvers.Model) error {
		calls++
		return enough
	})
	if err != enough || r != nil || calls != 1 {
		t.Errorf("%v, %v after %d calls", r, err, calls)
	}
}

func TestISSVMParameters(t *testing.T) {
	d := svmtest.SixPoints()
	good := fit(t, solvers.SMO{Kernel: solvers.Linear{}}, d).Model
	for _, test := range []struct {
		s    solvers.ISSVM
		want string
	}{
		{solvers.ISSVM{Epsilon: -1}, "ISSVM.Epsilon = -1: want > 0 (0: default 0.5)"},
		{solvers.ISSVM{Eta: -1}, "ISSVM.Eta = -1: want > 0 (0: default Epsilon/R²)"},
		{solvers.ISSVM{Eta: math.NaN()}, "ISSVM.Eta = NaN: want > 0 (0: default Epsilon/R²)"},
		{solvers.ISSVM{Radius: math.Inf(1)}, "ISSVM.Radius = +Inf: want > 0 (0: no ball)"},
		{solvers.ISSVM{LearnBias: true, KeepBias: true}, "ISSVM: LearnBias and KeepBias are both set: want one at most"},
		{solvers.ISSVM{C: -1}, "ISSVM.Reference: SMO.C = -1: want > 0 (0: default 1)"},
		{solvers.ISSVM{Reference: good, C: 1}, "ISSVM.Reference: it is given, and Kernel and C are for fitting one: leave them out"},
		{solvers.ISSVM{Reference: good, Kernel: solvers.Linear{}}, "ISSVM.Reference: it is given, and Kernel and C are for fitting one: leave them out"},
		{solvers.ISSVM{Reference: &solvers.Model{}}, "ISSVM.Reference: the model has no kernel"},
		{solvers.ISSVM{Reference: &solvers.Model{Kernel: solvers.Linear{}, Coefficients: []float64{1}}}, "ISSVM.Reference: 0 support vectors but 1 coefficients"},
		{solvers.ISSVM{Settings: solvers.Settings{MaxIterations: -2}}, "ISSVM.Settings.MaxIterations = -2: want ≥ 0 (0: the default)"},
	} {
		if r, err := test.s.Fit(context.Background(), d); err == nil || err.Error() != test.want || r != nil {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}

func BenchmarkISSVM(b *testing.B) {
	d := svmtest.Random(2000, 10, 1)
	reference, err := solvers.SMO{Kernel: solvers.RBF{Gamma: 0.1}}.Fit(context.Background(), d)
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	var evaluations int64
	for range b.N {
		r, err := solvers.ISSVM{Reference: reference.Model, Settings: solvers.Settings{Workers: 1}}.Fit(context.Background(), d)
		if err != nil {
			b.Fatal(err)
		}
		evaluations += r.KernelEvaluations
	}
	b.ReportMetric(float64(evaluations)/float64(b.N), "kernel-evals/op")
}
