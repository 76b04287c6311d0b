package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

func (x *body) statements(l []ast.Stmt) {
	for _, s := range l {
		x.statement(s)
	}
}

func (x *body) block(l []ast.Stmt) {
	x.forget()
	x.line("{")
	x.statements(l)
	x.line("}")
	x.forget()
}

// statement lowers one statement. Simple ones are marked with their position as a whole, the
// others mark their parts.
func (x *body) statement(s ast.Stmt) {
	switch s := s.(type) {
	case *ast.EmptyStmt:
	case *ast.BlockStmt:
		x.block(s.List)
	case *ast.ExprStmt:
		x.mark(s.Pos(), func() { x.expressionStatement(s.X) })
		x.afterCall(s.X)
	case *ast.AssignStmt:
		x.mark(s.Pos(), func() { x.assignment(s) })
		x.afterCall(s.Rhs...)
	case *ast.IncDecStmt:
		x.mark(s.Pos(), func() { x.operate(s.X, s.Tok.String()[:1], nil, func() string { return x.one(x.typeOf(s.X)) }) })
	case *ast.DeclStmt:
		x.mark(s.Pos(), func() { x.declaration(s.Decl.(*ast.GenDecl)) })
		x.forget()
	case *ast.ReturnStmt:
		x.mark(s.Pos(), func() { x.returning(s) })
	case *ast.IfStmt:
		x.ifStatement(s)
	case *ast.ForStmt:
		x.looping(func() { x.forStatement(s, "") })
	case *ast.RangeStmt:
		x.looping(func() { x.rangeStatement(s, "") })
	case *ast.SwitchStmt:
		x.switchStatement(s, "")
	case *ast.TypeSwitchStmt:
		x.typeSwitch(s, "")
	case *ast.SelectStmt:
		x.selectStatement(s, "")
	case *ast.LabeledStmt:
		x.labeled(s)
	case *ast.BranchStmt:
		x.branch(s)
	case *ast.GoStmt:
		x.mark(s.Pos(), func() { x.goStatement(s.Call) })
	case *ast.DeferStmt:
		x.mark(s.Pos(), func() { x.deferStatement(s.Call) })
	case *ast.SendStmt:
		x.mark(s.Pos(), func() { x.send(s) })
	default:
		panic(fmt.Sprintf("lower: statement %T", s))
	}
}

// afterCall forgets the mark when interpreted code that has marks of its own may have run.
func (x *body) afterCall(es ...ast.Expr) {
	for _, e := range es {
		if x.hasEffects(e) {
			x.forget()
		}
	}
}

// one is the value that ++ adds.
func (x *body) one(t types.Type) string {
	if b, ok := t.Underlying().(*types.Basic); ok {
		switch b.Kind() {
		case types.Complex64:
			return x.typed("rt.Complex64(1, 0)", x.low(t), "complex64")
		case types.Complex128:
			return x.typed("rt.Complex128(1, 0)", x.low(t), "complex128")
		}
	}
	return x.typed("1", x.low(t), "int")
}

func (x *body) expressionStatement(e ast.Expr) {
	e = ast.Unparen(e)
	switch c := e.(type) {
	case *ast.CallExpr:
		fun := ast.Unparen(c.Fun)
		if tv := x.info.Types[fun]; tv.IsType() {
			x.discard(e)
			return
		}
		if b := x.builtinOf(fun); b != "" {
			s := x.builtin(b, c)
			if s != "" && !simple(s) {
				x.line(s)
			}
			return
		}
		s := x.call(c)
		if inner, ok := strings.CutPrefix(s, "rt.In("); ok { // the value is not wanted
			s = inner[:len(inner)-1]
		}
		if s != "" && !simple(s) {
			if _, ok := x.typeOf(c).(*types.Signature); ok { // may be a literal around the call
				s = "rt.Use(" + s + ")"
			}
			x.line(s)
		}
	case *ast.UnaryExpr:
		x.line(x.expr(e))
	default:
		x.discard(e)
	}
}

