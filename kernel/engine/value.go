package engine

import (
	"fmt"
	"go/ast"
	"go/types"
	"reflect"
	"strings"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/border"
)

// Value is what the last expression of a cell gave.
type Value struct {
	// Present is false when there is nothing to show: no last expression, no results, a nil error,
	// the byte count of Print, or a cell that ends with a semicolon.
	Present bool
	// Any is the value as compiled code sees it. A value of a cell's type with String, Error, HTML,
	// SVG, PNG, Markdown, LaTeX or MimeBundle methods arrives in a wrapper that has them.
	Any any
	// Type is the Go type as its author wrote it: "main.T", "[]float64".
	Type string
	// Text is the value as fmt.Sprint in the cell would print it, cut at 64 kB.
	Text string
}

const maxText = 64 << 10

// value makes the cell's value of what its last expression gave.
func (e *Engine) value(c *checked, run *border.Run) (Value, error) {
	if len(c.items) == 0 || run == nil || len(run.Result) == 0 {
		return Value{}, nil
	}
	x := c.items[len(c.items)-1].result
	if x == nil {
		return Value{}, nil
	}
	ts := resultTypes(c.info.TypeOf(x))
	values := run.Result
	last := len(values) - 1
	if last < len(ts) && isError(ts[last]) {
		if err, _ := e.runtime.Out(values[last]).(error); err != nil {
			p := e.fset.Position(x.Pos())
			return Value{}, &ResultError{Err: err, Cell: p.Filename, Line: p.Line, Column: p.Column}
		}
		values, ts = values[:last], ts[:last]
	}
	if len(values) == 0 || c.silent || prints(c.info, x) {
		return Value{}, nil
	}
	return e.show(values, ts), nil
}

func resultTypes(t types.Type) []types.Type {
	tu, ok := t.(*types.Tuple)
	if !ok {
		return []types.Type{types.Default(t)}
	}
	var l []types.Type
	for v := range tu.Variables() {
		l = append(l, v.Type())
	}
	return l
}

func isError(t types.Type) bool {
	return types.Identical(t, types.Universe.Lookup("error").Type())
}

// prints tells a call of a function that prints: its count is not wanted.
func prints(info *types.Info, x ast.Expr) bool {
	call, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	s, ok := ast.Unparen(call.Fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[s.Sel].(*types.Func)
	return ok && f.Pkg() != nil && f.Pkg().Path() == "fmt" && (strings.HasPrefix(f.Name(), "Print") || strings.HasPrefix(f.Name(), "Fprint"))
}

// show describes one value, or several as a list.
func (e *Engine) show(values []any, ts []types.Type) Value {
	if len(values) == 1 {
		return Value{Present: true, Any: e.runtime.Out(values[0]), Type: e.typeName(values[0], ts[0]), Text: cut(e.sprint(values[0], maxText))}
	}
	v := Value{Present: true}
	var all []any
	var names, texts []string
	for i, x := range values {
		all = append(all, e.runtime.Out(x))
		names = append(names, e.typeName(x, ts[i]))
		texts = append(texts, e.runtime.Sprint(x))
	}
	v.Any, v.Type, v.Text = all, "("+strings.Join(names, ", ")+")", cut(strings.Join(texts, ", "))
	return v
}

// typeName is the static type, or what an interface holds.
func (e *Engine) typeName(x any, t types.Type) string {
	if types.IsInterface(t) && x != nil {
		return e.runtime.TypeName(x)
	}
	return types.TypeString(t, func(p *types.Package) string { return p.Name() })
}

func cut(s string) string {
	if len(s) <= maxText {
		return s
	}
	n := maxText
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// Name is a live variable.
type Name struct {
	Name, Type, Text string
}

// Names lists the variables of the notebook in the order of their first declaration, each with a
// short text.
func (e *Engine) Names() []Name {
	e.mu.RLock()
	defer e.mu.RUnlock()
	var l []Name
	for _, n := range e.state.variables {
		if v, ok := e.state.scope[n].(*types.Var); ok {
			l = append(l, Name{n, types.TypeString(v.Type(), qualifyName), e.shortText(v)})
		}
	}
	return l
}

// shortText prints a variable briefly. While a cell runs only numbers are looked at, since the
// cell may be changing the others.
func (e *Engine) shortText(v *types.Var) string {
	if b, ok := v.Type().Underlying().(*types.Basic); e.busy.Load() && (!ok || b.Info()&(types.IsNumeric|types.IsBoolean) == 0) {
		return ""
	}
	x, ok := e.lookup(v)
	if !ok {
		return ""
	}
	return short(e.sprint(x, shortText))
}

// sprint prints a value of which at most n bytes are wanted. Of a large slice or map only a part is
// printed, which would take seconds.
func (e *Engine) sprint(x any, n int) string {
	switch v := reflect.ValueOf(x); {
	case !v.IsValid() || v.Type().NumMethod() > 0:
	case v.Kind() == reflect.Slice && v.Len() > n+1: // each element takes a byte
		return e.runtime.Sprint(v.Slice(0, n+1).Interface())
	case v.Kind() == reflect.Map && v.Len() > 100*n:
		return fmt.Sprintf("map of %d keys", v.Len())
	}
	return e.runtime.Sprint(x)
}

const shortText = 80

func short(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if utf8.RuneCountInString(s) > shortText {
		return string([]rune(s)[:shortText-1]) + "…"
	}
	return s
}

// Lookup gives the value of a variable as compiled code sees it.
func (e *Engine) Lookup(name string) (any, bool) {
	e.mu.RLock()
	defer e.mu.RUnlock()
	v, ok := e.state.scope[name].(*types.Var)
	if !ok {
		return nil, false
	}
	x, ok := e.lookup(v)
	return e.runtime.Out(x), ok
}

// lookup reads a variable's storage as an interface of a cell would hold it.
func (e *Engine) lookup(v *types.Var) (any, bool) {
	storage, ok := e.executor.Variable(e.lowerer.Global(v))
	if !ok || !storage.IsValid() || !storage.CanInterface() {
		return nil, false
	}
	return e.runtime.Boxed(v.Type(), storage), true
}
