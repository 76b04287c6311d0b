package plotting

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Pixel is a CSS pixel, 1/96 inch. Width and Height are the size of a picture when none is
// given.
const (
	Pixel  = vg.Inch / 96
	Width  = 480 * Pixel
	Height = 320 * Pixel
)

const (
	fontSize  = 11 * Pixel
	titleSize = 13 * Pixel
	lineWidth = 1.6 * Pixel
	thinWidth = 1 * Pixel
	markSize  = 3.2 * Pixel // half the width of a mark
)

func gray(level uint8) color.NRGBA { return color.NRGBA{level, level, level, 255} }

func ink() color.NRGBA      { return gray(0x26) } // text
func faintInk() color.NRGBA { return gray(0x5c) } // axes, ticks, the reference
func gridInk() color.NRGBA  { return gray(0xe8) }

// Color is the i-th colour of Okabe and Ito's palette, which people with any common colour
// blindness can tell apart, in the order that is best seen on white; it repeats after seven.
func Color(i int) color.NRGBA {
	okabeIto := [...]color.NRGBA{
		{0x00, 0x72, 0xB2, 255}, // blue
		{0xD5, 0x5E, 0x00, 255}, // vermilion
		{0x00, 0x9E, 0x73, 255}, // bluish green
		{0xCC, 0x79, 0xA7, 255}, // reddish purple
		{0xE6, 0x9F, 0x00, 255}, // orange
		{0x56, 0xB4, 0xE9, 255}, // sky blue
		{0x00, 0x00, 0x00, 255}, // black
	}
	return okabeIto[wrap(i, len(okabeIto))]
}

// wrap is i modulo n in [0, n).
func wrap(i, n int) int { return ((i % n) + n) % n }

// faded is the colour at the given opacity, in [0, 1].
func faded(c color.NRGBA, opacity float64) color.NRGBA {
	c.A = uint8(math.Round(opacity * 255))
	return c
}

// tinted is the colour mixed with white: 0 is white, 1 the colour.
func tinted(c color.NRGBA, share float64) color.NRGBA {
	share = min(max(share, 0), 1)
	mix := func(v uint8) uint8 { return uint8(math.Round(255 + share*(float64(v)-255))) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), 255}
}

// dashes is the dash pattern of the i-th curve, nil for a solid line.
func dashes(i int) []vg.Length {
	patterns := [...][]vg.Length{
		nil,
		{6 * Pixel, 2.5 * Pixel},
		{2 * Pixel, 2 * Pixel},
		{7 * Pixel, 2 * Pixel, 2 * Pixel, 2 * Pixel},
		{10 * Pixel, 3 * Pixel},
	}
	return patterns[wrap(i, len(patterns))]
}

// mark is a shape about the origin, drawn filled with a white rim so that marks on lines and
// on each other stay apart. Its corners are at unit distance; none means a disc.
type mark [][2]float64

// markOf is the mark of the i-th curve.
func markOf(i int) mark {
	const h, s = 0.86, 0.5
	marks := [...]mark{
		nil,                                     // disc
		{{-h, -h}, {h, -h}, {h, h}, {-h, h}},    // square
		{{0, 1.2}, {1.05, -0.7}, {-1.05, -0.7}}, // triangle
		{{0, 1.3}, {1.1, 0}, {0, -1.3}, {-1.1, 0}},                        // diamond
		{{0, -1.2}, {1.05, 0.7}, {-1.05, 0.7}},                            // triangle upside down
		{{s, 1.1}, {1.1, 0}, {s, -1.1}, {-s, -1.1}, {-1.1, 0}, {-s, 1.1}}, // hexagon
	}
	return marks[wrap(i, len(marks))]
}

// path is the outline of the mark about a point; radius is half its width.
func (m mark) path(at vg.Point, radius vg.Length) vg.Path {
	if m == nil {
		return circle(at, radius)
	}
	var p vg.Path
	for i, corner := range m {
		q := vg.Point{X: at.X + radius*vg.Length(corner[0]), Y: at.Y + radius*vg.Length(corner[1])}
		if i == 0 {
			p.Move(q)
		} else {
			p.Line(q)
		}
	}
	p.Close()
	return p
}

