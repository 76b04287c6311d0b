package engine

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
)

// The interpreter has one variable for all iterations of a loop. Where a loop's body captures
// or addresses it, the body gets a copy of its own, as the language asks.

// capture finds the variables of the unit that function literals use from outside or whose
// address is taken.
func (l *lowerer) capture() {
	l.captures = map[types.Object]bool{}
	variable := func(x ast.Expr) {
		for {
			switch y := x.(type) {
			case *ast.ParenExpr:
				x = y.X
			case *ast.SelectorExpr:
				x = y.X
			case *ast.IndexExpr:
				x = y.X
			case *ast.Ident:
				if v, ok := l.info.Uses[y].(*types.Var); ok {
					l.captures[v] = true
				}
				return
			default:
				return
			}
		}
	}
	ast.Inspect(l.unit.ast, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			ast.Inspect(n, func(m ast.Node) bool {
				id, ok := m.(*ast.Ident)
				if v, isVar := l.info.Uses[id].(*types.Var); ok && isVar && (v.Pos() < n.Pos() || v.Pos() > n.End()) {
					l.captures[v] = true
				}
				return true
			})
		case *ast.GoStmt, *ast.DeferStmt:
			ast.Inspect(n, func(m ast.Node) bool {
				if id, ok := m.(*ast.Ident); ok {
					variable(id)
				}
				return true
			})
		case *ast.UnaryExpr:
			if n.Op == token.AND {
				variable(n.X)
			}
		case *ast.SliceExpr:
			variable(n.X)
		case *ast.SelectorExpr:
			if s := l.info.Selections[n]; s != nil && s.Kind() == types.MethodVal {
				variable(n.X)
			}
		}
		return true
	})
}

// captured gives those of the defined identifiers whose variables are captured.
func (l *lowerer) captured(defs ...ast.Expr) []*ast.Ident {
	var out []*ast.Ident
	for _, x := range defs {
		if id, ok := x.(*ast.Ident); ok && l.info.Defs[id] != nil && l.captures[l.info.Defs[id]] {
			out = append(out, id)
		}
	}
	return out
}

// copies makes every captured variable that a statement in a loop defines a plain copy, the
// one form for which the interpreter makes a new variable each time.
func (l *lowerer) copies(defs ...ast.Expr) []ast.Stmt {
	var out []ast.Stmt
	if l.current().loops == 0 {
		return nil
	}
	for _, id := range l.captured(defs...) {
		name := l.name(l.info.Defs[id])
		id.Name = l.fresh(id.Name)
		out = append(out, assign([]ast.Expr{ident(name, id.Pos())}, token.DEFINE, ident(id.Name, id.Pos())))
	}
	return out
}

// definition adds the copies after a statement that defines variables, or keeps them for the
// statement whose beginning it is.
func (l *lowerer) definition(c *astutil.Cursor, defs []ast.Expr) {
	if _, ok := c.Parent().(*ast.ForStmt); ok {
		return
	}
	list := l.copies(defs...)
	switch {
	case len(list) == 0:
	case c.Index() >= 0:
		for i := len(list) - 1; i >= 0; i-- {
			c.InsertAfter(list[i])
		}
	default:
		l.pending[c.Parent()] = append(l.pending[c.Parent()], list...)
	}
}

// hoist moves the beginning of an if or switch before it, where copies must follow it.
func (l *lowerer) hoist(c *astutil.Cursor, init *ast.Stmt) {
	list := l.pending[c.Node()]
	if len(list) == 0 {
		return
	}
	if _, ok := c.Parent().(*ast.LabeledStmt); ok {
		l.limit(c.Node(), "a labelled statement whose variables are captured in a loop", "declare the variables before it")
		return
	}
	first := *init
	*init = nil
	c.Replace(block(first.Pos(), append(append([]ast.Stmt{first}, list...), c.Node().(ast.Stmt))...))
}

