package engine

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"runtime/metrics"
	"slices"
	"strings"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/border"
	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/lower"
)

// grace is how long an interrupted run is waited for: compiled code that does not watch the
// context cannot be stopped.
const grace = 2 * time.Second

// Run runs a cell. The errors are *CompileError, *PanicError, *ExitError, *ResultError and
// ErrInterrupted.
func (e *Engine) Run(ctx context.Context, cell Cell, streams Streams) (Value, error) {
	e.running.Lock()
	defer e.running.Unlock()
	if ctx.Err() != nil { // a queue of cells was interrupted before this one began
		return Value{}, ErrInterrupted
	}
	if err := e.awaitPrevious(ctx); err != nil {
		return Value{}, err
	}
	e.mu.Lock()
	e.cells[cell.Name] = cell.Source
	e.mu.Unlock()
	if e.runtime.Goroutines() {
		e.io.flush() // what they printed since the last cell ended is its output
	}
	if err := e.io.connect(streams); err != nil {
		return Value{}, err
	}
	defer e.io.flush()
	c, entry, err := e.prepare(cell)
	if err != nil {
		return Value{}, e.compileError(cell.Name, err)
	}
	before := e.commit(c)
	e.busy.Store(true)
	run, err := e.execute(ctx, entry, streams)
	e.busy.Store(e.previous != nil)
	e.withdraw(c, run, before)
	if err != nil {
		return Value{}, err
	}
	return e.value(c, run)
}

// awaitPrevious waits for an interrupted run that has not ended, so that two never overlap.
func (e *Engine) awaitPrevious(ctx context.Context) error {
	if e.previous == nil {
		return nil
	}
	select {
	case <-e.previous.Done():
	case <-ctx.Done():
		return fmt.Errorf("%w while waiting for an earlier cell: a compiled function that it called is still running", ErrInterrupted)
	}
	e.previous = nil
	e.executor.Resume()
	return nil
}

// prepare takes a cell up to the point where it can run: parsed, checked, lowered and compiled.
func (e *Engine) prepare(cell Cell) (c *checked, entry func(), err error) {
	s, err := e.parse(cell)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if r := recover(); r != nil {
			limit, ok := r.(lower.Limit)
			if !ok {
				panic(r)
			}
			err = limitError{limit}
		}
		if err != nil {
			e.lowerer.GiveUp()
		}
	}()
	if c, err = e.check(s); err != nil {
		return nil, nil, err
	}
	unit := e.lower(c)
	if e.trace != nil {
		e.trace(unit)
	}
	if entry, err = e.executor.Compile(unit); err != nil {
		return nil, nil, fmt.Errorf("this engine cannot run the cell: %w", err)
	}
	e.lowerer.Commit()
	return c, entry, nil
}

// limitError is a lower.Limit as an error.
type limitError struct{ lower.Limit }

func (l limitError) Error() string { return l.Text }

// lower gives the unit of a checked cell.
func (e *Engine) lower(c *checked) string {
	e.lowerer.Add([]*ast.File{c.file}, c.info)
	e.inherit(c)
	for _, it := range c.items {
		if it.spec == nil {
			continue
		}
		for _, id := range it.spec.Names {
			v, ok := c.info.Defs[id].(*types.Var)
			if !ok || id.Name == "_" {
				continue
			}
			e.lowerer.TopLevel[v] = true
			if old := c.old[id.Name]; old != nil && types.Identical(old.Type(), v.Type()) {
				e.lowerer.Rename(v, old)
			}
		}
	}
	text := e.lowerer.AddSources()
	var then []*types.Func
	for _, d := range c.decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
			then = append(then, c.info.Defs[f.Name].(*types.Func))
		}
	}
	for _, d := range c.syntax.decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "main" {
			then = append(then, c.info.Defs[f.Name].(*types.Func))
		}
	}
	if c.program {
		text += e.lowerer.Initialise(c.info, then)
	} else {
		text += e.lowerer.Cell(c.info, e.ordered(c), then)
	}
	return e.lowerer.Flush(text)
}

// ordered gives the items in the order in which they run: as written, but a var whose value
// depends on a later var of the cell comes after it, as in a package.
func (e *Engine) ordered(c *checked) []lower.Item {
	at := map[types.Object]int{}
	for i, it := range c.items {
		if it.spec != nil {
			for _, id := range it.spec.Names {
				if o := c.info.Defs[id]; o != nil {
					at[o] = i
				}
			}
		}
	}
	var order []int
	done := map[int]bool{}
	emit := func(i int) {
		if !done[i] {
			done[i] = true
			order = append(order, i)
		}
	}
	for i, it := range c.items {
		if it.spec != nil && !it.define {
			for _, in := range c.info.InitOrder {
				j, ok := at[in.Lhs[0]]
				if ok && j == i {
					break
				}
				if ok && j > i && !c.items[j].define {
					emit(j)
				}
			}
		}
		emit(i)
	}
	items := make([]lower.Item, len(order))
	for k, i := range order {
		it := c.items[i]
		items[k] = lower.Item{Spec: it.spec, Stmt: it.stmt}
		if it.result != nil {
			items[k] = lower.Item{Result: it.result}
		}
	}
	return items
}

