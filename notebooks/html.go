package notebooks

import (
	"bytes"
	_ "embed" // the style sheet
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

//go:embed page.css
var pageStyle string

// WriteHTML writes the notebook as one HTML page that needs no other file, no script and no
// network, in the colours that the reader's system prefers, light or dark. Its title is the
// first heading, or the file's name. As in Jupyter, HTML within texts and outputs is taken
// as it stands: do not publish pages of notebooks that you do not trust.
func WriteHTML(w io.Writer, n *Notebook) error {
	h := &page{}
	h.add("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
	h.add(`<meta name="viewport" content="width=device-width, initial-scale=1">` + "\n")
	h.add("<title>" + html.EscapeString(n.Title()) + "</title>\n<style>\n" + pageStyle + "</style>\n</head>\n<body>\n<main>\n")
	for i, c := range n.Cells {
		if err := h.cell(c); err != nil {
			return fmt.Errorf("writing HTML: cell %d: %w", i+1, err)
		}
	}
	h.add("</main>\n</body>\n</html>\n")
	if _, err := w.Write(h.Bytes()); err != nil {
		return fmt.Errorf("writing HTML: %w", err)
	}
	return nil
}

// Title is the text of the first heading, else the name of the file without its ending.
func (n *Notebook) Title() string {
	for _, c := range n.Cells {
		if c.Kind != "markdown" {
			continue
		}
		if title := firstHeading(c.Source); title != "" {
			return title
		}
	}
	base := filepath.Base(n.Name)
	if name := strings.TrimSuffix(base, filepath.Ext(base)); name != "" && name != "." {
		return name
	}
	return "Notebook"
}

// page is an HTML page in the making.
type page struct{ bytes.Buffer }

func (h *page) add(s string) { h.WriteString(s) }

func (h *page) cell(c *Cell) error {
	switch c.Kind {
	case "markdown":
		body, err := markdownHTML(c.Source, c.attachments())
		if err != nil {
			return err
		}
		h.add("<section class=\"cell markdown\">\n" + body + "</section>\n")
	case "raw":
		if strings.TrimSpace(c.Source) == "" {
			return nil
		}
		h.add("<section class=\"cell raw\"><pre>" + html.EscapeString(c.Source) + "</pre></section>\n")
	case "code":
		if strings.TrimSpace(c.Source) == "" && len(c.Outputs) == 0 {
			return nil
		}
		h.add("<section class=\"cell code\">\n" + count("In", c.Count))
		h.add("<div class=\"input\">" + highlighted(c.Source) + "</div>\n")
		if len(c.Outputs) > 0 {
			h.add("<div class=\"outputs\">\n")
			for _, o := range c.Outputs {
				if err := h.output(o); err != nil {
					return err
				}
			}
			h.add("</div>\n")
		}
		h.add("</section>\n")
	}
	return nil
}

// count is the label "In [3]:" beside a cell.
func count(name string, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("<div class=\"count\">%s&nbsp;[%d]</div>\n", name, n)
}

func (h *page) output(o *Output) error {
	switch o.Kind {
	case "stream":
		class := "text"
		if o.Name == "stderr" {
			class = "text stderr"
		}
		h.add(`<div class="output ` + class + `"><pre>` + ansiHTML(strings.TrimRight(overwritten(o.Text), "\n")) + "</pre></div>\n")
	case "error":
		traceback := strings.Join(o.Traceback, "\n")
		if traceback == "" {
			traceback = o.ErrorName + ": " + o.Message
		}
		h.add(`<div class="output error"><pre>` + ansiHTML(traceback) + "</pre></div>\n")
	default:
		class, body, err := best(o)
		if err != nil {
			return err
		}
		if _, ok := o.Data[widgetView]; ok && class != "text" { // how its controls stand, above what it shows
			body = "<pre>" + ansiHTML(asText(o.Data["text/plain"])) + "</pre>" + body
		}
		if body == "" {
			return nil
		}
		h.add("<div class=\"row\">\n")
		if o.Kind == "execute_result" {
			h.add(count("Out", o.Count))
		}
		h.add(`<div class="output ` + class + `">` + body + "</div>\n</div>\n")
	}
	return nil
}

// best is the richest form of an output that a page can show, and its class in the style
// sheet.
func best(o *Output) (class, body string, err error) {
	for _, mime := range []string{"text/html", "image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp",
		"text/markdown", "text/latex", "text/plain", "application/json"} {
		value, ok := o.Data[mime]
		if !ok {
			continue
		}
		s := asText(value)
		switch mime {
		case "text/html":
			return "html", s, nil
		case "image/svg+xml":
			return "picture", inlineSVG(s), nil
		case "text/markdown":
			body, err = markdownHTML(s, nil)
			return "markdown", body, err
		case "text/latex":
			return "latex", `<span class="math">` + html.EscapeString(s) + "</span>", nil
		case "text/plain":
			return "text", "<pre>" + ansiHTML(s) + "</pre>", nil
		case "application/json":
			indented, err := json.MarshalIndent(value, "", "  ")
			return "text", "<pre>" + html.EscapeString(string(indented)) + "</pre>", err
		default:
			return "picture", image(o, mime, value), nil
		}
	}
	return "", "", nil
}

// asText is a value of a bundle as text; bytes are text unless they are a picture.
func asText(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	}
	return fmt.Sprint(value)
}

// image is a picture as an element, in the size that its metadata give.
func image(o *Output, mime string, value any) string {
	encoded := asText(value)
	if raw, ok := value.([]byte); ok {
		encoded = base64.StdEncoding.EncodeToString(raw)
	}
	encoded = strings.Join(strings.Fields(encoded), "")
	size := ""
	if metadata, ok := o.Metadata[mime].(map[string]any); ok {
		for _, side := range []string{"width", "height"} {
			switch v := metadata[side].(type) {
			case float64, int:
				size += fmt.Sprintf(` %s="%v"`, side, v)
			}
		}
	}
	return fmt.Sprintf(`<img src="data:%s;base64,%s" alt="%s"%s>`, mime, html.EscapeString(encoded), html.EscapeString(asText(o.Data["text/plain"])), size)
}

// inlineSVG is an SVG document as an element of a page: without what stands before it.
func inlineSVG(s string) string {
	start := regexp.MustCompile(`<svg[\s>]`).FindStringIndex(s)
	if start == nil {
		return html.EscapeString(s)
	}
	return s[start[0]:]
}

// attachments are the pictures kept in a cell, by name, as data URLs.
func (c *Cell) attachments() map[string]string {
	tree, ok := c.tree.get("attachments").(*object)
	if !ok {
		return nil
	}
	urls := map[string]string{}
	for _, m := range tree.members {
		name, _ := text(m.key)
		bundle, _ := m.value.(*object)
		if bundle == nil {
			continue
		}
		for _, format := range bundle.members {
			mime, _ := text(format.key)
			data, ok := lines(format.value)
			if ok && slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"}, mime) {
				if mime == "image/svg+xml" {
					data = base64.StdEncoding.EncodeToString([]byte(data))
				}
				urls[name] = "data:" + mime + ";base64," + strings.Join(strings.Fields(data), "")
			}
		}
	}
	return urls
}