func (x *body) send(s *ast.SendStmt) {
	el := elem(x.typeOf(s.Chan))
	// The value is a copy: a send that waits reads it only when the receiver has gone on, who may change the variable.
	c, v := x.pair(s.Chan, s.Value, func() string { return x.opened(s.Chan) }, func() string { return x.keepValue(x.conv(s.Value, el), x.low(el)) })
	x.risky = true
	x.line(c + " <- " + v)
}

func (x *body) returning(s *ast.ReturnStmt) {
	rs := x.sig.Results()
	if len(s.Results) == 0 {
		x.markReturn(s)
		x.leave()
		return
	}
	vs := x.returned(s.Results, rs)
	if len(x.results) == 0 && x.yield == nil {
		x.line("return " + strings.Join(vs, ", "))
		return
	}
	if len(vs) > 1 {
		for i, v := range vs {
			vs[i] = x.keepValue(v, x.low(rs.At(i).Type()))
		}
	}
	for i, v := range vs {
		x.line(x.resultVariables()[i] + " = " + v)
	}
	x.markReturn(s)
	x.leave()
}

// markReturn notes where a function returns that has deferred calls: they can ask for it.
func (x *body) markReturn(s *ast.ReturnStmt) {
	if x.defers != "" {
		x.line(fmt.Sprintf("at = %d", s.Pos()))
	}
}

// resultVariables are the variables that a return assigns.
func (x *body) resultVariables() []string {
	if x.yield != nil {
		return x.yield.results
	}
	return x.results
}

// leave ends the function after its results are assigned.
func (x *body) leave() {
	switch {
	case x.yield != nil:
		x.line(x.yield.state + " = 1")
		x.line(x.yield.exit())
	case x.defers != "" || len(x.results) == 0:
		if len(x.gotos) > 0 { // the executor can die of a return to which several jumps lead
			x.line("rt.Nop()")
		}
		x.line("return")
	default:
		x.line("return " + strings.Join(x.results, ", "))
	}
}

func (x *body) returned(es []ast.Expr, rs *types.Tuple) (vs []string) {
	if len(es) == 1 && rs.Len() > 1 {
		tu := x.typeOf(es[0]).(*types.Tuple)
		for i, v := range x.spread(es[0], tu) {
			vs = append(vs, x.convText(v, tu.At(i).Type(), rs.At(i).Type()))
		}
		return
	}
	var ops []operand
	for i, e := range es {
		t := rs.At(i).Type()
		ops = append(ops, operand{func() string { return x.conv(e, t) }, x.hasEffects(e), x.low(t)})
	}
	return x.ordered(ops)
}

func (x *body) ifStatement(s *ast.IfStmt) {
	x.line("{")
	if s.Init != nil {
		x.statement(s.Init)
	}
	cond := ""
	x.mark(s.Cond.Pos(), func() { cond = bare(x.expr(s.Cond)) })
	x.afterCall(s.Cond)
	x.line("if " + cond + " {")
	marked := x.marked
	x.statements(s.Body.List)
	if s.Else != nil {
		x.marked = marked
		x.line("} else {")
		if b, ok := s.Else.(*ast.BlockStmt); ok {
			x.statements(b.List)
		} else {
			x.statement(s.Else)
		}
	}
	x.line("}")
	x.line("}")
	x.forget()
}

func (x *body) labeled(s *ast.LabeledStmt) {
	l := "L_" + clean(s.Label.Name)
	x.forget()
	if x.gotos[s.Label.Name] {
		x.line("g_" + l + ":")
		x.line("rt.Nop()")
	}
	switch b := s.Stmt.(type) {
	case *ast.ForStmt:
		x.looping(func() { x.forStatement(b, l) })
	case *ast.RangeStmt:
		x.looping(func() { x.rangeStatement(b, l) })
	case *ast.SwitchStmt:
		x.switchStatement(b, l)
	case *ast.TypeSwitchStmt:
		x.typeSwitch(b, l)
	case *ast.SelectStmt:
		x.selectStatement(b, l)
	case *ast.BlockStmt:
		if !breaksTo(b, s.Label.Name) {
			x.block(b.List)
			return
		}
		x.line(l + ":")
		x.line("switch {\ncase true:")
		x.statements(b.List)
		x.line("}")
	default:
		x.statement(b)
	}
}

