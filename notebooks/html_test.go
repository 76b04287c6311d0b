package notebooks

import (
	"bytes"
	"flag"
	"html"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var regen = flag.Bool("regen", false, "rewrite the golden page")

// The body of the page is compared; the style sheet may change freely.
func TestWriteHTMLGolden(t *testing.T) {
	n, _ := read(t, "jupyter.ipynb")
	var b bytes.Buffer
	if err := WriteHTML(&b, n); err != nil {
		t.Fatal(err)
	}
	page := b.String()
	_, body, ok := strings.Cut(page, "<body>\n")
	if !ok {
		t.Fatal("the page has no body")
	}
	file := filepath.Join("testdata", "page_golden.html")
	if *regen {
		if err := os.WriteFile(file, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if body != string(want) {
		t.Errorf("the page is\n%s", body)
	}
	for _, part := range []string{"<title>Größe &amp; Maß: naïve 数</title>", "prefers-color-scheme: dark", "<!DOCTYPE html>"} {
		if !strings.Contains(page, part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	for _, part := range []string{"<script", "http://", "https://", "@import"} {
		if strings.Contains(page, part) {
			t.Errorf("the page has %s: it must stand alone", part)
		}
	}
}

func TestRichestFormIsShown(t *testing.T) {
	forms := []struct{ mime, value, want string }{
		{"text/plain", "a<b", "<pre>a&lt;b</pre>"},
		{"text/latex", "$x$", `<span class="math">$x$</span>`},
		{"text/markdown", "*m*", "<em>m</em>"},
		{"image/png", "AQID\n", `src="data:image/png;base64,AQID"`},
		{"image/svg+xml", "<?xml version=\"1.0\"?>\n<svg width=\"1\"></svg>", `"><svg width="1"></svg>`},
		{"text/html", "<b>h</b>", "<b>h</b>"},
	}
	data := map[string]any{}
	for _, f := range forms { // each is better than those before it
		data[f.mime] = f.value
		n := codeCells("x")
		n.Cells[0].Outputs = []*Output{{Kind: "display_data", Data: data}}
		var b bytes.Buffer
		if err := WriteHTML(&b, n); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), f.want) {
			t.Errorf("with %s the page lacks %s", f.mime, f.want)
		}
	}
}

// A widget is how its controls stand and what it shows.
func TestWidgetIsShown(t *testing.T) {
	n := codeCells("x")
	n.Cells[0].Outputs = []*Output{{Kind: "execute_result", Data: map[string]any{widgetView: map[string]any{"model_id": "1"},
		"text/plain": "IntSlider <size> = 7", "image/svg+xml": "<svg></svg>"}}}
	var b bytes.Buffer
	if err := WriteHTML(&b, n); err != nil {
		t.Fatal(err)
	}
	if want := "<pre>IntSlider &lt;size&gt; = 7</pre><svg>"; !strings.Contains(b.String(), want) {
		t.Errorf("the page lacks %s", want)
	}
}

func TestTitle(t *testing.T) {
	n := &Notebook{Name: "/a/my file.ipynb"}
	if got := n.Title(); got != "my file" {
		t.Errorf("title %q", got)
	}
	n.Cells = []*Cell{{Kind: "code", Source: "# no"}, {Kind: "markdown", Source: "text"}, {Kind: "markdown", Source: "### small\n\n## A *b* `c` &amp; d"}}
	if got := n.Title(); got != "A b c & d" {
		t.Errorf("title %q", got)
	}
	if got := (&Notebook{}).Title(); got != "Notebook" {
		t.Errorf("title %q", got)
	}
}

func TestFormulas(t *testing.T) {
	for source, want := range map[string]string{
		"$\\odd a_1*b*c_2$": `<p><span class="math">\odd a_1*b*c_2</span></p>`,
		"$$\\odd<y$$":       `<p><span class="math display">\odd&lt;y</span></p>`,
		"$x_1$":             `<p><span class="math"><math alttext="x_1"><mrow><msub><mi>x</mi><mn>1</mn></msub></mrow></math></span></p>`,
		"$5 and $6":         "<p>$5 and $6</p>",
		"a $ b $ c":         "<p>a $ b $ c</p>",
		"`$x_1$` and $ *y*": "<p><code>$x_1$</code> and $ <em>y</em></p>",
		"$":                 "<p>$</p>",
		"$$":                "<p>$$</p>",
	} {
		got, err := markdownHTML(source, nil)
		if err != nil || strings.TrimSpace(got) != want {
			t.Errorf("%s gives %s, want %s (%v)", source, got, want, err)
		}
	}
}

func TestANSI(t *testing.T) {
	for source, want := range map[string]string{
		"plain <b>":                       "plain &lt;b&gt;",
		"\x1b[1;31mA\x1b[0mB":             `<span style="color:var(--ansi-1);font-weight:bold">A</span>B`,
		"\x1b[94mA\x1b[39mB":              `<span style="color:var(--ansi-12)">A</span>B`,
		"\x1b[38;5;196mA\x1b[m":           `<span style="color:rgb(255,0,0)">A</span>`,
		"\x1b[48;5;244mA":                 `<span style="background:rgb(128,128,128)">A</span>`,
		"\x1b[38;2;1;2;300mA":             `<span style="color:rgb(1,2,255)">A</span>`,
		"\x1b[38mA\x1b[38;5mB\x1b[9999mC": "ABC",
		"\x1b[2K\x1b]0;title\x07A":        "A",
		"\x1b[":                           "\x1b[",
	} {
		if got := ansiHTML(source); got != want {
			t.Errorf("%q gives %s, want %s", source, got, want)
		}
	}
	if got := withoutANSI("\x1b[31ma\x1b[0m b"); got != "a b" {
		t.Errorf("without colours: %q", got)
	}
}

func TestOverwritten(t *testing.T) {
	for source, want := range map[string]string{
		"10%\r100%\n": "100%\n", "abc\rX\n": "Xbc\n", "a\r\nb": "a\nb", "ab\b\bX": "Xb", "é\r数": "数", "\b\r": "", "no": "no",
	} {
		if got := overwritten(source); got != want {
			t.Errorf("%q gives %q, want %q", source, got, want)
		}
	}
}

// Highlighting adds classes and nothing else: what is shown is the source, whatever it is.
func TestHighlightedKeepsTheText(t *testing.T) {
	want := `<pre class="go"><code><span class="keyword">for</span> i := <span class="keyword">range</span> <span class="number">3</span> { <span class="call">f</span>(<span class="text">&#34;a&lt;b&#34;</span>) } <span class="comment">// c</span></code></pre>`
	if got := highlighted(`for i := range 3 { f("a<b") } // c`); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	tags, checked := regexp.MustCompile("<[^>]*>"), 0
	for _, source := range []string{
		"", "%time f(1)\n!ls 'a", "name?", "x := `raw\n\"\"`\n'", "a\r\n/* b\r\n */ c\r\n`d\r\ne`", "é𝄞 := \"\\xff\xfe\" // ü", "\"open\nx", "/* open", "&& <- ... ;;",
		"\ufeffx", "a\x00b",
	} {
		if got := html.UnescapeString(tags.ReplaceAllString(highlighted(source), "")); got != html.UnescapeString(html.EscapeString(source)) {
			t.Errorf("%q became %q", source, got)
		}
		checked++
	}
	if checked == 0 {
		t.Error("nothing was checked")
	}
}
