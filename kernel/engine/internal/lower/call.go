package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/types"
	"strings"
)

// callForm is a call taken apart: the text of the function, and its arguments still to be lowered.
type callForm struct {
	function string           // text before the arguments
	first    []operand        // the receiver where it is an argument
	sig      *types.Signature // of the parameters that follow
	compiled bool
	declared *types.Func
	receiver types.Type // of first, where a method is called
	finish   func(args []string) string
}

// call lowers a call with at most one result, or a conversion.
func (x *body) call(e *ast.CallExpr) string {
	fun := ast.Unparen(e.Fun)
	if tv := x.info.Types[fun]; tv.IsType() {
		return x.conversion(e.Args[0], x.typeOf(fun), e)
	}
	if b := x.builtinOf(fun); b != "" {
		return x.builtin(b, e)
	}
	f := x.calling(e, fun, never)
	return f.finish(x.arguments(e, f))
}

// builtinOf names the builtin that fun is, "" for others.
func (x *body) builtinOf(fun ast.Expr) string {
	switch f := fun.(type) {
	case *ast.Ident:
		if b, ok := x.objectOf(f).(*types.Builtin); ok {
			return b.Name()
		}
	case *ast.SelectorExpr:
		if b, ok := x.objectOf(f.Sel).(*types.Builtin); ok {
			return b.Name()
		}
	}
	return ""
}

// declaredFunction finds the declared function that a call names.
func (x *body) declaredFunction(fun ast.Expr) (*types.Func, *types.Selection) {
	switch f := ast.Unparen(fun).(type) {
	case *ast.Ident:
		o, _ := x.objectOf(f).(*types.Func)
		return o, nil
	case *ast.SelectorExpr:
		o, _ := x.objectOf(f.Sel).(*types.Func)
		return o, x.info.Selections[f]
	case *ast.IndexExpr:
		return x.declaredFunction(f.X)
	case *ast.IndexListExpr:
		return x.declaredFunction(f.X)
	}
	return nil, nil
}

// calling takes a call apart. recovering asks for the form of the function that can recover for a
// list of deferred calls, whose name is then the first argument.
func (x *body) calling(e *ast.CallExpr, fun ast.Expr, recovering recovery) callForm {
	sig, ok := x.typeOf(fun).Underlying().(*types.Signature)
	if !ok {
		panic("lower: call of " + x.typeOf(fun).String())
	}
	f, sel := x.declaredFunction(fun)
	switch {
	case f != nil && sel == nil:
		return x.callingDeclared(e, fun, sig, recovering)
	case f != nil && sel.Kind() == types.MethodVal:
		return x.callingMethod(e, fun.(*ast.SelectorExpr), sel, f, sig, recovering)
	}
	return x.callingValue(e, fun, sig)
}

func (x *body) callingDeclared(e *ast.CallExpr, fun ast.Expr, sig *types.Signature, recovering recovery) callForm {
	name, declared := x.callee(fun, recovering)
	c := callForm{function: name, sig: sig, declared: declared}
	if declared == nil || x.packages.Compiled(declared) || x.declarations[declared].asksForCaller {
		x.risky = true
	}
	if declared != nil && x.packages.Compiled(declared) {
		x.noteReflection(declared)
		if declared.FullName() == "errors.As" {
			c.declared = nil
			c.finish = func(args []string) string {
				return fmt.Sprintf("rt.ErrorsAs(%d, %s)", e.Pos(), strings.Join(args, ", "))
			}
			return c
		}
		c.compiled = true
		if name == "rt.Caller" {
			name = fmt.Sprintf("rt.Caller(%d, %s, ", e.Pos(), x.entered())
			c.finish = func(args []string) string { return name + args[0] + ")" }
			return c
		}
		c.finish = func(args []string) string { return x.compiledCall(name, sig, args, e.Ellipsis.IsValid()) }
		return c
	}
	if recovering == listed {
		name += "(" + x.defers
		c.finish = func(args []string) string { return name + strings.Join(append([]string{""}, args...), ", ") + ")" }
		return c
	}
	c.finish = func(args []string) string { return name + "(" + strings.Join(args, ", ") + ")" }
	return c
}

