// Package engine runs cells of Go. A cell means what the Go specification says: it is
// type-checked by go/types, lowered to a small core language, and run by an interpreter with the
// packages that are built in. Earlier declarations that a cell changes are checked and lowered
// again, or the cell is refused and nothing changes.
//
// The stages are packages of their own, in the order in which a cell passes them:
// internal/split, internal/check, internal/lower, internal/border, internal/execute.
package engine

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"reflect"
	"sync"
	"sync/atomic"

	"github.com/traefik/yaegi/interp"

	"github.com/gonb-svm/gonb-svm/kernel/engine/exportdata"
	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/border"
	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/check"
	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/execute"
	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/lower"
)

// Options say what cells can use.
type Options struct {
	// Symbols are the compiled packages, in yaegi's form: "path/name" to exported name to value.
	// They can be used with and without import.
	Symbols map[string]map[string]reflect.Value
	// Types holds the export data of the packages in Symbols that are not of the standard library,
	// without which parameter names, aliases and generic names are not known: a file a package, named by its path, as package exportdata writes them.
	Types fs.FS
	// Args is os.Args of the cells; nil: {"gonb-svm"}.
	Args []string
	// Trace is given the lowered text of every unit; nil: nothing is traced.
	Trace func(unit string)
	// Folder is where relative imports of a program are looked for; "": they are refused.
	Folder string
}

// Engine holds the state of one notebook: everything its cells have declared. Run is for one
// goroutine at a time; Complete, Inspect and Completeness may be called while a cell runs.
type Engine struct {
	fset     *token.FileSet
	packages *check.Packages
	runtime  *border.Runtime
	lowerer  *lower.Lowerer
	executor execute.Executor
	io       *files
	args     []string
	trace    func(string)

	running  sync.Mutex
	cancel   atomic.Pointer[context.CancelCauseFunc] // ends the running cell
	busy     atomic.Bool                             // a cell's code runs
	previous *border.Run                             // a run that was interrupted and may not have ended
	pkg      *types.Package

	mu    sync.RWMutex // of what follows, which Complete and Inspect read
	state state
	cells map[string]string // source by name
}

// state is what cells have declared.
type state struct {
	scope        map[string]types.Object // what the next cell sees
	declarations map[string]*declared    // the latest by key: "F", or "T.M" for a method
	order        []string
	imports      map[string]string // by name
	dots         []string          // paths of dot imports
	variables    []string          // in the order of their first declaration
}

// declared is a function, type, constant or method as its cell wrote it.
type declared struct {
	key  string
	decl ast.Decl
	uses map[string]bool
	doc  string
}

// New makes an engine.
func New(o Options) (*Engine, error) {
	standard, err := exportdata.Standard()
	if err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	data := []fs.FS{standard}
	if o.Types != nil {
		data = append(data, o.Types)
	}
	if o.Args == nil {
		o.Args = []string{"gonb-svm"}
	}
	e := &Engine{
		fset: token.NewFileSet(), pkg: types.NewPackage("main", "main"), cells: map[string]string{}, args: o.Args, trace: o.Trace,
		state: state{scope: map[string]types.Object{}, declarations: map[string]*declared{}, imports: map[string]string{}},
	}
	if e.io, err = openFiles(); err != nil {
		return nil, err
	}
	symbols := e.symbols(o.Symbols)
	e.packages = check.New(e.fset, data, symbols)
	e.packages.Folder = o.Folder
	e.runtime = border.New(border.NewTypes(symbols, e.packages.Type))
	e.connect()
	if real, ok := symbols["reflect/reflect"]; ok {
		symbols["reflect/reflect"] = e.runtime.Reflection(real)
	}
	if e.executor, err = execute.NewYaegi(symbols, o.Args, &execute.Runtime{Index: e.runtime.Index, Nil: e.runtime.Nil, Large: e.runtime.Large, Armed: &e.runtime.Armed, Enter: e.runtime.Enter}); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	for name, f := range e.runtime.Symbols() {
		e.executor.Bind("rt", name, f)
	}
	e.executor.Bind("cv", "None", reflect.ValueOf(func() {}))
	e.lowerer = lower.New(e.packages, e.runtime, func(name string, f reflect.Value) { e.executor.Bind("cv", name, f) })
	if _, err := e.executor.Compile("package main\nvar at int\n"); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	e.executor.Place("at", reflect.ValueOf(e.runtime.Position).Elem())
	return e, nil
}

// Arguments are os.Args as the cells have it now.
func (e *Engine) Arguments() []string { return e.args }

// symbols are the tables with the engine's own standard files and arguments in them.
func (e *Engine) symbols(tables map[string]map[string]reflect.Value) interp.Exports {
	m := make(interp.Exports, len(tables)+2)
	for k, t := range tables {
		m[k] = t
	}
	if t, ok := m["os/os"]; ok {
		own := make(map[string]reflect.Value, len(t))
		for k, v := range t {
			own[k] = v
		}
		own["Stdout"] = reflect.ValueOf(&e.io.stdout.write).Elem()
		own["Stderr"] = reflect.ValueOf(&e.io.stderr.write).Elem()
		own["Stdin"] = reflect.ValueOf(&e.io.stdin).Elem()
		own["Args"] = reflect.ValueOf(&e.args).Elem()
		m["os/os"] = own
	}
	return m
}

// connect ties the runtime to the engine's files.
func (e *Engine) connect() {
	e.runtime.Stdout, e.runtime.Stderr, e.runtime.Stdin = &e.io.stdout.write, &e.io.stderr.write, e.io.stdin
	e.runtime.Reader = &e.io.prompt
	e.runtime.Place = func(position int) (string, int) {
		p := e.fset.Position(token.Pos(position))
		if p.Filename == "" {
			p.Filename = "??"
		}
		return p.Filename, p.Line
	}
	e.runtime.GoPanic = func(r *border.Run, p *border.Raised) {
		select {
		case <-r.Done(): // its cell is over and cannot fail any more
			var w io.Writer = e.io.stderr.write
			if r.Late != nil {
				w = r.Late(2)
			}
			fmt.Fprintln(w, e.panicError(p))
		default:
			(*e.cancel.Load())(e.panicError(p))
		}
	}
	e.runtime.Flush = func(file int32) {
		if file == 1 {
			e.io.stdout.flush()
		} else {
			e.io.stderr.flush()
		}
	}
}

// Close ends the engine and the goroutines that its cells have left running. A cell must not be
// running.
func (e *Engine) Close() error {
	e.executor.Stop()
	return e.io.close()
}
