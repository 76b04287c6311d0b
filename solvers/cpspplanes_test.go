package solvers

import (
	"context"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// At the end every plane, and that of any other set of rows, holds to within the tolerance, by
// kernel values computed one by one; the weights are feasible.
func TestCPSPPlanes(t *testing.T) {
	checked := 0
	for seed := range uint64(5) {
		for _, kernel := range []Kernel{RBF{Gamma: 0.6}, Poly{Gamma: 0.5, Coef0: 1, Degree: 2}, Linear{}} {
			d := svmtest.Random(70, 3, seed)
			used := CPSP{Kernel: kernel, C: 2, Budget: 8, Epsilon: 1e-4}
			p := newCutting(context.Background(), used, d)
			if err := p.loop(context.Background(), startRun(context.Background(), Settings{}, 5000), nil); err != nil {
				t.Fatal(err)
			}
			solution := p.planes.sum(1 + len(p.vectors))
			p.factor.backward(solution[1:])
			best := &Model{Kernel: kernel, SupportVectors: p.vectors, Coefficients: solution[1:], Bias: solution[0]}
			f, atBest := make([]float64, d.Len()), make([]float64, d.Len())
			loss := 0.0
			for i, x := range d.X {
				f[i], atBest[i] = p.model().Decision(x), best.Decision(x)
				loss += max(0, 1-d.Y[i]*f[i]) / float64(d.Len())
			}
			slack, total := 0.0, p.planes.weight[0]
			for k, cut := range p.planes.cut {
				height, bestHeight := 0.0, 0.0
				for i, is := range cut {
					if is {
						height += (1 - d.Y[i]*f[i]) / float64(d.Len())
						bestHeight += (1 - d.Y[i]*atBest[i]) / float64(d.Len())
					}
				}
				slack = max(slack, height)
				if weight := p.planes.weight[k+1]; weight < 0 {
					t.Errorf("weight %g", weight)
				} else {
					total += weight
				}
				if off := bestHeight - p.planes.gradient[k+1]; off > 1e-8 || off < -1e-8 {
					t.Errorf("seed %d, %v: plane %d is %g above the solution, by hand %g", seed, kernel, k, p.planes.gradient[k+1], bestHeight)
				}
				checked++
			}
			// The loss is the most violated of all planes.
			if loss-slack > used.Epsilon || loss-slack < -1e-9 || p.gap > used.Epsilon {
				t.Errorf("seed %d, %v: loss %g, slack of the planes %g, gap %g", seed, kernel, loss, slack, p.gap)
			}
			if off := total - p.planes.total; off > 1e-8*total || off < -1e-8*total {
				t.Errorf("seed %d, %v: weights sum to %g, want %g", seed, kernel, total, p.planes.total)
			}
			if len(p.vectors) > 8 {
				t.Errorf("%d vectors", len(p.vectors))
			}
		}
	}
	if checked < 100 {
		t.Errorf("%d planes checked", checked)
	}
}
