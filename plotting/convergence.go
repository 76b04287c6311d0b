package plotting

import (
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// Convergence draws the gap (on a logarithmic axis) by iteration, from the Trace of each
// result. The gap is what a solver compares with its Epsilon, so curves of different solvers
// show speed, not who is nearer to a common optimum. Gaps that are not above zero cannot be
// shown; the label of the x axis says how many were left out. It returns an error when a
// result has nothing to show.
func Convergence(results ...*solvers.Result) (*plot.Plot, error) {
	if len(results) == 0 {
		return nil, errors.New("no result to draw: want at least one")
	}
	p, k := newPlot(), &key{}
	left := 0
	x, y := [2]float64{math.Inf(1), math.Inf(-1)}, [2]float64{math.Inf(1), math.Inf(-1)}
	for i, name := range resultNames(results) {
		points, dropped := trace(results[i])
		if len(points) == 0 {
			return nil, fmt.Errorf("result %d (%s) has nothing to draw: its trace has %s, none with a gap above 0",
				i+1, name, count(dropped, "point"))
		}
		left += dropped
		for _, q := range points {
			x = [2]float64{min(x[0], q.X), max(x[1], q.X)}
			y = [2]float64{min(y[0], q.Y), max(y[1], q.Y)}
		}
		line := newCurve(i, points)
		line.plain = len(points) > 1
		p.Add(line)
		k.avoid = append(k.avoid, line)
		k.add(name, line)
	}
	p.X.Min, p.X.Max = x[0], x[1]+0.02*(x[1]-x[0])
	if x[0] == x[1] {
		p.X.Min, p.X.Max = x[0]-1, x[1]+1
	}
	p.X.Label.Text = "Iteration"
	if left > 0 {
		p.X.Label.Text += "\nNot shown: " + count(left, "point") + " without a gap above 0"
	}
	p.Y.Label.Text = "Gap"
	p.Y.Scale, p.Y.Tick.Marker = LogScale{}, LogTicks{Length: 250, Vertical: true}
	p.Y.Min, p.Y.Max = logRange(y[0], y[1])
	p.Add(k)
	return p, nil
}

// trace are the points of a run that a logarithmic axis can show, and how many it cannot.
func trace(r *solvers.Result) (points plotter.XYs, dropped int) {
	if r == nil {
		return nil, 0
	}
	for _, q := range r.Trace {
		if !(q.Gap > 0) || !finite(q.Gap) {
			dropped++
			continue
		}
		points = append(points, plotter.XY{X: float64(q.Iteration), Y: q.Gap})
	}
	return points, dropped
}

func resultNames(results []*solvers.Result) []string {
	all := make([]string, len(results))
	for i, r := range results {
		switch {
		case r == nil:
			all[i] = "nil"
		case r.Solver == nil:
			all[i] = "Result"
		default:
			all[i] = r.Solver.Name()
		}
	}
	return distinct(all)
}
