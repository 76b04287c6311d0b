package lower

import (
	"fmt"
	"go/types"
)

// environment binds the type parameters of a function instance, and gives the types declared
// inside a generic function one identity an instance.
type environment struct {
	g      *Lowerer
	params map[*types.TypeParam]types.Type
	local  map[*types.Named]*types.Named
	fn     *types.Func

	successors Successors
}

func (e *environment) subst(t types.Type) types.Type {
	if e == nil || t == nil {
		return t
	}
	switch t := t.(type) {
	case *types.TypeParam:
		if s, ok := e.params[t]; ok {
			return s
		}
	case *types.Alias:
		return e.subst(types.Unalias(t))
	case *types.Named:
		return e.named(t)
	case *types.Pointer:
		if x := e.subst(t.Elem()); x != t.Elem() {
			return types.NewPointer(x)
		}
	case *types.Slice:
		if x := e.subst(t.Elem()); x != t.Elem() {
			return types.NewSlice(x)
		}
	case *types.Array:
		if x := e.subst(t.Elem()); x != t.Elem() {
			return types.NewArray(x, t.Len())
		}
	case *types.Chan:
		if x := e.subst(t.Elem()); x != t.Elem() {
			return types.NewChan(t.Dir(), x)
		}
	case *types.Map:
		if k, v := e.subst(t.Key()), e.subst(t.Elem()); k != t.Key() || v != t.Elem() {
			return types.NewMap(k, v)
		}
	case *types.Tuple:
		return e.tuple(t)
	case *types.Signature:
		p, r := e.tuple(t.Params()), e.tuple(t.Results())
		if p != t.Params() || r != t.Results() {
			return types.NewSignatureType(nil, nil, nil, p, r, t.Variadic())
		}
	case *types.Struct:
		return e.structure(t)
	case *types.Interface:
		return e.iface(t)
	}
	return t
}

func (e *environment) named(t *types.Named) types.Type {
	if n := e.successors[t]; n != nil {
		return n
	}
	if t.TypeArgs().Len() > 0 {
		if len(e.params) > 0 && e.declaredInside(t.Obj()) {
			e.own(t.Obj())
		}
		args := make([]types.Type, t.TypeArgs().Len())
		same := true
		for i := range args {
			args[i] = e.subst(t.TypeArgs().At(i))
			same = same && args[i] == t.TypeArgs().At(i)
		}
		origin := t.Origin()
		if n := e.successors[origin]; n != nil {
			origin, same = n, false
		}
		if same {
			return t
		}
		r, err := types.Instantiate(e.g.context, origin, args, false)
		if err != nil {
			panic("lower: " + err.Error())
		}
		return r
	}
	if !e.declaredInside(t.Obj()) {
		return t
	}
	if n := e.local[t]; n != nil {
		return n
	}
	n := types.NewNamed(types.NewTypeName(t.Obj().Pos(), t.Obj().Pkg(), t.Obj().Name(), nil), nil, nil)
	e.local[t] = n
	n.SetUnderlying(e.subst(t.Underlying()))
	return n
}

// own refuses generic type o, declared inside a generic function, in a second instance of the
// function: the two could not be told apart.
func (e *environment) own(o *types.TypeName) {
	instance := ""
	for _, l := range []*types.TypeParamList{e.fn.Signature().TypeParams(), e.fn.Signature().RecvTypeParams()} {
		for p := range l.TypeParams() {
			instance += fmt.Sprintf(" %d", e.g.types.Number(e.g.canonical(e.params[p])))
		}
	}
	if first, ok := e.g.owners[o]; !ok {
		keep(e.g, e.g.owners, o, instance)
	} else if first != instance {
		e.g.limit(o.Pos(), "type %s has type parameters and is declared inside a function that is used with several type arguments; declare it outside", o.Name())
	}
}

// declaredInside tells whether o is declared in the body of the generic function.
func (e *environment) declaredInside(o types.Object) bool {
	if e.fn == nil || o.Pkg() == nil || o.Parent() == nil || o.Parent() == o.Pkg().Scope() {
		return false
	}
	s := e.fn.Scope()
	return s != nil && s.Contains(o.Pos())
}

func (e *environment) tuple(t *types.Tuple) *types.Tuple {
	if t == nil {
		return nil
	}
	same := true
	vs := make([]*types.Var, t.Len())
	for i := range vs {
		v := t.At(i)
		vs[i] = v
		if x := e.subst(v.Type()); x != v.Type() {
			same = false
			vs[i] = types.NewParam(v.Pos(), v.Pkg(), v.Name(), x)
		}
	}
	if same {
		return t
	}
	return types.NewTuple(vs...)
}

func (e *environment) structure(t *types.Struct) types.Type {
	same := true
	fields := make([]*types.Var, t.NumFields())
	tags := make([]string, t.NumFields())
	for i := range fields {
		f := t.Field(i)
		fields[i], tags[i] = f, t.Tag(i)
		if x := e.subst(f.Type()); x != f.Type() {
			same = false
			fields[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), x, f.Embedded())
		}
	}
	if same {
		return t
	}
	return types.NewStruct(fields, tags)
}

func (e *environment) iface(t *types.Interface) types.Type {
	same := true
	methods := make([]*types.Func, t.NumExplicitMethods())
	for i := range methods {
		m := t.ExplicitMethod(i)
		methods[i] = m
		if x := e.subst(m.Type()); x != m.Type() {
			same = false
			methods[i] = types.NewFunc(m.Pos(), m.Pkg(), m.Name(), x.(*types.Signature))
		}
	}
	embedded := make([]types.Type, t.NumEmbeddeds())
	for i := range embedded {
		embedded[i] = e.subst(t.EmbeddedType(i))
		same = same && embedded[i] == t.EmbeddedType(i)
	}
	if same {
		return t
	}
	return types.NewInterfaceType(methods, embedded).Complete()
}
