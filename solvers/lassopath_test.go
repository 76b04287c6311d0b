package solvers_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// breakpoint is what a path visits, with the coefficients by the reference's support vectors.
type breakpoint struct {
	delta float64
	alpha []float64
	model *solvers.Model
}

func breakpoints(t *testing.T, s solvers.PathSolver, reference *solvers.Model, d *solvers.Dataset) ([]breakpoint, *solvers.Result) {
	t.Helper()
	var points []breakpoint
	l := lasso{k: make([][]float64, reference.SupportSize())}
	r, err := s.FitPath(context.Background(), d, func(delta float64, m *solvers.Model) error {
		points = append(points, breakpoint{delta, l.of(m, reference), m})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return points, r
}

// Between breakpoints the coefficients are linear, so that the optimum for any radius follows.
func TestLassoPathOptima(t *testing.T) {
	checked := 0
	for n, p := range lassoProblems(t) {
		reference, d := p.model(t)
		l := newLasso(reference)
		points, r := breakpoints(t, solvers.LassoPath{Reference: reference}, reference, d)
		points = append([]breakpoint{{alpha: make([]float64, d.Len())}}, points...)
		for _, optimum := range p.Optima {
			at := slices.IndexFunc(points, func(b breakpoint) bool { return b.delta >= optimum.Delta })
			if at < 1 {
				t.Fatalf("problem %d: the path does not reach %g", n, optimum.Delta)
			}
			before, after := points[at-1], points[at]
			share := (optimum.Delta - before.delta) / (after.delta - before.delta)
			alpha, worst := make([]float64, d.Len()), 0.0
			for i := range alpha {
				alpha[i] = (1-share)*before.alpha[i] + share*after.alpha[i]
				worst = max(worst, math.Abs(alpha[i]-optimum.Alpha[i]))
			}
			if got := l.objective(alpha); math.Abs(got-optimum.Objective) > 1e-6*math.Abs(optimum.Objective) {
				t.Errorf("problem %d, radius %g: objective %.12g, want %.12g", n, optimum.Delta, got, optimum.Objective)
			}
			if optimum.Delta < 0.3*norm1(p.Coefficients) && worst > 1e-6 {
				t.Errorf("problem %d, radius %g: a coefficient is wrong by %g", n, optimum.Delta, worst)
			}
			checked++
		}
		if r.Status != solvers.Converged || math.Abs(norm1(r.Coefficients)-norm1(p.Coefficients)) > 1e-3*norm1(p.Coefficients) {
			t.Errorf("problem %d: %v ends with ‖α‖₁ = %g, want %g", n, r, norm1(r.Coefficients), norm1(p.Coefficients))
		}
	}
	if checked != 10 {
		t.Errorf("checked %d radii", checked)
	}
}

// twins is a set with rows that are equal, nearly equal, and mirror images of each other, so that
// gradients tie and kernel matrices are singular.
func twins(n int, seed uint64) *solvers.Dataset {
	half := svmtest.Random(n, 2, seed)
	var x [][]float64
	var y []float64
	for i, v := range half.X {
		var dense [2]float64
		for k, index := range v.Index {
			dense[index] = math.Round(4*v.Value[k]) / 4
		}
		x = append(x, []float64{dense[0], dense[1]}, []float64{-dense[0], -dense[1]})
		y = append(y, half.Y[i], -half.Y[i])
		if i%3 == 0 {
			x = append(x, []float64{dense[0] + 1e-6, dense[1]})
			y = append(y, half.Y[i])
		}
	}
	d, err := solvers.FromDense(x, y)
	if err != nil {
		panic(err)
	}
	return d
}

// At every breakpoint the conditions hold; δ grows, and the gradient and the objective fall.
func TestLassoPathConditions(t *testing.T) {
	checked, left, back := 0, 0, 0
	for seed := range uint64(40) {
		d, allowed := svmtest.Random(20+4*int(seed), 3, 300+seed), 1e-9
		if seed%2 == 1 {
			d, allowed = twins(8+int(seed), seed), 3e-7 // where vectors count as dependent
		}
		for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 0.7}, solvers.RBF{Gamma: 20}, solvers.Linear{}, solvers.Poly{Gamma: 0.5, Coef0: 1, Degree: 2}} {
			reference := fit(t, solvers.SMO{Kernel: kernel, C: []float64{1, 100}[seed/2%2]}, d).Model
			l := newLasso(reference)
			start := l.steepest(make([]float64, len(l.k)))
			points, r := breakpoints(t, solvers.LassoPath{Reference: reference}, reference, d)
			previous := breakpoint{alpha: make([]float64, len(l.k))}
			gone := make([]bool, len(l.k))
			for n, b := range points {
				if violation := l.violation(b.alpha); violation > allowed*start {
					t.Fatalf("seed %d, %v, breakpoint %d of %d: conditions violated by %g of %g", seed, kernel, n, len(points), violation, start)
				}
				if got := norm1(b.alpha); math.Abs(got-b.delta) > 1e-12*got || b.delta < previous.delta*(1-allowed) {
					t.Errorf("seed %d, %v, breakpoint %d: parameter %g after %g, ‖α‖₁ = %g", seed, kernel, n, b.delta, previous.delta, got)
				}
				if l.steepest(b.alpha) > l.steepest(previous.alpha)+1e-12*start || l.objective(b.alpha) > l.objective(previous.alpha)+1e-12*math.Abs(r.Objective) {
					t.Errorf("seed %d, %v, breakpoint %d: not better than the one before", seed, kernel, n)
				}
				for j, a := range b.alpha {
					switch {
					case a == 0 && previous.alpha[j] != 0:
						left++
						gone[j] = true
					case a != 0 && gone[j]:
						back++
						gone[j] = false
					}
				}
				previous = b
				checked++
			}
			if last := l.steepest(previous.alpha); r.Status != solvers.Converged || last > allowed*start {
				t.Errorf("seed %d, %v: %v, the gradient is %g of %g", seed, kernel, r, last, start)
			}
		}
	}
	t.Logf("%d breakpoints, %d support vectors left, %d came back", checked, left, back)
	if checked < 5000 || left < 500 || back < 100 {
		t.Errorf("%d breakpoints, %d support vectors left, %d came back", checked, left, back)
	}
}

