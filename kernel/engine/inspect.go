package engine

import (
	"fmt"
	"go/types"
	"strings"
)

// Description is what is known of a name.
type Description struct {
	Name      string
	Kind      string // as Match.Kind
	Signature string // "func Sqrt(x float64) float64", "type T struct{…}", "var x []int"
	Doc       string // its comment, for names of cells
	Value     string // a short text of a variable's value
}

// Inspect describes the name at byte offset cursor.
func (e *Engine) Inspect(source string, cursor int) (Description, bool) {
	start, end := nameAt(source, cursor, true)
	if start == end {
		// Inside the brackets of a call: the function's name.
		start, end = calledName(source, cursor)
		if start == end {
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
		if path, ok := e.packages.ByName(name); ok {
			return Description{Name: name, Kind: "package", Signature: fmt.Sprintf("package %s // import %q", name, path)}, true
		}
		return Description{}, false
	}
	d := Description{Name: o.Name(), Kind: kindOf(o), Signature: types.ObjectString(o, p.qualify)}
	if t, ok := o.(*types.TypeName); ok {
		d.Signature += methodsOf(t.Type(), p.qualify)
	}
	if pn, ok := o.(*types.PkgName); ok {
		d.Signature = fmt.Sprintf("package %s // import %q", pn.Imported().Name(), pn.Imported().Path())
	}
	e.mu.RLock()
	defer e.mu.RUnlock()
	d.Doc = e.docOf(o)
	if v, ok := o.(*types.Var); ok && e.state.scope[v.Name()] == o {
		if x, ok := e.lookup(v); ok {
			d.Value = short(e.runtime.Sprint(x))
		}
	}
	return d, true
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

// methodsOf lists the methods of a type, a line each.
func methodsOf(t types.Type, q types.Qualifier) string {
	if types.IsInterface(t) {
		return ""
	}
	var b strings.Builder
	ms := types.NewMethodSet(types.NewPointer(t))
	for i := range ms.Len() {
		if f := ms.At(i).Obj(); f.Exported() || f.Pkg() != nil && f.Pkg().Path() == "main" {
			b.WriteString("\n" + types.ObjectString(f, q))
		}
	}
	return b.String()
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
