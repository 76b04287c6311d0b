package magic

import (
	"errors"
	"fmt"
	"html"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// whosText is the length at which a value is cut in %whos.
const whosText = 80 // characters

// who prints the names of the variables.
func (c *call) who() (display.Outcome, error) {
	variables := c.Notebook.Variables()
	if len(variables) == 0 {
		c.print("no variables\n")
		return display.Outcome{}, nil
	}
	var names []string
	for _, v := range variables {
		names = append(names, v.Name)
	}
	slices.Sort(names)
	c.print(strings.Join(names, "  ") + "\n")
	return display.Outcome{}, nil
}

// whos shows the variables with their types and values.
func (c *call) whos() (display.Outcome, error) {
	variables := c.Notebook.Variables()
	if len(variables) == 0 {
		c.print("no variables\n")
		return display.Outcome{}, nil
	}
	rows := [][]string{{"variable", "type", "value"}}
	for _, v := range variables {
		rows = append(rows, []string{v.Name, v.Type, line(v.Text, whosText)})
	}
	slices.SortStableFunc(rows[1:], func(a, b []string) int { return strings.Compare(a[0], b[0]) })
	bundle := table(rows)
	return display.Outcome{Result: &bundle}, nil
}

// line is text on one line of at most n characters.
func line(text string, n int) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= n {
		return text
	}
	return string([]rune(text)[:n-1]) + "…"
}

// table is rows, the first one of headings, as text and as HTML.
func table(rows [][]string) display.Bundle {
	var text, markup strings.Builder
	columns := tabwriter.NewWriter(&text, 0, 8, 2, ' ', 0)
	markup.WriteString("<table>")
	for i, row := range rows {
		fmt.Fprintln(columns, strings.Join(row, "\t"))
		markup.WriteString("<tr>")
		for _, cell := range row {
			tag := "td"
			if i == 0 {
				tag = "th"
			}
			fmt.Fprintf(&markup, `<%s style="text-align:left">%s</%s>`, tag, html.EscapeString(cell), tag)
		}
		markup.WriteString("</tr>")
	}
	markup.WriteString("</table>")
	_ = columns.Flush() // a Builder takes everything
	var lines []string
	for l := range strings.Lines(text.String()) {
		lines = append(lines, strings.TrimRight(l, " \n"))
	}
	return display.Bundle{Data: map[string]any{"text/plain": strings.Join(lines, "\n"), "text/html": markup.String()}}
}

// reset forgets everything that the cells have declared.
func (c *call) reset() (display.Outcome, error) {
	n := len(c.Notebook.Variables())
	if err := c.Notebook.Reset(); err != nil {
		return display.Outcome{}, err
	}
	c.print(fmt.Sprintf("everything is forgotten, with %d variables\n", n))
	return display.Outcome{}, nil
}

// remove forgets names that the cells have declared, and the values of variables.
func (c *call) remove() (display.Outcome, error) {
	names := fields(c.step.args)
	if len(names) == 0 {
		return display.Outcome{}, errors.New("want names: " + usage(c.step.name))
	}
	for _, name := range names {
		if err := c.Notebook.Forget(name); err != nil {
			return display.Outcome{}, err
		}
	}
	return display.Outcome{}, nil
}

// history prints the cells so far.
func (c *call) history() (display.Outcome, error) {
	args, pattern, search := strings.Cut(" "+c.step.args+" ", " -g ")
	cells, err := c.cells(slices.DeleteFunc(fields(args), func(w string) bool { return w == "-n" }))
	if err != nil {
		return display.Outcome{}, err
	}
	var text strings.Builder
	for _, cell := range cells {
		if search && !strings.Contains(cell.Source, strings.TrimSpace(pattern)) {
			continue
		}
		number := fmt.Sprintf("%4d: ", cell.Count)
		indent := "\n" + strings.Repeat(" ", len(number))
		text.WriteString(number + strings.ReplaceAll(strings.TrimRight(cell.Source, "\n"), "\n", indent) + "\n")
	}
	c.print(text.String())
	return display.Outcome{}, nil
}

// span matches one number of a cell, or two with a dash.
var span = regexp.MustCompile(`^(\d+)(?:-(\d+)?)?$`)

// cells are those of the history with the numbers in spans such as 3 and 2-5, or all; never the
// cell that runs.
func (c *call) cells(spans []string) ([]display.Cell, error) {
	var all, chosen []display.Cell
	for _, cell := range c.Notebook.History() {
		if cell.Count != c.cell.Count {
			all = append(all, cell)
		}
	}
	if len(spans) == 0 {
		return all, nil
	}
	for _, s := range spans {
		m := span.FindStringSubmatch(s)
		if m == nil {
			return nil, fmt.Errorf("%s is no number of a cell: want such as 3, 2-5 or 2-", s)
		}
		first, _ := strconv.Atoi(m[1]) // digits only
		end := first
		if strings.HasSuffix(s, "-") {
			end = c.cell.Count
		} else if m[2] != "" {
			end, _ = strconv.Atoi(m[2])
		}
		before := len(chosen)
		for _, cell := range all {
			if first <= cell.Count && cell.Count <= end {
				chosen = append(chosen, cell)
			}
		}
		if len(chosen) == before {
			return nil, fmt.Errorf("no cell has run with the number %s", s)
		}
	}
	return chosen, nil
}

// secret matches names in the environment whose values are not listed.
var secret = regexp.MustCompile(`(?i)key|token|secret|passw|credential`)

// env shows or sets the environment.
func (c *call) env() (display.Outcome, error) {
	name, value, set := strings.Cut(c.step.args, "=")
	if !set {
		name, value, set = strings.Cut(c.step.args, " ")
	}
	name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	switch {
	case name == "" && set:
		return display.Outcome{}, errors.New("want a name before the =: " + usage("%env"))
	case name == "":
		all := os.Environ()
		slices.Sort(all)
		for _, entry := range all {
			if n, _, _ := strings.Cut(entry, "="); secret.MatchString(n) {
				entry = n + "=(not shown)"
			}
			c.print(entry + "\n")
		}
		return display.Outcome{}, nil
	case set:
		if n := len(value); n > 1 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		if err := os.Setenv(name, value); err != nil {
			return display.Outcome{}, fmt.Errorf("%s: %w", name, err)
		}
		return display.Outcome{}, nil
	}
	value, ok := os.LookupEnv(name)
	if !ok {
		return display.Outcome{}, fmt.Errorf("%s is not set", name)
	}
	c.print(value + "\n")
	return display.Outcome{}, nil
}

// version prints what the program says of itself.
func (c *call) version() (display.Outcome, error) {
	program := "gonb-svm"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		program += " " + info.Main.Version
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				program += ", commit " + s.Value[:min(12, len(s.Value))]
			}
		}
	}
	c.print(fmt.Sprintf("%s, built with %s for %s/%s\n", program, runtime.Version(), runtime.GOOS, runtime.GOARCH))
	return display.Outcome{}, nil
}