// commit makes what the cell declares visible to the next, and returns the state before.
func (e *Engine) commit(c *checked) map[string]types.Object {
	e.mu.Lock()
	defer e.mu.Unlock()
	before := map[string]types.Object{}
	st := &e.state
	for _, im := range c.imports {
		path := strings.Trim(im.Path.Value, "\"`")
		switch n := importName(im); n {
		case "_":
		case ".":
			st.dots = append(st.dots, path)
		default:
			if im.Name == nil {
				if p, err := e.packages.Import(path); err == nil {
					n = p.Name()
				}
			}
			st.imports[n] = path
			delete(st.scope, n)
		}
	}
	e.forgetMethods(c)
	for _, d := range c.decls {
		for _, k := range keysOf(d) {
			if k.name == "_" || k.name == "init" {
				continue
			}
			if st.declarations[k.name] == nil {
				st.order = append(st.order, k.name)
			}
			doc := c.docs[d]
			if old := st.declarations[k.name]; old != nil && old.decl == d {
				doc = old.doc
			}
			st.declarations[k.name] = &declared{k.name, d, identifiers(d), doc}
		}
	}
	for _, l := range [][]string{c.names(), sortedKeys(c.renewed), sortedKeys(c.inherited)} {
		for _, n := range l {
			if o := e.pkg.Scope().Lookup(n); o != nil {
				before[n] = st.scope[n]
				st.scope[n] = o
				if old, ok := before[n].(*types.Func); ok && old != o {
					e.executor.Drop(e.lowerer.Forget(old))
				}
				if _, ok := o.(*types.Var); ok {
					delete(st.declarations, n)
					if !slices.Contains(st.variables, n) {
						st.variables = append(st.variables, n)
					}
				}
			}
		}
	}
	return before
}

// names are what the cell defines, in the order of the source.
func (s *syntax) names() []string {
	l := sortedKeys(s.defined)
	slices.SortStableFunc(l, func(a, b string) int { return int(s.defined[a] - s.defined[b]) })
	return l
}

// forgetMethods drops the methods of types that the cell declares anew.
func (e *Engine) forgetMethods(c *checked) {
	for k := range e.state.declarations {
		base, _, isMethod := strings.Cut(k, ".")
		if isMethod && c.has(base) && !c.methods[k] {
			delete(e.state.declarations, k)
		}
	}
}

// withdraw takes back the variables whose declarations a panic left out.
func (e *Engine) withdraw(c *checked, run *border.Run, before map[string]types.Object) {
	if run == nil || c.program || run.Reached >= len(c.items) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, it := range c.items[min(run.Reached, len(c.items)):] {
		if it.spec == nil {
			continue
		}
		for _, id := range it.spec.Names {
			if old, ok := before[id.Name]; ok {
				if old != nil {
					e.state.scope[id.Name] = old
				} else {
					delete(e.state.scope, id.Name)
				}
			}
		}
	}
}

// execute runs the entry of a unit, or a compiled function, under ctx.
func (e *Engine) execute(ctx context.Context, entry func(), streams Streams) (*border.Run, error) {
	// Goroutines that a cell leaves behind keep its context, which therefore ends only when the
	// cell is interrupted while it runs.
	caller := ctx
	ctx, cancel := context.WithCancelCause(context.Background())
	release := context.AfterFunc(caller, func() { cancel(context.Cause(caller)) })
	defer release()
	e.runtime.Exit = func(code int) { cancel(&ExitError{code}) }
	e.cancel.Store(&cancel)
	run := e.runtime.Begin(ctx)
	run.Late = e.io.late(streams)
	ended := make(chan struct{})
	go watchStack(cancel, ended)
	go e.runtime.Main(run, entry)
	select {
	case <-run.Done():
	case <-ctx.Done():
	}
	close(ended)
	if ctx.Err() == nil {
		if r := run.Raised(); r != nil {
			return run, e.panicError(r)
		}
		return run, nil
	}
	e.executor.Interrupt()
	cause := context.Cause(ctx)
	if !run.Wait(grace) {
		e.previous = run
		return nil, e.ended(cause, "; a compiled function that the cell called is still running, and the next cell waits for it")
	}
	run.WaitGoroutines(50 * time.Millisecond)
	e.executor.Resume()
	return run, e.ended(cause, "")
}

// ended makes the cause of a context's end the error of Run.
func (e *Engine) ended(cause error, note string) error {
	var exit *ExitError
	var panicked *PanicError
	switch {
	case errors.As(cause, &exit), errors.As(cause, &panicked):
		return cause
	}
	return fmt.Errorf("%w%s", ErrInterrupted, note)
}

// stackLimit is by how much all goroutine stacks grow in a cell that is taken to recurse without end:
// a stack of 128 MB, on which a function calls itself 200,000 times, may stand beside the one of half
// its size that it was copied from. The process dies when one stack reaches 1 GB.
const stackLimit = 224 << 20

// watchStack ends a run whose stacks grow without end.
func watchStack(cancel context.CancelCauseFunc, ended <-chan struct{}) {
	s := []metrics.Sample{{Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(s)
	limit := s[0].Value.Uint64() + stackLimit // the stack of an earlier overflow may still be kept
	t := time.NewTicker(5 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case <-ended:
			return
		case <-t.C:
			metrics.Read(s)
			if s[0].Value.Uint64() > limit {
				cancel(&PanicError{Value: errStack, Text: errStack.Error()})
				return
			}
		}
	}
}

var errStack = errors.New("stack overflow: a function calls itself without end")
