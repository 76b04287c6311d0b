package solvers_test

import (
	"math"
	"reflect"

	"gonum.org/v1/gonum/mat"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// weights is Σ|β|, what the perceptron's mistakes leave.
func weights(r *solvers.Result, _ *solvers.Dataset) float64 {
	sum := 0.0
	for _, beta := range r.Coefficients {
		sum += math.Abs(beta)
	}
	return sum
}

// hinge is ½‖w‖² + C Σ max(0, 1 - yf).
func hinge(r *solvers.Result, d *solvers.Dataset) float64 {
	sum := 0.0
	for i, f := range r.Decisions(d) {
		sum += max(0, 1-d.Y[i]*f)
	}
	return r.Model.Norm()*r.Model.Norm()/2 + penalty(r)*sum
}

// without is the kernel for solvers that take it only without a reference.
func without(k solvers.Kernel, reference *solvers.Model) solvers.Kernel {
	if reference != nil {
		return nil
	}
	return k
}

// penalty is the price C of the solver as it ran.
func penalty(r *solvers.Result) float64 {
	return reflect.ValueOf(r.Solver).FieldByName("C").Float()
}

// squaredHinge is ½‖w‖² + C Σ max(0, 1 - yf)².
func squaredHinge(r *solvers.Result, d *solvers.Dataset) float64 {
	sum := 0.0
	for i, f := range r.Decisions(d) {
		sum += math.Pow(max(0, 1-d.Y[i]*f), 2)
	}
	return r.Model.Norm()*r.Model.Norm()/2 + penalty(r)*sum
}

func coefficientHinge(r *solvers.Result, d *solvers.Dataset) float64 {
	norm := r.Model.Norm()
	sum := r.Bias * r.Bias / 2
	for _, beta := range r.Coefficients {
		sum += beta * beta / 2
	}
	return squaredHinge(r, d) - norm*norm/2 + sum
}

func squaresToTeacher(r *solvers.Result, d *solvers.Dataset) float64 {
	teacher := r.Solver.(solvers.Refit).Teacher.Decisions(d)
	sum := 0.0
	for i, f := range r.Decisions(d) {
		sum += (f - teacher[i]) * (f - teacher[i])
	}
	return r.Model.Norm()*r.Model.Norm()/2 + penalty(r)*sum
}

// dualObjective is SMO's, ½βᵀKβ - Σ|β|.
func dualObjective(r *solvers.Result, d *solvers.Dataset) float64 {
	sum := r.Model.Norm() * r.Model.Norm() / 2
	for _, beta := range r.Coefficients {
		sum -= math.Abs(beta)
	}
	return sum
}

func prunedWeight(r *solvers.Result, d *solvers.Dataset) float64 {
	sum := 0.0
	for _, beta := range r.Reference.Coefficients {
		sum += math.Abs(beta)
	}
	for _, beta := range r.Coefficients {
		sum -= math.Abs(beta)
	}
	return sum
}

// newtonGap is what a Newton step lowers the quadratic model of the squared hinge problem on the
// model's own support vectors by, as a share of the objective.
func newtonGap(r *solvers.Result, d *solvers.Dataset) float64 {
	c, m := penalty(r), r.SupportSize()
	column := func(v, i int) float64 {
		if v == m {
			return 1
		}
		return r.Kernel.Eval(r.SupportVectors[v], d.X[i])
	}
	hessian, gradient := mat.NewSymDense(m+1, nil), mat.NewVecDense(m+1, nil)
	for v := range m {
		for u := v; u < m; u++ {
			hessian.SetSym(v, u, r.Kernel.Eval(r.SupportVectors[v], r.SupportVectors[u]))
		}
		gradient.SetVec(v, r.Decision(r.SupportVectors[v])-r.Bias)
	}
	for i, f := range r.Decisions(d) {
		if d.Y[i]*f >= 1 {
			continue
		}
		for v := range m + 1 {
			gradient.SetVec(v, gradient.AtVec(v)-2*c*column(v, i)*(d.Y[i]-f))
			for u := v; u <= m; u++ {
				hessian.SetSym(v, u, hessian.At(v, u)+2*c*column(v, i)*column(u, i))
			}
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(hessian, true) {
		return math.NaN()
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	values := eigen.Values(nil)
	sum := 0.0
	for k, value := range values {
		along := mat.Dot(gradient, vectors.ColView(k))
		if value > 1e-10*values[m] {
			sum += along * along / value
		}
	}
	return sum / 2 / squaredHinge(r, d)
}
