package solvers

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// expansion is a vector of the feature space, u = Σⱼ aⱼ Φ(xⱼ) + Σᵥ cᵥ Φ(zᵥ). A pre-image of u is a
// vector z of the input space whose image, suitably scaled, is near u. The distance left is
//
//	min over c   ‖u - cΦ(z)‖² = ‖u‖² - q(z),     q(z) = ⟨u, Φ(z)⟩² / K(z, z),
//
// so that a good pre-image makes q great. Where q is stationary, z solves an equation of the form
// z = scale·Σⱼ aⱼhⱼ xⱼ, with hⱼ and scale depending on z:
//
//	RBF     hⱼ = K(xⱼ, z)                  scale = 1 / ⟨u, Φ(z)⟩
//	Poly    hⱼ = (γxⱼᵀz + Coef0)^(d-1)     scale = (γzᵀz + Coef0) / ⟨u, Φ(z)⟩
//	Linear  hⱼ = 1                         scale = zᵀz / ⟨u, Φ(z)⟩
//
// The way from z to the right side is one along which q rises, whatever the signs of a.
type expansion struct {
	kernel  Kernel
	dim     int
	points  []Vector     // x
	matrix  *gram.Matrix // of the points
	weight  []float64    // a
	vectors []Vector     // z
	own     []float64    // c

	values    []float64 // K(xⱼ, z) of the z looked at last
	ownValues []float64 // K(zᵥ, z)
}

func newExpansion(ctx context.Context, kernel Kernel, dim int, points []Vector, workers int) *expansion {
	return &expansion{kernel: kernel, dim: dim, points: points, matrix: kernelMatrix(ctx, kernel, points, workers),
		weight: make([]float64, len(points)), values: make([]float64, len(points))}
}

// response is ⟨u, Φ(z)⟩.
func (e *expansion) response(ctx context.Context, z Vector) (float64, error) {
	if err := e.matrix.Row(ctx, z, e.values); err != nil {
		return 0, err
	}
	sum := 0.0
	for j, k := range e.values {
		sum += e.weight[j] * k
	}
	e.ownValues = e.ownValues[:0]
	for v, other := range e.vectors {
		k := e.kernel.Eval(other, z)
		e.ownValues = append(e.ownValues, k)
		sum += e.own[v] * k
	}
	return sum, nil
}

const (
	fixedPointSteps = 100
	fixedPointGain  = 1e-7 // the share of q by which a step must raise it
	halvings        = 20
)

// climb iterates to the right side of the fixed-point equation from z on, which is left unchanged.
// A step that would lower q is halved until it does not. Of other kernels than those above the
// pre-image is z itself.
func (e *expansion) climb(ctx context.Context, z Vector) (Vector, error) {
	s, err := e.response(ctx, z)
	if err != nil {
		return z, err
	}
	quality := e.quality(z, s)
	for range fixedPointSteps {
		target := e.fixedPoint(z, s)
		if target == nil {
			return z, nil
		}
		before := quality
		for t, tried := 1.0, 0; ; t, tried = t/2, tried+1 {
			next := between(z, target, t)
			if s, err = e.response(ctx, next); err != nil {
				return z, err
			}
			if q := e.quality(next, s); q >= before {
				z, quality = next, q
				break
			}
			if tried == halvings {
				return z, nil
			}
		}
		if quality <= before*(1+fixedPointGain) {
			break
		}
	}
	return z, nil
}

// quality is q(z), s being ⟨u, Φ(z)⟩; -1 if it is not defined.
func (e *expansion) quality(z Vector, s float64) float64 {
	q := s * s / e.kernel.Eval(z, z)
	if !(q >= 0) || math.IsInf(q, 1) {
		return -1
	}
	return q
}

// fixedPoint is the right side of the equation at the z that response was asked for last; nil if
// there is none.
func (e *expansion) fixedPoint(z Vector, s float64) []float64 {
	var scale float64
	var factor func(x Vector, k float64) float64
	switch k := e.kernel.(type) {
	case RBF:
		scale = 1 / s
		factor = func(_ Vector, value float64) float64 { return value }
	case Poly:
		scale = (k.Gamma*gram.SquaredNorm(z) + k.Coef0) / s
		factor = func(x Vector, _ float64) float64 { return power(k.Gamma*dot(x, z)+k.Coef0, k.degree()-1) }
	case Linear:
		scale = gram.SquaredNorm(z) / s
		factor = func(Vector, float64) float64 { return 1 }
	default:
		return nil
	}
	sum := make([]float64, e.dim)
	add := func(x Vector, a, value float64) {
		if a == 0 {
			return
		}
		a *= scale * factor(x, value)
		for k, feature := range x.Index {
			sum[feature] += a * x.Value[k]
		}
	}
	for j, x := range e.points {
		add(x, e.weight[j], e.values[j])
	}
	for v, x := range e.vectors {
		add(x, e.own[v], e.ownValues[v])
	}
	for _, value := range sum {
		if value-value != 0 {
			return nil
		}
	}
	return sum
}

// between is z + t(target - z).
func between(z Vector, target []float64, t float64) Vector {
	var out Vector
	k := 0
	for feature, value := range target {
		from := 0.0
		if k < len(z.Index) && int(z.Index[k]) == feature {
			from = z.Value[k]
			k++
		}
		if t != 1 {
			value = from + t*(value-from)
		}
		if value != 0 {
			out.Index, out.Value = append(out.Index, int32(feature)), append(out.Value, value)
		}
	}
	return out
}
