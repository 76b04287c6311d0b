package lower

import (
	"go/ast"
	"go/types"
)

// recovery says what recover() means in a lowered form of a function. It stops a panic only where
// the function was deferred itself.
type recovery int

const (
	never  recovery = iota // called by its name: nil
	listed                 // deferred by its name; the first parameter is the list that runs it
	armed                  // called as a value or through an interface: perhaps deferred
)

// notDeferred stands for the list of a function literal that is called where it stands.
const notDeferred = "-"

// callsRecover tells whether a function body calls recover itself.
func callsRecover(block *ast.BlockStmt) bool {
	found := false
	ast.Inspect(block, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.CallExpr:
			if id, ok := ast.Unparen(n.Fun).(*ast.Ident); ok && id.Name == "recover" {
				found = true
			}
		}
		return !found
	})
	return found
}

// recovers tells a declared function that calls recover itself.
func (x *body) recovers(fun ast.Expr) bool {
	f, sel := x.declaredFunction(fun)
	if f == nil || sel != nil && sel.Kind() != types.MethodVal {
		return false
	}
	if sel != nil {
		t := x.subst(sel.Recv())
		o, path, _ := types.LookupFieldOrMethod(t, true, f.Pkg(), f.Name())
		m, ok := o.(*types.Func)
		if !ok || len(path) == 0 || types.IsInterface(m.Signature().Recv().Type()) {
			return false
		}
		f = m
	}
	d, ok := x.declarations[f.Origin()]
	return ok && d.node.Body != nil && callsRecover(d.node.Body)
}

func isLiteralFunction(e ast.Expr) bool {
	_, ok := e.(*ast.FuncLit)
	return ok
}

// deferStatement puts a call on the function's list.
func (x *body) deferStatement(c *ast.CallExpr) {
	fun := ast.Unparen(c.Fun)
	push := x.defers + ".Push("
	if b := x.builtinOf(fun); b != "" {
		text := x.later(c)
		if b == "recover" { // works when the function returns, not when it panics itself
			text = "if !" + x.defers + ".Panicking() {\n" + text + "}\n"
		}
		x.line(push + x.closureValue("func() {\n"+text+"}") + ")")
		return
	}
	if lit, ok := fun.(*ast.FuncLit); ok && len(c.Args) == 0 && x.typeOf(lit).(*types.Signature).Results().Len() == 0 {
		x.line(push + x.closureValue(x.closure(lit, x.defers)) + ")")
		return
	}
	switch f, sel := x.declaredFunction(fun); {
	case sel != nil && isInterface(x.subst(sel.Recv())):
		push = x.defers + ".PushMethod("
	case f == nil && !isLiteralFunction(fun):
		push = x.defers + ".PushAny("
	}
	text := x.evaluated(c, x.defers)
	x.line(push + x.closureValue("func() { "+text+" }") + ")")
}
