package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strings"
)

// body is the state of lowering one function. The closures inside share names with it.
type body struct {
	*Lowerer
	info  *types.Info
	env   *environment
	b     *strings.Builder
	names map[types.Object]string

	sig      *types.Signature
	results  []string              // variables of the results, where return must assign them
	defers   string                // the list of deferred calls, "" when the function has none
	recover  string                // what recover() calls
	entry    string                // where the position of the call is kept, "" when nothing asks for it
	yield    *yield                // the range-over-func body being lowered
	known    map[types.Object]bool // pointers that are not nil
	shared   map[types.Object]bool // variables that closures may change
	gotos    map[string]bool
	before   *strings.Builder      // declarations that go before the outermost loop, nil outside loops
	escaping map[types.Object]bool // variables that something may hold on to
	top      bool                  // the top level of a cell
	risky    bool                  // what was just lowered may panic without telling where
	marked   token.Pos
}

func (g *Lowerer) newBody(info *types.Info) *body {
	return &body{
		Lowerer: g, info: info, b: &strings.Builder{}, names: map[types.Object]string{},
		sig: types.NewSignatureType(nil, nil, nil, nil, nil, false), recover: "rt.RecoverAny()",
		known: map[types.Object]bool{}, gotos: map[string]bool{},
	}
}

func (x *body) line(s string) {
	x.b.WriteString(s)
	x.b.WriteByte('\n')
}

// inner collects the lines that f writes.
func (x *body) inner(f func()) string {
	save := x.b
	x.b = &strings.Builder{}
	f()
	s := x.b.String()
	x.b = save
	return s
}

func (x *body) tmp() string { return x.name("t") }

// keepValue puts a value of lowered type low into a new temporary.
func (x *body) keepValue(text, low string) string {
	text = x.copied(text)
	t := x.tmp()
	if low == "" {
		x.line(t + " := " + text)
	} else {
		x.line("var " + t + " " + low + " = " + text)
	}
	return t
}

// subst replaces type parameters.
func (x *body) subst(t types.Type) types.Type {
	if x.env == nil {
		return types.Unalias(t)
	}
	return types.Unalias(x.env.subst(t))
}

// typeOf is the type of an expression of this function instance.
func (x *body) typeOf(e ast.Expr) types.Type {
	t := x.info.TypeOf(e)
	if t == nil {
		if id, ok := e.(*ast.Ident); ok {
			if o := x.objectOf(id); o != nil {
				t = o.Type()
			}
		}
	}
	if t == nil {
		return types.Typ[types.Invalid]
	}
	return x.subst(t)
}

func (x *body) objectOf(id *ast.Ident) types.Object {
	if o := x.info.Defs[id]; o != nil {
		return o
	}
	return x.info.Uses[id]
}

func (x *body) constantOf(e ast.Expr) (types.TypeAndValue, bool) {
	tv, ok := x.info.Types[e]
	return tv, ok && tv.Value != nil
}

// mark lowers by f; when that may panic, the position goes before it.
func (x *body) mark(pos token.Pos, f func()) {
	before := x.risky
	x.risky = false
	s := x.inner(f)
	if x.risky && pos.IsValid() && x.marked != pos {
		x.line(fmt.Sprintf("at = %d", pos))
		x.marked = pos
	}
	x.b.WriteString(s)
	x.risky = before
}

// forget drops what is known of the last mark, where control may come from elsewhere.
func (x *body) forget() { x.marked = token.NoPos }

// function names the lowered function for f with type arguments, and queues its body when new.
func (g *Lowerer) function(f *types.Func, args []types.Type, r recovery) string {
	if d, ok := g.declarations[f]; ok && (d.node.Body == nil || !callsRecover(d.node.Body)) {
		r = never
	}
	var k strings.Builder
	fmt.Fprintf(&k, "%p %d", f, r)
	for _, a := range args {
		fmt.Fprintf(&k, ",%d", g.types.Number(g.canonical(a)))
	}
	if n, ok := g.instances[k.String()]; ok {
		return n
	}
	name := g.name("f") + "_" + clean(f.Name())
	keep(g, g.instances, k.String(), name)
	g.lowered[f] = append(g.lowered[f], k.String())
	g.queue = append(g.queue, func() { g.emit(f, name, args, r) })
	return name
}

