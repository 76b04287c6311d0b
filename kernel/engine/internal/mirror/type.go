package mirror

import (
	"fmt"
	"go/types"
	"iter"
	"reflect"
	"sort"
)

// Type is reflect.Type.
type Type interface {
	Align() int
	FieldAlign() int
	Method(int) Method
	MethodByName(string) (Method, bool)
	NumMethod() int
	Name() string
	PkgPath() string
	Size() uintptr
	String() string
	Kind() reflect.Kind
	Implements(u Type) bool
	AssignableTo(u Type) bool
	ConvertibleTo(u Type) bool
	Comparable() bool
	Bits() int
	ChanDir() reflect.ChanDir
	IsVariadic() bool
	Elem() Type
	Field(i int) StructField
	FieldByIndex(index []int) StructField
	FieldByName(name string) (StructField, bool)
	FieldByNameFunc(match func(string) bool) (StructField, bool)
	In(i int) Type
	Key() Type
	Len() int
	NumField() int
	NumIn() int
	NumOut() int
	Out(i int) Type
	OverflowComplex(x complex128) bool
	OverflowFloat(x float64) bool
	OverflowInt(x int64) bool
	OverflowUint(x uint64) bool
	CanSeq() bool
	CanSeq2() bool
	Fields() iter.Seq[StructField]
	Methods() iter.Seq[Method]
	Ins() iter.Seq[Type]
	Outs() iter.Seq[Type]
}

// Method is reflect.Method.
type Method struct {
	Name    string
	PkgPath string
	Type    Type
	Func    Value
	Index   int
}

// IsExported is as reflect's.
func (m Method) IsExported() bool { return m.PkgPath == "" }

// rtype is the Type of Go type t; t is nil for compiled types that are not known here.
type rtype struct {
	m *Mirror
	t types.Type
	r reflect.Type
}

func (t *rtype) Align() int      { return t.r.Align() }
func (t *rtype) FieldAlign() int { return t.r.FieldAlign() }

func (t *rtype) Size() uintptr {
	if n, ok := t.t.(*types.Named); ok && n.Obj().Pkg() != nil && t.m.host.Reflect(t.t) != nil {
		return t.r.Size()
	}
	if t.t == nil {
		return t.r.Size()
	}
	return uintptr(types.SizesFor("gc", "amd64").Sizeof(t.t))
}

// named is the named type or basic type that t is, nil for others.
func (t *rtype) named() *types.Named {
	n, _ := t.t.(*types.Named)
	return n
}

func (t *rtype) Name() string {
	switch u := t.t.(type) {
	case nil:
		return t.r.Name()
	case *types.Basic:
		return t.String()
	case *types.Named:
		if u.TypeArgs().Len() == 0 {
			return u.Obj().Name()
		}
		s := t.String()
		if p := u.Obj().Pkg(); p != nil {
			return s[len(p.Name())+1:]
		}
		return s
	}
	return ""
}

func (t *rtype) PkgPath() string {
	if t.t == nil {
		return t.r.PkgPath()
	}
	if n := t.named(); n != nil && n.Obj().Pkg() != nil {
		return n.Obj().Pkg().Path()
	}
	return ""
}

func (t *rtype) String() string {
	if t.t == nil {
		return t.r.String()
	}
	return t.m.host.Name(t.t)
}

func (t *rtype) Kind() reflect.Kind {
	if t.t == nil {
		return t.r.Kind()
	}
	switch u := t.t.Underlying().(type) {
	case *types.Basic:
		return basicKinds[u.Kind()]
	case *types.Pointer:
		return reflect.Pointer
	case *types.Slice:
		return reflect.Slice
	case *types.Array:
		return reflect.Array
	case *types.Map:
		return reflect.Map
	case *types.Chan:
		return reflect.Chan
	case *types.Struct:
		return reflect.Struct
	case *types.Signature:
		return reflect.Func
	case *types.Interface:
		return reflect.Interface
	}
	return t.r.Kind()
}

