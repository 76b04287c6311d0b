package solvers_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// Both kinds of iterations reach the optimum of an interior-point solver, near-singular matrices
// included.
func TestSASSOOptima(t *testing.T) {
	checked := 0
	for n, p := range lassoProblems(t) {
		reference, d := p.model(t)
		l := newLasso(reference)
		for _, optimum := range p.Optima {
			for _, corrective := range []bool{false, true} {
				r := fit(t, solvers.SASSO{Reference: reference, Delta: optimum.Delta, Epsilon: 1e-7, FullyCorrective: corrective}, d)
				alpha := l.of(r.Model, reference)
				if got := l.objective(alpha); math.Abs(got-optimum.Objective) > 1e-6*math.Abs(optimum.Objective) || math.Abs(got-r.Objective) > 1e-10*math.Abs(got) {
					t.Errorf("problem %d, %v: objective %.12g, from the model %.12g, optimum %.12g", n, r, r.Objective, got, optimum.Objective)
				}
				if gap := l.gap(alpha, optimum.Delta); gap > 1e-7*math.Abs(r.Objective)+1e-12 || gap < -1e-12 {
					t.Errorf("problem %d, %v: gap %g", n, r, gap)
				}
				if r.Bias != p.Bias {
					t.Errorf("problem %d: bias %g, the reference's is %g", n, r.Bias, p.Bias)
				}
				checked++
			}
		}
	}
	if checked != 20 {
		t.Errorf("checked %d results", checked)
	}
}

// What the result says of itself, on random problems and on those with singular matrices: the
// certificate from the definition, and no support vector that a correction should have removed.
func TestSASSOCertificate(t *testing.T) {
	checked, below := 0, 0
	for seed := range uint64(30) {
		d := svmtest.Random(20+4*int(seed), 3, 500+seed)
		if seed%3 == 2 {
			d = twins(10+int(seed), seed)
		}
		for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 0.7}, solvers.RBF{Gamma: 20}, solvers.Linear{}, solvers.Poly{Gamma: 0.5, Coef0: 1, Degree: 2}} {
			reference := fit(t, solvers.SMO{Kernel: kernel}, d).Model
			l := newLasso(reference)
			for _, share := range []float64{0.001, 0.03, 0.3, 0.9, 1, 3} {
				for _, corrective := range []bool{false, true} {
					delta := share * norm1(reference.Coefficients)
					r := fit(t, solvers.SASSO{Reference: reference, Delta: delta, Epsilon: 1e-5, FullyCorrective: corrective}, d)
					alpha := l.of(r.Model, reference)
					objective, gap := l.objective(alpha), l.gap(alpha, delta)
					if r.Status != solvers.Converged || gap > 1e-5*math.Abs(objective)*(1+1e-6) {
						t.Errorf("seed %d, %v: gap %g, objective %g", seed, r, gap, objective)
					}
					if norm := norm1(alpha); norm > delta || len(r.Certificate) != 2 || math.Abs(r.Certificate[0].Value-norm) > 1e-12*norm ||
						r.Certificate[0].Bound != delta || math.Abs(r.Certificate[1].Value-gap) > 1e-8*math.Abs(objective) ||
						!r.Certificate[0].Holds() || !r.Certificate[1].Holds() {
						t.Errorf("seed %d, %v: ‖α‖₁ = %g, gap %g, certificate %v", seed, r, norm, gap, r.Certificate)
					}
					if norm1(alpha) < 0.999*delta {
						below++
					}
					for n, p := range r.Trace[1:] {
						if p.Objective > r.Trace[n].Objective+1e-9*math.Abs(objective) {
							t.Errorf("seed %d, %v: the objective rises in iteration %d", seed, r, p.Iteration)
						}
					}
					checked++
				}
			}
		}
	}
	if checked != 30*4*6*2 || below < 100 {
		t.Errorf("checked %d results, %d inside the ball", checked, below)
	}
}

// A fully corrective run ends with the optimum on its support: one |∇| for all.
func TestSASSOFullyCorrective(t *testing.T) {
	checked := 0
	for seed := range uint64(10) {
		d := svmtest.Random(120, 3, 700+seed)
		reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 2}}, d).Model
		l := newLasso(reference)
		r := fit(t, solvers.SASSO{Reference: reference, Delta: 0.2 * norm1(reference.Coefficients), Epsilon: 0.05, FullyCorrective: true}, d)
		alpha := l.of(r.Model, reference)
		low, high := math.Inf(1), 0.0
		for i, q := range l.times(alpha) {
			if alpha[i] != 0 {
				slope := math.Copysign(1, alpha[i]) * (l.target[i] - q)
				low, high = min(low, slope), max(high, slope)
				checked++
			}
		}
		if high-low > 1e-9 || low <= 0 {
			t.Errorf("seed %d, %v: slopes from %g to %g", seed, r, low, high)
		}
	}
	if checked < 100 {
		t.Errorf("checked %d support vectors", checked)
	}
}

