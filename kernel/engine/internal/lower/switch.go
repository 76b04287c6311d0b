package lower

import (
	"fmt"
	"go/ast"
	"go/types"
	"strings"
)

func (x *body) switchStatement(s *ast.SwitchStmt, label string) {
	x.line("{")
	defer func() { x.line("}"); x.forget() }()
	if s.Init != nil {
		x.statement(s.Init)
	}
	tag := ""
	var t types.Type
	if s.Tag != nil {
		t = defaultType(x.typeOf(s.Tag))
		x.mark(s.Tag.Pos(), func() {
			tag = x.conv(s.Tag, t)
			if !simple(tag) || isLiteral(tag) || !isIdentifier(s.Tag) {
				tag = x.keepValue(tag, x.low(t))
			}
		})
	}
	x.forget()
	if x.plainSwitch(s, tag, t, label) {
		return
	}
	// Each clause gets a number; tests in order choose it.
	n := x.keepValue("-1", "")
	depth, other := 0, -1
	for i, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		if cc.List == nil {
			other = i
		}
		for _, e := range cc.List {
			cond := ""
			x.mark(e.Pos(), func() { cond = x.caseTest(tag, t, e) })
			x.line(fmt.Sprintf("if %s { %s = %d } else {", cond, n, i))
			depth++
		}
	}
	if other >= 0 {
		x.line(fmt.Sprintf("%s = %d", n, other))
	}
	x.line(strings.Repeat("}", depth))
	x.open(label)
	x.line("switch {")
	for i, c := range s.Body.List {
		x.line(fmt.Sprintf("case %s == %d:", n, i))
		x.forget()
		x.statements(c.(*ast.CaseClause).Body)
	}
	x.line("}")
}

// plainSwitch writes the executor's own switch when every case is a test that needs nothing
// before it, and default is last.
func (x *body) plainSwitch(s *ast.SwitchStmt, tag string, t types.Type, label string) bool {
	var heads []string
	for i, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		if cc.List == nil {
			if i != len(s.Body.List)-1 {
				return false
			}
			heads = append(heads, "default:")
			continue
		}
		var tests []string
		for _, e := range cc.List {
			if x.hasEffects(e) {
				return false
			}
			var test string
			risky := x.risky
			x.risky = false
			lines := x.inner(func() { test = x.caseTest(tag, t, e) })
			bad := lines != "" || x.risky
			x.risky = risky
			if bad {
				return false
			}
			tests = append(tests, test)
		}
		heads = append(heads, "case "+strings.Join(tests, " || ")+":")
	}
	x.open(label)
	x.line("switch {")
	for i, c := range s.Body.List {
		x.line(heads[i])
		x.forget()
		x.statements(c.(*ast.CaseClause).Body)
	}
	x.line("}")
	return true
}

// caseTest is the condition under which case e is chosen.
func (x *body) caseTest(tag string, t types.Type, e ast.Expr) string {
	et := x.typeOf(e)
	if tag == "" {
		if isInterface(et) {
			return "rt.Equal(rt.Any(true), " + x.expr(e) + ")"
		}
		return x.conv(e, types.Typ[types.Bool])
	}
	switch {
	case isNil(et):
		return "(" + tag + " == nil)"
	case isInterface(et) && !isInterface(t):
		x.risky = true
		return "rt.Equal(" + x.box(tag, t) + ", " + x.expr(e) + ")"
	}
	return x.equalText(tag, x.conv(e, t), t)
}

