package engine

import (
	"go/ast"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/split"
)

// State is what a front end wants to know of a source before it sends it.
type State = split.State

// The states of a source.
const (
	Complete   = split.Complete
	Incomplete = split.Incomplete
	Invalid    = split.Invalid
)

// Completeness tells whether source is complete, and the indentation of the next line when it is
// not.
func (e *Engine) Completeness(source string) (state State, indent string) {
	return split.Completeness(source)
}

// Match is one way to complete a name.
type Match struct {
	Text      string
	Kind      string // "variable", "function", "method", "field", "type", "constant", "package", "keyword"
	Signature string // "func(x float64) float64", the type of a variable or field
}

// Complete lists what the name before byte offset cursor may become; the matches replace
// source[start:end].
func (e *Engine) Complete(source string, cursor int) (matches []Match, start, end int) {
	start, end = nameAt(source, cursor, false)
	prefix := source[start:end]
	p := e.probe(source, start, end, missing)
	if p.name == nil {
		return nil, start, end
	}
	seen := map[string]bool{}
	add := func(o types.Object) {
		if n := o.Name(); strings.HasPrefix(n, prefix) && n != "_" && !seen[n] {
			seen[n] = true
			matches = append(matches, Match{n, kindOf(o), signature(o)})
		}
	}
	if x := p.selectorOf(); x != nil {
		p.members(x, add)
	} else {
		fields := p.literalFields()
		for _, f := range fields {
			add(f)
		}
		if prefix != "" || len(fields) == 0 {
			p.inScope(add)
			matches = append(matches, e.words(prefix, seen)...)
		}
	}
	sort.SliceStable(matches, func(i, j int) bool {
		a, b := matches[i], matches[j]
		if (a.Kind == "field") != (b.Kind == "field") && p.selectorOf() == nil {
			return a.Kind == "field"
		}
		return a.Text < b.Text
	})
	return matches, start, end
}

// words are package names and keywords.
func (e *Engine) words(prefix string, seen map[string]bool) (l []Match) {
	if prefix == "" {
		return nil
	}
	for _, n := range e.packages.Names() {
		if strings.HasPrefix(n, prefix) && !seen[n] {
			seen[n] = true
			path, _ := e.packages.ByName(n)
			l = append(l, Match{Text: n, Kind: "package", Signature: path})
		}
	}
	for t := token.BREAK; t <= token.VAR; t++ {
		if n := t.String(); strings.HasPrefix(n, prefix) && !seen[n] {
			seen[n] = true
			l = append(l, Match{Text: n, Kind: "keyword"})
		}
	}
	return l
}

// selectorOf gives x when the name at the cursor is that of x.name.
func (p *probe) selectorOf() (x ast.Expr) {
	ast.Inspect(p.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel == p.name {
			x = s.X
		}
		return true
	})
	return x
}

// members calls f for what x.name may name.
func (p *probe) members(x ast.Expr, f func(types.Object)) {
	if id, ok := x.(*ast.Ident); ok {
		if pn, ok := p.info.Uses[id].(*types.PkgName); ok {
			s := pn.Imported().Scope()
			for _, n := range s.Names() {
				if o := s.Lookup(n); o.Exported() {
					f(o)
				}
			}
			return
		}
	}
	tv, ok := p.info.Types[x]
	if !ok || tv.Type == nil {
		return
	}
	visible := func(o types.Object) {
		if o.Exported() || o.Pkg() != nil && o.Pkg().Path() == "main" {
			f(o)
		}
	}
	if !tv.IsType() {
		fields(tv.Type, visible, 0)
	}
	t := tv.Type
	if _, isPointer := t.Underlying().(*types.Pointer); !isPointer && !types.IsInterface(t) {
		t = types.NewPointer(t)
	}
	ms := types.NewMethodSet(t)
	for i := range ms.Len() {
		visible(ms.At(i).Obj())
	}
}

// fields calls f for the fields of a struct, those of embedded structs after its own.
func fields(t types.Type, f func(types.Object), depth int) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	st, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 5 {
		return
	}
	for v := range st.Fields() {
		f(v)
	}
	for v := range st.Fields() {
		if v.Embedded() {
			fields(v.Type(), f, depth+1)
		}
	}
}

// literalFields are the fields that can still be set when the name at the cursor begins an element
// of a struct literal.
func (p *probe) literalFields() (l []types.Object) {
	ast.Inspect(p.file, func(n ast.Node) bool {
		c, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		here := false
		set := map[string]bool{}
		for _, el := range c.Elts {
			if el == ast.Expr(p.name) {
				here = true
			}
			if kv, ok := el.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok {
					set[id.Name] = true
				}
			}
		}
		t := p.info.TypeOf(c)
		if !here || t == nil {
			return true
		}
		if q, ok := t.Underlying().(*types.Pointer); ok {
			t = q.Elem()
		}
		if st, ok := t.Underlying().(*types.Struct); ok {
			for v := range st.Fields() {
				if !set[v.Name()] && (v.Exported() || v.Pkg() == nil || v.Pkg().Path() == "main") {
					l = append(l, v)
				}
			}
		}
		return true
	})
	return l
}

func kindOf(o types.Object) string {
	switch o := o.(type) {
	case *types.Var:
		if o.IsField() {
			return "field"
		}
		return "variable"
	case *types.Func:
		if o.Signature().Recv() != nil {
			return "method"
		}
		return "function"
	case *types.TypeName:
		return "type"
	case *types.Const, *types.Nil:
		return "constant"
	case *types.PkgName:
		return "package"
	case *types.Builtin:
		return "function"
	}
	return "keyword"
}

// signature describes an object in one line.
func signature(o types.Object) string {
	switch o := o.(type) {
	case *types.Func:
		return "func " + o.Name() + strings.TrimPrefix(types.TypeString(o.Signature(), qualifyName), "func")
	case *types.Var:
		return types.TypeString(o.Type(), qualifyName)
	case *types.Const:
		return types.TypeString(o.Type(), qualifyName) + " = " + o.Val().String()
	case *types.PkgName:
		return o.Imported().Path()
	}
	return ""
}

// qualifyName writes a type as Go's messages do: main.T.
func qualifyName(p *types.Package) string { return p.Name() }

// qualifyOwn leaves out the notebook's own package.
func qualifyOwn(p *types.Package) string {
	if p.Path() == "main" {
		return ""
	}
	return p.Name()
}
