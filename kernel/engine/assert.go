package engine

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
)

// commaOk puts v, ok = m[k], x.(T) and <-c into functions of their own: in a loop the
// interpreter would leave the value of the iteration before.
func (l *lowerer) commaOk(c *astutil.Cursor, x ast.Expr) {
	tuple, ok := l.info.TypeOf(x).(*types.Tuple)
	if !ok || l.selected[x] {
		return
	}
	pos := x.Pos()
	v, okName := l.fresh("v"), l.fresh("ok")
	f := thunk(pos)
	param := func(x ast.Expr) (ast.Expr, ast.Expr) {
		name, t := l.fresh("a"), l.typeExpr(types.Default(l.info.TypeOf(x)), x)
		f.Type.Params.List = append(f.Type.Params.List, &ast.Field{Names: []*ast.Ident{ident(name, pos)}, Type: t})
		return ident(name, pos), x
	}
	var inner ast.Expr
	var args []ast.Expr
	switch x := x.(type) {
	case *ast.IndexExpr:
		m, arg := param(x.X)
		key := l.info.TypeOf(x.X).Underlying().(*types.Map).Key()
		name := l.fresh("a")
		f.Type.Params.List = append(f.Type.Params.List, &ast.Field{Names: []*ast.Ident{ident(name, pos)}, Type: l.typeExpr(key, x)})
		args = []ast.Expr{arg, x.Index}
		inner = &ast.IndexExpr{X: m, Lbrack: pos, Index: ident(name, pos), Rbrack: pos}
	case *ast.TypeAssertExpr:
		a, arg := param(x.X)
		args = []ast.Expr{arg}
		inner = &ast.TypeAssertExpr{X: a, Lparen: pos, Type: x.Type, Rparen: pos}
	case *ast.UnaryExpr:
		a, arg := param(x.X)
		args = []ast.Expr{arg}
		inner = &ast.UnaryExpr{OpPos: pos, Op: token.ARROW, X: a}
	default:
		return
	}
	names := []string{v, okName}
	f.Body.List = []ast.Stmt{assign(idents(names, pos), token.DEFINE, inner), &ast.ReturnStmt{Return: pos, Results: idents(names, pos)}}
	f.Type.Results = &ast.FieldList{List: []*ast.Field{{Type: l.typeExpr(tuple.At(0).Type(), x)}, {Type: ident("bool", pos)}}}
	l.replace(c, call(f, args...))
}

// assertion refuses the questions that the interpreter always answers with no: whether a
// compiled interface holds a type of a cell, and whether any holds one with certain methods.
func (l *lowerer) assertion(n *ast.TypeAssertExpr) {
	if n.Type == nil {
		return
	}
	from, to := l.info.TypeOf(n.X), l.info.TypeOf(n.Type)
	if to == nil {
		return
	}
	hint := "keep the value in a variable of its own type, or ask for the types one by one"
	face, isFace := to.Underlying().(*types.Interface)
	source := from.Underlying().(*types.Interface)
	switch {
	case isFace && face.Empty():
	case isFace && l.ofCell(to) && source.Empty():
		l.limit(n, "a value of type any cannot be asked here for "+describe(to), hint)
	case isFace && !l.ofCell(to):
		if name := l.implementer(face); name != "" {
			l.limit(n, fmt.Sprintf("asking for %s would miss %s, a type of a cell", describe(to), name), hint)
		}
	case !isFace && source.Empty() && l.ofCell(to) && !isStruct(to):
		l.limit(n, "a value of type any does not know here that it is a "+describe(to), "make "+describe(to)+" a struct, or keep the value in a variable of its own type")
	case !isFace && !source.Empty() && !l.ofCell(from) && l.ofCell(to):
		l.limit(n, "a value of type "+describe(from)+" cannot be asked for "+describe(to)+", a type of a cell", hint)
	}
}

// isStruct tells a struct type, or a pointer to one.
func isStruct(t types.Type) bool {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok
}

// implementer is a type of the cells that implements face, "" if there is none.
func (l *lowerer) implementer(face *types.Interface) string {
	scope := l.unit.pkg.Scope()
	for _, name := range scope.Names() {
		t, ok := scope.Lookup(name).(*types.TypeName)
		if !ok || types.IsInterface(t.Type()) {
			continue
		}
		if n, ok := t.Type().(*types.Named); ok && n.TypeParams().Len() > 0 {
			continue
		}
		if types.Implements(t.Type(), face) || types.Implements(types.NewPointer(t.Type()), face) {
			return clean(name)
		}
	}
	return ""
}