func (x *body) callingMethod(e *ast.CallExpr, fun *ast.SelectorExpr, sel *types.Selection, f *types.Func, sig *types.Signature, recovering recovery) callForm {
	t := x.subst(sel.Recv())
	o, path, _ := types.LookupFieldOrMethod(t, true, f.Pkg(), f.Name())
	m := o.(*types.Func)
	c := callForm{sig: sig}
	var rt types.Type
	c.first = []operand{{func() string {
		s := x.opened(fun.X)
		if len(path) > 1 || !isInterface(t) {
			s, rt = x.receiver(s, t, m, path)
		} else {
			rt = t
		}
		return s
	}, x.hasEffects(fun.X), ""}}
	_, rt = x.probe(func() (string, types.Type) { return x.receiver("x", t, m, path) })
	c.receiver = rt
	if isInterface(rt) || x.packages.Compiled(m) || x.declarations[m.Origin()].asksForCaller {
		x.risky = true
	}
	x.noteReflection(f)
	if !isInterface(rt) && x.packages.Compiled(m) && !x.isCompleted(rt) {
		c.compiled, c.declared = true, m
		c.finish = func(args []string) string {
			return x.compiledMethod(args[0], rt, m, args[1:], e.Ellipsis.IsValid())
		}
		return c
	}
	c.finish = func(args []string) string {
		if recovering == listed && !isInterface(rt) {
			return x.methodFunction(m, rt, listed) + "(" + strings.Join(append([]string{x.defers}, args...), ", ") + ")"
		}
		if isInterface(rt) {
			return x.dispatcher(m, x.subst(m.Type()).(*types.Signature)) + "(" + strings.Join(args, ", ") + ")"
		}
		return x.methodFunction(m, rt, never) + "(" + strings.Join(args, ", ") + ")"
	}
	return c
}

// noteReflection notes what package reflect is asked for: it may bring any part of a value into an
// interface, and call methods by name or number.
func (g *Lowerer) noteReflection(f types.Object) {
	if f.Name() == "Method" || f.Name() == "MethodByName" || f.Name() == "Methods" {
		g.allMethods = true
	}
	if f.Pkg() != nil && f.Pkg().Path() == "reflect" {
		g.reflects = true
	}
}

// probe runs f without keeping the lines or marks it makes.
func (x *body) probe(f func() (string, types.Type)) (s string, t types.Type) {
	risky := x.risky
	x.inner(func() { s, t = f() })
	x.risky = risky
	return
}

func (x *body) callingValue(e *ast.CallExpr, fun ast.Expr, sig *types.Signature) callForm {
	x.risky = true
	c := callForm{sig: sig}
	if x.compiledType(x.typeOf(fun)) && !x.exact(sig) {
		c.compiled = true
	}
	c.first = []operand{{func() string {
		if lit, ok := fun.(*ast.FuncLit); ok {
			return x.closure(lit, notDeferred)
		}
		s := x.opened(fun)
		if !simple(s) {
			s = x.keepValue(s, "") // the executor loses count of chained calls
		}
		return s
	}, x.hasEffects(fun), ""}}
	c.finish = func(args []string) string {
		if c.compiled {
			return x.compiledCall(args[0], sig, args[1:], e.Ellipsis.IsValid())
		}
		return args[0] + "(" + strings.Join(args[1:], ", ") + ")"
	}
	return c
}

// arguments lowers a call's receiver and arguments to the parameter types.
func (x *body) arguments(e *ast.CallExpr, c callForm) []string {
	n := c.sig.Params().Len()
	ellipsis := e.Ellipsis.IsValid()
	parameter := func(i int) types.Type {
		if c.sig.Variadic() && i >= n-1 && !ellipsis {
			return types.Unalias(types.Unalias(c.sig.Params().At(n - 1).Type()).Underlying().(*types.Slice).Elem())
		}
		return types.Unalias(c.sig.Params().At(i).Type())
	}
	var args []string
	if len(e.Args) == 1 {
		if tu, ok := x.typeOf(e.Args[0]).(*types.Tuple); ok {
			args = x.ordered(c.first)
			for i, o := range c.first {
				if o.effects && !simple(args[i]) {
					args[i] = x.keepValue(args[i], "")
				}
			}
			for i, s := range x.spread(e.Args[0], tu) {
				args = append(args, x.convText(s, tu.At(i).Type(), parameter(i)))
			}
			return x.passed(args, len(c.first), c, ellipsis, parameter)
		}
	}
	ops := c.first
	for i, a := range e.Args {
		ops = append(ops, operand{func() string { return x.argument(a, parameter(i), ellipsis && i == n-1) }, x.hasEffects(a), x.low(parameter(i))})
	}
	return x.passed(x.ordered(ops), len(c.first), c, ellipsis, parameter)
}

