package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// builtin lowers a call of a predeclared function.
func (x *body) builtin(name string, e *ast.CallExpr) string {
	args := e.Args
	if len(args) == 1 && name != "make" && name != "new" {
		if tu, ok := x.typeOf(args[0]).(*types.Tuple); ok {
			args = nil
			for i, s := range x.spread(e.Args[0], tu) {
				args = append(args, x.synthetic(s, tu.At(i).Type()))
			}
		}
	}
	switch name {
	case "len", "cap":
		return x.length(name, args[0])
	case "append":
		return x.appending(e, args)
	case "copy":
		return x.copying(args)
	case "delete":
		m := x.typeOf(args[0]).Underlying().(*types.Map)
		a, k := x.pair(args[0], args[1], func() string { return x.opened(args[0]) }, func() string { return x.conv(args[1], m.Key()) })
		return "delete(" + a + ", " + k + ")"
	case "clear":
		return "rt.Clear(" + x.opened(args[0]) + ")"
	case "close":
		x.risky = true
		return "close(" + x.opened(args[0]) + ")"
	case "make":
		return x.making(e)
	case "new":
		return x.newVariable(e)
	case "panic":
		return fmt.Sprintf("rt.Panic(%d, %s)", e.Pos(), x.conv(args[0], anyType))
	case "recover":
		return x.recover
	case "print", "println":
		return x.printing(name, args)
	case "complex", "real", "imag":
		return x.complexPart(name, e, args)
	case "min", "max":
		return x.extreme(name, x.typeOf(e), args)
	}
	x.limit(e.Pos(), "%s is not available in cells", name)
	return ""
}

// synthetic is an identifier that lowers to text of type t.
func (x *body) synthetic(text string, t types.Type) ast.Expr {
	id := ast.NewIdent(text)
	v := types.NewVar(0, nil, text, t)
	x.info.Uses[id] = v
	x.info.Types[id] = types.TypeAndValue{Type: t}
	x.names[v] = text
	return id
}

func (x *body) length(name string, e ast.Expr) string {
	t := x.typeOf(e)
	p, pointer := t.Underlying().(*types.Pointer)
	if pointer {
		t = p.Elem()
	}
	if a, ok := t.Underlying().(*types.Array); ok {
		if x.hasEffects(e) {
			x.line("rt.Use(" + x.expr(e) + ")")
		}
		return fmt.Sprint(a.Len())
	}
	return name + "(" + x.opened(e) + ")"
}

func (x *body) appending(e *ast.CallExpr, args []ast.Expr) string {
	t := x.typeOf(e)
	if isNil(t) {
		t = x.typeOf(args[0])
	}
	hidden := x.hidden(t)
	u := t
	if hidden {
		u = t.Underlying()
	}
	el := elem(t)
	ops := []operand{{func() string {
		if hidden && !isNil(x.typeOf(args[0])) {
			return x.opened(args[0])
		}
		return x.conv(args[0], u)
	}, x.hasEffects(args[0]), x.low(u)}}
	spread := e.Ellipsis.IsValid()
	if spread && isNil(x.typeOf(args[1])) {
		return ops[0].lower()
	}
	for _, a := range args[1:] {
		ops = append(ops, operand{func() string {
			if spread {
				if b, ok := x.typeOf(a).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
					return "[]byte(" + x.expr(a) + ")"
				}
				return x.opened(a)
			}
			s := x.conv(a, el)
			if isElement(a) { // the executor reads it only after the slice has been written
				s = x.keepValue(s, x.low(el))
			}
			return s
		}, x.hasEffects(a), ""})
	}
	texts := x.ordered(ops)
	s := texts[0]
	if len(args) > 1 && types.SizesFor("gc", "amd64").Sizeof(el) == 0 {
		s = x.longer(e, texts, spread)
	}
	if len(args) > 1 {
		s = "append(" + strings.Join(texts, ", ")
		if spread {
			s += "..."
		}
		s += ")"
	}
	if hidden {
		return "rt.Any(" + s + ")"
	}
	return s
}

// longer checks how long a slice of elements without a size gets: only such can get longer than an
// int can tell. It puts the operands of the append into temporaries and gives the first.
func (x *body) longer(e *ast.CallExpr, texts []string, spread bool) string {
	for i := range texts {
		texts[i] = x.keepValue(texts[i], "")
	}
	more := fmt.Sprint(len(texts) - 1)
	if spread {
		more = "len(" + texts[1] + ")"
	}
	x.line(fmt.Sprintf("rt.Longer(%d, len(%s), %s)", e.Pos(), texts[0], more))
	x.risky = true
	return texts[0]
}

// isElement tells an operand that refers into memory which may change.
func isElement(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.IndexExpr, *ast.StarExpr:
		return true
	case *ast.SelectorExpr:
		return isElement(e.X)
	}
	return false
}

func (x *body) copying(args []ast.Expr) string {
	a, b := x.pair(args[0], args[1], func() string { return x.opened(args[0]) }, func() string {
		s := x.opened(args[1])
		if b, ok := x.typeOf(args[1]).Underlying().(*types.Basic); ok && b.Info()&types.IsString != 0 {
			s = "[]byte(" + s + ")"
		}
		return s
	})
	return "copy(" + a + ", " + b + ")"
}

