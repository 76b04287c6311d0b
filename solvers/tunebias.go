package solvers

import (
	"cmp"
	"math"
	"slices"
)

// TuneBias is a copy of the model whose Bias makes the fewest errors on d that any bias can.
// Of several best intervals of biases it takes the one nearest to the present Bias, and in it the
// present Bias or else the middle. Cost: one pass of Decisions and a sort.
//
// The SASSO paper calls this the syntonization of b.
func (m *Model) TuneBias(d *Dataset) *Model {
	binary := d.Binary()
	rows := make([]judged, d.Len())
	for i, g := range m.responses(d.X, m.precision(d.Len())) {
		rows[i] = judged{g, m.class(d.Y[i], binary)}
	}
	sortJudged(rows)
	tuned := *m
	tuned.Bias, _ = bestBias(rows, m.Bias)
	return &tuned
}

// judged is a response g(x) = f(x) - Bias and the true class, -1 or +1.
type judged struct{ response, class float64 }

func sortJudged(rows []judged) {
	slices.SortFunc(rows, func(a, b judged) int { return cmp.Compare(a.response, b.response) })
}

// bestBias is the bias with the fewest errors on rows sorted by response, and that number. A row
// counts as +1 if response + bias ≥ 0.
func bestBias(rows []judged, present float64) (bias float64, errors int) {
	wrong := 0 // when all rows count as +1
	for _, r := range rows {
		if r.class != 1 {
			wrong++
		}
	}
	best, bestDistance := math.MaxInt, math.Inf(1)
	// Rows before k count as -1: the bias is in [low, high).
	for k, high := 0, math.Inf(1); ; {
		low := math.Inf(-1)
		if k < len(rows) {
			low = -rows[k].response
		}
		candidate := within(low, high, present)
		if distance := math.Abs(candidate - present); wrong < best || wrong == best && distance < bestDistance {
			bias, best, bestDistance = candidate, wrong, distance
		}
		if k == len(rows) {
			return bias, best
		}
		for high = low; k < len(rows) && -rows[k].response == high; k++ {
			switch rows[k].class {
			case 1:
				wrong++
			case -1:
				wrong--
			}
		}
	}
}

// within is a bias in [low, high): present if it is, else the middle, else one unit of margin
// from the only end.
func within(low, high, present float64) float64 {
	switch {
	case low <= present && present < high:
		return present
	case math.IsInf(high, 1):
		return low + 1
	case math.IsInf(low, -1):
		return high - 1
	}
	if middle := low + (high-low)/2; middle < high {
		return middle
	}
	return low
}
