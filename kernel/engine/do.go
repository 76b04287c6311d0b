package engine

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/split"
)

// Do runs f as the code of a cell is run: after the running cell, with its output on streams, and
// until ctx ends. f is a compiled function that calls functions of the cells, such as the one that
// redraws when a slider has been moved. The errors are those of Run but *CompileError.
func (e *Engine) Do(ctx context.Context, streams Streams, f func()) error {
	e.running.Lock()
	defer e.running.Unlock()
	if err := e.awaitPrevious(ctx); err != nil {
		return err
	}
	if err := e.io.connect(streams); err != nil {
		return err
	}
	defer e.io.flush()
	e.busy.Store(true)
	_, err := e.execute(ctx, f, streams)
	e.busy.Store(e.previous != nil)
	return err
}

// Seen is a value that a function of a cell returned in an interface, as a cell's value would be.
func (e *Engine) Seen(x any) Value {
	return Value{Present: true, Any: e.runtime.Out(x), Type: e.runtime.TypeName(x), Text: cut(e.runtime.Sprint(x))}
}

// Parameters are the names of the parameters of a function that a cell hands over: of the given
// argument in the call of callee, written as "widgets.Interact", that is running now. It is for
// compiled functions that a cell calls. nil: they are not known, or there are not count of them.
func (e *Engine) Parameters(callee string, argument, count int) []string {
	cell, line := e.runtime.Place(*e.runtime.Position)
	e.mu.RLock()
	source := e.cells[cell]
	e.mu.RUnlock()
	var best []string
	size := 0
	for _, c := range calls(source, callee) {
		if len(c.call.Args) <= argument {
			continue
		}
		names := e.parametersOf(source, c.start, c.call.Args[argument])
		here := c.first <= line && line <= c.last
		// The innermost call around the line, else the first in the cell.
		if lines := c.last - c.first + 1; len(names) == count && (here && (size == 0 || lines < size) || best == nil) {
			best = names
			if here {
				size = lines
			}
		}
	}
	return best
}

// callAt is a call in a source: start is what to add to its positions for offsets in the source.
type callAt struct {
	call        *ast.CallExpr
	start       int
	first, last int // lines
}

// calls are the calls of callee in the source of a cell.
func calls(source, callee string) (all []callAt) {
	in := newLines(source)
	for _, part := range split.Cell(source) {
		frame := "package main;func _() {"
		if part.Declaration() {
			frame = "package main;"
		}
		text := frame + source[part.Start:part.End]
		if !part.Declaration() {
			text += "\n}"
		}
		fset := token.NewFileSet()
		f, _ := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
		if f == nil {
			continue
		}
		start := part.Start - len(frame) - fset.File(f.Package).Base()
		ast.Inspect(f, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && types.ExprString(c.Fun) == callee {
				first, _ := in.at(int(c.Pos()) + start)
				last, _ := in.at(int(c.End()) + start)
				all = append(all, callAt{c, start, first, last})
			}
			return true
		})
	}
	return all
}

// parametersOf are the names of the parameters of a function: as written in a literal, else as
// declared by the type of what is named.
func (e *Engine) parametersOf(source string, start int, x ast.Expr) (names []string) {
	switch x := ast.Unparen(x).(type) {
	case *ast.FuncLit:
		for _, field := range x.Type.Params.List {
			for _, name := range field.Names {
				names = append(names, name.Name)
			}
		}
	case *ast.SelectorExpr:
		return e.parametersOf(source, start, x.Sel)
	case *ast.Ident:
		p := e.probe(source, int(x.Pos())+start, int(x.End())+start, x.Name)
		if p.name == nil {
			return nil
		}
		o := p.info.Uses[p.name]
		if o == nil {
			return nil
		}
		if s, ok := o.Type().Underlying().(*types.Signature); ok {
			for v := range s.Params().Variables() {
				names = append(names, v.Name())
			}
		}
	}
	return names
}
