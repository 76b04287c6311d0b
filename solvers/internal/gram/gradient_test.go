package gram

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

var losses = map[string]Loss{"logistic": Logistic, "squared hinge": SquaredHinge, "sigmoid": SigmoidLoss, "response": Response}

// randomExpansion is one with rows, targets and parameters by chance.
func randomExpansion(seed uint64, k Kernel, loss Loss, rows, dim, vectors int) *Expansion {
	r := rand.New(rand.NewPCG(seed, 9))
	x, target := random(r, rows, dim, dim, false), make([]float64, rows)
	for i := range target {
		target[i] = float64(2*r.IntN(2) - 1)
	}
	e := NewExpansion(k, x, target, dim, vectors)
	e.Loss, e.Ridge, e.Precise = loss, 0.01, true
	return e
}

func (e *Expansion) randomTheta(seed uint64) []float64 {
	r := rand.New(rand.NewPCG(seed, 10))
	theta := make([]float64, e.Len())
	for i := range theta {
		theta[i] = 0.5 * r.NormFloat64()
	}
	return theta
}

// byDefinition is F(theta) from the formula alone.
func (e *Expansion) byDefinition(theta []float64) float64 {
	m, dim, loss := e.Vectors, e.Dim, 0.0
	beta, extra := theta[m*dim:][:m+1], theta[m*(dim+1)+1:]
	for i, x := range e.rows {
		dense := make([]float64, dim)
		for k, j := range x.Index {
			dense[j] = x.Value[k]
		}
		f := beta[m]
		for v := range m {
			dot, distance := 0.0, 0.0
			for j, z := range theta[v*dim : (v+1)*dim] {
				scale := 1.0
				if e.Scales {
					scale = math.Exp(extra[e.Gammas+j])
				}
				dot += z * dense[j]
				distance += scale * (z - dense[j]) * (z - dense[j])
			}
			gamma := e.Kernel.Gamma
			if e.Gammas > 0 {
				gamma = math.Exp(extra[min(v, e.Gammas-1)])
			}
			k := Kernel{Kind: e.Kernel.Kind, Gamma: gamma, Coef0: e.Kernel.Coef0, Degree: e.Kernel.Degree}.fromDot(dot, distance+2*dot, 0)
			f += beta[v] * k
		}
		value, _ := e.Loss(f, e.Target[i])
		loss += value / float64(len(e.rows))
	}
	for _, b := range beta[:m] {
		loss += e.Ridge * b * b
	}
	return loss
}

// The gradient of every loss and kernel, and of Gamma and the scales, is that of finite
// differences; the value is that of the formula.
func TestGradient(t *testing.T) {
	const h = 1e-5
	kernels := []Kernel{{Kind: RBF, Gamma: 0.3}, {Kind: Linear}, {Kind: Polynomial, Gamma: 0.5, Coef0: 1, Degree: 3},
		{Kind: Polynomial, Gamma: 0.5, Degree: 1}, {Kind: Sigmoid, Gamma: 0.4, Coef0: -0.2}}
	checked := 0
	for name, loss := range losses {
		for c, k := range kernels {
			for _, gammas := range []int{0, 1, 5} {
				if gammas > 0 && k.Kind != RBF {
					continue
				}
				for _, scales := range []bool{false, true} {
					if scales && k.Kind != RBF {
						continue
					}
					e := randomExpansion(uint64(c), k, loss, 40, 6, 5)
					e.Gammas, e.Scales = gammas, scales
					if name == "response" {
						for i := range e.Target {
							e.Target[i] *= 0.3 + float64(i%3)/2
						}
					}
					checked += checkGradient(t, fmt.Sprintf("%s, kernel %d, %d gammas, scales %t", name, c, gammas, scales), e, h)
				}
			}
		}
	}
	if checked < 1000 {
		t.Errorf("%d derivatives checked", checked)
	}
}

func checkGradient(t *testing.T, name string, e *Expansion, h float64) int {
	t.Helper()
	theta := e.randomTheta(4)
	gradient, other := make([]float64, e.Len()), make([]float64, e.Len())
	value, err := e.Evaluate(context.Background(), theta, gradient)
	if err != nil {
		t.Fatal(err)
	}
	if want := e.byDefinition(theta); math.Abs(value-want) > 1e-12*(1+math.Abs(want)) {
		t.Errorf("%s: value %g, by the formula %g", name, value, want)
	}
	for p := range theta {
		moved := slices.Clone(theta)
		moved[p] = theta[p] + h
		high, err := e.Evaluate(context.Background(), moved, other)
		moved[p] = theta[p] - h
		low, err2 := e.Evaluate(context.Background(), moved, other)
		if err := errors.Join(err, err2); err != nil {
			t.Fatal(err)
		}
		if want := (high - low) / (2 * h); math.Abs(gradient[p]-want) > 1e-6*(1+math.Abs(want)) {
			t.Errorf("%s: derivative %d is %.9g, by differences %.9g", name, p, gradient[p], want)
		}
	}
	return len(theta)
}

