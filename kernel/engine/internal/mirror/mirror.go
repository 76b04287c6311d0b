// Package mirror is package reflect for cells. A value of a cell has a lowered form, whose reflect
// type does not tell the Go type: here a Value carries both, and a Type is a Go type.
package mirror

import (
	"go/types"
	"reflect"
	"sync"
)

// Host is what this package asks of the runtime.
type Host interface {
	// TypeOf is the Go type of what an interface holds, nil when it cannot be told.
	TypeOf(x any) types.Type
	// Number is the same for identical types.
	Number(t types.Type) int
	// Reflect is the type in compiled code, nil when there is none.
	Reflect(t types.Type) reflect.Type
	// Name writes a type as package reflect does.
	Name(t types.Type) string
	// Hold makes a value of type t what an interface holds.
	Hold(t types.Type, v reflect.Value) any
	// Bare is the lowered value in an interface.
	Bare(x any) any
	// Inward takes a value that compiled code gave out of its wrapper.
	Inward(x any) any
	// Fit makes what an interface holds a value of lowered or compiled type r.
	Fit(x any, r reflect.Type) reflect.Value
	// Shown makes a value what package fmt should be given.
	Shown(x any) any
	// MethodOf finds the function for a method of an interpreted type; its first parameter is the
	// receiver.
	MethodOf(t types.Type, name string) (reflect.Value, bool)
}

// Mirror makes Types and Values for one engine.
type Mirror struct {
	host    Host
	mu      sync.Mutex
	byType  map[int]*rtype
	byValue map[reflect.Type]*rtype // types that have no Go type here
}

// New makes a Mirror.
func New(h Host) *Mirror {
	return &Mirror{host: h, byType: map[int]*rtype{}, byValue: map[reflect.Type]*rtype{}}
}

// typed gives the Type of t, whose values have lowered type r. The same t has the same Type.
func (m *Mirror) typed(t types.Type, r reflect.Type) *rtype {
	m.mu.Lock()
	defer m.mu.Unlock()
	if t == nil {
		if m.byValue[r] == nil {
			m.byValue[r] = &rtype{m: m, r: r}
		}
		return m.byValue[r]
	}
	t = types.Unalias(t)
	n := m.host.Number(t)
	if m.byType[n] == nil {
		m.byType[n] = &rtype{m: m, t: t, r: r}
	}
	return m.byType[n]
}

// value makes a Value of v, of type t.
func (m *Mirror) value(t types.Type, v reflect.Value) Value {
	if t == nil {
		t = m.host.TypeOf(reflect.Zero(v.Type()).Interface())
	}
	if t != nil && !types.IsInterface(t) && v.Kind() == reflect.Interface && !v.IsNil() {
		v = v.Elem() // a type that contains itself is kept in an interface
	}
	return Value{t: m.typed(t, v.Type()), v: v}
}

// TypeOf is reflect.TypeOf.
func (m *Mirror) TypeOf(x any) Type {
	if x == nil {
		return nil
	}
	return m.ValueOf(x).t
}

// ValueOf is reflect.ValueOf.
func (m *Mirror) ValueOf(x any) Value {
	if x == nil {
		return Value{}
	}
	t := m.host.TypeOf(x)
	v := reflect.ValueOf(m.host.Bare(x))
	if !v.IsValid() { // a nil of a type that is kept in an interface
		v = reflect.Zero(reflect.TypeFor[any]())
	}
	return Value{t: m.typed(t, v.Type()), v: v}
}

// Symbols are the names of package reflect that differ from the real ones.
func (m *Mirror) Symbols() map[string]reflect.Value {
	table := map[string]reflect.Value{
		"Type": reflect.ValueOf((*Type)(nil)), "Value": reflect.ValueOf((*Value)(nil)),
		"Method": reflect.ValueOf((*Method)(nil)), "StructField": reflect.ValueOf((*StructField)(nil)),
		"MapIter": reflect.ValueOf((*MapIter)(nil)), "SelectCase": reflect.ValueOf((*SelectCase)(nil)),
		"ValueError": reflect.ValueOf((*ValueError)(nil)),
	}
	for name, f := range map[string]any{
		"TypeOf": m.TypeOf, "ValueOf": m.ValueOf, "New": m.New, "NewAt": m.NewAt, "Zero": m.Zero, "Indirect": Indirect,
		"MakeSlice": m.MakeSlice, "MakeMap": m.MakeMap, "MakeMapWithSize": m.MakeMapWithSize, "MakeChan": m.MakeChan,
		"MakeFunc": m.MakeFunc, "Append": Append, "AppendSlice": AppendSlice, "Copy": Copy, "DeepEqual": m.DeepEqual,
		"PointerTo": m.PointerTo, "PtrTo": m.PointerTo, "SliceOf": m.SliceOf, "MapOf": m.MapOf, "ArrayOf": m.ArrayOf,
		"ChanOf": m.ChanOf, "FuncOf": m.FuncOf, "StructOf": m.StructOf, "Select": m.Select, "Swapper": m.Swapper,
		"VisibleFields": VisibleFields, "SliceAt": m.SliceAt,
	} {
		table[name] = reflect.ValueOf(f)
	}
	return table
}

// ValueError is reflect.ValueError.
type ValueError struct {
	Method string
	Kind   reflect.Kind
}

func (e *ValueError) Error() string {
	if e.Kind == reflect.Invalid {
		return "reflect: call of " + e.Method + " on zero Value"
	}
	return "reflect: call of " + e.Method + " on " + e.Kind.String() + " Value"
}

// Panic is a panic of package reflect, which is a string. The type tells it from the panics of the
// interpreter's own reflection.
type Panic string

func fail(s string) { panic(Panic(s)) }
