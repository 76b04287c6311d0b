package mirror

import (
	"go/types"
	"path"
	"reflect"
	"unsafe"
)

// lowered gives the Type of a Go type that has come up without a value. Functions with interfaces
// among their parameters have them as interface{}.
func (m *Mirror) lowered(t types.Type) *rtype {
	return m.typed(t, m.form(t))
}

// form is the lowered form of t, or the compiled one.
func (m *Mirror) form(t types.Type) reflect.Type {
	if types.IsInterface(t) {
		return reflect.TypeFor[any]()
	}
	if r := m.host.Reflect(t); r != nil {
		if _, ok := t.Underlying().(*types.Signature); !ok {
			return r
		}
	}
	m.mu.Lock()
	known := m.byType[m.host.Number(t)]
	m.mu.Unlock()
	if known != nil {
		return known.r
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		if r := m.host.Reflect(u); r != nil {
			return r
		}
	case *types.Pointer:
		return reflect.PointerTo(m.form(u.Elem()))
	case *types.Slice:
		return reflect.SliceOf(m.form(u.Elem()))
	case *types.Array:
		return reflect.ArrayOf(int(u.Len()), m.form(u.Elem()))
	case *types.Map:
		return reflect.MapOf(m.form(u.Key()), m.form(u.Elem()))
	case *types.Chan:
		return reflect.ChanOf(reflect.BothDir, m.form(u.Elem()))
	case *types.Signature:
		var in, out []reflect.Type
		for v := range u.Params().Variables() {
			in = append(in, m.form(v.Type()))
		}
		for v := range u.Results().Variables() {
			out = append(out, m.form(v.Type()))
		}
		return reflect.FuncOf(in, out, false)
	}
	return reflect.TypeFor[any]()
}

// of gives the Go type behind a Type that others are made of.
func of(t Type, what string) *rtype {
	u, ok := t.(*rtype)
	if !ok || u == nil {
		fail("reflect: " + what + "(nil)")
	}
	return u
}

// derived makes a type from others; without their Go types it is a compiled one.
func (m *Mirror) derived(r reflect.Type, make func(ts ...types.Type) types.Type, parts ...*rtype) Type {
	var ts []types.Type
	for _, p := range parts {
		if p.t == nil {
			return m.typed(nil, r)
		}
		ts = append(ts, p.t)
	}
	return m.typed(make(ts...), r)
}

func (m *Mirror) PointerTo(t Type) Type { return of(t, "PointerTo").pointer() }

func (m *Mirror) SliceOf(t Type) Type {
	u := of(t, "SliceOf")
	return m.derived(reflect.SliceOf(u.r), func(ts ...types.Type) types.Type { return types.NewSlice(ts[0]) }, u)
}

func (m *Mirror) ArrayOf(n int, t Type) Type {
	u := of(t, "ArrayOf")
	return m.derived(reflect.ArrayOf(n, u.r), func(ts ...types.Type) types.Type { return types.NewArray(ts[0], int64(n)) }, u)
}

func (m *Mirror) MapOf(k, e Type) Type {
	key, elem := of(k, "MapOf"), of(e, "MapOf")
	if !key.Comparable() {
		fail("reflect.MapOf: invalid key type " + key.String())
	}
	return m.derived(reflect.MapOf(key.r, elem.r), func(ts ...types.Type) types.Type { return types.NewMap(ts[0], ts[1]) }, key, elem)
}

func (m *Mirror) ChanOf(dir reflect.ChanDir, t Type) Type {
	u := of(t, "ChanOf")
	d := map[reflect.ChanDir]types.ChanDir{reflect.BothDir: types.SendRecv, reflect.SendDir: types.SendOnly, reflect.RecvDir: types.RecvOnly}[dir]
	return m.derived(reflect.ChanOf(dir, u.r), func(ts ...types.Type) types.Type { return types.NewChan(d, ts[0]) }, u)
}

