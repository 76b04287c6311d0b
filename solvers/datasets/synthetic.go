package datasets

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
)

// toy is two overlapping classes in the plane. The training rows are the 100 points (50 of
// either class) whose exact optima are known; the 2000 test rows are drawn from what those
// points look drawn from, unit normals around y·(1.25, 1.25). No classifier of that
// distribution errs on less than 3.9 % of it.
func toy() (train, test *Dataset) {
	train, err := ReadCSV(bytes.NewReader(toyFile), "toy")
	if err != nil {
		panic(fmt.Sprintf("datasets: embedded toy set: %v", err))
	}
	return train, inPlane(2000, 1, func(random *rand.Rand, y float64) (float64, float64) {
		return 1.25*y + random.NormFloat64(), 1.25*y + random.NormFloat64()
	})
}

// banana is two crescents that reach into each other: half circles of radius 1, the lower
// one moved by (1, -0.5), with normal noise of deviation 0.2. 400 training rows, 2000 test rows.
func banana() (train, test *Dataset) {
	return bothParts(400, 2000, 2, func(random *rand.Rand, y float64) (float64, float64) {
		angle := math.Pi * random.Float64()
		a, b := math.Cos(angle), math.Sin(angle)
		if y > 0 {
			a, b = 1-a, 0.5-b
		}
		return a + 0.2*random.NormFloat64(), b + 0.2*random.NormFloat64()
	})
}

// checkerboard is a board of 4 × 4 fields over [-2, 2]², each class uniform on its 8
// fields, without noise. 1000 training rows, 4000 test rows.
func checkerboard() (train, test *Dataset) {
	return bothParts(1000, 4000, 3, func(random *rand.Rand, y float64) (float64, float64) {
		row, column := random.IntN(4), 2*random.IntN(2)
		if (y > 0) != (row%2 == 0) {
			column++
		}
		return float64(column) - 2 + random.Float64(), float64(row) - 2 + random.Float64()
	})
}

// spirals is two arms that wind one and three quarter times around the origin out to
// radius 1, half a turn apart, with normal noise of deviation 0.02. 400 training rows, 2000 test rows.
func spirals() (train, test *Dataset) {
	return bothParts(400, 2000, 4, func(random *rand.Rand, y float64) (float64, float64) {
		part := math.Sqrt(random.Float64()) // as many points per length outside as inside
		radius, angle := 0.1+0.9*part, 3.5*math.Pi*part
		a, b := radius*math.Cos(angle), radius*math.Sin(angle)
		return y*a + 0.02*random.NormFloat64(), y*b + 0.02*random.NormFloat64()
	})
}

// bothParts draws the two parts of a set from different streams of the same seed.
func bothParts(train, test int, seed uint64, draw func(*rand.Rand, float64) (float64, float64)) (*Dataset, *Dataset) {
	return inPlane(train, 2*seed, draw), inPlane(test, 2*seed+1, draw)
}

// inPlane draws n points, the classes in turn. Coordinates are rounded down to 1e-4, so
// that the last digits of the machine's cosine do not change the set; down, so that a point
// stays in its field of the checkerboard.
func inPlane(n int, seed uint64, draw func(random *rand.Rand, y float64) (float64, float64)) *Dataset {
	random := rand.New(rand.NewPCG(seed, 0x9a11))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		y[i] = float64(2*(i%2) - 1)
		a, b := draw(random, y[i])
		x[i] = []float64{math.Floor(a*1e4) / 1e4, math.Floor(b*1e4) / 1e4}
	}
	d, err := FromDense(x, y)
	if err != nil {
		panic(fmt.Sprintf("datasets: synthetic set: %v", err))
	}
	return d
}
