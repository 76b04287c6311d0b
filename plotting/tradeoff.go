package plotting

import (
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/plotter"

	"github.com/gonb-svm/gonb-svm/solvers"
	"gonum.org/v1/plot"
)

// Tradeoff draws test error (in percent) by number of support vectors (on a logarithmic
// axis), one curve for each path, with a band of one standard deviation where the errors
// have one. A ring marks each path's Best, which was chosen by validation error. A dashed
// line shows the error of the dense reference, and a dot on it its number of support vectors.
//
// Models without support vectors and errors that are not finite cannot be shown; the label
// of the x axis says how many were left out. It returns an error when a path has nothing to
// show.
func Tradeoff(paths ...*solvers.Path) (*plot.Plot, error) {
	if len(paths) == 0 {
		return nil, errors.New("no path to draw: want at least one")
	}
	t := tradeoff{plot: newPlot(), names: names(paths),
		x: [2]float64{math.Inf(1), math.Inf(-1)}, y: [2]float64{math.Inf(1), math.Inf(-1)}}
	for i, path := range paths {
		if err := t.add(i, path); err != nil {
			return nil, err
		}
	}
	t.addReferences(paths)
	t.assemble()
	t.plot.Y.Label.Text = "Test error (%)"
	t.plot.X.Label.Text = t.xLabel(paths)
	return t.plot, nil
}

// tradeoff is a tradeoff plot in the making.
type tradeoff struct {
	plot   *plot.Plot
	names  []string
	curves []curve
	bands  []band
	levels []level
	labels []string // of levels
	best   rings
	x, y   [2]float64 // range of what is drawn
	noSize int        // points left out: no support vectors
	noRate int        // points left out: error not finite
}

// add takes over one path.
func (t *tradeoff) add(i int, path *solvers.Path) error {
	if path == nil || len(path.Points) == 0 {
		return fmt.Errorf("path %d (%s) has no points: want at least one", i+1, t.names[i])
	}
	var points plotter.XYs
	var spread []float64
	noSize, noRate, spreads := 0, 0, false
	for _, q := range path.Points {
		switch {
		case !finite(q.TestError):
			noRate++
			continue
		case q.SupportSize < 1:
			noSize++
			continue
		}
		points = append(points, percent(q))
		width := 0.0
		if finite(q.TestStd) && q.TestStd > 0 {
			width, spreads = 100*q.TestStd, true
		}
		spread = append(spread, width)
	}
	if len(points) == 0 {
		return fmt.Errorf("path %d (%s) has nothing to draw: of %d points %d have no support vectors and %d no finite test error",
			i+1, t.names[i], len(path.Points), noSize, noRate)
	}
	t.noSize, t.noRate = t.noSize+noSize, t.noRate+noRate
	for j, q := range points {
		t.include(q.X, q.Y-spread[j])
		t.include(q.X, q.Y+spread[j])
	}
	line := newCurve(i, points)
	t.curves = append(t.curves, line)
	if spreads {
		t.bands = append(t.bands, band{points: points, spread: spread, color: line.color})
	}
	if best := path.Best(); best.SupportSize >= 1 && finite(best.TestError) {
		t.best.points = append(t.best.points, percent(best))
		t.best.colors = append(t.best.colors, line.color)
	}
	return nil
}

func percent(q solvers.PathPoint) plotter.XY {
	return plotter.XY{X: float64(q.SupportSize), Y: 100 * q.TestError}
}

// finite also refuses numbers that are no error at all, and whose squares overflow.
func finite(v float64) bool { return math.Abs(v) < 1e100 }

func (t *tradeoff) include(x, y float64) {
	t.x = [2]float64{min(t.x[0], x), max(t.x[1], x)}
	t.y = [2]float64{min(t.y[0], y), max(t.y[1], y)}
}

// addReferences adds the dense models, each once: paths that start from one reference share
// its line.
func (t *tradeoff) addReferences(paths []*solvers.Path) {
	var seen []plotter.XY
	var owners []int
	for i, path := range paths {
		ref := path.Reference
		if ref.SupportSize < 1 || !finite(ref.TestError) || slices.Contains(seen, percent(ref)) {
			continue
		}
		seen, owners = append(seen, percent(ref)), append(owners, i)
		t.include(percent(ref).X, percent(ref).Y)
	}
	for j, at := range seen {
		line, label := level{at: at.Y, dot: at.X, color: gray(0x40)}, "Dense reference"
		if len(seen) > 1 {
			line.color, label = Color(owners[j]), "Reference of "+t.names[owners[j]]
		}
		t.levels = append(t.levels, line)
		t.labels = append(t.labels, fmt.Sprintf("%s: %s vectors", label, grouped(int(at.X))))
	}
}

