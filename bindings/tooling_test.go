package bindings_test

import (
	"strings"
	"testing"
)

func TestComplete(t *testing.T) {
	n := open(t)
	n.run("größe := 3\nd, _ := svm.Load(\"toy\")")
	for _, c := range []struct{ code, want, signature string }{
		{"svm.Fit|", "FitPath", "func FitPath(train, test *Dataset, s PathSolver) *Path"},
		{"x := d.Spl|", "Split", "func (d *Dataset) Split(fraction float64, seed uint64) (first, rest *Dataset)"},
		{"svm.Fit(d, svm.SMO{}).Su|", "SupportSize", "func (m *Model) SupportSize() int"},
		{"svm.SM|", "SMO", "type SMO struct"},
		{"rand.Int|", "Intn", "func Intn(n int) int"},
		{"grö|", "größe", ""},
		{"gröx := 1; svm.Load(\"mni|", "mnist38", ""},
		{"svm.Help(\"smo|", "SMO", ""},
		{"svm.LoadFile(\"session_t|", "session_test.go", ""},
		{"svm.Fit(d, svm.SMO{Kernel: svm.RBF{Gamma: 1}, Eps|", "Epsilon", "field Epsilon float64 // stop when the maximal violation is below, > 0; 0: 1e-3"},
		{"strings.Repl|", "ReplaceAll", "func ReplaceAll(s, old, new string) string"},
	} {
		before, after, _ := strings.Cut(c.code, "|")
		cursor := len([]rune(before))
		got := n.Complete(before+after, cursor)
		found := false
		for _, m := range got.Matches {
			if m.Text == c.want {
				found = true
				if c.signature != "" && m.Signature != c.signature {
					t.Errorf("%s: %s has the signature %q", c.code, m.Text, m.Signature)
				}
			}
		}
		if !found || got.End != cursor || got.Start > cursor {
			t.Errorf("%s: %d to %d, %v", c.code, got.Start, got.End, got.Matches)
		}
	}
}

func TestInspect(t *testing.T) {
	n := open(t)
	n.run("größe := 3\nd, _ := svm.Load(\"toy\")")
	for _, c := range []struct{ code, want string }{
		{"svm.F|it(d, nil)", "train *Dataset, s Solver"},
		{"svm.SM|O{}", "½‖w‖²"},
		{"sv|m", "Package svm"},
		{"strings.Cu|t", "before, after string"},
		{"mat.De|nse{}", "matrix"},
		{"grö|ße", "3"},
		{"d.Spl|it(0.5, 1)", "keeping the share of each label"},
		{"svm.SMO{Eps|ilon: 1}", "maximal violation"},
	} {
		before, after, _ := strings.Cut(c.code, "|")
		b, ok := n.Inspect(before+after, len([]rune(before)), 0)
		if !ok || !strings.Contains(text(b), c.want) {
			t.Errorf("%s: %v %q", c.code, ok, text(b))
		}
	}
	for _, code := range []string{"", "  ", "noSuchThing"} {
		if b, ok := n.Inspect(code, len(code), 0); ok {
			t.Errorf("%q is described as %q", code, text(b))
		}
	}
	names := ""
	for _, v := range n.Variables() {
		names += v.Name + " " + v.Type + ";"
	}
	if !strings.Contains(names, "größe int;") {
		t.Errorf("the variables are %s", names)
	}
}

func TestCompleteness(t *testing.T) {
	n := open(t)
	for code, want := range map[string]string{"x := 1": "complete", "for i := 0; i < 3; i++ {": "incomplete", "svm.Fit(": "incomplete", "x := )": "invalid"} {
		if got, _ := n.Completeness(code); got != want {
			t.Errorf("%q is %s, want %s", code, got, want)
		}
	}
}
