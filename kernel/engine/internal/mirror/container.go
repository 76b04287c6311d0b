package mirror

import (
	"iter"
	"reflect"
)

func (v Value) Len() int {
	v.must("Len", reflect.Array, reflect.Chan, reflect.Map, reflect.Slice, reflect.String, reflect.Pointer)
	return v.v.Len()
}

func (v Value) Cap() int {
	v.must("Cap", reflect.Array, reflect.Chan, reflect.Slice, reflect.Pointer)
	return v.v.Cap()
}

func (v Value) Index(i int) Value {
	v.must("Index", reflect.Array, reflect.Slice, reflect.String)
	if i < 0 || i >= v.v.Len() {
		fail("reflect: " + v.Kind().String() + " index out of range")
	}
	if v.Kind() == reflect.String {
		return v.t.m.value(nil, v.v.Index(i))
	}
	return v.inside(v.t.elem(), v.v.Index(i))
}

// sliced is the type of a slice of v.
func (v Value) sliced() *rtype {
	if v.Kind() == reflect.Array {
		return v.t.m.SliceOf(v.t.elem()).(*rtype)
	}
	return v.t
}

func (v Value) Slice(i, j int) Value {
	v.must("Slice", reflect.Array, reflect.Slice, reflect.String)
	return Value{v.sliced(), v.v.Slice(i, j), v.readOnly}
}

func (v Value) Slice3(i, j, k int) Value {
	v.must("Slice3", reflect.Array, reflect.Slice)
	return Value{v.sliced(), v.v.Slice3(i, j, k), v.readOnly}
}

func (v Value) SetLen(n int) { v.settable("SetLen"); v.must("SetLen", reflect.Slice); v.v.SetLen(n) }
func (v Value) SetCap(n int) { v.settable("SetCap"); v.must("SetCap", reflect.Slice); v.v.SetCap(n) }
func (v Value) Grow(n int)   { v.settable("Grow"); v.must("Grow", reflect.Slice); v.v.Grow(n) }
func (v Value) Clear()       { v.must("Clear", reflect.Slice, reflect.Map); v.v.Clear() }

// Append is reflect.Append.
func Append(s Value, x ...Value) Value {
	s.must("Append", reflect.Slice)
	r := s.v
	for _, e := range x {
		r = reflect.Append(r, e.assigned("Append", s.t.elem(), r.Type().Elem()))
	}
	return Value{t: s.t, v: r}
}

// AppendSlice is reflect.AppendSlice.
func AppendSlice(s, t Value) Value {
	s.must("AppendSlice", reflect.Slice)
	if s.t.elem() != t.t.elem() && t.Kind() != reflect.String {
		fail("reflect.AppendSlice: " + s.t.String() + " != " + t.t.String())
	}
	return Value{t: s.t, v: reflect.AppendSlice(s.v, t.v)}
}

// Copy is reflect.Copy.
func Copy(to, from Value) int { return reflect.Copy(to.v, from.v) }

func (v Value) MapIndex(key Value) Value {
	v.must("MapIndex", reflect.Map)
	e := v.v.MapIndex(key.assigned("Value.MapIndex", v.t.key(), v.v.Type().Key()))
	if !e.IsValid() {
		return Value{}
	}
	return v.inside(v.t.elem(), e)
}

func (v Value) MapKeys() []Value {
	v.must("MapKeys", reflect.Map)
	l := make([]Value, 0, v.v.Len())
	for _, k := range v.v.MapKeys() {
		l = append(l, v.inside(v.t.key(), k))
	}
	return l
}

func (v Value) SetMapIndex(key, elem Value) {
	v.must("SetMapIndex", reflect.Map)
	k := key.assigned("Value.SetMapIndex", v.t.key(), v.v.Type().Key())
	if !elem.v.IsValid() {
		v.v.SetMapIndex(k, reflect.Value{})
		return
	}
	v.v.SetMapIndex(k, elem.assigned("Value.SetMapIndex", v.t.elem(), v.v.Type().Elem()))
}

// MapIter is reflect.MapIter.
type MapIter struct {
	of Value
	it *reflect.MapIter
}

