package svm

import (
	"bytes"
	"context"
	"errors"
	"go/types"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/bindings/docs"
	"github.com/gonb-svm/gonb-svm/bindings/internal/aliases"
	"github.com/gonb-svm/gonb-svm/bindings/internal/listing"
	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// The functions are the methods of Notebook: the same names, parameters, results and words.
func TestFunctionsAreMethods(t *testing.T) {
	found, err := listing.Load(listing.Platform{}, here)
	if err != nil {
		t.Fatal(err)
	}
	scope := found[0].Scope()
	symbols := (&Notebook{}).Symbols()
	functions := 0
	for _, name := range scope.Names() {
		f, ok := scope.Lookup(name).(*types.Func)
		if !ok || !f.Exported() {
			continue
		}
		functions++
		method, _, _ := types.LookupFieldOrMethod(types.NewPointer(scope.Lookup("Notebook").Type()), true, found[0], name)
		if method == nil {
			t.Errorf("the function %s is no method of Notebook", name)
			continue
		}
		s := method.(*types.Func).Signature()
		bare := types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
		if !types.Identical(bare, f.Signature()) {
			t.Errorf("%s: the function is %s, the method %s", name, f.Signature(), bare)
		}
		function, _ := docs.Lookup(here, name)
		if m, _ := docs.Lookup(here, "Notebook."+name); m.Text == "" || m.Text != function.Text {
			t.Errorf("%s: the comments of the function and the method differ", name)
		}
		if symbols[name].Kind() != reflect.Func {
			t.Errorf("Symbols has no %s", name)
		}
	}
	if functions < 9 || len(symbols) != functions {
		t.Errorf("%d functions, %d symbols", functions, len(symbols))
	}
}

func TestAliasesAreGenerated(t *testing.T) {
	want, err := aliases.Source()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("aliases.go")
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("aliases.go is out of date (%v): run go generate ./bindings/svm", err)
	}
}

// record keeps what was shown, as a front end that updates displays in place.
type record struct {
	mu      sync.Mutex
	printed strings.Builder
	shown   []display.Bundle
	updates int
	ids     map[string]int
}

func (r *record) Stream(_, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.printed.WriteString(text)
}

func (r *record) Display(b display.Bundle, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ids == nil {
		r.ids = map[string]int{}
	}
	r.ids[id] = len(r.shown)
	r.shown = append(r.shown, b)
}

func (r *record) Update(id string, b display.Bundle) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.updates++
	r.shown[r.ids[id]] = b
}
func (r *record) Clear(bool)                         {}
func (r *record) Input(string, bool) (string, error) { return "", errors.New("nobody is there") }

// pair is the smallest data set that can be trained on.
func pair() *Dataset { return FromDense([][]float64{{0}, {1}}, []float64{-1, 1}) }

// noise is a set that takes long to train on.
func noise(rows int) *Dataset {
	random := rand.New(rand.NewPCG(1, 2))
	x, y := make([][]float64, rows), make([]float64, rows)
	for i := range x {
		x[i] = []float64{random.Float64(), random.Float64(), random.Float64(), random.Float64()}
		y[i] = float64(1 - 2*(i%2))
	}
	return FromDense(x, y)
}

func TestLoadErrors(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.libsvm")
	if err := os.WriteFile(bad, []byte("+1 1:1\n-1 3:1 2:1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		call func()
		want any
		text string
	}{
		"name":      {func() { Load("mnist83") }, new(*datasets.NameError), `"mnist38"`},
		"parse":     {func() { LoadFile(bad) }, new(*ParseError), "bad.libsvm:2:"},
		"file":      {func() { LoadFile(bad + ".missing") }, new(*os.PathError), "no such file"},
		"dense":     {func() { FromDense([][]float64{{1}}, nil) }, nil, "1 rows but 0 labels"},
		"parameter": {func() { Fit(pair(), SMO{C: -1}) }, new(*ParamError), "SMO.C = -1: want > 0"},
		"data":      {func() { Fit(nil, SMO{}) }, new(*DataError), "no rows"},
		"solver":    {func() { Fit(pair(), nil) }, nil, "solver is nil"},
		"multi":     {func() { FitMulti(pair(), nil) }, nil, "solver is nil"},
		"classes":   {func() { FitMulti(pair(), solvers.OneVsOne{Solver: SMO{C: -1}}) }, new(*ParamError), "SMO.C = -1: want > 0"},
		"path":      {func() { FitPath(pair(), nil, nil) }, nil, "solver is nil"},
		"plot":      {func() { PlotTradeoff() }, nil, "want at least one"},
		"boundary":  {func() { PlotBoundary(nil, pair()) }, nil, "no model"},
		"margins":   {func() { PlotMargins(nil, pair()) }, nil, "no model"},
		"runs":      {func() { PlotConvergence() }, nil, "want at least one"},
		"save":      {func() { SaveModel(bad, nil) }, nil, "model is nil"},
		"model":     {func() { LoadModel(bad + ".missing") }, new(*os.PathError), "no such file"},
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				err, ok := recover().(error)
				if !ok || !strings.Contains(err.Error(), c.text) || c.want != nil && !errors.As(err, c.want) {
					t.Errorf("panicked with %v, want %T with %q", err, c.want, c.text)
				}
			}()
			c.call()
		})
	}
}

