package split

import (
	"strings"
	"testing"
)

func TestCell(t *testing.T) {
	for source, want := range map[string][]string{
		"a := 1\nb := 2; c()":                                     {"a := 1", "b := 2", "c()"},
		"import \"fmt\"\nfunc f() {\n}\nf()":                      {"import \"fmt\"", "func f() {\n}", "f()"},
		"if f := func() int { return 1 }; f() > 0 {\n}\nx":        {"if f := func() int { return 1 }; f() > 0 {\n}", "x"},
		"switch m := map[string]int{}[\"\"]; {\ncase m > 1:\n}\n": {"switch m := map[string]int{}[\"\"]; {\ncase m > 1:\n}"},
		"for i := 0; i < 3; i++ {\n}; y":                          {"for i := 0; i < 3; i++ {\n}", "y"},
		"for _, v := range []int{1} {\n}\nz":                      {"for _, v := range []int{1} {\n}", "z"},
		"if a {\n} else if b := (T{}); b.x {\n}\nz":               {"if a {\n} else if b := (T{}); b.x {\n}", "z"},
		"x := `a\n;b`\ny":                                         {"x := `a\n;b`", "y"},
		"f(\n1,\n2)\n// end":                                      {"f(\n1,\n2)"},
		"func() { f() }()\nfunc (t T) M() {}":                     {"func() { f() }()", "func (t T) M() {}"},
	} {
		var got []string
		for _, p := range Cell(source) {
			got = append(got, strings.TrimSpace(source[p.Start:p.End]))
		}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("%q: %q, want %q", source, got, want)
		}
	}
}

// FuzzCell holds that parts lie in the cell one after the other, that nothing but blanks, comments
// and semicolons is between them, and that cutting a part again changes nothing.
func FuzzCell(f *testing.F) {
	for _, s := range []string{"a := 1\nb := 2; c()", "if f := func() {}; true {\n}\nx", "func (t T) M() {}\nfunc() {}()", "x := `\n`\n/* c */ y // z", "switch {\ncase a: b}\n}", "for ;; {", "((", "\"\n\x00é"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, source string) {
		end := 0
		for _, p := range Cell(source) {
			if p.Start < end || p.End < p.Start || p.End > len(source) {
				t.Fatalf("part %+v of %q after %d", p, source, end)
			}
			between(t, source, end, p.Start)
			end = p.End
			if text := source[p.Start:p.End]; isStatement(text) {
				if again := Cell(text); len(again) != 1 {
					t.Errorf("%q is cut again into %d", text, len(again))
				}
			}
		}
		between(t, source, end, len(source))
		Completeness(source)
	})
}

func between(t *testing.T, source string, from, to int) {
	if l := Cell(source[from:to]); len(l) > 0 && strings.Trim(source[from:to], "\ufeff\r") != "" {
		t.Errorf("%q lies between the parts of %q", source[from:to], source)
	}
}
