package solvers_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// budgetSVM is s for the table of all solvers, without pruning, so that Objective is the model's.
func budgetSVM(s solvers.BudgetSVM) func(solvers.Kernel, *solvers.Model, solvers.Settings) solvers.Solver {
	return func(k solvers.Kernel, _ *solvers.Model, settings solvers.Settings) solvers.Solver {
		s.Kernel, s.Settings, s.KeepAll, s.Epsilon = k, settings, true, 1e-8
		return s
	}
}

// budgetProblem is a problem and optima by an interior-point method.
type budgetProblem struct {
	Gamma  float64
	X      [][]float64
	Y      []float64
	L1, L2 []budgetOptimum
	budgetOptimum
}

type budgetOptimum struct {
	B               int
	C, Dual, Primal float64
	CapActive       bool
}

// budgetReference reads the optima, and two small problems on which the usual pairs of rows stop short.
func budgetReference(t *testing.T) (problems []budgetProblem, tinyL1, tinyL2 budgetProblem) {
	t.Helper()
	text, err := os.ReadFile("testdata/budget.json")
	var file struct {
		Problems []budgetProblem
		TinyL1   budgetProblem `json:"tiny_l1"`
		TinyL2   budgetProblem `json:"tiny_l2"`
	}
	if err = errors.Join(err, json.Unmarshal(text, &file)); err != nil {
		t.Fatal(err)
	}
	return file.Problems, file.TinyL1, file.TinyL2
}

