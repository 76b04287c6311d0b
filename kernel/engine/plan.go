package engine

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// plan is what one cell does to the state.
type plan struct {
	engine  *Engine
	cell    Cell
	items   []*item
	imports map[string]string // of this cell
	dots    []string
	keep    map[*item]bool    // declares again, word for word, what exists
	changed map[string]bool   // keys that get a new version
	same    map[string]bool   // of those, functions whose signature stays
	retyped map[string]bool   // variables that get another type
	shadows map[string]string // types that get a new version: name of the old one
	varType map[string]string // variables of the cell, in the unit's names
	unit    *unit
}

// newPlan reads the items' names and refuses what a cell must not declare.
func (e *Engine) newPlan(cell Cell, items []*item) (*plan, error) {
	p := &plan{engine: e, cell: cell, imports: map[string]string{}, keep: map[*item]bool{}, retyped: map[string]bool{}}
	for _, it := range items {
		o := origin{cell: cell.Name, source: cell.Source, line: it.line, column: it.column}
		if it.kind == importItem {
			if err := p.addImports(it, o); err != nil {
				return nil, err
			}
			continue
		}
		for _, name := range it.names {
			if it.kind != methodItem && types.Universe.Lookup(name) != nil {
				err := newError("type", o, fmt.Sprintf("cannot declare %s: the name is predeclared in Go and later cells would lose it", name))
				err.Hint = "choose another name"
				return nil, err
			}
			if strings.Contains(name, mark) {
				return nil, newError("type", o, "cannot declare "+name+": the letter "+mark+" is reserved")
			}
		}
		if err := p.statement(it, o); err != nil {
			return nil, err
		}
		p.items = append(p.items, it)
	}
	return p, nil
}

// statement refuses what has a meaning only inside a function.
func (p *plan) statement(it *item, o origin) error {
	if it.stmt == nil {
		return nil
	}
	var err error
	ast.Inspect(it.stmt, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			err = newError("type", o.plus(it.text[:int(n.Pos()-it.fileStart)-it.base]), "return outside a function")
		}
		return err == nil
	})
	return err
}

// make builds and checks units until no variable changes its type any more.
func (p *plan) make() error {
	for {
		p.spread()
		if err := p.build(); err != nil {
			return err
		}
		grown, err := p.variables()
		if err != nil {
			return err
		}
		if !grown {
			return nil
		}
	}
}

// spread finds everything that gets a new version because the cell declares something anew.
func (p *plan) spread() {
	st := &p.engine.state
	base := maps.Clone(p.retyped)
	p.same = map[string]bool{}
	for _, it := range p.items {
		if it.kind == statementItem {
			continue
		}
		for _, name := range it.names {
			d := st.find(name)
			if it.kind == methodItem {
				d = st.find(it.key())
			}
			switch {
			case d == nil:
			case d.kind != it.kind:
				base[d.key()] = true
			case it.kind == varItem:
			case d.text == it.prefix+it.text:
				p.keep[it] = true
			default:
				base[d.key()] = true
				if it.kind == methodItem {
					base[it.recv] = true
				}
				if it.kind == funcItem {
					p.same[name] = (&decl{kind: funcItem, text: it.text}).head() == d.head()
				}
			}
		}
	}
	for name := range p.imports {
		if st.find(name) != nil {
			base[name] = true
		}
	}
	p.changed = p.spreadFrom(base)
	p.shadows = map[string]string{}
	for _, d := range st.decls {
		if d.kind == typeItem && p.changed[d.name] {
			p.shadows[d.name] = d.name + mark + "t" + itoa(st.count)
		}
	}
}

// spreadFrom closes base over uses. Where no type changes, functions keep their signatures, and
// methods, which call them through variables, need no new version.
func (p *plan) spreadFrom(base map[string]bool) map[string]bool {
	st := &p.engine.state
	all := st.affected(base, p.same)
	for grown := true; grown; {
		grown = false
		same := p.same
		for _, d := range st.decls {
			if d.kind == typeItem && all[d.name] {
				same = nil
			}
		}
		for it := range p.keep {
			if all[it.key()] || slices.ContainsFunc(it.free, func(id *ast.Ident) bool { return all[id.Name] && !(it.kind == methodItem && same[id.Name]) }) {
				delete(p.keep, it)
				base[it.key()], grown = true, true
			}
		}
		next := st.affected(base, same)
		grown = grown || len(next) != len(all)
		all = next
		if same == nil {
			p.same = map[string]bool{}
		} else {
			for _, d := range st.decls {
				if d.kind == funcItem && all[d.name] && !base[d.name] {
					p.same[d.name] = true
				}
			}
		}
	}
	return all
}

// build writes the unit and has it checked.
func (p *plan) build() error {
	e := p.engine
	e.state.count++
	u := &unit{name: unitMark + itoa(e.state.count), names: map[string]string{}, variables: map[string]string{}}
	p.unit = u
	later := p.declared()
	for _, d := range e.state.decls {
		p.earlier(u, d, later)
	}
	before := map[string]bool{}
	for i, it := range p.items {
		if p.keep[it] {
			continue
		}
		old, err := p.order(i, it)
		if err != nil {
			return err
		}
		if err := u.addItem(it, p.cell.Source, before, old); err != nil {
			return err
		}
		if it.kind == varItem {
			for _, name := range it.names {
				before[name] = true
			}
		}
	}
	if err := u.parse(e.interp.FileSet(), p.importLines(u)); err != nil {
		return err
	}
	if err := u.check(e.interp.FileSet(), e.library, p.cell.Name); err != nil {
		return err
	}
	return nil
}

// declared gives the keys that the cell declares anew.
func (p *plan) declared() map[string]*item {
	out := map[string]*item{}
	for _, it := range p.items {
		if it.kind == statementItem || p.keep[it] {
			continue
		}
		if it.kind == methodItem {
			out[it.key()] = it
			continue
		}
		for _, name := range it.names {
			out[name] = it
		}
	}
	return out
}

// earlier adds one declaration of an earlier cell to the unit in the form that this cell sees.
func (p *plan) earlier(u *unit, d *decl, later map[string]*item) {
	_, imported := p.imports[d.name]
	it := later[d.key()]
	outdated := p.shadows[d.name] != "" && d.kind == typeItem || p.shadows[d.recv] != "" && d.kind == methodItem
	if outdated {
		old := d.shadow(p.shadows)
		u.addDecl(old, false)
		u.names[old.name] = d.unit
	}
	switch {
	case it != nil && d.kind == varItem && it.kind == varItem:
		old := d.shadow(p.shadows)
		old.text = strings.Replace(old.text, "var "+d.name, "var "+d.name+mark+"o", 1)
		u.addDecl(old, false)
		u.names[d.name+mark+"o"] = d.unit
	case it != nil || imported && d.kind != methodItem:
	case d.kind == varItem:
		u.addDecl(d.shadow(p.shadows), false)
		u.names[d.name] = d.unit
	case p.changed[d.key()]:
		u.addDecl(d, true)
	default:
		u.addDecl(d, false)
		if d.kind != methodItem {
			u.names[d.name], u.variables[d.name] = d.unit, d.holder
		}
	}
}

// order gives the variables that an item means in their form before this cell, and refuses the
// use of variables that only a later item of the cell declares.
// assigned gives the identifiers on the left of an item's :=.
// importLines gives the imports that the unit's text needs.
// pathOf is the import path that a package name means in this cell.
// variables finds the types of the cell's variables, and which of them existed with another.
// reassigned checks the values that a := gives to variables which the cell already has.
// valueType is the type of the k-th value that a declaration assigns.
// notes says which values go on with what the cell replaces.
