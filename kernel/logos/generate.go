//go:build ignore

// Generate draws the kernel's logo, once as SVG and in two sizes as PNG: two classes of
// points, the margin between them, and rings around the support vectors.
package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"log"
	"math"
	"os"
	"strings"
)

// shape is a part of the drawing, in a square of 64 by 64 units.
type shape interface {
	covers(x, y float64) bool
	fill() color.NRGBA
	svg() string
}

var (
	paper  = color.NRGBA{0xFB, 0xFC, 0xFE, 0xFF}
	edge   = color.NRGBA{0xC9, 0xD6, 0xE2, 0xFF}
	band   = color.NRGBA{0xDD, 0xEB, 0xF5, 0xFF}
	ink    = color.NRGBA{0x24, 0x3B, 0x53, 0xFF}
	blue   = color.NRGBA{0x00, 0x72, 0xB2, 0xFF}
	orange = color.NRGBA{0xE6, 0x9F, 0x00, 0xFF}
)

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02X%02X%02X", c.R, c.G, c.B) }

// tile is a square with round corners, inset from the edge of the drawing.
type tile struct {
	inset, radius float64
	colour        color.NRGBA
}

func (t tile) covers(x, y float64) bool {
	half := 32 - t.inset
	dx := math.Max(0, math.Abs(x-32)-half+t.radius)
	dy := math.Max(0, math.Abs(y-32)-half+t.radius)
	return dx*dx+dy*dy <= t.radius*t.radius
}
func (t tile) fill() color.NRGBA { return t.colour }
func (t tile) svg() string {
	size := 64 - 2*t.inset
	return fmt.Sprintf(`<rect x="%g" y="%g" width="%g" height="%g" rx="%g" fill="%s"/>`, t.inset, t.inset, size, size, t.radius, hex(t.colour))
}

// stripe runs from the lower left to the upper right, at a distance from the middle, inside
// the tile.
type stripe struct {
	offset, width float64
	within        tile
	colour        color.NRGBA
}

func (s stripe) covers(x, y float64) bool {
	distance := (x+y-64)/math.Sqrt2 - s.offset
	return math.Abs(distance) <= s.width/2 && s.within.covers(x, y)
}
func (s stripe) fill() color.NRGBA { return s.colour }
func (s stripe) svg() string {
	shift := s.offset * math.Sqrt2
	return fmt.Sprintf(`<path d="M%.3f 64L64 %.3f" stroke="%s" stroke-width="%g" clip-path="url(#tile)"/>`, shift, shift, hex(s.colour), s.width)
}

// dot is a filled circle.
type dot struct {
	x, y, radius float64
	colour       color.NRGBA
}

func (d dot) covers(x, y float64) bool { return math.Hypot(x-d.x, y-d.y) <= d.radius }
func (d dot) fill() color.NRGBA        { return d.colour }
func (d dot) svg() string {
	return fmt.Sprintf(`<circle cx="%g" cy="%g" r="%g" fill="%s"/>`, d.x, d.y, d.radius, hex(d.colour))
}

// ring is a circle that is not filled.
type ring struct {
	x, y, radius, width float64
	colour              color.NRGBA
}

func (r ring) covers(x, y float64) bool {
	return math.Abs(math.Hypot(x-r.x, y-r.y)-r.radius) <= r.width/2
}
func (r ring) fill() color.NRGBA { return r.colour }
func (r ring) svg() string {
	return fmt.Sprintf(`<circle cx="%g" cy="%g" r="%g" fill="none" stroke="%s" stroke-width="%g"/>`, r.x, r.y, r.radius, hex(r.colour), r.width)
}

// drawing returns the shapes, the lowest first.
func drawing() []shape {
	inner := tile{2.5, 11, paper}
	shapes := []shape{tile{1, 12.5, edge}, inner, stripe{0, 17, inner, band}, stripe{0, 2.2, inner, ink}}
	for _, p := range [][2]float64{{14, 15}, {29.5, 12}, {13, 30.5}} {
		shapes = append(shapes, dot{p[0], p[1], 3.6, blue})
	}
	for _, p := range [][2]float64{{50.5, 50}, {35, 52.5}, {52, 33.5}} {
		shapes = append(shapes, dot{p[0], p[1], 3.6, orange})
	}
	for _, p := range [][2]float64{{25, 27}, {39, 39}} {
		colour := blue
		if p[0]+p[1] > 64 {
			colour = orange
		}
		// On the edge of the margin, which is 8.5 from the middle line.
		shift := (math.Copysign(8.5*math.Sqrt2, p[0]+p[1]-64) - (p[0] + p[1] - 64)) / 2
		x, y := math.Round(10*(p[0]+shift))/10, math.Round(10*(p[1]+shift))/10
		shapes = append(shapes, dot{x, y, 3.6, colour}, ring{x, y, 6.4, 1.7, ink})
	}
	return shapes
}

func writeSVG(file string, shapes []shape) error {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" width="64" height="64">` + "\n")
	b.WriteString(`<clipPath id="tile"><rect x="2.5" y="2.5" width="59" height="59" rx="11"/></clipPath>` + "\n")
	for _, s := range shapes {
		b.WriteString(s.svg() + "\n")
	}
	b.WriteString("</svg>\n")
	return os.WriteFile(file, []byte(b.String()), 0o644)
}

// colourAt mixes the shapes over a grid of points inside one pixel.
func colourAt(shapes []shape, px, py, scale float64) color.NRGBA {
	const grid = 12
	var r, g, b, a float64
	for i := range grid * grid {
		x, y := (px+(float64(i%grid)+0.5)/grid)*scale, (py+(float64(i/grid)+0.5)/grid)*scale
		for k := len(shapes) - 1; k >= 0; k-- {
			if shapes[k].covers(x, y) {
				c := shapes[k].fill()
				r, g, b, a = r+float64(c.R), g+float64(c.G), b+float64(c.B), a+1
				break
			}
		}
	}
	if a == 0 {
		return color.NRGBA{}
	}
	return color.NRGBA{uint8(r/a + 0.5), uint8(g/a + 0.5), uint8(b/a + 0.5), uint8(255*a/(grid*grid) + 0.5)}
}

func writePNG(file string, size int, shapes []shape) error {
	picture := image.NewNRGBA(image.Rect(0, 0, size, size))
	for y := range size {
		for x := range size {
			picture.SetNRGBA(x, y, colourAt(shapes, float64(x), float64(y), 64/float64(size)))
		}
	}
	out, err := os.Create(file)
	if err != nil {
		return err
	}
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(out, picture); err != nil {
		return err
	}
	return out.Close()
}

func main() {
	shapes := drawing()
	for _, err := range []error{
		writeSVG("logos/logo-svg.svg", shapes),
		writePNG("logos/logo-64x64.png", 64, shapes),
		writePNG("logos/logo-32x32.png", 32, shapes),
	} {
		if err != nil {
			log.Fatal(err)
		}
	}
}