func (p budgetProblem) dataset(t *testing.T) *solvers.Dataset {
	t.Helper()
	d, err := solvers.FromDense(p.X, p.Y)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// The dual optima of an interior-point method, to 1e-4 and better.
func TestBudgetReference(t *testing.T) {
	problems, _, _ := budgetReference(t)
	checked, active := 0, 0
	for k, p := range problems {
		d := p.dataset(t)
		for _, squared := range []bool{false, true} {
			optima := p.L1
			if squared {
				optima = p.L2
			}
			for _, want := range optima {
				s := solvers.BudgetSVM{Kernel: solvers.RBF{Gamma: p.Gamma}, C: want.C, Budget: want.B, SquaredNorm: squared, KeepAll: true}
				r := fit(t, s, d)
				if !near(r.Objective, want.Dual, 1e-4) || r.Objective > want.Primal*(1+1e-6) || r.Gap > 1e-4 || r.Status != solvers.Converged {
					t.Errorf("problem %d, B %d, squared %v: %v, dual %.9g, want %.9g, gap %g", k, want.B, squared, r.Status, r.Objective, want.Dual, r.Gap)
				}
				if want.CapActive {
					active++
				}
				checked++
			}
		}
	}
	if checked != 36 || active == 0 {
		t.Error(checked, active)
	}
}

// Where the maximal violating pair that ignores the cap on Σα stops at 0.7501 (L1), and any two weights
// at a time within the ball at 1.4142 (L2).
func TestBudgetCounterexamples(t *testing.T) {
	_, l1, l2 := budgetReference(t)
	for _, p := range []budgetProblem{l1, l2} {
		squared := p.B == l2.B
		r := fit(t, solvers.BudgetSVM{Kernel: solvers.RBF{Gamma: p.Gamma}, C: p.C, Budget: p.B, SquaredNorm: squared, KeepAll: true, Epsilon: 1e-7}, p.dataset(t))
		if !near(r.Objective, p.Dual, 1e-6) {
			t.Errorf("squared %v: dual %.9g, want %.9g", squared, r.Objective, p.Dual)
		}
	}
}

// With the cap on Σα active, L1 is the ν-SVC with ν = B/n up to scale: the weights satisfy its
// conditions of optimality, and no more than B are at the bound, no fewer than B above 0.
func TestBudgetNu(t *testing.T) {
	problems, _, _ := budgetReference(t)
	p := problems[2]
	d := p.dataset(t)
	r := fit(t, solvers.BudgetSVM{Kernel: solvers.RBF{Gamma: p.Gamma}, C: 10, Budget: 20, KeepAll: true, Epsilon: 1e-11}, d)
	beta := betaOf(r.Model, d.Len())
	var sum float64
	var bounded, positive int
	// By class, -1 first: the slopes of weights that can fall, and of those that can grow.
	fall, grow := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for i, x := range d.X {
		alpha, class := d.Y[i]*beta[i], int(d.Y[i]+1)/2
		slope := d.Y[i] * (r.Decision(x) - r.Bias)
		sum += alpha
		if alpha > 0 {
			positive++
			fall[class] = min(fall[class], -slope)
		}
		if alpha < 10 {
			grow[class] = max(grow[class], -slope)
		} else {
			bounded++
		}
	}
	for class := range fall {
		if violation := grow[class] - fall[class]; violation > 1e-5 {
			t.Errorf("class %d: a pair violates the ν-SVC's conditions by %g", class, violation)
		}
	}
	if math.Abs(sum-200) > 1e-9 || bounded > 20 || positive < 20 || positive != 28 {
		t.Errorf("Σα = %g, %d at the bound, %d above 0", sum, bounded, positive)
	}
}

// All norms come to a gap of 1e-6, with class weights too.
func TestBudgetBall(t *testing.T) {
	checked, active := 0, 0
	for seed := range uint64(12) {
		d := svmtest.Random(60, 2, seed)
		for n, s := range []solvers.BudgetSVM{{Budget: 40, SquaredNorm: true}, {Budget: 10, MixedNorm: true}, {Budget: 25, MixedNorm: true}, {Budget: 12}, {Budget: 1000}} {
			if seed%3 == 1 {
				s.WeightPositive = 3
			} else if seed%3 == 2 {
				s.WeightNegative, s.WeightPositive = 0.2, 0.7
			}
			s.Kernel, s.C, s.KeepAll, s.Epsilon = solvers.RBF{Gamma: 0.5}, 2, true, 1e-6
			r := fit(t, s, d)
			objective, gap := recomputeBudget(r, d)
			if gap > 1.001e-6 || math.Abs(gap-r.Gap) > 1e-10 || !near(objective, r.Objective, 1e-10) {
				t.Errorf("seed %d, budget %d, mixed %v: gap %g, from the model %g, after %d iterations", seed, s.Budget, s.MixedNorm, r.Gap, gap, r.Iterations)
			}
			norm, squares, sum := budgetNorm(s), 0.0, 0.0
			for k, i := range r.Indices {
				alpha := d.Y[i] * r.Coefficients[k] / classWeight(r.Solver.(solvers.BudgetSVM), d.Y[i])
				if alpha < 0 || alpha > norm.box*(1+1e-12) {
					t.Errorf("seed %d: a weight is %g", seed, alpha)
				}
				squares += alpha * alpha
				sum += alpha
			}
			if length := math.Sqrt(squares); length > norm.ball*(1+1e-12) || sum > norm.sum*(1+1e-12) {
				t.Errorf("seed %d: ‖α‖₂ = %g, Σα = %g", seed, length, sum)
			} else if n < 3 && length > norm.ball*(1-1e-6) || n == 3 && sum > norm.sum*(1-1e-9) {
				active++
			}
			checked++
		}
	}
	if checked != 60 || active < 30 {
		t.Errorf("checked %d, the ball active in %d", checked, active)
	}
}

// At most Budget support vectors are left, the largest, and no small change of the bias or a coefficient makes
// the squared slack of all rows with ‖w‖² less.
func TestBudgetPruned(t *testing.T) {
	pruned := 0
	for seed := range uint64(8) {
		d := svmtest.Random(120, 3, seed)
		for _, s := range []solvers.BudgetSVM{{}, {SquaredNorm: true}, {MixedNorm: true}} {
			s.Kernel, s.Budget, s.C = solvers.RBF{Gamma: 0.3}, 15, 3
			r := fit(t, s, d)
			s.KeepAll = true
			full := fit(t, s, d)
			if r.SupportSize() > 15 || r.FullSupportSize != full.SupportSize() || full.FullSupportSize != 0 || r.Objective != full.Objective {
				t.Fatalf("%d support vectors of %d, %d with KeepAll; objective %g, %g", r.SupportSize(), r.FullSupportSize, full.SupportSize(), r.Objective, full.Objective)
			}
			if full.SupportSize() <= 15 {
				continue
			}
			pruned++
			value := func(bias float64, k int, change float64) float64 {
				m := *r.Model
				m.Coefficients = slices.Clone(m.Coefficients)
				m.Coefficients[k] += change
				sum := m.Norm() * m.Norm() / 2
				for i, f := range m.Decisions(d) {
					sum += s.C * math.Pow(max(0, 1-d.Y[i]*(f+bias)), 2)
				}
				return sum
			}
			own := value(0, 0, 0)
			for _, change := range []float64{-1e-2, 1e-2} {
				for k := range r.Coefficients {
					if other := min(value(change, k, 0), value(0, k, change)); other < own*(1-1e-9) {
						t.Errorf("seed %d: value %g, with a change of %g %g", seed, own, change, other)
					}
				}
			}
			slack := make([]float64, d.Len())
			for i, margin := range r.Margins(d) {
				slack[i] = max(0, 1-margin)
			}
			last := r.Certificate[len(r.Certificate)-1]
			if primal := r.Norm()*r.Norm()/2 + budgetNorm(s).price(slack); !near(last.Bound, primal, 1e-6) {
				t.Errorf("seed %d: primal of the pruned model %g, recomputed %g", seed, last.Bound, primal)
			}
			for _, check := range r.Certificate {
				if !check.Holds() {
					t.Errorf("seed %d: %s: %g ≤ %g does not hold", seed, check.Claim, check.Value, check.Bound)
				}
			}
		}
	}
	if pruned < 12 {
		t.Errorf("pruned %d models", pruned)
	}
}

// A path keeps its budgets, and with KeepAll its models are those of Fit up to the gaps.
func TestBudgetPath(t *testing.T) {
	d := svmtest.Random(200, 3, 4)
	for _, s := range []solvers.BudgetSVM{{}, {SquaredNorm: true}, {MixedNorm: true}, {KeepAll: true}, {SquaredNorm: true, KeepAll: true}} {
		s.Kernel, s.Budget, s.Points, s.Epsilon = solvers.RBF{Gamma: 0.3}, 60, 6, 1e-5
		var budgets []float64
		last, err := s.FitPath(context.Background(), d, func(parameter float64, m *solvers.Model) error {
			budgets = append(budgets, parameter)
			same := s
			same.Budget = int(parameter)
			if !s.KeepAll && m.SupportSize() > same.Budget {
				t.Errorf("budget %g: %d support vectors", parameter, m.SupportSize())
			}
			if r := fit(t, same, d); s.KeepAll && math.Abs(m.Norm()-r.Norm()) > 0.05*(0.1+r.Norm()) {
				t.Errorf("budget %g: ‖w‖ %g, alone %g", parameter, m.Norm(), r.Norm())
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(budgets, []float64{2, 4, 8, 15, 30, 60}) || !s.KeepAll && last.SupportSize() > 60 {
			t.Errorf("budgets %v, the last model has %d support vectors", budgets, last.SupportSize())
		}
	}
	// Up to budgets that the weights cannot reach, which is the C-SVC.
	last, err := solvers.BudgetSVM{Kernel: solvers.RBF{Gamma: 0.3}, Budget: 400, Points: 5, KeepAll: true}.FitPath(context.Background(), d, func(float64, *solvers.Model) error { return nil })
	dense := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.3}}, d)
	if err != nil || last.Status != solvers.Converged || last.Gap > 1e-4 || !near(last.Objective, -dense.Objective, 2e-4) {
		t.Errorf("%v, objective %g, gap %g, of the C-SVC %g; %v", last, last.Objective, last.Gap, -dense.Objective, err)
	}
	enough := errors.New("enough")
	if r, err := (solvers.BudgetSVM{}).FitPath(context.Background(), d, func(float64, *solvers.Model) error { return enough }); err != enough || r != nil {
		t.Errorf("%v, %v", r, err)
	}
}

// A start at the optimum needs few steps, where there is no multiplier to find, one from another budget gives the same optimum, and
// one that is no model of the training set is an error.
func TestBudgetStart(t *testing.T) {
	d := svmtest.Random(150, 3, 8)
	for _, s := range []solvers.BudgetSVM{{}, {SquaredNorm: true}, {MixedNorm: true}} {
		s.Kernel, s.Budget, s.KeepAll, s.Epsilon = solvers.RBF{Gamma: 0.3}, 30, true, 1e-6
		cold := fit(t, s, d)
		other := s
		other.Budget = 60
		for k, start := range []*solvers.Model{cold.Model, fit(t, other, d).Model, fit(t, solvers.SMO{Kernel: s.Kernel, C: 10}, d).Model} {
			s.Start = start
			r := fit(t, s, d)
			if !near(r.Objective, cold.Objective, 2e-6) || k == 0 && !s.SquaredNorm && !s.MixedNorm && r.Iterations > cold.Iterations/2 {
				t.Errorf("start %d: objective %.9g after %d iterations, %.9g after %d", k, r.Objective, r.Iterations, cold.Objective, cold.Iterations)
			}
		}
		s.Start = &solvers.Model{Coefficients: []float64{1}, Indices: []int{150}}
		_, err := s.Fit(context.Background(), d)
		if wrong, ok := errors.AsType[*solvers.StartError](err); !ok || wrong.Error() != "BudgetSVM.Start: support vector 0 is row 150: want a model trained on this set, of 150 rows" {
			t.Error(err)
		}
	}
}

// Equal rows make the matrix of the support vectors singular, and a budget may be 1 or more than
// there are rows.
func TestBudgetDegenerate(t *testing.T) {
	d := svmtest.Random(20, 2, 4)
	copies := d.Subset([]int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7})
	checked := 0
	for _, budget := range []int{1, 2, 5, 1000} {
		for _, kernel := range kernels[:4] {
			for _, s := range []solvers.BudgetSVM{{}, {SquaredNorm: true}, {MixedNorm: true}} {
				s.Kernel, s.Budget, s.Settings.MaxIterations = kernel, budget, 100000
				r := fit(t, s, copies)
				if r.SupportSize() > budget || math.IsNaN(r.Bias) || math.IsNaN(r.Norm()) || r.Status != solvers.Converged {
					t.Errorf("%v, budget %d: %v", kernel, budget, r)
				}
				checked++
			}
		}
	}
	if checked != 48 {
		t.Error(checked)
	}
}

