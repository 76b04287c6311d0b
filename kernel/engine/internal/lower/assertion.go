package lower

import (
	"fmt"
	"go/types"
)

// tested asks whether interface value s holds type t: it writes the test and names the interface
// value, the value (zero when it does not) and the answer.
func (x *body) tested(s string, t types.Type) (held, value, ok string) {
	held = s
	if !simple(s) {
		held = x.keepValue(s, anyText)
	}
	value, ok = x.tmp(), x.tmp()
	low := x.low(t)
	switch {
	case isInterface(t):
		x.line(fmt.Sprintf("%s := rt.Is(%s, %d)", ok, held, x.typeID(t)))
		x.line(value + " := rt.Nil()")
		x.line(fmt.Sprintf("if %s { %s = %s }", ok, value, held))
	case low == "struct{}":
		x.line(fmt.Sprintf("%s := rt.Is(%s, %d)", ok, held, x.typeID(t)))
		x.line(value + " := struct{}{}")
	case x.selfEvident(t):
		x.inInterface(t)
		x.line(fmt.Sprintf("%s, %s := %s.(%s)", value, ok, held, low))
	default:
		b := x.tmp()
		x.line(fmt.Sprintf("%s, %s := %s.(rt.Boxed)", b, ok, held))
		x.line(fmt.Sprintf("if %s { %s = %s.ID == %d }", ok, ok, b, x.typeID(t)))
		x.line("var " + value + " " + low + " = " + x.zero(t))
		x.line(fmt.Sprintf("if %s { %s = %s }", ok, value, unboxed(b, low)))
	}
	return held, value, ok
}

func unboxed(box, low string) string {
	if low == anyText {
		return box + ".V"
	}
	return box + ".V.(" + low + ")"
}

// holds is a condition: interface value held, a simple text, holds type t.
func (x *body) holds(held string, t types.Type) string {
	x.inInterface(t)
	if isNil(t) {
		return held + " == nil"
	}
	return fmt.Sprintf("rt.Is(%s, %d)", held, x.typeID(t))
}

// taken is the value of type t in interface value held, known to hold it.
func (x *body) taken(held string, t types.Type) string {
	low := x.low(t)
	switch {
	case isInterface(t):
		return held
	case low == "struct{}":
		return "struct{}{}"
	case low == anyText:
		return "rt.Raw(" + held + ")"
	case x.selfEvident(t):
		return held + ".(" + low + ")"
	}
	return "rt.Raw(" + held + ").(" + low + ")"
}
