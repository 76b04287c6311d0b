package mirror

import (
	"go/types"
	"iter"
	"reflect"
)

func (v Value) NumMethod() int {
	v.valid("NumMethod")
	return v.t.NumMethod()
}

func (v Value) Method(i int) Value {
	v.valid("Method")
	return v.bound(v.t.Method(i))
}

func (v Value) MethodByName(name string) Value {
	v.valid("MethodByName")
	f, ok := v.t.MethodByName(name)
	if !ok {
		return Value{}
	}
	return v.bound(f)
}

// Fields and Methods go through the value's fields and methods.
func (v Value) Fields() iter.Seq2[StructField, Value] {
	return func(yield func(StructField, Value) bool) {
		for i := range v.NumField() {
			if !yield(v.t.Field(i), v.Field(i)) {
				return
			}
		}
	}
}

func (v Value) Methods() iter.Seq2[Method, Value] {
	return func(yield func(Method, Value) bool) {
		for i := range v.NumMethod() {
			if !yield(v.t.Method(i), v.Method(i)) {
				return
			}
		}
	}
}

// bound is method f with receiver v, as a function.
func (v Value) bound(f Method) Value {
	if v.Kind() == reflect.Interface {
		if v.v.IsNil() {
			fail("reflect: Method on nil interface value")
		}
		return v.Elem().MethodByName(f.Name)
	}
	if !f.Func.v.IsValid() {
		fail("reflect: method " + f.Name + " of " + v.t.String() + " is not available in cells")
	}
	full := f.Func.v
	ft := full.Type()
	var in, out []reflect.Type
	for i := 1; i < ft.NumIn(); i++ {
		in = append(in, ft.In(i))
	}
	for i := range ft.NumOut() {
		out = append(out, ft.Out(i))
	}
	receiver := v.v
	if receiver.Type() != ft.In(0) {
		receiver = v.t.m.host.Fit(receiver.Interface(), ft.In(0))
	}
	g := reflect.MakeFunc(reflect.FuncOf(in, out, ft.IsVariadic()), func(args []reflect.Value) []reflect.Value {
		args = append([]reflect.Value{receiver}, args...)
		if ft.IsVariadic() {
			return full.CallSlice(args)
		}
		return full.Call(args)
	})
	var sig types.Type
	if s := f.Func.t.signature(); s != nil {
		var params []*types.Var
		for i := 1; i < s.Params().Len(); i++ {
			params = append(params, s.Params().At(i))
		}
		sig = types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), s.Results(), s.Variadic())
	}
	return Value{v.t.m.typed(sig, g.Type()), g, v.readOnly}
}

func (v Value) Call(in []Value) []Value {
	return v.call("Call", in, false)
}

func (v Value) CallSlice(in []Value) []Value {
	return v.call("CallSlice", in, true)
}

// call calls function v. In lowered functions a variadic parameter is a plain slice.
func (v Value) call(method string, in []Value, spread bool) []Value {
	v.must(method, reflect.Func)
	if v.readOnly {
		fail("reflect: reflect.Value." + method + " using value obtained using unexported field")
	}
	if v.v.IsNil() {
		fail("reflect: reflect.Value.Call: call of nil function")
	}
	n := v.t.NumIn()
	variadic := v.t.IsVariadic()
	if variadic && !spread {
		if len(in) < n-1 {
			fail("reflect: Call with too few input arguments")
		}
		last := v.t.in(n - 1)
		rest := Value{t: last, v: reflect.Zero(v.v.Type().In(n - 1))}
		rest = Append(rest, in[n-1:]...)
		in = append(in[:n-1:n-1], rest)
	}
	switch {
	case len(in) < n:
		fail("reflect: " + method + " with too few input arguments")
	case len(in) > n:
		fail("reflect: " + method + " with too many input arguments")
	}
	args := make([]reflect.Value, n)
	for i, a := range in {
		if !a.v.IsValid() {
			fail("reflect: " + method + " using zero Value argument")
		}
		if !a.t.AssignableTo(v.t.in(i)) {
			fail("reflect: " + method + " using " + a.t.String() + " as type " + v.t.in(i).String())
		}
		args[i] = a.assigned("Value."+method, v.t.in(i), v.v.Type().In(i))
	}
	var out []reflect.Value
	if v.v.Type().IsVariadic() {
		out = v.v.CallSlice(args)
	} else {
		out = v.v.Call(args)
	}
	results := make([]Value, len(out))
	for i, o := range out {
		results[i] = Value{}.inside(v.t.out(i), o)
	}
	return results
}

// MakeFunc is reflect.MakeFunc.
func (m *Mirror) MakeFunc(typ Type, f func(args []Value) []Value) Value {
	t := typ.(*rtype)
	t.mustBe(reflect.Func, "MakeFunc")
	g := reflect.MakeFunc(t.r, func(args []reflect.Value) []reflect.Value {
		in := make([]Value, len(args))
		for i, a := range args {
			in[i] = Value{}.inside(t.in(i), a)
		}
		results := f(in)
		if len(results) != t.NumOut() {
			fail("reflect: wrong return count from function created by MakeFunc")
		}
		out := make([]reflect.Value, len(results))
		for i, o := range results {
			switch {
			case !o.v.IsValid():
				fail("reflect: function created by MakeFunc using closure returned zero Value")
			case o.readOnly:
				fail("reflect: function created by MakeFunc using closure returned value obtained from unexported field")
			}
			out[i] = o.assigned("MakeFunc", t.out(i), t.r.Out(i))
			if !out[i].Type().AssignableTo(t.r.Out(i)) || out[i].Type() != t.r.Out(i) {
				n := reflect.New(t.r.Out(i)).Elem()
				n.Set(out[i])
				out[i] = n
			}
		}
		return out
	})
	return Value{t: t, v: g}
}

func (v Value) CanConvert(t Type) bool {
	v.valid("CanConvert")
	if !v.t.ConvertibleTo(t) {
		return false
	}
	switch u := t.(*rtype); {
	case v.Kind() == reflect.Slice && u.Kind() == reflect.Array:
		return u.Len() <= v.v.Len()
	case v.Kind() == reflect.Slice && u.Kind() == reflect.Pointer && u.elem().Kind() == reflect.Array:
		return u.elem().Len() <= v.v.Len()
	}
	return true
}

func (v Value) Convert(t Type) Value {
	v.valid("Convert")
	u := t.(*rtype)
	if !v.t.ConvertibleTo(t) {
		fail("reflect.Value.Convert: value of type " + v.t.String() + " cannot be converted to type " + t.String())
	}
	if u.Kind() == reflect.Interface {
		n := reflect.New(u.r).Elem()
		n.Set(v.t.m.host.Fit(v.held(), u.r))
		return Value{u, n, v.readOnly}
	}
	if v.v.Type() == u.r {
		return Value{u, v.v, v.readOnly}
	}
	if !v.v.CanConvert(u.r) {
		if v.v.Type().ConvertibleTo(u.r) {
			return Value{u, v.v.Convert(u.r), v.readOnly} // panics with the reason
		}
		return Value{u, v.t.m.host.Fit(v.v.Interface(), u.r), v.readOnly}
	}
	return Value{u, v.v.Convert(u.r), v.readOnly}
}
