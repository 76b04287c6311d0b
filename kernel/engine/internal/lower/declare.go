package lower

import (
	"go/ast"
	"go/token"
	"go/types"
)

// declaration lowers var; the other declarations need no code.
func (x *body) declaration(d *ast.GenDecl) {
	if d.Tok != token.VAR {
		return
	}
	for _, sp := range d.Specs {
		vs := sp.(*ast.ValueSpec)
		if len(vs.Values) == 0 {
			for _, id := range vs.Names {
				if v := x.newVariableOf(id, true); v != nil {
					x.variableWith(v, x.zero(x.subst(v.Type())))
				}
			}
			continue
		}
		lhs := make([]ast.Expr, len(vs.Names))
		for i, id := range vs.Names {
			lhs[i] = id
		}
		x.assign(lhs, vs.Values, true)
	}
}

// initialise runs package initialisers in their order.
func (x *body) initialise(order []*types.Initializer) {
	for _, in := range order {
		lhs := make([]ast.Expr, len(in.Lhs))
		for i, v := range in.Lhs {
			id := &ast.Ident{Name: v.Name(), NamePos: v.Pos()}
			if v.Name() != "_" {
				x.info.Defs[id] = v
			}
			lhs[i] = id
		}
		x.mark(in.Rhs.Pos(), func() { x.assign(lhs, []ast.Expr{in.Rhs}, true) })
	}
}
