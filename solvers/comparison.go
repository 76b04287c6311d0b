package solvers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"gonum.org/v1/gonum/stat"
)

// Comparison is methods side by side. The points of a path are what was chosen for each size:
// Parameter is the size, SupportSize the number of support vectors of the models
// chosen, rounded mean over the splits, the errors are means over the splits and TestStd their
// standard deviation. A size for which a method has no more models than for the size before has
// no point.
type Comparison struct {
	Dataset  string
	Sizes    []int
	Paths    []*Path    // one for each method
	Settings [][]string // the place in the method's grid chosen most often, for each of its points
	Trials   []TrialResult
	Missing  int // trials without result, because the comparison was interrupted
}

// averaged is the point of models chosen in each split.
func averaged(best []chosen) PathPoint {
	var validation, test, size []float64
	for k, m := range best {
		validation = append(validation, float64(m.point.Validation[k])/float64(m.result.ValidationRows))
		test = append(test, float64(m.point.Test[k])/float64(m.result.TestRows))
		size = append(size, float64(m.point.SupportSize))
	}
	point := PathPoint{
		SupportSize:     int(math.Round(stat.Mean(size, nil))),
		ValidationError: stat.Mean(validation, nil),
		TestError:       stat.Mean(test, nil),
		Objective:       math.NaN(), Norm: math.NaN(),
	}
	if len(test) > 1 {
		point.TestStd = stat.StdDev(test, nil)
	}
	return point
}

// mostOften is the settings that most splits chose, of equal ones the first.
func mostOften(best []chosen) string {
	count := map[string]int{}
	most := best[0].result.Trial.Settings
	for _, m := range best {
		count[m.result.Trial.Settings]++
	}
	for _, m := range best {
		if s := m.result.Trial.Settings; count[s] > count[most] {
			most = s
		}
	}
	return most
}

// At is a method's point for the greatest of the sizes that is at most the given one; it is zero if
// there is none. The method is named as in its path.
func (c *Comparison) At(method string, size int) PathPoint {
	for _, path := range c.Paths {
		if path.Solver != method {
			continue
		}
		var at PathPoint
		for _, q := range path.Points {
			if q.Parameter <= float64(size) {
				at = q
			}
		}
		return at
	}
	return PathPoint{}
}

// Failed are the trials that have an error.
func (c *Comparison) Failed() []TrialResult {
	var failed []TrialResult
	for _, r := range c.Trials {
		if r.Error != "" {
			failed = append(failed, r)
		}
	}
	return failed
}

// usualSizes are the columns of a table, as far as they were asked for.
var usualSizes = [...]int{5, 10, 25, 50, 100, 200, 500, 1000, 2000, 5000}

// columns are the sizes in the table: at most ten.
func (c *Comparison) columns() []int {
	if len(c.Sizes) <= len(usualSizes) {
		return c.Sizes
	}
	var columns []int
	for _, size := range usualSizes {
		if slices.Contains(c.Sizes, size) {
			columns = append(columns, size)
		}
	}
	if len(columns) == 0 {
		columns = append(columns, c.Sizes[0])
	}
	if last := c.Sizes[len(c.Sizes)-1]; columns[len(columns)-1] != last {
		columns = append(columns, last)
	}
	return columns
}

// cell is one cell of the table: its text, and whether no method is better there on the
// validation rows.
type cell struct {
	text string
	best bool
}

// cells is the table: a line of headings and one for each method, and one for each reference.
func (c *Comparison) cells() (header []string, lines [][]cell) {
	columns := c.columns()
	header = []string{"Test error %, at most"}
	least := make([]float64, len(columns))
	for k, size := range columns {
		header = append(header, fmt.Sprint(size))
		least[k] = math.Inf(1)
		for _, path := range c.Paths {
			if q := c.At(path.Solver, size); q.Parameter > 0 {
				least[k] = min(least[k], q.ValidationError)
			}
		}
	}
	var references []string
	var dense [][]cell
	for _, path := range c.Paths {
		line := []cell{{text: path.Solver}}
		for k, size := range columns {
			q := c.At(path.Solver, size)
			if q.Parameter == 0 {
				line = append(line, cell{text: "-"})
				continue
			}
			line = append(line, cell{errorText(q), q.ValidationError == least[k]})
		}
		lines = append(lines, line)
		if q := path.Reference; q.SupportSize > 0 {
			name := fmt.Sprintf("reference: %s at %d", errorText(q), q.SupportSize)
			if !slices.Contains(references, name) {
				references = append(references, name)
				dense = append(dense, []cell{{text: name}})
			}
		}
	}
	return header, append(lines, dense...)
}

// errorText is "14.72 ± 0.21".
func errorText(q PathPoint) string {
	return fmt.Sprintf("%.2f ± %.2f", 100*q.TestError, 100*q.TestStd)
}

// notes are the lines below the table.
func (c *Comparison) notes() []string {
	var notes []string
	if c.Missing > 0 {
		notes = append(notes, fmt.Sprintf("%d of %d trials are missing: the comparison was interrupted.", c.Missing, c.Missing+len(c.Trials)))
	}
	if failed := c.Failed(); len(failed) > 0 {
		first := failed[0]
		notes = append(notes, fmt.Sprintf("%d trials failed; the first, %s: %s", len(failed), strings.TrimSpace(first.Trial.Method+" "+first.Trial.Settings), first.Error))
	}
	return notes
}

func (c *Comparison) title() string {
	return fmt.Sprintf("%s: %d methods, %d trials", cmp.Or(c.Dataset, "comparison"), len(c.Paths), len(c.Trials)+c.Missing)
}

// String is a table for a terminal: test error in percent, mean and standard deviation over the
// splits, for each method and support size. An asterisk marks what is best on the validation rows.
func (c *Comparison) String() string {
	header, lines := c.cells()
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Options = table.Options{SeparateHeader: true}
	w.Style().Format.Header = text.FormatDefault
	var right []table.ColumnConfig
	for i := range header {
		if i > 0 {
			right = append(right, table.ColumnConfig{Number: i + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	w.SetColumnConfigs(right)
	w.AppendHeader(tableRow(header, ""))
	for _, line := range lines {
		row := table.Row{}
		for _, cell := range line {
			if cell.best {
				cell.text += "*"
			}
			row = append(row, cell.text)
		}
		w.AppendRow(row)
	}
	return strings.Join(append([]string{c.title(), w.Render()}, c.notes()...), "\n")
}

// HTML is the table; what is best on the validation rows is bold.
func (c *Comparison) HTML() string {
	header, lines := c.cells()
	var m markup
	m.element("div", "font-size:13px;font-weight:600;color:var(--jp-ui-font-color1,inherit)", c.title())
	m.open("table", tableStyle)
	m.row("th", ";font-weight:600", header)
	for _, line := range lines {
		m.open("tr", "")
		for i, cell := range line {
			style := cellStyle + ";text-align:right"
			if i == 0 {
				style = cellStyle + ";text-align:left"
			}
			if cell.best {
				style += ";font-weight:700"
			}
			m.element("td", style, cell.text)
		}
		m.close("tr")
	}
	m.close("table")
	for _, note := range c.notes() {
		m.element("div", amberStyle, note)
	}
	return m.String()
}
