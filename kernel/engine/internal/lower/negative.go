package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// The executor leaves out arguments that are zero when it calls a declared function, and takes a
// negative zero for one. Where an argument may be a negative zero the call tests for it, and then
// goes through a function value, which takes its arguments as they are.

// negativeZero is a condition under which value s of type t, a simple text, would get lost; ""
// when it cannot.
func (g *Lowerer) negativeZero(s string, t types.Type) string {
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch {
		case b.Info()&types.IsFloat != 0:
			return "(" + s + " == 0 && 1/" + s + " < 0)"
		case b.Info()&types.IsComplex != 0:
			return "(" + s + " == 0 && rt.NegativeZero(" + s + "))"
		}
		return ""
	}
	if !holdsFloat(t, 0) || g.hidden(t) {
		return ""
	}
	first := ""
	if st, ok := t.Underlying().(*types.Struct); ok && !g.compiledType(t) {
		first = g.zeroField(s, st)
	}
	return "(" + first + "rt.NegativeZero(" + s + "))"
}

// zeroField is a cheap test that must hold when all of s is zero: that of its first number.
func (g *Lowerer) zeroField(s string, st *types.Struct) string {
	for i := range st.NumFields() {
		f := types.Unalias(st.Field(i).Type())
		if b, ok := f.Underlying().(*types.Basic); ok && b.Info()&types.IsNumeric != 0 {
			return s + "." + fieldName(st, i) + " == 0 && "
		}
		if in, ok := f.Underlying().(*types.Struct); ok && !g.compiledType(f) {
			if z := g.zeroField(s+"."+fieldName(st, i), in); z != "" {
				return z
			}
		}
	}
	return ""
}

// holdsFloat tells a struct or array in which floats are held by value.
func holdsFloat(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return depth > 0 && u.Info()&(types.IsFloat|types.IsComplex) != 0
	case *types.Array:
		return u.Len() > 0 && holdsFloat(u.Elem(), depth+1)
	case *types.Struct:
		for f := range u.Fields() {
			if holdsFloat(f.Type(), depth+1) {
				return true
			}
		}
	}
	return false
}

// notNegativeZero tells expressions that cannot be a negative zero.
func (x *body) notNegativeZero(e ast.Expr) bool {
	e = ast.Unparen(e)
	if tv, ok := x.constantOf(e); ok { // constants have no negative zero
		return tv.Value.Kind() != constant.Unknown
	}
	switch e := e.(type) {
	case *ast.CallExpr: // a conversion of an integer
		if tv := x.info.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
			b, ok := x.typeOf(e.Args[0]).Underlying().(*types.Basic)
			return ok && b.Info()&types.IsInteger != 0 || x.notNegativeZero(e.Args[0])
		}
	case *ast.BinaryExpr:
		a, ok1 := ast.Unparen(e.X).(*ast.Ident)
		b, ok2 := ast.Unparen(e.Y).(*ast.Ident)
		switch e.Op {
		case token.ADD: // of two zeros, both must be negative
			return x.notNegativeZero(e.X) || x.notNegativeZero(e.Y)
		case token.MUL:
			return ok1 && ok2 && x.objectOf(a) == x.objectOf(b)
		case token.SUB: // -0 - 0 only
			return x.notNegativeZero(e.X)
		}
	case *ast.CompositeLit:
		return len(e.Elts) == 0
	}
	return false
}

// finish renders a call with its arguments. When one may be a negative zero, the call goes to
// lines and the text is that of its result.
func (x *body) finish(e *ast.CallExpr, f callForm, args []string) string {
	whole := f.finish(args)
	fast, slow, cond := x.twoWays(e, f, whole, args)
	if cond == "" {
		return whole
	}
	if f.sig.Results().Len() == 0 {
		x.line("if " + cond + " {\n" + slow + "\n} else {\n" + fast + "\n}")
		return ""
	}
	r := x.tmp()
	x.line("var " + r + " " + x.low(f.sig.Results().At(0).Type()))
	x.line("if " + cond + " {\n" + r + " = " + slow + "\n} else {\n" + r + " = " + fast + "\n}")
	return r
}

