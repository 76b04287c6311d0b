package engine

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"strings"
)

// Forget takes what cells have declared or imported under name out of scope: a variable, a
// function, a type with its methods, a constant, an import. The value of a variable is released,
// unless functions or closures of cells use it. It waits for a running cell. It is an error when
// nothing has that name, and when declarations use it, which the error then names.
func (e *Engine) Forget(name string) error {
	e.running.Lock()
	defer e.running.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	st := &e.state
	o, declared := st.scope[name]
	if _, imported := st.imports[name]; !declared && !imported {
		return fmt.Errorf("%s is not declared", name)
	}
	if users := st.users(name); declared && len(users) > 0 {
		return fmt.Errorf("%s is used by %s", name, strings.Join(users, ", "))
	}
	delete(st.imports, name)
	delete(st.scope, name)
	for k := range st.declarations {
		if base, _, _ := strings.Cut(k, "."); base == name {
			delete(st.declarations, k)
		}
	}
	gone := func(k string) bool { base, _, _ := strings.Cut(k, "."); return base == name }
	st.order = slices.DeleteFunc(st.order, gone)
	st.variables = slices.DeleteFunc(st.variables, gone)
	switch o := o.(type) {
	case *types.Func:
		e.executor.Drop(e.lowerer.Forget(o))
	case *types.Var:
		storage := e.lowerer.Global(o)
		if v, ok := e.executor.Variable(storage); ok && !e.lowerer.Held(storage) {
			e.executor.Place(storage, reflect.New(v.Type()).Elem())
		}
	}
	return nil
}

// users are the declarations that use name, its own methods apart.
func (st *state) users(name string) (l []string) {
	for _, k := range st.order {
		d := st.declarations[k]
		if base, _, _ := strings.Cut(k, "."); d != nil && base != name && usesAny(d, map[string]bool{name: true}) {
			l = append(l, k)
		}
	}
	return l
}
