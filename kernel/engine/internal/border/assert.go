package border

import (
	"go/types"
	"reflect"
)

type question struct {
	dynamic any // reflect.Type or, of a Boxed, its number
	id      int
}

// Is tells whether what interface x holds has type number id, or implements it.
func (rt *Runtime) Is(x any, id int) bool {
	if x == nil {
		return false
	}
	e := rt.Types.at(id)
	b, boxed := x.(Boxed)
	if !e.isIface {
		if boxed {
			return b.ID == id
		}
		if e.compiled != nil {
			return reflect.TypeOf(x) == e.compiled
		}
		return rt.number(x) == id
	}
	q := question{reflect.TypeOf(x), id}
	if boxed {
		q.dynamic = b.ID
	}
	if a, ok := rt.answers.Load(q); ok {
		return a.(bool)
	}
	a := rt.missing(x, e) == ""
	rt.answers.Store(q, a)
	return a
}

// missing names a method of interface e that x lacks, "" when there is none.
func (rt *Runtime) missing(x any, e entry) string {
	it := e.goType.Underlying().(*types.Interface)
	if it.NumMethods() == 0 {
		return ""
	}
	if rt.number(x) >= 0 {
		if m, _ := types.MissingMethod(rt.Types.TypeOf(x), it, true); m != nil {
			return m.Name()
		}
		return ""
	}
	r := reflect.TypeOf(x)
	if e.compiled != nil && r.Implements(e.compiled) {
		return ""
	}
	if t := rt.Types.TypeOf(x); t != nil {
		if m, _ := types.MissingMethod(t, it, true); m != nil {
			return m.Name()
		}
		return ""
	}
	for i := range it.NumMethods() {
		f := it.Method(i)
		m, ok := r.MethodByName(f.Name())
		s := f.Signature()
		if !ok || m.Type.NumIn()-1 != s.Params().Len() || m.Type.NumOut() != s.Results().Len() {
			return f.Name()
		}
	}
	return ""
}

// As gives x when it has interface type id, and panics as x.(T) does otherwise. from is the static
// type of x.
func (rt *Runtime) As(position int, x any, id, from int) any {
	if !rt.Is(x, id) {
		rt.failAt(position, rt.assertion(x, id, from))
	}
	return x
}

// NotA panics because x does not hold type id.
func (rt *Runtime) NotA(position int, x any, id, from int) {
	rt.failAt(position, rt.assertion(x, id, from))
}

func (rt *Runtime) assertion(x any, id, from int) error {
	e := rt.Types.at(id)
	to := name(e.goType)
	have := name(rt.Types.at(from).goType)
	switch {
	case x == nil && e.isIface:
		return AssertionError{"interface conversion: interface is nil, not " + to}
	case x == nil:
		return AssertionError{"interface conversion: " + have + " is nil, not " + to}
	case e.isIface:
		return AssertionError{"interface conversion: " + rt.Types.dynamicName(x) + " is not " + to + ": missing method " + rt.missing(x, e)}
	}
	is := rt.Types.dynamicName(x)
	if is == to {
		to += " (types from different scopes, or of an earlier definition)"
	}
	return AssertionError{"interface conversion: " + have + " is " + is + ", not " + to}
}

// Forget drops the answers given about types, whose methods have changed.
func (rt *Runtime) Forget() { rt.answers.Clear() }
