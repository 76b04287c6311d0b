package engine

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/traefik/yaegi/interp"
)

// New makes an engine.
func New(o Options) (*Engine, error) {
	e := &Engine{library: newLibrary(o.Symbols)}
	e.state = state{imports: map[string]string{}, taken: map[string]bool{}}
	e.units = map[string]*unit{}
	var err error
	if e.output, err = newOutput(e.locate); err != nil {
		return nil, err
	}
	args := o.Args
	if args == nil {
		args = []string{"gonb-svm"}
	}
	e.runtime = &runtimeState{output: e.output, frames: map[int64][]*Defers{}, run: &run{}}
	e.interp = interp.New(interp.Options{
		Stdin: &input{output: e.output}, Stdout: e.output.stdout.write, Stderr: e.output.stderr.write,
		Args: args, Unrestricted: true,
	})
	printers, methods := printing(e.output.stdout.write)
	for _, symbols := range []interp.Exports{o.Symbols, methods, e.runtime.symbols(), printers} {
		if err := e.interp.Use(symbols); err != nil {
			return nil, fmt.Errorf("binding the packages: %w", err)
		}
	}
	boot := fmt.Sprintf("package main; import %s %q; func hold%s() { %s.Hold() }", runtimeAlias, runtimePath, mark, runtimeAlias)
	f, err := parser.ParseFile(e.interp.FileSet(), unitMark+"boot", boot, parser.SkipObjectResolution)
	if err == nil {
		err = e.load(f)
	}
	if err != nil {
		return nil, fmt.Errorf("starting the interpreter: %w", err)
	}
	return e, nil
}

// Run runs one cell and gives the value of its last expression. Its errors are *CompileError,
// *PanicError, *ExitError, *ResultError and ErrInterrupted.
func (e *Engine) Run(ctx context.Context, cell Cell, streams Streams) (value Value, err error) {
	if ctx.Err() != nil {
		return Value{}, ErrInterrupted
	}
	if err := e.idle(cell); err != nil {
		return Value{}, err
	}
	e.output.use(streams)
	p, prog, program, err := e.compile(cell)
	if err != nil || program == nil {
		return Value{}, err
	}
	for _, note := range p.notes(prog) {
		fmt.Fprintln(e.output.stderr.sentinel, note)
	}
	r := &run{methods: map[string]any{}}
	e.running.Store(true)
	interrupted := e.execute(ctx, cell, program, r)
	e.running.Store(false)
	at := e.output.panicPlace()
	e.mu.Lock()
	defer e.mu.Unlock()
	p.commit(prog, r)
	switch {
	case r.code != nil:
		return Value{}, r.code
	case interrupted:
		return Value{}, ErrInterrupted
	case r.failed:
		return Value{}, prog.panicError(cell, at, r)
	}
	return prog.value(cell, r)
}

// idle refuses a cell while the one before is still inside a compiled call.
func (e *Engine) idle(cell Cell) error {
	if e.active == nil {
		return nil
	}
	select {
	case <-e.active:
		e.active = nil
		return nil
	case <-time.After(grace):
		return &CompileError{Kind: "limit", Cell: cell.Name, Text: e.last + " was interrupted but is still inside a compiled call",
			Hint: "wait for it to end, or restart the kernel"}
	}
}

// compile takes a cell from its source to a program of the interpreter; nil for nothing to run.
func (e *Engine) compile(cell Cell) (p *plan, prog *program, start *interp.Program, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	defer func() {
		if v := recover(); v != nil {
			err = &CompileError{Kind: "limit", Cell: cell.Name, Text: "the engine cannot compile this: " + clean(panicText(plain(v)))}
		}
	}()
	items, err := split(cell)
	if err != nil {
		return nil, nil, nil, err
	}
	if p, err = e.newPlan(cell, items); err != nil {
		return nil, nil, nil, err
	}
	if err = p.make(); err != nil {
		return nil, nil, nil, err
	}
	prog, failed := p.emit()
	if failed != nil {
		return nil, nil, nil, failed
	}
	e.unitsMu.Lock()
	e.units[p.unit.name] = p.unit
	e.unitsMu.Unlock()
	if err = e.library.bindLate(e.interp); err != nil {
		return nil, nil, nil, err
	}
	if err = e.load(prog.file); err == nil {
		start, err = e.compileBlock(prog.start + "()")
	}
	if err != nil {
		return nil, nil, nil, e.refused(cell, err)
	}
	p.unit.ast, p.unit.info = nil, nil
	return p, prog, start, nil
}

// load makes the declarations of a file known to the interpreter.
func (e *Engine) load(f *ast.File) error {
	p, err := e.interp.CompileAST(f)
	if err == nil {
		_, err = e.interp.Execute(p)
	}
	return err
}