// twoWays gives a call directly and through a function value, and the condition for the second, ""
// when it is not needed. The arguments go to temporaries.
func (x *body) twoWays(e *ast.CallExpr, f callForm, whole string, args []string) (fast, slow, cond string) {
	name, ok := loweredName(whole)
	if !ok || f.compiled || len(args) == 0 {
		return
	}
	ts := make([]types.Type, len(args))
	safe := make([]bool, len(args))
	first := len(f.first)
	if first == 1 && f.receiver != nil && !isInterface(f.receiver) {
		ts[0] = f.receiver
	}
	for i := first; i < len(args) && i-first < f.sig.Params().Len(); i++ {
		ts[i] = types.Unalias(f.sig.Params().At(i - first).Type())
		if k := i - first; len(e.Args) == f.sig.Params().Len() && !f.sig.Variadic() {
			safe[i] = x.notNegativeZero(e.Args[k])
		}
	}
	needed := false
	for i, t := range ts {
		needed = needed || t != nil && !safe[i] && x.negativeZero("v", t) != ""
	}
	if !needed {
		return
	}
	kept := append([]string{}, args...)
	var conds []string
	for i, a := range kept {
		if !isLiteral(a) {
			kept[i] = x.keepValue(a, "")
		}
		if ts[i] != nil && !safe[i] {
			if c := x.negativeZero(kept[i], ts[i]); c != "" {
				conds = append(conds, c)
			}
		}
	}
	list := "(" + strings.Join(kept, ", ") + ")"
	return name + list, x.value(name, x.form(f, ts)) + list, strings.Join(conds, " || ")
}

// form is the lowered type of the function that a call calls, with its receiver first.
func (x *body) form(f callForm, ts []types.Type) string {
	var ps []string
	if len(f.first) == 1 {
		if ts[0] == nil {
			ps = append(ps, anyText)
		} else {
			ps = append(ps, x.low(ts[0]))
		}
	}
	for v := range f.sig.Params().Variables() {
		ps = append(ps, x.low(v.Type()))
	}
	return "func(" + strings.Join(ps, ", ") + ")" + x.Lowerer.results(f.sig)
}

// loweredName is the name of the declared function that a call's text calls.
func loweredName(call string) (string, bool) {
	i := strings.IndexByte(call, '(')
	if i < 2 || call[0] != 'f' && call[0] != 'd' || call[1] < '0' || call[1] > '9' || !simple(call[:i]) || strings.Contains(call[:i], ".") {
		return "", false
	}
	return call[:i], true
}

// guard is a statement before the given call, the last of a function with parameters as, that makes
// it through a function value when an argument is a negative zero. v is the value whose method is
// called, receiver the type of the first argument.
func (g *Lowerer) guard(call, v string, receiver types.Type, as []string, sig *types.Signature) string {
	name, ok := loweredName(call)
	if !ok {
		return ""
	}
	var conds []string
	for i, a := range as {
		if c := g.negativeZero(a, sig.Params().At(i).Type()); c != "" {
			conds = append(conds, c)
		}
	}
	ps := []string{g.low(receiver)}
	if !isInterface(receiver) && (strings.HasPrefix(call, name+"("+v+")") || strings.HasPrefix(call, name+"("+v+",")) {
		if c := g.negativeZero(v, receiver); c != "" {
			conds = append(conds, c)
		}
	}
	if len(conds) == 0 {
		return ""
	}
	for p := range sig.Params().Variables() {
		ps = append(ps, g.low(p.Type()))
	}
	slow := g.value(name, "func("+strings.Join(ps, ", ")+")"+g.results(sig)) + call[len(name):]
	if sig.Results().Len() == 0 {
		return fmt.Sprintf("if %s { %s; return }; ", strings.Join(conds, " || "), slow)
	}
	return fmt.Sprintf("if %s { return %s }; ", strings.Join(conds, " || "), slow)
}
