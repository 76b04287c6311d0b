package engine

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

func TestFiftyThousandLinesArriveInOrder(t *testing.T) {
	s := newSession(t)
	s.must("for i := 0; i < 50000; i++ { fmt.Println(\"line\", i) }")
	lines := strings.Split(strings.TrimSuffix(s.stdout.String(), "\n"), "\n")
	if len(lines) != 50000 {
		t.Fatalf("%d lines, want 50000", len(lines))
	}
	for i, line := range lines {
		if line != fmt.Sprintf("line %d", i) {
			t.Fatalf("line %d is %q", i, line)
		}
	}
}

func TestStreamsBatch(t *testing.T) {
	e := newEngine(t)
	calls := 0
	_, err := e.Run(context.Background(), Cell{"In[1]", `for i := 0; i < 2000; i++ { fmt.Print("é") }`}, Streams{
		Stdout: func(s string) {
			calls++
			if strings.ContainsRune(s, '\uFFFD') {
				t.Error("a rune was split")
			}
		}})
	if err != nil || calls == 0 || calls > 1000 {
		t.Errorf("%d calls for 2000 prints, error %v", calls, err)
	}
}

func TestInterrupt(t *testing.T) {
	for _, source := range []string{
		"for {}", "for { x++ }", "select {}", "<-make(chan int)", "for { func() { defer func() { recover() }(); x++ }() }",
		"func() { for { fib(20) } }()", "var wg sync.WaitGroup; go func() { for { } }(); for { }",
		"for range 1000000000 { x++ }",
	} {
		t.Run(source, func(t *testing.T) {
			s := newSession(t)
			s.must("x := 41\nfunc fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }")
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			_, err := s.e.Run(ctx, Cell{"In[2]", "before := 5\nfmt.Println(\"begun\")\n" + source}, Streams{Stdout: func(string) { cancel() }})
			if !errors.Is(err, ErrInterrupted) {
				t.Fatalf("error %v, want ErrInterrupted", err)
			}
			if v := s.must("before + 1"); v.Any != 6 {
				t.Errorf("before + 1 = %v after the interrupt", v.Any)
			}
			if v := s.must("x >= 41"); v.Any != true {
				t.Error("x is lost")
			}
		})
	}
}

func TestInterruptedCompiledCallIsReported(t *testing.T) {
	symbols := map[string]map[string]reflect.Value{}
	for k, v := range standardSymbols() {
		symbols[k] = v
	}
	symbols["example.org/host/host"] = map[string]reflect.Value{"Block": reflect.ValueOf(func() { time.Sleep(3 * time.Second) })}
	e, err := New(Options{Symbols: symbols})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := &session{t: t, e: e}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	_, err = s.e.Run(ctx, Cell{"In[1]", "fmt.Println(\"begun\")\nhost.Block()"}, Streams{Stdout: func(string) { cancel() }})
	if !errors.Is(err, ErrInterrupted) || !strings.Contains(err.Error(), "still running") {
		t.Errorf("error %v", err)
	}
	if v := s.must("1"); v.Any != 1 {
		t.Error("the next cell does not run once the call has ended")
	}
}

type codeError struct{ Code int }

func (e *codeError) Error() string { return fmt.Sprint("code ", e.Code) }

