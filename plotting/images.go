package plotting

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// maxImages is how many pictures Images shows.
const maxImages = 400

// Images draws rows that are pictures, such as the digits of MNIST, side by side. Feature
// r·width + c is the pixel in row r and column c, as IDX files have them. Zero is white and
// the greatest value of all rows black; where there are values below zero, these are shown
// in vermilion and those above in blue. captions[i] stands below picture i; captions may be
// nil or shorter than rows.
//
// It returns an error if there is no row, there are more than 400, or a row has a feature
// outside the picture or a value that is not finite.
func Images(rows []solvers.Vector, captions []string, width, height int) (*plot.Plot, error) {
	if err := checkImages(rows, width, height); err != nil {
		return nil, err
	}
	sheet := contactSheet{captions: captions, width: width, height: height}
	strongest, signed := 0.0, false
	for _, x := range rows {
		for _, v := range x.Value {
			strongest, signed = max(strongest, math.Abs(v)), signed || v < 0
		}
	}
	for _, x := range rows {
		sheet.pictures = append(sheet.pictures, picture(x, width, height, strongest, signed))
	}
	p := newPlot()
	p.HideAxes()
	p.Add(sheet)
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	p.X.Tick.Marker, p.Y.Tick.Marker = noTicks{}, noTicks{}
	return p, nil
}

// Rows draws the first n rows of a data set of pictures with their labels below, as Images
// does; n 0 is 40, and fewer are shown where d has fewer.
func Rows(d *solvers.Dataset, n, width, height int) (*plot.Plot, error) {
	if d == nil || d.Len() == 0 {
		return nil, errors.New("no rows to draw: want at least one")
	}
	if n < 0 {
		return nil, fmt.Errorf("%d rows to draw: want > 0 (0: default 40)", n)
	}
	if n == 0 {
		n = 40
	}
	n = min(n, d.Len())
	captions := make([]string, n)
	for i := range captions {
		label := d.Y[i]
		if len(d.Labels) == 2 && label == -1 {
			label = d.Labels[0]
		} else if len(d.Labels) == 2 && label == 1 {
			label = d.Labels[1]
		}
		captions[i] = fmt.Sprintf("%g", label)
	}
	return Images(d.X[:n], captions, width, height)
}

func checkImages(rows []solvers.Vector, width, height int) error {
	switch {
	case len(rows) == 0:
		return errors.New("no rows to draw: want at least one")
	case len(rows) > maxImages:
		return fmt.Errorf("%d pictures: want at most %d", len(rows), maxImages)
	case width < 1 || height < 1 || width > 1024 || height > 1024:
		return fmt.Errorf("pictures of %d × %d pixels: want sides from 1 to 1024", width, height)
	}
	for i, x := range rows {
		for j, index := range x.Index {
			if index < 0 || int(index) >= width*height {
				return fmt.Errorf("row %d has feature %d: a picture of %d × %d pixels has %d (0 to %d)",
					i, index, width, height, width*height, width*height-1)
			}
			if j >= len(x.Value) || !finite(x.Value[j]) {
				return fmt.Errorf("row %d feature %d is not a finite number", i, index)
			}
		}
	}
	return nil
}

// picture enlarges a row to an image with whole squares for pixels, so that browsers, which
// smooth images, keep them sharp.
func picture(x solvers.Vector, width, height int, strongest float64, signed bool) image.Image {
	const side = 112
	zoom := max(1, side/max(width, height))
	shades := make(color.Palette, 256) // 128 is zero
	for i := range shades {
		share := math.Abs(float64(i)-128) / 127
		switch {
		case !signed:
			shades[i] = gray(uint8(math.Round(255 * (1 - min(share, 1)))))
		case i < 128:
			shades[i] = tinted(Color(1), share)
		default:
			shades[i] = tinted(Color(0), share)
		}
	}
	img := image.NewPaletted(image.Rect(0, 0, zoom*width, zoom*height), shades)
	for i := range img.Pix {
		img.Pix[i] = 128
	}
	for i, index := range x.Index {
		shade := 128
		if strongest > 0 {
			shade += int(math.Round(127 * x.Value[i] / strongest))
		}
		row, column := int(index)/width, int(index)%width
		for dy := range zoom {
			for dx := range zoom {
				img.SetColorIndex(zoom*column+dx, zoom*row+dy, uint8(shade))
			}
		}
	}
	return img
}

// contactSheet is pictures in rows and columns, as large as the canvas allows.
type contactSheet struct {
	pictures      []image.Image
	captions      []string
	width, height int
}

var _ plot.Plotter = contactSheet{}

// Plot is plot.Plotter.
func (s contactSheet) Plot(c draw.Canvas, p *plot.Plot) {
	const gap, line = 4 * Pixel, 15 * Pixel
	below := vg.Length(0)
	if len(s.captions) > 0 {
		below = line
	}
	size := c.Max.Sub(c.Min)
	aspect := vg.Length(s.height) / vg.Length(s.width)
	columns, wide := 1, vg.Length(0)
	for n := 1; n <= len(s.pictures); n++ {
		lines := vg.Length((len(s.pictures) + n - 1) / n)
		w := min((size.X-gap*vg.Length(n-1))/vg.Length(n), ((size.Y-gap*(lines-1))/lines-below)/aspect)
		if w > wide {
			columns, wide = n, w
		}
	}
	if wide <= 0 {
		return // no room even for one
	}
	wide = min(wide, 120*Pixel)
	lines := (len(s.pictures) + columns - 1) / columns
	cell := vg.Point{X: wide + gap, Y: wide*aspect + below + gap}
	left := c.Center().X - (cell.X*vg.Length(columns)-gap)/2
	top := c.Center().Y + (cell.Y*vg.Length(lines)-gap)/2
	text := p.X.Tick.Label
	text.XAlign, text.YAlign = draw.XCenter, draw.YTop
	for i, img := range s.pictures {
		corner := vg.Point{X: left + cell.X*vg.Length(i%columns), Y: top - cell.Y*vg.Length(i/columns)}
		box := vg.Rectangle{Min: vg.Point{X: corner.X, Y: corner.Y - wide*aspect}, Max: vg.Point{X: corner.X + wide, Y: corner.Y}}
		c.DrawImage(box, img)
		frame := box.Path()
		c.SetLineStyle(draw.LineStyle{Color: gray(0xdd), Width: 0.75 * Pixel})
		c.Stroke(frame)
		if i < len(s.captions) {
			c.FillText(text, vg.Point{X: corner.X + wide/2, Y: box.Min.Y - 2*Pixel}, s.captions[i])
		}
	}
}

// noTicks is an axis without ticks.
type noTicks struct{}

// Ticks is plot.Ticker.
func (noTicks) Ticks(float64, float64) []plot.Tick { return nil }
