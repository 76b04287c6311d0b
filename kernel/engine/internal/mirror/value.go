package mirror

import (
	"fmt"
	"go/types"
	"reflect"
	"unsafe"
)

// Value is reflect.Value. The zero Value stands for nothing.
type Value struct {
	t        *rtype
	v        reflect.Value
	readOnly bool // obtained by an unexported field
}

// must panics, as package reflect does, unless v has one of kinds.
func (v Value) must(method string, kinds ...reflect.Kind) {
	k := v.Kind()
	for _, want := range kinds {
		if k == want {
			return
		}
	}
	panic(&ValueError{"reflect.Value." + method, k})
}

func (v Value) valid(method string) {
	if !v.v.IsValid() {
		panic(&ValueError{"reflect.Value." + method, reflect.Invalid})
	}
}

// settable panics unless v can be changed by method.
func (v Value) settable(method string) {
	switch {
	case !v.v.IsValid():
		panic(&ValueError{"reflect.Value." + method, reflect.Invalid})
	case v.readOnly:
		fail("reflect: reflect.Value." + method + " using value obtained using unexported field")
	case !v.v.CanSet():
		fail("reflect: reflect.Value." + method + " using unaddressable value")
	}
}

func (v Value) IsValid() bool { return v.v.IsValid() }

func (v Value) Kind() reflect.Kind {
	if !v.v.IsValid() {
		return reflect.Invalid
	}
	return v.t.Kind()
}

func (v Value) Type() Type {
	v.valid("Type")
	return v.t
}

func (v Value) CanAddr() bool      { return v.v.CanAddr() }
func (v Value) CanSet() bool       { return v.v.IsValid() && v.v.CanSet() && !v.readOnly }
func (v Value) CanInterface() bool { v.valid("CanInterface"); return v.v.CanInterface() && !v.readOnly }

// Interface gives the value as an interface of a cell holds it.
func (v Value) Interface() any {
	v.valid("Interface")
	if v.readOnly || !v.v.CanInterface() {
		fail("reflect.Value.Interface: cannot return value obtained from unexported field or method")
	}
	return v.held()
}

func (v Value) held() any {
	if !v.v.CanInterface() {
		return nil
	}
	if v.Kind() == reflect.Interface {
		if v.v.IsNil() {
			return nil
		}
		return v.t.m.host.Inward(v.v.Elem().Interface())
	}
	if v.t.t == nil {
		return v.v.Interface()
	}
	return v.t.m.host.Hold(v.t.t, v.v)
}

// assigned gives x as a reflect value that can be put where type t, of lowered type r, is wanted.
func (x Value) assigned(method string, t *rtype, r reflect.Type) reflect.Value {
	if !x.v.IsValid() {
		fail("reflect: " + method + " using zero Value argument")
	}
	if x.readOnly {
		fail("reflect: " + method + " using value obtained using unexported field")
	}
	if !x.t.AssignableTo(t) {
		fail("reflect." + method + ": value of type " + x.t.String() + " is not assignable to type " + t.String())
	}
	if t.Kind() == reflect.Interface {
		return x.t.m.host.Fit(x.held(), r)
	}
	if x.v.Type() == r {
		return x.v
	}
	return x.t.m.host.Fit(x.v.Interface(), r)
}

func (v Value) Set(x Value) {
	v.settable("Set")
	v.v.Set(x.assigned("Set", v.t, v.v.Type()))
}

func (v Value) SetZero() { v.settable("SetZero"); v.v.SetZero() }

func (v Value) Addr() Value {
	v.valid("Addr")
	if !v.v.CanAddr() {
		fail("reflect.Value.Addr of unaddressable value")
	}
	return Value{v.t.pointer(), v.v.Addr(), v.readOnly}
}

func (t *rtype) pointer() *rtype {
	var u types.Type
	if t.t != nil {
		u = types.NewPointer(t.t)
	}
	return t.m.typed(u, reflect.PointerTo(t.r))
}

// inside gives a part of v that has type t.
func (v Value) inside(t *rtype, r reflect.Value) Value {
	if t.Kind() != reflect.Interface && r.Kind() == reflect.Interface && !r.IsNil() {
		r = r.Elem() // a type that contains itself is kept in an interface
	}
	return Value{t, r, v.readOnly}
}

func (v Value) Elem() Value {
	v.must("Elem", reflect.Pointer, reflect.Interface)
	if v.v.IsNil() {
		return Value{}
	}
	if v.Kind() == reflect.Interface {
		if !v.v.CanInterface() {
			return v.t.m.value(nil, v.v.Elem())
		}
		e := v.t.m.ValueOf(v.t.m.host.Inward(v.v.Elem().Interface()))
		e.readOnly = v.readOnly
		return e
	}
	return v.inside(v.t.elem(), v.v.Elem())
}

// Indirect is reflect.Indirect.
func Indirect(v Value) Value {
	if v.Kind() != reflect.Pointer {
		return v
	}
	return v.Elem()
}

func (v Value) NumField() int {
	v.must("NumField", reflect.Struct)
	return v.t.NumField()
}

func (v Value) Field(i int) Value {
	v.must("Field", reflect.Struct)
	if i < 0 || i >= v.t.NumField() {
		fail("reflect: Field index out of range")
	}
	f := v.t.Field(i)
	e := v.inside(f.Type.(*rtype), v.v.Field(i))
	e.readOnly = v.readOnly || f.PkgPath != ""
	return e
}

