package border

import "reflect"

// functionIn makes a compiled function one of lowered type t: where compiled code passes a method
// of a cell's type a function whose parameters or results are interfaces.
func (rt *Runtime) functionIn(f reflect.Value, t reflect.Type) reflect.Value {
	if f.IsNil() {
		return reflect.Zero(t)
	}
	ft := f.Type()
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		in := make([]reflect.Value, len(args))
		for i, a := range interfaces(args) {
			in[i] = rt.outValue(a, ft.In(i))
		}
		out := call(f, in)
		for i := range out {
			out[i] = rt.inValue(out[i], t.Out(i))
		}
		return out
	})
}

// functionOut makes a function in lowered form one of compiled type t.
func (rt *Runtime) functionOut(f reflect.Value, t reflect.Type) reflect.Value {
	if f.IsNil() {
		return reflect.Zero(t)
	}
	ft := f.Type()
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		in := make([]reflect.Value, len(args))
		for i, a := range args {
			in[i] = rt.inValue(a, ft.In(i))
		}
		out := interfaces(call(f, in))
		results := make([]reflect.Value, len(out))
		for i, r := range out {
			results[i] = rt.outValue(r, t.Out(i))
		}
		return results
	})
}

// call calls f, the last argument being the slice of a variadic function's.
func call(f reflect.Value, in []reflect.Value) []reflect.Value {
	if f.Type().IsVariadic() {
		return f.CallSlice(in)
	}
	return f.Call(in)
}

// functionsAlike tells whether one function type can stand for the other at the border.
func functionsAlike(a, b reflect.Type) bool {
	return a.Kind() == reflect.Func && b.Kind() == reflect.Func && a.NumIn() == b.NumIn() && a.NumOut() == b.NumOut() &&
		a.IsVariadic() == b.IsVariadic()
}
