package execute

import (
	"math"
	"reflect"
	"unsafe"
)

// header is a slice in memory.
type header struct {
	data     unsafe.Pointer
	len, cap int
}

// span is how a slice and a string begin in memory.
type span struct {
	data unsafe.Pointer
	len  int
}

// element is x[i] for a slice, string, array or pointer to an array: the slot gets the place of the
// element.
func (in *instructions) element(n *node, _ string, _ step) step {
	t := in.typeOf(n.child[0])
	x, e := in.operandOf(n.child[0], t), elements{in: in, position: in.positionOf(n.child[1])}
	if t == nil || x == nil || n.level < 0 || n.findex < 0 || !in.indexOf(n.child[1], &e) {
		return nil
	}
	e.x, e.to, e.word = x, at(n.level, n.findex), typeWord(t)
	switch t.Kind() {
	case reflect.Slice:
		e.elem, e.size = placeOf(t.Elem()), t.Elem().Size()
		return finished(n, e.ofSlice, t.Elem())
	case reflect.String:
		e.elem, e.size = placeOf(reflect.TypeFor[byte]()), 1
		e.elem.flag &^= addressable
		return finished(n, e.ofSlice, reflect.TypeFor[byte]())
	case reflect.Array:
		e.elem, e.size, e.length = placeOf(t.Elem()), t.Elem().Size(), t.Len()
		e.elem.flag &^= addressable
		return finished(n, e.ofArray, t.Elem())
	case reflect.Pointer:
		if t.Elem().Kind() == reflect.Array {
			e.elem, e.size, e.length = placeOf(t.Elem().Elem()), t.Elem().Elem().Size(), t.Elem().Len()
			return finished(n, e.ofPointer, t.Elem().Elem())
		}
	}
	return nil
}

// indexOf sets how e finds its index, which may be of any integer type.
func (in *instructions) indexOf(n *node, e *elements) bool {
	t := reflect.TypeFor[int]()
	if !n.rval.IsValid() {
		t = in.typeOf(n)
	}
	i, ok := in.locate(n, t)
	if !ok {
		return false
	}
	j, from := i.index, i.operand()
	switch k := t.Kind(); {
	case k == reflect.Int && i.local():
		e.i = func(f *frame) int { return *(*int)(f.data[j].ptr) }
	case k == reflect.Int:
		e.i = func(f *frame) int { return *(*int)(from(f).ptr) }
	case k >= reflect.Int8 && k <= reflect.Int64:
		e.i = func(f *frame) int { return int(from(f).value().Int()) }
	case k >= reflect.Uint && k <= reflect.Uintptr:
		e.i = func(f *frame) int {
			u := from(f).value().Uint()
			if u > math.MaxInt {
				e.in.runtime.Large(u)
			}
			return int(min(u, math.MaxInt))
		}
	default:
		return false
	}
	return true
}

// finished makes the instruction of n of one that stores a value of type t: where n decides a
// branch, the value is looked at.
func finished(n *node, do func(*frame) *slot, t reflect.Type) step {
	yes := next(n.tnext)
	if n.fnext == nil {
		return func(f *frame) step { do(f); return yes }
	}
	if t.Kind() != reflect.Bool {
		return nil
	}
	no := next(n.fnext)
	return func(f *frame) step {
		if *(*bool)(do(f).ptr) {
			return yes
		}
		return no
	}
}

// elements finds elements of values of one type.
type elements struct {
	x, to    operand
	i        func(*frame) int
	word     unsafe.Pointer // of x's type
	elem     slot           // of an element, without its place
	size     uintptr
	length   int
	position int
	in       *instructions
}

func (e *elements) ofSlice(f *frame) *slot {
	x, i := e.x(f), e.i(f)
	if x.typ != e.word || x.flag&indirect == 0 {
		return e.reflected(f, x, i)
	}
	h := (*span)(x.ptr)
	if uint(i) >= uint(h.len) {
		e.in.runtime.Index(e.position, i, h.len)
	}
	to := e.to(f)
	*to = slot{e.elem.typ, unsafe.Add(h.data, uintptr(i)*e.size), e.elem.flag}
	return to
}

func (e *elements) ofArray(f *frame) *slot {
	x, i := e.x(f), e.i(f)
	if x.typ != e.word || x.flag&indirect == 0 {
		return e.reflected(f, x, i)
	}
	if uint(i) >= uint(e.length) {
		e.in.runtime.Index(e.position, i, e.length)
	}
	to := e.to(f)
	*to = slot{e.elem.typ, unsafe.Add(x.ptr, uintptr(i)*e.size), e.elem.flag | x.flag&addressable}
	return to
}

func (e *elements) ofPointer(f *frame) *slot {
	x, i := e.x(f), e.i(f)
	if x.typ != e.word {
		return e.reflected(f, x, i)
	}
	p := e.in.pointer(x, e.position)
	if uint(i) >= uint(e.length) {
		e.in.runtime.Index(e.position, i, e.length)
	}
	to := e.to(f)
	*to = slot{e.elem.typ, unsafe.Add(p, uintptr(i)*e.size), e.elem.flag}
	return to
}

// reflected finds an element of a value that is not as expected, as yaegi does.
func (e *elements) reflected(f *frame, x *slot, i int) *slot {
	v := *x.value()
	if v.Kind() == reflect.Pointer {
		v = v.Elem()
	}
	if n := v.Len(); uint(i) >= uint(n) {
		e.in.runtime.Index(e.position, i, n)
	}
	to := e.to(f)
	*to.value() = v.Index(i)
	return to
}