func (v Value) MapRange() *MapIter {
	v.must("MapRange", reflect.Map)
	return &MapIter{v, v.v.MapRange()}
}

func (m *MapIter) Next() bool   { return m.it.Next() }
func (m *MapIter) Key() Value   { return m.of.inside(m.of.t.key(), m.it.Key()) }
func (m *MapIter) Value() Value { return m.of.inside(m.of.t.elem(), m.it.Value()) }
func (m *MapIter) Reset(v Value) {
	m.of = v
	m.it.Reset(v.v)
}
func (v Value) SetIterKey(m *MapIter)   { v.Set(m.Key()) }
func (v Value) SetIterValue(m *MapIter) { v.Set(m.Value()) }

func (v Value) Send(x Value) {
	v.must("Send", reflect.Chan)
	v.v.Send(x.assigned("Value.Send", v.t.elem(), v.v.Type().Elem()))
}

func (v Value) TrySend(x Value) bool {
	v.must("TrySend", reflect.Chan)
	return v.v.TrySend(x.assigned("Value.TrySend", v.t.elem(), v.v.Type().Elem()))
}

func (v Value) received(x reflect.Value, ok bool) (Value, bool) {
	if !x.IsValid() {
		return Value{}, ok
	}
	return v.inside(v.t.elem(), x), ok
}

func (v Value) Recv() (Value, bool) {
	v.must("Recv", reflect.Chan)
	return v.received(v.v.Recv())
}

func (v Value) TryRecv() (Value, bool) {
	v.must("TryRecv", reflect.Chan)
	return v.received(v.v.TryRecv())
}

func (v Value) Close() { v.must("Close", reflect.Chan); v.v.Close() }

// SelectCase is reflect.SelectCase.
type SelectCase struct {
	Dir  reflect.SelectDir
	Chan Value
	Send Value
}

// Select is reflect.Select.
func (m *Mirror) Select(cases []SelectCase) (int, Value, bool) {
	l := make([]reflect.SelectCase, len(cases))
	for i, c := range cases {
		l[i] = reflect.SelectCase{Dir: c.Dir, Chan: c.Chan.v}
		if c.Dir == reflect.SelectSend && c.Chan.v.IsValid() {
			l[i].Send = c.Send.assigned("Select", c.Chan.t.elem(), c.Chan.v.Type().Elem())
		}
	}
	i, v, ok := reflect.Select(l)
	if !v.IsValid() {
		return i, Value{}, ok
	}
	return i, cases[i].Chan.inside(cases[i].Chan.t.elem(), v), ok
}

// Seq and Seq2 go through what range goes through.
func (v Value) Seq() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		switch v.Kind() {
		case reflect.Map:
			for m := v.MapRange(); m.Next(); {
				if !yield(m.Key()) {
					return
				}
			}
		case reflect.Func:
			v.Call([]Value{v.t.m.MakeFunc(v.t.in(0), func(a []Value) []Value { return []Value{v.t.m.ValueOf(yield(a[0]))} })})
		default:
			for x := range v.v.Seq() {
				if !yield(v.t.m.value(nil, x)) {
					return
				}
			}
		}
	}
}

func (v Value) Seq2() iter.Seq2[Value, Value] {
	return func(yield func(Value, Value) bool) {
		switch v.Kind() {
		case reflect.Map:
			for m := v.MapRange(); m.Next(); {
				if !yield(m.Key(), m.Value()) {
					return
				}
			}
		case reflect.Func:
			v.Call([]Value{v.t.m.MakeFunc(v.t.in(0), func(a []Value) []Value { return []Value{v.t.m.ValueOf(yield(a[0], a[1]))} })})
		case reflect.Slice, reflect.Array:
			for i := range v.v.Len() {
				if !yield(v.t.m.ValueOf(i), v.Index(i)) {
					return
				}
			}
		default:
			for i, x := range v.v.Seq2() {
				if !yield(v.t.m.value(nil, i), v.t.m.value(nil, x)) {
					return
				}
			}
		}
	}
}
