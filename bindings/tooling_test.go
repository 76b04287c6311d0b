package bindings_test

import (
	"context"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/bindings"
	"github.com/gonb-svm/gonb-svm/kernel/display"
)

func TestComplete(t *testing.T) {
	n := open(t)
	n.run("größe := 3\nd, _ := svm.Load(\"toy\")\nages := map[string]int{\"Ada\": 36, \"A\\\"b\": 1}\nsquares := map[int]int{12: 144}\ntype pair struct{ M map[string]int }\ndeep := map[string][]pair{\"a\": {{map[string]int{\"inside\": 1}}}}\nfunc makeModel(a int) *svm.Model { return nil }")
	for _, c := range []struct{ code, want, signature string }{
		{"ages[\"A|", "Ada", ""}, {"deep[\"a\"][0].M[\"in|", "inside", ""}, {"dee|", "deep", "map[string][]pair"},
		{"import \"math/ra|", "math/rand", ""}, {"import (\n\t\"fmt\"\n\tx \"gonum.org/v1/pl|", "gonum.org/v1/plot", ""},
		{"x := ages[|", `"Ada"`, ""},
		{"squares[1|", "12", ""},
		{"os.Open(\"session_t|", "session_test.go", ""},
		{"name := \"./to|", "./tooling_test.go", ""},
		{"os.ReadFile(`./too|", "./tooling.go", ""},
		{"dir := \"../bind|", "../bindings/", ""},
		{"makeModel(3).Su|", "SupportSize", "func (m *Model) SupportSize() int"},
		{"svm.ISSVM{|", "Eta", ""},
		{"size := &widgets.IntSlider{M|", "Max", "field Max int // default 0: Min + 100, if Min ≥ 0"},
		{"widgets.Inter|", "Interact", "func Interact(f any, controls ...any) *Interaction"},
		{"a := \"no string\"\nb := svm.Load(\"ban|", "banana", ""},
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
	for _, code := range []string{"deep[\"b\"][0].M[\"", "deep[\"a\"][7].M[\"", "deep[3].M[\"", "deep.M[\"", "größe[3][\"", "nosuch[\"a\"][\""} {
		if got := n.Complete(code, len([]rune(code))); len(got.Matches) != 0 {
			t.Errorf("%s: %v", code, got.Matches)
		}
	}
}

// While a cell runs the same is offered, but for the keys of maps, which the cell may be changing.
func TestCompleteWhileACellRuns(t *testing.T) {
	n := open(t)
	n.run("ages := map[string]int{\"Ada\": 36}")
	ctx, stop := context.WithCancel(context.Background())
	ended, started := make(chan struct{}), &front{display: make(chan struct{})}
	go func() {
		defer close(ended)
		n.Execute(ctx, display.Cell{Count: 9, Source: "display.Show(1)\nfor { ages[\"Ada\"]++ }"}, started)
	}()
	<-started.display
	for _, code := range []string{"svm.FitPa", "strings.Repl", "age", "svm.ISSVM{Ep"} {
		if got := n.Complete(code, len(code)); len(got.Matches) == 0 {
			t.Errorf("%s: nothing is offered", code)
		}
	}
	if got := n.Complete("ages[\"", 6); len(got.Matches) != 0 {
		t.Errorf("a map that may change was read: %v", got)
	}
	stop()
	<-ended
}

func BenchmarkComplete(b *testing.B) {
	s, err := bindings.NewSession(bindings.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer s.Close()
	s.Execute(context.Background(), display.Cell{Count: 1, Source: "d, _ := svm.Load(\"toy\")\nr := svm.Fit(d, svm.SMO{})"}, &front{})
	for _, code := range []string{"svm.", "r.Su", "svm.ISSVM{", "fmt.Pr", "svm.Fit(d, svm.SMO{}).", "http.", "x := mat.New", "svm.Load(\""} {
		b.Run(code, func(b *testing.B) {
			for b.Loop() {
				s.Complete(code, len(code))
			}
		})
	}
}

func TestSource(t *testing.T) {
	n := open(t)
	n.run("// twice doubles.\nfunc twice(x int) int {\n\treturn 2 * x // by two\n}\ntype point struct{ X int }\nfunc (p point) Len() int { return p.X }")
	n.run("y, z := twice(4), 2; w := 3\nconst limit = 5")
	for name, want := range map[string]string{
		"twice": "// twice doubles.\nfunc twice(x int) int {\n\treturn 2 * x // by two\n}", "point": "type point struct{ X int }\n\nfunc (p point) Len() int { return p.X }",
		"y": "y, z := twice(4), 2", "w": "w := 3", "limit": "const limit = 5",
	} {
		b, ok := n.Inspect(name, len(name), 1)
		if !ok || !strings.HasSuffix(text(b), ":\n"+want) {
			t.Errorf("%s: the source is not %q in %q", name, want, text(b))
		}
		if b, _ := n.Inspect(name, len(name), 0); strings.Contains(text(b), "Source, ") {
			t.Errorf("%s: the source was not asked for: %q", name, text(b))
		}
	}
	if b, ok := n.Inspect("strings.Cut", 11, 1); !ok || strings.Contains(text(b), "Source") {
		t.Errorf("a compiled function: %q", text(b))
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
