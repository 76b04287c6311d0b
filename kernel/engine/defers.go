package engine

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
)

func (l *lowerer) leave(t *ast.FuncType, body *ast.BlockStmt) {
	f := l.current()
	l.funcs = l.funcs[:len(l.funcs)-1]
	pos := body.Pos()
	if f.defers {
		param := &ast.Field{Names: []*ast.Ident{ident(f.list, pos)}, Type: &ast.StarExpr{Star: pos, X: l.rt("Defers", pos)}}
		inner := thunk(pos, body.List...)
		inner.Type.Params.List = []*ast.Field{param}
		body.List = []ast.Stmt{&ast.ExprStmt{X: call(l.rt("Run", pos), inner)}}
		if len(f.results) > 0 {
			body.List = append(body.List, &ast.ReturnStmt{Return: pos, Results: idents(f.results, pos)})
		}
	}
	if f.calls {
		body.List = append([]ast.Stmt{&ast.ExprStmt{X: call(l.rt("Deep", pos))}}, body.List...)
	}
}

func (l *lowerer) returnStatement(c *astutil.Cursor, n *ast.ReturnStmt) {
	f := l.current()
	if !f.defers || len(n.Results) == 0 {
		return
	}
	bare := &ast.ReturnStmt{Return: n.Pos()}
	if len(n.Results) == 1 || len(f.results) != len(n.Results) {
		c.Replace(block(n.Pos(), assign(idents(f.results, n.Pos()), token.ASSIGN, n.Results...), bare))
		return
	}
	temps := make([]string, len(f.results))
	var list []ast.Stmt
	for i, x := range n.Results {
		if isNil(x) {
			temps[i] = ""
			continue
		}
		temps[i] = l.fresh("t")
		list = append(list, assign([]ast.Expr{ident(temps[i], n.Pos())}, token.DEFINE, x))
	}
	for i, t := range temps {
		x := n.Results[i]
		if t != "" {
			x = ident(t, n.Pos())
		}
		list = append(list, assign([]ast.Expr{ident(f.results[i], n.Pos())}, token.ASSIGN, x))
	}
	c.Replace(block(n.Pos(), append(list, bare)...))
}

func isNil(x ast.Expr) bool {
	id, ok := x.(*ast.Ident)
	return ok && id.Name == "nil"
}

func (l *lowerer) later(n *ast.CallExpr, to ast.Expr) []ast.Stmt {
	var list []ast.Stmt
	pos := n.Pos()
	hold := func(x ast.Expr) ast.Expr {
		if _, literal := x.(*ast.BasicLit); literal || isNil(x) {
			return x
		}
		name := l.fresh("t")
		list = append(list, assign([]ast.Expr{ident(name, x.Pos())}, token.DEFINE, x))
		if _, plain := x.(*ast.Ident); !plain {
			copied := l.fresh("t")
			list = append(list, assign([]ast.Expr{ident(copied, x.Pos())}, token.DEFINE, ident(name, x.Pos())))
			name = copied
		}
		return ident(name, x.Pos())
	}
	lit, isLit := n.Fun.(*ast.FuncLit)
	if !isLit || len(n.Args) > 0 || lit.Type.Results != nil {
		if sel, ok := n.Fun.(*ast.SelectorExpr); ok && l.info.Selections[sel] != nil {
			n.Fun = hold(n.Fun)
		} else if id, ok := n.Fun.(*ast.Ident); ok {
			if _, isVar := l.info.Uses[id].(*types.Var); isVar {
				n.Fun = hold(n.Fun)
			}
		}
		for i, x := range n.Args {
			if _, several := l.info.TypeOf(x).(*types.Tuple); several {
				l.limit(x, "a call with several results as the arguments of go or defer", "assign them to variables first")
				return nil
			}
			n.Args[i] = hold(x)
		}
		lit = thunk(pos, &ast.ExprStmt{X: n})
	}
	return append(list, &ast.ExprStmt{X: call(to, l.closed(lit))})
}