// In float32 value and gradient are those of float64 but for rounding, with one and with several
// tiles and blocks; the number of workers changes no bit.
func TestGradientSingle(t *testing.T) {
	for _, vectors := range []int{3, 20, 100} {
		for c, k := range []Kernel{{Kind: RBF, Gamma: 0.1}, {Kind: Polynomial, Gamma: 0.1, Coef0: 1, Degree: 2}} {
			e := randomExpansion(uint64(c), k, Logistic, 5000, 12, vectors)
			theta := e.randomTheta(1)
			exact, got, again := make([]float64, e.Len()), make([]float64, e.Len()), make([]float64, e.Len())
			want, err := e.Evaluate(context.Background(), theta, exact)
			e.Precise, e.Workers = false, 1
			value, err2 := e.Evaluate(context.Background(), theta, got)
			e.Workers = 8
			same, err3 := e.Evaluate(context.Background(), theta, again)
			if err := errors.Join(err, err2, err3); err != nil {
				t.Fatal(err)
			}
			if same != value || !slices.Equal(got, again) {
				t.Errorf("%d vectors, kernel %d: 8 workers change the result", vectors, c)
			}
			if math.Abs(value-want) > 1e-5*want || value == want {
				t.Errorf("%d vectors, kernel %d: value %g, in float64 %g", vectors, c, value, want)
			}
			most := 0.0
			for _, g := range exact {
				most = max(most, math.Abs(g))
			}
			for p, g := range got {
				if math.Abs(g-exact[p]) > 1e-5*most {
					t.Fatalf("%d vectors, kernel %d: derivative %d is %g, in float64 %g", vectors, c, p, g, exact[p])
				}
			}
		}
	}
}

// Adam lowers the loss, with the same bits for any number of workers, and ends with ctx.
func TestAdam(t *testing.T) {
	for _, precise := range []bool{false, true} {
		for _, k := range []Kernel{{Kind: RBF, Gamma: 0.2}, {Kind: Polynomial, Gamma: 0.1, Coef0: 1, Degree: 2}} {
			var first []float64
			for _, workers := range []int{1, 8} {
				e := randomExpansion(2, k, Logistic, 1500, 8, 20)
				e.Precise, e.Workers, e.Ridge = precise, workers, 1e-6
				for i, norm := range e.norms { // something to learn
					e.Target[i] = -1
					if norm > 4 {
						e.Target[i] = 1
					}
				}
				theta := e.randomTheta(3)
				before := e.byDefinition(theta)
				calls := 0
				s := Schedule{Epochs: 12, Batch: 128, WarmUp: 10, VectorRate: 0.02, WeightRate: 0.02, Seed: 5}
				err := e.Adam(context.Background(), theta, s, func(int, []float64) bool { calls++; return true })
				if err != nil || calls != 12 {
					t.Fatalf("%v after %d passes", err, calls)
				}
				if after := e.byDefinition(theta); after > 0.9*before {
					t.Errorf("%v: loss %g, before %g", k, after, before)
				}
				if first == nil {
					first = theta
				} else if !slices.Equal(first, theta) {
					t.Errorf("%v: 8 workers change the result", k)
				}
			}
		}
	}
	e := randomExpansion(2, Kernel{Kind: RBF, Gamma: 0.2}, Logistic, 500, 8, 5)
	ctx, cancel := context.WithCancel(context.Background())
	theta, kept := e.randomTheta(3), []float64(nil)
	err := e.Adam(ctx, theta, Schedule{Epochs: 12, Batch: 128, VectorRate: 0.02}, func(epoch int, theta []float64) bool {
		kept = slices.Clone(theta)
		if epoch == 3 {
			cancel()
		}
		return true
	})
	if !errors.Is(err, context.Canceled) || !slices.Equal(kept, theta) {
		t.Errorf("error %v; the parameters are not those of the last pass", err)
	}
}
