package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/lower"
)

// plan is a cell together with the earlier declarations that must be checked and lowered again
// because the cell changes what they use.
type plan struct {
	*syntax
	again   []*declared
	renewed map[string]bool // names that again declares
	decls   []ast.Decl      // the cell's and those of again
	heirs   bool            // only methods change: values of the types before are of the new ones
}

// changes are the names whose meaning a cell changes. Variables are among them only when their
// type does: their storage stays otherwise.
func (e *Engine) changes(s *syntax) map[string]bool {
	dirty := map[string]bool{}
	for n := range s.defined {
		old, ok := e.state.scope[n]
		if !ok {
			continue
		}
		if _, wasVar := old.(*types.Var); !wasVar || !s.vars[n] {
			dirty[n] = true
		}
	}
	for k := range s.methods {
		if t, method, _ := strings.Cut(k, "."); !s.has(t) && e.isType(t) {
			dirty[t], dirty[method] = true, true
		}
	}
	return dirty
}

func (s *syntax) has(name string) bool {
	_, ok := s.defined[name]
	return ok
}

// plan finds the declarations that depend on changed names, directly or not.
func (e *Engine) plan(s *syntax, changed map[string]bool) *plan {
	p := &plan{syntax: s, renewed: map[string]bool{}, decls: s.decls, heirs: true}
	for n := range changed {
		p.heirs = p.heirs && !s.has(n)
	}
	dirty := maps.Clone(changed)
	chosen := map[string]bool{}
	for more := true; more; {
		more = false
		for k, d := range e.state.declarations {
			base, _, isMethod := strings.Cut(k, ".")
			if chosen[k] || s.methods[k] || s.has(base) {
				continue // a new type starts without methods
			}
			if dirty[base] && (isMethod || !changed[base] || e.isType(base)) || usesAny(d, dirty) {
				chosen[k] = true
				more = true
				dirty[base] = true
			}
		}
	}
	for _, k := range e.state.order {
		if !chosen[k] {
			continue
		}
		d := e.state.declarations[k]
		if !containsDecl(p.decls, d.decl) {
			p.decls = append(p.decls[:len(p.decls):len(p.decls)], d.decl)
		}
		p.again = append(p.again, d)
		if !strings.Contains(k, ".") {
			p.renewed[k] = true
		}
	}
	return p
}

// containsDecl tells a declaration of several names that is already there.
func containsDecl(l []ast.Decl, d ast.Decl) bool {
	for _, x := range l {
		if x == d {
			return true
		}
	}
	return false
}

func (e *Engine) isType(name string) bool {
	_, ok := e.state.scope[name].(*types.TypeName)
	return ok
}

func usesAny(d *declared, names map[string]bool) bool {
	_, method, isMethod := strings.Cut(d.key, ".")
	for n := range names {
		if d.uses[n] && !(isMethod && n == method) && n != d.key {
			return true
		}
	}
	return false
}

// retyped are the variables that the checked cell gives another type.
func (e *Engine) retyped(p *plan) map[string]bool {
	m := map[string]bool{}
	for n := range p.defined {
		old, ok1 := e.state.scope[n].(*types.Var)
		v, ok2 := e.pkg.Scope().Lookup(n).(*types.Var)
		if ok1 && ok2 && !types.Identical(old.Type(), v.Type()) {
			m[n] = true
		}
	}
	return m
}

// needs tells whether any earlier declaration uses one of names.
func (e *Engine) needs(p *plan, names map[string]bool) bool {
	for k, d := range e.state.declarations {
		if base, _, _ := strings.Cut(k, "."); !p.renewed[base] && !p.has(base) && usesAny(d, names) {
			return true
		}
	}
	return false
}

