package engine

import (
	"go/ast"
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ast/astutil"
)

// callExpression lowers builtins that the interpreter lacks, and arguments that it passes wrongly.
func (l *lowerer) callExpression(c *astutil.Cursor, n *ast.CallExpr) {
	tv := l.info.Types[n.Fun]
	if tv.IsBuiltin() {
		if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok {
			l.builtin(c, n, id.Name)
		}
		return
	}
	if tv.IsType() || tv.Type == nil {
		return
	}
	sig, ok := tv.Type.Underlying().(*types.Signature)
	if !ok {
		return
	}
	if sel, ok := n.Fun.(*ast.SelectorExpr); ok {
		l.processCall(c, n, sel)
	}
	for i, x := range n.Args {
		if i < sig.Params().Len() && !(sig.Variadic() && i == sig.Params().Len()-1) {
			n.Args[i] = l.standardInput(x, sig.Params().At(i).Type())
		}
	}
	l.variadicInterfaces(n, sig)
}

// processCall keeps (*log.Logger).Fatal from ending the process.
func (l *lowerer) processCall(c *astutil.Cursor, n *ast.CallExpr, sel *ast.SelectorExpr) {
	fn, ok := l.info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "log" || fn.Signature().Recv() == nil {
		return
	}
	switch fn.Name() {
	case "Fatal", "Fatalf", "Fatalln":
		n.Args = append([]ast.Expr{sel.X}, n.Args...)
		n.Fun = l.rt("Logger"+fn.Name(), n.Pos())
	}
}

// standardInput replaces os.Stdin by a reader that asks the front end, where a reader is enough.
func (l *lowerer) standardInput(x ast.Expr, to types.Type) ast.Expr {
	sel, ok := x.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Stdin" || !types.IsInterface(to) {
		return x
	}
	if id, ok := sel.X.(*ast.Ident); !ok || l.used[id.Name] != "os" {
		return x
	}
	return l.rt("Stdin", x.Pos())
}

// variadicInterfaces passes interpreted values for a compiled ...Interface as a slice.
func (l *lowerer) variadicInterfaces(n *ast.CallExpr, sig *types.Signature) {
	if !sig.Variadic() || n.Ellipsis.IsValid() || len(n.Args) < sig.Params().Len() {
		return
	}
	first := sig.Params().Len() - 1
	elem := sig.Params().At(first).Type().(*types.Slice).Elem()
	face, ok := elem.Underlying().(*types.Interface)
	if !ok || face.Empty() || l.ofCell(elem) {
		return
	}
	lit := &ast.CompositeLit{Type: l.typeExpr(types.NewSlice(elem), n), Lbrace: n.Pos(), Rbrace: n.Pos()}
	for _, x := range n.Args[first:] {
		lit.Elts = append(lit.Elts, l.asInterface(x, elem))
	}
	n.Args = append(n.Args[:first:first], lit)
	n.Ellipsis = n.Rparen
}

func (l *lowerer) builtin(c *astutil.Cursor, n *ast.CallExpr, name string) {
	pos := n.Pos()
	switch name {
	case "recover":
		l.replace(c, call(l.rt("Recover", pos)))
	case "clear":
		l.replace(c, call(l.rt("Clear", pos), n.Args...))
	case "print":
		l.replace(c, call(l.rt("Print", pos), n.Args...))
	case "println":
		l.replace(c, call(l.rt("Println", pos), n.Args...))
	case "min", "max":
		l.extremum(c, n, name)
	}
}

// extremum lowers min and max: a compiled function for floats, comparisons for the rest.
func (l *lowerer) extremum(c *astutil.Cursor, n *ast.CallExpr, name string) {
	pos := n.Pos()
	t := l.info.TypeOf(n)
	basic, ok := t.Underlying().(*types.Basic)
	if !ok {
		l.limit(n, name+" over a type parameter does not run here", "write a comparison")
		return
	}
	conv := func(x ast.Expr) ast.Expr {
		return call(&ast.ParenExpr{Lparen: pos, X: l.typeExpr(t, n), Rparen: pos}, x)
	}
	out := conv(n.Args[0])
	if basic.Info()&types.IsFloat != 0 {
		float := func(x ast.Expr) ast.Expr { return call(ident("float64", pos), x) }
		out = float(n.Args[0])
		for _, x := range n.Args[1:] {
			out = call(l.rt(map[string]string{"min": "Min", "max": "Max"}[name], pos), out, float(x))
		}
		l.replace(c, conv(out))
		return
	}
	op := map[string]token.Token{"min": token.LSS, "max": token.GTR}[name]
	a, b := l.fresh("a"), l.fresh("b")
	for _, x := range n.Args[1:] {
		f := thunk(pos, &ast.IfStmt{If: pos,
			Cond: &ast.BinaryExpr{X: ident(b, pos), OpPos: pos, Op: op, Y: ident(a, pos)},
			Body: block(pos, &ast.ReturnStmt{Return: pos, Results: idents([]string{b}, pos)}),
		}, &ast.ReturnStmt{Return: pos, Results: idents([]string{a}, pos)})
		f.Type.Params.List = []*ast.Field{{Names: []*ast.Ident{ident(a, pos), ident(b, pos)}, Type: l.typeExpr(t, n)}}
		f.Type.Results = &ast.FieldList{List: []*ast.Field{{Type: l.typeExpr(t, n)}}}
		out = call(f, out, x)
	}
	l.replace(c, out)
}