func (x *body) typeSwitch(s *ast.TypeSwitchStmt, label string) {
	x.line("{")
	defer func() { x.line("}"); x.forget() }()
	if s.Init != nil {
		x.statement(s.Init)
	}
	var e ast.Expr
	switch a := s.Assign.(type) {
	case *ast.ExprStmt:
		e = a.X
	case *ast.AssignStmt:
		e = a.Rhs[0]
	}
	var o string
	x.mark(e.Pos(), func() { o = x.keepValue(x.expr(ast.Unparen(e).(*ast.TypeAssertExpr).X), anyText) })
	n := x.keepValue("-1", "")
	depth, other := 0, -1
	for i, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		if cc.List == nil {
			other = i
		}
		for _, e := range cc.List {
			x.line(fmt.Sprintf("if %s { %s = %d } else {", x.holds(o, x.typeOf(e)), n, i))
			depth++
		}
	}
	if other >= 0 {
		x.line(fmt.Sprintf("%s = %d", n, other))
	}
	x.line(strings.Repeat("}", depth))
	x.open(label)
	x.line("switch {")
	for i, c := range s.Body.List {
		cc := c.(*ast.CaseClause)
		x.line(fmt.Sprintf("case %s == %d:", n, i))
		x.forget()
		if v, ok := x.info.Implicits[cc].(*types.Var); ok {
			if len(cc.List) == 1 && !isNil(x.typeOf(cc.List[0])) {
				x.variableWith(v, x.taken(o, x.typeOf(cc.List[0])))
			} else {
				x.variableWith(v, o)
			}
		}
		x.statements(cc.Body)
	}
	x.line("}")
}

func (x *body) selectStatement(s *ast.SelectStmt, label string) {
	x.line("{")
	defer func() { x.line("}"); x.forget() }()
	if len(s.Body.List) == 0 {
		x.line(fmt.Sprintf("at = %d", s.Pos()))
		x.line("select {}")
		return
	}
	// The executor's own select shares its cases between goroutines, and a break to a label does not
	// leave it.
	after := make([]func(got, open string), len(s.Body.List))
	var cases []string
	other := -1
	for i, c := range s.Body.List {
		c := c.(*ast.CommClause)
		if c.Comm == nil {
			other = i
			continue
		}
		x.mark(c.Comm.Pos(), func() {
			var text string
			text, after[i] = x.communication(c.Comm)
			cases = append(cases, fmt.Sprintf("%d, %s", i, text))
		})
	}
	x.line(fmt.Sprintf("at = %d", s.Pos()))
	n, got, open := x.tmp(), x.tmp(), x.tmp()
	x.line(fmt.Sprintf("%s, %s, %s := rt.Select(%d, []interface{}{%s})", n, got, open, other, strings.Join(cases, ", ")))
	x.line("rt.Use(" + got + ", " + open + ")")
	x.open(label)
	x.line("switch {")
	for i, c := range s.Body.List {
		x.line(fmt.Sprintf("case %s == %d:", n, i))
		x.forget()
		if after[i] != nil {
			after[i](got, open)
		}
		x.statements(c.(*ast.CommClause).Body)
	}
	x.line("}")
}

// communication evaluates the operands of one case: the channel, and the value to send with whether
// it is sent. What follows takes the value received.
func (x *body) communication(s ast.Stmt) (text string, after func(got, open string)) {
	switch c := s.(type) {
	case *ast.SendStmt:
		el := elem(x.typeOf(c.Chan))
		ch, v := x.pair(c.Chan, c.Value, func() string { return x.keepValue(x.opened(c.Chan), "") }, func() string { return x.keepValue(x.conv(c.Value, el), x.low(el)) })
		return "rt.Any(" + ch + "), rt.Any(" + v + "), true", nil
	case *ast.ExprStmt:
		ch := x.keepValue(x.opened(ast.Unparen(c.X).(*ast.UnaryExpr).X), "")
		return "rt.Any(" + ch + "), rt.Nil(), false", nil
	case *ast.AssignStmt:
		from := ast.Unparen(c.Rhs[0]).(*ast.UnaryExpr).X
		el := elem(x.typeOf(from))
		ch := x.keepValue(x.opened(from), "")
		return "rt.Any(" + ch + "), rt.Nil(), false", func(got, open string) {
			x.rangeVariable(c.Lhs[0], c.Tok, x.held(got, el), el)
			if len(c.Lhs) == 2 {
				x.rangeVariable(c.Lhs[1], c.Tok, open, types.Typ[types.Bool])
			}
		}
	}
	panic("lower: communication")
}