func TestPanicKeepsItsValue(t *testing.T) {
	symbols := map[string]map[string]reflect.Value{}
	for k, v := range standardSymbols() {
		symbols[k] = v
	}
	symbols["example.org/host/host"] = map[string]reflect.Value{
		"Fail": reflect.ValueOf(func() { panic(&codeError{7}) }),
		"Err":  reflect.ValueOf(func() (int, error) { return 0, &codeError{8} }),
	}
	e, err := New(Options{Symbols: symbols, Args: []string{"prog", "arg"}})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	_, err = e.Run(context.Background(), Cell{"In[1]", "\n  host.Fail()"}, Streams{})
	var code *codeError
	var p *PanicError
	if !errors.As(err, &code) || code.Code != 7 || !errors.As(err, &p) || p.Line != 2 || p.Cell != "In[1]" {
		t.Errorf("%#v %v", err, err)
	}
	_, err = e.Run(context.Background(), Cell{"In[2]", "host.Err()"}, Streams{})
	var r *ResultError
	if !errors.As(err, &code) || code.Code != 8 || !errors.As(err, &r) || r.Line != 1 {
		t.Errorf("%#v", err)
	}
	v, err := e.Run(context.Background(), Cell{"In[3]", "os.Args[1]"}, Streams{})
	if err != nil || v.Any != "arg" {
		t.Error(v, err)
	}
}

func TestGoroutinePanicEndsTheCell(t *testing.T) {
	s := newSession(t)
	_, err := s.run(context.Background(), "done := make(chan int)\ngo func() {\n\tpanic(\"in the background\")\n}()\n<-done")
	var p *PanicError
	if !errors.As(err, &p) || p.Line != 3 || p.Text != "in the background" {
		t.Errorf("error %v", err)
	}
	s.must("1")
}

// A goroutine that panics when its cell is over is reported in the cell that runs then, which
// goes on.
func TestLateGoroutinePanicIsReported(t *testing.T) {
	e := newEngine(t)
	var stderr strings.Builder
	streams := Streams{Stderr: func(text string) { stderr.WriteString(text) }}
	for i, source := range []string{`go func() { time.Sleep(30 * time.Millisecond); panic("late") }()`, "time.Sleep(300 * time.Millisecond)"} {
		if _, err := e.Run(context.Background(), Cell{Name: fmt.Sprintf("In[%d]", i+1), Source: source}, streams); err != nil {
			t.Fatalf("cell %d: %v", i+1, err)
		}
	}
	if got := stderr.String(); !strings.Contains(got, "In[1]") || !strings.Contains(got, "late") {
		t.Errorf("stderr has %q", got)
	}
}

func TestExitOfAGoroutineEndsTheCell(t *testing.T) {
	s := newSession(t)
	_, err := s.run(context.Background(), "go func() { os.Exit(4) }()\nfor {}")
	var code *ExitError
	if !errors.As(err, &code) || code.Code != 4 {
		t.Error(err)
	}
}

func TestEnvironmentAndPrograms(t *testing.T) {
	t.Setenv("GONB_SVM_ENGINE_TEST", "here")
	s := newSession(t)
	if v := s.must(`os.Getenv("GONB_SVM_ENGINE_TEST")`); v.Any != "here" {
		t.Error(v.Any)
	}
	s.must("b, err := os.ReadFile(\"engine.go\")\nlen(b) > 0 && err == nil")
}

func TestInputMissingIsAnError(t *testing.T) {
	s := newSession(t)
	_, err := s.run(context.Background(), "var x int\nfmt.Scan(&x)")
	var r *ResultError
	if !errors.As(err, &r) || !strings.Contains(err.Error(), "no input") {
		t.Error(err)
	}
}

// Shape has a wrapper, as generated symbols give every interface.
type Shape interface{ Area() float64 }

type shapeWrapper struct {
	IValue any
	WArea  func() float64
}

func (w shapeWrapper) Area() float64 { return w.WArea() }

type Drawing struct {
	Main Shape
	Done func(int)
}

