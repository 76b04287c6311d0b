package plotting_test

import (
	"math"
	"math/rand/v2"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// fallingPath is a path whose error falls from about 40 % to floor, over support sizes from
// first to last.
func fallingPath(name string, n, first, last int, floor, rate float64, seed uint64) *solvers.Path {
	random := rand.New(rand.NewPCG(seed, 1))
	p := &solvers.Path{Solver: name, Dataset: "ijcnn1", ParameterName: "Iterations",
		Reference: solvers.PathPoint{SupportSize: 3514, TestError: 0.0131, ValidationError: 0.0129}}
	for i := range n {
		share := float64(i) / math.Max(1, float64(n-1))
		size := float64(first) * math.Pow(float64(last)/float64(first), share)
		if m := len(p.Points); m > 0 && p.Points[m-1].SupportSize == int(math.Round(size)) {
			continue
		}
		e := floor + 0.33*math.Exp(-rate*share)*(1+0.1*random.NormFloat64())
		p.Points = append(p.Points, solvers.PathPoint{Parameter: float64(i), SupportSize: int(math.Round(size)),
			TestError: e, ValidationError: e + 0.002*random.NormFloat64(), TestStd: 0.01 + 0.1*e*random.Float64()})
	}
	return p
}

// rowsOf makes a data set of two features in two classes that a circle divides.
func twoFeatures(n int) *solvers.Dataset {
	random := rand.New(rand.NewPCG(7, 7))
	d := &solvers.Dataset{Name: "ring", Dim: 2, Labels: []float64{3, 8}}
	for range n {
		x, z := 4*random.Float64()-2, 3*random.Float64()-1.5
		y := 1.0
		if x*x+z*z+0.3*random.NormFloat64() > 1.3 {
			y = -1
		}
		d.X = append(d.X, solvers.Vector{Index: []int32{0, 1}, Value: []float64{x, z}})
		d.Y = append(d.Y, y)
	}
	return d
}
