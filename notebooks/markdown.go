package notebooks

import (
	"bytes"
	"fmt"
	"html"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	rendering "github.com/yuin/goldmark/renderer/html"
	reading "github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// markdownHTML is Markdown, as notebooks have it, as HTML: with tables, formulas between $
// signs kept as they are, raw HTML, and pictures attached to the cell.
func markdownHTML(source string, attachments map[string]string) (string, error) {
	m := goldmark.New(
		goldmark.WithExtensions(extension.GFM),
		goldmark.WithParserOptions(
			parser.WithAutoHeadingID(),
			parser.WithInlineParsers(util.Prioritized(formulas{}, 150)),
			parser.WithASTTransformers(util.Prioritized(attached(attachments), 100))),
		goldmark.WithRendererOptions(
			rendering.WithUnsafe(),
			renderer.WithNodeRenderers(util.Prioritized(elements{}, 100))))
	var b bytes.Buffer
	headings := parser.NewContext(parser.WithIDs(&headingIDs{used: map[string]bool{}}))
	if err := m.Convert([]byte(source), &b, parser.WithContext(headings)); err != nil {
		return "", err
	}
	return b.String(), nil
}

// headingIDs makes the ids that Jupyter gives to headings, so that links between them work:
// the text with hyphens for blanks.
type headingIDs struct{ used map[string]bool }

// Generate is parser.IDs.
func (h *headingIDs) Generate(value []byte, _ ast.NodeKind) []byte {
	id := strings.Join(strings.Fields(string(value)), "-")
	if id == "" {
		id = "heading"
	}
	unique := id
	for i := 1; h.used[unique]; i++ {
		unique = fmt.Sprintf("%s-%d", id, i)
	}
	h.used[unique] = true
	return []byte(unique)
}

// Put is parser.IDs.
func (h *headingIDs) Put(value []byte) { h.used[string(value)] = true }

// firstHeading is the text of the first heading of level 1 or 2, "" if there is none.
func firstHeading(source string) string {
	document := goldmark.New().Parser().Parse(reading.NewReader([]byte(source)))
	for node := document.FirstChild(); node != nil; node = node.NextSibling() {
		if h, ok := node.(*ast.Heading); ok && h.Level <= 2 {
			return strings.TrimSpace(plain(h, []byte(source)))
		}
	}
	return ""
}

// plain is the text within a node.
func plain(node ast.Node, source []byte) string {
	var b strings.Builder
	for child := node.FirstChild(); child != nil; child = child.NextSibling() {
		switch child := child.(type) {
		case *ast.Text:
			b.Write(child.Segment.Value(source))
			if child.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(child.Value)
		default:
			b.WriteString(plain(child, source))
		}
	}
	return html.UnescapeString(b.String())
}

// formula is a formula between $ or $$ signs.
type formula struct {
	ast.BaseInline
	text    string
	display bool
}

var kindFormula = ast.NewNodeKind("Formula")

// Kind is ast.Node.
func (*formula) Kind() ast.NodeKind { return kindFormula }

// Dump is ast.Node.
func (f *formula) Dump(source []byte, level int) { ast.DumpHelper(f, source, level, nil, nil) }

// formulas finds formulas, so that their _ and * are not taken for emphasis. As in Jupyter,
// a $ before a blank begins no formula, and one before a digit ends none: "$5 and $6".
type formulas struct{}

// Trigger is parser.InlineParser.
func (formulas) Trigger() []byte { return []byte{'$'} }

// Parse is parser.InlineParser.
func (formulas) Parse(_ ast.Node, block reading.Reader, _ parser.Context) ast.Node {
	line, _ := block.PeekLine()
	sign := "$"
	if bytes.HasPrefix(line, []byte("$$")) {
		sign = "$$"
	}
	rest := line[len(sign):]
	end := bytes.Index(rest, []byte(sign))
	if end <= 0 {
		return nil
	}
	inside, after := rest[:end], rest[end+len(sign):]
	if sign == "$" && (inside[0] == ' ' || inside[end-1] == ' ' || len(after) > 0 && after[0] >= '0' && after[0] <= '9') {
		return nil
	}
	block.Advance(end + 2*len(sign))
	return &formula{text: string(inside), display: sign == "$$"}
}

// attached puts the pictures attached to a cell in the place of their names.
type attached map[string]string

// Transform is parser.ASTTransformer.
func (a attached) Transform(document *ast.Document, _ reading.Reader, _ parser.Context) {
	// The walker returns no error, so there is none to handle.
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if picture, ok := node.(*ast.Image); ok && entering {
			if name, ok := strings.CutPrefix(string(picture.Destination), "attachment:"); ok && a[name] != "" {
				picture.Destination = []byte(a[name])
			}
		}
		return ast.WalkContinue, nil
	})
}

// elements renders formulas and blocks of code.
type elements struct{}

// RegisterFuncs is renderer.NodeRenderer.
func (elements) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindFormula, func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if f := node.(*formula); entering {
			class := "math"
			if f.display {
				class = "math display"
			}
			text, ok := mathML(f.text, f.display)
			if !ok {
				text = html.EscapeString(f.text)
			}
			// Writing to the renderer's buffer cannot fail before it is flushed.
			_, _ = w.WriteString(`<span class="` + class + `">` + text + "</span>")
		}
		return ast.WalkContinue, nil
	})
	r.Register(ast.KindFencedCodeBlock, func(w util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		block := node.(*ast.FencedCodeBlock)
		code := string(block.Lines().Value(source))
		code = strings.TrimRight(code, "\n")
		body := "<pre><code>" + html.EscapeString(code) + "</code></pre>"
		if string(block.Language(source)) == "go" {
			body = highlighted(code)
		}
		_, err := w.WriteString(body + "\n")
		return ast.WalkSkipChildren, err
	})
}
