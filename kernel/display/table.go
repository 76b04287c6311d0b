package display

import (
	"fmt"
	"html"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
)

// Sizes at which a shown table is cut.
const (
	maxRows    = 20
	maxColumns = 16
	maxCell    = 120 // characters
	maxSorted  = 100000
)

// grid is a table to be shown: at most maxRows × maxColumns of what there is.
type grid struct {
	header        []string // nil: none
	rows          [][]string
	numeric       []bool // by column: right-aligned
	allRows, cols int    // before cutting
}

// matrix is what gonum's matrices have.
type matrix interface {
	Dims() (r, c int)
	At(i, j int) float64
}

// tableOf makes a table of a matrix, a slice of structs, of slices or of maps with string
// keys, or a map; ok is false for what is no table.
func tableOf(v any) (g grid, ok bool) {
	defer func() {
		if recover() != nil { // a nil pointer behind an interface, or a matrix without data
			g, ok = grid{}, false
		}
	}()
	if m, isMatrix := v.(matrix); isMatrix && !isNil(v) {
		return matrixTable(m), true
	}
	r := reflect.ValueOf(v)
	for r.Kind() == reflect.Pointer && !r.IsNil() {
		r = r.Elem()
	}
	switch r.Kind() {
	case reflect.Map:
		return mapTable(r), r.Len() > 0
	case reflect.Slice, reflect.Array:
		if r.Len() == 0 {
			return grid{}, false
		}
		return sliceTable(r)
	case reflect.Struct:
		return structTable(r)
	}
	return grid{}, false
}

// structTable has a row for each field of a struct.
func structTable(r reflect.Value) (grid, bool) {
	g := grid{header: []string{"field", "value"}, cols: 2, numeric: []bool{false, false}}
	for i := range r.NumField() {
		if f := r.Type().Field(i); f.IsExported() {
			if g.allRows++; g.allRows <= maxRows {
				g.rows = append(g.rows, []string{fieldName(f), cellText(r.Field(i).Interface())})
			}
		}
	}
	return g, g.allRows > 0
}

// fieldName is a field's name as its author wrote it: the engine marks those of cells that are not
// exported.
func fieldName(f reflect.StructField) string { return strings.TrimPrefix(f.Name, "F_") }

func matrixTable(m matrix) grid {
	rows, cols := m.Dims()
	g := grid{allRows: rows, cols: cols}
	for i := range min(rows, maxRows) {
		line := make([]string, min(cols, maxColumns))
		for j := range line {
			line[j] = cellText(m.At(i, j))
		}
		g.rows = append(g.rows, line)
	}
	g.numeric = slices.Repeat([]bool{true}, min(cols, maxColumns))
	return g
}

func mapTable(r reflect.Value) grid {
	keys := r.MapKeys()
	all := len(keys)
	if all > maxSorted { // sorting them all would take seconds
		keys = keys[:maxRows]
	}
	slices.SortFunc(keys, func(a, b reflect.Value) int {
		if a.CanFloat() && b.CanFloat() {
			return compareNumbers(a.Float(), b.Float())
		}
		if a.CanInt() && b.CanInt() {
			return compareNumbers(float64(a.Int()), float64(b.Int()))
		}
		return strings.Compare(fmt.Sprint(a), fmt.Sprint(b))
	})
	g := grid{header: []string{"key", "value"}, allRows: all, cols: 2,
		numeric: []bool{isNumber(r.Type().Key()), isNumber(r.Type().Elem())}}
	for _, key := range keys[:min(len(keys), maxRows)] {
		g.rows = append(g.rows, []string{cellText(key.Interface()), cellText(r.MapIndex(key).Interface())})
	}
	return g
}

func compareNumbers(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func sliceTable(r reflect.Value) (grid, bool) {
	element := r.Type().Elem()
	for element.Kind() == reflect.Pointer {
		element = element.Elem()
	}
	g := grid{allRows: r.Len()}
	switch element.Kind() {
	case reflect.Struct:
		var fields []int
		for i := range element.NumField() {
			if f := element.Field(i); f.IsExported() {
				fields = append(fields, i)
				g.header = append(g.header, fieldName(f))
				g.numeric = append(g.numeric, isNumber(f.Type))
			}
		}
		if g.cols = len(fields); g.cols == 0 {
			return g, false
		}
		g.header, g.numeric = g.header[:min(g.cols, maxColumns)], g.numeric[:min(g.cols, maxColumns)]
		for i := range min(r.Len(), maxRows) {
			g.rows = append(g.rows, structRow(r.Index(i), fields[:min(g.cols, maxColumns)]))
		}
	case reflect.Slice, reflect.Array:
		for i := range r.Len() {
			g.cols = max(g.cols, r.Index(i).Len())
		}
		for i := range min(r.Len(), maxRows) {
			row := r.Index(i)
			line := make([]string, min(g.cols, maxColumns))
			for j := range min(row.Len(), len(line)) {
				line[j] = cellText(row.Index(j).Interface())
			}
			g.rows = append(g.rows, line)
		}
		g.numeric = slices.Repeat([]bool{isNumber(element.Elem())}, min(g.cols, maxColumns))
	default:
		return g, false
	}
	return g, true
}

func structRow(v reflect.Value, fields []int) []string {
	for v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return slices.Repeat([]string{""}, len(fields))
		}
		v = v.Elem()
	}
	line := make([]string, len(fields))
	for j, field := range fields {
		line[j] = cellText(v.Field(field).Interface())
	}
	return line
}