// A gap below what rounding allows is never reached: after the corrections, steps go on to the limit
// and spoil nothing.
func TestSASSOBeyondRounding(t *testing.T) {
	p := lassoProblems(t)[1]
	reference, d := p.model(t)
	l := newLasso(reference)
	for _, corrective := range []bool{false, true} {
		s := solvers.SASSO{Reference: reference, Delta: p.Optima[2].Delta, Epsilon: 1e-15, FullyCorrective: corrective, Settings: solvers.Settings{MaxIterations: 20000}}
		r := fit(t, s, d)
		alpha := l.of(r.Model, reference)
		if r.Status != solvers.IterationLimit || r.Gap > 1e-10 || math.Abs(l.objective(alpha)-p.Optima[2].Objective) > 1e-9*math.Abs(r.Objective) {
			t.Errorf("%v: gap %g, objective %.12g, optimum %.12g", r, r.Gap, l.objective(alpha), p.Optima[2].Objective)
		}
		if r.Certificate[1].Holds() || norm1(alpha) > s.Delta {
			t.Errorf("%v: certificate %v, ‖α‖₁ = %g", r, r.Certificate, norm1(alpha))
		}
	}
}

// Where the ball holds the reference and steps are slow, the optimum is the reference itself.
func TestSASSOWholeReference(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 10⁴ steps of 10³ support vectors")
	}
	d := svmtest.Random(2000, 4, 51)
	reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 1}, C: 100}, d).Model
	r := fit(t, solvers.SASSO{Reference: reference, Epsilon: 1e-6}, d)
	own, want := map[int]float64{}, map[string]float64{}
	for k, i := range r.Indices {
		own[i] = r.Coefficients[k]
	}
	for k, v := range reference.SupportVectors {
		want[fmt.Sprint(v)] += reference.Coefficients[k]
	}
	for i, a := range own {
		if b := want[fmt.Sprint(d.X[i])]; math.Abs(a-b) > 1e-9*math.Abs(b) {
			t.Fatalf("row %d: coefficient %g, the reference's %g", i, a, b)
		}
	}
	if r.Status != solvers.Converged || len(own) < 500 || norm1(r.Coefficients) > norm1(reference.Coefficients) ||
		math.Abs(r.Norm()-reference.Norm()) > 1e-9*r.Norm() {
		t.Errorf("%v of a reference of %d", r, reference.SupportSize())
	}
}

// Wherever ctx ends, objective and gap are those of the model that is returned.
func TestLassoCanceled(t *testing.T) {
	d := svmtest.Random(150, 3, 61)
	base := solvers.RBF{Gamma: 2}
	reference := *fit(t, solvers.SMO{Kernel: base}, d).Model
	canceled := 0
	for _, s := range []struct {
		with      func() solvers.Solver
		recompute func(r *solvers.Result, d *solvers.Dataset) (objective, gap float64)
	}{
		{func() solvers.Solver { return solvers.SASSO{Reference: &reference, Epsilon: 1e-9} }, recomputeSASSO},
		{func() solvers.Solver {
			return solvers.SASSO{Reference: &reference, Epsilon: 1e-9, FullyCorrective: true}
		}, recomputeSASSO},
		{func() solvers.Solver { return solvers.LassoPath{Reference: &reference} }, recomputeLassoPath},
	} {
		reference.Kernel = base
		total := fit(t, s.with(), d).KernelEvaluations
		for after := int64(1); after < total; after += total/60 + 1 {
			ctx, cancel := context.WithCancel(context.Background())
			var calls atomic.Int64
			reference.Kernel = solvers.KernelFunc(func(x, z solvers.Vector) float64 {
				if calls.Add(1) == after {
					cancel()
				}
				return base.Eval(x, z)
			})
			r, err := s.with().Fit(ctx, d)
			if !errors.Is(err, context.Canceled) || r.Status != solvers.Canceled {
				t.Fatalf("%v after %d evaluations: %v", r, after, err)
			}
			objective, gap := s.recompute(r, d)
			if math.Abs(objective-r.Objective) > 1e-9*(1+math.Abs(objective)) || r.SupportSize() > 0 && math.Abs(gap-r.Gap) > 1e-9 {
				t.Errorf("%v after %d evaluations: objective %g, gap %g; from the model %g, %g", r, after, r.Objective, r.Gap, objective, gap)
			}
			canceled++
		}
	}
	if canceled < 150 {
		t.Errorf("%d runs canceled", canceled)
	}
}

