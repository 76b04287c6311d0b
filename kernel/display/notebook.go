package display

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"strings"

	"github.com/google/uuid"
)

// Notebook shows things in the cell that is running. Its methods are what cells call as
// display.HTML, display.Markdown and so on. The zero Notebook prints to the terminal.
type Notebook struct {
	Output func() Output      // of the running cell; nil: the terminal
	Of     func(v any) Bundle // how a value is shown; nil: Of
}

// Handle is one display that can be changed after it was shown. Its first Show displays, each
// later one replaces what stands there.
type Handle struct {
	notebook *Notebook
	id       string
	shown    bool
}

func (n *Notebook) output() Output {
	if n.Output != nil {
		if out := n.Output(); out != nil {
			return out
		}
	}
	return terminal{}
}

// Show displays any value, as the last expression of a cell would be.
func (n *Notebook) Show(v any) { n.output().Display(n.of(v), "") }

func (n *Notebook) of(v any) Bundle {
	if n.Of != nil {
		return n.Of(v)
	}
	return Of(v, "")
}

// HTML displays a fragment of HTML.
func (n *Notebook) HTML(s string) { n.show("text/html", s) }

// Markdown displays Markdown text.
func (n *Notebook) Markdown(s string) { n.show("text/markdown", s) }

// LaTeX displays LaTeX, given with its $ signs.
func (n *Notebook) LaTeX(s string) { n.show("text/latex", s) }

// SVG displays an SVG document.
func (n *Notebook) SVG(s string) { n.show("image/svg+xml", s) }

// PNG displays a PNG image.
func (n *Notebook) PNG(image []byte) {
	n.output().Display(Bundle{Data: map[string]any{"image/png": image,
		"text/plain": fmt.Sprintf("PNG image of %d bytes", len(image))}}, "")
}

// JSON displays a value as a tree that can be folded. It panics with encoding/json's error if
// v cannot be encoded.
func (n *Notebook) JSON(v any) {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err)
	}
	n.output().Display(Bundle{Data: map[string]any{"application/json": json.RawMessage(text),
		"text/plain": cut(string(text), maxText)}}, "")
}

// Table displays a matrix, a map, or a slice of structs or of slices as a table, cut to 20
// rows and 16 columns. What is no table is shown as Show does.
func (n *Notebook) Table(v any) {
	g, ok := tableOf(v)
	if !ok {
		n.Show(v)
		return
	}
	n.output().Display(Bundle{Data: map[string]any{"text/html": g.HTML(), "text/plain": g.Text()}}, "")
}

// Clear removes what the cell has shown so far; with wait only once something new comes,
// which avoids flicker.
func (n *Notebook) Clear(wait bool) { n.output().Clear(wait) }

// Input asks the user of the notebook for a line, in a field below the cell, and gives it
// without its end. It panics if nobody can answer, as where a notebook runs by itself.
func (n *Notebook) Input(prompt string) string { return n.ask(prompt, false) }

// Password is Input with a field that does not show what is typed.
func (n *Notebook) Password(prompt string) string { return n.ask(prompt, true) }

func (n *Notebook) ask(prompt string, password bool) string {
	line, err := n.output().Input(prompt, password)
	if err != nil {
		panic(err)
	}
	return strings.TrimRight(line, "\r\n")
}

// NewHandle is a display that can be changed later.
func (n *Notebook) NewHandle() *Handle { return &Handle{notebook: n, id: uuid.NewString()} }

func (n *Notebook) show(mime, s string) {
	n.output().Display(Bundle{Data: map[string]any{mime: s, "text/plain": cut(s, maxText)}}, "")
}

// Show displays v here: at first where the cell is, later in place of what h showed before.
func (h *Handle) Show(v any) {
	b := h.notebook.of(v)
	if h.shown {
		h.notebook.output().Update(h.id, b)
		return
	}
	h.shown = true
	h.notebook.output().Display(b, h.id)
}

// Update shows v in place of what h showed before, as Show does.
func (h *Handle) Update(v any) { h.Show(v) }

// HTML shows a fragment of HTML as Show does.
func (h *Handle) HTML(s string) {
	h.Show(Bundle{Data: map[string]any{"text/html": s, "text/plain": cut(s, maxText)}})
}

// Symbols are the methods of n by their names: what stands behind display.HTML and the other
// functions in the cells of this notebook.
func (n *Notebook) Symbols() map[string]reflect.Value {
	symbols := map[string]reflect.Value{}
	v := reflect.ValueOf(n)
	for i := range v.NumMethod() {
		if name := v.Type().Method(i).Name; name != "Symbols" {
			symbols[name] = v.Method(i)
		}
	}
	return symbols
}

// terminal prints what is displayed where there is no notebook.
type terminal struct{}

func (terminal) Stream(name, text string) {
	if name == "stderr" {
		fmt.Fprint(os.Stderr, text)
		return
	}
	fmt.Print(text)
}
func (terminal) Display(b Bundle, _ string) { fmt.Println(b.Data["text/plain"]) }
func (terminal) Update(_ string, b Bundle)  { fmt.Println(b.Data["text/plain"]) }
func (terminal) Clear(bool)                 {}
func (terminal) Input(string, bool) (string, error) {
	return "", fmt.Errorf("nobody to ask: input needs a notebook")
}

// The functions below are what a program outside a notebook gets; in a cell the same names
// stand for the methods of the cell's Notebook.

// Show displays any value, as the last expression of a cell would be.
func Show(v any) { (&Notebook{}).Show(v) }

// HTML displays a fragment of HTML.
func HTML(s string) { (&Notebook{}).HTML(s) }

// Markdown displays Markdown text.
func Markdown(s string) { (&Notebook{}).Markdown(s) }

// LaTeX displays LaTeX, given with its $ signs.
func LaTeX(s string) { (&Notebook{}).LaTeX(s) }

// SVG displays an SVG document.
func SVG(s string) { (&Notebook{}).SVG(s) }

// PNG displays a PNG image.
func PNG(image []byte) { (&Notebook{}).PNG(image) }

// JSON displays a value as a tree that can be folded.
func JSON(v any) { (&Notebook{}).JSON(v) }

// Table displays a matrix, a map, or a slice of structs or of slices as a table.
func Table(v any) { (&Notebook{}).Table(v) }

// Clear removes what the cell has shown so far; with wait only once something new comes.
func Clear(wait bool) { (&Notebook{}).Clear(wait) }

// NewHandle is a display that can be changed later.
func NewHandle() *Handle { return (&Notebook{}).NewHandle() }

// Input asks the user of the notebook for a line and gives it without its end.
func Input(prompt string) string { return (&Notebook{}).Input(prompt) }

// Password is Input with a field that does not show what is typed.
func Password(prompt string) string { return (&Notebook{}).Password(prompt) }
