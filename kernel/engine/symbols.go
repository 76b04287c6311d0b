package engine

import (
	"cmp"
	"fmt"
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"slices"
	"strings"
)

// library is the bound packages as go/types sees them. Packages are made on first use, from
// reflection on their symbols; every compiled type has one types.Type.
type library struct {
	symbols  map[string]map[string]reflect.Value // by import path
	names    map[string]string                   // package name to import path, for use without import
	numbers  map[string]int                      // import path to the number in its internal alias
	exported map[reflect.Type]symbolName
	packages map[string]*types.Package
	ready    map[string]bool
	named    map[reflect.Type]*types.Named
	compiled map[*types.TypeName]reflect.Type
	late     map[string]reflect.Value // types named since the interpreter last heard
}

// symbolName is where a type is bound, which need not be where it is declared.
type symbolName struct{ path, name string }

// generic are packages that have only or mostly generic functions, which cannot be bound.
var generic = []string{"slices", "maps", "cmp", "iter"}

func newLibrary(symbols map[string]map[string]reflect.Value) *library {
	lib := &library{
		symbols: map[string]map[string]reflect.Value{}, names: map[string]string{}, numbers: map[string]int{},
		exported: map[reflect.Type]symbolName{}, packages: map[string]*types.Package{}, ready: map[string]bool{},
		named: map[reflect.Type]*types.Named{}, compiled: map[*types.TypeName]reflect.Type{}, late: map[string]reflect.Value{},
	}
	for key, table := range symbols {
		if dir := path.Dir(key); dir != "." && dir != "github.com/traefik/yaegi/stdlib" {
			lib.add(dir, path.Base(key), table)
		}
	}
	lib.add(runtimePath, "rt", map[string]reflect.Value{})
	for _, p := range generic {
		if lib.symbols[p] == nil {
			lib.add(p, p, map[string]reflect.Value{})
		}
	}
	paths := make([]string, 0, len(lib.symbols))
	for p := range lib.symbols {
		paths = append(paths, p)
	}
	slices.SortFunc(paths, preferred)
	for i, p := range paths {
		lib.numbers[p] = i
		if name := lib.packages[p].Name(); lib.names[name] == "" && p != runtimePath {
			lib.names[name] = p
		}
		for name, v := range lib.symbols[p] {
			if !isTypeSymbol(v) || !token.IsExported(name) {
				continue
			}
			t := v.Type().Elem()
			old, ok := lib.exported[t]
			if !ok || (old.path != t.PkgPath() && p == t.PkgPath()) {
				lib.exported[t] = symbolName{p, name}
			}
		}
	}
	return lib
}

func (lib *library) add(dir, name string, table map[string]reflect.Value) {
	lib.symbols[dir] = table
	lib.packages[dir] = types.NewPackage(dir, name)
}

