package solvers

import (
	"fmt"
	"math"
	"slices"
)

// ScaledRBF is K(x, z) = exp(-Gamma·Σⱼ Scales[j]·(xⱼ-zⱼ)²): RBF with a weight for each feature, as
// VirtualVectors{LearnScales} finds them. Features from len(Scales) on have weight 1. It is positive
// definite for Scales > 0, and solvers take it as they take a KernelFunc. LIBSVM's model files know no
// scales, so that a model with it cannot be written: LIBSVM can use the vectors and rows with feature j
// multiplied by √Scales[j], which Apply does, and RBF{Gamma}.
type ScaledRBF struct {
	Gamma  float64
	Scales []float64
}

// Eval is exp(-Gamma·Σⱼ Scales[j]·(xⱼ-zⱼ)²).
func (k *ScaledRBF) Eval(x, z Vector) float64 {
	sum := 0.0
	eachDifference(x, z, func(j int32, d float64) {
		if int(j) < len(k.Scales) {
			d *= math.Sqrt(k.Scales[j])
		}
		sum += d * d
	})
	return math.Exp(-k.Gamma * sum)
}

// String is "ScaledRBF(Gamma=1, 22 scales)".
func (k *ScaledRBF) String() string {
	return fmt.Sprintf("ScaledRBF(Gamma=%s, %d scales)", gammaString(k.Gamma), len(k.Scales))
}

// Apply multiplies feature j of a row by √Scales[j]. Between such rows RBF{Gamma} is this kernel.
func (k *ScaledRBF) Apply(x Vector) Vector {
	out := Vector{Index: x.Index, Value: slices.Clone(x.Value)}
	for i, j := range x.Index {
		if int(j) < len(k.Scales) {
			out.Value[i] *= math.Sqrt(k.Scales[j])
		}
	}
	return out
}

// WidthRBF is RBF with a Gamma for each vector, as VirtualVectors{LearnGammas} finds them: feature
// WidthFeature of a vector z is its width u = 1/γ, and of a row x, which has no such feature, 0. Then
//
//	K(x, z) = exp(-‖x-z‖²/(uₓ + u_z)),
//
// the distance being over the other features. Two rows without a width are alike, 1, if they
// are equal and else not, 0. It is not positive semidefinite in general; a model with it
// predicts, but no solver starts from it, and LIBSVM's model files have one Gamma only.
type WidthRBF struct{}

// WidthFeature is the feature that holds the width of a vector of WidthRBF.
const WidthFeature = math.MaxInt32

// Eval is exp(-‖x-z‖²/(uₓ + u_z)).
func (WidthRBF) Eval(x, z Vector) float64 {
	sum := 0.0
	eachDifference(x, z, func(j int32, d float64) {
		if j != WidthFeature {
			sum += d * d
		}
	})
	if sum == 0 {
		return 1
	}
	return math.Exp(-sum / (width(x) + width(z)))
}

func (WidthRBF) String() string { return "RBF(Gamma of each vector)" }

// resolve says that no solver knows what the width of a row is.
func (k WidthRBF) resolve(int) (Kernel, error) {
	return nil, fmt.Errorf("kernel %v: such a model predicts, but rows have no Gamma of their own, so that no solver starts from it: want RBF", k)
}

// width is 1/γ of a vector, 0 if it has none.
func width(x Vector) float64 {
	if n := len(x.Index); n > 0 && x.Index[n-1] == WidthFeature {
		return x.Value[n-1]
	}
	return 0
}

// eachDifference calls f with the features where x or z is not 0, in ascending order, and x - z there.
func eachDifference(x, z Vector, f func(j int32, d float64)) {
	for i, k := 0, 0; i < len(x.Index) || k < len(z.Index); {
		switch {
		case k == len(z.Index) || i < len(x.Index) && x.Index[i] < z.Index[k]:
			f(x.Index[i], x.Value[i])
			i++
		case i == len(x.Index) || z.Index[k] < x.Index[i]:
			f(z.Index[k], -z.Value[k])
			k++
		default:
			f(x.Index[i], x.Value[i]-z.Value[k])
			i++
			k++
		}
	}
}

// isLearned reports whether a kernel is of those that VirtualVectors makes, of which a path may
// have several.
func isLearned(k Kernel) bool {
	switch k.(type) {
	case *ScaledRBF, WidthRBF:
		return true
	}
	return false
}
