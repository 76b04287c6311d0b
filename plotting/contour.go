package plotting

import (
	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
)

// field is a function of two variables at the nodes of a regular grid.
type field struct {
	nx, ny         int // nodes each way, at least 2
	x0, x1, y0, y1 float64
	value          []float64 // value[j*nx+i] at (x(i), y(j))
}

func (f *field) x(i int) float64     { return f.x0 + (f.x1-f.x0)*float64(i)/float64(f.nx-1) }
func (f *field) y(j int) float64     { return f.y0 + (f.y1-f.y0)*float64(j)/float64(f.ny-1) }
func (f *field) at(i, j int) float64 { return f.value[j*f.nx+i] }

// between interpolates bilinearly; u and v are in nodes, 0 ≤ u ≤ nx-1 and 0 ≤ v ≤ ny-1.
func (f *field) between(u, v float64) float64 {
	i, j := min(int(u), f.nx-2), min(int(v), f.ny-2)
	a, b := u-float64(i), v-float64(j)
	return (1-b)*((1-a)*f.at(i, j)+a*f.at(i+1, j)) + b*((1-a)*f.at(i, j+1)+a*f.at(i+1, j+1))
}

// edge is a side of a cell of the grid: the one to the right of node (i, j), or above it.
type edge struct {
	i, j  int
	above bool
}

// contour gives the lines on which the field has the given level, by marching squares: in
// each cell the crossed sides are joined, and the pieces are chained to lines as long as
// possible, so that dashes run on. The order is that of the grid.
func (f *field) contour(level float64) []plotter.XYs {
	next := map[edge][]edge{}
	var order []edge
	for j := range f.ny - 1 {
		for i := range f.nx - 1 {
			for _, piece := range f.cell(i, j, level) {
				for _, e := range piece {
					if next[e] == nil {
						order = append(order, e)
					}
				}
				next[piece[0]] = append(next[piece[0]], piece[1])
				next[piece[1]] = append(next[piece[1]], piece[0])
			}
		}
	}
	var lines []plotter.XYs
	follow := func(e edge) {
		line := plotter.XYs{f.crossing(e, level)}
		for len(next[e]) > 0 {
			to := next[e][0]
			next[e] = next[e][1:]
			next[to] = without(next[to], e)
			line = append(line, f.crossing(to, level))
			e = to
		}
		if len(line) > 1 {
			lines = append(lines, line)
		}
	}
	for _, e := range order { // open lines start at the border; what is left then are loops
		if len(next[e]) == 1 {
			follow(e)
		}
	}
	for _, e := range order {
		follow(e)
	}
	return lines
}

func without(edges []edge, e edge) []edge {
	for i, other := range edges {
		if other == e {
			return append(edges[:i:i], edges[i+1:]...)
		}
	}
	return edges
}

// cell gives the pieces of the level within one cell, as pairs of crossed sides.
func (f *field) cell(i, j int, level float64) [][2]edge {
	sides := [4]edge{{i, j, false}, {i + 1, j, true}, {i, j + 1, false}, {i, j, true}}
	corners := [4]bool{f.at(i, j) > level, f.at(i+1, j) > level, f.at(i+1, j+1) > level, f.at(i, j+1) > level}
	var crossed []edge
	for s := range sides {
		if corners[s] != corners[(s+1)%4] {
			crossed = append(crossed, sides[s])
		}
	}
	switch len(crossed) {
	case 2:
		return [][2]edge{{crossed[0], crossed[1]}}
	case 4: // a saddle: the middle of the cell decides which corners belong together
		if (f.between(float64(i)+0.5, float64(j)+0.5) > level) == corners[0] {
			return [][2]edge{{crossed[0], crossed[1]}, {crossed[2], crossed[3]}}
		}
		return [][2]edge{{crossed[3], crossed[0]}, {crossed[1], crossed[2]}}
	}
	return nil
}

// crossing is where the level crosses a side.
func (f *field) crossing(e edge, level float64) plotter.XY {
	a := f.at(e.i, e.j)
	if e.above {
		share := (level - a) / (f.at(e.i, e.j+1) - a)
		return plotter.XY{X: f.x(e.i), Y: f.y(e.j) + share*(f.y(e.j+1)-f.y(e.j))}
	}
	share := (level - a) / (f.at(e.i+1, e.j) - a)
	return plotter.XY{X: f.x(e.i) + share*(f.x(e.i+1)-f.x(e.i)), Y: f.y(e.j)}
}

// contours are lines in one style.
type contours struct {
	lines []plotter.XYs
	style draw.LineStyle
}

var _ plot.Plotter = contours{}
var _ plot.Thumbnailer = contours{}

// Plot is plot.Plotter.
func (k contours) Plot(c draw.Canvas, p *plot.Plot) {
	for _, line := range k.lines {
		c.StrokeLines(k.style, c.ClipLinesXY(onCanvas(&c, p, line))...)
	}
}

// Thumbnail is plot.Thumbnailer.
func (k contours) Thumbnail(c *draw.Canvas) {
	c.StrokeLine2(k.style, c.Min.X, c.Center().Y, c.Max.X, c.Center().Y)
}
