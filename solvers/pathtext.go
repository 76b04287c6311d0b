package solvers

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Above allShown points a path's table has logShown of them, evenly spaced by the logarithm of
// the support size, and Best.
const (
	allShown = 20
	logShown = 10
)

// shown are the numbers of the points in the table, ascending, and that of Best, -1 if none.
func (p *Path) shown() (points []int, best int) {
	best = slices.Index(p.Points, p.Best())
	if len(p.Points) <= allShown {
		for i := range p.Points {
			points = append(points, i)
		}
		return points, best
	}
	size := func(i int) float64 { return math.Log(float64(max(p.Points[i].SupportSize, 1))) }
	first, last := size(0), size(len(p.Points)-1)
	points = append(points, best)
	for k := range logShown {
		want := first + (last-first)*float64(k)/(logShown-1)
		nearest := 0
		for i := range p.Points {
			if math.Abs(size(i)-want) < math.Abs(size(nearest)-want) {
				nearest = i
			}
		}
		points = append(points, nearest)
	}
	slices.Sort(points)
	return slices.Compact(points), best
}

// cells is the table: a line of headings and one for each point, and the reference's if any.
func (p *Path) cells(points []int) (header []string, lines [][]string) {
	noun := "Support vectors"
	if len(points) > 0 && p.Points[points[0]].Model != nil && p.Points[points[0]].Model.noun() == "vectors" {
		noun = "Vectors"
	}
	header = []string{noun, p.ParameterName, "Validation error", "Test error"}
	line := func(q PathPoint, parameter string) []string {
		return []string{fmt.Sprint(q.SupportSize), parameter, percent(q.ValidationError), percent(q.TestError) + " ± " + fmt.Sprintf("%.2f", 100*q.TestStd)}
	}
	for _, i := range points {
		lines = append(lines, line(p.Points[i], number(p.Points[i].Parameter)))
	}
	if p.Reference.SupportSize > 0 {
		lines = append(lines, line(p.Reference, "reference"))
	}
	return header, lines
}

// title is "ISSVM on a8a: 13 of 214 models".
func (p *Path) title(points []int) string {
	if len(points) < len(p.Points) {
		return fmt.Sprintf("%s on %s: %d of %d models", p.Solver, p.Dataset, len(points), len(p.Points))
	}
	return fmt.Sprintf("%s on %s: %d models", p.Solver, p.Dataset, len(p.Points))
}

// String is a table of the points for a terminal; Best has an arrow.
func (p *Path) String() string {
	points, best := p.shown()
	header, lines := p.cells(points)
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Options = table.Options{SeparateHeader: true}
	w.Style().Format.Header = text.FormatDefault
	var right []table.ColumnConfig
	for i := range header {
		right = append(right, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
	}
	w.SetColumnConfigs(right)
	w.AppendHeader(tableRow(header, ""))
	for i, line := range lines {
		mark := ""
		if i < len(points) && points[i] == best {
			mark = "← best"
		}
		w.AppendRow(tableRow(line, mark))
	}
	return strings.TrimRight(p.title(points)+"\n"+w.Render(), "\n")
}

func tableRow(cells []string, mark string) table.Row {
	row := table.Row{}
	for _, cell := range cells {
		row = append(row, cell)
	}
	return append(row, mark)
}

// HTML is a table of the points; Best is bold.
func (p *Path) HTML() string {
	points, best := p.shown()
	header, lines := p.cells(points)
	var m markup
	m.element("div", "font-size:13px;font-weight:600;color:var(--jp-ui-font-color1,inherit)", p.title(points))
	m.open("table", tableStyle)
	m.row("th", ";font-weight:600", header)
	for i, line := range lines {
		style := ""
		switch {
		case i >= len(points):
			style = ";" + paleStyle
		case points[i] == best:
			style = ";font-weight:700"
		}
		m.row("td", style, line)
	}
	m.close("table")
	return m.String()
}

// String is one line: "312 support vectors: test error 1.59% ± 0.03, validation error 1.57%".
func (q PathPoint) String() string {
	return fmt.Sprintf("%d support vectors: test error %s ± %.2f, validation error %s",
		q.SupportSize, percent(q.TestError), 100*q.TestStd, percent(q.ValidationError))
}
