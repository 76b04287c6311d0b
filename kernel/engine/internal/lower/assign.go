package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// place lowers an operand that is assigned to or whose address is taken.
func (x *body) place(e ast.Expr) string {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		if e.Name == "_" {
			return "_"
		}
		return x.identifier(e)
	case *ast.SelectorExpr:
		if x.isPackageName(e.X) {
			v := x.objectOf(e.Sel).(*types.Var)
			if x.packages.Compiled(v) && x.packages.Bound(v) {
				return x.compiledPlace(v)
			}
			return x.variable(v)
		}
		sel := x.info.Selections[e]
		t := x.subst(sel.Recv())
		s := ""
		if _, ok := t.Underlying().(*types.Pointer); ok {
			s = x.opened(e.X)
		} else {
			s = x.place(e.X)
		}
		risky := x.risky
		path := x.path(sel, t)
		s, _ = x.field(s, t, path, false)
		if len(path) == 1 && x.isKnown(e.X) {
			x.risky = risky
		}
		return s
	case *ast.IndexExpr:
		t := x.typeOf(e.X)
		switch t.Underlying().(type) {
		case *types.Array:
			base, i := x.pair(e.X, e.Index, func() string { return x.place(e.X) }, func() string { return x.elementIndex(e.Index) })
			return element(e, base, i)
		case *types.Map:
			return x.mapPlace(e)
		case *types.Pointer: // the executor takes no address of an element found through it
			x.risky = true
			base, i := x.pair(e.X, e.Index, func() string { return x.opened(e.X) }, func() string { return x.elementIndex(e.Index) })
			return element(e, "(*"+base+")", i)
		}
		return x.index(e)
	case *ast.StarExpr:
		x.risky = true
		return "(*" + x.opened(e.X) + ")"
	}
	return x.expr(e)
}

// mapPlace is m[k] to be assigned.
func (x *body) mapPlace(e *ast.IndexExpr) string {
	x.risky = true
	m := x.typeOf(e.X).Underlying().(*types.Map)
	base, key := x.pair(e.X, e.Index, func() string { return x.opened(e.X) }, func() string { return x.conv(e.Index, m.Key()) })
	return base + "[" + key + "]"
}

// settled is place with its operands evaluated now, as an assignment of several values or one
// with effects requires. The check of an index comes with the assignment.
func (x *body) settled(e ast.Expr) (place func() string) {
	keep := func(s string) string {
		if isLiteral(s) {
			return s
		}
		return x.keepValue(s, "")
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr:
		t := x.typeOf(e.X)
		if m, ok := t.Underlying().(*types.Map); ok {
			base := keep(x.opened(e.X))
			key := x.conv(e.Index, m.Key())
			if !isLiteral(key) {
				key = x.keepValue(key, x.low(m.Key()))
			}
			return func() string { x.risky = true; return base + "[" + key + "]" }
		}
		var base string
		if _, ok := t.Underlying().(*types.Array); ok {
			base = x.settled(e.X)()
		} else {
			base = keep(x.opened(e.X))
		}
		i := keep(x.elementIndex(e.Index))
		return func() string { return element(e, base, i) }
	case *ast.StarExpr:
		p := keep(x.opened(e.X))
		return func() string { x.risky = true; return "(*" + p + ")" }
	case *ast.SelectorExpr:
		if sel := x.info.Selections[e]; sel != nil {
			t := x.subst(sel.Recv())
			s := ""
			if _, ok := t.Underlying().(*types.Pointer); ok {
				s = keep(x.opened(e.X))
			} else {
				s = x.settled(e.X)()
			}
			return func() string { s, _ := x.field(s, t, x.path(sel, t), false); return s }
		}
	}
	s := x.place(e)
	return func() string { return s }
}

func isLiteral(s string) bool {
	return s != "" && (s[0] >= '0' && s[0] <= '9' && simple(s) || s == "true" || s == "false" || s[0] == '"' && strings.Count(s, `"`) == 2)
}

func isBlank(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && id.Name == "_"
}

func isIdentifier(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.Ident)
	return ok
}