func TestLoadFitSave(t *testing.T) {
	train, test := Load("toy")
	r := Fit(train, SMO{Kernel: RBF{Gamma: 1}, C: 10})
	if r.Status != Converged || r.ErrorRate(test) > 0.5 {
		t.Errorf("%v, error %g", r.Status, r.ErrorRate(test))
	}
	file := filepath.Join(t.TempDir(), "toy.model")
	SaveModel(file, r.Model)
	if m := LoadModel(file); m.SupportSize() != r.SupportSize() || m.Decision(test.X[0]) != r.Decision(test.X[0]) {
		t.Error("the model that was read is not the one that was written")
	}
	if len(Names()) < 5 {
		t.Errorf("%d data sets", len(Names()))
	}
}

func TestHelp(t *testing.T) {
	out := &record{}
	n := &Notebook{Output: func() display.Output { return out }}
	for topic, want := range map[string]string{
		"": "mnist38", "SMO": "½‖w‖²", "svm.SMO": "½‖w‖²", "Model.ErrorRate": "func (m *Model) ErrorRate(d *Dataset) float64",
		"Fit": "Canceled", "strings.Cut": "after string, found bool", "mat.Dense": "type Dense struct", "mat": "Package mat",
		"Smo": `Did you mean "SMO"?`, "nothing.at.all": "There is no help",
	} {
		out.printed.Reset()
		if topic == "" {
			n.Help()
		} else {
			n.Help(topic)
		}
		if !strings.Contains(out.printed.String(), want) {
			t.Errorf("Help(%q) = %q, want %q in it", topic, out.printed.String(), want)
		}
	}
}

// hard is a solver that on noise runs until its time is over: its kernel is called value by value.
func hard(limit time.Duration) SMO {
	kernel := func(x, z Vector) float64 { return RBF{Gamma: 0.5}.Eval(x, z) }
	return SMO{Kernel: KernelFunc(kernel), C: 1e6, Epsilon: 1e-9, Settings: Settings{MaxTime: limit}}
}

// A long fit has one display, which is updated and empty in the end; a short one has none.
func TestProgress(t *testing.T) {
	out := &record{}
	n := &Notebook{Output: func() display.Output { return out }}
	n.Fit(pair(), SMO{})
	if len(out.shown) != 0 {
		t.Errorf("a short fit showed %v", out.shown)
	}
	begin := time.Now()
	r := n.Fit(noise(1000), hard(patience+5*pause))
	took := time.Since(begin)
	if r.Status != TimeLimit {
		t.Fatalf("the fit ended by %v", r.Status)
	}
	if len(out.shown) != 1 || out.updates < 1 || out.updates > int(took/pause)+2 {
		t.Fatalf("%d displays, %d updates in %v", len(out.shown), out.updates, took)
	}
	for id := range out.ids {
		if !strings.HasPrefix(id, "progress-") {
			t.Errorf("the display's id is %q", id)
		}
	}
	if last := out.shown[0].Data; len(last) != 0 {
		t.Errorf("at the end stands %v: want nothing", last)
	}
}

func TestInterruptedFit(t *testing.T) {
	out := &record{}
	ctx, cancel := context.WithCancel(context.Background())
	n := &Notebook{Context: func() context.Context { return ctx }, Output: func() display.Output { return out }}
	time.AfterFunc(patience+3*pause, cancel)
	r := n.Fit(noise(1000), hard(time.Minute))
	if r == nil || r.Status != Canceled || r.SupportSize() == 0 {
		t.Fatalf("got %v with %d support vectors", r.Status, r.SupportSize())
	}
	if text := out.shown[0].Data["text/plain"].(string); !strings.HasPrefix(text, "SMO  ") || !strings.HasSuffix(text, "interrupted") {
		t.Errorf("the bar says %q", text)
	}
	defer func() {
		if err, _ := recover().(error); !errors.Is(err, context.Canceled) {
			t.Errorf("FitPath panicked with %v", err)
		}
	}()
	n.FitPath(noise(50), noise(50), ISSVM{})
}