func TestLassoPathMaxSupport(t *testing.T) {
	d := svmtest.Random(150, 3, 12)
	reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 2}}, d).Model
	all, _ := breakpoints(t, solvers.LassoPath{Reference: reference}, reference, d)
	for _, size := range []int{1, 2, 17, 40} {
		some, r := breakpoints(t, solvers.LassoPath{Reference: reference, MaxSupport: size}, reference, d)
		last := some[len(some)-1]
		if r.Status != solvers.BudgetReached || r.SupportSize() != size || last.model.SupportSize() != size {
			t.Errorf("MaxSupport %d: %v", size, r)
		}
		for k, b := range some {
			if b.delta != all[k].delta || !slices.Equal(b.alpha, all[k].alpha) || b.model.SupportSize() > size {
				t.Fatalf("MaxSupport %d: breakpoint %d is not that of the whole path", size, k)
			}
		}
		// The one that would come next has more.
		if next := all[len(some)].model.SupportSize(); next < size {
			t.Errorf("MaxSupport %d: the next breakpoint has %d", size, next)
		}
	}
	stop := errors.New("enough")
	visits := 0
	_, err := solvers.LassoPath{Reference: reference}.FitPath(context.Background(), d, func(float64, *solvers.Model) error {
		if visits++; visits == 3 {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) || visits != 3 {
		t.Errorf("%v after %d visits", err, visits)
	}
	_, err = solvers.LassoPath{MaxSupport: -1}.Fit(context.Background(), d)
	if _, ok := errors.AsType[*solvers.ParamError](err); !ok || err.Error() != "LassoPath.MaxSupport = -1: want ≥ 1 (0: default 1000)" {
		t.Error(err)
	}
}

// A path of the first 500 support vectors: the conditions hold at the last breakpoint and some
// others, by responses to the reference's support vectors.
func TestRealLassoPath(t *testing.T) {
	for _, set := range realSets {
		t.Run(set.name, func(t *testing.T) {
			data := set.realData(t)
			reference := data.result.Model
			among := &solvers.Dataset{Dim: data.train.Dim, X: reference.SupportVectors, Y: make([]float64, reference.SupportSize())}
			dense := reference.Decisions(among)
			start, checked, visits := 0.0, 0, 0
			for _, f := range dense {
				start = max(start, math.Abs(f-reference.Bias))
			}
			check := func(m *solvers.Model) {
				tau, worst := 0.0, 0.0
				own := map[int]float64{}
				for k, i := range m.Indices {
					own[i] = m.Coefficients[k]
				}
				sparse := m.Decisions(among)
				for k := range dense {
					tau = max(tau, math.Abs(dense[k]-sparse[k]))
				}
				for k, i := range reference.Indices {
					if a := own[i]; a != 0 {
						worst = max(worst, math.Abs(dense[k]-sparse[k]-math.Copysign(tau, a)))
					}
				}
				if worst > 1e-8*start {
					t.Errorf("%d support vectors: conditions violated by %g of %g", m.SupportSize(), worst, start)
				}
				checked++
			}
			r, err := solvers.LassoPath{Reference: reference, MaxSupport: 500}.FitPath(context.Background(), data.train, func(_ float64, m *solvers.Model) error {
				if visits++; visits%100 == 0 || m.SupportSize() == 500 {
					check(m)
				}
				return nil
			})
			if err != nil || r.Status != solvers.BudgetReached || r.SupportSize() != 500 || checked < 5 {
				t.Errorf("%v, %v; %d checked", r, err, checked)
			}
			t.Log(r, visits, r.TuneBias(data.test).ErrorRate(data.test))
		})
	}
}

func ExampleLassoPath() {
	train, test, _ := datasets.Load("banana")
	dense, err := solvers.SMO{Kernel: solvers.RBF{Gamma: 1}, C: 10}.Fit(context.Background(), train)
	if err != nil {
		fmt.Println(err)
		return
	}
	path, err := solvers.Protocol{}.Run(context.Background(), solvers.LassoPath{Reference: dense.Model}, train, test)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(path.ParameterName, path.Best().SupportSize < dense.SupportSize()/2)
	// Output: Delta true
}

func BenchmarkLassoPath(b *testing.B) {
	benchmarkSparse(b, func(reference *solvers.Model) solvers.PathSolver {
		return solvers.LassoPath{Reference: reference, MaxSupport: 500}
	})
}

// benchmarkSparse runs a path on the real sets; it reports its time as a multiple of the
// reference's.
func benchmarkSparse(b *testing.B, with func(reference *solvers.Model) solvers.PathSolver) {
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
				r, err := with(dense.Model).FitPath(context.Background(), data.train, func(float64, *solvers.Model) error { return nil })
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
