package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Declaring a variable costs the executor three times what assigning it does. So what the body of
// a loop declares is declared once before the outermost loop, unless something may hold on to the
// variable of one iteration.

// escapingVariables are the variables that may be used from elsewhere than the statements around
// them: by closures, through their address, in deferred calls and in loops over functions.
func escapingVariables(block *ast.BlockStmt, info *types.Info) map[types.Object]bool {
	escaping := sharedVariables(block, info)
	note := func(n ast.Node) {
		ast.Inspect(n, func(m ast.Node) bool {
			if id, ok := m.(*ast.Ident); ok {
				if o := info.Uses[id]; o != nil {
					escaping[o] = true
				}
			}
			return true
		})
	}
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if s := info.Selections[n]; s != nil && s.Kind() != types.FieldVal {
				note(n.X)
			}
		case *ast.SliceExpr:
			if t := info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					note(n.X)
				}
			}
		case *ast.DeferStmt, *ast.GoStmt:
			note(n)
		case *ast.RangeStmt:
			if t := info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Signature); ok {
					note(n.Body)
				} else if _, ok := t.Underlying().(*types.TypeParam); ok {
					note(n.Body)
				}
			}
		}
		return true
	})
	return escaping
}

// looping lowers a loop by f, with what its body declares before it.
func (x *body) looping(f func()) {
	if x.before != nil || x.escaping == nil {
		f()
		return
	}
	x.before = &strings.Builder{}
	text := x.inner(f)
	if x.before.Len() == 0 {
		x.b.WriteString(text)
	} else {
		x.b.WriteString("{\n" + x.before.String() + text + "}\n")
	}
	x.before = nil
}

// movable tells a variable of a loop's body that can be declared before the loop.
func (x *body) movable(v *types.Var) bool {
	if x.before == nil || x.escaping[v] {
		return false
	}
	switch x.subst(v.Type()).Underlying().(type) {
	case *types.Basic, *types.Pointer, *types.Slice, *types.Map, *types.Interface:
		return true
	}
	return false
}

// moved declares v before the loop and assigns its first value here.
func (x *body) moved(v *types.Var, value string) {
	low := x.low(x.subst(v.Type()))
	if strings.HasPrefix(value, "(<-") || strings.HasSuffix(value, "}") && !strings.HasPrefix(value, "func(") {
		value = x.keepValue(value, low)
	}
	n := x.declare(v)
	x.before.WriteString("var " + n + " " + low + "\n")
	x.line(n + " = " + value)
}

// forNow is keepValue for a value that only its own statement uses.
func (x *body) forNow(text string, t types.Type) string {
	if x.before == nil || x.escaping == nil || x.hidden(t) {
		return x.keepValue(text, "")
	}
	n := x.tmp()
	x.before.WriteString("var " + n + " " + x.low(t) + "\n")
	x.line(n + " = " + text)
	return n
}

// ownPlace puts the value assigned to variable e into a temporary, unless it is a pointer and
// nothing else sees the variable.
func (x *body) ownPlace(e ast.Expr, value string, t types.Type) string {
	o := x.objectOf(ast.Unparen(e).(*ast.Ident))
	if _, ok := t.Underlying().(*types.Pointer); ok && x.escaping != nil && x.isLocal(o) && !x.escaping[o] && strings.HasPrefix(value, "&") {
		return value
	}
	return x.keepValue(value, x.low(t))
}

// counter names the variable that counts a range loop: the loop's own key when nothing else
// changes or keeps it, else a new one. own tells which.
func (x *body) counter(s *ast.RangeStmt) (name string, own bool) {
	if s.Tok == token.DEFINE && wanted(s.Key) && x.escaping != nil {
		if v := x.newVariableOf(s.Key, true); v != nil && !x.isGlobal(v) && !x.escaping[v] && !x.changes(s.Body, v) {
			return x.declare(v), true
		}
	}
	return x.tmp(), false
}

// directly tells a range loop over a slice that the executor's own range does rightly: nothing
// keeps its variables, and its body does not change the key.
func (x *body) directly(s *ast.RangeStmt) bool {
	if s.Tok != token.DEFINE || x.escaping == nil {
		return false
	}
	for i, e := range []ast.Expr{s.Key, s.Value} {
		if !wanted(e) {
			continue
		}
		v := x.newVariableOf(e, true)
		if v == nil || x.isGlobal(v) || x.escaping[v] || x.hidden(x.subst(v.Type())) || i == 0 && x.changes(s.Body, v) {
			return false
		}
		switch x.subst(v.Type()).Underlying().(type) {
		case *types.Basic, *types.Pointer, *types.Slice, *types.Map:
		default:
			return false
		}
	}
	return wanted(s.Value)
}

// updatable are the operators that the executor applies in place.
const updatable = "+-*&|^"

// updates tells whether place op= value can be written so.
func (x *body) updates(place, op string, t types.Type) bool {
	b, ok := t.Underlying().(*types.Basic)
	if !ok || strings.ContainsAny(unmarked(place), "*({") || len(op) != 1 || !strings.Contains(updatable, op) {
		return false
	}
	return b.Info()&(types.IsInteger|types.IsFloat) != 0
}

// update writes p = p op v.
func (x *body) update(lhs ast.Expr, p, op, v string) {
	if _, isMap := mapIndexed(x, lhs); !isMap && x.updates(p, op, x.typeOf(lhs)) {
		if b, ok := x.typeOf(lhs).Underlying().(*types.Basic); ok && v == "1" && op == "+" && b.Kind() == types.Int {
			x.line(p + "++")
			return
		}
		x.line(p + " " + op + "= " + v)
		return
	}
	x.line(p + " = " + p + " " + op + " " + v)
}

// mapIndexed tells m[k].
func mapIndexed(x *body, e ast.Expr) (*types.Map, bool) {
	i, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return nil, false
	}
	m, ok := x.typeOf(i.X).Underlying().(*types.Map)
	return m, ok
}
