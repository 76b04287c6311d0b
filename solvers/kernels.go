package solvers

import (
	"fmt"
	"math"
	"strings"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// Kernel is a Mercer kernel K(x, z). Implementations must be safe for concurrent use.
type Kernel interface {
	Eval(x, z Vector) float64
	String() string // "RBF(Gamma=0.5)"
}

// Linear is K(x, z) = xᵀz.
type Linear struct{}

// RBF is K(x, z) = exp(-Gamma·‖x-z‖²), without a factor ½.
//
// Gamma > 0; 0 means 1/Dim of the training set, which the solvers fill in. Eval alone knows
// no training set and panics when Gamma is 0.
type RBF struct{ Gamma float64 }

// Poly is K(x, z) = (Gamma·xᵀz + Coef0)^Degree.
//
// Gamma > 0; 0 means 1/Dim as in RBF. Degree ≥ 1; 0 means 3. Coef0 may be any number; the kernel
// is positive semidefinite for Coef0 ≥ 0.
type Poly struct {
	Gamma, Coef0 float64
	Degree       int
}

// Sigmoid is K(x, z) = tanh(Gamma·xᵀz + Coef0). It is not positive semidefinite in general,
// so that a solver may stop at a point which is only stationary.
//
// Gamma > 0; 0 means 1/Dim as in RBF.
type Sigmoid struct{ Gamma, Coef0 float64 }

// KernelFunc is a kernel of one's own. It must be symmetric, positive semidefinite and safe
// for concurrent use. Models with it can be used but not written to a file.
type KernelFunc func(x, z Vector) float64

var (
	_ dotKernel = Linear{}
	_ dotKernel = RBF{}
	_ dotKernel = Poly{}
	_ dotKernel = Sigmoid{}
	_ Kernel    = KernelFunc(nil)
)

// dotKernel is a kernel that depends on dot products and norms only, so that package gram
// knows it.
type dotKernel interface {
	Kernel
	// resolve fills in defaults and checks the parameters; its error is a *ParamError.
	resolve(dim int) (Kernel, error)
}

// resolveKernel is the kernel that a solver uses on data of dim features: nil is RBF{}, and the
// defaults of the package's own kernels are filled in.
func resolveKernel(k Kernel, dim int) (Kernel, error) {
	if k == nil {
		k = RBF{}
	}
	if own, ok := k.(dotKernel); ok {
		return own.resolve(dim)
	}
	return k, nil
}

// Eval is xᵀz.
func (Linear) Eval(x, z Vector) float64 { return dot(x, z) }

func (Linear) String() string { return "Linear" }

func (k Linear) resolve(int) (Kernel, error) { return k, nil }

// Eval is exp(-Gamma·‖x-z‖²). The distance is summed from the differences, so that nothing
// cancels. It panics when Gamma is 0.
func (k RBF) Eval(x, z Vector) float64 {
	mustBeResolved("RBF", k.Gamma)
	return math.Exp(-k.Gamma * gram.SquaredDistance(x, z))
}

func (k RBF) String() string { return "RBF(Gamma=" + gammaString(k.Gamma) + ")" }

func (k RBF) resolve(dim int) (Kernel, error) {
	gamma, err := resolveGamma("RBF", k.Gamma, dim)
	return RBF{Gamma: gamma}, err
}

// Eval is (Gamma·xᵀz + Coef0)^Degree. It panics when Gamma is 0.
func (k Poly) Eval(x, z Vector) float64 {
	mustBeResolved("Poly", k.Gamma)
	return power(k.Gamma*dot(x, z)+k.Coef0, k.degree())
}

func (k Poly) String() string {
	return fmt.Sprintf("Poly(Gamma=%s, Coef0=%.6g, Degree=%d)", gammaString(k.Gamma), k.Coef0, k.degree())
}

func (k Poly) degree() int {
	if k.Degree == 0 {
		return 3
	}
	return k.Degree
}

func (k Poly) resolve(dim int) (Kernel, error) {
	gamma, err := resolveGamma("Poly", k.Gamma, dim)
	if err != nil {
		return nil, err
	}
	if k.Degree < 0 {
		return nil, &ParamError{"Poly", "Degree", float64(k.Degree), "≥ 1 (0: default 3)"}
	}
	if err := checkFinite("Poly", "Coef0", k.Coef0); err != nil {
		return nil, err
	}
	return Poly{Gamma: gamma, Coef0: k.Coef0, Degree: k.degree()}, nil
}

// Eval is tanh(Gamma·xᵀz + Coef0). It panics when Gamma is 0.
func (k Sigmoid) Eval(x, z Vector) float64 {
	mustBeResolved("Sigmoid", k.Gamma)
	return math.Tanh(k.Gamma*dot(x, z) + k.Coef0)
}

func (k Sigmoid) String() string {
	return fmt.Sprintf("Sigmoid(Gamma=%s, Coef0=%.6g)", gammaString(k.Gamma), k.Coef0)
}

func (k Sigmoid) resolve(dim int) (Kernel, error) {
	gamma, err := resolveGamma("Sigmoid", k.Gamma, dim)
	if err != nil {
		return nil, err
	}
	if err := checkFinite("Sigmoid", "Coef0", k.Coef0); err != nil {
		return nil, err
	}
	return Sigmoid{Gamma: gamma, Coef0: k.Coef0}, nil
}

// Eval calls the function.
func (k KernelFunc) Eval(x, z Vector) float64 { return k(x, z) }

func (k KernelFunc) String() string { return "KernelFunc" }

func resolveGamma(kernel string, gamma float64, dim int) (float64, error) {
	if !(gamma >= 0) || math.IsInf(gamma, 1) {
		return 0, &ParamError{kernel, "Gamma", gamma, "> 0 (0: default 1/Dim)"}
	}
	if gamma == 0 {
		gamma = 1 / float64(max(dim, 1))
	}
	return gamma, nil
}

func gammaString(gamma float64) string {
	if gamma == 0 {
		return "1/Dim"
	}
	return strings.TrimSpace(fmt.Sprintf("%.6g", gamma))
}

func mustBeResolved(kernel string, gamma float64) {
	if gamma == 0 {
		panic(fmt.Sprintf("solvers: %s.Eval with Gamma 0: only a solver can fill in 1/Dim; give Gamma a value", kernel))
	}
}

// dot is xᵀz, summed in the order of the features as gram.SquaredNorm is, so that ‖x‖² + ‖x‖² - 2xᵀx
// is 0.
func dot(x, z Vector) float64 {
	var sum float64
	for i, j := 0, 0; i < len(x.Index) && j < len(z.Index); {
		switch a, b := x.Index[i], z.Index[j]; {
		case a == b:
			sum += x.Value[i] * z.Value[j]
			i++
			j++
		case a < b:
			i++
		default:
			j++
		}
	}
	return sum
}

// power is base^exponent by repeated squaring, exponent ≥ 0.
func power(base float64, exponent int) float64 {
	result := 1.0
	for ; exponent > 0; exponent >>= 1 {
		if exponent&1 == 1 {
			result *= base
		}
		base *= base
	}
	return result
}