func TestBudgetParameters(t *testing.T) {
	d := svmtest.SixPoints()
	for _, test := range []struct {
		s    solvers.BudgetSVM
		want string
	}{
		{solvers.BudgetSVM{C: -1}, "BudgetSVM.C = -1: want > 0 (0: default 1)"},
		{solvers.BudgetSVM{Budget: -3}, "BudgetSVM.Budget = -3: want ≥ 1 (0: default 100)"},
		{solvers.BudgetSVM{Points: -1}, "BudgetSVM.Points = -1: want ≥ 1 (0: default 10)"},
		{solvers.BudgetSVM{Epsilon: math.NaN()}, "BudgetSVM.Epsilon = NaN: want > 0 (0: default 0.0001)"},
		{solvers.BudgetSVM{SquaredNorm: true, MixedNorm: true}, "BudgetSVM: SquaredNorm and MixedNorm are both set: want one at most"},
		{solvers.BudgetSVM{Kernel: solvers.RBF{Gamma: -1}}, "RBF.Gamma = -1: want > 0 (0: default 1/Dim)"},
	} {
		if r, err := test.s.Fit(context.Background(), d); err == nil || err.Error() != test.want || r != nil {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}

func BenchmarkBudgetSVM(b *testing.B) {
	d := svmtest.Random(1000, 10, 1)
	for _, s := range []solvers.BudgetSVM{{}, {SquaredNorm: true}, {MixedNorm: true}} {
		s.Kernel, s.Settings.Workers = solvers.RBF{Gamma: 0.1}, 1
		name := map[[2]bool]string{{}: "L1", {true, false}: "L2", {false, true}: "mixed"}[[2]bool{s.SquaredNorm, s.MixedNorm}]
		b.Run(name, func(b *testing.B) {
			var evaluations int64
			for b.Loop() {
				r, err := s.Fit(context.Background(), d)
				if err != nil {
					b.Fatal(err)
				}
				evaluations += r.KernelEvaluations
			}
			b.ReportMetric(float64(evaluations)/float64(b.N), "kernel-evals/op")
		})
	}
}

// BenchmarkRealBudgetSVM reports the time on the real sets as a multiple of the C-SVC's.
func BenchmarkRealBudgetSVM(b *testing.B) {
	if os.Getenv("GONB_SVM_DATA") == "" {
		b.Skip("GONB_SVM_DATA names no folder of real data")
	}
	for _, set := range realSets {
		b.Run(set.name, func(b *testing.B) {
			data := set.load()
			if data.err != nil {
				b.Fatal(data.err)
			}
			dense, err := data.result.Solver.Fit(context.Background(), data.train)
			if err != nil {
				b.Fatal(err)
			}
			var evaluations int64
			var seconds float64
			for b.Loop() {
				r, err := solvers.BudgetSVM{Kernel: dense.Kernel, C: set.c, KeepAll: true}.Fit(context.Background(), data.train)
				if err != nil {
					b.Fatal(err)
				}
				evaluations += r.KernelEvaluations
				seconds += r.Runtime.Seconds()
			}
			b.ReportMetric(float64(evaluations)/float64(b.N), "kernel-evals/op")
			b.ReportMetric(seconds/float64(b.N)/dense.Runtime.Seconds(), "references/op")
		})
	}
}
