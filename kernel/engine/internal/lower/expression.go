package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// expr lowers an expression to text. What must run before goes to lines already written.
func (x *body) expr(e ast.Expr) string {
	if tv, ok := x.constantOf(e); ok {
		if t := x.typeOf(e); isBasic(t) {
			return x.constant(tv.Value, t)
		}
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return x.expr(e.X)
	case *ast.Ident:
		return x.identifier(e)
	case *ast.BasicLit:
		return e.Value
	case *ast.FuncLit:
		return x.made(x.closure(e, ""), x.typeOf(e).(*types.Signature))
	case *ast.CompositeLit:
		return x.composite(e, x.typeOf(e))
	case *ast.SelectorExpr:
		return x.selector(e)
	case *ast.IndexExpr:
		return x.index(e)
	case *ast.IndexListExpr:
		return x.functionValue(e)
	case *ast.SliceExpr:
		return x.slice(e)
	case *ast.StarExpr:
		return x.dereference(e)
	case *ast.UnaryExpr:
		return x.unary(e)
	case *ast.BinaryExpr:
		return x.binary(e)
	case *ast.TypeAssertExpr:
		t := x.typeOf(e)
		if tu, ok := t.(*types.Tuple); ok {
			t = types.Unalias(tu.At(0).Type())
		}
		return x.assertion(x.expr(e.X), x.typeOf(e.X), t, e.Lparen)
	case *ast.CallExpr:
		return x.call(e)
	}
	panic(fmt.Sprintf("lower: expression %T", e))
}

// dereference is *p as a value. The executor does not notice a nil p everywhere.
func (x *body) dereference(e *ast.StarExpr) string {
	p := x.opened(e.X)
	if !simple(p) {
		p = x.keepValue(p, "")
	}
	x.line(fmt.Sprintf("if %s == nil { rt.NilDereference(%d) }", p, e.Star))
	return "(*" + p + ")"
}

func isBasic(t types.Type) bool {
	_, ok := t.Underlying().(*types.Basic)
	return ok
}

// opened is expr of a value used by its structure: a type that contains itself is opened.
func (x *body) opened(e ast.Expr) string {
	s := x.expr(e)
	if t := x.typeOf(e); x.hidden(t) {
		return s + ".(" + x.low(t.Underlying()) + ")"
	}
	return s
}

// conv lowers e as a value of type to.
func (x *body) conv(e ast.Expr, to types.Type) string {
	to = types.Unalias(to)
	from := x.typeOf(e)
	if isNil(from) {
		if isInterface(to) {
			return "rt.Nil()"
		}
		return x.zero(to)
	}
	if tv, ok := x.constantOf(e); ok && !isInterface(to) {
		return x.constant(tv.Value, to)
	}
	return x.convText(x.expr(e), from, to)
}

// convText makes text of a value of type from one of type to.
func (g *Lowerer) convText(s string, from, to types.Type) string {
	from, to = types.Unalias(from), types.Unalias(to)
	if isInterface(to) {
		if isInterface(from) {
			return s
		}
		return g.box(s, from)
	}
	lf, lt := g.low(from), g.low(to)
	if lf == lt {
		return s
	}
	if sig, ok := to.Underlying().(*types.Signature); ok && g.compiledType(to) && !g.compiledType(from) {
		return lt + "(" + g.toCompiled(s, sig) + ")"
	}
	switch {
	case lf == anyText:
		return s + ".(" + lt + ")"
	case lt == anyText:
		return "rt.Any(" + s + ")"
	}
	if _, ok := from.Underlying().(*types.Chan); ok && !g.compiledType(to) {
		return s
	}
	_, structFrom := from.Underlying().(*types.Struct)
	if _, ok := from.Underlying().(*types.Pointer); ok || structFrom && !g.compiledType(from) {
		return "rt.Convert(" + s + ", " + g.zero(to) + ").(" + lt + ")"
	}
	return parenthesized(lt) + "(" + s + ")"
}

