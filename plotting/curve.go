package plotting

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// curve is a line through points, with marks where there is room for them.
type curve struct {
	points plotter.XYs // finite
	color  color.NRGBA
	dashes []vg.Length
	mark   mark
	plain  bool // no marks
}

var _ plot.Plotter = curve{}
var _ plot.Thumbnailer = curve{}

// newCurve is the i-th curve of a plot, in its colour, dashes and mark.
func newCurve(i int, points plotter.XYs) curve {
	return curve{points: points, color: Color(i), dashes: dashes(i), mark: markOf(i)}
}

func (k curve) style() draw.LineStyle {
	return draw.LineStyle{Color: k.color, Width: lineWidth, Dashes: k.dashes}
}

// Plot is plot.Plotter.
func (k curve) Plot(c draw.Canvas, p *plot.Plot) {
	line := onCanvas(&c, p, k.points)
	c.StrokeLines(k.style(), c.ClipLinesXY(line)...)
	if k.plain {
		return
	}
	const apart = 3.2 * markSize
	last := vg.Point{X: vg.Length(math.Inf(-1))}
	for _, q := range line {
		if c.Contains(q) && math.Hypot(float64(q.X-last.X), float64(q.Y-last.Y)) >= float64(apart) {
			k.mark.draw(&c, q, markSize, k.color)
			last = q
		}
	}
}

// Thumbnail is plot.Thumbnailer.
func (k curve) Thumbnail(c *draw.Canvas) {
	middle := c.Center()
	c.StrokeLine2(k.style(), c.Min.X, middle.Y, c.Max.X, middle.Y)
	if !k.plain {
		k.mark.draw(c, middle, markSize, k.color)
	}
}

func (k curve) covers(c *draw.Canvas, p *plot.Plot) []vg.Point {
	return along(onCanvas(c, p, k.points))
}

// onCanvas gives the places of data points on the canvas.
func onCanvas(c *draw.Canvas, p *plot.Plot, points plotter.XYs) []vg.Point {
	x, y := p.Transforms(c)
	places := make([]vg.Point, len(points))
	for i, q := range points {
		places[i] = vg.Point{X: x(q.X), Y: y(q.Y)}
	}
	return places
}

// along gives points every few pixels of a line.
func along(line []vg.Point) []vg.Point {
	const step, most = 4 * Pixel, 200
	var points []vg.Point
	for i, q := range line {
		points = append(points, q)
		if i+1 == len(line) {
			break
		}
		dx, dy := line[i+1].X-q.X, line[i+1].Y-q.Y
		parts := math.Min(math.Hypot(float64(dx), float64(dy))/float64(step), most)
		for j := 1.0; j < parts; j++ {
			share := vg.Length(j / parts)
			points = append(points, vg.Point{X: q.X + share*dx, Y: q.Y + share*dy})
		}
	}
	return points
}

// band is the area within spread[i] above and below points[i].
type band struct {
	points plotter.XYs
	spread []float64   // finite, not negative
	color  color.NRGBA // with its opacity
}

var _ plot.Plotter = band{}

func (b band) edges() (upper, lower plotter.XYs) {
	for i, q := range b.points {
		upper = append(upper, plotter.XY{X: q.X, Y: q.Y + b.spread[i]})
		lower = append(lower, plotter.XY{X: q.X, Y: q.Y - b.spread[i]})
	}
	return upper, lower
}

// Plot is plot.Plotter.
func (b band) Plot(c draw.Canvas, p *plot.Plot) {
	upper, lower := b.edges()
	outline := onCanvas(&c, p, upper)
	for i := len(lower) - 1; i >= 0; i-- {
		outline = append(outline, onCanvas(&c, p, lower[i:i+1])...)
	}
	c.FillPolygon(b.color, c.ClipPolygonXY(outline))
}

func (b band) covers(c *draw.Canvas, p *plot.Plot) []vg.Point {
	upper, lower := b.edges()
	return append(along(onCanvas(c, p, upper)), along(onCanvas(c, p, lower))...)
}

// level is a dashed line across the plot, at a height or at a place of the x axis, with a
// disc on it at dot.
type level struct {
	at       float64
	vertical bool
	dot      float64 // the other coordinate of the disc; NaN for none
	color    color.NRGBA
}

var _ plot.Plotter = level{}
var _ plot.Thumbnailer = level{}

func (l level) style() draw.LineStyle {
	return draw.LineStyle{Color: l.color, Width: thinWidth * 1.2, Dashes: []vg.Length{4 * Pixel, 3 * Pixel}}
}

func (l level) line(c *draw.Canvas, p *plot.Plot) []vg.Point {
	x, y := p.Transforms(c)
	if l.vertical {
		return []vg.Point{{X: x(l.at), Y: c.Min.Y}, {X: x(l.at), Y: c.Max.Y}}
	}
	return []vg.Point{{X: c.Min.X, Y: y(l.at)}, {X: c.Max.X, Y: y(l.at)}}
}

// Plot is plot.Plotter.
func (l level) Plot(c draw.Canvas, p *plot.Plot) {
	c.StrokeLines(l.style(), c.ClipLinesXY(l.line(&c, p))...)
	if math.IsNaN(l.dot) {
		return
	}
	x, y := p.Transforms(&c)
	place := vg.Point{X: x(l.dot), Y: y(l.at)}
	if l.vertical {
		place = vg.Point{X: x(l.at), Y: y(l.dot)}
	}
	if c.Contains(place) {
		mark(nil).draw(&c, place, markSize*1.15, l.color)
	}
}

// Thumbnail is plot.Thumbnailer.
func (l level) Thumbnail(c *draw.Canvas) {
	middle := c.Center()
	c.StrokeLine2(l.style(), c.Min.X, middle.Y, c.Max.X, middle.Y)
	if !math.IsNaN(l.dot) {
		mark(nil).draw(c, middle, markSize*1.15, l.color)
	}
}

func (l level) covers(c *draw.Canvas, p *plot.Plot) []vg.Point { return along(l.line(c, p)) }

// rings are circles about points.
type rings struct {
	points plotter.XYs
	radius vg.Length
	colors []color.NRGBA // one for each point, or one for all
}

var _ plot.Plotter = rings{}
var _ plot.Thumbnailer = rings{}

// Plot is plot.Plotter.
func (r rings) Plot(c draw.Canvas, p *plot.Plot) {
	for i, place := range onCanvas(&c, p, r.points) {
		if c.Contains(place) {
			ring(&c, place, r.radius, r.colors[i%len(r.colors)])
		}
	}
}

// Thumbnail is plot.Thumbnailer.
func (r rings) Thumbnail(c *draw.Canvas) {
	ink := faintInk()
	if len(r.colors) == 1 {
		ink = r.colors[0]
	}
	ring(c, c.Center(), min(r.radius, 5.5*Pixel), ink)
}

func (r rings) covers(c *draw.Canvas, p *plot.Plot) []vg.Point { return onCanvas(c, p, r.points) }
