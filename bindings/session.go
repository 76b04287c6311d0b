// Package bindings joins the engine with what its cells can name. A Session is what the kernel,
// the notebook runner, scripts and the REPL share: Go cells, with the solvers, plots and displays
// there without an import.
package bindings

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"reflect"
	"regexp"
	"sync"
	"weak"

	"gonum.org/v1/plot"

	"github.com/gonb-svm/gonb-svm/bindings/check"
	"github.com/gonb-svm/gonb-svm/bindings/svm"
	"github.com/gonb-svm/gonb-svm/bindings/symbols"
	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/engine"
	"github.com/gonb-svm/gonb-svm/kernel/magic"
	"github.com/gonb-svm/gonb-svm/kernel/widgets"
)

// The keys of the tables of which a session replaces functions by its own.
const (
	module       = "github.com/gonb-svm/gonb-svm/"
	svmTable     = module + "bindings/svm/svm"
	checkTable   = module + "bindings/check/check"
	displayTable = module + "kernel/display/display"
	widgetsTable = module + "kernel/widgets/widgets"
)

// Options says how a session begins. The zero value is ready for use.
type Options struct {
	Args []string // os.Args of the cells; nil: {"gonb-svm"}
	Dir  string   // becomes the working directory of the process, and so of the cells; "": as it is
}

// Session runs the cells of one notebook, one at a time. The other methods may be called while
// a cell runs.
type Session struct {
	symbols map[string]map[string]reflect.Value
	types   fs.FS // export data of the symbols
	args    []string
	magics  *magic.Runner
	widgets *widgets.Notebook
	turn    chan struct{} // has one value while a cell runs or an event is dealt with

	alive context.Context    // ends with the session
	end   context.CancelFunc // of alive

	mu      sync.Mutex
	engine  *engine.Engine
	history []display.Cell
	running *running          // of the running cell, else of the last
	out     display.Output    // likewise
	sources map[string]string // of the cells that ran, by name
	plots   plotSettings
	charts  map[weak.Pointer[plot.Plot]]chart // of plots that have a Vega-Lite form
	event   context.Context                   // of the functions that widgets call
	stop    context.CancelFunc                // of event, if it is not that of a cell
}

// NewSession begins a session. Its error says that Dir cannot be entered or that the tables do
// not fit the interpreter.
func NewSession(o Options) (*Session, error) {
	if o.Dir != "" {
		if err := os.Chdir(o.Dir); err != nil {
			return nil, fmt.Errorf("the folder of the notebook: %w", err)
		}
	}
	s := &Session{symbols: symbols.Symbols(), args: o.Args, sources: map[string]string{}, turn: make(chan struct{}, 1), plots: defaultPlots()}
	s.magics = &magic.Runner{Notebook: commands{s}}
	s.alive, s.end = context.WithCancel(context.Background())
	s.running, _ = newRunning(s.alive, context.Background())
	for name, f := range (&svm.Notebook{Context: s.context, Output: s.output, Chart: s.keepChart}).Symbols() {
		s.symbols[svmTable][name] = s.counted(f)
	}
	shown := &display.Notebook{Output: s.output, Of: s.shown}
	maps.Copy(s.symbols[displayTable], shown.Symbols())
	maps.Copy(s.symbols[checkTable], (&check.Notebook{Output: s.output}).Symbols())
	s.widgets = s.newWidgets()
	s.symbols[widgetsTable]["Interact"] = reflect.ValueOf(s.widgets.Interact)
	line := &flags{args: func() []string { return s.live().Arguments() }, out: s.output}
	s.symbols["flag/flag"] = line.table(s.symbols["flag/flag"])
	types, err := symbols.Types()
	if err != nil {
		s.end()
		return nil, err
	}
	s.types = types
	e, err := engine.New(engine.Options{Symbols: s.symbols, Types: types, Args: o.Args})
	if err != nil {
		s.end()
		return nil, err
	}
	s.engine = e
	return s, nil
}

// Close ends the session and what its cells have left running.
func (s *Session) Close() error {
	s.end()
	return s.live().Close()
}

