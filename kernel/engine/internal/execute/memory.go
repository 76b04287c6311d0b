package execute

import (
	"reflect"
	"unsafe"
)

// field is s.f and p.f, for a field that lies in the struct itself or in one within it: the slot
// gets the place of the field.
func (in *instructions) field(n *node, _ string, yaegi step) step {
	t := in.typeOf(n.child[0])
	path, ok := n.val.([]int)
	if t == nil || !ok || n.level < 0 || n.findex < 0 {
		return nil
	}
	s := t
	if t.Kind() == reflect.Pointer {
		s = t.Elem()
	}
	x := in.operandOf(n.child[0], t)
	offset, ok := offsetOf(s, path)
	if x == nil || !ok {
		return nil
	}
	v := reflect.New(s).Elem().FieldByIndex(path)
	to, word, typ, flag := at(n.level, n.findex), typeWord(t), slotOf(&v).typ, slotOf(&v).flag
	if t.Kind() == reflect.Pointer {
		return finished(n, func(f *frame) *slot {
			p, r := x(f), to(f)
			if p.typ != word {
				*r.value() = p.value().Elem().FieldByIndex(path)
				return r
			}
			*r = slot{typ, unsafe.Add(in.pointer(p, 0), offset), flag}
			return r
		}, v.Type())
	}
	return finished(n, func(f *frame) *slot {
		p, r := x(f), to(f)
		if p.typ != word || p.flag&indirect == 0 {
			*r.value() = p.value().FieldByIndex(path)
			return r
		}
		*r = slot{typ, unsafe.Add(p.ptr, offset), flag&^addressable | p.flag&addressable}
		return r
	}, v.Type())
}

// offsetOf is where a field lies in struct type t.
func offsetOf(t reflect.Type, path []int) (offset uintptr, ok bool) {
	for _, i := range path {
		if t.Kind() != reflect.Struct {
			return 0, false
		}
		f := t.Field(i)
		offset += f.Offset
		t = f.Type
	}
	return offset, true
}

// pointer is the pointer that s holds, which must not be nil.
func (in *instructions) pointer(s *slot, position int) unsafe.Pointer {
	p := s.ptr
	if s.flag&indirect != 0 {
		p = *(*unsafe.Pointer)(p)
	}
	if p == nil {
		in.runtime.Nil(position)
	}
	return p
}

// dereference is *p: the slot gets the place that p points to.
func (in *instructions) dereference(n *node, _ string, _ step) step {
	t := in.typeOf(n.child[0])
	if t == nil || t.Kind() != reflect.Pointer || n.level < 0 || n.findex < 0 {
		return nil
	}
	x := in.operandOf(n.child[0], t)
	if x == nil {
		return nil
	}
	to, word, place := at(n.level, n.findex), typeWord(t), placeOf(t.Elem())
	return finished(n, func(f *frame) *slot {
		p, r := x(f), to(f)
		if p.typ != word {
			*r.value() = p.value().Elem()
			return r
		}
		*r = slot{place.typ, in.pointer(p, 0), place.flag}
		return r
	}, t.Elem())
}

// length is len(x) for slices and strings.
func (in *instructions) length(n *node, _ string, yaegi step) step {
	t := in.typeOf(n.child[1])
	if t == nil || t.Kind() != reflect.Slice && t.Kind() != reflect.String || n.fnext != nil || n.level < 0 || n.findex < 0 {
		return nil
	}
	x := in.operandOf(n.child[1], t)
	if x == nil {
		return nil
	}
	to, word, result, then := at(n.level, n.findex), typeWord(t), typeWord(reflect.TypeFor[int]()), next(n.tnext)
	return func(f *frame) step {
		p, r := x(f), to(f)
		if p.typ != word || r.typ != result || p.flag&indirect == 0 {
			return yaegi(f)
		}
		*(*int)(r.ptr) = (*span)(p.ptr).len
		return then
	}
}

// nilTest is p == nil and p != nil for pointers, maps, slices, channels and interfaces.
func (in *instructions) nilTest(n *node, name string, yaegi step) step {
	c := n.child[0]
	if n.child[0].sym != nil && n.child[0].sym.index < 0 {
		c = n.child[1]
	}
	t := in.typeOf(c)
	if t == nil || n.level < 0 || n.findex < 0 || in.typeOf(n) != reflect.TypeFor[bool]() {
		return nil
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Map, reflect.Slice, reflect.Chan:
	default:
		if t != reflect.TypeFor[any]() {
			return nil
		}
	}
	x := in.operandOf(c, t)
	if x == nil {
		return nil
	}
	to, word, result, equal := at(n.level, n.findex), typeWord(t), typeWord(reflect.TypeFor[bool]()), name != "isNotNil"
	yes, no := next(n.tnext), next(n.fnext)
	if n.fnext == nil {
		no = yes
	}
	return func(f *frame) step {
		p, r := x(f), to(f)
		if p.typ != word || r.typ != result || p.flag&indirect == 0 {
			return yaegi(f)
		}
		is := *(*unsafe.Pointer)(p.ptr) == nil // the first word: of an interface, its type
		if *(*bool)(r.ptr) = is == equal; is == equal {
			return yes
		}
		return no
	}
}