func (m *Mirror) FuncOf(in, out []Type, variadic bool) Type {
	tuple := func(l []Type) (vs []*types.Var, rs []reflect.Type) {
		for _, t := range l {
			u := of(t, "FuncOf")
			if u.t == nil {
				fail("reflect.FuncOf: type " + u.String() + " is not known to cells")
			}
			vs = append(vs, types.NewParam(0, nil, "", u.t))
			rs = append(rs, u.r)
		}
		return
	}
	ps, pr := tuple(in)
	rs, rr := tuple(out)
	return m.typed(types.NewSignatureType(nil, nil, nil, types.NewTuple(ps...), types.NewTuple(rs...), variadic), reflect.FuncOf(pr, rr, false))
}

// StructOf makes a struct type; embedded fields are not possible.
func (m *Mirror) StructOf(fields []StructField) Type {
	var vars []*types.Var
	var tags []string
	var real []reflect.StructField
	for _, f := range fields {
		t := of(f.Type, "StructOf")
		if f.Anonymous || t.t == nil {
			fail("reflect.StructOf: field " + f.Name + " is embedded, which is not possible in cells")
		}
		var pkg *types.Package
		if f.PkgPath != "" {
			pkg = types.NewPackage(f.PkgPath, path.Base(f.PkgPath))
		}
		vars = append(vars, types.NewField(0, pkg, f.Name, t.t, false))
		tags = append(tags, string(f.Tag))
		real = append(real, reflect.StructField{Name: f.Name, PkgPath: f.PkgPath, Type: t.r, Tag: f.Tag})
	}
	return m.typed(types.NewStruct(vars, tags), reflect.StructOf(real))
}

func (m *Mirror) New(t Type) Value {
	u := of(t, "New")
	return Value{t: u.pointer(), v: reflect.New(u.r)}
}

func (m *Mirror) NewAt(t Type, p unsafe.Pointer) Value {
	u := of(t, "NewAt")
	return Value{t: u.pointer(), v: reflect.NewAt(u.r, p)}
}

func (m *Mirror) Zero(t Type) Value {
	u := of(t, "Zero")
	return Value{t: u, v: reflect.Zero(u.r)}
}

func (m *Mirror) MakeSlice(t Type, n, c int) Value {
	u := of(t, "MakeSlice")
	u.mustBe(reflect.Slice, "MakeSlice")
	return Value{t: u, v: reflect.MakeSlice(u.r, n, c)}
}

func (m *Mirror) SliceAt(t Type, p unsafe.Pointer, n int) Value {
	u := of(t, "SliceAt")
	return Value{t: m.SliceOf(u).(*rtype), v: reflect.SliceAt(u.r, p, n)}
}

func (m *Mirror) MakeMap(t Type) Value { return m.MakeMapWithSize(t, 0) }

func (m *Mirror) MakeMapWithSize(t Type, n int) Value {
	u := of(t, "MakeMap")
	u.mustBe(reflect.Map, "MakeMap")
	return Value{t: u, v: reflect.MakeMapWithSize(u.r, n)}
}

func (m *Mirror) MakeChan(t Type, n int) Value {
	u := of(t, "MakeChan")
	u.mustBe(reflect.Chan, "MakeChan")
	return Value{t: u, v: reflect.MakeChan(u.r, n)}
}

// DeepEqual is reflect.DeepEqual.
func (m *Mirror) DeepEqual(x, y any) bool {
	if x == nil || y == nil {
		return x == y
	}
	t, u := m.host.TypeOf(x), m.host.TypeOf(y)
	if t != nil && u != nil && !types.Identical(t, u) {
		return false
	}
	return reflect.DeepEqual(m.host.Bare(x), m.host.Bare(y))
}

// Swapper is reflect.Swapper.
func (m *Mirror) Swapper(slice any) func(i, j int) {
	v := m.ValueOf(slice)
	if v.Kind() != reflect.Slice {
		panic(&ValueError{"Swapper", v.Kind()})
	}
	return reflect.Swapper(v.v.Interface())
}