func (x *body) argument(a ast.Expr, t types.Type, spread bool) string {
	if b, ok := x.typeOf(a).Underlying().(*types.Basic); ok && spread && b.Info()&types.IsString != 0 {
		return "[]byte(" + x.expr(a) + ")"
	}
	return x.conv(a, t)
}

// passed brings lowered arguments into the form that the callee takes.
func (x *body) passed(args []string, first int, c callForm, ellipsis bool, parameter func(int) types.Type) []string {
	if c.compiled {
		m := modeOf(c.declared)
		if c.declared != nil {
			if _, ok := x.replacement(c.declared); ok {
				m = keptMode
			}
		}
		for i := first; i < len(args); i++ {
			args[i] = x.toCompiledAs(args[i], parameter(i-first), m)
			if strings.HasPrefix(args[i], "func(") {
				args[i] = x.closureValue(args[i])
			}
		}
		return args
	}
	n := c.sig.Params().Len()
	if !c.sig.Variadic() || ellipsis {
		return args
	}
	rest := args[first+n-1:]
	st := types.Unalias(c.sig.Params().At(n - 1).Type())
	s := x.zero(st)
	if len(rest) > 0 {
		s = x.low(st) + "{" + strings.Join(rest, ", ") + "}"
	}
	return append(args[:first+n-1:first+n-1], s)
}

// closureValue puts a function literal into a temporary. One given directly to compiled code would
// share the variables of its frame with later iterations of a loop.
func (x *body) closureValue(text string) string { return x.keepValue(text, "") }

// compiledCall calls compiled code with arguments in its form.
func (g *Lowerer) compiledCall(name string, sig *types.Signature, args []string, spread bool) string {
	if spread && len(args) > 0 {
		args[len(args)-1] += "..."
	}
	c := name + "(" + strings.Join(args, ", ") + ")"
	if sig.Results().Len() == 1 {
		return g.fromCompiled(c, sig.Results().At(0).Type())
	}
	return c
}

// spread evaluates an expression of several values into temporaries.
func (x *body) spread(e ast.Expr, tu *types.Tuple) []string {
	var ts []string
	for range tu.Len() {
		ts = append(ts, x.tmp())
	}
	call := ast.Unparen(e).(*ast.CallExpr)
	c := x.calling(call, ast.Unparen(call.Fun), never)
	args := x.arguments(call, c)
	x.line(strings.Join(ts, ", ") + " := " + c.finish(args))
	if c.compiled {
		for i, t := range ts {
			ts[i] = x.fromCompiled(t, tu.At(i).Type())
		}
	}
	return ts
}

// conversion lowers T(e).
func (x *body) conversion(e ast.Expr, to types.Type, at ast.Node) string {
	from := x.typeOf(e)
	if isNil(from) {
		return x.conv(e, to)
	}
	if tv, ok := x.constantOf(e); ok && !isInterface(to) {
		if b, ok := to.Underlying().(*types.Basic); ok {
			if b.Info()&types.IsString != 0 && tv.Value.Kind() == constant.Int {
				return x.typed("rt.RuneString(int64("+tv.Value.ExactString()+"))", x.low(to), "string")
			}
			if b.Info()&types.IsConstType != 0 {
				return x.constant(tv.Value, to)
			}
		}
	}
	s := x.expr(e)
	from = defaultType(from)
	if isInterface(to) {
		return x.convText(s, from, to)
	}
	low := x.low(to)
	if low == x.low(from) {
		return s
	}
	switch u := to.Underlying().(type) {
	case *types.Basic:
		if b, ok := from.Underlying().(*types.Basic); ok && u.Info()&types.IsString != 0 && b.Info()&types.IsInteger != 0 {
			if b.Info()&types.IsUnsigned != 0 {
				return x.typed("rt.RuneString(int64(rt.UnsignedIndex(uint64("+s+"))))", low, "string")
			}
			return x.typed("rt.RuneString(int64("+s+"))", low, "string")
		}
	case *types.Array, *types.Pointer:
		if _, ok := from.Underlying().(*types.Slice); ok {
			return fmt.Sprintf("rt.SliceToArray(%d, %s, %d).(%s)", at.Pos(), s, x.typeID(to), low)
		}
	}
	return x.convText(s, from, to)
}