// renameOld makes the values of a variable declaration use the earlier variable of the same name,
// as x := x + 1 means. It gives the names found.
func renameOld(spec *ast.ValueSpec, old map[string]*types.Var) {
	names := map[string]bool{}
	for _, id := range spec.Names {
		if old[id.Name] != nil {
			names[id.Name] = true
		}
	}
	if len(names) == 0 {
		return
	}
	var visit func(n ast.Node) bool
	visit = func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			ast.Inspect(n.X, visit)
			return false
		case *ast.FuncLit:
			for _, f := range n.Type.Params.List {
				for _, id := range f.Names {
					if names[id.Name] {
						return false
					}
				}
			}
		case *ast.CompositeLit:
			if n.Type != nil {
				ast.Inspect(n.Type, visit)
			}
			_, isMap := n.Type.(*ast.MapType)
			for _, el := range n.Elts {
				if kv, ok := el.(*ast.KeyValueExpr); ok {
					if isMap {
						ast.Inspect(kv.Key, visit)
					}
					el = kv.Value
				}
				ast.Inspect(el, visit)
			}
			return false
		case *ast.Ident:
			if names[n.Name] {
				n.Name += oldMark
			}
		}
		return true
	}
	for _, v := range spec.Values {
		ast.Inspect(v, visit)
	}
}

// successors pairs the earlier types with those that the checked cell declares in their place.
func (e *Engine) successors(c *checked) lower.Successors {
	s := lower.Successors{}
	for n := range c.renewed {
		old, ok1 := e.state.scope[n].(*types.TypeName)
		now, ok2 := e.pkg.Scope().Lookup(n).(*types.TypeName)
		if !ok1 || !ok2 {
			continue
		}
		a, ok1 := types.Unalias(old.Type()).(*types.Named)
		b, ok2 := types.Unalias(now.Type()).(*types.Named)
		if ok1 && ok2 && a.Obj() == old && b.Obj() == now {
			s[a] = b
		}
	}
	return s
}

// heir gives the declaration by which variable v of an earlier cell gets the renewed form of its
// type, nil when its type has none.
func (e *Engine) heir(p *plan, v *types.Var) ast.Decl {
	renewed := lower.Successors{}
	for n := range p.renewed {
		if o, ok := e.state.scope[n].(*types.TypeName); ok {
			if t, ok := types.Unalias(o.Type()).(*types.Named); ok {
				renewed[t] = placeholder
			}
		}
	}
	if !p.heirs || len(renewed) == 0 || types.Identical(e.lowerer.Successor(v.Type(), renewed), v.Type()) {
		return nil
	}
	x, err := parser.ParseExpr(types.TypeString(v.Type(), func(q *types.Package) string {
		if q == e.pkg {
			return ""
		}
		return q.Name()
	}))
	if err != nil {
		return nil
	}
	return &ast.GenDecl{Tok: token.VAR, TokPos: v.Pos(), Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{{Name: v.Name(), NamePos: v.Pos()}}, Type: x}}}
}

// placeholder stands for any type that is going to be declared anew.
var placeholder = types.NewNamed(types.NewTypeName(token.NoPos, nil, "_", nil), types.Typ[types.Int], nil)

// inherit makes values and variables of earlier types those of the types that take their place.
func (e *Engine) inherit(c *checked) {
	s := e.successors(c)
	if !c.heirs || len(s) == 0 {
		return
	}
	methods := map[string]bool{}
	for k := range c.methods {
		_, m, _ := strings.Cut(k, ".")
		methods[m] = true
	}
	e.lowerer.Succeed(s, methods)
	for n, old := range c.inherited {
		v, ok := e.pkg.Scope().Lookup(n).(*types.Var)
		if !ok || !types.Identical(e.lowerer.Successor(old.Type(), s), v.Type()) {
			panic(lower.Limit{Pos: old.Pos(), Text: "variable " + n + " has a type that was declared before the present " + types.TypeString(old.Type(), qualifyName) + ": declare it anew"})
		}
		e.lowerer.TopLevel[v] = true
		e.lowerer.Rename(v, old)
	}
}