// compileBlock compiles statements outside every cell.
func (e *Engine) compileBlock(src string) (*interp.Program, error) {
	f, err := parser.ParseFile(e.interp.FileSet(), unitMark+"start", "package main; func _() {"+src+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	return e.interp.CompileAST(f.Decls[0].(*ast.FuncDecl).Body)
}

// refused is the interpreter's refusal of Go that go/types accepted.
func (e *Engine) refused(cell Cell, err error) error {
	out := &CompileError{Kind: "limit", Cell: cell.Name, Text: clean(err.Error()), Hint: "the interpreter does not know this form of Go: write it in another way"}
	if parts := strings.SplitN(err.Error(), ":", 4); len(parts) == 4 && strings.HasPrefix(parts[0], unitMark) {
		line, _ := strconv.Atoi(parts[1])
		column, _ := strconv.Atoi(parts[2])
		if o := e.locate(parts[0], line, column); o.line > 0 {
			out.Cell, out.Line, out.Column, out.Excerpt = o.cell, o.line, o.column, excerpt(o.source, o.line, o.column)
		}
		out.Text = clean(strings.TrimSpace(parts[3]))
	}
	return out
}

// locate leads a position that the interpreter reports back to its cell.
func (e *Engine) locate(name string, line, column int) origin {
	e.unitsMu.Lock()
	u := e.units[name]
	e.unitsMu.Unlock()
	if u == nil {
		return origin{}
	}
	return u.locateLine(line, column)
}

// execute runs a program until it ends or the context does, and tells which. The interpreter
// hears of the interrupt only once it is inside the cell: before, it would not leave it.
func (e *Engine) execute(ctx context.Context, cell Cell, start *interp.Program, r *run) bool {
	inner, cancel := context.WithCancel(context.Background())
	defer cancel()
	r.started, r.ended = make(chan struct{}), make(chan struct{})
	e.runtime.begin(r, cancel)
	defer e.runtime.begin(&run{methods: map[string]any{}}, nil)
	go func() {
		<-r.started
		select {
		case <-ctx.Done():
			cancel()
		case <-r.ended:
		}
	}()
	if _, err := e.interp.ExecuteWithContext(inner, start); err == nil {
		return false
	}
	select {
	case <-r.ended:
	case <-time.After(grace):
		e.active, e.last = r.ended, cell.Name
		fmt.Fprintf(e.output.stderr.sentinel, "%s is inside a compiled call, which cannot be interrupted\n", cell.Name)
	}
	return true
}

// panicError places a panic at the statement of the cell that was running, and names the
// innermost function of the cells, which is all that the interpreter knows of the rest.
func (prog *program) panicError(cell Cell, at origin, r *run) error {
	var code *ExitError
	if err, ok := r.panicked.(error); ok && errors.As(err, &code) {
		return code
	}
	out := &PanicError{Value: r.panicked, Cell: cell.Name, Text: panicText(r.panicked)}
	if n := min(r.step, len(prog.places)); n > 0 {
		out.Line, out.Column = prog.places[n-1].line, prog.places[n-1].column
	}
	if at.function != "" {
		out.Text += fmt.Sprintf(" (in %s of %s)", at.function, at.cell)
	}
	return out
}

// value is what the cell shows.
func (prog *program) value(cell Cell, r *run) (Value, error) {
	n := len(prog.results)
	if n == 0 || len(r.results) != n {
		return Value{}, nil
	}
	values, ts := r.results, prog.results
	if types.Identical(ts[n-1], errorInterface) {
		if err, ok := values[n-1].(error); ok && err != nil {
			at := prog.shownAt
			return Value{}, &ResultError{Err: err, Cell: cell.Name, Line: at.line, Column: at.column}
		}
		values, ts = values[:n-1], ts[:n-1]
	}
	if len(values) == 0 {
		return Value{}, nil
	}
	v := Value{Present: true, Text: r.text}
	if len(v.Text) > maxText {
		v.Text = strings.ToValidUTF8(v.Text[:maxText], "") + "…"
	}
	if len(values) == 1 {
		v.Any, v.Type = wrap(values[0], r.text, r.methods), describe(ts[0])
		return v, nil
	}
	names := make([]string, len(ts))
	for i, t := range ts {
		names[i] = describe(t)
	}
	v.Any, v.Type = values, "("+strings.Join(names, ", ")+")"
	return v, nil
}

// commit makes what the cell declared the state.
// rebindImports keeps the meaning of package names in earlier declarations when a cell gives
// such a name another meaning.
// dropOutdated forgets outdated types that no variable holds any more.
// Lookup gives a live variable as compiled code sees it.
func (e *Engine) Lookup(name string) (any, bool) {
	e.mu.Lock()
	d := e.state.find(name)
	e.mu.Unlock()
	if d == nil || d.kind != varItem {
		return nil, false
	}
	v, ok := e.global(d)
	if !ok || !v.CanInterface() {
		return nil, false
	}
	return v.Interface(), true
}

// global is the storage of a variable.
func (e *Engine) global(d *decl) (reflect.Value, bool) {
	v, ok := e.interp.Globals()[d.unit]
	return v, ok && v.IsValid()
}
