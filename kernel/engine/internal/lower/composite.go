package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// composite lowers a composite literal of type t, which may be a pointer inside another literal.
func (x *body) composite(e *ast.CompositeLit, t types.Type) string {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
		return x.addressOf(x.composite(e, t), t)
	}
	var parts []string
	switch u := t.Underlying().(type) {
	case *types.Struct:
		parts = x.structElements(e, t, u)
	case *types.Slice, *types.Array:
		parts = x.listElements(e, elem(t))
	case *types.Map:
		parts = x.mapElements(e, u)
	}
	low := x.low(t)
	if low == "struct{}" {
		return "struct{}{}"
	}
	if x.hidden(t) {
		return "rt.Any(" + x.low(t.Underlying()) + "{" + strings.Join(parts, ", ") + "})"
	}
	return low + "{" + strings.Join(parts, ", ") + "}"
}

// element is one value of a literal as an operand.
func (x *body) element(e ast.Expr, t types.Type) operand {
	t = types.Unalias(t)
	lower := func() string {
		if c, ok := e.(*ast.CompositeLit); ok && c.Type == nil {
			return x.composite(c, t)
		}
		return x.conv(e, t)
	}
	return operand{lower, x.hasEffects(e), x.low(t)}
}

func (x *body) structElements(e *ast.CompositeLit, t types.Type, u *types.Struct) []string {
	var ops []operand
	var fields []int
	for i, v := range e.Elts {
		if kv, ok := v.(*ast.KeyValueExpr); ok {
			v = kv.Value
			for j := range u.NumFields() {
				if u.Field(j).Name() == kv.Key.(*ast.Ident).Name {
					i = j
				}
			}
		}
		if u.Field(i).Name() == "_" { // stays zero
			if x.hasEffects(v) {
				x.discard(v)
			}
			continue
		}
		fields = append(fields, i)
		ops = append(ops, x.element(v, u.Field(i).Type()))
	}
	parts := x.ordered(ops)
	for k, i := range fields {
		name := fieldName(u, i)
		if x.compiledType(t) {
			name = u.Field(i).Name()
			parts[k] = x.toCompiled(parts[k], u.Field(i).Type())
		}
		parts[k] = name + ": " + parts[k]
	}
	return parts
}

func (x *body) listElements(e *ast.CompositeLit, el types.Type) []string {
	var ops []operand
	var at []int64
	next := int64(0)
	for _, v := range e.Elts {
		if kv, ok := v.(*ast.KeyValueExpr); ok {
			next, _ = constant.Int64Val(constant.ToInt(x.info.Types[kv.Key].Value))
			v = kv.Value
		}
		at = append(at, next)
		ops = append(ops, x.element(v, el))
		next++
	}
	parts := x.ordered(ops)
	keyed := false
	for i := range parts {
		keyed = keyed || at[i] != int64(i)
	}
	for i := range parts {
		if keyed {
			parts[i] = fmt.Sprintf("%d: %s", at[i], parts[i])
		}
	}
	return parts
}

func (x *body) mapElements(e *ast.CompositeLit, u *types.Map) []string {
	var ops []operand
	for _, v := range e.Elts {
		kv := v.(*ast.KeyValueExpr)
		ops = append(ops, x.element(kv.Key, u.Key()), x.element(kv.Value, u.Elem()))
	}
	parts := x.ordered(ops)
	var r []string
	for i := 0; i < len(parts); i += 2 {
		r = append(r, parts[i]+": "+parts[i+1])
	}
	return r
}
