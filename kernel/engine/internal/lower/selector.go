package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

// selector lowers x.f: a package's name, a field, a method value or a method expression.
func (x *body) selector(e *ast.SelectorExpr) string {
	if x.isPackageName(e.X) {
		switch o := x.objectOf(e.Sel).(type) {
		case *types.Func:
			return x.functionValue(e)
		case *types.Var:
			s := x.variable(o)
			if x.packages.Compiled(o) {
				return x.fromCompiled(s, o.Type())
			}
			return s
		}
		panic("lower: selector " + e.Sel.Name)
	}
	sel := x.info.Selections[e]
	t := x.subst(sel.Recv())
	switch sel.Kind() {
	case types.FieldVal:
		s := x.opened(e.X)
		risky := x.risky
		path := x.path(sel, t)
		s, _ = x.field(s, t, path, true)
		if len(path) == 1 && x.isKnown(e.X) {
			x.risky = risky
		}
		return s
	case types.MethodExpr:
		sig := x.typeOf(e).(*types.Signature)
		ps, as := x.parameters(sig)
		call := x.method(as[0], t, sel.Obj(), as[1:], sig.Variadic())
		return x.made(x.literal(ps, sig, call), sig)
	}
	return x.methodValue(e, sel, t)
}

func (x *body) isPackageName(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	if !ok {
		return false
	}
	_, ok = x.objectOf(id).(*types.PkgName)
	return ok
}

// path is the selection's path of fields in this instance of the function.
func (x *body) path(sel *types.Selection, t types.Type) []int {
	if x.env != nil {
		if _, i, _ := types.LookupFieldOrMethod(t, true, sel.Obj().Pkg(), sel.Obj().Name()); i != nil {
			return i
		}
	}
	return sel.Index()
}

// field walks path from s of type t; reading takes interfaces of compiled structs in.
func (x *body) field(s string, t types.Type, path []int, reading bool) (string, types.Type) {
	for n, i := range path {
		t = types.Unalias(t)
		if strings.HasPrefix(s, "&") {
			s = "(" + s + ")"
		}
		if p, ok := t.Underlying().(*types.Pointer); ok {
			x.risky = true
			t = types.Unalias(p.Elem())
		}
		st := t.Underlying().(*types.Struct)
		f := types.Unalias(st.Field(i).Type())
		if x.compiledType(t) {
			s += "." + st.Field(i).Name()
			if reading || n < len(path)-1 {
				s = x.fromCompiled(s, f)
			}
		} else {
			s += "." + fieldName(st, i)
		}
		t = f
		if n < len(path)-1 && x.hidden(t) {
			s += ".(" + x.low(t.Underlying()) + ")"
		}
	}
	return s, t
}

// methodValue is x.M: the receiver is evaluated and copied now.
func (x *body) methodValue(e *ast.SelectorExpr, sel *types.Selection, t types.Type) string {
	sig := x.typeOf(e).(*types.Signature)
	s, rt := x.opened(e.X), t
	if isInterface(t) {
		s = fmt.Sprintf("rt.NotNil(%d, %s)", e.Sel.Pos(), s)
	} else {
		m, path, _ := types.LookupFieldOrMethod(t, true, sel.Obj().Pkg(), sel.Obj().Name())
		s, rt = x.receiver(s, t, m.(*types.Func), path)
		if isInterface(rt) {
			s = fmt.Sprintf("rt.NotNil(%d, %s)", e.Sel.Pos(), s)
		}
	}
	ps, as := x.parameters(sig)
	r := x.tmp()
	call := x.method(r, rt, sel.Obj(), as, sig.Variadic())
	inner := x.literal(ps, sig, call)
	return fmt.Sprintf("func(%s %s) func%s { return %s }(%s)", r, x.low(rt), x.signature(sig), inner, s)
}

// literal renders a function literal that gives the results of call.
func (g *Lowerer) literal(ps []string, sig *types.Signature, call string) string {
	return "func(" + strings.Join(ps, ", ") + ")" + g.results(sig) + " { " + returning(sig) + call + " }"
}

func returning(s *types.Signature) string {
	if s.Results().Len() > 0 {
		return "return "
	}
	return ""
}