// assemble puts all on the plot, bands lowest, and sets the ranges.
func (t *tradeoff) assemble() {
	p := t.plot
	p.X.Scale, p.X.Tick.Marker = LogScale{}, LogTicks{}
	p.X.Min, p.X.Max = logRange(t.x[0], t.x[1])
	p.Y.Min, p.Y.Max = errorRange(t.y[0], t.y[1])
	k := &key{}
	opacity := 0.16
	if len(t.bands) > 3 {
		opacity = 0.09
	}
	for _, b := range t.bands {
		b.color = faded(b.color, opacity)
		p.Add(b)
		k.avoid = append(k.avoid, b)
	}
	for _, l := range t.levels {
		p.Add(l)
		k.avoid = append(k.avoid, l)
	}
	for i, c := range t.curves {
		p.Add(c)
		k.avoid = append(k.avoid, c)
		k.add(t.names[i], c)
	}
	for i, l := range t.levels {
		k.add(t.labels[i], l)
	}
	if len(t.best.points) > 0 {
		t.best.radius = 6.5 * Pixel
		sample := t.best
		if len(t.curves) > 1 {
			sample.colors = []color.NRGBA{faintInk()}
		}
		p.Add(t.best)
		k.avoid = append(k.avoid, t.best)
		k.add("Best by validation error", sample)
	}
	k.makeRoom(p)
}

// errorRange is the range of an axis for percentages from low to high: down to 0 unless the
// values are all far from it.
func errorRange(low, high float64) (float64, float64) {
	if low == high {
		air := max(0.5, 0.1*math.Abs(low))
		low, high = low-air, high+air
	} else {
		air := 0.06 * (high - low)
		if low >= 0 && low < 0.4*high {
			return 0, high + air
		}
		low, high = low-air, high+air
	}
	return low, high
}

func (t *tradeoff) xLabel(paths []*solvers.Path) string {
	label := "Support vectors"
	if set := datasets(paths); len(set) == 1 {
		label += " (" + set[0] + ")"
	}
	var left []string
	if t.noSize > 0 {
		left = append(left, count(t.noSize, "point")+" without support vectors")
	}
	if t.noRate > 0 {
		left = append(left, count(t.noRate, "point")+" without a finite error")
	}
	if len(left) > 0 {
		label += "\nNot shown: " + strings.Join(left, ", ")
	}
	return label
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// grouped prints a count with thin spaces between thousands.
func grouped(n int) string {
	s := fmt.Sprint(n)
	if len(s) <= 4 {
		return s
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "\u2009" + s[i:]
	}
	return s
}

// datasets are the different names of the paths' data sets, in order.
func datasets(paths []*solvers.Path) []string {
	var set []string
	for _, p := range paths {
		if p != nil && p.Dataset != "" && !slices.Contains(set, p.Dataset) {
			set = append(set, p.Dataset)
		}
	}
	return set
}

// names are what the paths are called in the key: their solver, with the data set where
// there are several, and a number where that is still not enough.
func names(paths []*solvers.Path) []string {
	several := len(datasets(paths)) > 1
	all := make([]string, len(paths))
	for i, p := range paths {
		if p == nil {
			all[i] = "nil"
			continue
		}
		all[i] = p.Solver
		if all[i] == "" {
			all[i] = "Path"
		}
		if several && p.Dataset != "" {
			all[i] += ", " + p.Dataset
		}
	}
	return distinct(all)
}

// distinct numbers the names that occur more than once.
func distinct(all []string) []string {
	total, seen := map[string]int{}, map[string]int{}
	for _, name := range all {
		total[name]++
	}
	result := make([]string, len(all))
	for i, name := range all {
		result[i] = name
		if total[name] > 1 {
			seen[name]++
			result[i] = fmt.Sprintf("%s %d", name, seen[name])
		}
	}
	return result
}
