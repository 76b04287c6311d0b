package solvers_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/quick"

	"gonum.org/v1/gonum/mat"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// kernels are one of each kind.
var kernels = []solvers.Kernel{
	solvers.Linear{},
	solvers.RBF{Gamma: 0.3},
	solvers.Poly{Gamma: 0.5, Coef0: 1, Degree: 2},
	solvers.Poly{Gamma: 0.1, Coef0: -0.3},
	solvers.Sigmoid{Gamma: 0.05, Coef0: 0.1},
	solvers.KernelFunc(func(x, z solvers.Vector) float64 { return 1 / (1 + denseDistance(x, z)) }),
}

// dense spreads a vector over 64 features, for computing from the definition.
func dense(x solvers.Vector) (out [64]float64) {
	for k, i := range x.Index {
		out[i] = x.Value[k]
	}
	return out
}

func denseDot(x, z solvers.Vector) float64 {
	a, b, sum := dense(x), dense(z), 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func denseDistance(x, z solvers.Vector) float64 {
	a, b, sum := dense(x), dense(z), 0.0
	for i := range a {
		sum += (a[i] - b[i]) * (a[i] - b[i])
	}
	return sum
}

func TestKernelsByDefinition(t *testing.T) {
	d := svmtest.Random(40, 60, 1)
	formulas := []func(x, z solvers.Vector) float64{
		denseDot,
		func(x, z solvers.Vector) float64 { return math.Exp(-0.3 * denseDistance(x, z)) },
		func(x, z solvers.Vector) float64 { return math.Pow(0.5*denseDot(x, z)+1, 2) },
		func(x, z solvers.Vector) float64 { return math.Pow(0.1*denseDot(x, z)-0.3, 3) },
		func(x, z solvers.Vector) float64 { return math.Tanh(0.05*denseDot(x, z) + 0.1) },
	}
	checked := 0
	for k, formula := range formulas {
		for i := range d.X {
			for j := range d.X {
				got, want := kernels[k].Eval(d.X[i], d.X[j]), formula(d.X[i], d.X[j])
				if math.Abs(got-want) > 1e-12*(1+math.Abs(want)) {
					t.Fatalf("%v of rows %d, %d: %g, want %g", kernels[k], i, j, got, want)
				}
				checked++
			}
		}
	}
	if checked != 5*40*40 {
		t.Fatalf("checked %d values", checked)
	}
}

func TestKernelStrings(t *testing.T) {
	for _, test := range []struct {
		kernel solvers.Kernel
		want   string
	}{
		{solvers.Linear{}, "Linear"},
		{solvers.RBF{Gamma: 0.5}, "RBF(Gamma=0.5)"},
		{solvers.RBF{}, "RBF(Gamma=1/Dim)"},
		{solvers.Poly{Gamma: 2, Coef0: 1}, "Poly(Gamma=2, Coef0=1, Degree=3)"},
		{solvers.Sigmoid{Gamma: 1. / 3}, "Sigmoid(Gamma=0.333333, Coef0=0)"},
		{solvers.KernelFunc(nil), "KernelFunc"},
	} {
		if got := test.kernel.String(); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestKernelParameters(t *testing.T) {
	d := svmtest.SixPoints()
	for _, test := range []struct {
		kernel solvers.Kernel
		want   string
	}{
		{solvers.RBF{Gamma: -1}, "RBF.Gamma = -1: want > 0 (0: default 1/Dim)"},
		{solvers.RBF{Gamma: math.NaN()}, "RBF.Gamma = NaN"},
		{solvers.RBF{Gamma: math.Inf(1)}, "RBF.Gamma = +Inf"},
		{solvers.Poly{Degree: -2}, "Poly.Degree = -2: want ≥ 1 (0: default 3)"},
		{solvers.Poly{Gamma: -2}, "Poly.Gamma = -2"},
		{solvers.Poly{Coef0: math.NaN()}, "Poly.Coef0 = NaN: want a finite number"},
		{solvers.Sigmoid{Gamma: -2}, "Sigmoid.Gamma = -2"},
		{solvers.Sigmoid{Coef0: math.Inf(-1)}, "Sigmoid.Coef0 = -Inf"},
	} {
		result, err := solvers.SMO{Kernel: test.kernel}.Fit(context.Background(), d)
		wrong, ok := errors.AsType[*solvers.ParamError](err)
		if !ok || result != nil || !strings.HasPrefix(wrong.Error(), test.want) {
			t.Errorf("%#v: %v, want %s", test.kernel, err, test.want)
		}
	}
	for _, kernel := range []solvers.Kernel{nil, solvers.RBF{}, &solvers.RBF{}} {
		result, err := solvers.SMO{Kernel: kernel}.Fit(context.Background(), d)
		if err != nil || result.Kernel != (solvers.RBF{Gamma: 0.5}) {
			t.Errorf("%#v: %v, want RBF{Gamma: 0.5} for two features", kernel, err)
		}
	}
}

func TestEvalWithoutGamma(t *testing.T) {
	for _, kernel := range []solvers.Kernel{solvers.RBF{}, solvers.Poly{}, solvers.Sigmoid{}} {
		func() {
			defer func() {
				if text, ok := recover().(string); !ok || !strings.Contains(text, "Gamma 0") {
					t.Errorf("%v: panic %q", kernel, text)
				}
			}()
			kernel.Eval(solvers.Vector{}, solvers.Vector{})
		}()
	}
}

// RBF is symmetric, 1 on the diagonal, in [0, 1], and its Gram matrices are positive semidefinite.
func TestRBFProperties(t *testing.T) {
	checked := 0
	property := func(seed uint64) bool {
		random := rand.New(rand.NewPCG(seed, 0))
		kernel := solvers.RBF{Gamma: math.Exp(4*random.Float64() - 2)}
		d := svmtest.Random(2+random.IntN(20), 1+random.IntN(10), seed)
		gram := mat.NewSymDense(d.Len(), nil)
		for i, x := range d.X {
			for j, z := range d.X {
				k := kernel.Eval(x, z)
				if k != kernel.Eval(z, x) || k < 0 || k > 1 || i == j && k != 1 {
					return false
				}
				gram.SetSym(i, j, k)
			}
		}
		var eigen mat.EigenSym
		checked++
		return eigen.Factorize(gram, false) && eigen.Values(nil)[0] > -1e-12
	}
	if err := quick.Check(property, nil); err != nil {
		t.Error(err)
	}
	if checked < 100 {
		t.Errorf("checked %d matrices", checked)
	}
}
