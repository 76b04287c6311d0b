package notebooks

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
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