func TestSASSOPath(t *testing.T) {
	d := svmtest.Random(200, 3, 21)
	reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 2}}, d).Model
	l, total := newLasso(reference), norm1(reference.Coefficients)
	for _, s := range []solvers.SASSO{{}, {FullyCorrective: true}, {Points: 4, Delta: 20}, {Points: 1, Delta: 3, Epsilon: 1e-6}} {
		s.Reference = reference
		points, r := breakpoints(t, s, reference, d)
		want, last := s.Points, s.Delta
		if want == 0 {
			want, last = 10, total
		}
		if len(points) != want || math.Abs(points[want-1].delta-last) > 1e-12*last || r.Solver.(solvers.SASSO).Delta != points[want-1].delta {
			t.Errorf("%v: %d radii up to %g, want %d up to %g", r, len(points), points[len(points)-1].delta, want, last)
		}
		epsilon := max(s.Epsilon, 1e-3)
		previous := 0.0
		for n, b := range points {
			if n > 0 && want > 1 && math.Abs(math.Log(b.delta/points[n-1].delta)-math.Log(1e4)/float64(want-1)) > 1e-9 {
				t.Errorf("%v: radius %g after %g", r, b.delta, points[n-1].delta)
			}
			objective := l.objective(b.alpha)
			if gap := l.gap(b.alpha, b.delta); gap > epsilon*math.Abs(objective)*(1+1e-9) || norm1(b.alpha) > b.delta {
				t.Errorf("%v, radius %g: gap %g, objective %g, ‖α‖₁ = %g", r, b.delta, gap, objective, norm1(b.alpha))
			}
			if objective > previous {
				t.Errorf("%v, radius %g: objective %g after %g", r, b.delta, objective, previous)
			}
			previous = objective
		}
		if !slices.Equal(r.Indices, points[want-1].model.Indices) || !slices.Equal(r.Coefficients, points[want-1].model.Coefficients) {
			t.Errorf("%v is not the last model of the path", r)
		}
	}
	stop := errors.New("enough")
	_, err := solvers.SASSO{Reference: reference}.FitPath(context.Background(), d, func(float64, *solvers.Model) error { return stop })
	if !errors.Is(err, stop) {
		t.Error(err)
	}
}

// The support vectors are found among the training rows even if the reference does not say where
// they are, equal ones count as one, and vectors that are no training rows are taken as they are.
func TestSASSOReference(t *testing.T) {
	d := svmtest.Random(100, 3, 31)
	d = d.Subset(append(slices.Repeat([]int{0, 1, 2, 3}, 5), seq(4, 100)...))
	reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 2}, C: 0.1}, d).Model
	s := solvers.SASSO{Reference: reference, Delta: 2}
	want := fit(t, s, d)
	unknown := *reference
	unknown.Indices = nil
	s.Reference = &unknown
	got := fit(t, s, d)
	if want.SupportSize() < 5 || !slices.Equal(got.Coefficients, want.Coefficients) || len(got.Indices) != got.SupportSize() {
		t.Errorf("%v, with Indices %v", got, want)
	}
	for k, i := range got.Indices {
		if !equalVectors(d.X[i], got.SupportVectors[k]) {
			t.Errorf("support vector %d is not row %d", k, i)
		}
		for _, v := range got.SupportVectors[:k] {
			if equalVectors(v, got.SupportVectors[k]) {
				t.Errorf("support vector %d is there twice", k)
			}
		}
	}
	other := fit(t, s, svmtest.Random(50, 3, 99))
	if other.Indices != nil || !slices.Equal(slices.Sorted(slices.Values(other.Coefficients)), slices.Sorted(slices.Values(want.Coefficients))) {
		t.Errorf("on other rows %v with indices %v", other, other.Indices)
	}
}

