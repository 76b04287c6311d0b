package border

import (
	"go/types"
	"strconv"
	"strings"
)

// name writes t as package reflect and Go's own messages do: main.T, struct { x int },
// interface {}, main.Pair[int,string], func(int) string.
func name(t types.Type) string {
	var b strings.Builder
	writeName(&b, t, false)
	return b.String()
}

// writeName writes t; in a list of type arguments packages have their whole paths.
func writeName(b *strings.Builder, t types.Type, path bool) {
	element := func(prefix string, t types.Type) {
		b.WriteString(prefix)
		writeName(b, t, path)
	}
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		b.WriteString(types.Default(types.Typ[t.Kind()]).String()) // byte is uint8
	case *types.Named:
		writeNamed(b, t, path)
	case *types.Pointer:
		element("*", t.Elem())
	case *types.Slice:
		element("[]", t.Elem())
	case *types.Array:
		element("["+strconv.FormatInt(t.Len(), 10)+"]", t.Elem())
	case *types.Map:
		element("map[", t.Key())
		element("]", t.Elem())
	case *types.Chan:
		writeChan(b, t, path)
	case *types.Struct:
		writeStruct(b, t, path)
	case *types.Interface:
		writeInterface(b, t, path)
	case *types.Signature:
		b.WriteString("func")
		writeSignature(b, t, path)
	default:
		b.WriteString(t.String())
	}
}

func writeNamed(b *strings.Builder, t *types.Named, path bool) {
	if p := t.Obj().Pkg(); p != nil {
		if path {
			b.WriteString(p.Path() + ".")
		} else {
			b.WriteString(p.Name() + ".")
		}
	}
	b.WriteString(t.Obj().Name())
	for i := range t.TypeArgs().Len() {
		b.WriteByte("[,"[min(i, 1)])
		writeName(b, t.TypeArgs().At(i), true)
	}
	if t.TypeArgs().Len() > 0 {
		b.WriteByte(']')
	}
}

func writeChan(b *strings.Builder, t *types.Chan, path bool) {
	inner := name(t.Elem())
	switch t.Dir() {
	case types.SendOnly:
		b.WriteString("chan<- ")
	case types.RecvOnly:
		b.WriteString("<-chan ")
	default:
		b.WriteString("chan ")
		if strings.HasPrefix(inner, "<-") {
			b.WriteByte('(')
			defer b.WriteByte(')')
		}
	}
	writeName(b, t.Elem(), path)
}

func writeStruct(b *strings.Builder, t *types.Struct, path bool) {
	b.WriteString("struct {")
	for i := range t.NumFields() {
		b.WriteString(separator(i))
		f := t.Field(i)
		if !f.Embedded() {
			b.WriteString(f.Name() + " ")
		}
		writeName(b, f.Type(), path)
		if tag := t.Tag(i); tag != "" {
			b.WriteString(" " + strconv.Quote(tag))
		}
	}
	if t.NumFields() > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}

// separator stands before field or method i.
func separator(i int) string {
	if i == 0 {
		return " "
	}
	return "; "
}

func writeInterface(b *strings.Builder, t *types.Interface, path bool) {
	b.WriteString("interface {")
	for i := range t.NumMethods() {
		b.WriteString(separator(i))
		m := t.Method(i)
		if !m.Exported() {
			b.WriteString(m.Pkg().Name() + ".")
		}
		b.WriteString(m.Name())
		writeSignature(b, m.Signature(), path)
	}
	if t.NumMethods() > 0 {
		b.WriteByte(' ')
	}
	b.WriteByte('}')
}

func writeSignature(b *strings.Builder, t *types.Signature, path bool) {
	list := func(tu *types.Tuple, variadic bool) {
		for i := range tu.Len() {
			if i > 0 {
				b.WriteString(", ")
			}
			p := tu.At(i).Type()
			if s, ok := types.Unalias(p).(*types.Slice); ok && variadic && i == tu.Len()-1 {
				b.WriteString("...")
				p = s.Elem()
			}
			writeName(b, p, path)
		}
	}
	b.WriteByte('(')
	list(t.Params(), t.Variadic())
	b.WriteByte(')')
	switch t.Results().Len() {
	case 0:
	case 1:
		b.WriteByte(' ')
		list(t.Results(), false)
	default:
		b.WriteString(" (")
		list(t.Results(), false)
		b.WriteByte(')')
	}
}