// forVariables gives the body of a three-clause loop copies of the captured variables, which
// are copied back before the post statement.
func (l *lowerer) forVariables(c *astutil.Cursor, n *ast.ForStmt) {
	init, ok := n.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE {
		return
	}
	ids := l.captured(init.Lhs...)
	if len(ids) == 0 {
		return
	}
	var heads, copies []string
	for _, id := range ids {
		obj := l.info.Defs[id]
		inner := l.fresh(id.Name)
		heads, copies = append(heads, l.name(obj)), append(copies, inner)
		ast.Inspect(n.Body, func(n ast.Node) bool {
			if use, ok := n.(*ast.Ident); ok && l.info.Uses[use] == obj {
				l.renamed[use] = inner
			}
			return true
		})
	}
	pos := n.Body.Pos()
	var in, back []ast.Stmt
	for i := range heads {
		in = append(in, assign([]ast.Expr{l.made(copies[i], pos)}, token.DEFINE, l.made(heads[i], pos)))
		back = append(back, assign([]ast.Expr{l.made(heads[i], pos)}, token.ASSIGN, l.made(copies[i], pos)))
	}
	label := ""
	if p, ok := c.Parent().(*ast.LabeledStmt); ok {
		label = p.Label.Name
	}
	l.beforeContinue(n.Body, label, func() []ast.Stmt {
		var list []ast.Stmt
		for i := range heads {
			list = append(list, assign([]ast.Expr{l.made(heads[i], pos)}, token.ASSIGN, l.made(copies[i], pos)))
		}
		return list
	})
	n.Body.List = append(append(in, n.Body.List...), back...)
}

// made is an identifier that already has its final name.
func (l *lowerer) made(name string, pos token.Pos) *ast.Ident {
	id := ident(name, pos)
	l.renamed[id] = name
	return id
}

// beforeContinue puts statements before every continue of the loop whose body and label these are.
func (l *lowerer) beforeContinue(body *ast.BlockStmt, label string, list func() []ast.Stmt) {
	depth := 0
	astutil.Apply(body, func(c *astutil.Cursor) bool {
		switch n := c.Node().(type) {
		case *ast.FuncLit:
			return false
		case *ast.ForStmt, *ast.RangeStmt:
			depth++
		case *ast.BranchStmt:
			own := n.Label == nil && depth == 0 || n.Label != nil && label != "" && n.Label.Name == label
			if n.Tok == token.CONTINUE && own {
				c.Replace(block(n.Pos(), append(list(), n)...))
				return false
			}
		}
		return true
	}, func(c *astutil.Cursor) bool {
		switch c.Node().(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			depth--
		}
		return true
	})
}

// rangeVariables does the same for range loops, and refuses iterators.
func (l *lowerer) rangeVariables(n *ast.RangeStmt) {
	if _, ok := l.info.TypeOf(n.X).Underlying().(*types.Signature); ok {
		l.limit(n, "range over a function does not run here", "call the iterator: seq(func(v T) bool { …; return true })")
		return
	}
	if n.Tok != token.DEFINE {
		return
	}
	if b, ok := l.info.TypeOf(n.X).Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
		return // rangeInt makes a copy an iteration
	}
	for _, id := range l.captured(n.Key, n.Value) {
		name := l.name(l.info.Defs[id])
		head := l.fresh(id.Name)
		l.renamed[id] = head
		copied := assign([]ast.Expr{l.made(name, id.Pos())}, token.DEFINE, l.made(head, id.Pos()))
		n.Body.List = append([]ast.Stmt{copied}, n.Body.List...)
	}
}

// rangeInt makes a three-clause loop of for i := range n.
func (l *lowerer) rangeInt(n *ast.RangeStmt) ast.Stmt {
	pos := n.Pos()
	t := types.Default(l.info.TypeOf(n.X))
	if id, ok := n.Key.(*ast.Ident); ok && id.Name != "_" && n.Tok == token.ASSIGN {
		t = l.info.TypeOf(id)
	} else if ok && l.info.Defs[id] != nil {
		t = l.info.Defs[id].Type()
	}
	i, limit := l.fresh("i"), l.fresh("n")
	convert := func(x ast.Expr) ast.Expr {
		return call(&ast.ParenExpr{Lparen: pos, X: l.typeExpr(t, n), Rparen: pos}, x)
	}
	zero := &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: "0"}
	if n.Key != nil {
		if id, ok := n.Key.(*ast.Ident); !ok || id.Name != "_" {
			n.Body.List = append([]ast.Stmt{assign([]ast.Expr{n.Key}, n.Tok, ident(i, pos))}, n.Body.List...)
		}
	}
	return &ast.ForStmt{
		For:  pos,
		Init: assign(idents([]string{i, limit}, pos), token.DEFINE, convert(zero), convert(n.X)),
		Cond: &ast.BinaryExpr{X: ident(i, pos), OpPos: pos, Op: token.LSS, Y: ident(limit, pos)},
		Post: &ast.IncDecStmt{X: ident(i, pos), TokPos: pos, Tok: token.INC},
		Body: n.Body,
	}
}
