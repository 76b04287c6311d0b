package execute

import (
	"reflect"
	"unsafe"
)

// assign is x = y for two operands of one type.
func (in *instructions) assign(n *node, _ string, yaegi step) step {
	if len(n.child) < 2 || n.nleft != 1 || n.nright != 1 || n.anc == nil || n.kind == in.define && !in.reuses(n) || n.child[0].ident == "_" || in.isEntry(n.child[0]) {
		return nil
	}
	x, y := n.child[0], n.child[len(n.child)-1]
	t := in.typeOf(x)
	if t == nil {
		return nil
	}
	to, ok1 := in.locate(x, t)
	from, ok2 := in.locate(y, t)
	if !ok1 || !ok2 || to.constant != nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return moving[uint8](n, t, to, from, yaegi)
	case reflect.Int16, reflect.Uint16:
		return moving[uint16](n, t, to, from, yaegi)
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return moving[uint32](n, t, to, from, yaegi)
	case reflect.Int, reflect.Uint, reflect.Int64, reflect.Uint64, reflect.Float64, reflect.Uintptr:
		return moving[uint64](n, t, to, from, yaegi)
	case reflect.String:
		return moving[string](n, t, to, from, yaegi)
	case reflect.Slice:
		return moving[header](n, t, to, from, yaegi)
	case reflect.Pointer, reflect.Map, reflect.Chan:
		return moving[unsafe.Pointer](n, t, to, from, yaegi)
	case reflect.Interface:
		if t == reflect.TypeFor[any]() {
			return moving[any](n, t, to, from, yaegi)
		}
	}
	return nil
}

// reuses tells a definition whose variable needs no new place when it is run again.
func (in *instructions) reuses(n *node) bool {
	f := in.function(n)
	return f != nil && f.kind == in.declares && !in.keeps(f) && n.level == 0 && n.child[0].level == 0
}

// moving moves a value that lies in memory as a T.
func moving[T any](n *node, t reflect.Type, to, from located, yaegi step) step {
	word, then := typeWord(t), next(n.tnext)
	if c := from.constant; c != nil && c.flag&indirect != 0 && to.local() && !c.value().CanAddr() {
		k, v := to.index, *(*T)(c.ptr)
		return func(f *frame) step {
			p := &f.data[k]
			if p.typ != word || p.flag&indirect == 0 {
				return yaegi(f)
			}
			*(*T)(p.ptr) = v
			return then
		}
	}
	if from.local() && to.local() {
		i, k := from.index, to.index
		return func(f *frame) step {
			p, q := &f.data[k], &f.data[i]
			if p.typ != word || q.typ != word || (p.flag&q.flag)&indirect == 0 {
				return yaegi(f)
			}
			*(*T)(p.ptr) = *(*T)(q.ptr)
			return then
		}
	}
	a, b := to.operand(), from.operand()
	return func(f *frame) step {
		p, q := a(f), b(f)
		if p.typ != word || q.typ != word || (p.flag&q.flag)&indirect == 0 {
			return yaegi(f)
		}
		*(*T)(p.ptr) = *(*T)(q.ptr)
		return then
	}
}