var basicKinds = map[types.BasicKind]reflect.Kind{
	types.Bool: reflect.Bool, types.String: reflect.String, types.Int: reflect.Int, types.Int8: reflect.Int8, types.Int16: reflect.Int16,
	types.Int32: reflect.Int32, types.Int64: reflect.Int64, types.Uint: reflect.Uint, types.Uint8: reflect.Uint8, types.Uint16: reflect.Uint16,
	types.Uint32: reflect.Uint32, types.Uint64: reflect.Uint64, types.Uintptr: reflect.Uintptr, types.Float32: reflect.Float32,
	types.Float64: reflect.Float64, types.Complex64: reflect.Complex64, types.Complex128: reflect.Complex128, types.UnsafePointer: reflect.UnsafePointer,
}

// methods are the exported methods by name.
func (t *rtype) methods() []*types.Selection {
	var l []*types.Selection
	for s := range types.NewMethodSet(t.t).Methods() {
		if s.Obj().Exported() || types.IsInterface(t.t) {
			l = append(l, s)
		}
	}
	sort.Slice(l, func(i, j int) bool { return l[i].Obj().Name() < l[j].Obj().Name() })
	return l
}

func (t *rtype) NumMethod() int {
	if t.t == nil {
		return t.r.NumMethod()
	}
	return len(t.methods())
}

func (t *rtype) Method(i int) Method {
	if t.t == nil {
		return t.m.compiledMethod(t.r.Method(i))
	}
	l := t.methods()
	if i < 0 || i >= len(l) {
		fail("reflect: Method index out of range")
	}
	return t.method(l[i], i)
}

func (m *Mirror) compiledMethod(f reflect.Method) Method {
	g := Method{Name: f.Name, PkgPath: f.PkgPath, Type: m.typed(nil, f.Type), Index: f.Index}
	if f.Func.IsValid() {
		g.Func = m.value(nil, f.Func)
	}
	return g
}

func (t *rtype) method(s *types.Selection, i int) Method {
	o := s.Obj().(*types.Func)
	f := Method{Name: o.Name(), Index: i}
	if !o.Exported() {
		f.PkgPath = o.Pkg().Path()
	}
	sig := s.Type().(*types.Signature)
	plain := types.NewSignatureType(nil, nil, nil, sig.Params(), sig.Results(), sig.Variadic())
	if types.IsInterface(t.t) {
		f.Type = t.m.lowered(plain)
		return f
	}
	params := []*types.Var{types.NewParam(0, nil, "", t.t)}
	for v := range sig.Params().Variables() {
		params = append(params, v)
	}
	full := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
	if v, ok := t.function(o.Name()); ok {
		f.Func = t.m.value(full, v)
		f.Type = f.Func.t
		return f
	}
	f.Type = t.m.lowered(full)
	return f
}

// function is the method as a function that takes the receiver first.
func (t *rtype) function(name string) (reflect.Value, bool) {
	if f, ok := t.m.host.MethodOf(t.t, name); ok {
		return f, true
	}
	f, ok := t.r.MethodByName(name)
	return f.Func, ok
}

func (t *rtype) MethodByName(name string) (Method, bool) {
	if t.t == nil {
		f, ok := t.r.MethodByName(name)
		if !ok {
			return Method{}, false
		}
		return t.m.compiledMethod(f), true
	}
	for i, s := range t.methods() {
		if s.Obj().Name() == name {
			return t.method(s, i), true
		}
	}
	return Method{}, false
}

// goType is the Go type of another Type.
func goType(u Type, what string) types.Type {
	r, ok := u.(*rtype)
	if !ok || r == nil {
		fail("reflect: nil type passed to Type." + what)
	}
	return r.t
}

