package engine

import (
	"encoding/json"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// The interpreter keeps its own values in interfaces as a struct of its own, which compiled
// code would print as it is. The printing functions of fmt and json take such values out first.

// boxed tells the interpreter's struct for values in interfaces.
func boxed(t reflect.Type) bool {
	return t.Name() == "valueInterface" && strings.HasSuffix(t.PkgPath(), "/yaegi/interp")
}

// holdsBoxes tells whether values of an unnamed type can have boxes in them.
func holdsBoxes(t reflect.Type, depth int) bool {
	switch {
	case boxed(t) || t.Kind() == reflect.Interface:
		return true
	case t.PkgPath() != "" || depth > 8:
		return false
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		return holdsBoxes(t.Elem(), depth+1)
	case reflect.Map:
		return holdsBoxes(t.Elem(), depth+1) || holdsBoxes(t.Key(), depth+1)
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).IsExported() && holdsBoxes(t.Field(i).Type, depth+1) {
				return true
			}
		}
	}
	return false
}

// openType is t with any in the place of boxes.
func openType(t reflect.Type) reflect.Type {
	switch {
	case boxed(t):
		return reflect.TypeFor[any]()
	case !holdsBoxes(t, 0) || t.PkgPath() != "":
		return t
	}
	switch t.Kind() {
	case reflect.Slice:
		return reflect.SliceOf(openType(t.Elem()))
	case reflect.Array:
		return reflect.ArrayOf(t.Len(), openType(t.Elem()))
	case reflect.Map:
		return reflect.MapOf(openType(t.Key()), openType(t.Elem()))
	case reflect.Struct:
		fields := reflect.VisibleFields(t)
		for i := range fields {
			fields[i].Type = openType(fields[i].Type)
		}
		return reflect.StructOf(fields)
	}
	return t
}

// open copies v into a new value of type t, which openType made, without boxes.
func open(v reflect.Value, t reflect.Type) reflect.Value {
	if boxed(v.Type()) {
		box := reflect.New(v.Type()).Elem()
		box.Set(v)
		field := box.FieldByName("value")
		inner := *(*reflect.Value)(unsafe.Pointer(field.UnsafeAddr()))
		if !inner.IsValid() {
			return reflect.Zero(t)
		}
		return open(inner, openType(inner.Type()))
	}
	if !holdsBoxes(v.Type(), 0) {
		return v
	}
	out := reflect.New(t).Elem()
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			set(out, open(v.Elem(), openType(v.Elem().Type())))
		}
	case reflect.Slice:
		if v.IsNil() {
			return out
		}
		out = reflect.MakeSlice(t, v.Len(), v.Len())
		fallthrough
	case reflect.Array:
		for i := range v.Len() {
			set(out.Index(i), open(v.Index(i), t.Elem()))
		}
	case reflect.Map:
		if v.IsNil() {
			return out
		}
		out = reflect.MakeMap(t)
		for iter := v.MapRange(); iter.Next(); {
			out.SetMapIndex(open(iter.Key(), t.Key()), open(iter.Value(), t.Elem()))
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				set(out.Field(i), open(v.Field(i), t.Field(i).Type))
			}
		}
	}
	return out
}

// set assigns where the types allow it: a compiled interface may not take a bare value.
func set(to, v reflect.Value) {
	if v.IsValid() && v.Type().AssignableTo(to.Type()) {
		to.Set(v)
	}
}

// opened is a value without boxes, the value itself if it has none.
func opened(v any) any {
	if v == nil || !holdsBoxes(reflect.TypeOf(v), 0) {
		return v
	}
	r := reflect.ValueOf(v)
	out := open(r, openType(r.Type()))
	if !out.IsValid() || !out.CanInterface() {
		return v
	}
	return out.Interface()
}

func openedAll(a []any) []any {
	out := make([]any, len(a))
	for i, v := range a {
		out[i] = opened(v)
	}
	return out
}

// redirected names the bound functions for which lowered code calls the runtime's own.
var redirected = map[string]map[string]bool{
	"fmt": {"Print": true, "Printf": true, "Println": true, "Sprint": true, "Sprintf": true, "Sprintln": true,
		"Fprint": true, "Fprintf": true, "Fprintln": true, "Errorf": true},
	"os":            {"Exit": true},
	"encoding/json": {"Marshal": true, "MarshalIndent": true},
}

// printing is the functions of redirected, and for each the methods that it looks for in its
// arguments, so that the interpreter hands its own values over with them.
func printing(stdout io.Writer) (symbols, methods interp.Exports) {
	text := []reflect.Type{reflect.TypeFor[fmt.Formatter](), reflect.TypeFor[fmt.Stringer]()}
	table := map[string]reflect.Value{
		"Print":    reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprint(stdout, openedAll(a)...) }),
		"Printf":   reflect.ValueOf(func(f string, a ...any) (int, error) { return fmt.Fprintf(stdout, f, openedAll(a)...) }),
		"Println":  reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprintln(stdout, openedAll(a)...) }),
		"Sprint":   reflect.ValueOf(func(a ...any) string { return fmt.Sprint(openedAll(a)...) }),
		"Sprintf":  reflect.ValueOf(func(f string, a ...any) string { return fmt.Sprintf(f, openedAll(a)...) }),
		"Sprintln": reflect.ValueOf(func(a ...any) string { return fmt.Sprintln(openedAll(a)...) }),
		"Fprint":   reflect.ValueOf(func(w io.Writer, a ...any) (int, error) { return fmt.Fprint(w, openedAll(a)...) }),
		"Fprintf": reflect.ValueOf(func(w io.Writer, f string, a ...any) (int, error) {
			return fmt.Fprintf(w, f, openedAll(a)...)
		}),
		"Fprintln": reflect.ValueOf(func(w io.Writer, a ...any) (int, error) { return fmt.Fprintln(w, openedAll(a)...) }),
		"Errorf":   reflect.ValueOf(func(f string, a ...any) error { return fmt.Errorf(f, openedAll(a)...) }),
	}
	types := map[reflect.Value][]reflect.Type{}
	for _, f := range table {
		types[f] = text
	}
	marshalers := []reflect.Type{reflect.TypeFor[json.Marshaler]()}
	table["Marshal"] = reflect.ValueOf(func(v any) ([]byte, error) { return json.Marshal(opened(v)) })
	table["MarshalIndent"] = reflect.ValueOf(func(v any, prefix, indent string) ([]byte, error) {
		return json.MarshalIndent(opened(v), prefix, indent)
	})
	types[table["Marshal"]], types[table["MarshalIndent"]] = marshalers, marshalers
	return interp.Exports{runtimePath + "/rt": table}, interp.Exports{".": {"MapTypes": reflect.ValueOf(types)}}
}
