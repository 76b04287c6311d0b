package border

import (
	"errors"
	"fmt"
	"io"
	"path"
	"reflect"
	"strings"
)

// shown is an interpreted value as package fmt takes it: it prints by its Go type.
type shown struct {
	rt *Runtime
	V  any
}

// interpreted is the value inside.
func (s shown) interpreted() any { return s.V }

// Format implements fmt.Formatter.
func (s shown) Format(f fmt.State, verb rune) {
	io.WriteString(f, s.rt.format(f, fmt.FormatString(f, verb), verb, s.V))
}

// shownString is a shown whose type has a String method.
type shownString struct{ shown }

func (s shownString) String() string { return s.rt.text(s.V, "String") }

// shownError is a shown whose type has an Error method. Two are equal when their values are.
type shownError struct{ shown }

func (s shownError) Error() string { return s.rt.text(s.V, "Error") }

// Unwrap is the error's own Unwrap, nil when it has none.
func (s shownError) Unwrap() error {
	if r, ok := s.rt.invoke(s.V, "Unwrap"); ok {
		err, _ := s.rt.Error(r[0]).(error)
		return err
	}
	return nil
}

// Is is the error's own Is.
func (s shownError) Is(target error) bool {
	r, ok := s.rt.invoke(s.V, "Is", s.rt.In(target))
	return ok && r[0] == true
}

// As is the error's own As.
func (s shownError) As(target any) bool {
	r, ok := s.rt.invoke(s.V, "As", s.rt.In(target))
	return ok && r[0] == true
}

// invoke calls a registered method of an interpreted value.
func (rt *Runtime) invoke(x any, name string, args ...any) ([]any, bool) {
	f, ok := rt.method(x, name)
	if !ok || f.Type().NumIn() != len(args)+1 {
		return nil, false
	}
	in := []reflect.Value{valueFor(raw(x), f.Type().In(0))}
	for i, a := range args {
		in = append(in, valueFor(a, f.Type().In(i+1)))
	}
	return interfaces(f.Call(in)), true
}

func (rt *Runtime) text(x any, name string) string {
	r, ok := rt.invoke(x, name)
	if !ok || len(r) == 0 {
		return ""
	}
	return fmt.Sprint(r[0])
}

// Show makes x what package fmt and the like should be given.
func (rt *Runtime) Show(x any) any {
	if !rt.needsFormat(x) {
		return x
	}
	s := shown{rt, x}
	if _, ok := rt.method(x, "Error"); ok {
		return shownError{s}
	}
	if _, ok := rt.method(x, "String"); ok {
		return shownString{s}
	}
	if err, ok := x.(error); ok {
		return err
	}
	return s
}

// ShowAll is Show of each.
func (rt *Runtime) ShowAll(xs []any) []any {
	r := make([]any, len(xs))
	for i, x := range xs {
		r[i] = rt.Show(x)
	}
	return r
}

// needsFormat tells whether fmt itself would print x otherwise than Go would.
func (rt *Runtime) needsFormat(x any) bool {
	if x == nil {
		return false
	}
	if rt.number(x) >= 0 {
		return true
	}
	r := reflect.TypeOf(x)
	switch r.Kind() {
	case reflect.Slice, reflect.Map, reflect.Array, reflect.Pointer:
		return holdsAny(r, 0)
	}
	return false
}

func holdsAny(r reflect.Type, depth int) bool {
	if depth > 3 || r.Name() != "" {
		return r.Kind() == reflect.Interface && r.NumMethod() == 0
	}
	switch r.Kind() {
	case reflect.Interface:
		return r.NumMethod() == 0
	case reflect.Slice, reflect.Array, reflect.Pointer:
		return holdsAny(r.Elem(), depth+1)
	case reflect.Map:
		return holdsAny(r.Elem(), depth+1) || holdsAny(r.Key(), depth+1)
	}
	return false
}

// Raw takes interpreted values out of their boxes, for compiled code that reflects on them.
func (rt *Runtime) Raw(x any) any { return raw(x) }

// RawAll is Raw of each.
func (rt *Runtime) RawAll(xs []any) []any {
	r := make([]any, len(xs))
	for i, x := range xs {
		r[i] = raw(x)
	}
	return r
}