// assignment lowers =, := and the operators with =.
func (x *body) assignment(s *ast.AssignStmt) {
	if s.Tok == token.ASSIGN || s.Tok == token.DEFINE {
		x.assign(s.Lhs, s.Rhs, s.Tok == token.DEFINE)
		return
	}
	op := strings.TrimSuffix(s.Tok.String(), "=")
	t := x.typeOf(s.Lhs[0])
	if op == "/" || op == "%" {
		x.division(s.Rhs[0], t)
	}
	x.operate(s.Lhs[0], op, s.Rhs[0], func() string {
		if op == "<<" || op == ">>" {
			return x.shiftCount(s.Rhs[0])
		}
		return x.conv(s.Rhs[0], t)
	})
}

// operate lowers lhs = lhs op y.
func (x *body) operate(lhs ast.Expr, op string, rhs ast.Expr, y func() string) {
	if isIdentifier(lhs) {
		p, v := x.place(lhs), ""
		if rhs != nil && x.hasEffects(rhs) {
			old := x.keepValue(p, "")
			v = y()
			x.line(p + " = " + old + " " + op + " " + v)
			return
		}
		v = y()
		x.update(lhs, p, op, v)
		return
	}
	if rhs == nil || !x.hasEffects(rhs) && !x.hasEffects(lhs) {
		p := x.place(lhs)
		if simplePlace(p) {
			v := y()
			x.update(lhs, p, op, v)
			return
		}
	}
	place := x.settled(lhs)
	v := y()
	if rhs != nil && x.hasEffects(rhs) {
		v = x.keepValue(v, "")
	}
	p := place()
	x.line(p + " = " + p + " " + op + " " + v)
}

// simplePlace tells the text of a place that may be written twice.
func simplePlace(s string) bool {
	s = unmarked(s)
	for _, r := range s {
		if r == '{' || r == '"' {
			return false
		}
	}
	depth := 0
	for i, r := range s {
		if r == '(' && i > 0 && identifierByte(s[i-1]) {
			return false
		}
		if r == '(' {
			depth++
		}
	}
	return depth < 4
}

// newVariableOf tells the variable that e declares, nil for others.
func (x *body) newVariableOf(e ast.Expr, define bool) *types.Var {
	if id, ok := e.(*ast.Ident); ok && define && id.Name != "_" {
		v, _ := x.info.Defs[id].(*types.Var)
		return v
	}
	return nil
}

// assign lowers =, := and var with any mix of new variables, old ones and blanks.
func (x *body) assign(lhs, rhs []ast.Expr, define bool) {
	if len(lhs) == 1 && len(rhs) == 1 {
		x.assignOne(lhs[0], rhs[0], define)
		return
	}
	places := make([]func() string, len(lhs))
	for i, e := range lhs {
		if !isBlank(e) && x.newVariableOf(e, define) == nil {
			places[i] = x.settled(e)
		}
	}
	var values []string
	var ts []types.Type
	if len(rhs) == 1 {
		values, ts = x.multiple(rhs[0])
	} else {
		var ops []operand
		for i, r := range rhs {
			t := x.assignedType(lhs[i], r, define)
			ts = append(ts, t)
			ops = append(ops, operand{func() string {
				if isNil(t) {
					return "rt.Nil()"
				}
				return x.keepValue(x.conv(r, t), x.low(t))
			}, false, ""})
		}
		values = x.ordered(ops)
	}
	for i, e := range lhs {
		x.store(e, places[i], values[i], ts[i], define)
	}
}

// assignedType is the type in which r is assigned to e.
func (x *body) assignedType(e, r ast.Expr, define bool) types.Type {
	if isBlank(e) {
		return defaultType(x.typeOf(r))
	}
	if v := x.newVariableOf(e, define); v != nil {
		return x.subst(v.Type())
	}
	return x.typeOf(e)
}

// store gives one value to one operand.
func (x *body) store(e ast.Expr, place func() string, value string, from types.Type, define bool) {
	if isBlank(e) {
		x.line("rt.Use(" + value + ")")
		return
	}
	if v := x.newVariableOf(e, define); v != nil {
		x.variableWith(v, x.convText(value, from, x.subst(v.Type())))
		return
	}
	to := x.typeOf(e)
	x.line(place() + " = " + x.outward(e, x.convText(value, from, to), to))
}

