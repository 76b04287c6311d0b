package solvers_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// lassoProblem is a reference and the optimum of the kernelized Lasso for some radii, by an
// interior-point solver. At the largest radius the kernel matrix of the support vectors is nearly
// singular, and the coefficients tell nothing.
type lassoProblem struct {
	Gamma        float64
	Vectors      [][]float64
	Coefficients []float64
	Bias         float64
	Optima       []struct {
		Delta, Objective float64
		Alpha            []float64
	}
}

func lassoProblems(t *testing.T) []lassoProblem {
	t.Helper()
	text, err := os.ReadFile("testdata/lasso.json")
	if err != nil {
		t.Fatal(err)
	}
	var problems []lassoProblem
	if err := json.Unmarshal(text, &problems); err != nil {
		t.Fatal(err)
	}
	if len(problems) != 2 || len(problems[0].Optima) != 5 || len(problems[1].Optima) != 5 {
		t.Fatal("want two problems of five radii")
	}
	return problems
}

// model is the reference, and a set of its support vectors.
func (p *lassoProblem) model(t *testing.T) (*solvers.Model, *solvers.Dataset) {
	t.Helper()
	y := make([]float64, len(p.Vectors))
	for i, beta := range p.Coefficients {
		y[i] = math.Copysign(1, beta)
	}
	d, err := solvers.FromDense(p.Vectors, y)
	if err != nil {
		t.Fatal(err)
	}
	return &solvers.Model{Kernel: solvers.RBF{Gamma: p.Gamma}, SupportVectors: d.X, Coefficients: p.Coefficients, Bias: p.Bias}, d
}

// lasso computes the problem from its definition: K is of the reference's support vectors.
type lasso struct {
	k      [][]float64
	target []float64 // Kβ
}

func newLasso(reference *solvers.Model) lasso {
	l := lasso{k: svmtest.Gram(reference.SupportVectors, reference.Kernel.Eval)}
	l.target = l.times(reference.Coefficients)
	return l
}

func (l lasso) times(alpha []float64) []float64 {
	out := make([]float64, len(l.k))
	for i, row := range l.k {
		for j, a := range alpha {
			out[i] += row[j] * a
		}
	}
	return out
}

// of is the model's coefficients by the reference's support vectors; of equal ones the first has
// it all. It panics if a support vector is none of the reference's, or there twice.
func (l lasso) of(m, reference *solvers.Model) []float64 {
	alpha := make([]float64, len(l.k))
	for k, v := range m.SupportVectors {
		at := -1
		for i, z := range reference.SupportVectors {
			if equalVectors(v, z) {
				at = i
				break
			}
		}
		if at < 0 || alpha[at] != 0 {
			panic(fmt.Sprintf("support vector %d is none of the reference's, or there twice", k))
		}
		alpha[at] = m.Coefficients[k]
	}
	return alpha
}

func equalVectors(a, b solvers.Vector) bool {
	if len(a.Index) != len(b.Index) {
		return false
	}
	for k := range a.Index {
		if a.Index[k] != b.Index[k] || a.Value[k] != b.Value[k] {
			return false
		}
	}
	return true
}

// objective is ½αᵀKα - cᵀα.
func (l lasso) objective(alpha []float64) float64 {
	sum := 0.0
	for i, q := range l.times(alpha) {
		sum += alpha[i] * (0.5*q - l.target[i])
	}
	return sum
}

// gap is ⟨α - u, ∇⟩ for the vertex u of the ball of radius delta that makes it greatest.
func (l lasso) gap(alpha []float64, delta float64) float64 {
	sum, steepest := 0.0, 0.0
	for i, q := range l.times(alpha) {
		sum += alpha[i] * (q - l.target[i])
		steepest = max(steepest, math.Abs(q-l.target[i]))
	}
	return sum + delta*steepest
}

// steepest is max |c - Kα|.
func (l lasso) steepest(alpha []float64) float64 {
	worst := 0.0
	for i, q := range l.times(alpha) {
		worst = max(worst, math.Abs(l.target[i]-q))
	}
	return worst
}

// violation is how much the conditions of the penalized problem are violated: cⱼ - (Kα)ⱼ is the
// greatest, times the sign of αⱼ, wherever αⱼ ≠ 0.
func (l lasso) violation(alpha []float64) float64 {
	tau, worst := l.steepest(alpha), 0.0
	for i, q := range l.times(alpha) {
		if alpha[i] != 0 {
			worst = max(worst, math.Abs(l.target[i]-q-math.Copysign(tau, alpha[i])))
		}
	}
	return worst
}

func norm1(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += math.Abs(v)
	}
	return sum
}

// recomputeSASSO is the objective and the relative duality gap from the model.
func recomputeSASSO(r *solvers.Result, _ *solvers.Dataset) (objective, gap float64) {
	l := newLasso(r.Reference)
	alpha := l.of(r.Model, r.Reference)
	objective = l.objective(alpha)
	gap = max(0, l.gap(alpha, r.Solver.(solvers.SASSO).Delta))
	if gap < -objective {
		return objective, gap / -objective
	}
	return objective, 1
}

// recomputeLassoPath is the objective, and how large the gradient is compared with that at 0.
func recomputeLassoPath(r *solvers.Result, _ *solvers.Dataset) (objective, gap float64) {
	l := newLasso(r.Reference)
	alpha := l.of(r.Model, r.Reference)
	return l.objective(alpha), l.steepest(alpha) / l.steepest(make([]float64, len(alpha)))
}