// live is the engine, which %reset replaces.
func (s *Session) live() *engine.Engine {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.engine
}

func (s *Session) context() context.Context { return s.current().ctx }

func (s *Session) current() *running {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

// output is where the running cell shows things, in order with what it prints.
func (s *Session) output() display.Output {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.out == nil {
		return nil
	}
	return ordered{Output: s.out, engine: s.engine}
}

// Execute runs a cell and shows on out what it prints and displays while it runs. The Outcome is
// the value of its last expression or what went wrong. When ctx ends, the cell is interrupted:
// what it had assigned stays, and a fit under way gives the model it has. A cell "name?" shows
// what is known about the name.
func (s *Session) Execute(ctx context.Context, cell display.Cell, out display.Output) display.Outcome {
	if outcome, ok := s.answer(cell, out); ok {
		return outcome
	}
	if s.leave(cell, out) {
		return display.Outcome{}
	}
	select {
	case s.turn <- struct{}{}:
	case <-ctx.Done():
		return display.Outcome{Failure: interrupted(ctx)}
	}
	defer func() { <-s.turn }()
	s.remember(cell)
	s.widgets.Begin()
	outcome := s.magics.Execute(ctx, cell, out)
	s.events(ctx, nil)
	if err := s.widgets.End(); err != nil && outcome.Failure == nil {
		outcome.Failure = s.failure(ctx, err)
	}
	if outcome.Result != nil {
		s.still(outcome.Result)
	}
	return outcome
}

// run runs the Go of a cell or of a file.
func (s *Session) run(ctx context.Context, source magic.Source, out display.Output) display.Outcome {
	run, release := newRunning(s.alive, ctx)
	defer release()
	s.begin(run, source, out)
	value, err := s.live().Run(run.engine, engine.Cell{Name: source.Name, Source: source.Text}, streams(out))
	if calls := s.initialisers(source.Text); err == nil && calls != "" {
		_, err = s.live().Run(run.engine, engine.Cell{Name: source.Name, Source: calls}, streams(out))
	}
	if err == nil && ctx.Err() != nil { // it ended before it could be stopped
		err = engine.ErrInterrupted
	}
	if err != nil {
		return display.Outcome{Failure: s.failure(ctx, err)}
	}
	if !value.Present || source.Silent {
		return display.Outcome{}
	}
	bundle, err := s.render(run.engine, value)
	if err != nil {
		return display.Outcome{Failure: s.failure(ctx, err)}
	}
	return display.Outcome{Result: &bundle}
}

// streams is an Output as the engine wants it.
func streams(out display.Output) engine.Streams {
	return engine.Streams{
		Stdout: func(text string) { out.Stream("stdout", text) },
		Stderr: func(text string) { out.Stream("stderr", text) },
		// Goroutines print to the cell that started them, also when it is over.
		Background: true,
		Input:      func(prompt string) (string, error) { return out.Input(prompt, false) },
	}
}

// begin makes a source the running one. That of a cell is known already, with its commands.
func (s *Session) begin(run *running, source magic.Source, out display.Output) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running, s.out = run, out
	if n := len(s.history); n == 0 || s.history[n-1].Name() != source.Name {
		s.sources[source.Name] = source.Text
	}
}

// Lookup is the value of a variable of the session.
func (s *Session) Lookup(name string) (any, bool) { return s.live().Lookup(name) }

// Variable is a variable of the session.
type Variable = magic.Variable

// Variables are those that cells have declared and that still have their names. A value of which only
// addresses could be shown is shown by its type.
func (s *Session) Variables() []Variable {
	var all []Variable
	for _, n := range s.live().Names() {
		v := Variable{Name: n.Name, Type: ofCells.ReplaceAllString(n.Type, ""), Text: n.Text}
		if addresses.MatchString(v.Text) {
			v.Text = "a " + v.Type
		}
		all = append(all, v)
	}
	return all
}

var (
	ofCells   = regexp.MustCompile(`\bmain\.`)                 // before a type that a cell has declared
	addresses = regexp.MustCompile(`^&?\{?(map\[)?0x[0-9a-f]`) // how a pointer, or what begins with one, is printed
)
