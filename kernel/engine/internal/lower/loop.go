package lower

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// captured tells whether a closure in n uses one of vars, or their address is taken.
func (x *body) captured(n ast.Node, vars []*types.Var) bool {
	found := false
	is := func(e ast.Expr) bool {
		id, ok := ast.Unparen(e).(*ast.Ident)
		if !ok {
			return false
		}
		for _, v := range vars {
			if x.info.Uses[id] == v {
				return true
			}
		}
		return false
	}
	anyIn := func(n ast.Node) {
		ast.Inspect(n, func(m ast.Node) bool {
			if id, ok := m.(*ast.Ident); ok && is(id) {
				found = true
			}
			return !found
		})
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			anyIn(n.Body)
		case *ast.UnaryExpr:
			if _, literal := ast.Unparen(n.X).(*ast.CompositeLit); n.Op == token.AND && !literal {
				anyIn(n.X)
			}
		case *ast.SelectorExpr:
			if s := x.info.Selections[n]; s != nil && s.Kind() != types.FieldVal {
				anyIn(n.X)
			}
		case *ast.SliceExpr:
			if t := x.info.TypeOf(n.X); t != nil {
				if _, ok := t.Underlying().(*types.Array); ok {
					anyIn(n.X)
				}
			}
		case *ast.DeferStmt, *ast.GoStmt:
			anyIn(n)
		}
		return !found
	})
	return found
}

func (x *body) forStatement(s *ast.ForStmt, label string) {
	x.line("{")
	defer func() { x.line("}"); x.forget() }()
	var vars []*types.Var
	if a, ok := s.Init.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		for _, e := range a.Lhs {
			if v := x.newVariableOf(e, true); v != nil {
				vars = append(vars, v)
			}
		}
	}
	if s.Init != nil {
		x.statement(s.Init)
	}
	x.forget()
	if len(vars) > 0 && x.captured(s, vars) {
		x.freshLoop(s, label, vars)
		return
	}
	defer x.know(s)()
	cond, before := x.condition(s.Cond)
	post := ""
	if s.Post != nil {
		post = strings.TrimSpace(x.inner(func() { x.statement(s.Post) }))
		x.forget()
	}
	if strings.Contains(post, "\n") {
		first := x.keepValue("true", "")
		x.open(label)
		x.line("for {")
		x.line("if " + first + " { " + first + " = false } else {\n" + post + "\n}")
		post = ""
		x.leaveUnless(cond, before)
	} else {
		x.open(label)
		switch {
		case before != "":
			x.line("for ; ; " + post + " {")
			x.leaveUnless(cond, before)
		case cond == "" && post == "":
			x.line("for {")
		default:
			x.line("for ; " + cond + "; " + post + " {")
		}
	}
	x.statements(s.Body.List)
	x.line("}")
}

// condition lowers a loop's condition: its text and what must run before it each time.
func (x *body) condition(e ast.Expr) (cond, before string) {
	if e == nil {
		return "", ""
	}
	before = x.inner(func() { x.mark(e.Pos(), func() { cond = bare(x.expr(e)) }) })
	x.forget()
	return
}

// bare is a condition without parentheses around it, which cost the executor a step.
func bare(s string) string {
	depth := 0
	for i, r := range s {
		switch r {
		case '{', '"', '\'', '`':
			return s
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(s)-1 {
			return s
		}
	}
	return s[1 : len(s)-1]
}

func (x *body) leaveUnless(cond, before string) {
	if cond == "" {
		return
	}
	x.b.WriteString(before)
	x.line("if !(" + cond + ") { break }")
}

// freshLoop is a loop whose variables are new in every iteration.
func (x *body) freshLoop(s *ast.ForStmt, label string, vars []*types.Var) {
	first := x.keepValue("true", "")
	var pointers []string
	for _, v := range vars {
		pointers = append(pointers, x.keepValue("&"+x.variable(v), ""))
	}
	x.open(label)
	x.line("for {")
	for i, v := range vars {
		n := x.declare(v)
		x.line("var " + n + " " + x.low(x.subst(v.Type())) + " = *" + pointers[i])
		x.line(pointers[i] + " = &" + n)
	}
	x.line("if " + first + " { " + first + " = false } else {")
	if s.Post != nil {
		x.statement(s.Post)
	}
	x.line("}")
	x.forget()
	x.leaveUnless(x.condition(s.Cond))
	x.statements(s.Body.List)
	x.line("}")
}

// know notes for the length of a loop for p != nil, whose body leaves p alone, that p is not nil.
// It returns the end.
func (x *body) know(s *ast.ForStmt) func() {
	var e ast.Expr
	if c, ok := s.Cond.(*ast.BinaryExpr); ok && c.Op == token.NEQ && isNil(x.typeOf(c.Y)) {
		e = c.X
	}
	id, ok := e.(*ast.Ident)
	if !ok {
		return func() {}
	}
	o := x.objectOf(id)
	if o == nil || x.known[o] || !x.isLocal(o) || x.changes(s.Body, o) {
		return func() {}
	}
	x.known[o] = true
	return func() { delete(x.known, o) }
}

// isLocal tells a variable of this function: others may be changed by what it calls.
func (x *body) isLocal(o types.Object) bool {
	v, ok := o.(*types.Var)
	return ok && !x.isGlobal(v) && !v.IsField()
}

// changes tells whether variable v may change in n: it is assigned, captured or its address taken.
func (x *body) changes(n ast.Node, v types.Object) bool {
	vars := []*types.Var{v.(*types.Var)}
	if x.captured(n, vars) {
		return true
	}
	found := false
	is := func(e ast.Expr) {
		if id, ok := ast.Unparen(e).(*ast.Ident); ok && x.info.Uses[id] == v {
			found = true
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				is(l)
			}
		case *ast.IncDecStmt:
			is(n.X)
		case *ast.RangeStmt:
			if n.Tok == token.ASSIGN {
				is(n.Key)
				if n.Value != nil {
					is(n.Value)
				}
			}
		}
		return !found
	})
	return found || x.shared[v]
}

// sharedVariables are the variables of a function that closures in it use or whose address is
// taken, anywhere.
func sharedVariables(block *ast.BlockStmt, info *types.Info) map[types.Object]bool {
	shared := map[types.Object]bool{}
	note := func(n ast.Node, outside ast.Node) {
		ast.Inspect(n, func(m ast.Node) bool {
			if id, ok := m.(*ast.Ident); ok {
				if o := info.Uses[id]; o != nil && (outside == nil || o.Pos() < outside.Pos() || o.Pos() >= outside.End()) {
					shared[o] = true
				}
			}
			return true
		})
	}
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			note(n.Body, n)
		case *ast.UnaryExpr:
			if _, literal := ast.Unparen(n.X).(*ast.CompositeLit); n.Op == token.AND && !literal {
				note(n.X, nil)
			}
		}
		return true
	})
	return shared
}
