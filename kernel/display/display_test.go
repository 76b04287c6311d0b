package display

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"image"
	"math"
	"reflect"
	"strings"
	"testing"
)

type record struct {
	shown, updated []Bundle
	ids            []string
	cleared        int
}

func (r *record) Stream(string, string)       {}
func (r *record) Display(b Bundle, id string) { r.shown, r.ids = append(r.shown, b), append(r.ids, id) }
func (r *record) Update(id string, b Bundle) {
	r.updated, r.ids = append(r.updated, b), append(r.ids, id)
}
func (r *record) Clear(bool) { r.cleared++ }
func (r *record) Input(string, bool) (string, error) {
	return "", errors.New("no input")
}

type htmlText struct{}

func (htmlText) HTML() string { return "<b>x</b>" }

type broken struct{}

func (broken) HTML() string { panic("no") }

type bundler struct{}

func (bundler) MimeBundle() map[string]any {
	return map[string]any{"text/plain": "p", "application/x": 1}
}

type fakeMatrix struct{ r, c int }

func (m fakeMatrix) Dims() (int, int)    { return m.r, m.c }
func (m fakeMatrix) At(i, j int) float64 { return float64(i) + float64(j)/10 }

func TestOf(t *testing.T) {
	var nilPointer *htmlText
	cases := []struct {
		name  string
		value any
		text  string
		want  map[string]string // MIME type: what it contains
	}{
		{"number", 3, "", map[string]string{"text/plain": "3"}},
		{"given text", 3, "three", map[string]string{"text/plain": "three"}},
		{"nil", nil, "", map[string]string{"text/plain": "<nil>"}},
		{"nil pointer", nilPointer, "", map[string]string{"text/plain": "<nil>"}},
		{"error", errors.New("bad"), "", map[string]string{"text/plain": "bad"}},
		{"HTML method", htmlText{}, "t", map[string]string{"text/html": "<b>x</b>", "text/plain": "t"}},
		{"panicking method", broken{}, "", map[string]string{"text/plain": "making text/html panicked: no"}},
		{"MimeBundle method", bundler{}, "", map[string]string{"text/plain": "p", "application/x": "1"}},
		{"matrix", fakeMatrix{2, 3}, "", map[string]string{"text/html": "<td style=\"text-align:right;padding:2px 10px\">1.2</td>"}},
		{"large matrix", fakeMatrix{1e6, 300}, "", map[string]string{"text/html": "1000000 rows × 300 columns, the first 20 × 16 shown"}},
		{"structs", []struct {
			Name string
			Size int
		}{{"<script>", 2}}, "", map[string]string{"text/html": "&lt;script&gt;"}},
		{"map", map[string]float64{"b": math.NaN(), "a": 1}, "", map[string]string{"text/html": "NaN"}},
		{"image", image.NewGray(image.Rect(0, 0, 3, 2)), "", map[string]string{"image/png": "PNG", "text/plain": "3×2 pixels"}},
		{"long text", strings.Repeat("é", maxText), "", map[string]string{"text/plain": "bytes more)"}},
	}
	checked := 0
	for _, c := range cases {
		b := Of(c.value, c.text)
		for mime, want := range c.want {
			checked++
			var got string
			switch v := b.Data[mime].(type) {
			case string:
				got = v
			case []byte:
				got = string(v)
			case int:
				got = "1"
			}
			if !strings.Contains(got, want) {
				t.Errorf("%s: %s is %.200q: want it to contain %q", c.name, mime, got, want)
			}
		}
		if _, ok := b.Data["text/plain"].(string); !ok {
			t.Errorf("%s: no text/plain", c.name)
		}
	}
	if checked == 0 {
		t.Fatal("nothing was checked")
	}
}

func TestTableText(t *testing.T) {
	out := &record{}
	n := &Notebook{Output: func() Output { return out }}
	n.Table([]struct {
		Method string
		Error  float64
	}{{"ISSVM", 14.5}, {"SASSO", 0.333333333}})
	got := out.shown[0].Data["text/plain"].(string)
	want := " Method    Error \n─────────────────\n ISSVM      14.5 \n SASSO   0.33333 "
	if got != want {
		t.Errorf("table is\n%s\nwant\n%s", got, want)
	}
}

func TestHandleUpdates(t *testing.T) {
	out := &record{}
	h := (&Notebook{Output: func() Output { return out }}).NewHandle()
	h.Show(1)
	h.Show(2)
	h.HTML("<i>3</i>")
	if len(out.shown) != 1 || len(out.updated) != 2 {
		t.Fatalf("%d displays and %d updates: want 1 and 2", len(out.shown), len(out.updated))
	}
	for _, id := range out.ids {
		if id == "" || id != out.ids[0] {
			t.Errorf("ids %q: want one and the same", out.ids)
		}
	}
}

// TestFunctionsAreMethods holds that every method of Notebook has its function, with the same
// type, and the other way round.
func TestFunctionsAreMethods(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "notebook.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	functions := map[string]bool{}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.IsExported() {
			functions[f.Name.Name] = true
		}
	}
	methods := (&Notebook{}).Symbols()
	if len(methods) == 0 || len(methods) != len(functions) {
		t.Errorf("%d methods, %d functions", len(methods), len(functions))
	}
	for name := range methods {
		if !functions[name] {
			t.Errorf("method %s has no function", name)
		}
	}
	same := map[string]any{"Show": Show, "HTML": HTML, "Markdown": Markdown, "LaTeX": LaTeX, "SVG": SVG, "PNG": PNG,
		"JSON": JSON, "Table": Table, "Clear": Clear, "NewHandle": NewHandle, "Input": Input, "Password": Password}
	for name, f := range same {
		if got, want := methods[name].Type(), reflect.TypeOf(f); got != want {
			t.Errorf("%s: method is %v, function is %v", name, got, want)
		}
	}
}

func TestNotebookShows(t *testing.T) {
	out := &record{}
	n := &Notebook{Output: func() Output { return out }}
	n.HTML("<b>1</b>")
	n.Markdown("*1*")
	n.LaTeX("$1$")
	n.SVG("<svg/>")
	n.PNG([]byte("png"))
	n.JSON(map[string]int{"a": 1})
	n.Clear(true)
	if out.cleared != 1 || len(out.shown) != 6 {
		t.Fatalf("%d clears, %d displays: want 1 and 6", out.cleared, len(out.shown))
	}
	for i, mime := range []string{"text/html", "text/markdown", "text/latex", "image/svg+xml", "image/png", "application/json"} {
		if out.shown[i].Data[mime] == nil || out.shown[i].Data["text/plain"] == nil {
			t.Errorf("display %d: %v lacks %s or text/plain", i, out.shown[i].Data, mime)
		}
	}
}