func TestInterpretedValuesInCompiledInterfaces(t *testing.T) {
	symbols := map[string]map[string]reflect.Value{}
	for k, v := range standardSymbols() {
		symbols[k] = v
	}
	path := reflect.TypeFor[Shape]().PkgPath()
	symbols[path+"/engine"] = map[string]reflect.Value{
		"Shape": reflect.ValueOf((*Shape)(nil)), "_Shape": reflect.ValueOf((*shapeWrapper)(nil)),
		"Drawing": reflect.ValueOf((*Drawing)(nil)),
		"Area":    reflect.ValueOf(func(s Shape) float64 { return s.Area() }),
		"Sum": reflect.ValueOf(func(shapes ...Shape) (sum float64) {
			for _, s := range shapes {
				sum += s.Area()
			}
			return sum
		}),
		"Later": reflect.ValueOf(func(d Drawing) float64 { d.Done(3); return d.Main.Area() }),
	}
	e, err := New(Options{Symbols: symbols})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	s := &session{t: t, e: e}
	s.must("type Box struct{ w, h float64 }\nfunc (b Box) Area() float64 { return b.w * b.h }\ntype PBox struct{ w float64 }\nfunc (b *PBox) Area() float64 { return b.w }\nn := 0")
	for source, want := range map[string]any{
		"engine.Area(Box{2, 3})":                     6.0,
		"engine.Area(&PBox{4})":                      4.0,
		"engine.Sum(Box{1, 2}, &PBox{5}, Box{1, 1})": 8.0,
		"engine.Sum()":                               0.0,
		"engine.Later(engine.Drawing{Main: Box{3, 3}, Done: func(k int) { n = k }})": 9.0,
		"d := engine.Drawing{Box{2, 2}, nil}; d.Main.Area()":                         4.0,
		"engine.Sum([]engine.Shape{Box{1, 2}}...)":                                   2.0,
		"n": 3,
	} {
		if source == "n" {
			continue
		}
		if v := s.must(source); v.Any != want {
			t.Errorf("%s = %v, want %v", source, v.Any, want)
		}
	}
	if v := s.must("n"); v.Any != 3 {
		t.Errorf("n = %v after the callback", v.Any)
	}
}

func TestShownValuesHaveTheirMethods(t *testing.T) {
	s := newSession(t)
	v := s.must("type H struct{ A int }\nfunc (h H) HTML() string { return fmt.Sprint(\"<b>\", h.A, \"</b>\") }\nH{5}")
	if h, ok := v.Any.(interface{ HTML() string }); !ok || h.HTML() != "<b>5</b>" || v.Type != "main.H" || v.Text != "{5}" {
		t.Errorf("%#v", v)
	}
	v = s.must("type M struct{ A int }\nfunc (m *M) SVG() string { return \"<svg/>\" }\nfunc (m *M) HTML() string { return \"<i>\" }\n&M{1}")
	b, ok := v.Any.(interface{ MimeBundle() map[string]any })
	if !ok || b.MimeBundle()["image/svg+xml"] != "<svg/>" || b.MimeBundle()["text/html"] != "<i>" {
		t.Errorf("%#v", v)
	}
	v = s.must("type E struct{ A int }\nfunc (e E) Error() string { return \"bad\" }\nE{1}")
	if err, ok := v.Any.(error); !ok || err.Error() != "bad" || v.Text != "bad" {
		t.Errorf("%#v", v)
	}
	v = s.must("type S struct{ A int }\nfunc (s S) String() string { return \"str\" }\nS{1}")
	if str, ok := v.Any.(fmt.Stringer); !ok || str.String() != "str" || v.Text != "str" {
		t.Errorf("%#v", v)
	}
	if v := s.must("strings.Repeat(\"a\", 100000)"); len(v.Text) > maxText+8 {
		t.Errorf("%d bytes of text", len(v.Text))
	}
}

