package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// index lowers x[i] as a value, or an instance of a generic function.
func (x *body) index(e *ast.IndexExpr) string {
	if tv := x.info.Types[e.Index]; tv.IsType() {
		return x.functionValue(e)
	}
	t := x.typeOf(e.X)
	if m, ok := t.Underlying().(*types.Map); ok {
		base, key := x.pair(e.X, e.Index, func() string { return x.opened(e.X) }, func() string { return x.conv(e.Index, m.Key()) })
		return base + "[" + key + "]"
	}
	base, i := x.pair(e.X, e.Index, func() string { return x.opened(e.X) }, func() string { return x.elementIndex(e.Index) })
	return element(e, base, i)
}

// element gives base[i] with its position, for the executor checks the index.
func element(e *ast.IndexExpr, base, i string) string {
	return fmt.Sprintf("%s[/*%d*/%s]", base, e.Lbrack, i)
}

// unmarked is text without the positions in it.
func unmarked(s string) string {
	for {
		i := strings.Index(s, "/*")
		if i < 0 {
			return s
		}
		j := strings.Index(s[i:], "*/")
		if j < 0 {
			return s
		}
		s = s[:i] + s[i+j+2:]
	}
}

// isElement tells an element of an array, slice or string.
func (x *body) isElement(e ast.Expr) bool {
	_, ok := ast.Unparen(e).(*ast.IndexExpr)
	_, isMap := mapIndexed(x, e)
	return ok && !isMap
}

// mayFail tells the text of a value that may panic, or that the executor would give a place of its own.
func mayFail(v string) bool {
	return strings.ContainsAny(v, "[{./%*<") || strings.Contains(v, "](") || callLike(v)
}

// callLike tells text with a call in it.
func callLike(v string) bool {
	for i := 1; i < len(v); i++ {
		if v[i] == '(' && identifierByte(v[i-1]) {
			return true
		}
	}
	return false
}

// isKnown tells a pointer variable that is known not to be nil.
func (x *body) isKnown(e ast.Expr) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	return ok && x.known[x.objectOf(id)]
}

// elementIndex lowers the index of an element, which may be of any integer type.
func (x *body) elementIndex(e ast.Expr) string {
	if b, ok := x.typeOf(e).Underlying().(*types.Basic); ok && b.Info()&types.IsUntyped == 0 {
		if _, ok := x.constantOf(e); !ok {
			return x.expr(e)
		}
	}
	return x.indexValue(e)
}

func (x *body) isUnsigned(e ast.Expr) bool {
	b, ok := x.typeOf(e).Underlying().(*types.Basic)
	return ok && b.Info()&types.IsUnsigned != 0
}

// indexValue lowers an index or length to type int.
func (x *body) indexValue(e ast.Expr) string {
	if tv, ok := x.constantOf(e); ok {
		return x.constant(constant.ToInt(tv.Value), types.Typ[types.Int])
	}
	t := x.typeOf(e)
	if b, ok := t.Underlying().(*types.Basic); ok {
		if b.Kind() == types.Int {
			return x.expr(e)
		}
		if k := b.Kind(); k == types.Uint || k == types.Uint64 || k == types.Uintptr {
			return "rt.UnsignedIndex(uint64(" + x.expr(e) + "))"
		}
	}
	return "int(" + x.expr(e) + ")"
}

// wideIndex lowers a length for make to int64 so that too large ones are seen.
func (x *body) wideIndex(e ast.Expr) string {
	if tv, ok := x.constantOf(e); ok {
		if n, ok := constant.Int64Val(constant.ToInt(tv.Value)); ok {
			return fmt.Sprint(n)
		}
	}
	return "int64(" + x.indexValue(e) + ")"
}

// slice lowers x[i:j:k].
func (x *body) slice(e *ast.SliceExpr) string {
	t := x.typeOf(e.X)
	kind := "slice"
	ops := []operand{{func() string { return x.sliced(e.X, t) }, x.hasEffects(e.X), ""}}
	given, constant0 := 0, true
	for bit, i := range []ast.Expr{e.Low, e.High, e.Max} {
		if i == nil {
			continue
		}
		given |= 1 << bit
		_, isConstant := x.constantOf(i)
		constant0 = constant0 && isConstant
		ops = append(ops, operand{func() string { return x.indexValue(i) }, x.hasEffects(i), ""})
	}
	texts := x.ordered(ops)
	base, rest := texts[0], texts[1:]
	length := ""
	switch u := t.Underlying().(type) {
	case *types.Basic:
		kind = "string"
	case *types.Array:
		kind, length = "array", fmt.Sprint(u.Len())
	case *types.Pointer:
		kind, length = "array", fmt.Sprint(u.Elem().Underlying().(*types.Array).Len())
		x.risky = true
	}
	if given == 0 || kind == "array" && constant0 {
		return x.sliceText(base, rest, given)
	}
	return x.checkedSlice(e, base, rest, given, kind, length)
}

// sliced is the operand of a slice expression.
func (x *body) sliced(e ast.Expr, t types.Type) string {
	switch t.Underlying().(type) {
	case *types.Pointer:
		return "(*" + x.opened(e) + ")"
	case *types.Array:
		return "(" + x.place(e) + ")"
	}
	return x.opened(e)
}

func (x *body) sliceText(base string, bounds []string, given int) string {
	n := 0
	next := func(bit int) string {
		if given&(1<<bit) == 0 {
			return ""
		}
		n++
		return bounds[n-1]
	}
	s := base + "[" + next(0) + ":" + next(1)
	if given&4 != 0 {
		s += ":" + next(2)
	}
	return s + "]"
}

func (x *body) checkedSlice(e *ast.SliceExpr, base string, bounds []string, given int, kind, length string) string {
	if !simple(base) && length == "" {
		base = x.keepValue(base, "")
	}
	capacity := length
	if length == "" {
		length, capacity = "len("+base+")", "cap("+base+")"
		if kind == "string" {
			capacity = length
		}
	}
	args := [3]string{"0", "0", "0"}
	n := 0
	for bit := range 3 {
		if given&(1<<bit) != 0 {
			if !simple(bounds[n]) {
				bounds[n] = x.keepValue(bounds[n], "")
			}
			args[bit] = bounds[n]
			n++
		}
	}
	test := ""
	switch given {
	case 1:
		test = fmt.Sprintf("%s < 0 || %s > %s", args[0], args[0], length)
	case 2:
		test = fmt.Sprintf("%s < 0 || %s > %s", args[1], args[1], capacity)
	case 3:
		test = fmt.Sprintf("%s < 0 || %s > %s || %s > %s", args[0], args[0], args[1], args[1], capacity)
	default:
		test = fmt.Sprintf("%s < 0 || %s > %s || %s > %s || %s > %s", args[0], args[0], args[1], args[1], args[2], args[2], capacity)
	}
	x.line(fmt.Sprintf("if %s { rt.Bounds(%d, %q, %s, %s, %s, %s, %s, %d) }", test, e.Lbrack, kind, args[0], args[1], args[2], length, capacity, given))
	return x.sliceText(base, bounds, given)
}