// breaksTo tells a labelled block that a break leaves.
func breaksTo(b *ast.BlockStmt, label string) bool {
	found := false
	ast.Inspect(b, func(n ast.Node) bool {
		if br, ok := n.(*ast.BranchStmt); ok && br.Tok == token.BREAK && br.Label != nil && br.Label.Name == label {
			found = true
		}
		return !found
	})
	return found
}

func (x *body) open(label string) {
	if label != "" {
		x.line(label + ":")
	}
}

func (x *body) branch(s *ast.BranchStmt) {
	if x.yield != nil && x.escape(s) {
		return
	}
	switch {
	case s.Tok == token.GOTO:
		x.line("goto g_L_" + clean(s.Label.Name))
	case s.Label != nil:
		x.line(s.Tok.String() + " L_" + clean(s.Label.Name))
	default:
		x.line(s.Tok.String())
	}
}

// goStatement starts a goroutine: function and arguments are evaluated now.
func (x *body) goStatement(c *ast.CallExpr) {
	if b := x.builtinOf(ast.Unparen(c.Fun)); b != "" {
		text := x.later(c)
		x.startGoroutine("func() {\n" + text + "}")
		return
	}
	x.startGoroutine("func() { " + x.evaluated(c, "") + " }")
}

// later lowers a call of a builtin that runs later; its arguments are evaluated now.
func (x *body) later(c *ast.CallExpr) string {
	d := *c
	d.Args = nil
	for _, a := range c.Args {
		if tv := x.info.Types[a]; tv.IsType() || tv.Value != nil || isNil(x.typeOf(a)) {
			d.Args = append(d.Args, a)
			continue
		}
		t := x.typeOf(a)
		d.Args = append(d.Args, x.synthetic(x.keepValue(x.conv(a, t), x.low(t)), t))
	}
	x.info.Types[&d] = x.info.Types[c]
	return x.inner(func() { x.expressionStatement(&d) })
}

// evaluated gives the text of a call whose function and arguments are in temporaries. recovering
// is the list that will run it, "" for a goroutine.
func (x *body) evaluated(c *ast.CallExpr, recovering string) string {
	fun := ast.Unparen(c.Fun)
	if lit, ok := fun.(*ast.FuncLit); ok && len(c.Args) == 0 {
		return x.closure(lit, recovering) + "()"
	}
	x.risky = true
	var f callForm
	if lit, ok := fun.(*ast.FuncLit); ok {
		text := x.keepValue(x.closure(lit, recovering), "")
		f = callForm{sig: x.typeOf(lit).(*types.Signature)}
		f.finish = func(args []string) string { return text + "(" + strings.Join(args, ", ") + ")" }
	} else {
		how := never
		if recovering != "" && x.recovers(fun) {
			how = listed
		}
		f = x.calling(c, fun, how)
	}
	args := x.arguments(c, f)
	if s, ok := fun.(*ast.SelectorExpr); ok && len(f.first) > 0 {
		if sel := x.info.Selections[s]; sel != nil && sel.Kind() == types.MethodVal && isInterface(x.subst(sel.Recv())) {
			args[0] = fmt.Sprintf("rt.NotNil(%d, %s)", s.Sel.Pos(), args[0])
		}
	}
	for i, a := range args {
		if !isLiteral(a) {
			args[i] = x.keepValue(a, "")
		}
	}
	s := f.finish(args)
	if inner, ok := strings.CutPrefix(s, "rt.In("); ok {
		s = inner[:len(inner)-1]
	}
	return s
}
