package bindings_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/bindings"
	"github.com/gonb-svm/gonb-svm/bindings/svm"
	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// front is a front end that keeps what a cell shows.
type front struct {
	mu       sync.Mutex
	out, err strings.Builder
	shown    []display.Bundle
	at       map[string]int
	cleared  int
	answers  []string
	display  chan struct{} // closed at the first display, if not nil
}

func (f *front) Stream(name, text string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if name == "stderr" {
		f.err.WriteString(text)
	} else {
		f.out.WriteString(text)
	}
}

func (f *front) Display(b display.Bundle, id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.at == nil {
		f.at = map[string]int{}
	}
	f.at[id] = len(f.shown)
	f.shown = append(f.shown, b)
	if f.display != nil && len(f.shown) == 1 {
		close(f.display)
	}
}

func (f *front) Update(id string, b display.Bundle) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.shown[f.at[id]] = b
}

func (f *front) Clear(bool) { f.cleared++ }

func (f *front) Input(string, bool) (string, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if len(f.answers) == 0 {
		return "", errors.New("nobody answers")
	}
	answer := f.answers[0]
	f.answers = f.answers[1:]
	return answer, nil
}

// notebook executes one cell after the other.
type notebook struct {
	*bindings.Session
	t     *testing.T
	count int
}

