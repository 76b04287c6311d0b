package engine

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"
)

func (p *plan) order(i int, it *item) (map[string]bool, error) {
	old := map[string]bool{}
	if it.kind != varItem && it.kind != statementItem {
		return old, nil
	}
	declared := map[string]bool{}
	for _, earlier := range p.items[:i] {
		for _, name := range earlier.names {
			declared[name] = true
		}
	}
	for _, id := range it.free {
		for _, later := range p.items[i:] {
			if later.kind != varItem || declared[id.Name] || it.keys[id] || !slices.Contains(later.names, id.Name) {
				continue
			}
			if it.define && slices.Contains(assigned(it), id) {
				continue
			}
			if d := p.engine.state.find(id.Name); d != nil && d.kind == varItem {
				old[id.Name] = true
				continue
			}
			o := origin{cell: it.cell, source: p.cell.Source, line: it.line, column: it.column}
			err := newError("type", o.plus(it.text[:it.at(id)]), "undefined: "+id.Name)
			err.Hint = fmt.Sprintf("line %d of this cell declares it, after its use", later.line)
			return nil, err
		}
	}
	return old, nil
}

func assigned(it *item) []*ast.Ident {
	var out []*ast.Ident
	if a, ok := it.stmt.(*ast.AssignStmt); ok {
		for _, x := range a.Lhs {
			if id, ok := x.(*ast.Ident); ok {
				out = append(out, id)
			}
		}
	}
	return out
}

func (p *plan) variables() (grown bool, err error) {
	u := p.unit
	p.varType = map[string]string{}
	l := &lowerer{unit: u, lib: p.engine.library, info: u.info, used: map[string]string{}, asChecked: true}
	for _, it := range p.items {
		if it.kind != varItem {
			continue
		}
		for _, name := range it.names {
			obj := u.pkg.Scope().Lookup(name)
			if obj == nil {
				continue
			}
			if b, ok := obj.Type().(*types.Basic); ok && b.Kind() == types.UntypedNil {
				continue
			}
			text := "var " + name + " " + l.typeText(obj.Type())
			p.varType[name] = text
			d := p.engine.state.find(name)
			if d != nil && d.kind == varItem && d.shadow(p.shadows).text != text && !p.retyped[name] {
				p.retyped[name], grown = true, true
			}
		}
	}
	return grown, p.reassigned()
}

func (p *plan) reassigned() error {
	u := p.unit
	for i, owner := range u.owners {
		it, ok := owner.(*item)
		if !ok || !it.define {
			continue
		}
		spec := u.ast.Decls[i].(*ast.GenDecl).Specs[0].(*ast.ValueSpec)
		for k, id := range assigned(it) {
			if spec.Names[k].Name != "_" || id.Name == "_" {
				continue
			}
			obj := u.pkg.Scope().Lookup(id.Name)
			t := valueType(u.info, spec, k)
			if obj == nil || t == nil || types.AssignableTo(t, obj.Type()) {
				continue
			}
			o := u.locate(u.file.Offset(spec.Names[k].Pos()))
			return newError("type", o, fmt.Sprintf("cannot use a value of type %s as %s value in assignment to %s", describe(t), describe(obj.Type()), id.Name))
		}
	}
	return nil
}

func valueType(info *types.Info, spec *ast.ValueSpec, k int) types.Type {
	if len(spec.Values) == len(spec.Names) {
		return info.TypeOf(spec.Values[k])
	}
	t := info.TypeOf(spec.Values[0])
	if tuple, ok := t.(*types.Tuple); ok && k < tuple.Len() {
		return tuple.At(k).Type()
	}
	return nil
}

func (p *plan) notes(prog *program) []string {
	newHolder := map[string]bool{}
	for _, d := range prog.added {
		if old := p.engine.state.find(d.name); d.kind == funcItem && old != nil && old.holder != d.holder {
			newHolder[d.name] = true
		}
	}
	var out []string
	for _, d := range p.engine.state.decls {
		if d.kind != varItem || p.varType[d.name] != "" {
			continue
		}
		for _, name := range d.uses {
			if p.shadows[name] != "" {
				out = append(out, fmt.Sprintf("note: %s keeps the %s of before; make it anew to have the new one", d.name, name))
			}
		}
		if strings.Contains(d.text, "func(") && len(newHolder) > 0 {
			names := strings.Join(slices.Sorted(maps.Keys(newHolder)), ", ")
			out = append(out, fmt.Sprintf("note: if %s calls %s, it calls the version of before", d.name, names))
		}
	}
	return out
}
