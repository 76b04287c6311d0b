package border

import (
	"encoding/json"
	"fmt"
	"go/types"
	"reflect"
)

// out makes a value of shape to of v, of Go type t.
func (s *shaper) out(t types.Type, v reflect.Value, to reflect.Type) reflect.Value {
	t = types.Unalias(t)
	n := reflect.New(to).Elem()
	switch {
	case types.IsInterface(t):
		if v.IsNil() {
			return n
		}
		if x := s.rt.shaped(s.f, s.rt.In(v.Elem().Interface())); x != nil && reflect.TypeOf(x).AssignableTo(to) {
			n.Set(reflect.ValueOf(x))
		}
		return n
	case to == rawType && v.Type() != rawType:
		if !s.reading {
			n.SetBytes(s.written(t, v))
		}
		return n
	case v.Type() == to && s.plain(t, map[types.Type]bool{}):
		return v
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if !v.IsNil() {
			n.Set(reflect.New(to.Elem()))
			n.Elem().Set(s.out(u.Elem(), v.Elem(), to.Elem()))
		}
	case *types.Slice:
		if !v.IsNil() {
			n.Set(reflect.MakeSlice(to, v.Len(), v.Len()))
		}
		for i := range v.Len() {
			n.Index(i).Set(s.out(u.Elem(), v.Index(i), to.Elem()))
		}
	case *types.Array:
		for i := range v.Len() {
			n.Index(i).Set(s.out(u.Elem(), v.Index(i), to.Elem()))
		}
	case *types.Map:
		if !v.IsNil() {
			n.Set(reflect.MakeMap(to))
		}
		for it := v.MapRange(); it.Next(); {
			k := it.Key()
			if k.Type() != to.Key() {
				k = reflect.ValueOf(s.keyText(u.Key(), k))
			}
			n.SetMapIndex(k, s.out(u.Elem(), it.Value(), to.Elem()))
		}
	case *types.Struct:
		s.each(u, to, func(i, k int) { n.Field(k).Set(s.out(u.Field(i).Type(), v.Field(i), to.Field(k).Type)) })
	}
	return n
}

// each goes through the fields that shape to has.
func (s *shaper) each(u *types.Struct, to reflect.Type, f func(i, k int)) {
	k := 0
	if to.NumField() > 0 && to.Field(0).Name == "XMLName" && !hasField(u, "XMLName") {
		k = 1
	}
	for i := range u.NumFields() {
		if s.kept(u.Field(i)) {
			f(i, k)
			k++
		}
	}
}

// call calls a method of a value, or of its address where that is what has it.
func (s *shaper) call(t types.Type, v reflect.Value, name string, args ...any) ([]any, bool) {
	if r, ok := s.rt.invoke(s.rt.box(t, v), name, args...); ok {
		return r, true
	}
	if v.CanAddr() {
		return s.rt.invoke(s.rt.box(types.NewPointer(t), v.Addr()), name, args...)
	}
	return nil, false
}

// written is the JSON of a value that writes itself, or that lies inside one of its own type.
func (s *shaper) written(t types.Type, v reflect.Value) []byte {
	for _, method := range []string{"MarshalJSON", "MarshalText"} {
		r, ok := s.call(t, v, method)
		if !ok || len(r) != 2 {
			continue
		}
		if err, ok := s.rt.Error(r[1]).(error); ok {
			panic(encodeError{fmt.Errorf("json: error calling %s for type %s: %w", method, name(t), err)})
		}
		b, _ := r[0].([]byte)
		if method == "MarshalText" {
			b, _ = json.Marshal(string(b))
		}
		return b
	}
	inner := &shaper{rt: s.rt, f: s.f}
	b, err := json.Marshal(inner.out(t, v, inner.bare(t, v.Type())).Interface())
	if err != nil {
		panic(encodeError{err})
	}
	return b
}

// bare is the shape of a type whose own methods do not apply.
func (s *shaper) bare(t types.Type, r reflect.Type) reflect.Type {
	if u, ok := t.Underlying().(*types.Struct); ok {
		return s.structure(t, u, r)
	}
	return r
}

func (s *shaper) keyText(t types.Type, k reflect.Value) string {
	if k.Kind() == reflect.String {
		return k.String()
	}
	if r, ok := s.call(t, k, "MarshalText"); ok && len(r) == 2 {
		if err, ok := s.rt.Error(r[1]).(error); ok {
			panic(encodeError{err})
		}
		b, _ := r[0].([]byte)
		return string(b)
	}
	return fmt.Sprint(k.Interface())
}

// in brings a decoded value of a shape into v, of Go type t.
func (s *shaper) in(t types.Type, v, from reflect.Value) {
	t = types.Unalias(t)
	switch {
	case types.IsInterface(t):
		if !from.IsNil() {
			v.Set(from)
		}
		return
	case from.Type() == rawType && v.Type() != rawType:
		if !from.IsNil() {
			s.read(t, v, from.Bytes())
		}
		return
	case v.Type() == from.Type():
		v.Set(from)
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		if from.IsNil() {
			v.SetZero()
			return
		}
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
		}
		s.in(u.Elem(), v.Elem(), from.Elem())
	case *types.Slice:
		if from.IsNil() {
			v.SetZero()
			return
		}
		n := reflect.MakeSlice(v.Type(), from.Len(), from.Len())
		reflect.Copy(n, v)
		for i := range from.Len() {
			s.in(u.Elem(), n.Index(i), from.Index(i))
		}
		v.Set(n)
	case *types.Array:
		for i := range from.Len() {
			s.in(u.Elem(), v.Index(i), from.Index(i))
		}
	case *types.Map:
		s.entries(u, v, from)
	case *types.Struct:
		s.each(u, from.Type(), func(i, k int) { s.in(u.Field(i).Type(), v.Field(i), from.Field(k)) })
	}
}

func (s *shaper) entries(u *types.Map, v, from reflect.Value) {
	if from.IsNil() {
		v.SetZero()
		return
	}
	if v.IsNil() {
		v.Set(reflect.MakeMap(v.Type()))
	}
	for it := from.MapRange(); it.Next(); {
		k := it.Key()
		if k.Type() != v.Type().Key() {
			k = reflect.New(v.Type().Key()).Elem()
			text, _ := json.Marshal(it.Key().String())
			s.read(u.Key(), k, text)
		}
		e := reflect.New(v.Type().Elem()).Elem()
		if old := v.MapIndex(k); old.IsValid() && it.Value().Type() == rawType && it.Value().IsNil() {
			e.Set(old)
		}
		s.in(u.Elem(), e, it.Value())
		v.SetMapIndex(k, e)
	}
}

// read lets a value read its own JSON.
func (s *shaper) read(t types.Type, v reflect.Value, b []byte) {
	fail := func(r []any) {
		if len(r) > 0 {
			if err, ok := s.rt.Error(r[len(r)-1]).(error); ok {
				panic(encodeError{err})
			}
		}
	}
	if r, ok := s.call(t, v, "UnmarshalJSON", b); ok {
		fail(r)
		return
	}
	if string(b) == "null" {
		return
	}
	var text string
	if json.Unmarshal(b, &text) == nil {
		if r, ok := s.call(t, v, "UnmarshalText", []byte(text)); ok {
			fail(r)
			return
		}
	}
	inner := &shaper{rt: s.rt, f: s.f, reading: true}
	y := reflect.New(inner.bare(t, v.Type()))
	y.Elem().Set(inner.out(t, v, y.Type().Elem()))
	if err := json.Unmarshal(b, y.Interface()); err != nil {
		panic(encodeError{err})
	}
	inner.in(t, v, y.Elem())
}
