package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// yield is a range-over-func body being lowered to a function. State tells after the call how the
// loop ended: 0 normally or by continue, -1 by break, 1 by return, more by a branch to outside.
// Done watches the iterator: 0 between iterations, 1 in the body, 2 after the loop, -1 after exit.
type yield struct {
	outer   *yield
	state   string
	done    string
	results []string
	label   string
	exits   []*ast.BranchStmt
	loop    *ast.RangeStmt
}

// exit ends the body function and the loop.
func (y *yield) exit() string { return y.done + " = -1\nreturn false" }

// next ends the body function and goes on with the loop.
func (y *yield) next() string { return y.done + " = 0\nreturn true" }

// escape lowers break, continue and goto that leave the body function.
func (x *body) escape(s *ast.BranchStmt) bool {
	y := x.yield
	switch {
	case s.Tok == token.FALLTHROUGH:
		return false
	case s.Label == nil:
		if belongsInside(y.loop.Body, s) {
			return false
		}
		x.leaveLoop(s.Tok)
		return true
	}
	if o := x.info.Uses[s.Label]; o != nil && o.Pos() >= y.loop.Body.Pos() && o.Pos() < y.loop.Body.End() {
		return false
	}
	if y.label != "" && y.label == "L_"+clean(s.Label.Name) && s.Tok != token.GOTO {
		x.leaveLoop(s.Tok)
		return true
	}
	y.exits = append(y.exits, s)
	x.line(fmt.Sprintf("%s = %d", y.state, len(y.exits)+1))
	x.line(y.exit())
	return true
}

func (x *body) leaveLoop(tok token.Token) {
	if tok == token.CONTINUE {
		x.line(x.yield.next())
		return
	}
	x.line(x.yield.state + " = -1")
	x.line(x.yield.exit())
}

// belongsInside tells whether an unlabelled branch belongs to a statement inside body.
func belongsInside(body ast.Node, b *ast.BranchStmt) bool {
	inside := false
	ast.Inspect(body, func(n ast.Node) bool {
		if n == nil || b.Pos() < n.Pos() || b.Pos() >= n.End() {
			return n == nil || n == body
		}
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			inside = true
		case *ast.SwitchStmt, *ast.TypeSwitchStmt, *ast.SelectStmt:
			inside = inside || b.Tok == token.BREAK
		}
		return true
	})
	return inside
}

func (x *body) rangeFunction(s *ast.RangeStmt, sig *types.Signature, label string) {
	x.line("{")
	var f string
	x.mark(s.X.Pos(), func() { f = x.keepValue(x.opened(s.X), "") })
	y := &yield{outer: x.yield, state: x.tmp(), done: x.tmp(), label: label, loop: s, results: x.resultVariables()}
	x.line(y.state + " := 0")
	x.line(y.done + " := 0")
	if len(y.results) == 0 {
		for v := range x.sig.Results().Variables() {
			y.results = append(y.results, x.keepValue(x.zero(v.Type()), x.low(v.Type())))
		}
	}
	yieldSig := sig.Params().At(0).Type().Underlying().(*types.Signature)
	ps, as := x.parameters(yieldSig)
	body := x.yieldBody(s, y, yieldSig, as)
	x.mark(s.Pos(), func() {
		x.risky = true
		x.line(f + "(func(" + strings.Join(ps, ", ") + ") bool {\n" + body + "})")
	})
	x.line(fmt.Sprintf("if %s == 1 { rt.RangeExit(%d, 3) }", y.done, s.For))
	x.line(y.done + " = 2")
	x.afterLoop(y)
	x.line("}")
	x.forget()
}

// yieldBody lowers the loop's body as the function given to the iterator.
func (x *body) yieldBody(s *ast.RangeStmt, y *yield, sig *types.Signature, as []string) string {
	before := x.before
	x.yield, x.before = y, nil
	defer func() { x.yield, x.before = y.outer, before }()
	x.forget()
	return x.inner(func() {
		x.line(fmt.Sprintf("if %s != 0 { if %s == 1 { %s = 3 }; if %s == -1 { %s = 1 }; rt.RangeExit(%d, %s) }", y.done, y.done, y.done, y.done, y.done, s.For, y.done))
		x.line(y.done + " = 1")
		for i, e := range []ast.Expr{s.Key, s.Value} {
			if i < len(as) && e != nil {
				x.rangeVariable(e, s.Tok, as[i], sig.Params().At(i).Type())
			}
		}
		x.statements(s.Body.List)
		x.line(y.next())
	})
}

// afterLoop goes where the body wanted to go.
func (x *body) afterLoop(y *yield) {
	if hasReturn(y.loop.Body) {
		x.line("if " + y.state + " == 1 {")
		if y.outer == nil && len(x.results) == 0 && len(y.results) > 0 {
			x.line("return " + strings.Join(y.results, ", "))
		} else {
			x.leave()
		}
		x.line("}")
	}
	for i, b := range y.exits {
		x.line(fmt.Sprintf("if %s == %d {", y.state, i+2))
		x.branch(b)
		x.line("}")
	}
}

// hasReturn tells whether a return statement is in body, closures apart.
func hasReturn(body ast.Node) bool {
	found := false
	ast.Inspect(body, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt:
			found = true
		}
		return !found
	})
	return found
}
