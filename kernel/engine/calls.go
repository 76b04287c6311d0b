package engine

import (
	"go/ast"
	"go/token"
	"go/types"
	"strings"

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
	if tv.IsType() && len(n.Args) == 1 && types.IsInterface(tv.Type) && l.ofCell(l.info.TypeOf(n.Args[0])) && !l.ofCell(tv.Type) {
		l.replace(c, l.asInterface(n.Args[0], tv.Type))
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
	compiled := !l.callsCell(n)
	for i, x := range n.Args {
		last := sig.Variadic() && i >= sig.Params().Len()-1
		if !last && i < sig.Params().Len() {
			n.Args[i] = l.standardInput(x, sig.Params().At(i).Type())
		}
		if lit, ok := x.(*ast.FuncLit); ok && compiled && l.current().loops > 0 {
			n.Args[i] = l.closed(lit)
		}
		if last && compiled && l.isError(l.info.TypeOf(x)) {
			n.Args[i] = l.asInterface(x, errorInterface)
		}
	}
	l.errorsAs(n)
	l.variadicInterfaces(n, sig)
}

// closed makes a function literal a closure over the variables of this iteration: as a direct
// argument of a compiled function it would see those of later ones. A frame of its own also
// keeps a goroutine that runs it from writing into the frame that made it.
func (l *lowerer) closed(lit *ast.FuncLit) ast.Expr {
	var t types.Type = types.NewSignatureType(nil, nil, nil, nil, nil, false)
	if known := l.info.TypeOf(lit); known != nil {
		t = known
	}
	f := thunk(lit.Pos(), &ast.ReturnStmt{Return: lit.Pos(), Results: []ast.Expr{lit}})
	f.Type.Results = &ast.FieldList{List: []*ast.Field{{Type: l.typeExpr(t, lit)}}}
	return call(f)
}

// isError tells a type of the cells that is an error.
func (l *lowerer) isError(t types.Type) bool {
	return t != nil && !types.IsInterface(t) && l.ofCell(t) && types.Implements(t, errorInterface.Underlying().(*types.Interface))
}

// errorsAs refuses what would always be false.
func (l *lowerer) errorsAs(n *ast.CallExpr) {
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "As" || len(n.Args) != 2 {
		return
	}
	if id, ok := sel.X.(*ast.Ident); !ok || l.used[id.Name] != "errors" {
		return
	}
	p, ok := l.info.TypeOf(n.Args[1]).(*types.Pointer)
	if ok && l.ofCell(p.Elem()) {
		l.limit(n, "errors.As does not find error types that cells declare", "compare with errors.Is, or keep the value in a variable of its own type")
	}
}

// processCall lets log.Fatal print, and ends the cell instead of the process.
func (l *lowerer) processCall(c *astutil.Cursor, n *ast.CallExpr, sel *ast.SelectorExpr) {
	fn, ok := l.info.Uses[sel.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil || fn.Pkg().Path() != "log" {
		return
	}
	if rest, ok := strings.CutPrefix(fn.Name(), "Fatal"); ok {
		sel.Sel = ident("Print"+rest, sel.Sel.Pos())
		l.replace(c, call(l.rt("Fatal", n.Pos()), thunk(n.Pos(), &ast.ExprStmt{X: n})))
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
		l.replace(c, call(l.rt("BuiltinPrint", pos), n.Args...))
	case "println":
		l.replace(c, call(l.rt("BuiltinPrintln", pos), n.Args...))
	case "min", "max":
		l.extremum(c, n, name)
	case "append":
		l.appended(n)
	}
}

// appended takes the values that append gets out of variables first, where they may lie in the
// very slice that it overwrites.
func (l *lowerer) appended(n *ast.CallExpr) {
	if _, ok := ast.Unparen(n.Args[0]).(*ast.SliceExpr); !ok || n.Ellipsis.IsValid() {
		return
	}
	for i, x := range n.Args[1:] {
		switch x.(type) {
		case *ast.IndexExpr, *ast.StarExpr, *ast.SelectorExpr:
			name, pos := l.fresh("v"), x.Pos()
			f := thunk(pos, &ast.ReturnStmt{Return: pos, Results: idents([]string{name}, pos)})
			f.Type.Params.List = []*ast.Field{{Names: []*ast.Ident{ident(name, pos)}, Type: l.typeExpr(l.info.TypeOf(x), x)}}
			f.Type.Results = &ast.FieldList{List: []*ast.Field{{Type: l.typeExpr(l.info.TypeOf(x), x)}}}
			n.Args[i+1] = call(f, x)
		}
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
