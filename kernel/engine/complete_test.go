package engine

import (
	"slices"
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	s := newSession(t)
	s.must("// T is a thing.\ntype T struct{ Alpha int; beta string }\nfunc (t *T) Method(n int) bool { return n > 0 }\nthing := T{}\nfunc makeThing(a int, b string) *T { return nil }\nconst Limit = 5")
	for _, c := range []struct{ source, want, kind, signature string }{
		{"strings.Rep", "Repeat", "function", "func Repeat(s string, count int) string"},
		{"x := strings.Repl", "Replace", "function", ""},
		{"thing.Al", "Alpha", "field", "int"},
		{"thing.be", "beta", "field", "string"},
		{"thing.", "Method", "method", "func Method(n int) bool"},
		{"makeThing(1, \"a\").Me", "Method", "method", ""},
		{"T{Al", "Alpha", "field", "int"},
		{"x := &T{Alpha: 1, be", "beta", "field", "string"},
		{"thi", "thing", "variable", "main.T"},
		{"Lim", "Limit", "constant", "untyped int = 5"},
		{"fm", "fmt", "package", "fmt"},
		{"fall", "fallthrough", "keyword", ""},
		{"http.Server{Ha", "Handler", "field", "http.Handler"},
		{"time.Now().Ye", "Year", "method", "func Year() int"},
		{"len(stri", "strings", "package", "strings"},
		{"appe", "append", "function", ""},
	} {
		matches, start, end := s.e.Complete(c.source, len(c.source))
		i := slices.IndexFunc(matches, func(m Match) bool { return m.Text == c.want })
		if i < 0 {
			t.Errorf("%q: %q is missing among %d", c.source, c.want, len(matches))
			continue
		}
		m := matches[i]
		if m.Kind != c.kind || c.signature != "" && m.Signature != c.signature || end != len(c.source) || !strings.HasPrefix(c.want, c.source[start:end]) {
			t.Errorf("%q: %+v [%d:%d]", c.source, m, start, end)
		}
	}
	if m, _, _ := s.e.Complete("nothing.here", 12); len(m) != 0 {
		t.Error(m)
	}
}

func TestInspect(t *testing.T) {
	s := newSession(t)
	s.must("// T is a thing.\n// It has a line more.\ntype T struct{ A int }\nx := 42\nfunc f(a int) string { return \"\" }")
	for _, c := range []struct {
		source string
		want   Description
	}{
		{"x", Description{Name: "x", Kind: "variable", Signature: "int", Value: "42"}},
		{"f(", Description{Name: "f", Kind: "function", Signature: "func f(a int) string"}},
		{"T", Description{Name: "T", Kind: "type", Signature: "type T struct{A int}", Doc: "T is a thing.\nIt has a line more."}},
		{"strings", Description{Name: "strings", Kind: "package", Signature: "strings"}},
		{"math.Pi", Description{Name: "Pi", Kind: "constant", Signature: "untyped float = 3.14159"}},
	} {
		got, ok := s.e.Inspect(c.source, len(c.source))
		if !ok || got != c.want {
			t.Errorf("%q: %+v %v, want %+v", c.source, got, ok, c.want)
		}
	}
	if d, ok := s.e.Inspect("nothing", 3); ok {
		t.Error(d)
	}
}

func TestCompleteness(t *testing.T) {
	e := newEngine(t)
	for source, want := range map[string]State{
		"x := 1": Complete, "": Complete, "func f() {": Incomplete, "x := `abc": Incomplete, "fmt.Println(": Incomplete,
		"x +": Incomplete, "if x {\n\tfor {": Incomplete, "x := )": Invalid, "/* comment": Incomplete, "1 = = 2": Invalid,
		"x++": Complete, "func f() {}": Complete, "type T struct {": Incomplete, "a.": Incomplete,
	} {
		if got, _ := e.Completeness(source); got != want {
			t.Errorf("%q is %v, want %v", source, got, want)
		}
	}
	if _, indent := e.Completeness("if x {\n\tfor {"); indent != "\t\t" {
		t.Errorf("indent %q", indent)
	}
}
