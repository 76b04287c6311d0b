package solvers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// checkTeacher is a teacher, or nil, with its kernel resolved.
func checkTeacher(solver string, teacher *Model, dim int) (*Model, error) {
	if teacher == nil {
		return nil, nil
	}
	if teacher.Kernel == nil || len(teacher.SupportVectors) != len(teacher.Coefficients) {
		return nil, fmt.Errorf("%s.Teacher: want a model with a kernel and a coefficient for each of its %d vectors", solver, teacher.SupportSize())
	}
	resolved := *teacher
	var err error
	resolved.Kernel, err = resolveKernel(teacher.Kernel, dim)
	return &resolved, err
}

// checkStart says whether the vectors of a model can be moved.
func (s *VirtualVectors) checkStart(m *Model, dim int) error {
	if s.Reference != nil { // one that was interrupted may be empty
		if err := cmp.Or(checkReference("VirtualVectors", m, dim), checkSupport("VirtualVectors", m)); err != nil {
			return err
		}
	}
	if err := movable("VirtualVectors", m.Kernel); err != nil {
		return err
	}
	if _, rbf := m.Kernel.(RBF); s.learnsKernel() && !rbf {
		return fmt.Errorf("VirtualVectors: %v has no Gamma and no scales to learn: want an RBF kernel", m.Kernel)
	}
	return nil
}

// learnsKernel reports whether the kernel changes.
func (s *VirtualVectors) learnsKernel() bool { return s.LearnGamma || s.LearnGammas || s.LearnScales }

// movable is an error for a kernel whose gradient is not known.
func movable(solver string, k Kernel) error {
	if _, own := gramKernel(k); !own {
		return fmt.Errorf("%s: no gradient of %v is known: want RBF, Poly, Linear or Sigmoid", solver, k)
	}
	return nil
}

// model is f with the parameters as they are.
func (p *moving) model() *Model {
	if p.theta == nil {
		return p.used.Reference
	}
	return p.modelOf(p.theta)
}

func (p *moving) modelOf(theta []float64) *Model {
	from := p.used.Reference
	dim, size := p.train.Dim, from.SupportSize()
	weights := theta[size*dim:]
	m := &Model{Kernel: from.Kernel, Bias: weights[size]}
	extra := weights[size+1:]
	if p.used.learnsKernel() {
		m.Kernel = p.kernelOf(from.Kernel.(RBF), extra)
	}
	if len(p.train.Labels) == 2 {
		m.Labels = slices.Clone(p.train.Labels)
	}
	for v, beta := range weights[:size] {
		if beta == 0 {
			continue
		}
		z := sparse(theta[v*dim : (v+1)*dim])
		if p.used.LearnGammas {
			z.Index, z.Value = append(z.Index, WidthFeature), append(z.Value, math.Exp(-extra[v]))
		}
		m.SupportVectors = append(m.SupportVectors, z)
		m.Coefficients = append(m.Coefficients, beta)
	}
	return m
}

// kernelOf is the kernel with what was learned of it: the logarithms of the Gammas and of the scales.
func (p *moving) kernelOf(k RBF, learned []float64) Kernel {
	if p.used.LearnGammas {
		return WidthRBF{}
	}
	if p.used.LearnGamma {
		k.Gamma = math.Exp(learned[0])
	}
	if !p.used.LearnScales {
		return k
	}
	scales := make([]float64, p.train.Dim)
	for j, s := range learned[p.expansion.Gammas:] {
		scales[j] = math.Exp(s)
	}
	return &ScaledRBF{Gamma: k.Gamma, Scales: scales}
}

// sparse is the vector of dense features.
func sparse(dense []float64) Vector {
	n := 0
	for _, v := range dense {
		if v != 0 {
			n++
		}
	}
	if n == 0 {
		return Vector{}
	}
	x := Vector{Index: make([]int32, 0, n), Value: make([]float64, 0, n)}
	for j, v := range dense {
		if v != 0 {
			x.Index, x.Value = append(x.Index, int32(j)), append(x.Value, v)
		}
	}
	return x
}
