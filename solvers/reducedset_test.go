package solvers_test

import (
	"context"
	"math"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

func init() {
	reducedSet := func(refit bool) func(solvers.Kernel, *solvers.Model, int, solvers.Settings) solvers.Solver {
		return func(k solvers.Kernel, r *solvers.Model, budget int, s solvers.Settings) solvers.Solver {
			return solvers.ReducedSet{Reference: r, Kernel: without(k, r), Budget: budget, Refit: refit, Settings: s}
		}
	}
	baselines = append(baselines,
		baseline{name: "ReducedSet", with: reducedSet(false), objective: squaredDistance, reference: true, virtual: true, limited: true},
		baseline{name: "ReducedSet refit", with: reducedSet(true), objective: squaredHinge, reference: true, newton: true, virtual: true, limited: true})
}

// squaredDistance is ‖w̃ - w‖², w being the reference's.
func squaredDistance(r *solvers.Result, _ *solvers.Dataset) float64 {
	return squaredDistanceOf(r.Model, r.Reference)
}

func squaredDistanceOf(m, reference *solvers.Model) float64 {
	sum := 0.0
	add := func(v solvers.Vector, beta float64) {
		sum += beta * (m.Decision(v) - m.Bias - (reference.Decision(v) - reference.Bias))
	}
	for k, v := range m.SupportVectors {
		add(v, m.Coefficients[k])
	}
	for k, v := range reference.SupportVectors {
		add(v, -reference.Coefficients[k])
	}
	return sum
}

// Pre-images never increase the distance, and no coefficients on them make it less.
func TestReducedSetDistance(t *testing.T) {
	checked := 0
	for seed := range uint64(5) {
		for _, kernel := range []solvers.Kernel{solvers.RBF{Gamma: 0.7}, solvers.Poly{Gamma: 0.5, Coef0: 1, Degree: 3}, solvers.Poly{Gamma: 1, Degree: 2}} {
			d := svmtest.Random(80, 4, 20+seed)
			dense := fit(t, solvers.SMO{Kernel: kernel}, d).Model
			last := dense.Norm() * dense.Norm()
			_, err := solvers.ReducedSet{Reference: dense, Budget: 25}.FitPath(context.Background(), d, func(budget float64, m *solvers.Model) error {
				distance := squaredDistanceOf(m, dense)
				if distance > last*(1+1e-9)+1e-9 {
					t.Errorf("seed %d, %v: distance² %g with %g vectors, %g with fewer", seed, kernel, distance, budget, last)
				}
				last = distance
				scale := 0.0
				for k, beta := range m.Coefficients {
					scale += math.Abs(beta) * math.Abs(m.Kernel.Eval(m.SupportVectors[k], m.SupportVectors[k]))
				}
				for _, z := range m.SupportVectors {
					if off := m.Decision(z) - dense.Decision(z); math.Abs(off) > 1e-8*(1+scale) {
						t.Errorf("seed %d, %v: with %g vectors the response at one is off by %g", seed, kernel, budget, off)
					}
				}
				checked++
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	if checked < 100 {
		t.Errorf("%d models checked", checked)
	}
}

// One pre-image does not increase the distance to where it started, and is a fixed point.
func TestReducedSetOneVector(t *testing.T) {
	checked := 0
	for seed := range uint64(10) {
		d := svmtest.Random(60, 3, 50+seed)
		gamma := 0.4
		dense := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: gamma}}, d).Model
		r := fit(t, solvers.ReducedSet{Reference: dense, Budget: 1}, d)
		w := *dense
		w.Bias = 0
		most := 0.0
		for _, x := range dense.SupportVectors {
			most = max(most, math.Abs(w.Decision(x)))
		}
		z := r.SupportVectors[0]
		if got := math.Abs(w.Decision(z)); got < most || math.Abs(got-math.Abs(r.Coefficients[0])) > 1e-9*got {
			t.Errorf("seed %d: response %g, coefficient %g, best of a support vector %g", seed, got, r.Coefficients[0], most)
		}
		for feature := range int32(3) {
			sum, at := 0.0, 0.0
			for j, x := range dense.SupportVectors {
				for k, f := range x.Index {
					if f == feature {
						sum += dense.Coefficients[j] * w.Kernel.Eval(x, z) * x.Value[k]
					}
				}
			}
			for k, f := range z.Index {
				if f == feature {
					at = z.Value[k]
				}
			}
			if want := sum / w.Decision(z); math.Abs(want-at) > 1e-2*(1+math.Abs(want)) {
				t.Errorf("seed %d: feature %d is %g, of the fixed point %g", seed, feature, at, want)
			}
			checked++
		}
	}
	if checked != 30 {
		t.Errorf("%d features checked", checked)
	}
}

// A linear machine is one vector.
func TestReducedSetLinear(t *testing.T) {
	d := svmtest.Random(50, 3, 1)
	dense := fit(t, solvers.SMO{Kernel: solvers.Linear{}}, d).Model
	r := fit(t, solvers.ReducedSet{Reference: dense}, d)
	if r.SupportSize() != 1 || r.Status != solvers.Converged || r.Gap > 1e-12 {
		t.Errorf("%v, gap %g", r, r.Gap)
	}
	for _, x := range d.X {
		if off := r.Decision(x) - dense.Decision(x); math.Abs(off) > 1e-9 {
			t.Errorf("decision off by %g", off)
		}
	}
}

func TestReducedSetParameters(t *testing.T) {
	d := svmtest.SixPoints()
	for _, test := range []struct {
		s    solvers.ReducedSet
		want string
	}{
		{solvers.ReducedSet{Starts: -1}, "ReducedSet.Starts = -1: want ≥ 1 (0: default 5)"},
		{solvers.ReducedSet{Budget: -3}, "ReducedSet.Budget = -3: want ≥ 1 (0: default 100)"},
		{solvers.ReducedSet{Reference: &solvers.Model{Kernel: solvers.Linear{}}}, "ReducedSet.Reference: no support vectors: want a trained model"},
	} {
		if r, err := test.s.Fit(context.Background(), d); err == nil || err.Error() != test.want || r != nil {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}