func (g *Lowerer) emit(f *types.Func, name string, args []types.Type, r recovery) {
	d, ok := g.declarations[f]
	if !ok {
		g.limit(f.Pos(), "%s is not available in cells", f.FullName())
	}
	x := g.newBody(d.info)
	sig := f.Signature()
	parameters := sig.TypeParams()
	if sig.Recv() != nil {
		parameters = sig.RecvTypeParams()
	}
	if len(args) > 0 {
		x.env = &environment{g: g, params: map[*types.TypeParam]types.Type{}, local: map[*types.Named]*types.Named{}, fn: f}
		for i := range parameters.Len() {
			x.env.params[parameters.At(i)] = args[i]
		}
	}
	if d.node.Body == nil {
		g.limit(d.node.Pos(), "function %s has no body", f.Name())
	}
	extra := ""
	switch r {
	case never:
		x.recover = "rt.Nil()"
	case listed:
		extra = x.name("d")
		x.recover = extra + ".Recover()"
		extra += " *rt.Defers"
	}
	x.shared = sharedVariables(d.node.Body, d.info)
	x.escaping = escapingVariables(d.node.Body, d.info)
	text := x.functionText(sig, sig.Recv(), d.node.Body, extra)
	g.out.funcs = append(g.out.funcs, "func "+name+text)
}

// closure lowers a function literal; recovering names the list that will run it directly, if any.
func (x *body) closure(e *ast.FuncLit, recovering string) string {
	y := *x
	y.b, y.yield, y.known, y.recover = &strings.Builder{}, nil, map[types.Object]bool{}, "rt.RecoverAny()"
	y.risky, y.marked, y.top, y.before = false, token.NoPos, false, nil
	switch recovering {
	case "":
	case notDeferred:
		y.recover = "rt.Nil()"
	default:
		y.recover = recovering + ".Recover()"
	}
	return "func" + y.functionText(x.info.TypeOf(e).(*types.Signature), nil, e.Body, "")
}

// functionText renders parameters, results and body. extra is a hidden first parameter.
func (x *body) functionText(original *types.Signature, recv *types.Var, block *ast.BlockStmt, extra string) string {
	sig, _ := x.subst(types.NewSignatureType(nil, nil, nil, original.Params(), original.Results(), original.Variadic())).(*types.Signature)
	x.sig, x.results, x.defers = sig, nil, ""
	x.gotos = gotoTargets(block)
	var ps []string
	if extra != "" {
		ps = append(ps, extra)
	}
	if recv != nil {
		ps = append(ps, x.declare(recv)+" "+x.low(x.subst(recv.Type())))
	}
	for i := range original.Params().Len() {
		ps = append(ps, x.declare(original.Params().At(i))+" "+x.low(sig.Params().At(i).Type()))
	}
	x.entry = ""
	if asksForCaller(block) {
		x.entry = x.keepValue("at", "int")
	}
	deferring := hasDefer(block)
	named := original.Results().Len() > 0 && original.Results().At(0).Name() != ""
	if named || deferring {
		for i := range original.Results().Len() {
			n := x.declare(original.Results().At(i))
			t := sig.Results().At(i).Type()
			x.results = append(x.results, n)
			x.line("var " + n + " " + x.low(t) + " = " + x.zero(t))
		}
	}
	if deferring {
		x.defers = x.name("d")
		x.line("rt.Run(func(" + x.defers + " *rt.Defers) {")
		x.statements(block.List)
		x.line(fmt.Sprintf("at = %d", block.Rbrace)) // where deferred functions say that they were called
		x.line("})")
	} else {
		x.statements(block.List)
	}
	if len(x.results) > 0 {
		x.line("return " + strings.Join(x.results, ", "))
	}
	return "(" + strings.Join(ps, ", ") + ")" + x.Lowerer.results(sig) + " {\n" + x.b.String() + "}"
}

