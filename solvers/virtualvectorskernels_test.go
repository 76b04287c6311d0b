package solvers_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// learned is a model whose kernel was learned, and one of the same start whose kernel was kept.
func learned(t *testing.T, d *solvers.Dataset, s solvers.VirtualVectors) (r, fixed *solvers.Result) {
	t.Helper()
	few := fit(t, solvers.RSVM{Kernel: solvers.RBF{Gamma: 2}, Budget: 6}, d).Model
	s.Reference, s.Passes = few, 150
	return fit(t, s, d), fit(t, solvers.VirtualVectors{Reference: few, LBFGS: true, Passes: 150}, d)
}

// unequal is blobs whose third and fourth features say nothing.
func unequal(n int, seed uint64) *solvers.Dataset {
	d, plain := blobs(n, 4, seed), blobs(n, 4, seed)
	for i, x := range plain.X {
		square := 0.0
		for k, j := range x.Index {
			if j < 2 {
				square += x.Value[k] * x.Value[k]
			}
		}
		d.Y[i] = -1
		if square > 2 {
			d.Y[i] = 1
		}
	}
	return d
}

// A Gamma for each vector, and a weight for each feature: the loss is the formula's, and smaller
// than with the kernel as it was.
func TestVirtualVectorsLearnKernel(t *testing.T) {
	d := unequal(250, 3)
	for _, s := range []solvers.VirtualVectors{{LearnGammas: true}, {LearnScales: true}, {LearnScales: true, LearnGamma: true}, {LearnGammas: true, Loss: solvers.SquaredHingeLoss}} {
		r, fixed := learned(t, d, s)
		if got := meanLoss(r.Model, d, s.Loss, 1e-8); math.Abs(got-r.Objective) > 1e-9*(1+got) {
			t.Errorf("%v: loss %g, objective %g", r.Kernel, got, r.Objective)
		}
		if kept := meanLoss(fixed.Model, d, s.Loss, 1e-8); s.Loss == solvers.LogisticLoss && r.Objective > 0.9*kept {
			t.Errorf("%v: loss %g, with the kernel as it was %g", r.Kernel, r.Objective, kept)
		}
		checkLearnedDecisions(t, r.Model, d)
		if want := int64(8 + 8*r.SupportSize() + 8*d.Dim*btoi(s.LearnScales) + 12*r.SupportSize()*(d.Dim+btoi(s.LearnGammas))); r.Bytes() != want {
			t.Errorf("%v: %d bytes, want %d", r.Kernel, r.Bytes(), want)
		}
		var file bytes.Buffer
		if _, err := r.WriteTo(&file); err == nil || !strings.Contains(err.Error(), r.Kernel.String()+" cannot be written: LIBSVM's format knows") {
			t.Errorf("%v: written with %v", r.Kernel, err)
		}
		if !(r.Norm() >= 0) || !strings.Contains(r.HTML(), "RBF(") || r.Indices != nil {
			t.Errorf("%v: norm %g, text %s", r.Kernel, r.Norm(), r)
		}
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// checkLearnedDecisions compares the decisions with Σᵥ βᵥ exp(-γᵥ Σⱼ sⱼ(xⱼ-zⱼ)²) + b.
func checkLearnedDecisions(t *testing.T, m *solvers.Model, d *solvers.Dataset) {
	t.Helper()
	distinct := map[float64]bool{}
	decisions := m.Decisions(d)
	for i, x := range d.X {
		dense := make([]float64, d.Dim)
		for k, j := range x.Index {
			dense[j] = x.Value[k]
		}
		want := m.Bias
		for v, z := range m.SupportVectors {
			gamma, scales := 0.0, make([]float64, d.Dim)
			for j := range scales {
				scales[j] = 1
			}
			at := make([]float64, d.Dim)
			for k, j := range z.Index {
				if j == solvers.WidthFeature {
					gamma = 1 / z.Value[k]
				} else {
					at[j] = z.Value[k]
				}
			}
			if k, ok := m.Kernel.(*solvers.ScaledRBF); ok {
				gamma, scales = k.Gamma, k.Scales
				distinct[scales[0]/scales[d.Dim-1]] = true
			} else {
				distinct[gamma] = true
			}
			distance := 0.0
			for j, s := range scales {
				distance += s * (dense[j] - at[j]) * (dense[j] - at[j])
			}
			want += m.Coefficients[v] * math.Exp(-gamma*distance)
		}
		if got := m.Decision(x); math.Abs(got-want) > 1e-9*(1+math.Abs(want)) || math.Abs(decisions[i]-want) > 1e-9*(1+math.Abs(want)) {
			t.Fatalf("%v: row %d: decision %g and %g, by the formula %g", m.Kernel, i, got, decisions[i], want)
		}
	}
	switch k := m.Kernel.(type) {
	case *solvers.ScaledRBF:
		if k.Scales[0] < 2*k.Scales[2] || k.Scales[1] < 2*k.Scales[3] {
			t.Errorf("scales %v: the first two features are those that count", k.Scales)
		}
	default:
		if len(distinct) < 3 {
			t.Errorf("%d Gammas", len(distinct))
		}
	}
}

// ScaledRBF is RBF between scaled rows, and a solver takes it; WidthRBF is RBF of each vector's own
// Gamma, and none does.
func TestLearnedKernels(t *testing.T) {
	d := svmtest.Random(40, 4, 5)
	k := &solvers.ScaledRBF{Gamma: 0.7, Scales: []float64{4, 0.25, 1}}
	checked := 0
	for _, x := range d.X {
		for _, z := range d.X {
			want := solvers.RBF{Gamma: 0.7}.Eval(k.Apply(x), k.Apply(z))
			if got := k.Eval(x, z); math.Abs(got-want) > 1e-12 || got != k.Eval(z, x) {
				t.Fatalf("%g, of scaled rows %g", got, want)
			}
			wide := solvers.Vector{Index: append(z.Index[:len(z.Index):len(z.Index)], solvers.WidthFeature), Value: append(z.Value[:len(z.Value):len(z.Value)], 1/0.3)}
			want = solvers.RBF{Gamma: 0.3}.Eval(x, z)
			if got := (solvers.WidthRBF{}).Eval(wide, x); math.Abs(got-want) > 1e-12 || got != (solvers.WidthRBF{}).Eval(x, wide) {
				t.Fatalf("%g with a width, want %g", got, want)
			}
			checked++
		}
	}
	if checked != 1600 {
		t.Errorf("%d pairs checked", checked)
	}
	scaled := &solvers.Dataset{Dim: d.Dim, Y: d.Y}
	for _, x := range d.X {
		scaled.X = append(scaled.X, k.Apply(x))
	}
	one, two := fit(t, solvers.SMO{Kernel: k, Epsilon: 1e-8}, d), fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.7}, Epsilon: 1e-8}, scaled)
	if math.Abs(one.Objective-two.Objective) > 1e-6*math.Abs(two.Objective) {
		t.Errorf("objective %g, of scaled rows %g", one.Objective, two.Objective)
	}
	wide, _ := learned(t, d, solvers.VirtualVectors{LearnGammas: true})
	for _, s := range []solvers.Solver{solvers.SMO{Kernel: solvers.WidthRBF{}}, solvers.VirtualVectors{Reference: wide.Model}, solvers.ISSVM{Reference: wide.Model}, solvers.Condense{Reference: wide.Model}, solvers.Refit{Reference: wide.Model}} {
		if r, err := s.Fit(context.Background(), d); err == nil || r != nil || !strings.Contains(err.Error(), "Gamma") || !strings.Contains(err.Error(), "want") {
			t.Errorf("%s: %v", s.Name(), err)
		}
	}
}
