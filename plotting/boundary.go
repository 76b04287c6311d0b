package plotting

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// maxRows is how many rows of a data set Boundary shows.
const maxRows = 2000

// Boundary draws where a model of two features decides for which class: the plane coloured
// by the sign and size of f(x), the lines f = 0 (solid) and f = ±1 (dashed), the rows of d,
// and rings about the support vectors. It returns an error unless d has two features, two
// classes and at least one row, and all numbers in it are finite.
func Boundary(m *solvers.Model, d *solvers.Dataset) (*plot.Plot, error) {
	if err := checkBoundary(m, d); err != nil {
		return nil, err
	}
	f := decisionField(m, d)
	for _, v := range f.value {
		if !finite(v) {
			return nil, fmt.Errorf("the model's decision value is %g at some place: want finite coefficients and bias", v)
		}
	}
	p, k := newPlot(), &key{outside: true}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = f.x0, f.x1, f.y0, f.y1
	p.X.Label.Text, p.Y.Label.Text = "Feature 1", "Feature 2"
	if d.Name != "" {
		p.X.Label.Text += " (" + d.Name + ")"
	}
	p.Add(surface{f})
	margin := contours{append(f.contour(-1), f.contour(1)...),
		draw.LineStyle{Color: faintInk(), Width: 1.2 * Pixel, Dashes: []vg.Length{4 * Pixel, 3 * Pixel}}}
	boundary := contours{f.contour(0), draw.LineStyle{Color: ink(), Width: 2 * Pixel}}
	p.Add(margin, boundary)
	stride := (d.Len() + maxRows - 1) / maxRows
	for class, y := range []float64{1, -1} {
		dots := scatter{points: rowsOf(d, y, stride), color: Color(class), mark: markOf(class)}
		p.Add(dots)
		k.add(className(d, y), dots)
	}
	support := rings{points: places2(m.SupportVectors), radius: 5 * Pixel, colors: []color.NRGBA{ink()}}
	p.Add(support)
	k.add(count(m.SupportSize(), "support vector"), support)
	k.add("f = 0", boundary)
	k.add("f = ±1", margin)
	if stride > 1 {
		p.X.Label.Text += fmt.Sprintf("\nOne row of %d is shown", stride)
	}
	p.Add(k, frame{})
	return p, nil
}

func checkBoundary(m *solvers.Model, d *solvers.Dataset) error {
	switch {
	case m == nil || m.Kernel == nil:
		return errors.New("no model to draw")
	case d == nil || d.Len() == 0:
		return errors.New("no rows to draw: want at least one")
	case d.Dim != 2:
		return fmt.Errorf("%s has %d features: a boundary can be drawn for 2", orData(d.Name), d.Dim)
	case !d.Binary():
		return fmt.Errorf("%s has %d classes: a boundary can be drawn for 2", orData(d.Name), len(d.Labels))
	}
	for i, x := range d.X {
		for _, v := range x.Value {
			if !finite(v) {
				return fmt.Errorf("row %d of %s has the value %g: want a finite number", i, orData(d.Name), v)
			}
		}
	}
	return nil
}

func orData(name string) string {
	if name == "" {
		return "the data"
	}
	return name
}

// className is what a class is called in the file that the data came from.
func className(d *solvers.Dataset, y float64) string {
	label := y
	if len(d.Labels) == 2 {
		label = d.Labels[0]
		if y > 0 {
			label = d.Labels[1]
		}
	}
	if label == y {
		return "Class " + map[bool]string{true: "+1", false: "−1"}[y > 0]
	}
	return "Class " + number(label, max(0, -int(math.Floor(math.Log10(math.Abs(label)+1e-9)))))
}

// place2 is a row of two features as a point.
func place2(x solvers.Vector) plotter.XY {
	var at [2]float64
	for i, index := range x.Index {
		if index >= 0 && index < 2 && i < len(x.Value) {
			at[index] = x.Value[i]
		}
	}
	return plotter.XY{X: at[0], Y: at[1]}
}

func places2(rows []solvers.Vector) plotter.XYs {
	var points plotter.XYs
	for _, x := range rows {
		if q := place2(x); finite(q.X) && finite(q.Y) {
			points = append(points, q)
		}
	}
	return points
}