// A long fit of several classes has one bar, which says how many problems are solved; an
// interrupt leaves the machines there are.
func TestFitMulti(t *testing.T) {
	d := FromDense([][]float64{{0}, {1}, {5}, {6}, {10}, {11}}, []float64{1, 1, 2, 2, 3, 3})
	out := &record{}
	ctx, cancel := context.WithCancel(context.Background())
	n := &Notebook{Context: func() context.Context { return ctx }, Output: func() display.Output { return out }}
	r := n.FitMulti(d, solvers.OneVsOne{Solver: SMO{Kernel: RBF{Gamma: 1}, C: 10}})
	if r.Status != Converged || r.ErrorRate(d) != 0 || len(out.shown) != 0 {
		t.Errorf("%v, error %g, %d displays", r, r.ErrorRate(d), len(out.shown))
	}
	many := noise(900)
	many.Labels = nil
	for i := range many.Y {
		many.Y[i] = float64(i % 3)
	}
	time.AfterFunc(patience+3*pause, cancel)
	r = n.FitMulti(many, solvers.OneVsRest{Solver: hard(time.Minute)})
	if r.Status != Canceled || len(r.Machines) == 0 || r.SupportSize() == 0 {
		t.Fatalf("got %v", r)
	}
	if text := out.shown[0].Data["text/plain"].(string); !strings.HasPrefix(text, "OneVsRest(SMO)  0/3  |SV| ") || !strings.HasSuffix(text, "interrupted") {
		t.Errorf("the bar says %q", text)
	}
}

func TestBar(t *testing.T) {
	out := &record{}
	b := (&Notebook{Output: func() display.Output { return out }}).watch()
	b.started = time.Now().Add(-time.Hour)
	b.solver("SASSO")(Progress{Iteration: 4210, MaxIterations: 100000, SupportSize: 312, Gap: 3.1e-3, Elapsed: 62 * time.Second})
	if got := out.shown[0].Data; got["text/plain"] != "SASSO  4210/100000  |SV| 312  gap 3.1e-03  1:02" ||
		!strings.Contains(got["text/html"].(string), `<progress value="4210" max="100000"`) {
		t.Errorf("got %v", got)
	}
	b.last = time.Time{}
	b.download("a<b>", 500_000, -1)
	if got := out.shown[0].Data["text/html"].(string); !strings.Contains(got, "a&lt;b&gt;  0.5 MB") || strings.Contains(got, "<progress") {
		t.Errorf("got %q", got)
	}
	b.last = time.Time{}
	b.download("a", 500_000, 2_000_000)
	if got := out.shown[0].Data["text/plain"].(string); !strings.HasPrefix(got, "a  0.5 of 2.0 MB  1:00:0") {
		t.Errorf("got %q", got)
	}
}

// A comparison in a cell has a table and a plot; an interrupt leaves the trials that were finished.
func TestCompare(t *testing.T) {
	train, test := Load("toy")
	rows := solvers.Method{Solver: solvers.RSVM{Budget: 10}, Grid: solvers.Grid{"Settings.Seed": {0, 1}}}
	table, drawn := Compare(train, test, rows, ISSVM{C: 10})
	if len(table.Trials) != 3 || len(table.Failed()) != 0 || drawn == nil || !strings.Contains(table.HTML(), "RSVM(Budget=10)") {
		t.Errorf("%v, plot %v", table, drawn)
	}
	if _, drawn = Compare(train, test, SMO{C: -1}); drawn != nil {
		t.Error("a plot of nothing")
	}
	out := &record{}
	ctx, cancel := context.WithCancel(context.Background())
	n := &Notebook{Context: func() context.Context { return ctx }, Output: func() display.Output { return out }}
	time.AfterFunc(patience+3*pause, cancel)
	slow := solvers.Method{Solver: hard(time.Minute), Grid: solvers.Grid{"C": {1e6, 1e7, 1e8}}}
	table, _ = n.CompareBy(solvers.Protocol{Workers: 1}, noise(1000), noise(100), rows, slow)
	if len(table.Trials) != 2 || table.Missing != 3 {
		t.Errorf("%v", table)
	}
	if text := out.shown[0].Data["text/plain"].(string); !strings.HasPrefix(text, "2/5 trials  RSVM(Budget=10)") || !strings.HasSuffix(text, "interrupted") {
		t.Errorf("the bar says %q", text)
	}
}
