package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// Item is one top-level variable declaration, statement or final expression of a cell.
type Item struct {
	Spec   *ast.ValueSpec
	Stmt   ast.Stmt
	Result ast.Expr // the expression whose value the cell has
}

// Cell lowers the items of a cell in their order, and gives the body of the unit's entry.
func (g *Lowerer) Cell(info *types.Info, items []Item, then []*types.Func) string {
	x := g.newBody(info)
	deferring := false
	block := &ast.BlockStmt{}
	for _, it := range items {
		switch {
		case it.Stmt != nil:
			block.List = append(block.List, it.Stmt)
			deferring = deferring || hasDefer(&ast.BlockStmt{List: []ast.Stmt{it.Stmt}})
		case it.Result != nil:
			block.List = append(block.List, &ast.ExprStmt{X: it.Result})
		case it.Spec != nil:
			for _, v := range it.Spec.Values {
				block.List = append(block.List, &ast.ExprStmt{X: v})
			}
		}
	}
	x.top = true
	x.gotos = gotoTargets(block)
	x.shared = sharedVariables(block, info)
	x.escaping = escapingVariables(block, info)
	if deferring {
		x.defers = x.name("d")
		x.line("rt.Run(func(" + x.defers + " *rt.Defers) {")
	}
	for i, it := range items {
		switch {
		case it.Spec != nil:
			x.mark(it.Spec.Pos(), func() { x.spec(it.Spec) })
		case it.Result != nil:
			x.mark(it.Result.Pos(), func() { x.result(it.Result) })
		default:
			x.statement(it.Stmt)
		}
		x.forget()
		x.line(fmt.Sprintf("rt.Reach(%d)", i+1))
	}
	for _, f := range then {
		x.line(g.function(f, nil, never) + "()")
	}
	if deferring {
		x.line("})")
	}
	return x.b.String()
}

// Initialise lowers a program's package variables in their order of initialisation.
func (g *Lowerer) Initialise(info *types.Info, then []*types.Func) string {
	x := g.newBody(info)
	x.initialise(info.InitOrder)
	for _, f := range then {
		x.line(g.function(f, nil, never) + "()")
	}
	return x.b.String()
}

func (x *body) spec(s *ast.ValueSpec) {
	x.declaration(&ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{s}})
}

// result hands the values of an expression to the runtime.
func (x *body) result(e ast.Expr) {
	t := x.typeOf(e)
	if tu, ok := t.(*types.Tuple); ok {
		if tu.Len() == 0 {
			x.expressionStatement(e)
			return
		}
		var vs []string
		for i, s := range x.spread(ast.Unparen(e), tu) {
			vs = append(vs, x.convText(s, tu.At(i).Type(), anyType))
		}
		x.line("rt.SetResult(" + strings.Join(vs, ", ") + ")")
		return
	}
	if tv := x.info.Types[e]; tv.IsVoid() {
		x.expressionStatement(e)
		return
	}
	if isNil(t) {
		x.line("rt.SetResult(rt.Nil())")
		return
	}
	x.line("rt.SetResult(" + x.conv(e, anyType) + ")")
}