func TestSASSOParameters(t *testing.T) {
	d := svmtest.SixPoints()
	for _, test := range []struct {
		s    solvers.SASSO
		want string
	}{
		{solvers.SASSO{Delta: -1}, "SASSO.Delta = -1: want > 0 (0: default ‖β‖₁ of the reference)"},
		{solvers.SASSO{Delta: math.NaN()}, "SASSO.Delta = NaN: want > 0 (0: default ‖β‖₁ of the reference)"},
		{solvers.SASSO{Delta: math.Inf(1)}, "SASSO.Delta = +Inf: want > 0 (0: default ‖β‖₁ of the reference)"},
		{solvers.SASSO{Epsilon: -1}, "SASSO.Epsilon = -1: want > 0 (0: default 0.001)"},
		{solvers.SASSO{Points: -1}, "SASSO.Points = -1: want ≥ 1 (0: default 10)"},
		{solvers.SASSO{Settings: solvers.Settings{CacheMB: -1}}, "SASSO.Settings.CacheMB = -1: want ≥ 0 (0: the default)"},
	} {
		_, err := test.s.Fit(context.Background(), d)
		if _, ok := errors.AsType[*solvers.ParamError](err); !ok || err.Error() != test.want {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// A reference that cannot be used is a *ReferenceError that says what to do.
func TestLassoReferenceErrors(t *testing.T) {
	d := svmtest.SixPoints()
	good := fit(t, solvers.SMO{Kernel: solvers.Linear{}}, d).Model
	change := func(f func(m *solvers.Model)) *solvers.Model {
		m := *good
		m.SupportVectors, m.Coefficients = slices.Clone(m.SupportVectors), slices.Clone(m.Coefficients)
		f(&m)
		return &m
	}
	for _, test := range []struct {
		m    *solvers.Model
		want string
	}{
		{&solvers.Model{Kernel: solvers.Linear{}}, "no support vectors: want a trained model"},
		{change(func(m *solvers.Model) { m.Bias = math.NaN() }), "the bias is NaN: want a finite number"},
		{change(func(m *solvers.Model) { m.Coefficients[1] = math.Inf(1) }), "coefficient 1 is +Inf: want a finite number"},
		{change(func(m *solvers.Model) {
			m.SupportVectors[1] = solvers.Vector{Index: []int32{7}, Value: []float64{1}}
		}), "support vector 1: index 7: want below Dim = 2; want a model trained on the same features as this set"},
		{change(func(m *solvers.Model) {
			m.SupportVectors[0] = solvers.Vector{Index: []int32{0}, Value: []float64{math.NaN()}}
		}), "support vector 0: feature 0 is NaN: want a finite number; want a model trained on the same features as this set"},
	} {
		for _, s := range []solvers.Solver{solvers.SASSO{Reference: test.m}, solvers.LassoPath{Reference: test.m}} {
			r, err := s.Fit(context.Background(), d)
			if _, ok := errors.AsType[*solvers.ReferenceError](err); !ok || err.Error() != s.Name()+".Reference: "+test.want || r != nil {
				t.Errorf("%s: %v\nwant %s", s.Name(), err, test.want)
			}
		}
	}
	broken := change(func(m *solvers.Model) {
		m.Kernel = solvers.KernelFunc(func(x, z solvers.Vector) float64 { return math.Inf(1) })
	})
	for _, s := range []solvers.Solver{solvers.SASSO{Reference: broken}, solvers.LassoPath{Reference: broken}, solvers.SASSO{Reference: good, C: 3}} {
		if r, err := s.Fit(context.Background(), d); err == nil || r != nil {
			t.Errorf("%s: %v, %v", s.Name(), r, err)
		}
	}
}

func TestSASSOFromFile(t *testing.T) {
	d := svmtest.Random(100, 3, 41)
	reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 2}}, d).Model
	file := filepath.Join(t.TempDir(), "model")
	out, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reference.WriteTo(out); err != nil {
		t.Fatal(err)
	}
	if err := out.Close(); err != nil {
		t.Fatal(err)
	}
	loaded, err := solvers.LoadModel(file)
	if err != nil {
		t.Fatal(err)
	}
	a := fit(t, solvers.SASSO{Reference: reference, Delta: 5}, d)
	b := fit(t, solvers.SASSO{Reference: loaded, Delta: 5}, d)
	if !slices.Equal(a.Indices, b.Indices) || math.Abs(a.Objective-b.Objective) > 1e-9*math.Abs(a.Objective) {
		t.Errorf("%v from memory, %v from a file", a, b)
	}
}

func ExampleSASSO() {
	train, _, _ := datasets.Load("banana")
	dense, err := solvers.SMO{Kernel: solvers.RBF{Gamma: 1}, C: 10}.Fit(context.Background(), train)
	if err != nil {
		fmt.Println(err)
		return
	}
	sparse, err := solvers.SASSO{Reference: dense.Model, Delta: 100}.Fit(context.Background(), train)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(sparse.Status, sparse.Gap <= 1e-3, sparse.SupportSize() < dense.SupportSize()/2)
	// Output: Converged true true
}