// clauses does the same for type switches.
func (l *lowerer) clauses(n *ast.TypeSwitchStmt) {
	var x ast.Expr
	switch a := n.Assign.(type) {
	case *ast.AssignStmt:
		x = a.Rhs[0]
	case *ast.ExprStmt:
		x = a.X
	}
	assert := ast.Unparen(x).(*ast.TypeAssertExpr)
	for _, clause := range n.Body.List {
		for _, t := range clause.(*ast.CaseClause).List {
			l.assertion(&ast.TypeAssertExpr{X: assert.X, Type: t, Lparen: t.Pos()})
		}
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
		obj := l.info.Implicits[clause]
		if obj == nil {
			continue
		}
		l.locals[obj] = name
		if c, ok := clause.(*ast.CaseClause); ok && l.captures[obj] && l.current().loops > 0 {
			copied := l.fresh(id.Name)
			l.locals[obj] = copied
			c.Body = append([]ast.Stmt{assign([]ast.Expr{l.made(copied, c.Pos())}, token.DEFINE, l.made(name, c.Pos()))}, c.Body...)
		}
	}
}

// typeSwitch makes a switch without tag of a type switch, since the interpreter does not
// find its own types in values of type any there.
func (l *lowerer) typeSwitch(c *astutil.Cursor, n *ast.TypeSwitchStmt) {
	pos := n.Pos()
	symbol := ""
	var x ast.Expr
	switch a := n.Assign.(type) {
	case *ast.AssignStmt:
		symbol, x = a.Lhs[0].(*ast.Ident).Name, a.Rhs[0]
	case *ast.ExprStmt:
		x = a.X
	}
	x = ast.Unparen(x).(*ast.TypeAssertExpr).X
	from := l.info.TypeOf(x)
	value := l.fresh("x")
	out := &ast.SwitchStmt{Switch: pos, Body: n.Body, Init: assign([]ast.Expr{ident(value, pos)}, token.DEFINE, x)}
	for _, s := range n.Body.List {
		clause := s.(*ast.CaseClause)
		var bound ast.Expr = ident(value, clause.Pos())
		for i, t := range clause.List {
			if isNil(t) {
				clause.List[i] = &ast.BinaryExpr{X: ident(value, t.Pos()), OpPos: t.Pos(), Op: token.EQL, Y: t}
				continue
			}
			if len(clause.List) == 1 {
				bound = l.asked(value, from, l.info.TypeOf(t), t, false)
			}
			clause.List[i] = l.asked(value, from, l.info.TypeOf(t), t, true)
		}
		for len(clause.List) > 1 {
			either := &ast.BinaryExpr{X: clause.List[0], OpPos: clause.Pos(), Op: token.LOR, Y: clause.List[1]}
			clause.List = append([]ast.Expr{either}, clause.List[2:]...)
		}
		if symbol != "" {
			clause.Body = append([]ast.Stmt{assign([]ast.Expr{ident(symbol, clause.Pos())}, token.DEFINE, bound)}, clause.Body...)
		}
	}
	if n.Init == nil {
		c.Replace(out)
		return
	}
	if _, ok := c.Parent().(*ast.LabeledStmt); ok {
		l.limit(n, "a labelled type switch with a statement before its condition", "put the statement on a line before it")
		return
	}
	c.Replace(block(pos, append(append([]ast.Stmt{n.Init}, l.pending[n]...), out)...))
}

// asked is the call of a function that asserts value to be a t: it gives the value or, with
// test, whether it is one.
func (l *lowerer) asked(value string, from, t types.Type, at ast.Node, test bool) ast.Expr {
	pos := at.Pos()
	arg, ok := l.fresh("a"), l.fresh("ok")
	assert := &ast.TypeAssertExpr{X: ident(arg, pos), Lparen: pos, Type: l.typeExpr(t, at), Rparen: pos}
	f := thunk(pos, &ast.ReturnStmt{Return: pos, Results: []ast.Expr{assert}})
	result := l.typeExpr(t, at)
	if test {
		f.Body.List = []ast.Stmt{assign([]ast.Expr{ident("_", pos), ident(ok, pos)}, token.DEFINE, assert),
			&ast.ReturnStmt{Return: pos, Results: idents([]string{ok}, pos)}}
		result = ident("bool", pos)
	}
	f.Type.Params.List = []*ast.Field{{Names: []*ast.Ident{ident(arg, pos)}, Type: l.typeExpr(from, at)}}
	f.Type.Results = &ast.FieldList{List: []*ast.Field{{Type: result}}}
	return call(f, ident(value, pos))
}
