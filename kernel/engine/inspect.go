package engine

import (
	"go/types"
	"strings"
)

// Description is what is known of a name.
type Description struct {
	Name      string
	Kind      string // as Match.Kind
	Signature string // "func Sqrt(x float64) float64", "type T struct{A int}", a variable's type, a package's path
	Doc       string // its comment, for names of cells
	Value     string // a short text of a variable's value
}

// Inspect describes the name at byte offset cursor; after a bracket that ends an expression, the
// expression's value; inside the brackets of a call, the function.
func (e *Engine) Inspect(source string, cursor int) (Description, bool) {
	cursor = max(0, min(cursor, len(source)))
	start, end := nameAt(source, cursor, true)
	if start == end {
		if before := strings.TrimRight(source[:cursor], " "); before != "" && strings.ContainsAny(before[len(before)-1:], ")]}") {
			return e.inspectValue(before)
		}
		if start, end = calledName(source, cursor); start == end {
			return Description{}, false
		}
	}
	name := source[start:end]
	p := e.probe(source, start, end, name)
	if p.name == nil {
		return Description{}, false
	}
	o := p.info.Uses[p.name]
	if o == nil {
		o = p.info.Defs[p.name]
	}
	if o == nil {
		path, ok := e.packages.ByName(name)
		return Description{Name: name, Kind: "package", Signature: path}, ok && (start == 0 || source[start-1] != '.')
	}
	d := Description{Name: o.Name(), Kind: kindOf(o), Signature: signature(o)}
	if t, ok := o.(*types.TypeName); ok {
		d.Signature = types.ObjectString(t, qualifyOwn)
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	d.Doc = e.docOf(o)
	if v, ok := o.(*types.Var); ok && e.state.scope[v.Name()] == o {
		d.Value = e.shortText(v)
	}
	return d, true
}

// inspectValue describes the value of the expression that ends source.
func (e *Engine) inspectValue(source string) (Description, bool) {
	p := e.probe(source+".", len(source)+1, len(source)+1, missing)
	x := p.selectorOf()
	if p.name == nil || x == nil {
		return Description{}, false
	}
	tv, ok := p.info.Types[x]
	if !ok || tv.Type == nil || !tv.IsValue() {
		return Description{}, false
	}
	return Description{Kind: "variable", Signature: types.TypeString(tv.Type, qualifyName)}, true
}

// calledName finds the name before the innermost open parenthesis.
func calledName(source string, cursor int) (start, end int) {
	depth := 0
	for i := min(cursor, len(source)) - 1; i >= 0; i-- {
		switch source[i] {
		case ')':
			depth++
		case '(':
			if depth == 0 {
				return nameAt(source, i, false)
			}
			depth--
		}
	}
	return 0, 0
}

// docOf is the comment of a declaration of a cell.
func (e *Engine) docOf(o types.Object) string {
	if o.Pkg() == nil || o.Pkg().Path() != "main" {
		return ""
	}
	key := o.Name()
	if f, ok := o.(*types.Func); ok && f.Signature().Recv() != nil {
		t := f.Signature().Recv().Type()
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if n, ok := t.(*types.Named); ok {
			key = n.Obj().Name() + "." + key
		}
	}
	if d := e.state.declarations[key]; d != nil {
		return d.doc
	}
	return ""
}

// docAbove is the comment that ends on the line above offset.
func docAbove(source string, offset int) string {
	lines := strings.Split(source[:offset], "\n")
	var doc []string
	for i := len(lines) - 2; i >= 0; i-- {
		l := strings.TrimSpace(lines[i])
		if !strings.HasPrefix(l, "//") {
			break
		}
		doc = append([]string{strings.TrimPrefix(strings.TrimPrefix(l, "//"), " ")}, doc...)
	}
	return strings.Join(doc, "\n")
}
