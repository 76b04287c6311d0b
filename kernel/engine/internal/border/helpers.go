package border

import (
	"fmt"
	"go/types"
	"math"
	"reflect"
	"runtime"
	"unicode/utf8"
	"unsafe"
)

// Box puts an interpreted value into an interface with its type number.
func (rt *Runtime) Box(id int, v any) any { return Boxed{id, v} }

// Equal compares two interface values.
func (rt *Runtime) Equal(a, b any) bool { return a == b }

// Same compares channels and other references by identity.
func (rt *Runtime) Same(a, b any) bool {
	x, y := reflect.ValueOf(a), reflect.ValueOf(b)
	if !x.IsValid() || !y.IsValid() {
		return x.IsValid() == y.IsValid() || x.IsValid() && x.IsNil() || y.IsValid() && y.IsNil()
	}
	return x.Pointer() == y.Pointer()
}

// NotNil gives interface value x, which a method value is taken of.
func (rt *Runtime) NotNil(position int, x any) any {
	if x == nil {
		rt.failAt(position, nilDereference)
	}
	return x
}

// Dereferenced checks a pointer whose value is not used.
func (rt *Runtime) Dereferenced(position int, x any) {
	if v := reflect.ValueOf(x); !v.IsValid() || v.IsNil() {
		rt.failAt(position, nilDereference)
	}
}

// Element gives the address of element i of a slice or of the array that x points to.
func (rt *Runtime) Element(position int, x any, i int) any {
	v := reflect.ValueOf(x)
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			rt.failAt(position, nilDereference)
		}
		v = v.Elem()
	}
	if i < 0 || i >= v.Len() {
		rt.Index(position, i, v.Len())
	}
	return v.Index(i).Addr().Interface()
}

// Checked is i, an index into something of length n.
func (rt *Runtime) Checked(position, i, n int) int {
	if i < 0 || i >= n {
		rt.Index(position, i, n)
	}
	return i
}

// Clear is the builtin clear.
func (rt *Runtime) Clear(x any) {
	if v := reflect.ValueOf(x); v.IsValid() {
		v.Clear()
	}
}

// Rune decodes the character of s at byte i, and its width.
func (rt *Runtime) Rune(s string, i int) (rune, int) { return utf8.DecodeRuneInString(s[i:]) }

// RuneString converts an integer to a string.
func (rt *Runtime) RuneString(i int64) string {
	if i < 0 || i > utf8.MaxRune {
		return "\uFFFD"
	}
	return string(rune(i))
}

// UnsignedIndex makes an unsigned integer an index.
func (rt *Runtime) UnsignedIndex(u uint64) int {
	if u > math.MaxInt {
		rt.Large(u)
	}
	return int(min(u, math.MaxInt))
}

// Large notes an index that is too large for an int.
func (rt *Runtime) Large(u uint64) { rt.overflow.Store(u) }

// SliceToArray converts a slice to array or array pointer type id.
func (rt *Runtime) SliceToArray(position int, x any, id int) any {
	t := rt.Types.at(id).goType
	v := reflect.ValueOf(x)
	p, pointer := t.Underlying().(*types.Pointer)
	if pointer {
		t = p.Elem()
	}
	n := int(t.Underlying().(*types.Array).Len())
	if v.Len() < n {
		rt.failAt(position, plainRuntime(fmt.Sprintf("cannot convert slice with length %d to array or pointer to array with length %d", v.Len(), n)))
	}
	at := reflect.ArrayOf(n, v.Type().Elem())
	if !pointer {
		return v.Convert(at).Interface()
	}
	if v.IsNil() {
		return reflect.Zero(reflect.PointerTo(at)).Interface()
	}
	return v.Convert(reflect.PointerTo(at)).Interface()
}

func plainRuntime(s string) error { return RuntimeError{s} }

// Convert changes the reflect type of x to that of like; their Go types allow it.
func (rt *Runtime) Convert(x, like any) any {
	v, t := reflect.ValueOf(x), reflect.TypeOf(like)
	if !v.IsValid() {
		return reflect.Zero(t).Interface()
	}
	if v.Kind() == reflect.Pointer && !v.Type().ConvertibleTo(t) {
		return reflect.NewAt(t.Elem(), unsafe.Pointer(v.Pointer())).Interface()
	}
	return v.Convert(t).Interface()
}

// MapIterator goes through a map while it changes.
type MapIterator struct{ it *reflect.MapIter }

// Iterate begins the iteration over map m.
func (rt *Runtime) Iterate(m any) *MapIterator {
	v := reflect.ValueOf(m)
	if !v.IsValid() || v.IsNil() {
		return &MapIterator{}
	}
	return &MapIterator{v.MapRange()}
}

// Next moves to the next entry.
func (m *MapIterator) Next() bool { return m.it != nil && m.it.Next() }

// Key is the entry's key.
func (m *MapIterator) Key() any { return m.it.Key().Interface() }

// Value is the entry's value.
func (m *MapIterator) Value() any { return m.it.Value().Interface() }

// RangeExit reports an iterator function that does not obey the rules of range over functions.
func (rt *Runtime) RangeExit(position, state int) {
	text := "range function continued iteration after function for loop body returned false"
	switch state {
	case 2:
		text = "range function continued iteration after whole loop exit"
	case 3:
		text = "range function recovered a loop body panic and did not resume panicking"
	case 4:
		text = "range function continued iteration after loop body panic"
	}
	rt.failAt(position, RuntimeError{text})
}

// Go starts a goroutine whose panic is reported instead of ending the process.
func (rt *Runtime) Go(f func()) {
	run := rt.owner()
	run.live.Add(1)
	rt.goroutines.Add(1)
	go func() {
		number := goroutine()
		rt.owners.Store(number, run)
		defer func() {
			rt.owners.Delete(number)
			rt.goroutines.Add(-1)
			run.live.Add(-1)
		}()
		defer func() {
			if r := recover(); r != nil {
				if _, ok := r.(Stopped); ok {
					return
				}
				if rt.GoPanic != nil {
					rt.GoPanic(run, rt.Raise(r))
				}
			}
		}()
		f()
	}()
}

// Goexit is runtime.Goexit.
func (rt *Runtime) Goexit() { runtime.Goexit() }

func bits(high, low uint64) float64 { return math.Float64frombits(high<<32 | low) }

func minFloat(a, b float64) float64 { return min(a, b) }

func maxFloat(a, b float64) float64 { return max(a, b) }

// targetType is the Go type that target, a pointer given to errors.As, points to, and whether
// values of it are in lowered form.
func (rt *Runtime) targetType(target any) (types.Type, bool) {
	b, ok := target.(Boxed)
	if !ok && rt.number(target) < 0 {
		return nil, false
	}
	var t types.Type
	if ok {
		t = rt.Types.at(b.ID).goType
	} else {
		t = rt.Types.TypeOf(target)
	}
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return nil, false
	}
	return p.Elem(), true
}