func (x *body) making(e *ast.CallExpr) string {
	t := x.typeOf(e.Args[0])
	u := t.Underlying()
	low := x.low(u)
	ops := []operand{}
	for _, a := range e.Args[1:] {
		ops = append(ops, operand{func() string { return x.wideIndex(a) }, x.hasEffects(a), ""})
	}
	sizes := x.ordered(ops)
	switch c := u.(type) {
	case *types.Chan: // the executor makes nil of a directed channel
		low = x.low(types.NewChan(types.SendRecv, c.Elem()))
		if len(sizes) > 0 {
			sizes[0] = fmt.Sprintf("rt.Length(%d, \"makechan: size\", %s)", e.Pos(), sizes[0])
		}
	case *types.Map:
		sizes = nil
	case *types.Slice:
		sizes = x.sliceSizes(e, sizes)
	}
	s := "make(" + strings.Join(append([]string{low}, sizes...), ", ") + ")"
	if x.hidden(t) {
		return "rt.Any(" + s + ")"
	}
	if _, ok := u.(*types.Chan); !ok && low != x.low(t) {
		return parenthesized(x.low(t)) + "(" + s + ")"
	}
	return s
}

func (x *body) sliceSizes(e *ast.CallExpr, sizes []string) []string {
	_, constant1 := x.constantOf(e.Args[1])
	if !constant1 {
		sizes[0] = fmt.Sprintf("rt.Length(%d, \"makeslice: len\", %s)", e.Pos(), sizes[0])
	}
	if len(sizes) == 1 {
		return sizes
	}
	if _, ok := x.constantOf(e.Args[2]); ok && constant1 {
		return sizes
	}
	n := x.keepValue(sizes[0], "int")
	return []string{n, fmt.Sprintf("rt.Capacity(%d, %s, %s)", e.Pos(), n, sizes[1])}
}

func (x *body) newVariable(e *ast.CallExpr) string {
	t := types.Unalias(x.typeOf(e).Underlying().(*types.Pointer).Elem())
	low := x.low(t)
	if tv := x.info.Types[e.Args[0]]; !tv.IsType() {
		return "func(v " + low + ") *" + low + " { return &v }(" + x.conv(e.Args[0], t) + ")"
	}
	if x.hidden(t) {
		return "func(v " + low + ") *" + low + " { return &v }(" + x.zero(t) + ")"
	}
	return "new(" + low + ")"
}

func (x *body) printing(name string, args []ast.Expr) string {
	var ops []operand
	for _, a := range args {
		ops = append(ops, operand{func() string {
			t := defaultType(x.typeOf(a))
			if isNil(t) {
				return "rt.Nil()"
			}
			s := x.conv(a, t)
			if isInterface(t) {
				return s
			}
			return "rt.Any(" + s + ")"
		}, x.hasEffects(a), anyText})
	}
	f := map[string]string{"print": "rt.BuiltinPrint", "println": "rt.BuiltinPrintln"}[name]
	return f + "(" + strings.Join(x.ordered(ops), ", ") + ")"
}

func (x *body) complexPart(name string, e *ast.CallExpr, args []ast.Expr) string {
	t := defaultType(x.typeOf(e))
	if name == "complex" {
		f, part, plain := "rt.Complex128", types.Typ[types.Float64], "complex128"
		if t.Underlying().(*types.Basic).Kind() == types.Complex64 {
			f, part, plain = "rt.Complex64", types.Typ[types.Float32], "complex64"
		}
		a, b := x.pair(args[0], args[1], func() string { return x.floatArgument(args[0], part) }, func() string { return x.floatArgument(args[1], part) })
		return x.typed(f+"("+a+", "+b+")", x.low(t), plain)
	}
	f := map[string]string{"real": "rt.Real", "imag": "rt.Imag"}[name]
	from := defaultType(x.typeOf(args[0]))
	s := x.conv(args[0], from)
	if from.Underlying().(*types.Basic).Kind() == types.Complex64 {
		return x.typed(f+"64("+s+")", x.low(t), "float32")
	}
	return x.typed(f+"128("+s+")", x.low(t), "float64")
}

func (x *body) floatArgument(e ast.Expr, t types.Type) string {
	s := x.conv(e, t)
	if _, ok := x.constantOf(e); !ok && x.low(x.typeOf(e)) != x.low(t) {
		return x.low(t) + "(" + s + ")"
	}
	return s
}

// extreme lowers min and max.
func (x *body) extreme(name string, t types.Type, args []ast.Expr) string {
	t = defaultType(t)
	low := x.low(t)
	var ops []operand
	for _, a := range args {
		ops = append(ops, operand{func() string { return x.conv(a, t) }, x.hasEffects(a), low})
	}
	texts := x.ordered(ops)
	s := texts[0]
	float := t.Underlying().(*types.Basic).Info()&types.IsFloat != 0
	op := map[string]string{"min": "<", "max": ">"}[name]
	for _, v := range texts[1:] {
		if float {
			f := map[string]string{"min": "rt.MinFloat", "max": "rt.MaxFloat"}[name]
			s = fmt.Sprintf("%s(%s(float64(%s), float64(%s)))", low, f, s, v)
			continue
		}
		r, w := x.keepValue(s, low), x.keepValue(v, low)
		x.line(fmt.Sprintf("if %s %s %s { %s = %s }", w, op, r, r, w))
		s = r
	}
	return s
}
