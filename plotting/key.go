package plotting

import (
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// coverer is a plotter that knows which places it draws on, so that the key keeps off them.
type coverer interface {
	covers(c *draw.Canvas, p *plot.Plot) []vg.Point
}

// key is a legend in a box that looks for the freest place of the plot when it is drawn,
// top right first, or stands to the right of the plot. It is a plotter because plot.Legend
// knows only the corners and cannot tell what lies under it.
type key struct {
	entries []keyEntry
	avoid   []coverer
	outside bool // to the right of the plot
}

type keyEntry struct {
	name   string
	sample plot.Thumbnailer
}

var _ plot.Plotter = (*key)(nil)
var _ plot.GlyphBoxer = (*key)(nil)

// Sizes within a key.
const (
	keySample = 24 * Pixel // width of a sample
	keyGap    = 6 * Pixel  // between a sample and its name
	keyPad    = 6 * Pixel  // between the box and what is in it
	keyMargin = 7 * Pixel  // between the box and the edge of the plot
	keyLine   = 16 * Pixel // height of a line
	longest   = 48         // characters of a name
)

// add appends an entry. Names that are too long for a plot are cut.
func (k *key) add(name string, sample plot.Thumbnailer) {
	if letters := []rune(name); len(letters) > longest {
		name = string(letters[:longest-1]) + "…"
	}
	k.entries = append(k.entries, keyEntry{name, sample})
}

func (k *key) size(p *plot.Plot) vg.Point {
	var widest vg.Length
	for _, e := range k.entries {
		widest = max(widest, p.Legend.TextStyle.Width(e.name))
	}
	return vg.Point{X: widest + keySample + keyGap + 2*keyPad, Y: keyLine*vg.Length(len(k.entries)) + 2*keyPad - 2*Pixel}
}

// GlyphBoxes is plot.GlyphBoxer: it keeps room for a key that stands outside.
func (k *key) GlyphBoxes(p *plot.Plot) []plot.GlyphBox {
	if !k.outside {
		return nil
	}
	size := k.size(p)
	return []plot.GlyphBox{{X: 1, Y: 1, Rectangle: vg.Rectangle{Min: vg.Point{Y: -size.Y}, Max: vg.Point{X: size.X}}}}
}

// place is where the key covers least, and how much it covers there.
func (k *key) place(c *draw.Canvas, p *plot.Plot) (box vg.Rectangle, covered int) {
	var taken []vg.Point
	for _, a := range k.avoid {
		taken = append(taken, a.covers(c, p)...)
	}
	size := k.size(p)
	room := vg.Point{X: c.Max.X - c.Min.X - size.X - 2*keyMargin, Y: c.Max.Y - c.Min.Y - size.Y - 2*keyMargin}
	covered = -1
	for _, at := range places() {
		low := vg.Point{X: c.Min.X + keyMargin + vg.Length(at[0])*room.X, Y: c.Min.Y + keyMargin + vg.Length(at[1])*room.Y}
		candidate := vg.Rectangle{Min: low, Max: low.Add(size)}
		n := 0
		for _, q := range taken {
			if near(candidate, q, 4*Pixel) {
				n++
			}
		}
		if covered < 0 || n < covered {
			box, covered = candidate, n
		}
	}
	return box, covered
}

// places are the candidates as shares of the free width and height: the corners, top right
// first, then the edges, then the rest.
func places() [][2]float64 {
	order := [][2]float64{{1, 1}, {0, 1}, {0, 0}, {1, 0}}
	const steps = 8
	for _, y := range []float64{1, 0} {
		for i := steps - 1; i > 0; i-- {
			order = append(order, [2]float64{float64(i) / steps, y})
		}
	}
	for i := steps - 1; i > 0; i-- {
		for j := steps; j >= 0; j-- {
			order = append(order, [2]float64{float64(j) / steps, float64(i) / steps})
		}
	}
	return order
}

func near(box vg.Rectangle, q vg.Point, distance vg.Length) bool {
	return q.X > box.Min.X-distance && q.X < box.Max.X+distance && q.Y > box.Min.Y-distance && q.Y < box.Max.Y+distance
}

// Plot is plot.Plotter.
func (k *key) Plot(c draw.Canvas, p *plot.Plot) {
	if len(k.entries) == 0 {
		return
	}
	var box vg.Rectangle
	if k.outside {
		size := k.size(p)
		box = vg.Rectangle{Min: vg.Point{X: c.Max.X + keyPad, Y: c.Max.Y - size.Y + keyPad}, Max: vg.Point{X: c.Max.X + size.X, Y: c.Max.Y + keyPad}}
	} else {
		box, _ = k.place(&c, p)
		outline := rounded(box, 3*Pixel)
		c.SetColor(color.NRGBA{255, 255, 255, 225})
		c.Fill(outline)
		c.SetLineStyle(draw.LineStyle{Color: gray(0xd4), Width: thinWidth})
		c.Stroke(outline)
	}
	text := p.Legend.TextStyle
	text.XAlign, text.YAlign = draw.XLeft, draw.YCenter
	for i, e := range k.entries {
		middle := box.Max.Y - keyPad + Pixel - keyLine*(vg.Length(i)+0.5)
		sample := draw.Canvas{Canvas: c.Canvas, Rectangle: vg.Rectangle{
			Min: vg.Point{X: box.Min.X + keyPad, Y: middle - keyLine/2},
			Max: vg.Point{X: box.Min.X + keyPad + keySample, Y: middle + keyLine/2}}}
		e.sample.Thumbnail(&sample)
		c.FillText(text, vg.Point{X: sample.Max.X + keyGap, Y: middle + Pixel}, e.name)
	}
}

func rounded(box vg.Rectangle, radius vg.Length) vg.Path {
	var p vg.Path
	x, y, X, Y := box.Min.X, box.Min.Y, box.Max.X, box.Max.Y
	p.Move(vg.Point{X: x + radius, Y: y})
	p.Line(vg.Point{X: X - radius, Y: y})
	p.QuadTo(vg.Point{X: X, Y: y}, vg.Point{X: X, Y: y + radius})
	p.Line(vg.Point{X: X, Y: Y - radius})
	p.QuadTo(vg.Point{X: X, Y: Y}, vg.Point{X: X - radius, Y: Y})
	p.Line(vg.Point{X: x + radius, Y: Y})
	p.QuadTo(vg.Point{X: x, Y: Y}, vg.Point{X: x, Y: Y - radius})
	p.Line(vg.Point{X: x, Y: y + radius})
	p.QuadTo(vg.Point{X: x, Y: y}, vg.Point{X: x + radius, Y: y})
	p.Close()
	return p
}

// makeRoom adds the key to the plot, which has its ranges, and raises the top of its linear
// y axis until the key, in a picture of the usual size, covers nothing.
func (k *key) makeRoom(p *plot.Plot) {
	p.Add(k)
	low, high := p.Y.Min, p.Y.Max
	for i := range 8 {
		p.Y.Max = high + float64(i)*0.06*(high-low)
		c := p.DataCanvas(inset(draw.NewCanvas(&recorder.Canvas{}, Width, Height)))
		if _, covered := k.place(&c, p); covered == 0 {
			return
		}
	}
	p.Y.Max = high
}
