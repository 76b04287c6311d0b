package plotting

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// Margins draws how the decision values f(x) of the rows of d are distributed in each class,
// with dashed lines at f = -1, 0 and +1: rows left of 0 in class +1, or right of it in class
// -1, are errors. It returns an error unless d has two classes and the values are finite.
func Margins(m *solvers.Model, d *solvers.Dataset) (*plot.Plot, error) {
	switch {
	case m == nil || m.Kernel == nil:
		return nil, errors.New("no model to draw")
	case d == nil || d.Len() == 0:
		return nil, errors.New("no rows to draw: want at least one")
	case !d.Binary():
		return nil, fmt.Errorf("%s has %d classes: margins can be drawn for 2", orData(d.Name), len(d.Labels))
	}
	values := m.Decisions(d)
	low, high := -1.0, 1.0
	for i, v := range values {
		if !finite(v) {
			return nil, fmt.Errorf("the decision value of row %d is %g: want a finite number", i, v)
		}
		low, high = min(low, v), max(high, v)
	}
	low, high = low-0.03*(high-low), high+0.03*(high-low)
	p, k := newPlot(), &key{}
	most := 1
	for class, y := range []float64{1, -1} {
		bars := histogram{low: low, high: high, color: Color(class), dashes: dashes(class)}
		n := 0
		for i, v := range values {
			if d.Y[i] == y {
				bin := min(int((v-low)/(high-low)*bins), bins-1)
				bars.counts[bin]++
				most, n = max(most, bars.counts[bin]), n+1
			}
		}
		p.Add(bars)
		k.avoid = append(k.avoid, bars)
		k.add(fmt.Sprintf("%s: %s", className(d, y), count(n, "row")), bars)
	}
	for _, at := range []float64{-1, 0, 1} {
		p.Add(level{at: at, vertical: true, dot: math.NaN(), color: faintInk()})
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = low, high, 0, 1.05*float64(most)
	p.X.Label.Text, p.Y.Label.Text = "Decision value f(x)", "Rows"
	if d.Name != "" {
		p.X.Label.Text += " (" + d.Name + ")"
	}
	k.makeRoom(p)
	return p, nil
}

// bins is how many bars a histogram has.
const bins = 48

// histogram is counts over equal parts of a range, drawn as a filled outline.
type histogram struct {
	low, high float64
	counts    [bins]int
	color     color.NRGBA
	dashes    []vg.Length
}

var _ plot.Plotter = histogram{}
var _ plot.Thumbnailer = histogram{}

// outline is the upper edge, from the axis back to it, without the empty bars at the ends.
func (h histogram) outline() plotter.XYs {
	first, last := 0, bins-1
	for first < last && h.counts[first] == 0 {
		first++
	}
	for last > first && h.counts[last] == 0 {
		last--
	}
	at := func(i int) float64 { return h.low + (h.high-h.low)*float64(i)/bins }
	points := plotter.XYs{{X: at(first), Y: 0}}
	for i := first; i <= last; i++ {
		n := float64(h.counts[i])
		points = append(points, plotter.XY{X: at(i), Y: n}, plotter.XY{X: at(i + 1), Y: n})
	}
	return append(points, plotter.XY{X: at(last + 1), Y: 0})
}

// Plot is plot.Plotter.
func (h histogram) Plot(c draw.Canvas, p *plot.Plot) {
	line := onCanvas(&c, p, h.outline())
	c.FillPolygon(faded(h.color, 0.25), c.ClipPolygonXY(line))
	c.StrokeLines(draw.LineStyle{Color: h.color, Width: 1.3 * Pixel, Dashes: h.dashes}, c.ClipLinesXY(line)...)
}

// Thumbnail is plot.Thumbnailer.
func (h histogram) Thumbnail(c *draw.Canvas) {
	middle := c.Center().Y
	box := []vg.Point{{X: c.Min.X, Y: middle - 4*Pixel}, {X: c.Max.X, Y: middle - 4*Pixel},
		{X: c.Max.X, Y: middle + 4*Pixel}, {X: c.Min.X, Y: middle + 4*Pixel}}
	c.FillPolygon(faded(h.color, 0.25), box)
	c.StrokeLines(draw.LineStyle{Color: h.color, Width: 1.3 * Pixel, Dashes: h.dashes}, append(box, box[0]))
}

func (h histogram) covers(c *draw.Canvas, p *plot.Plot) []vg.Point {
	return along(onCanvas(c, p, h.outline()))
}