// rowsOf are every stride-th row of d that have the label y.
func rowsOf(d *solvers.Dataset, y float64, stride int) plotter.XYs {
	var points plotter.XYs
	for i := 0; i < d.Len(); i += stride {
		if d.Y[i] == y {
			points = append(points, place2(d.X[i]))
		}
	}
	return points
}

// decisionField is f(x) on a grid about the rows of d.
func decisionField(m *solvers.Model, d *solvers.Dataset) *field {
	const nx, ny = 120, 80
	f := &field{nx: nx, ny: ny, x0: math.Inf(1), x1: math.Inf(-1), y0: math.Inf(1), y1: math.Inf(-1)}
	for _, x := range d.X {
		q := place2(x)
		f.x0, f.x1 = min(f.x0, q.X), max(f.x1, q.X)
		f.y0, f.y1 = min(f.y0, q.Y), max(f.y1, q.Y)
	}
	f.x0, f.x1 = widened(f.x0, f.x1)
	f.y0, f.y1 = widened(f.y0, f.y1)
	nodes := &solvers.Dataset{Dim: 2, X: make([]solvers.Vector, nx*ny), Y: make([]float64, nx*ny)}
	for j := range ny {
		for i := range nx {
			nodes.X[j*nx+i] = solvers.Vector{Index: []int32{0, 1}, Value: []float64{f.x(i), f.y(j)}}
		}
	}
	f.value = m.Decisions(nodes)
	return f
}

// widened is a range with some air.
func widened(low, high float64) (float64, float64) {
	air := 0.08 * (high - low)
	if air == 0 {
		air = max(1, 0.1*math.Abs(low))
	}
	return low - air, high + air
}

// surface colours the plane by a field: blue above zero, vermilion below, in steps that
// deepen up to |f| = 2.
type surface struct{ *field }

var _ plot.Plotter = surface{}

// Plot is plot.Plotter.
func (s surface) Plot(c draw.Canvas, p *plot.Plot) {
	const fine = 4 // pixels of the image per node
	width, height := fine*(s.nx-1), fine*(s.ny-1)
	shades := make(color.Palette, 0, 2*8)
	for _, hue := range []color.NRGBA{Color(0), Color(1)} {
		for step := range 8 {
			shades = append(shades, tinted(hue, 0.10+0.045*float64(step)))
		}
	}
	img := image.NewPaletted(image.Rect(0, 0, width, height), shades)
	for row := range height {
		for column := range width {
			v := s.between((float64(column)+0.5)/fine, float64(s.ny-1)-(float64(row)+0.5)/fine)
			shade := min(int(math.Abs(v)*4), 7)
			if v < 0 {
				shade += 8
			}
			img.SetColorIndex(column, row, uint8(shade))
		}
	}
	x, y := p.Transforms(&c)
	box := vg.Rectangle{Min: vg.Point{X: x(s.x0), Y: y(s.y0)}, Max: vg.Point{X: x(s.x1), Y: y(s.y1)}}
	if c.Contains(box.Min) && c.Contains(box.Max) { // else ranges were changed, and images cannot be clipped
		c.DrawImage(box, img)
	}
}

// scatter is marks without a line.
type scatter struct {
	points plotter.XYs
	color  color.NRGBA
	mark   mark
}

var _ plot.Plotter = scatter{}
var _ plot.Thumbnailer = scatter{}

// radius is smaller the more marks there are.
func (s scatter) radius() vg.Length {
	return markSize * vg.Length(min(max(1.15-float64(len(s.points))/1000, 0.6), 1))
}

// Plot is plot.Plotter.
func (s scatter) Plot(c draw.Canvas, p *plot.Plot) {
	for _, place := range onCanvas(&c, p, s.points) {
		if c.Contains(place) {
			s.mark.draw(&c, place, s.radius(), s.color)
		}
	}
}

// Thumbnail is plot.Thumbnailer.
func (s scatter) Thumbnail(c *draw.Canvas) { s.mark.draw(c, c.Center(), markSize, s.color) }

// frame is a line about the plot, over what reaches its edges.
type frame struct{}

var _ plot.Plotter = frame{}

// Plot is plot.Plotter.
func (frame) Plot(c draw.Canvas, p *plot.Plot) {
	c.SetLineStyle(p.X.LineStyle)
	c.Stroke(c.Rectangle.Path())
}