// parenthesized makes a type's text fit for a conversion.
func parenthesized(s string) string {
	if strings.HasPrefix(s, "*") || strings.HasPrefix(s, "chan") || strings.HasPrefix(s, "<-") || strings.HasPrefix(s, "func") {
		return "(" + s + ")"
	}
	return s
}

// box makes a value of non-interface type t what an interface holds.
func (g *Lowerer) box(s string, t types.Type) string {
	t = defaultType(t)
	g.inInterface(t)
	if g.selfEvident(t) {
		return "rt.Any(" + s + ")"
	}
	return fmt.Sprintf("rt.Box(%d, %s)", g.typeID(t), s)
}

// assertion is x.(T).
func (x *body) assertion(s string, from, t types.Type, pos token.Pos) string {
	if isInterface(t) {
		return fmt.Sprintf("rt.As(%d, %s, %d, %d)", pos, s, x.typeID(t), x.typeID(from))
	}
	held, v, ok := x.tested(s, t)
	x.line(fmt.Sprintf("if !%s { rt.NotA(%d, %s, %d, %d) }", ok, pos, held, x.typeID(t), x.typeID(from)))
	return v
}

func (x *body) identifier(id *ast.Ident) string {
	switch o := x.objectOf(id).(type) {
	case *types.Nil:
		return "nil"
	case *types.Var:
		return x.variable(o)
	case *types.Func:
		return x.functionValue(id)
	case nil:
		if id.Name == "_" {
			return "_"
		}
	}
	panic("lower: identifier " + id.Name)
}

// callee names the declared function that e denotes, with its type arguments.
func (x *body) callee(e ast.Expr, recovering recovery) (string, *types.Func) {
	var id *ast.Ident
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		id = e
	case *ast.SelectorExpr:
		id = e.Sel
	case *ast.IndexExpr:
		return x.callee(e.X, recovering)
	case *ast.IndexListExpr:
		return x.callee(e.X, recovering)
	}
	f := x.objectOf(id).(*types.Func)
	var args []types.Type
	if in, ok := x.info.Instances[id]; ok {
		for t := range in.TypeArgs.Types() {
			args = append(args, x.subst(t))
		}
	}
	if !x.packages.Compiled(f) {
		return x.function(f, args, recovering), f
	}
	if len(args) > 0 {
		return x.function(x.completed(f, id.Pos()), args, never), nil
	}
	return x.compiledFunction(f, id.Pos()), f
}

// completed is our source form of generic compiled function f.
func (g *Lowerer) completed(f *types.Func, pos token.Pos) *types.Func {
	o, ok := g.packages.Generic(f).(*types.Func)
	g.takeSources()
	if !ok {
		g.limit(pos, "generic function %s.%s is not available in cells", f.Pkg().Name(), f.Name())
	}
	return o
}

func (g *Lowerer) compiledFunction(f *types.Func, pos token.Pos) string {
	if r, ok := g.replacement(f); ok {
		return "rt." + r
	}
	if !g.packages.Bound(f) {
		g.limit(pos, "%s.%s is not available in cells", f.Pkg().Name(), f.Name())
	}
	return g.packageName(f.Pkg()) + "." + f.Name()
}

// functionValue is a declared function used as a value.
func (x *body) functionValue(e ast.Expr) string {
	n, f := x.callee(e, armed)
	if f != nil && x.packages.Compiled(f) {
		return x.fromCompiled(n, f.Signature())
	}
	return x.value(n, x.typeOf(e).(*types.Signature))
}

// value names the variable that holds declared function n as a value.
func (g *Lowerer) value(n string, sig *types.Signature) string {
	if v, ok := g.values[n]; ok {
		return v
	}
	v := g.name("V") + n[strings.IndexByte(n, '_'):]
	keep(g, g.values, n, v)
	g.out.vars = append(g.out.vars, "var "+v+" func"+g.signature(sig))
	ps, as := g.parameters(sig)
	t := g.name("t") // a literal assigned directly would give the variable a new place
	g.out.setup = append(g.out.setup, t+" := "+g.literal(ps, sig, n+"("+strings.Join(as, ", ")+")"), v+" = "+t)
	return v
}

