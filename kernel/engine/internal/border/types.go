package border

import (
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"sync"

	"golang.org/x/tools/go/types/typeutil"
)

// TagKey is the struct tag key by which a lowered struct tells the number of its Go type.
const TagKey = "gotype"

// Boxed is an interpreted value in an interface whose lowered type does not tell its Go type.
type Boxed struct {
	ID int
	V  any
}

// Types numbers the Go types that values of one engine may have, and finds the type of a value.
type Types struct {
	bound map[string]map[string]reflect.Value
	// compiled finds a type of a bound package, nil when there is none.
	compiled func(path, name string) types.Type

	mu      sync.RWMutex
	numbers typeutil.Map
	list    []entry
	reflect typeutil.Map // types.Type to reflect.Type of compiled types
	known   sync.Map     // reflect.Type to types.Type
}

type entry struct {
	goType   types.Type
	compiled reflect.Type // the type in compiled code, nil when there is none
	isIface  bool
}

// NewTypes begins a numbering. bound are yaegi's symbol tables; compiled finds types of packages.
func NewTypes(bound map[string]map[string]reflect.Value, compiled func(path, name string) types.Type) *Types {
	return &Types{bound: bound, compiled: compiled}
}

// Number gives the number of t, the same for identical types.
func (ts *Types) Number(t types.Type) int {
	t = types.Unalias(t)
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if n, ok := ts.numbers.At(t).(int); ok {
		return n
	}
	n := len(ts.list)
	ts.numbers.Set(t, n)
	ts.list = append(ts.list, entry{goType: t, compiled: ts.reflectOf(t), isIface: types.IsInterface(t)})
	return n
}

func (ts *Types) at(n int) entry {
	ts.mu.RLock()
	defer ts.mu.RUnlock()
	return ts.list[n]
}

// Reflect gives the compiled type of t, nil where there is none.
func (ts *Types) Reflect(t types.Type) reflect.Type {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.reflectOf(t)
}

var basicTypes = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](), types.Uintptr: reflect.TypeFor[uintptr](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
	types.Complex64: reflect.TypeFor[complex64](), types.Complex128: reflect.TypeFor[complex128](),
}

// reflectOf is Reflect with the lock held.
func (ts *Types) reflectOf(t types.Type) reflect.Type {
	t = types.Unalias(t)
	if r, ok := ts.reflect.At(t).(reflect.Type); ok {
		return r
	}
	r := ts.makeReflect(t)
	if r != nil {
		ts.reflect.Set(t, r)
	}
	return r
}

func (ts *Types) makeReflect(t types.Type) reflect.Type {
	switch t := t.(type) {
	case *types.Basic:
		return basicTypes[t.Kind()]
	case *types.Named:
		return ts.named(t)
	case *types.Pointer:
		return ts.derived(t.Elem(), reflect.PointerTo)
	case *types.Slice:
		return ts.derived(t.Elem(), reflect.SliceOf)
	case *types.Array:
		return ts.derived(t.Elem(), func(r reflect.Type) reflect.Type { return reflect.ArrayOf(int(t.Len()), r) })
	case *types.Chan:
		return ts.derived(t.Elem(), func(r reflect.Type) reflect.Type { return reflect.ChanOf(directions[t.Dir()], r) })
	case *types.Map:
		k, v := ts.reflectOf(t.Key()), ts.reflectOf(t.Elem())
		if k != nil && v != nil {
			return reflect.MapOf(k, v)
		}
	case *types.Struct:
		if t.NumFields() == 0 {
			return reflect.TypeFor[struct{}]()
		}
	case *types.Interface:
		if t.NumMethods() == 0 && t.IsMethodSet() {
			return reflect.TypeFor[any]()
		}
	case *types.Signature:
		return ts.function(t)
	}
	return nil
}

var directions = map[types.ChanDir]reflect.ChanDir{types.SendRecv: reflect.BothDir, types.SendOnly: reflect.SendDir, types.RecvOnly: reflect.RecvDir}

func (ts *Types) derived(elem types.Type, f func(reflect.Type) reflect.Type) reflect.Type {
	if r := ts.reflectOf(elem); r != nil {
		return f(r)
	}
	return nil
}

func (ts *Types) function(t *types.Signature) reflect.Type {
	list := func(tu *types.Tuple) ([]reflect.Type, bool) {
		var l []reflect.Type
		for v := range tu.Variables() {
			r := ts.reflectOf(v.Type())
			if r == nil {
				return nil, false
			}
			l = append(l, r)
		}
		return l, true
	}
	in, ok1 := list(t.Params())
	out, ok2 := list(t.Results())
	if !ok1 || !ok2 {
		return nil
	}
	return reflect.FuncOf(in, out, t.Variadic())
}

func (ts *Types) named(t *types.Named) reflect.Type {
	o := t.Obj()
	if o.Pkg() == nil {
		if o.Name() == "error" {
			return reflect.TypeFor[error]()
		}
		return nil
	}
	if t.TypeArgs().Len() > 0 {
		return nil
	}
	v, ok := ts.bound[o.Pkg().Path()+"/"+o.Pkg().Name()][o.Name()]
	if !ok || v.Kind() != reflect.Pointer || o.Parent() != o.Pkg().Scope() {
		return nil
	}
	return v.Type().Elem()
}

// TypeOf finds the Go type of what an interface holds; nil when it cannot be told.
func (ts *Types) TypeOf(x any) types.Type {
	if b, ok := x.(Boxed); ok {
		return ts.at(b.ID).goType
	}
	if x == nil {
		return nil
	}
	return ts.goType(reflect.TypeOf(x))
}