// In takes a value that compiled code gave out of the wrapper that this package put around it.
func (rt *Runtime) In(x any) any {
	switch x := x.(type) {
	case nil:
		return nil
	case interface{ interpreted() any }:
		return x.interpreted()
	case stdin:
		return rt.Stdin
	}
	if r := reflect.TypeOf(x); r.Kind() == reflect.Struct && r.NumField() > 0 && r.Field(0).Name == "IValue" {
		return reflect.ValueOf(x).Field(0).Interface()
	}
	return x
}

// InSlice is In of each element of a slice of interfaces.
func (rt *Runtime) InSlice(x any) []any {
	v := reflect.ValueOf(x)
	if !v.IsValid() || v.IsNil() {
		return nil
	}
	r := make([]any, v.Len())
	for i := range r {
		r[i] = rt.In(v.Index(i).Interface())
	}
	return r
}

// OutSlice makes a slice of compiled interfaces, of type number id.
func (rt *Runtime) OutSlice(xs []any, id int) any {
	t := rt.Types.at(id).compiled
	if xs == nil {
		return reflect.Zero(t).Interface()
	}
	s := reflect.MakeSlice(t, len(xs), len(xs))
	for i, x := range xs {
		if x != nil {
			s.Index(i).Set(rt.Wrap(x, t.Elem()))
		}
	}
	return s.Interface()
}

// Error makes x, an error or nil, a compiled error.
func (rt *Runtime) Error(x any) any {
	if x == nil {
		return nil
	}
	return rt.Wrap(x, reflect.TypeFor[error]()).Interface()
}

// Wrap makes x a value that implements compiled interface t.
func (rt *Runtime) Wrap(x any, t reflect.Type) reflect.Value {
	if x == nil {
		return reflect.Zero(t)
	}
	if f, ok := x.(interface{ Fd() uintptr }); ok && rt.Stdin != nil && f == any(rt.Stdin) && reflect.TypeFor[stdin]().Implements(t) {
		return reflect.ValueOf(stdin{rt.Stdin, rt.Reader})
	}
	if rt.number(x) < 0 {
		return reflect.ValueOf(x)
	}
	switch t {
	case reflect.TypeFor[error]():
		return reflect.ValueOf(shownError{shown{rt, x}})
	case reflect.TypeFor[fmt.Stringer]():
		return reflect.ValueOf(shownString{shown{rt, x}})
	}
	w := rt.Types.wrapper(t)
	if w == nil {
		panic(fmt.Sprintf("border: a %s cannot be passed as %s: no wrapper is bound", rt.Types.dynamicName(x), t))
	}
	s := reflect.New(w).Elem()
	s.Field(0).Set(reflect.ValueOf(x))
	for i := 1; i < s.NumField(); i++ {
		f, ok := rt.method(x, s.Type().Field(i).Name[1:])
		if ok {
			s.Field(i).Set(rt.bind(f, raw(x), s.Field(i).Type()))
		}
	}
	return s
}

// Wrappable tells whether interpreted values can be passed as compiled interface t.
func (ts *Types) Wrappable(t reflect.Type) bool {
	return t.NumMethod() == 0 || t == reflect.TypeFor[error]() || t == reflect.TypeFor[fmt.Stringer]() || ts.wrapper(t) != nil
}

// wrapper finds the struct type in yaegi's tables by which interface t can be implemented.
func (ts *Types) wrapper(t reflect.Type) reflect.Type {
	find := func(key string) reflect.Type {
		v, ok := ts.bound[key]["_"+t.Name()]
		if ok && v.Type().Elem().Implements(t) {
			return v.Type().Elem()
		}
		return nil
	}
	if w := find(t.PkgPath() + "/" + path.Base(t.PkgPath())); w != nil || t.Name() == "" {
		return w
	}
	for key := range ts.bound {
		if strings.HasPrefix(key, t.PkgPath()+"/") && path.Dir(key) == t.PkgPath() {
			if w := find(key); w != nil {
				return w
			}
		}
	}
	return nil
}

