package engine

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

type Description struct {
	Name, Kind, Signature string
	Doc                   string // the comment before its declaration in a cell
	Value                 string // of a variable, cut at 1000 bytes
}

type Name struct{ Name, Type, Text string }

func matchOf(obj types.Object) Match {
	m := Match{Text: obj.Name(), Kind: kindOf(obj)}
	if obj.Type() != nil && m.Kind != "package" {
		m.Signature = describe(obj.Type())
	}
	switch obj := obj.(type) {
	case *types.Func:
		m.Signature = "func " + obj.Name() + strings.TrimPrefix(m.Signature, "func")
	case *types.TypeName:
		if obj.Type() != nil {
			m.Signature = "type " + obj.Name() + " " + describe(obj.Type().Underlying())
		}
	case *types.Builtin:
		m.Signature = ""
	case *types.Const:
		m.Signature += " = " + obj.Val().String()
	}
	return m
}

func kindOf(obj types.Object) string {
	switch obj := obj.(type) {
	case *types.Func:
		if obj.Signature().Recv() != nil {
			return "method"
		}
		return "function"
	case *types.Builtin:
		return "function"
	case *types.TypeName:
		return "type"
	case *types.Const, *types.Nil:
		return "constant"
	case *types.PkgName:
		return "package"
	case *types.Var:
		if obj.IsField() {
			return "field"
		}
	}
	return "variable"
}

func (e *Engine) Inspect(source string, cursor int) (d Description, ok bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	end := max(0, min(cursor, len(source)))
	for end < len(source) && isLetter(source[end]) {
		end++
	}
	if end > 0 && !isLetter(source[end-1]) && source[end-1] == '(' {
		end--
	}
	u, p := e.scope()
	if u == nil {
		return d, false
	}
	tv, obj := e.eval(u, p, pathBefore(source[:end]))
	if obj == nil && tv.Type == nil {
		return d, false
	}
	if obj == nil {
		return Description{Name: pathBefore(source[:end]), Kind: "expression", Signature: describe(tv.Type)}, true
	}
	m := matchOf(obj)
	d = Description{Name: m.Text, Kind: m.Kind, Signature: m.Signature}
	if pkg, ok := obj.(*types.PkgName); ok {
		d.Signature = pkg.Imported().Path()
	}
	if own := e.state.find(obj.Name()); own != nil && obj.Parent() == u.pkg.Scope() {
		d.Doc = own.doc()
		if own.kind == varItem {
			d.Value = e.short(own)
		}
	}
	return d, true
}

func (d *decl) doc() string {
	lines := strings.Split(d.origin.source, "\n")
	var out []string
	for i := d.origin.line - 2; i >= 0 && i < len(lines); i-- {
		text, ok := strings.CutPrefix(strings.TrimSpace(lines[i]), "//")
		if !ok {
			break
		}
		out = append(out, strings.TrimSpace(text))
	}
	slices.Reverse(out)
	return strings.Join(out, "\n")
}

func (e *Engine) Names() []Name {
	e.mu.Lock()
	defer e.mu.Unlock()
	var out []Name
	u, _ := e.scope()
	for _, d := range e.state.decls {
		if d.kind != varItem || u == nil {
			continue
		}
		if obj := u.pkg.Scope().Lookup(d.name); obj != nil {
			out = append(out, Name{d.name, describe(obj.Type()), e.short(d)})
		}
	}
	return out
}

func (e *Engine) short(d *decl) string {
	v, ok := e.global(d)
	if !ok || !v.CanInterface() {
		return ""
	}
	switch k := v.Kind(); {
	case k >= reflect.Bool && k <= reflect.Complex128, k == reflect.String:
	case e.running.Load():
		return ""
	}
	s := fmt.Sprint(v.Interface())
	if len(s) > shortText {
		s = strings.ToValidUTF8(s[:shortText], "") + "…"
	}
	return s
}