func isNumber(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint, reflect.Uint8,
		reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Float32, reflect.Float64:
		return true
	}
	return false
}

// cellText prints one cell: floating-point numbers with at most five digits, the rest as
// fmt.Sprint, cut to a line of maxCell characters.
func cellText(v any) string {
	var s string
	switch x := v.(type) {
	case float64:
		s = strconv.FormatFloat(x, 'g', 5, 64)
		if x == math.Trunc(x) && math.Abs(x) < 1e15 {
			s = strconv.FormatFloat(x, 'f', -1, 64)
		}
	case float32:
		s = strconv.FormatFloat(float64(x), 'g', 5, 32)
	default:
		s = briefly(v)
	}
	s = strings.Join(strings.Fields(s), " ")
	if characters := []rune(s); len(characters) > maxCell {
		s = string(characters[:maxCell]) + "…"
	}
	return s
}

// briefly prints a value of which only the beginning will be seen.
func briefly(v any) string {
	r := reflect.ValueOf(v)
	if r.Kind() == reflect.Slice && r.Len() > maxCell && r.Type().NumMethod() == 0 {
		v = r.Slice(0, maxCell).Interface()
	}
	if r.Kind() == reflect.String && r.Len() > 8*maxCell && r.Type().NumMethod() == 0 {
		v = strings.ToValidUTF8(r.String()[:8*maxCell], "")
	}
	return sprint(v)
}

func (g grid) shape() string {
	if g.allRows <= maxRows && g.cols <= maxColumns {
		return ""
	}
	return fmt.Sprintf("%d rows × %d columns, the first %d × %d shown",
		g.allRows, g.cols, min(g.allRows, maxRows), min(g.cols, maxColumns))
}

// HTML is the table with inline styles only, every cell escaped.
func (g grid) HTML() string {
	var b strings.Builder
	b.WriteString(`<table style="border-collapse:collapse;font-variant-numeric:tabular-nums">`)
	line := func(tag string, cells []string) {
		b.WriteString("<tr>")
		for j, cell := range cells {
			align := "left"
			if j < len(g.numeric) && g.numeric[j] {
				align = "right"
			}
			fmt.Fprintf(&b, `<%s style="text-align:%s;padding:2px 10px">%s</%s>`, tag, align, html.EscapeString(cell), tag)
		}
		b.WriteString("</tr>")
	}
	if g.header != nil {
		b.WriteString("<thead>")
		line("th", g.header)
		b.WriteString("</thead>")
	}
	b.WriteString("<tbody>")
	for _, row := range g.rows {
		line("td", row)
	}
	b.WriteString("</tbody></table>")
	if s := g.shape(); s != "" {
		fmt.Fprintf(&b, `<div style="opacity:.7;font-size:90%%">%s</div>`, s)
	}
	return b.String()
}

// Text is the table for a terminal.
func (g grid) Text() string {
	w := table.NewWriter()
	w.SetStyle(table.StyleLight)
	w.Style().Options = table.Options{SeparateColumns: false, SeparateHeader: g.header != nil}
	w.Style().Format.Header = text.FormatDefault
	row := func(cells []string) table.Row {
		r := make(table.Row, len(cells))
		for i, c := range cells {
			r[i] = c
		}
		return r
	}
	if g.header != nil {
		w.AppendHeader(row(g.header))
	}
	for _, r := range g.rows {
		w.AppendRow(row(r))
	}
	var configs []table.ColumnConfig
	for j, numeric := range g.numeric {
		if numeric {
			configs = append(configs, table.ColumnConfig{Number: j + 1, Align: text.AlignRight, AlignHeader: text.AlignRight})
		}
	}
	w.SetColumnConfigs(configs)
	out := w.Render()
	if s := g.shape(); s != "" {
		out += "\n" + s
	}
	return out
}