func circle(at vg.Point, radius vg.Length) vg.Path {
	var p vg.Path
	p.Move(vg.Point{X: at.X + radius, Y: at.Y})
	p.Arc(at, radius, 0, 2*math.Pi)
	p.Close()
	return p
}

// draw fills the mark and gives it its rim.
func (m mark) draw(c *draw.Canvas, at vg.Point, radius vg.Length, fill color.Color) {
	c.SetLineDash(nil, 0)
	c.SetLineWidth(2 * Pixel)
	c.SetColor(color.White)
	outline := m.path(at, radius)
	c.Stroke(outline)
	c.SetColor(fill)
	c.Fill(outline)
}

// ring draws a circle that is not filled.
func ring(c *draw.Canvas, at vg.Point, radius vg.Length, ink color.Color) {
	c.SetLineDash(nil, 0)
	outline := circle(at, radius)
	c.SetLineWidth(3.2 * Pixel)
	c.SetColor(color.White)
	c.Stroke(outline)
	c.SetLineWidth(1.5 * Pixel)
	c.SetColor(ink)
	c.Stroke(outline)
}

// Style gives a plot the look of this package: sans-serif text of 11 px, thin grey axes that
// meet, ticks at round numbers. It changes no data, label or range.
func Style(p *plot.Plot) {
	p.BackgroundColor = color.White
	p.Title.Padding = 8 * Pixel
	setFont(&p.Title.TextStyle, titleSize, ink())
	setFont(&p.Legend.TextStyle, fontSize, ink())
	p.Legend.Padding = 2 * Pixel
	p.Legend.Top = true
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Padding = 0
		axis.LineStyle = draw.LineStyle{Color: faintInk(), Width: thinWidth}
		axis.Tick.LineStyle = axis.LineStyle
		axis.Tick.Length = 5 * Pixel
		setFont(&axis.Tick.Label, fontSize, ink())
		setFont(&axis.Label.TextStyle, fontSize+Pixel, ink())
		axis.Label.TextStyle.Handler = centred{text.Plain{Fonts: font.DefaultCache}}
		axis.Label.Padding = 4 * Pixel
		axis.Tick.Marker = RoundTicks{}
	}
}

// centred is plain text that claims no width, for the labels of axes. plot.Plot keeps room
// for a label about the middle value of the range, which on a logarithmic axis is near its
// right end, though it draws it in the middle, where it needs none.
type centred struct{ text.Plain }

// Box is text.Handler.
func (h centred) Box(txt string, fnt font.Font) (width, height, depth vg.Length) {
	_, height, depth = h.Plain.Box(txt, fnt)
	return 0, height, depth
}

func setFont(s *text.Style, size vg.Length, ink color.Color) {
	s.Font = font.Font{Typeface: "Liberation", Variant: "Sans", Size: size}
	s.Color = ink
}

// newPlot is an empty plot in style, with a grid behind the data.
func newPlot() *plot.Plot {
	p := plot.New()
	Style(p)
	p.Add(grid{})
	return p
}

// grid is lines at the labelled ticks, except on the axes, which they would hide.
type grid struct{}

var _ plot.Plotter = grid{}

// Plot is plot.Plotter.
func (grid) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	line := draw.LineStyle{Color: gridInk(), Width: thinWidth}
	for _, t := range p.X.Tick.Marker.Ticks(p.X.Min, p.X.Max) {
		if at := x(t.Value); !t.IsMinor() && at > c.Min.X+Pixel && at <= c.Max.X {
			c.StrokeLine2(line, at, c.Min.Y, at, c.Max.Y)
		}
	}
	for _, t := range p.Y.Tick.Marker.Ticks(p.Y.Min, p.Y.Max) {
		if at := y(t.Value); !t.IsMinor() && at > c.Min.Y+Pixel && at <= c.Max.Y {
			c.StrokeLine2(line, c.Min.X, at, c.Max.X, at)
		}
	}
}