func TestLookupAndNames(t *testing.T) {
	s := newSession(t)
	s.must("x := 3\nvar names []string = []string{\"a\"}\ntype T struct{ A int }\nt := T{2}\nfunc f() {}")
	if v, ok := s.e.Lookup("x"); !ok || v != 3 {
		t.Error(v, ok)
	}
	if _, ok := s.e.Lookup("f"); ok {
		t.Error("a function is no variable")
	}
	if _, ok := s.e.Lookup("none"); ok {
		t.Error("none exists")
	}
	want := []Name{{"x", "int", "3"}, {"names", "[]string", "[a]"}, {"t", "main.T", "{2}"}}
	if got := s.e.Names(); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestCompleteWhileACellRuns(t *testing.T) {
	s := newSession(t)
	s.must("m := map[int]int{}\nx := 1")
	ctx, cancel := context.WithTimeout(context.Background(), 300*time.Millisecond)
	defer cancel()
	var wg sync.WaitGroup
	var found atomic.Int32
	wg.Add(1)
	go func() {
		defer wg.Done()
		for ctx.Err() == nil {
			matches, _, _ := s.e.Complete("strings.Rep", 11)
			found.Add(int32(len(matches)))
			s.e.Names()
			s.e.Inspect("strings.Repeat", 14)
			time.Sleep(5 * time.Millisecond)
		}
	}()
	_, err := s.run(ctx, "for i := 0; ; i++ { m[i%100] = i }")
	wg.Wait()
	if !errors.Is(err, ErrInterrupted) || found.Load() == 0 {
		t.Error(err, found.Load())
	}
}

func TestBackgroundOutputGoesToTheLastCell(t *testing.T) {
	s := newSession(t)
	s.must("gate := make(chan int)\ngo func() { <-gate; fmt.Println(\"late\"); gate <- 1 }()")
	s.must("gate <- 1; <-gate")
	if s.stdout.String() != "late\n" {
		t.Errorf("%q", s.stdout.String())
	}
}

// With Background, output of a goroutine goes to the cell that started it, also later.
func TestBackgroundOutputGoesToItsCell(t *testing.T) {
	e := newEngine(t)
	defer e.Close()
	var mu sync.Mutex
	outputs := map[string]string{}
	cell := func(name, source string) {
		streams := Streams{Background: true, Stdout: func(s string) { mu.Lock(); defer mu.Unlock(); outputs[name] += s }}
		streams.Stderr = streams.Stdout
		if _, err := e.Run(context.Background(), Cell{name, source}, streams); err != nil {
			t.Fatal(err)
		}
	}
	cell("a", `gate, last := make(chan int), make(chan int); go func() { <-gate; go func() { <-last; fmt.Println("inner") }(); fmt.Println("late"); print("x"); fmt.Fprintln(os.Stderr, "err"); gate <- 1 }()`)
	cell("b", `fmt.Println("first"); gate <- 1; <-gate; fmt.Println("second")`)
	cell("c", `last <- 1`)
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
		mu.Lock()
		done := strings.Contains(outputs["a"], "inner") && strings.Contains(outputs["a"], "err")
		mu.Unlock()
		if done {
			break
		}
	}
	mu.Lock()
	defer mu.Unlock()
	if outputs["b"] != "first\nsecond\n" || outputs["c"] != "" {
		t.Errorf("%q", outputs)
	}
	for _, want := range []string{"late\n", "xerr\n", "inner\n"} {
		if !strings.Contains(outputs["a"], want) {
			t.Errorf("%q lacks %q", outputs["a"], want)
		}
	}
}

// What waits to be sent is a copy of the variable's value: the receiver may change the variable at once.
func TestSendCopies(t *testing.T) {
	s := newSession(t)
	s.must(`sum := 0
for i := range 300 {
	v, c := i, make(chan int)
	go func() { c <- v }()
	runtime.Gosched()
	sum += <-c
	v = -1
}
fmt.Print(sum)`)
	if s.stdout.String() != "44850" {
		t.Errorf("%q", s.stdout.String())
	}
}

func TestCellMayCloseItsStdout(t *testing.T) {
	s := newSession(t)
	s.must("os.Stdout.Close()")
	s.must("1")
}

func TestManyEngines(t *testing.T) {
	for range 20 {
		e, err := New(Options{Symbols: standardSymbols()})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := e.Run(context.Background(), Cell{"In[1]", "go func() { for {} }()"}, Streams{}); err != nil {
			t.Fatal(err)
		}
		if err := e.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
