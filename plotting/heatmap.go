package plotting

import (
	"errors"
	"fmt"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// maxNumbers is the number of fields up to which each shows its number.
const maxNumbers = 120

// Heatmap draws numbers as a table of coloured fields: z[i][j] stands at x[j] from the left and y[i]
// from below, white for the least number and blue for the greatest, with a frame about the least.
// Fields are equally wide whatever the steps of x and y. Up to 120 fields show their numbers. A
// number that is not finite leaves its field empty.
//
// An example is the test error by the Budget B of a BudgetSVM and the number s of support vectors
// that pruning leaves (Dekel and Singer, 2006, figure 1). It returns an error if z has not len(y)
// rows of len(x) numbers, or none that is finite.
func Heatmap(x, y []float64, z [][]float64) (*plot.Plot, error) {
	if len(x) == 0 || len(y) == 0 || len(z) != len(y) {
		return nil, fmt.Errorf("a heat map of %d rows for %d × %d fields: want len(z) = len(y) ≥ 1 and len(x) ≥ 1", len(z), len(x), len(y))
	}
	h := heatmap{z: z, low: math.Inf(1), high: math.Inf(-1)}
	for i, row := range z {
		if len(row) != len(x) {
			return nil, fmt.Errorf("row %d of the heat map has %d numbers: want %d, one for each x", i, len(row), len(x))
		}
		for j, v := range row {
			if !finite(v) {
				continue
			}
			if v < h.low {
				h.low, h.best = v, [2]int{i, j}
			}
			h.high = max(h.high, v)
		}
	}
	if h.low > h.high {
		return nil, errors.New("the heat map has no finite number to show")
	}
	p := newPlot()
	p.X.Min, p.X.Max = -0.5, float64(len(x))-0.5
	p.Y.Min, p.Y.Max = -0.5, float64(len(y))-0.5
	p.X.Tick.Marker, p.Y.Tick.Marker = fields(x), fields(y)
	h.style = p.X.Tick.Label
	h.style.XAlign, h.style.YAlign = text.XCenter, text.YCenter
	p.Add(h)
	return p, nil
}

// fields are the ticks of an axis with a field for each value; of many only some are named.
type fields []float64

// Ticks implements plot.Ticker.
func (f fields) Ticks(_, _ float64) []plot.Tick {
	step := (len(f) + 11) / 12
	var ticks []plot.Tick
	for i, v := range f {
		t := plot.Tick{Value: float64(i)}
		if i%step == 0 {
			t.Label = fmt.Sprintf("%.4g", v)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// heatmap is the plotter of Heatmap.
type heatmap struct {
	z         [][]float64
	low, high float64
	best      [2]int
	style     text.Style
}

// Plot implements plot.Plotter.
func (h heatmap) Plot(c draw.Canvas, p *plot.Plot) {
	trX, trY := p.Transforms(&c)
	box := func(i, j int) []vg.Point {
		left, right := trX(float64(j)-0.5), trX(float64(j)+0.5)
		low, high := trY(float64(i)-0.5), trY(float64(i)+0.5)
		return []vg.Point{{X: left, Y: low}, {X: right, Y: low}, {X: right, Y: high}, {X: left, Y: high}, {X: left, Y: low}}
	}
	numbers := len(h.z)*len(h.z[0]) <= maxNumbers
	for i, row := range h.z {
		for j, v := range row {
			if !finite(v) {
				continue
			}
			share := 0.0
			if h.high > h.low {
				share = (v - h.low) / (h.high - h.low)
			}
			c.FillPolygon(tinted(Color(0), share), box(i, j))
			if !numbers {
				continue
			}
			style := h.style
			style.Color = ink()
			if share > 0.55 {
				style.Color = color.White
			}
			c.FillText(style, vg.Point{X: trX(float64(j)), Y: trY(float64(i))}, fmt.Sprintf("%.3g", v))
		}
	}
	c.StrokeLines(draw.LineStyle{Color: Color(1), Width: lineWidth}, box(h.best[0], h.best[1]))
}
