package solvers

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The merged vector is at least as near as any of a fine grid, its coefficient is the best one,
// and blend gives the vector itself.
func TestMergeAt(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	checked := 0
	for range 200 {
		gamma := RBF{Gamma: 0.1 + 2*random.Float64()}
		x := Vector{Index: []int32{0, 2}, Value: []float64{random.NormFloat64(), random.NormFloat64()}}
		z := Vector{Index: []int32{0, 1}, Value: []float64{random.NormFloat64(), random.NormFloat64()}}
		a, b := random.Float64(), random.Float64()
		kappa := gamma.Eval(x, z)
		h, beta := mergeAt(a, b, kappa)
		at := func(h float64) float64 {
			v := blend(h, x, z)
			return a*gamma.Eval(v, x) + b*gamma.Eval(v, z)
		}
		if math.Abs(at(h)-beta) > 1e-12 {
			t.Errorf("coefficient %g, by the definition %g", beta, at(h))
		}
		for g := 0.0; g <= 1; g += 0.01 {
			if at(g) > beta+1e-6 {
				t.Errorf("h = %g gives %g, %g gives %g", h, beta, g, at(g))
			}
			checked++
		}
	}
	if checked == 0 {
		t.Error("nothing checked")
	}
}

// After a projection nothing along the vectors that stay is left of the change.
func TestProject(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	kernel := RBF{Gamma: 1}
	checked := 0
	for range 20 {
		p := &descent{online: newOnline(&Dataset{}, kernel)}
		for s := range 6 {
			x := Vector{Index: []int32{0, 1}, Value: []float64{random.NormFloat64(), random.NormFloat64()}}
			var values []float64
			for _, z := range p.vectors {
				values = append(values, kernel.Eval(z, x))
			}
			p.vectors, p.rows, p.coefficient = append(p.vectors, x), append(p.rows, s), append(p.coefficient, random.NormFloat64())
			p.know(values, 1)
		}
		before := &Model{Kernel: kernel, SupportVectors: append([]Vector{}, p.vectors...), Coefficients: append([]float64{}, p.coefficient...)}
		p.project(2)
		after := &Model{Kernel: kernel, SupportVectors: p.vectors, Coefficients: p.coefficient}
		if after.SupportSize() != 5 {
			t.Fatalf("%d vectors", after.SupportSize())
		}
		for _, z := range p.vectors {
			if change := after.Decision(z) - before.Decision(z); math.Abs(change) > 1e-5 {
				t.Errorf("f changes by %g at a vector that stays", change)
			}
			checked++
		}
	}
	if checked == 0 {
		t.Error("nothing checked")
	}
}
