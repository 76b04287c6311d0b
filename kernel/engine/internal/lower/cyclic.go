package lower

import "go/types"

// refuseCycle refuses struct type t when it holds by value a struct that leads back both to itself
// and to t, as a list holds its root. The executor's reflect types of the two would differ, and
// &t.field would be the address of a copy.
func (g *Lowerer) refuseCycle(t *types.Named, st *types.Struct) {
	for _, e := range heldByValue(st, nil) {
		if e != t && !g.compiledType(e) && g.leads(e, t, nil) && g.leads(e, e, t) {
			g.limit(t.Obj().Pos(), "type %s holds %s by value, which points back to itself and to %s: this engine cannot keep such a value; hold a pointer, *%s, instead",
				t.Obj().Name(), e.Obj().Name(), t.Obj().Name(), e.Obj().Name())
		}
	}
}

// heldByValue are the named structs among the fields, and their fields.
func heldByValue(st *types.Struct, l []*types.Named) []*types.Named {
	for f := range st.Fields() {
		u := types.Unalias(f.Type())
		for {
			a, ok := u.Underlying().(*types.Array)
			if !ok {
				break
			}
			u = types.Unalias(a.Elem())
		}
		if in, ok := u.Underlying().(*types.Struct); ok {
			if n, ok := u.(*types.Named); ok {
				l = append(l, n)
			}
			l = heldByValue(in, l)
		}
	}
	return l
}

// leads tells whether the fields of from lead to a value of type to, past no value of type but.
func (g *Lowerer) leads(from, to, but *types.Named) bool {
	seen := map[*types.Named]bool{}
	var walk func(t types.Type) bool
	walk = func(t types.Type) bool {
		switch t := types.Unalias(t).(type) {
		case *types.Named:
			if types.Identical(t, to) {
				return true
			}
			if seen[t] || g.compiledType(t) || but != nil && types.Identical(t, but) {
				return false
			}
			seen[t] = true
			return walk(t.Underlying())
		case *types.Struct:
			for f := range t.Fields() {
				if walk(f.Type()) {
					return true
				}
			}
		case *types.Map:
			return walk(t.Key()) || walk(t.Elem())
		case interface{ Elem() types.Type }:
			return walk(t.Elem())
		}
		return false
	}
	return walk(from.Underlying())
}