func (x *body) unary(e *ast.UnaryExpr) string {
	switch e.Op {
	case token.AND:
		return x.address(e)
	case token.ARROW:
		x.risky = true
		return "(<-" + x.opened(e.X) + ")"
	case token.ADD:
		return x.expr(e.X)
	}
	return "(" + e.Op.String() + x.expr(e.X) + ")"
}

// address is &x.
func (x *body) address(e *ast.UnaryExpr) string {
	switch y := ast.Unparen(e.X).(type) {
	case *ast.CompositeLit:
		return x.addressOf(x.composite(y, x.typeOf(y)), x.typeOf(y))
	case *ast.StarExpr:
		p := x.opened(y.X)
		if simple(p) {
			x.line(fmt.Sprintf("if %s == nil { rt.NilDereference(%d) }", p, y.Pos()))
		}
		return p
	}
	p := x.place(e.X)
	if pointer, ok := strings.CutPrefix(p, "(*cv."); ok && strings.HasSuffix(pointer, "())") && strings.Count(pointer, "(") == 1 {
		if types.IsInterface(x.typeOf(e.X)) {
			x.limit(e.Pos(), "the address of a compiled package's variable of an interface type cannot be taken; assign to the variable by its name")
		}
		return "cv." + strings.TrimSuffix(pointer, ")") // a variable of a bound package: its pointer is at hand
	}
	return "(&" + p + ")"
}

// addressOf is the address of a new variable that holds the value s.
func (x *body) addressOf(s string, t types.Type) string {
	if _, ok := t.Underlying().(*types.Struct); ok && strings.HasSuffix(s, "}") {
		return "&" + s
	}
	return fmt.Sprintf("func() *%s { v := %s; return &v }()", x.low(t), s)
}

// simple tells text that can be repeated: a name, a literal, or fields of a name.
func simple(s string) bool {
	for _, r := range s {
		if r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') {
			return false
		}
	}
	return s != ""
}

// hasEffects tells whether evaluating e can change something or depend on when it happens.
func (x *body) hasEffects(e ast.Node) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if tv, ok := x.info.Types[n]; ok && tv.Value != nil {
				return false
			}
			if tv, ok := x.info.Types[n.Fun]; ok && tv.IsType() {
				return true
			}
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
				if b, ok := x.objectOf(id).(*types.Builtin); ok && pureBuiltins[b.Name()] {
					return true
				}
			}
			found = true
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

var pureBuiltins = map[string]bool{"len": true, "cap": true, "min": true, "max": true, "real": true, "imag": true, "complex": true, "new": true, "make": true}

// operand is one of several values that Go evaluates from left to right.
type operand struct {
	lower   func() string
	effects bool
	low     string // text of its type, "" to let the executor infer it
}

// ordered lowers operands so that what one writes before the statement does not overtake an
// effect of another: where needed an earlier value goes to a temporary.
func (x *body) ordered(ops []operand) []string {
	texts := make([]string, len(ops))
	lines := make([]string, len(ops))
	last := -1
	for i, o := range ops {
		lines[i] = x.inner(func() { texts[i] = o.lower() })
		if lines[i] != "" {
			last = i
		}
	}
	for i, o := range ops {
		x.b.WriteString(lines[i])
		if i < last && o.effects && !simple(texts[i]) {
			texts[i] = x.keepValue(texts[i], o.low)
		}
	}
	return texts
}

// pair is ordered for two expressions.
func (x *body) pair(a, b ast.Expr, lowA, lowB func() string) (string, string) {
	s := x.ordered([]operand{{lowA, x.hasEffects(a), ""}, {lowB, x.hasEffects(b), ""}})
	return s[0], s[1]
}
