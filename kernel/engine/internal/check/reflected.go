package check

import (
	"go/constant"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"strings"
)

// reflected makes the types of a bound package that has no export data from its symbol table.
// Parameter names, aliases and generic names are lost on the way.
func (p *Packages) reflected(importPath string) (*types.Package, bool) {
	for key, table := range p.bound {
		if path.Dir(key) != importPath {
			continue
		}
		pkg := p.loaded[importPath]
		if pkg == nil {
			pkg = types.NewPackage(importPath, path.Base(key))
			p.loaded[importPath] = pkg
		}
		for name, v := range table {
			if token.IsExported(name) {
				p.declare(pkg, name, v)
			}
		}
		pkg.MarkComplete()
		return pkg, true
	}
	return nil, false
}

// declare adds one name of a symbol table to its package.
func (p *Packages) declare(pkg *types.Package, name string, v reflect.Value) {
	scope := pkg.Scope()
	if scope.Lookup(name) != nil || !v.IsValid() {
		return
	}
	if c, ok := v.Interface().(constant.Value); ok {
		kinds := map[constant.Kind]types.BasicKind{constant.Bool: types.UntypedBool, constant.String: types.UntypedString, constant.Int: types.UntypedInt, constant.Float: types.UntypedFloat, constant.Complex: types.UntypedComplex}
		scope.Insert(types.NewConst(token.NoPos, pkg, name, types.Typ[kinds[c.Kind()]], c))
		return
	}
	t := v.Type()
	switch {
	case v.CanAddr():
		scope.Insert(types.NewVar(token.NoPos, pkg, name, p.fromReflect(t)))
	case t.Kind() == reflect.Func:
		scope.Insert(types.NewFunc(token.NoPos, pkg, name, p.fromReflect(t).Underlying().(*types.Signature)))
	case t.Kind() == reflect.Pointer && v.IsNil():
		if e := t.Elem(); e.PkgPath() == pkg.Path() && e.Name() == name {
			p.fromReflect(e) // declares itself
		} else {
			scope.Insert(types.NewTypeName(token.NoPos, pkg, name, p.fromReflect(e)))
		}
	default:
		if c := constantOf(v); c != nil {
			scope.Insert(types.NewConst(token.NoPos, pkg, name, p.fromReflect(t), c))
		} else {
			scope.Insert(types.NewVar(token.NoPos, pkg, name, p.fromReflect(t)))
		}
	}
}

// constantOf is the constant that a value of a basic type stands for.
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

var basicOf = map[reflect.Kind]types.BasicKind{
	reflect.Bool: types.Bool, reflect.String: types.String, reflect.Int: types.Int, reflect.Int8: types.Int8, reflect.Int16: types.Int16,
	reflect.Int32: types.Int32, reflect.Int64: types.Int64, reflect.Uint: types.Uint, reflect.Uint8: types.Uint8, reflect.Uint16: types.Uint16,
	reflect.Uint32: types.Uint32, reflect.Uint64: types.Uint64, reflect.Uintptr: types.Uintptr, reflect.Float32: types.Float32,
	reflect.Float64: types.Float64, reflect.Complex64: types.Complex64, reflect.Complex128: types.Complex128, reflect.UnsafePointer: types.UnsafePointer,
}

// fromReflect gives the Go type of a compiled type.
func (p *Packages) fromReflect(r reflect.Type) types.Type {
	if r.PkgPath() != "" && r.Name() != "" {
		return p.namedFromReflect(r)
	}
	if r == reflect.TypeFor[error]() {
		return types.Universe.Lookup("error").Type()
	}
	return p.underlying(r)
}

func (p *Packages) namedFromReflect(r reflect.Type) types.Type {
	pkg := p.loaded[r.PkgPath()]
	if pkg == nil {
		if q, err := p.exported(r.PkgPath()); err == nil {
			pkg = q
		} else {
			pkg = types.NewPackage(r.PkgPath(), path.Base(r.PkgPath()))
			p.loaded[r.PkgPath()] = pkg
		}
	}
	name, _, _ := strings.Cut(r.Name(), "[")
	if o, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
		return o.Type()
	}
	tn := types.NewTypeName(token.NoPos, pkg, name, nil)
	named := types.NewNamed(tn, nil, nil)
	pkg.Scope().Insert(tn)
	named.SetUnderlying(p.underlying(r))
	if r.Kind() == reflect.Interface {
		return named
	}
	ptr := reflect.PointerTo(r)
	for i := range ptr.NumMethod() {
		m := ptr.Method(i)
		recv := types.Type(types.NewPointer(named))
		if _, ok := r.MethodByName(m.Name); ok {
			recv = named
		}
		s := p.signature(m.Type, 1)
		named.AddMethod(types.NewFunc(token.NoPos, pkg, m.Name, types.NewSignatureType(types.NewParam(token.NoPos, pkg, "", recv), nil, nil, s.Params(), s.Results(), s.Variadic())))
	}
	return named
}

func (p *Packages) underlying(r reflect.Type) types.Type {
	if k, ok := basicOf[r.Kind()]; ok {
		return types.Typ[k]
	}
	switch r.Kind() {
	case reflect.Pointer:
		return types.NewPointer(p.fromReflect(r.Elem()))
	case reflect.Slice:
		return types.NewSlice(p.fromReflect(r.Elem()))
	case reflect.Array:
		return types.NewArray(p.fromReflect(r.Elem()), int64(r.Len()))
	case reflect.Map:
		return types.NewMap(p.fromReflect(r.Key()), p.fromReflect(r.Elem()))
	case reflect.Chan:
		d := map[reflect.ChanDir]types.ChanDir{reflect.BothDir: types.SendRecv, reflect.SendDir: types.SendOnly, reflect.RecvDir: types.RecvOnly}
		return types.NewChan(d[r.ChanDir()], p.fromReflect(r.Elem()))
	case reflect.Func:
		return p.signature(r, 0)
	case reflect.Interface:
		var ms []*types.Func
		for i := range r.NumMethod() {
			m := r.Method(i)
			ms = append(ms, types.NewFunc(token.NoPos, p.packageOf(m.PkgPath), m.Name, p.signature(m.Type, 0)))
		}
		return types.NewInterfaceType(ms, nil).Complete()
	}
	var fields []*types.Var
	var tags []string
	for i := range r.NumField() {
		f := r.Field(i)
		pkg := p.packageOf(r.PkgPath())
		if f.PkgPath != "" {
			pkg = p.packageOf(f.PkgPath)
		}
		fields = append(fields, types.NewField(token.NoPos, pkg, f.Name, p.fromReflect(f.Type), f.Anonymous))
		tags = append(tags, string(f.Tag))
	}
	return types.NewStruct(fields, tags)
}

func (p *Packages) packageOf(importPath string) *types.Package {
	if importPath == "" {
		return nil
	}
	if p.loaded[importPath] == nil {
		p.loaded[importPath] = types.NewPackage(importPath, path.Base(importPath))
	}
	return p.loaded[importPath]
}

// signature is the type of a function; skip leaves out receivers.
func (p *Packages) signature(r reflect.Type, skip int) *types.Signature {
	var in, out []*types.Var
	for i := skip; i < r.NumIn(); i++ {
		in = append(in, types.NewParam(token.NoPos, nil, "", p.fromReflect(r.In(i))))
	}
	for i := range r.NumOut() {
		out = append(out, types.NewParam(token.NoPos, nil, "", p.fromReflect(r.Out(i))))
	}
	return types.NewSignatureType(nil, nil, nil, types.NewTuple(in...), types.NewTuple(out...), r.IsVariadic())
}