func (t *rtype) Implements(u Type) bool {
	ut := goType(u, "Implements")
	if t.t == nil || ut == nil {
		return u.Kind() == reflect.Interface && t.r.Implements(u.(*rtype).r)
	}
	it, ok := ut.Underlying().(*types.Interface)
	if !ok {
		fail("reflect: non-interface type passed to Type.Implements")
	}
	return types.Implements(t.t, it)
}

func (t *rtype) AssignableTo(u Type) bool {
	ut := goType(u, "AssignableTo")
	if t.t == nil || ut == nil {
		return t.r.AssignableTo(u.(*rtype).r)
	}
	return types.AssignableTo(t.t, ut)
}

func (t *rtype) ConvertibleTo(u Type) bool {
	ut := goType(u, "ConvertibleTo")
	if t.t == nil || ut == nil {
		return t.r.ConvertibleTo(u.(*rtype).r)
	}
	return types.ConvertibleTo(t.t, ut)
}

func (t *rtype) Comparable() bool {
	if t.t == nil {
		return t.r.Comparable()
	}
	return types.Comparable(t.t)
}

func (t *rtype) mustBe(kind reflect.Kind, what string) {
	if t.Kind() != kind {
		fail("reflect: " + what + " of non-" + kind.String() + " type " + t.String())
	}
}

func (t *rtype) Bits() int                         { return t.r.Bits() }
func (t *rtype) OverflowComplex(x complex128) bool { return t.r.OverflowComplex(x) }
func (t *rtype) OverflowFloat(x float64) bool      { return t.r.OverflowFloat(x) }
func (t *rtype) OverflowInt(x int64) bool          { return t.r.OverflowInt(x) }
func (t *rtype) OverflowUint(x uint64) bool        { return t.r.OverflowUint(x) }
func (t *rtype) CanSeq() bool                      { return t.r.CanSeq() }
func (t *rtype) CanSeq2() bool                     { return t.r.CanSeq2() }

func (t *rtype) ChanDir() reflect.ChanDir {
	t.mustBe(reflect.Chan, "ChanDir")
	if t.t == nil {
		return t.r.ChanDir()
	}
	return map[types.ChanDir]reflect.ChanDir{types.SendRecv: reflect.BothDir, types.SendOnly: reflect.SendDir, types.RecvOnly: reflect.RecvDir}[t.t.Underlying().(*types.Chan).Dir()]
}

func (t *rtype) Len() int {
	t.mustBe(reflect.Array, "Len")
	if t.t == nil {
		return t.r.Len()
	}
	return int(t.t.Underlying().(*types.Array).Len())
}

func (t *rtype) Elem() Type {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map, reflect.Chan:
	default:
		fail("reflect: Elem of invalid type " + t.String())
	}
	return t.elem()
}

func (t *rtype) elem() *rtype {
	var u types.Type
	if t.t != nil {
		u = t.t.Underlying().(interface{ Elem() types.Type }).Elem()
	}
	return t.m.typed(u, t.r.Elem())
}

func (t *rtype) Key() Type {
	t.mustBe(reflect.Map, "Key")
	return t.key()
}

func (t *rtype) key() *rtype {
	var u types.Type
	if t.t != nil {
		u = t.t.Underlying().(*types.Map).Key()
	}
	return t.m.typed(u, t.r.Key())
}

// each gives n things as a sequence.
func each[T any](n int, at func(int) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		for i := range n {
			if !yield(at(i)) {
				return
			}
		}
	}
}

func (t *rtype) Fields() iter.Seq[StructField] { return each(t.NumField(), t.Field) }
func (t *rtype) Methods() iter.Seq[Method]     { return each(t.NumMethod(), t.Method) }
func (t *rtype) Ins() iter.Seq[Type]           { return each(t.NumIn(), t.In) }
func (t *rtype) Outs() iter.Seq[Type]          { return each(t.NumOut(), t.Out) }

// Format prints the type by its name.
func (t *rtype) Format(f fmt.State, verb rune) { fmt.Fprint(f, t.String()) }