func (x *body) assignOne(e, r ast.Expr, define bool) {
	if isBlank(e) {
		x.discard(r)
		return
	}
	if v := x.newVariableOf(e, define); v != nil {
		x.variableWith(v, x.conv(r, x.subst(v.Type())))
		return
	}
	to := x.typeOf(e)
	if isIdentifier(e) {
		v := x.outward(e, x.conv(r, to), to)
		if strings.HasPrefix(v, "(<-") || strings.HasSuffix(v, "}") && !strings.HasPrefix(v, "func(") {
			v = x.ownPlace(e, v, to) // else the variable gets a new place, which closures do not see
		}
		x.line(x.place(e) + " = " + v)
		return
	}
	if !x.hasEffects(e) && !x.hasEffects(r) {
		v := x.conv(r, to)
		if x.isElement(e) && mayFail(v) {
			v = x.forNow(v, to) // for an index out of range on the left comes after what fails on the right
		}
		x.line(x.place(e) + " = " + x.outward(e, v, to))
		return
	}
	place := x.settled(e)
	v := x.conv(r, to)
	if x.hasEffects(r) && !simple(v) {
		v = x.keepValue(v, x.low(to))
	}
	x.line(place() + " = " + x.outward(e, v, to))
}

// outward adapts a value that is assigned to a field or variable of a compiled package.
func (x *body) outward(e ast.Expr, value string, t types.Type) string {
	s, ok := ast.Unparen(e).(*ast.SelectorExpr)
	if !ok {
		return value
	}
	o := x.objectOf(s.Sel)
	if sel := x.info.Selections[s]; sel != nil {
		o = sel.Obj()
	}
	if o != nil && x.packages.Compiled(o) {
		return x.toCompiled(value, t)
	}
	return value
}

// discard evaluates an expression for its effects.
func (x *body) discard(e ast.Expr) {
	t := defaultType(x.typeOf(e))
	if isNil(t) {
		return
	}
	if tv := x.info.Types[e]; tv.IsType() {
		return
	}
	if st, ok := ast.Unparen(e).(*ast.StarExpr); ok {
		x.line(fmt.Sprintf("rt.Dereferenced(%d, %s)", e.Pos(), x.opened(st.X)))
		return
	}
	x.line("rt.Use(" + x.conv(e, t) + ")")
}

// multiple evaluates a comma-ok form or a call with several results into temporaries.
func (x *body) multiple(e ast.Expr) (values []string, ts []types.Type) {
	e = ast.Unparen(e)
	boolean := types.Typ[types.Bool]
	switch e := e.(type) {
	case *ast.IndexExpr:
		m := x.typeOf(e.X).Underlying().(*types.Map)
		s := x.index(e)
		v, ok := x.tmp(), x.tmp()
		x.line(v + ", " + ok + " := " + s)
		return []string{v, ok}, []types.Type{m.Elem(), boolean}
	case *ast.UnaryExpr:
		s := x.opened(e.X)
		v, ok := x.tmp(), x.tmp()
		x.line(v + ", " + ok + " := <-" + s)
		return []string{v, ok}, []types.Type{elem(x.typeOf(e.X)), boolean}
	case *ast.TypeAssertExpr:
		t := x.typeOf(e)
		if tu, ok := t.(*types.Tuple); ok {
			t = types.Unalias(tu.At(0).Type())
		}
		_, v, ok := x.tested(x.expr(e.X), t)
		return []string{v, ok}, []types.Type{t, boolean}
	}
	tu := x.typeOf(e).(*types.Tuple)
	for v := range tu.Variables() {
		ts = append(ts, types.Unalias(v.Type()))
	}
	return x.spread(e, tu), ts
}

// variableWith declares a variable with its first value.
func (x *body) variableWith(v *types.Var, value string) {
	if n, ok := x.globals[v]; ok {
		x.line(n + " = " + value)
		return
	}
	if x.isGlobal(v) {
		x.line(x.global(v) + " = " + value)
		return
	}
	if x.movable(v) {
		x.moved(v, value)
		return
	}
	low := x.low(x.subst(v.Type()))
	x.line("var " + x.declare(v) + " " + low + " = " + x.copied(value))
}

// copied gives a list or map literal by way of a temporary: a variable that is declared with one
// keeps its place in every iteration of a loop.
func (x *body) copied(value string) string {
	if strings.HasSuffix(value, "}") && (strings.HasPrefix(value, "[") || strings.HasPrefix(value, "map[")) {
		t := x.tmp()
		x.line(t + " := " + value)
		return t
	}
	return value
}
