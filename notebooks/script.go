package notebooks

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"
)

// ReadScript reads Go source as a notebook: cells are separated by lines //%%. What comes
// before the first such line is a cell too, unless it is blank. A line may go on with
// [markdown], for a cell of text in comments, and with tags=["parameters"], both as Jupytext
// writes them. A first line #! is left out.
func ReadScript(r io.Reader, name string) (*Notebook, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if !utf8.Valid(data) {
		return nil, &FormatError{name, "not a Go script: it is not UTF-8 text"}
	}
	source := strings.ReplaceAll(strings.TrimPrefix(string(data), "\ufeff"), "\r\n", "\n")
	if strings.HasPrefix(source, "#!") {
		_, source, _ = strings.Cut(source, "\n")
	}
	marker := regexp.MustCompile(`^//\s?%%(?:\s.*)?$`)
	n := &Notebook{Name: name, Format: 4, Minor: 5}
	cell := &Cell{Kind: "code"}
	row := 0
	finish := func() {
		cell.Source = strings.Trim(cell.Source, "\n")
		if cell.Kind == "markdown" {
			cell.Source = uncommented(cell.Source)
		}
		if strings.TrimSpace(cell.Source) != "" {
			n.Cells = append(n.Cells, cell)
		}
	}
	for line := range strings.Lines(source) {
		row++
		if text := strings.TrimRight(line, " \t\n"); marker.MatchString(text) {
			finish()
			_, head, _ := strings.Cut(text, "%%")
			if cell, err = scriptCell(head); err != nil {
				return nil, &FormatError{name, fmt.Sprintf("line %d: %v", row, err)}
			}
			continue
		}
		cell.Source += line
	}
	finish()
	return n, nil
}

// scriptCell is the cell that a line //%% begins, after its %%.
func scriptCell(head string) (*Cell, error) {
	c := &Cell{Kind: "code"}
	if strings.Contains(head, "[markdown]") || strings.Contains(head, "[md]") {
		c.Kind = "markdown"
	}
	if _, tags, ok := strings.Cut(head, "tags="); ok {
		if err := json.NewDecoder(strings.NewReader(tags)).Decode(&c.Tags); err != nil {
			return nil, fmt.Errorf(`tags=%s: want a list as tags=["parameters"]`, tags)
		}
	}
	return c, nil
}

// uncommented is text without the comment signs before its lines, or within one comment.
func uncommented(s string) string {
	if strings.HasPrefix(s, "/*") && strings.HasSuffix(s, "*/") {
		return strings.Trim(s[2:len(s)-2], "\n")
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		line = strings.TrimPrefix(line, "//")
		b.WriteString(strings.TrimPrefix(line, " "))
	}
	return b.String()
}