func (v Value) FieldByIndex(index []int) Value {
	f, err := v.FieldByIndexErr(index)
	if err != nil {
		fail("reflect: indirection through nil pointer to embedded struct")
	}
	return f
}

func (v Value) FieldByIndexErr(index []int) (Value, error) {
	for k, i := range index {
		if k > 0 && v.Kind() == reflect.Pointer {
			if v.v.IsNil() {
				return Value{}, fmt.Errorf("reflect: indirection through nil pointer to embedded struct field %s", v.t.elem().Name())
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v, nil
}

func (v Value) FieldByName(name string) Value {
	v.must("FieldByName", reflect.Struct)
	return v.FieldByNameFunc(func(s string) bool { return s == name })
}

func (v Value) FieldByNameFunc(match func(string) bool) Value {
	v.must("FieldByNameFunc", reflect.Struct)
	if f, ok := v.t.FieldByNameFunc(match); ok {
		return v.FieldByIndex(f.Index)
	}
	return Value{}
}

func (v Value) IsNil() bool {
	v.must("IsNil", reflect.Chan, reflect.Func, reflect.Interface, reflect.Map, reflect.Pointer, reflect.Slice, reflect.UnsafePointer)
	return v.v.Kind() != reflect.Uintptr && v.v.IsNil()
}

func (v Value) IsZero() bool { v.valid("IsZero"); return v.v.IsZero() }

// Comparable and Equal look at the values that interfaces hold.
func (v Value) Comparable() bool { return !v.v.IsValid() || v.v.Comparable() }

func (v Value) Equal(u Value) bool {
	if !v.v.IsValid() || !u.v.IsValid() {
		return v.v.IsValid() == u.v.IsValid()
	}
	return v.held() == u.held()
}

func (v Value) String() string {
	switch v.Kind() {
	case reflect.Invalid:
		return "<invalid Value>"
	case reflect.String:
		return v.v.String()
	}
	return "<" + v.t.String() + " Value>"
}

// Format prints the value that v stands for, as package fmt does.
func (v Value) Format(f fmt.State, verb rune) {
	switch {
	case !v.v.IsValid():
		fmt.Fprint(f, "<invalid reflect.Value>")
	case v.v.CanInterface():
		fmt.Fprintf(f, fmt.FormatString(f, verb), v.t.m.host.Shown(v.held()))
	default:
		fmt.Fprintf(f, fmt.FormatString(f, verb), v.v)
	}
}

func (v Value) Bool() bool { v.must("Bool", reflect.Bool); return v.v.Bool() }
func (v Value) Int() int64 {
	v.must("Int", reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64)
	return v.v.Int()
}
func (v Value) Uint() uint64 {
	v.must("Uint", reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr)
	return v.v.Uint()
}
func (v Value) Float() float64 { v.must("Float", reflect.Float32, reflect.Float64); return v.v.Float() }
func (v Value) Complex() complex128 {
	v.must("Complex", reflect.Complex64, reflect.Complex128)
	return v.v.Complex()
}
func (v Value) Bytes() []byte    { v.must("Bytes", reflect.Slice, reflect.Array); return v.v.Bytes() }
func (v Value) CanInt() bool     { return v.v.IsValid() && v.v.CanInt() }
func (v Value) CanUint() bool    { return v.v.IsValid() && v.v.CanUint() }
func (v Value) CanFloat() bool   { return v.v.IsValid() && v.v.CanFloat() }
func (v Value) CanComplex() bool { return v.v.IsValid() && v.v.CanComplex() }

func (v Value) SetBool(x bool) {
	v.settable("SetBool")
	v.must("SetBool", reflect.Bool)
	v.v.SetBool(x)
}
func (v Value) SetInt(x int64) {
	v.settable("SetInt")
	v.must("SetInt", reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64)
	v.v.SetInt(x)
}
func (v Value) SetUint(x uint64) {
	v.settable("SetUint")
	v.must("SetUint", reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr)
	v.v.SetUint(x)
}
func (v Value) SetFloat(x float64) {
	v.settable("SetFloat")
	v.must("SetFloat", reflect.Float32, reflect.Float64)
	v.v.SetFloat(x)
}
func (v Value) SetComplex(x complex128) {
	v.settable("SetComplex")
	v.must("SetComplex", reflect.Complex64, reflect.Complex128)
	v.v.SetComplex(x)
}
func (v Value) SetString(x string) {
	v.settable("SetString")
	v.must("SetString", reflect.String)
	v.v.SetString(x)
}
func (v Value) SetBytes(x []byte) {
	v.settable("SetBytes")
	v.must("SetBytes", reflect.Slice)
	v.v.SetBytes(x)
}

func (v Value) OverflowInt(x int64) bool          { return v.v.OverflowInt(x) }
func (v Value) OverflowUint(x uint64) bool        { return v.v.OverflowUint(x) }
func (v Value) OverflowFloat(x float64) bool      { return v.v.OverflowFloat(x) }
func (v Value) OverflowComplex(x complex128) bool { return v.v.OverflowComplex(x) }
func (v Value) Pointer() uintptr                  { v.valid("Pointer"); return v.v.Pointer() }
func (v Value) UnsafeAddr() uintptr               { v.valid("UnsafeAddr"); return v.v.UnsafeAddr() }
func (v Value) UnsafePointer() unsafe.Pointer     { v.valid("UnsafePointer"); return v.v.UnsafePointer() }
