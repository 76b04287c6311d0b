package lower

import "go/types"

// holdsItself tells a struct type with fields that lead to itself.
func holdsItself(t *types.Named, st *types.Struct) bool {
	for f := range st.Fields() {
		if contains(f.Type(), t, 0) {
			return true
		}
	}
	return false
}

// contains tells whether u holds named type t other than through a struct or interface.
func contains(u types.Type, t *types.Named, depth int) bool {
	if depth > 12 {
		return true
	}
	in := func(u types.Type) bool { return contains(u, t, depth+1) }
	switch u := types.Unalias(u).(type) {
	case *types.Named:
		if u == t || types.Identical(u, t) {
			return true
		}
		switch u.Underlying().(type) {
		case *types.Struct, *types.Interface, *types.Basic:
			return false
		}
		return in(u.Underlying())
	case *types.Pointer:
		return in(u.Elem())
	case *types.Slice:
		return in(u.Elem())
	case *types.Array:
		return in(u.Elem())
	case *types.Chan:
		return in(u.Elem())
	case *types.Map:
		return in(u.Key()) || in(u.Elem())
	case *types.Signature:
		for _, tu := range []*types.Tuple{u.Params(), u.Results()} {
			for v := range tu.Variables() {
				if in(v.Type()) {
					return true
				}
			}
		}
	}
	return false
}
