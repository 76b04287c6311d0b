package engine

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
)

// The interpreter has one variable for all iterations of a loop. Where a loop's body captures
// or addresses it, the body gets a copy of its own, as the language asks.

// captured gives those of the identifiers' objects that a function literal in body uses or
// whose address body takes.
func (l *lowerer) captured(body ast.Node, defs ...ast.Expr) []*ast.Ident {
	var out []*ast.Ident
	for _, x := range defs {
		id, ok := x.(*ast.Ident)
		if !ok || l.info.Defs[id] == nil {
			continue
		}
		obj, depth, hit := l.info.Defs[id], 0, false
		astutil.Apply(body, func(c *astutil.Cursor) bool {
			switch n := c.Node().(type) {
			case *ast.FuncLit:
				depth++
			case *ast.Ident:
				hit = hit || depth > 0 && l.info.Uses[n] == obj
			case *ast.UnaryExpr:
				hit = hit || n.Op == token.AND && l.mentions(n.X, obj)
			case *ast.SliceExpr:
				hit = hit || l.mentions(n.X, obj)
			case *ast.SelectorExpr:
				s := l.info.Selections[n]
				hit = hit || s != nil && s.Kind() == types.MethodVal && l.mentions(n.X, obj)
			}
			return true
		}, func(c *astutil.Cursor) bool {
			if _, ok := c.Node().(*ast.FuncLit); ok {
				depth--
			}
			return true
		})
		if hit {
			out = append(out, id)
		}
	}
	return out
}

func (l *lowerer) mentions(n ast.Node, obj types.Object) bool {
	found := false
	ast.Inspect(n, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && l.info.Uses[id] == obj
		return !found
	})
	return found
}

// forVariables gives the body of a three-clause loop copies of the captured variables, which
// are copied back before the post statement.
func (l *lowerer) forVariables(c *astutil.Cursor, n *ast.ForStmt) {
	init, ok := n.Init.(*ast.AssignStmt)
	if !ok || init.Tok != token.DEFINE {
		return
	}
	ids := l.captured(n.Body, init.Lhs...)
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
	for _, id := range l.captured(n.Body, n.Key, n.Value) {
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

// switchSymbol gives the symbol of a type switch one name in all clauses.
func (l *lowerer) switchSymbol(n *ast.TypeSwitchStmt) {
	a, ok := n.Assign.(*ast.AssignStmt)
	if !ok {
		return
	}
	id := a.Lhs[0].(*ast.Ident)
	name := l.fresh(id.Name)
	l.renamed[id] = name
	for _, clause := range n.Body.List {
		if obj := l.info.Implicits[clause]; obj != nil {
			l.locals[obj] = name
		}
	}
}