// parameters names new parameters for a signature.
func (g *Lowerer) parameters(s *types.Signature) (ps, as []string) {
	for v := range s.Params().Variables() {
		n := g.name("t")
		as = append(as, n)
		ps = append(ps, n+" "+g.low(v.Type()))
	}
	return
}

// receiver walks from s of type t to the value that method f, found by path, takes.
func (x *body) receiver(s string, t types.Type, f *types.Func, path []int) (string, types.Type) {
	for len(path) > 1 && !x.hasAll(t) { // of a compiled type the embedded field may not be exported
		s, t = x.field(s, t, path[:1], true)
		if path = path[1:]; len(path) > 1 && x.hidden(t) {
			s += ".(" + x.low(t.Underlying()) + ")"
		}
	}
	if isInterface(t) {
		return s, t
	}
	_, want := types.Unalias(f.Signature().Recv().Type()).(*types.Pointer)
	p, have := types.Unalias(t).(*types.Pointer)
	switch {
	case want && !have:
		if inside, ok := strings.CutPrefix(s, "(*"); ok && strings.HasSuffix(inside, ")") && simple(inside[:len(inside)-1]) {
			return inside[:len(inside)-1], types.NewPointer(t)
		}
		return "(&" + s + ")", types.NewPointer(t)
	case !want && have:
		x.risky = true
		return "(*" + s + ")", types.Unalias(p.Elem())
	}
	return s, t
}

// hasAll tells a compiled type, or a pointer to one, whose promoted methods can be called on it.
func (x *body) hasAll(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	return ok && x.compiledType(n) && n.Obj().Exported() && x.packages.Bound(n.Obj()) && !isInterface(n)
}

// method calls method m on s of type t with lowered arguments; spread says that the last one is
// the slice of a variadic parameter.
func (x *body) method(s string, t types.Type, m types.Object, args []string, spread bool) string {
	o, path, _ := types.LookupFieldOrMethod(t, true, m.Pkg(), m.Name())
	f, ok := o.(*types.Func)
	if !ok {
		panic("lower: no method " + m.Name() + " in " + t.String())
	}
	s, rt := x.receiver(s, t, f, path)
	x.noteReflection(f)
	x.risky = true
	if isInterface(rt) {
		sig := x.subst(f.Type()).(*types.Signature)
		return x.dispatcher(f, sig) + "(" + strings.Join(append([]string{s}, args...), ", ") + ")"
	}
	if x.packages.Compiled(f) && !x.isCompleted(rt) {
		out := make([]string, len(args))
		for i, a := range args {
			out[i] = x.toCompiled(a, f.Signature().Params().At(i).Type())
		}
		return x.compiledMethod(s, rt, f, out, spread)
	}
	return x.methodFunction(f, rt, armed) + "(" + strings.Join(append([]string{s}, args...), ", ") + ")"
}

// compiledMethod calls a method of a compiled type with arguments in compiled form.
func (x *body) compiledMethod(s string, rt types.Type, f *types.Func, args []string, spread bool) string {
	if r, ok := x.replacement(f); ok {
		return x.compiledCall("rt."+r, f.Signature(), append([]string{s}, args...), spread)
	}
	return x.compiledCall(s+"."+f.Name(), f.Signature(), args, spread)
}

// isCompleted tells a generic compiled type that has our source form.
func (g *Lowerer) isCompleted(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	return g.canonical(t) != types.Unalias(t)
}

// methodFunction names the lowered function of a concrete method.
func (g *Lowerer) methodFunction(f *types.Func, recv types.Type, r recovery) string {
	if p, ok := types.Unalias(recv).(*types.Pointer); ok {
		recv = p.Elem()
	}
	recv = g.canonical(recv)
	n, ok := types.Unalias(recv).(*types.Named)
	if !ok {
		return g.function(f.Origin(), nil, r)
	}
	if g.packages.Compiled(f) {
		o, _, _ := types.LookupFieldOrMethod(types.NewPointer(n), true, n.Obj().Pkg(), f.Name())
		f = o.(*types.Func)
	}
	var args []types.Type
	for t := range n.TypeArgs().Types() {
		args = append(args, t)
	}
	return g.function(f.Origin(), args, r)
}

// replacement names the runtime's function in place of compiled function f.
func (g *Lowerer) replacement(f *types.Func) (string, bool) {
	r, ok := replaced[f.FullName()]
	return r, ok
}
