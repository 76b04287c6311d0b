package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
)

// binary lowers an operation of two operands.
func (x *body) binary(e *ast.BinaryExpr) string {
	switch e.Op {
	case token.LAND, token.LOR:
		return x.shortCircuit(e)
	case token.SHL, token.SHR:
		t := x.typeOf(e)
		a, b := x.pair(e.X, e.Y, func() string { return x.conv(e.X, t) }, func() string { return x.shiftCount(e.Y) })
		return "(" + a + " " + e.Op.String() + " " + b + ")"
	case token.EQL:
		return x.equal(e.X, e.Y)
	case token.NEQ:
		s := x.equal(e.X, e.Y)
		if inner, ok := negated(s); ok {
			return inner
		}
		return "(!" + s + ")"
	}
	t := x.typeOf(e)
	if e.Op == token.LSS || e.Op == token.GTR || e.Op == token.LEQ || e.Op == token.GEQ {
		t = x.common(e.X, e.Y)
	}
	t = defaultType(t)
	a, b := x.pair(e.X, e.Y, func() string { return x.conv(e.X, t) }, func() string { return x.conv(e.Y, t) })
	if e.Op == token.QUO || e.Op == token.REM {
		x.division(e.Y, t)
	}
	return "(" + a + " " + e.Op.String() + " " + b + ")"
}

// division notes that an integer division may panic.
func (x *body) division(divisor ast.Expr, t types.Type) {
	if _, ok := x.constantOf(divisor); ok {
		return
	}
	if b, ok := t.Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		x.risky = true
	}
}

// negated turns the text of a native equality around.
func negated(s string) (string, bool) {
	depth := 0
	for i := 1; i+3 < len(s); i++ {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case '"', '\'', '`':
			return "", false
		}
		if depth == 0 && s[0] == '(' && s[i:i+4] == " == " {
			return s[:i] + " != " + s[i+4:], true
		}
	}
	return "", false
}

// shortCircuit lowers && and ||; what the right side writes runs only when it is evaluated.
func (x *body) shortCircuit(e *ast.BinaryExpr) string {
	a := x.expr(e.X)
	var b string
	lines := x.inner(func() { b = x.expr(e.Y) })
	if lines == "" {
		return "(" + a + " " + e.Op.String() + " " + b + ")"
	}
	t := x.keepValue(a, "bool")
	if e.Op == token.LAND {
		x.line("if " + t + " {")
	} else {
		x.line("if !" + t + " {")
	}
	x.b.WriteString(lines)
	x.line(t + " = " + b)
	x.line("}")
	return t
}

// shiftCount lowers the right operand of a shift.
func (x *body) shiftCount(e ast.Expr) string {
	if tv, ok := x.constantOf(e); ok {
		return "uint(" + constant.ToInt(tv.Value).ExactString() + ")"
	}
	s := x.expr(e)
	if x.isUnsigned(e) {
		if x.low(x.typeOf(e)) == "uint" {
			return s
		}
		return "uint(" + s + ")"
	}
	return fmt.Sprintf("rt.Shift(%d, int64(%s))", e.Pos(), s)
}

// common is the type in which two operands are compared.
func (x *body) common(a, b ast.Expr) types.Type {
	t := x.typeOf(a)
	if _, ok := x.constantOf(a); ok || isUntyped(t) {
		t = x.typeOf(b)
	}
	return defaultType(t)
}

// equal lowers a == b.
func (x *body) equal(a, b ast.Expr) string {
	ta, tb := x.typeOf(a), x.typeOf(b)
	if isNil(ta) {
		a, b, ta, tb = b, a, tb, ta
	}
	if isNil(tb) {
		if isNil(ta) {
			return "true"
		}
		return "(" + x.opened(a) + " == nil)"
	}
	t := x.common(a, b)
	if isInterface(ta) != isInterface(tb) || isInterface(ta) {
		t = ta
		if isInterface(tb) {
			t = tb
		}
	}
	s, u := x.pair(a, b, func() string { return x.conv(a, t) }, func() string { return x.conv(b, t) })
	return x.equalText(s, u, t)
}

// equalText compares two values of type t.
func (x *body) equalText(s, u string, t types.Type) string {
	switch t.Underlying().(type) {
	case *types.Struct, *types.Array:
		x.risky = true
		return "rt.Equal(rt.Any(" + s + "), rt.Any(" + u + "))"
	case *types.Interface:
		x.risky = true
		return "rt.Equal(" + s + ", " + u + ")"
	case *types.Chan:
		return "rt.Same(" + s + ", " + u + ")"
	}
	if x.hidden(t) {
		return "rt.Same(" + s + ", " + u + ")"
	}
	return "(" + s + " == " + u + ")"
}