// bind gives method f of an interpreted receiver as a compiled function of type t.
func (rt *Runtime) bind(f reflect.Value, receiver any, t reflect.Type) reflect.Value {
	ft := f.Type()
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		in := make([]reflect.Value, len(args)+1)
		in[0] = valueFor(receiver, ft.In(0))
		for i, a := range args {
			in[i+1] = rt.inValue(a, ft.In(i+1))
		}
		out := f.Call(in)
		for i := range out {
			if t.Out(i) != out[i].Type() {
				out[i] = rt.outValue(interfaces(out[i : i+1])[0], t.Out(i))
			}
		}
		return out
	})
}

// inValue makes a compiled value one of lowered type t.
func (rt *Runtime) inValue(a reflect.Value, t reflect.Type) reflect.Value {
	if a.Type() == t && t.Kind() != reflect.Interface {
		return a
	}
	switch {
	case t.Kind() == reflect.Interface:
		if a.Kind() == reflect.Interface && a.IsNil() {
			return reflect.Zero(t)
		}
		n := reflect.New(t).Elem()
		if v := rt.In(a.Interface()); v != nil {
			n.Set(reflect.ValueOf(v))
		}
		return n
	case t.Kind() == reflect.Slice && a.Kind() == reflect.Slice && a.Type().Elem().Kind() == reflect.Interface:
		return reflect.ValueOf(rt.InSlice(a.Interface()))
	case a.Type().ConvertibleTo(t):
		return a.Convert(t)
	case functionsAlike(a.Type(), t):
		return rt.functionIn(a, t)
	}
	return a
}

// outValue makes a lowered value one of compiled type t.
func (rt *Runtime) outValue(a any, t reflect.Type) reflect.Value {
	n := reflect.New(t).Elem()
	if a == nil {
		return n
	}
	if t.Kind() == reflect.Interface {
		if t.NumMethod() == 0 {
			n.Set(reflect.ValueOf(a))
			return n
		}
		n.Set(rt.Wrap(a, t))
		return n
	}
	v := reflect.ValueOf(raw(a))
	switch {
	case v.Type().AssignableTo(t):
	case v.Kind() == reflect.Slice && t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Interface:
		s := reflect.MakeSlice(t, v.Len(), v.Len())
		for i := range v.Len() {
			s.Index(i).Set(rt.outValue(v.Index(i).Interface(), t.Elem()))
		}
		v = s
	case v.Type().ConvertibleTo(t):
		v = v.Convert(t)
	case functionsAlike(v.Type(), t):
		v = rt.functionOut(v, t)
	}
	n.Set(v)
	return n
}

// Converter gives a compiled function from any to interface type t.
func (rt *Runtime) Converter(t reflect.Type) reflect.Value {
	ft := reflect.FuncOf([]reflect.Type{reflect.TypeFor[any]()}, []reflect.Type{t}, false)
	return reflect.MakeFunc(ft, func(a []reflect.Value) []reflect.Value {
		r := reflect.New(t).Elem()
		if !a[0].IsNil() {
			r.Set(rt.Wrap(a[0].Interface(), t))
		}
		return []reflect.Value{r}
	})
}

// ErrorsAs is errors.As where the error or the target may be interpreted.
func (rt *Runtime) ErrorsAs(position int, err, target any) bool {
	e, _ := rt.Error(err).(error)
	t, interpretedTarget := rt.targetType(target)
	if !interpretedTarget {
		if target == nil {
			panic(&Raised{Value: "errors: target cannot be nil", Position: position})
		}
		return errors.As(e, target)
	}
	p := reflect.ValueOf(raw(target))
	if p.IsNil() {
		panic(&Raised{Value: "errors: target must be a non-nil pointer", Position: position})
	}
	return rt.asTree(e, rt.Types.Number(t), p.Elem())
}

// asTree looks through err and what it wraps for a value of type id.
func (rt *Runtime) asTree(err error, id int, to reflect.Value) bool {
	for err != nil {
		x := rt.In(err)
		if rt.Is(x, id) {
			v := x
			if !rt.Types.at(id).isIface {
				v = raw(x)
			}
			to.Set(reflect.ValueOf(v))
			return true
		}
		if m, ok := err.(interface{ Unwrap() []error }); ok {
			for _, e := range m.Unwrap() {
				if rt.asTree(e, id, to) {
					return true
				}
			}
			return false
		}
		err = errors.Unwrap(err)
	}
	return false
}
