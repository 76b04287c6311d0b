package solvers_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// Few enough rows to end Lloyd's iteration: each centre is the mean of the rows of one class that
// are nearest to it.
func TestKMeansCentres(t *testing.T) {
	checked := 0
	for seed := range uint64(6) {
		d := svmtest.Random(60, 3, seed)
		r := fit(t, solvers.KMeans{Kernel: solvers.RBF{Gamma: 1}, Budget: 7, Settings: solvers.Settings{Seed: seed}}, d)
		if r.SupportSize() != 7 {
			t.Fatalf("seed %d: %d centres", seed, r.SupportSize())
		}
		for class, centres := range map[float64][]solvers.Vector{-1: r.SupportVectors[:3], 1: r.SupportVectors[3:]} {
			sums, sizes := make([][3]float64, len(centres)), make([]float64, len(centres))
			for i, x := range d.X {
				if d.Y[i] != class {
					continue
				}
				best, least := 0, math.Inf(1)
				for k, z := range centres {
					if distance := -math.Log(solvers.RBF{Gamma: 1}.Eval(x, z)); distance < least {
						best, least = k, distance
					}
				}
				sizes[best]++
				for p, feature := range x.Index {
					sums[best][feature] += x.Value[p]
				}
			}
			for k, z := range centres {
				for p, feature := range z.Index {
					if mean := sums[k][feature] / sizes[k]; math.Abs(mean-z.Value[p]) > 1e-12 {
						t.Errorf("seed %d: centre %d of %g, feature %d: %g, mean %g", seed, k, class, feature, z.Value[p], mean)
					}
					checked++
				}
			}
		}
	}
	if checked == 0 {
		t.Error("nothing checked")
	}
}

// With as many centres as rows they are the distinct rows.
func TestKMeansAllRows(t *testing.T) {
	d := svmtest.Random(30, 3, 4)
	distinct := map[float64]map[string]bool{-1: {}, 1: {}}
	for i, x := range d.X {
		distinct[d.Y[i]][fmt.Sprint(x)] = true
	}
	r := fit(t, solvers.KMeans{Kernel: solvers.RBF{Gamma: 1}, Budget: 30}, d)
	for _, z := range r.SupportVectors {
		if !slices.ContainsFunc(d.X, func(x solvers.Vector) bool { return slices.Equal(x.Index, z.Index) }) {
			t.Errorf("centre %v is no row", z)
		}
	}
	if want := min(15, len(distinct[-1])) + min(15, len(distinct[1])); r.SupportSize() != want {
		t.Errorf("%d centres: want %d", r.SupportSize(), want)
	}
}
