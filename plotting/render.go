package plotting

import (
	"bytes"
	"errors"
	"fmt"
	"html"
	"image/png"
	"math"
	"regexp"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// The border kept free around a plot.
const border = 8 * Pixel

// maxPixels is the most that a PNG may have.
const maxPixels = 64 << 20

// Render draws a plot in the usual size, 480×320 CSS pixels: as SVG, and as PNG with two
// pixels for each CSS pixel.
func Render(p *plot.Plot) (svg, png []byte, err error) {
	if svg, err = SVG(p, 0, 0); err != nil {
		return nil, nil, err
	}
	png, err = PNG(p, 0, 0, 0)
	return svg, png, err
}

// SVG draws a plot as an SVG document. Text stays text, in Liberation Sans where it is
// installed, else in Arial or Helvetica, whose letters are as wide. A width or height of 0
// is Width or Height. It returns an error for a size that is not positive and finite, and
// for a plot that gonum cannot draw, such as one with plot.LogScale about 0.
func SVG(p *plot.Plot, width, height vg.Length) ([]byte, error) {
	width, height, err := size(p, width, height)
	if err != nil {
		return nil, err
	}
	canvas := vgsvg.New(width, height)
	if err := drawn(p, draw.New(canvas)); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if _, err := canvas.WriteTo(&b); err != nil {
		return nil, fmt.Errorf("writing SVG: %w", err)
	}
	return portable(b.Bytes(), width, height, caption(p)), nil
}

// PNG draws a plot as a PNG image with scale pixels for each CSS pixel; scale 0 is 2. For
// the sizes and errors see SVG; an image of more than 64 Mi pixels is refused.
func PNG(p *plot.Plot, width, height vg.Length, scale float64) ([]byte, error) {
	width, height, err := size(p, width, height)
	if err != nil {
		return nil, err
	}
	if scale == 0 {
		scale = 2
	}
	if !(scale > 0) || math.IsInf(scale, 0) {
		return nil, fmt.Errorf("scale = %g: want > 0 (0: default 2)", scale)
	}
	pixels := float64(width/Pixel) * float64(height/Pixel) * scale * scale
	if pixels > maxPixels {
		return nil, fmt.Errorf("an image of %.3g pixels: want at most %d", pixels, maxPixels)
	}
	dpi := max(1, int(math.Round(96*scale)))
	canvas := vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))
	if err := drawn(p, draw.New(canvas)); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	encoder := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := encoder.Encode(&b, canvas.Image()); err != nil {
		return nil, fmt.Errorf("writing PNG: %w", err)
	}
	return b.Bytes(), nil
}

// size resolves the defaults and refuses what cannot be drawn.
func size(p *plot.Plot, width, height vg.Length) (vg.Length, vg.Length, error) {
	if p == nil {
		return 0, 0, errors.New("no plot to draw: it is nil")
	}
	if width == 0 {
		width = Width
	}
	if height == 0 {
		height = Height
	}
	for _, side := range []vg.Length{width, height} {
		if !(side >= Pixel) || side > 1e5*Pixel {
			return 0, 0, fmt.Errorf("a plot of %g × %g pixels: want sides from 1 to 100000", float64(width/Pixel), float64(height/Pixel))
		}
	}
	return width, height, nil
}

// drawn draws the plot on its background. gonum panics for states that a user can reach by
// changing a plot; here they are errors.
func drawn(p *plot.Plot, c draw.Canvas) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("this plot cannot be drawn: %v", r)
		}
	}()
	if p.BackgroundColor != nil {
		c.SetColor(p.BackgroundColor)
		c.Fill(c.Rectangle.Path())
	}
	p.Draw(inset(c))
	return nil
}

// inset is the canvas without the border.
func inset(c draw.Canvas) draw.Canvas {
	if c.Max.X-c.Min.X < 8*border || c.Max.Y-c.Min.Y < 8*border {
		return c // too small to give some away
	}
	return draw.Crop(c, border, -border, border, -border)
}

// caption is what the plot is called for those who cannot see it.
func caption(p *plot.Plot) string {
	switch {
	case p.Title.Text != "":
		return p.Title.Text
	case p.X.Label.Text != "" && p.Y.Label.Text != "":
		return p.Y.Label.Text + " by " + p.X.Label.Text
	}
	return "plot"
}

// portable makes of vgsvg's document one that can stand inside HTML: sizes in CSS pixels, no
// XML prologue, a name, fonts that every system has, and images with their right type that fill
// their box.
func portable(document []byte, width, height vg.Length, name string) []byte {
	start := bytes.Index(document, []byte("<svg"))
	end := start + bytes.IndexByte(document[start:], '>') + 1
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" `+
		`width="%.5g" height="%.5g" viewBox="0 0 %.5g %.5g" role="img" aria-label="%s">`,
		float64(width/Pixel), float64(height/Pixel), width.Points(), height.Points(), html.EscapeString(name))
	body := document[end:]
	// Texts are escaped, so a quotation mark cannot be part of one.
	body = regexp.MustCompile(`style="font-family:([^;"]*);font-variant:[a-z-]*;font-weight:normal;font-style:normal;`).
		ReplaceAll(body, []byte(`style="font-family:'$1',Arial,Helvetica,sans-serif;`))
	body = bytes.ReplaceAll(body, []byte(`xlink:href="data:image/jpg;`), []byte(`preserveAspectRatio="none" xlink:href="data:image/png;`))
	b.Write(crisp(body))
	return b.Bytes()
}

// crisp has axes, ticks and grid lines drawn on whole pixels: a solid line straight across or
// up would else be smeared over two. Coordinates are compared as they are written.
func crisp(body []byte) []byte {
	line := regexp.MustCompile(`<path d="M([-0-9.e]+),([-0-9.e]+)L([-0-9.e]+),([-0-9.e]+)" style="[^"]*"`)
	return line.ReplaceAllFunc(body, func(path []byte) []byte {
		ends := line.FindSubmatch(path)
		straight := bytes.Equal(ends[1], ends[3]) || bytes.Equal(ends[2], ends[4])
		if !straight || bytes.Contains(path, []byte("dasharray")) {
			return path
		}
		return slices.Concat(path, []byte(` shape-rendering="crispEdges"`))
	})
}
