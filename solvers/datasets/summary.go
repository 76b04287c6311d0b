package datasets

import (
	"fmt"
	"html"
	"slices"
	"strconv"
	"strings"
)

// Density is the share of entries that are stored, in [0, 1]; 0 without entries.
func (d *Dataset) Density() float64 {
	stored := 0
	for _, x := range d.X {
		stored += len(x.Index)
	}
	if stored == 0 || d.Dim == 0 {
		return 0
	}
	return float64(stored) / float64(d.Len()) / float64(d.Dim)
}

// Count is the number of rows of one class.
type Count struct {
	Y     float64 // as in Dataset.Y
	Label float64 // as in the file: it differs from Y in two-class sets labelled 0 and 1, say
	Rows  int
}

// Counts counts the rows of each class that occurs, by ascending label.
func (d *Dataset) Counts() []Count {
	rows := map[float64]int{}
	for _, y := range d.Y {
		rows[y]++
	}
	counts := make([]Count, 0, len(rows))
	for y, n := range rows {
		counts = append(counts, Count{Y: y, Label: d.label(y), Rows: n})
	}
	slices.SortFunc(counts, func(a, b Count) int {
		if a.Y < b.Y {
			return -1
		}
		return 1
	})
	return counts
}

// label is what the file has for y.
func (d *Dataset) label(y float64) float64 {
	switch {
	case len(d.Labels) != 2:
		return y
	case y == -1:
		return d.Labels[0]
	case y == 1:
		return d.Labels[1]
	}
	return y
}

// String is one line: "ijcnn1: 49990 rows × 22 features, 59% nonzero, 9.7% +1".
func (d *Dataset) String() string {
	return fmt.Sprintf("%s: %d rows × %d features, %s nonzero, %s", d.Name, d.Len(), d.Dim, percent(d.Density()), d.classes())
}

// classes is the share of +1 in a two-class set, else the number of classes.
func (d *Dataset) classes() string {
	counts := d.Counts()
	switch {
	case len(counts) == 0:
		return "no classes"
	case d.Binary():
		last, positive := counts[len(counts)-1], 0
		if last.Y == 1 {
			positive = last.Rows
		}
		return percent(float64(positive)/float64(d.Len())) + " +1"
	case len(counts) == 1:
		return fmt.Sprintf("one class (%g)", counts[0].Label)
	}
	return fmt.Sprintf("%d classes", len(counts))
}

// percent shows a share with two digits, or three if it has three before the point.
func percent(share float64) string {
	p := 100 * share
	if p >= 9.95 {
		return fmt.Sprintf("%.0f%%", p)
	}
	return strconv.FormatFloat(p, 'g', 2, 64) + "%"
}

// shownClasses is how many classes the HTML form lists.
const shownClasses = 10

// HTML is a table of what the set is: name, rows, features, nonzeros and classes.
func (d *Dataset) HTML() string {
	var b strings.Builder
	b.WriteString(`<table style="border-collapse:collapse;font-size:13px;color:var(--jp-ui-font-color1,inherit);background:transparent">`)
	line := func(what, value string) {
		const cell = `padding:3px 12px 3px 0;text-align:left;border-bottom:1px solid var(--jp-border-color2,rgba(128,128,128,.35))`
		fmt.Fprintf(&b, `<tr><th scope="row" style="%s;font-weight:600">%s</th><td style="%s">%s</td></tr>`,
			cell, html.EscapeString(what), cell, html.EscapeString(value))
	}
	line("Data set", d.Name)
	line("Rows", strconv.Itoa(d.Len()))
	line("Features", strconv.Itoa(d.Dim))
	line("Nonzero", percent(d.Density()))
	counts := d.Counts()
	for _, c := range counts[:min(len(counts), shownClasses)] {
		what := fmt.Sprintf("Class %+g", c.Y)
		if !d.Binary() {
			what = fmt.Sprintf("Class %g", c.Y)
		} else if c.Label != c.Y {
			what += fmt.Sprintf(" (label %g)", c.Label)
		}
		line(what, fmt.Sprintf("%d (%s)", c.Rows, percent(float64(c.Rows)/float64(d.Len()))))
	}
	if more := len(counts) - shownClasses; more > 0 {
		line("…", fmt.Sprintf("%d more classes", more))
	}
	b.WriteString("</table>")
	return b.String()
}