// goType finds the Go type of a value of lowered or compiled type r.
func (ts *Types) goType(r reflect.Type) types.Type {
	if t, ok := ts.known.Load(r); ok {
		t, _ := t.(types.Type)
		return t
	}
	t := ts.findGoType(r)
	if t != nil {
		ts.known.Store(r, t)
	}
	return t
}

var basicKinds = func() map[reflect.Kind]types.Type {
	m := map[reflect.Kind]types.Type{}
	for k, r := range basicTypes {
		m[r.Kind()] = types.Typ[k]
	}
	return m
}()

func (ts *Types) findGoType(r reflect.Type) types.Type {
	if r.Name() != "" {
		if r.PkgPath() == "" {
			if t := basicKinds[r.Kind()]; t != nil {
				return t
			}
			return types.Universe.Lookup(r.Name()).Type()
		}
		if r.PkgPath() == mirrored {
			return ts.compiled("reflect", r.Name())
		}
		return ts.compiled(r.PkgPath(), r.Name())
	}
	of := func(e reflect.Type, f func(types.Type) types.Type) types.Type {
		if t := ts.goType(e); t != nil {
			return f(t)
		}
		return nil
	}
	switch r.Kind() {
	case reflect.Struct:
		if n, ok := tagNumber(r); ok {
			return ts.at(n).goType
		}
		if r.NumField() == 0 {
			return types.NewStruct(nil, nil)
		}
	case reflect.Interface:
		if r.NumMethod() == 0 {
			return types.Universe.Lookup("any").Type()
		}
	case reflect.Pointer:
		return of(r.Elem(), func(t types.Type) types.Type { return types.NewPointer(t) })
	case reflect.Slice:
		return of(r.Elem(), func(t types.Type) types.Type { return types.NewSlice(t) })
	case reflect.Array:
		return of(r.Elem(), func(t types.Type) types.Type { return types.NewArray(t, int64(r.Len())) })
	case reflect.Chan:
		return of(r.Elem(), func(t types.Type) types.Type { return types.NewChan(chanDir(r), t) })
	case reflect.Map:
		return of(r.Key(), func(k types.Type) types.Type {
			return of(r.Elem(), func(v types.Type) types.Type { return types.NewMap(k, v) })
		})
	case reflect.Func:
		return ts.funcType(r)
	}
	return nil
}

func chanDir(r reflect.Type) types.ChanDir {
	for t, d := range directions {
		if d == r.ChanDir() {
			return t
		}
	}
	return types.SendRecv
}

func (ts *Types) funcType(r reflect.Type) types.Type {
	var in, out []*types.Var
	for i := range r.NumIn() {
		t := ts.goType(r.In(i))
		if t == nil {
			return nil
		}
		in = append(in, types.NewParam(0, nil, "", t))
	}
	for i := range r.NumOut() {
		t := ts.goType(r.Out(i))
		if t == nil {
			return nil
		}
		out = append(out, types.NewParam(0, nil, "", t))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(in...), types.NewTuple(out...), r.IsVariadic())
}

// tagNumber reads the type number of a lowered struct type.
func tagNumber(r reflect.Type) (int, bool) {
	if r.Kind() != reflect.Struct || r.Name() != "" || r.NumField() == 0 {
		return 0, false
	}
	s, ok := r.Field(0).Tag.Lookup(TagKey)
	if !ok {
		return 0, false
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// dynamicName names the type of what an interface holds.
func (ts *Types) dynamicName(x any) string {
	if b, ok := x.(Boxed); ok {
		return name(ts.at(b.ID).goType)
	}
	if !interpreted(reflect.TypeOf(x)) {
		return reflect.TypeOf(x).String()
	}
	if t := ts.TypeOf(x); t != nil {
		return name(t)
	}
	return reflect.TypeOf(x).String()
}

// interpreted tells whether a lowered struct is part of type r.
func interpreted(r reflect.Type) bool {
	if r.Name() != "" {
		return false
	}
	switch r.Kind() {
	case reflect.Struct:
		_, ok := tagNumber(r)
		return ok
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Chan:
		return interpreted(r.Elem())
	case reflect.Map:
		return interpreted(r.Key()) || interpreted(r.Elem())
	case reflect.Func:
		for i := range r.NumIn() {
			if interpreted(r.In(i)) {
				return true
			}
		}
		for i := range r.NumOut() {
			if interpreted(r.Out(i)) {
				return true
			}
		}
	}
	return false
}

// Succeed puts the types that next gives in the place of the numbered ones. It gives the numbers
// that this concerns, and a function that takes it back.
func (ts *Types) Succeed(next func(types.Type) types.Type) (changed map[int]bool, undo func()) {
	ts.mu.RLock()
	list := slices.Clone(ts.list)
	ts.mu.RUnlock()
	changed = map[int]bool{}
	var set []types.Type
	for n, e := range list {
		t := next(e.goType)
		if t == e.goType || types.Identical(t, e.goType) {
			continue
		}
		changed[n] = true
		ts.mu.Lock()
		if ts.numbers.At(t) == nil {
			ts.numbers.Set(t, n)
			set = append(set, t)
		}
		ts.list[n].goType = t
		ts.mu.Unlock()
	}
	ts.known.Clear()
	return changed, func() {
		ts.mu.Lock()
		defer ts.mu.Unlock()
		for _, t := range set {
			ts.numbers.Delete(t)
		}
		for n := range changed {
			ts.list[n].goType = list[n].goType
		}
		ts.known.Clear()
	}
}
