package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
)

// rangeVariable gives the iteration's value to the key or value operand.
func (x *body) rangeVariable(e ast.Expr, tok token.Token, value string, from types.Type) {
	if !wanted(e) {
		return
	}
	if v := x.newVariableOf(e, tok == token.DEFINE); v != nil {
		x.variableWith(v, x.convText(value, from, x.subst(v.Type())))
		return
	}
	value = x.convText(value, from, x.typeOf(e))
	place := x.settled(e)
	x.line(place() + " = " + value)
}

func wanted(e ast.Expr) bool { return e != nil && !isBlank(e) }

func (x *body) rangeStatement(s *ast.RangeStmt, label string) {
	t := x.typeOf(s.X)
	if x.hidden(t) {
		if _, ok := t.Underlying().(*types.Signature); !ok {
			o := *s
			o.X = x.synthetic(x.opened(s.X), t.Underlying())
			x.rangeStatement(&o, label)
			return
		}
	}
	if sig, ok := t.Underlying().(*types.Signature); ok {
		x.rangeFunction(s, sig, label)
		return
	}
	x.line("{")
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if u.Info()&types.IsString != 0 {
			x.rangeString(s, label)
		} else {
			x.rangeInteger(s, t, label)
		}
	case *types.Slice:
		x.rangeSlice(s, t, -1, label)
	case *types.Array:
		x.rangeSlice(s, t, u.Len(), label)
	case *types.Pointer:
		x.rangeSlice(s, t, u.Elem().Underlying().(*types.Array).Len(), label)
	case *types.Map:
		x.rangeMap(s, u, label)
	case *types.Chan:
		x.rangeChannel(s, u, label)
	}
	x.statements(s.Body.List)
	x.line("}")
	x.line("}")
	x.forget()
}

// ranged evaluates the operand into a temporary.
func (x *body) ranged(s *ast.RangeStmt, low string) string {
	var text string
	x.mark(s.X.Pos(), func() { text = x.keepValue(x.expr(s.X), low) })
	x.forget()
	return text
}

func (x *body) rangeString(s *ast.RangeStmt, label string) {
	str := x.ranged(s, "string")
	i, next, r, w := x.tmp(), x.tmp(), x.tmp(), x.tmp()
	x.line(next + " := 0")
	x.open(label)
	x.line(fmt.Sprintf("for %s := 0; %s < len(%s); %s = %s {", i, i, str, i, next))
	x.line(fmt.Sprintf("%s, %s := rt.Rune(%s, %s)", r, w, str, i))
	x.line(fmt.Sprintf("%s = %s + %s", next, i, w))
	x.line("rt.Use(" + r + ")")
	if s.Tok == token.ASSIGN && wanted(s.Key) && wanted(s.Value) {
		p, q := x.settled(s.Key), x.settled(s.Value)
		x.line(p() + " = " + x.convText(i, types.Typ[types.Int], x.typeOf(s.Key)))
		x.line(q() + " = " + x.convText(r, types.Typ[types.Rune], x.typeOf(s.Value)))
		return
	}
	x.rangeVariable(s.Key, s.Tok, i, types.Typ[types.Int])
	x.rangeVariable(s.Value, s.Tok, r, types.Typ[types.Rune])
}

func (x *body) rangeInteger(s *ast.RangeStmt, t types.Type, label string) {
	t = defaultType(t)
	if _, ok := x.constantOf(s.X); ok && wanted(s.Key) {
		t = x.typeOf(s.Key)
	}
	n := ""
	x.mark(s.X.Pos(), func() {
		n = x.conv(s.X, t)
		if !isLiteral(n) {
			n = x.keepValue(n, x.low(t))
		}
	})
	x.forget()
	i, own := x.counter(s)
	x.open(label)
	x.line(fmt.Sprintf("for %s := %s; %s < %s; %s++ {", i, x.zero(t), i, n, i))
	if !own {
		x.rangeVariable(s.Key, s.Tok, i, t)
	}
}

// rangeSlice goes over a slice, an array or the array that a pointer points to.
func (x *body) rangeSlice(s *ast.RangeStmt, t types.Type, length int64, label string) {
	var over string
	switch {
	case length >= 0 && !wanted(s.Value):
		if x.hasEffects(s.X) {
			x.mark(s.X.Pos(), func() { x.discard(s.X) })
		}
	default:
		over = x.ranged(s, x.low(t))
	}
	if length < 0 && x.directly(s) {
		x.open(label)
		key := "_"
		if wanted(s.Key) {
			key = x.declare(x.newVariableOf(s.Key, true))
		}
		x.line(fmt.Sprintf("for %s, %s := range %s {", key, x.declare(x.newVariableOf(s.Value, true)), over))
		return
	}
	n := fmt.Sprint(length)
	if length < 0 {
		n = x.keepValue("len("+over+")", "")
	}
	i, own := x.counter(s)
	x.open(label)
	x.line(fmt.Sprintf("for %s := 0; %s < %s; %s++ {", i, i, n, i))
	if !wanted(s.Value) {
		if !own {
			x.rangeVariable(s.Key, s.Tok, i, types.Typ[types.Int])
		}
		return
	}
	if _, ok := t.Underlying().(*types.Pointer); ok {
		over = "(*" + over + ")"
	}
	value := over + "[" + i + "]"
	if s.Tok == token.ASSIGN {
		v := x.keepValue(value, "")
		if wanted(s.Key) {
			p, q := x.settled(s.Key), x.settled(s.Value)
			x.line(p() + " = " + x.convText(i, types.Typ[types.Int], x.typeOf(s.Key)))
			x.line(q() + " = " + x.convText(v, elem(t), x.typeOf(s.Value)))
			return
		}
		value = v
	}
	if !own {
		x.rangeVariable(s.Key, s.Tok, i, types.Typ[types.Int])
	}
	x.rangeVariable(s.Value, s.Tok, value, elem(t))
}

func (x *body) rangeMap(s *ast.RangeStmt, m *types.Map, label string) {
	over := x.ranged(s, "")
	it := x.keepValue("rt.Iterate("+over+")", "")
	x.open(label)
	x.line("for " + it + ".Next() {")
	if wanted(s.Key) {
		x.rangeVariable(s.Key, s.Tok, x.keepValue(x.held(it+".Key()", m.Key()), ""), m.Key())
	}
	if wanted(s.Value) {
		x.rangeVariable(s.Value, s.Tok, x.keepValue(x.held(it+".Value()", m.Elem()), ""), m.Elem())
	}
}

// held takes a value of type t out of an interface{} that the runtime gave.
func (x *body) held(s string, t types.Type) string {
	switch low := x.low(t); low {
	case anyText:
		return s
	case "struct{}": // the executor cannot take one out of an interface
		return "struct{}{}"
	default:
		return s + ".(" + low + ")"
	}
}

func (x *body) rangeChannel(s *ast.RangeStmt, c *types.Chan, label string) {
	over := x.ranged(s, "")
	v, ok := x.tmp(), x.tmp()
	x.open(label)
	x.line("for {")
	x.line(fmt.Sprintf("%s, %s := <-%s", v, ok, over))
	x.line("if !" + ok + " { break }")
	x.line("rt.Use(" + v + ")")
	x.rangeVariable(s.Key, s.Tok, v, c.Elem())
}