// entered is the position at which this function was called.
func (x *body) entered() string {
	if x.entry == "" {
		return "at"
	}
	return x.entry
}

// asksForCaller tells a function that calls runtime.Caller.
func asksForCaller(block *ast.BlockStmt) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && s.Sel.Name == "Caller" {
			found = true
		}
		return !found
	})
	return found
}

// hasDefer tells whether a function body defers, closures in it apart.
func hasDefer(block *ast.BlockStmt) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			found = true
		}
		return !found
	})
	return found
}

func gotoTargets(block *ast.BlockStmt) map[string]bool {
	m := map[string]bool{}
	ast.Inspect(block, func(n ast.Node) bool {
		if b, ok := n.(*ast.BranchStmt); ok && b.Tok == token.GOTO {
			m[b.Label.Name] = true
		}
		return true
	})
	return m
}

// declare names a local variable.
func (x *body) declare(o types.Object) string {
	n := x.name(clean(o.Name()) + "_")
	if o.Name() == "_" || o.Name() == "" {
		n = x.name("u")
	}
	x.names[o] = n
	return n
}

// variable gives the text of a variable.
func (x *body) variable(o *types.Var) string {
	if n, ok := x.names[o]; ok {
		return n
	}
	if n, ok := x.globals[o]; ok {
		return x.usedGlobal(n)
	}
	if o.Pkg() != nil && o.Parent() == o.Pkg().Scope() && x.packages.Compiled(o) {
		if !x.packages.Bound(o) {
			x.limit(o.Pos(), "variable %s.%s is not available in cells", o.Pkg().Name(), o.Name())
		}
		return x.compiledVariable(o)
	}
	if x.isGlobal(o) {
		return x.usedGlobal(x.global(o))
	}
	return x.declare(o)
}

// usedGlobal notes that a function uses a global variable, which then cannot be released.
func (x *body) usedGlobal(storage string) string {
	if !x.top {
		x.Lowerer.held[storage] = true
	}
	return storage
}

// compiledVariable is a variable of a bound package. The executor takes one of a basic type for a
// constant, so it is reached by a pointer.
func (g *Lowerer) compiledVariable(o *types.Var) string {
	if _, ok := o.Type().Underlying().(*types.Basic); ok {
		return g.compiledPlace(o)
	}
	return g.packageName(o.Pkg()) + "." + o.Name()
}

// compiledPlace is a variable of a bound package to be assigned: by its name the executor would
// assign to a copy.
func (g *Lowerer) compiledPlace(o *types.Var) string {
	v := g.packages.Value(o)
	if !v.CanAddr() {
		return g.packageName(o.Pkg()) + "." + o.Name()
	}
	key := "*" + o.Pkg().Path() + "." + o.Name()
	n, ok := g.converters[key]
	if !ok {
		n = fmt.Sprintf("C%d", len(g.converters))
		p := v.Addr()
		g.bind(n, reflect.MakeFunc(reflect.FuncOf(nil, []reflect.Type{p.Type()}, false), func([]reflect.Value) []reflect.Value { return []reflect.Value{p} }))
		g.converters[key] = n
	}
	return "(*cv." + n + "())"
}

func (g *Lowerer) isGlobal(o *types.Var) bool {
	return g.TopLevel[o] || o.Pkg() != nil && o.Parent() == o.Pkg().Scope()
}

// global gives variable o its storage.
func (g *Lowerer) global(o *types.Var) string {
	n := g.name("G") + "_" + clean(o.Name())
	keep(g, g.globals, types.Object(o), n)
	g.out.vars = append(g.out.vars, "var "+n+" "+g.low(o.Type()))
	if g.hidden(o.Type()) {
		g.out.setup = append(g.out.setup, n+" = "+g.zero(o.Type()))
	}
	return n
}
