package solvers

import (
	"fmt"
	"html"
	"strings"
)

// The HTML of results holds no script and no outside file; its colours are JupyterLab's, with
// fallbacks that are readable on light and dark ground. All text is escaped here and only here.
const (
	tableStyle  = "border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums;background:transparent;color:var(--jp-ui-font-color1,inherit)"
	cellStyle   = "padding:3px 12px 3px 0;border-bottom:1px solid var(--jp-border-color2,rgba(128,128,128,.35))"
	paleStyle   = "color:var(--jp-ui-font-color2,inherit);opacity:.65"
	amberStyle  = "border-left:3px solid var(--jp-warn-color1,#e69f00);padding-left:6px"
	foldedStyle = "margin-top:4px;font-size:13px;color:var(--jp-ui-font-color1,inherit)"
)

// markup builds HTML out of escaped text.
type markup struct{ strings.Builder }

// open starts an element, with a style unless it is empty.
func (m *markup) open(tag, style string) {
	m.WriteString("<" + tag)
	if style != "" {
		fmt.Fprintf(m, ` style="%s"`, style)
	}
	m.WriteString(">")
}

func (m *markup) close(tag string) { m.WriteString("</" + tag + ">") }

func (m *markup) element(tag, style, text string) {
	m.open(tag, style)
	m.WriteString(html.EscapeString(text))
	m.close(tag)
}

// line is a row of a table of two columns, what and value; the value may have a style.
func (m *markup) line(what, value, style string) {
	m.open("tr", "")
	m.element("th", cellStyle+";text-align:left;font-weight:600", what)
	m.open("td", cellStyle+";text-align:left")
	m.element("span", style, value)
	m.close("td")
	m.close("tr")
}

// row is a row of cells, the texts to the right of the first right-aligned.
func (m *markup) row(tag, style string, cells []string) {
	m.open("tr", "")
	for _, cell := range cells {
		m.element(tag, cellStyle+";text-align:right"+style, cell)
	}
	m.close("tr")
}