func open(t *testing.T) *notebook {
	t.Helper()
	s, err := bindings.NewSession(bindings.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return &notebook{Session: s, t: t}
}

func (n *notebook) try(source string) (display.Outcome, *front) {
	n.count++
	f := &front{}
	return n.Execute(context.Background(), display.Cell{Count: n.count, Source: source}, f), f
}

// run executes a cell that must succeed.
func (n *notebook) run(source string) (display.Bundle, *front) {
	n.t.Helper()
	outcome, f := n.try(source)
	if outcome.Failure != nil {
		n.t.Fatalf("%s\n%s", source, strings.Join(outcome.Failure.Traceback, "\n"))
	}
	if outcome.Result == nil {
		return display.Bundle{}, f
	}
	return *outcome.Result, f
}

func text(b display.Bundle) string { s, _ := b.Data["text/plain"].(string); return s }

// The lines that a user is promised, on real digits that are inside the binary.
func TestContract(t *testing.T) {
	n := open(t)
	n.run(`train, test := svm.Load("mnist38")
train, _ = train.Split(0.25, 1)`)
	n.run(`ref := svm.Fit(train, svm.SMO{Kernel: svm.RBF{Gamma: 0.02}, C: 10})`)
	n.run(`issvm := svm.FitPath(train, test, svm.ISSVM{Reference: ref.Model, Aggressive: true})`)
	n.run(`basic := svm.FitPath(train, test, svm.ISSVM{Reference: ref.Model})`)

	b, _ := n.run(`svm.PlotTradeoff(issvm, basic)`)
	svg, _ := b.Data["image/svg+xml"].(string)
	png, _ := b.Data["image/png"].([]byte)
	if !strings.HasPrefix(svg, "<svg") || !strings.HasPrefix(string(png), "\x89PNG") || !strings.HasPrefix(text(b), "plot: ") {
		t.Errorf("the plot is shown as %.40q, %.8q, %q", svg, png, text(b))
	}
	if b, _ = n.run(`issvm.Best()`); !strings.Contains(text(b), "support") {
		t.Errorf("Best is shown as %q", text(b))
	}
	v, ok := n.Lookup("ref")
	ref, isResult := v.(*svm.Result)
	if !ok || !isResult {
		t.Fatalf("ref is a %T", v)
	}
	_, held := svm.Load("mnist38")
	if ref.Status != svm.Converged || ref.SupportSize() == 0 || ref.ErrorRate(held) > 0.05 {
		t.Errorf("the reference: %v, %d support vectors, error %g", ref.Status, ref.SupportSize(), ref.ErrorRate(held))
	}
	b, _ = n.run(`ref`)
	if html, _ := b.Data["text/html"].(string); !strings.Contains(html, "<table") || !strings.Contains(text(b), "support vectors of") {
		t.Errorf("a result is shown as %q, %.100q", text(b), html)
	}
	for expression, want := range map[string]string{
		"train.Len()": fmt.Sprint(ref.Rows), "train.Dim": "784", "ref.SupportSize()": fmt.Sprint(ref.SupportSize()),
		"ref.Status": "Converged", "ref.ErrorRate(test) < 0.05": "true", "len(issvm.Points) > 3": "true",
		"issvm.Points[0].SupportSize <= issvm.Points[1].SupportSize": "true", "ref.Norm() > 0": "true",
		"ref.Objective < 0 && ref.Gap < 1e-3 && ref.Iterations > 0 && ref.KernelEvaluations > 0": "true", "ref.Bias == ref.Model.Bias": "true",
	} {
		if b, _ := n.run(expression); text(b) != want {
			t.Errorf("%s is %q, want %q", expression, text(b), want)
		}
	}
}

func TestModelFiles(t *testing.T) {
	n := open(t)
	file := filepath.Join(t.TempDir(), "toy.model")
	n.run(`train, test := svm.Load("toy")
r := svm.Fit(train, svm.SMO{Kernel: svm.KernelFunc(func(x, z svm.Vector) float64 { return svm.RBF{Gamma: 2}.Eval(x, z) })})
s := svm.Fit(train, svm.SMO{Kernel: svm.RBF{Gamma: 2}})`)
	if b, _ := n.run(`r.SupportSize() == s.SupportSize() && math.Abs(r.Bias-s.Bias) < 1e-3`); text(b) != "true" {
		t.Error("a kernel written in a cell gives another model")
	}
	n.run(fmt.Sprintf("svm.SaveModel(%q, s.Model)\nm := svm.LoadModel(%q)", file, file))
	if b, _ := n.run(`m.ErrorRate(test) == s.ErrorRate(test)`); text(b) != "true" {
		t.Error("the model that was read differs")
	}
}

func TestDisplays(t *testing.T) {
	n := open(t)
	_, f := n.run(`fmt.Println("printed")
display.HTML("<b>bold</b>")
display.Markdown("*m*")
display.Table([]float64{1, 2})
display.Clear(false)
fmt.Fprintln(os.Stderr, "wrong")`)
	if f.out.String() != "printed\n" || f.err.String() != "wrong\n" || len(f.shown) != 3 || f.cleared != 1 {
		t.Errorf("got %q, %q, %d displays, %d cleared", f.out.String(), f.err.String(), len(f.shown), f.cleared)
	}
	if f.shown[0].Data["text/html"] != "<b>bold</b>" || f.shown[1].Data["text/markdown"] != "*m*" {
		t.Errorf("got %v", f.shown)
	}
	_, f = n.run(`p := plot.New()
p.Title.Text = "Mine"
display.Show(p)`)
	if len(f.shown) != 1 || text(f.shown[0]) != "plot: Mine" {
		t.Errorf("got %v", f.shown)
	}
	if b, _ := n.run("mat.NewDense(2, 2, []float64{1, 2, 3, 4})"); !strings.Contains(b.Data["text/html"].(string), "<td") {
		t.Errorf("a matrix is shown as %v", b)
	}
	_, f = n.run("svm.Help(\"SMO\")")
	if !strings.Contains(f.out.String(), "½‖w‖²") {
		t.Errorf("help prints %q", f.out.String())
	}
	if outcome := n.Execute(context.Background(), display.Cell{Count: 9, Source: "1", Silent: true}, f); outcome.Result != nil {
		t.Error("a silent cell has a result")
	}
}

func TestInput(t *testing.T) {
	n := open(t)
	f := &front{answers: []string{"7 Ada"}}
	outcome := n.Execute(context.Background(), display.Cell{Count: 1, Source: "var i int\nvar s string\nfmt.Scanln(&i, &s)\nfmt.Sprint(i+1, s)"}, f)
	if outcome.Failure != nil || text(*outcome.Result) != "8Ada" {
		t.Errorf("got %+v", outcome)
	}
}

var colour = regexp.MustCompile("\x1b\\[[0-9;]*m")

func TestFailures(t *testing.T) {
	n := open(t)
	bad := filepath.Join(t.TempDir(), "bad.libsvm")
	if err := os.WriteFile(bad, []byte("+1 1:1\n-1 3:1 2:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	n.run("d := svm.FromDense([][]float64{{0}, {1}}, []float64{-1, 1})")
	for _, c := range []struct{ source, name, message, trace string }{
		{"svm.Fit(d, svm.SMO{C: -1})", "ParamError", "SMO.C = -1: want > 0 (0: default 1)", "^"},
		{fmt.Sprintf("svm.LoadFile(%q)", bad), "ParseError", "bad.libsvm:2:", "svm.LoadFile("},
		{`svm.Load("mnist83")`, "NameError", `did you mean "mnist38"?`, `svm.Load("mnist83")`},
		{"svm.Fit(d, nil)", "Error", "the solver is nil", ""},
		{"\nsvm.Fit(d, svm.SMO{Gamma: 0.5})", "CompileError",
			"unknown field Gamma in svm.SMO; Gamma belongs to the kernel: svm.SMO{Kernel: svm.RBF{Gamma: 0.5}}", "line 2:20"},
		{"svm.SMO{Workers: 2}", "CompileError", "svm.SMO{Settings: svm.Settings{Workers: 2}}", "Hint: "},
		{"svm.SMO{Epsylon: 2}", "CompileError", "did you mean Epsilon?", ""},
		{"svm.Fitt(d, svm.SMO{})", "CompileError", "did you mean svm.Fit?", "svm.Fitt(d"},
		{"d.Length()", "CompileError", "no field or method Length", ""},
		{"trein", "CompileError", "undefined: trein", ""},
		{"dd.Len()", "CompileError", "did you mean d?", ""},
		{"x := 1\nx := 2", "CompileError", "no new variables", "line 2:3"},
		{"if {", "CompileError", "", "if {"},
		{`é := []int{1}; é[d.Len()+3]`, "Panic", "index out of range", ""},
		{`panic("mine")`, "Panic", "mine", "line 1:"},
		{`panic(fmt.Errorf("mine %d", 3))`, "Error", "mine 3", ""},
		{`os.Open("/no/such/file")`, "PathError", "no such file", ""},
		{`strconv.Atoi("x")`, "NumError", "invalid syntax", ""},
		{"os.Exit(3)", "Exit", "exit code 3", ""},
	} {
		outcome, _ := n.try(c.source)
		f := outcome.Failure
		if f == nil {
			t.Errorf("%q succeeded", c.source)
			continue
		}
		trace := strings.Join(f.Traceback, "\n")
		if f.Name != c.name || !strings.Contains(f.Message, c.message) || !strings.Contains(colour.ReplaceAllString(trace, ""), c.trace) {
			t.Errorf("%q\ngave %s: %s\n%s", c.source, f.Name, f.Message, trace)
		}
		if strings.Contains(trace, "goroutine") || strings.Contains(trace, ".go:") {
			t.Errorf("%q shows a Go stack:\n%s", c.source, trace)
		}
	}
	if b, _ := n.run("d.Len()"); text(b) != "2" {
		t.Errorf("after the failures d.Len() is %q", text(b))
	}
}

// An error in a function of an earlier cell says which, or shows the line of that cell.
func TestFailureInEarlierCell(t *testing.T) {
	n := open(t)
	n.run("func third(x []int) int {\n\treturn x[2]\n}")
	outcome, _ := n.try("third([]int{1})")
	f := outcome.Failure
	if f == nil {
		t.Fatal("it succeeded")
	}
	if trace := strings.Join(f.Traceback, "\n"); !strings.Contains(trace, "return x[2]") && !strings.Contains(trace, "In[1]") {
		t.Errorf("got %+v", f)
	}
}

// An interrupted fit gives the model it has, and the session goes on.
func TestInterrupt(t *testing.T) {
	n := open(t)
	n.run(`kept := 1
random := rand.New(rand.NewSource(1))
x, y := [][]float64{}, []float64{}
for i := 0; i < 40000; i++ {
	x = append(x, []float64{random.Float64(), random.Float64(), random.Float64()})
	y = append(y, float64(1-2*(i%2)))
}
d := svm.FromDense(x, y)`)
	ctx, cancel := context.WithCancel(context.Background())
	f := &front{display: make(chan struct{})}
	var pressed time.Time
	go func() {
		<-f.display
		pressed = time.Now()
		cancel()
	}()
	outcome := n.Execute(ctx, display.Cell{Count: 2, Source: `kept = 2
r := svm.Fit(d, svm.SMO{Kernel: svm.RBF{Gamma: 5}, C: 1e4})
svm.Fit(d, svm.SMO{})
kept = 3`}, f)
	t.Logf("interrupted after %v", time.Since(pressed))
	failure := outcome.Failure
	if failure == nil || failure.Name != "Interrupted" || len(failure.Traceback) != 1 {
		t.Fatalf("got %+v", failure)
	}
	if !strings.HasSuffix(text(f.shown[0]), "interrupted") {
		t.Errorf("the bar says %q", text(f.shown[0]))
	}
	n.count = 2
	if b, _ := n.run("kept"); text(b) != "2" {
		t.Errorf("kept is %q", text(b))
	}
	v, _ := n.Lookup("r")
	if r, ok := v.(*svm.Result); !ok || r == nil || r.Status != svm.Canceled || r.Iterations == 0 {
		t.Errorf("r is %v", v)
	}
}

func TestTimeLimit(t *testing.T) {
	n := open(t)
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	outcome := n.Execute(ctx, display.Cell{Count: 1, Source: "for {}"}, &front{})
	if outcome.Failure == nil || outcome.Failure.Name != "Interrupted" || !strings.Contains(outcome.Failure.Message, "time limit") {
		t.Errorf("got %+v", outcome.Failure)
	}
}

func TestDir(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(here)
	folder := t.TempDir()
	s, err := bindings.NewSession(bindings.Options{Dir: folder, Args: []string{"script", "7"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	outcome := s.Execute(context.Background(), display.Cell{Count: 1,
		Source: `os.WriteFile("made", nil, 0o600); os.Args[1]`}, &front{})
	if outcome.Failure != nil || text(*outcome.Result) != "7" {
		t.Errorf("got %+v", outcome)
	}
	if _, err := os.Stat(filepath.Join(folder, "made")); err != nil {
		t.Error(err)
	}
	if _, err := bindings.NewSession(bindings.Options{Dir: filepath.Join(folder, "none")}); err == nil {
		t.Error("a folder that does not exist was entered")
	}
}