// preferred orders import paths so that the package meant by a bare name comes first:
// math/rand before crypto/rand, text/template before html/template, short before long.
func preferred(a, b string) int {
	rank := func(p string) int {
		switch p {
		case "math/rand", "text/template", "text/scanner", "runtime/pprof", "container/heap":
			return 0
		}
		return 1 + strings.Count(p, "/")
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
}

func isTypeSymbol(v reflect.Value) bool {
	return v.IsValid() && v.Kind() == reflect.Pointer && !v.CanAddr() && v.IsNil()
}

// Import implements types.Importer.
func (lib *library) Import(p string) (*types.Package, error) {
	table, ok := lib.symbols[p]
	if !ok {
		return nil, fmt.Errorf("no package %q here: a notebook can import the standard library and the packages that come with it", p)
	}
	pkg := lib.packages[p]
	if lib.ready[p] {
		return pkg, nil
	}
	lib.ready[p] = true
	for name, v := range table {
		if token.IsExported(name) && v.IsValid() {
			if obj := lib.object(pkg, name, v); obj != nil {
				pkg.Scope().Insert(obj)
			}
		}
	}
	pkg.MarkComplete()
	return pkg, nil
}

// object is the declaration of one symbol.
func (lib *library) object(pkg *types.Package, name string, v reflect.Value) types.Object {
	if c, ok := v.Interface().(constant.Value); ok {
		kind := map[constant.Kind]types.BasicKind{
			constant.Bool: types.UntypedBool, constant.String: types.UntypedString, constant.Int: types.UntypedInt,
			constant.Float: types.UntypedFloat, constant.Complex: types.UntypedComplex,
		}[c.Kind()]
		return types.NewConst(token.NoPos, pkg, name, types.Typ[kind], c)
	}
	switch {
	case isTypeSymbol(v):
		t := lib.typeOf(v.Type().Elem())
		if n, ok := t.(*types.Named); ok && n.Obj().Pkg() == pkg && n.Obj().Name() == name {
			return n.Obj()
		}
		return types.NewTypeName(token.NoPos, pkg, name, t)
	case v.CanAddr():
		return types.NewVar(token.NoPos, pkg, name, lib.typeOf(v.Type()))
	case v.Kind() == reflect.Func:
		if v.IsNil() {
			return nil
		}
		return types.NewFunc(token.NoPos, pkg, name, lib.signature(v.Type(), 0, nil))
	}
	if c := constantOf(v); c != nil {
		return types.NewConst(token.NoPos, pkg, name, lib.typeOf(v.Type()), c)
	}
	return types.NewVar(token.NoPos, pkg, name, lib.typeOf(v.Type()))
}

// constantOf is the value of a typed constant, nil if v is none.
func constantOf(v reflect.Value) constant.Value {
	switch {
	case v.Kind() == reflect.Bool:
		return constant.MakeBool(v.Bool())
	case v.Kind() == reflect.String:
		return constant.MakeString(v.String())
	case v.CanInt():
		return constant.MakeInt64(v.Int())
	case v.CanUint():
		return constant.MakeUint64(v.Uint())
	case v.CanFloat():
		return constant.MakeFloat64(v.Float())
	}
	return nil
}

var basicTypes = map[reflect.Kind]types.BasicKind{
	reflect.Bool: types.Bool, reflect.Int: types.Int, reflect.Int8: types.Int8, reflect.Int16: types.Int16,
	reflect.Int32: types.Int32, reflect.Int64: types.Int64, reflect.Uint: types.Uint, reflect.Uint8: types.Uint8,
	reflect.Uint16: types.Uint16, reflect.Uint32: types.Uint32, reflect.Uint64: types.Uint64,
	reflect.Uintptr: types.Uintptr, reflect.Float32: types.Float32, reflect.Float64: types.Float64,
	reflect.Complex64: types.Complex64, reflect.Complex128: types.Complex128, reflect.String: types.String,
	reflect.UnsafePointer: types.UnsafePointer,
}

var errorType = reflect.TypeFor[error]()

// typeOf is the types.Type of a compiled type.
func (lib *library) typeOf(t reflect.Type) types.Type {
	if t == errorType {
		return types.Universe.Lookup("error").Type()
	}
	if t.Name() == "" || t.PkgPath() == "" {
		return lib.underlying(t, nil)
	}
	if n, ok := lib.named[t]; ok {
		return n
	}
	pkg := lib.packageOf(t.PkgPath())
	obj := types.NewTypeName(token.NoPos, pkg, t.Name(), nil)
	n := types.NewNamed(obj, nil, nil)
	lib.named[t] = n
	lib.compiled[obj] = t
	n.SetUnderlying(lib.underlying(t, pkg))
	if t.Kind() != reflect.Interface {
		p := reflect.PointerTo(t)
		for i := range p.NumMethod() {
			m := p.Method(i)
			var recv types.Type = n
			if _, ok := t.MethodByName(m.Name); !ok {
				recv = types.NewPointer(n)
			}
			sig := lib.signature(m.Type, 1, types.NewVar(token.NoPos, pkg, "", recv))
			n.AddMethod(types.NewFunc(token.NoPos, pkg, m.Name, sig))
		}
	}
	return n
}

func (lib *library) packageOf(p string) *types.Package {
	pkg, ok := lib.packages[p]
	if !ok {
		pkg = types.NewPackage(p, path.Base(p))
		lib.packages[p] = pkg
	}
	return pkg
}

// underlying is the type literal of t; pkg owns the unexported fields of a named t.
func (lib *library) underlying(t reflect.Type, pkg *types.Package) types.Type {
	if kind, ok := basicTypes[t.Kind()]; ok {
		return types.Typ[kind]
	}
	switch t.Kind() {
	case reflect.Pointer:
		return types.NewPointer(lib.typeOf(t.Elem()))
	case reflect.Slice:
		return types.NewSlice(lib.typeOf(t.Elem()))
	case reflect.Array:
		return types.NewArray(lib.typeOf(t.Elem()), int64(t.Len()))
	case reflect.Map:
		return types.NewMap(lib.typeOf(t.Key()), lib.typeOf(t.Elem()))
	case reflect.Chan:
		dir := map[reflect.ChanDir]types.ChanDir{
			reflect.BothDir: types.SendRecv, reflect.RecvDir: types.RecvOnly, reflect.SendDir: types.SendOnly,
		}[t.ChanDir()]
		return types.NewChan(dir, lib.typeOf(t.Elem()))
	case reflect.Func:
		return lib.signature(t, 0, nil)
	case reflect.Struct:
		return lib.structure(t, pkg)
	}
	if t.NumMethod() == 0 && t.Name() == "" {
		return types.Universe.Lookup("any").Type()
	}
	methods := make([]*types.Func, t.NumMethod())
	for i := range methods {
		m := t.Method(i)
		owner := pkg
		if m.PkgPath != "" {
			owner = lib.packageOf(m.PkgPath)
		}
		methods[i] = types.NewFunc(token.NoPos, owner, m.Name, lib.signature(m.Type, 0, nil))
	}
	return types.NewInterfaceType(methods, nil).Complete()
}

func (lib *library) structure(t reflect.Type, pkg *types.Package) types.Type {
	fields := make([]*types.Var, t.NumField())
	tags := make([]string, t.NumField())
	for i := range fields {
		f := t.Field(i)
		owner := pkg
		if f.PkgPath != "" {
			owner = lib.packageOf(f.PkgPath)
		}
		fields[i] = types.NewField(token.NoPos, owner, f.Name, lib.typeOf(f.Type), f.Anonymous)
		tags[i] = string(f.Tag)
	}
	return types.NewStruct(fields, tags)
}

// signature is the function type t without its first skip parameters.
func (lib *library) signature(t reflect.Type, skip int, recv *types.Var) *types.Signature {
	var in, out []*types.Var
	for i := skip; i < t.NumIn(); i++ {
		in = append(in, types.NewParam(token.NoPos, nil, "", lib.typeOf(t.In(i))))
	}
	for i := range t.NumOut() {
		out = append(out, types.NewParam(token.NoPos, nil, "", lib.typeOf(t.Out(i))))
	}
	return types.NewSignatureType(recv, nil, nil, types.NewTuple(in...), types.NewTuple(out...), t.IsVariadic())
}
