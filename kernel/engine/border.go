package engine

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
)

func (l *lowerer) compositeLiteral(n *ast.CompositeLit) {
	t, ok := l.info.TypeOf(n).Underlying().(*types.Struct)
	if !ok {
		return
	}
	for i, x := range n.Elts {
		if kv, ok := x.(*ast.KeyValueExpr); ok {
			id, isIdent := kv.Key.(*ast.Ident)
			at := slices.IndexFunc(slices.Collect(t.Fields()), func(f *types.Var) bool { return isIdent && l.fieldName(f) == id.Name })
			if at >= 0 {
				kv.Value = l.asInterface(kv.Value, t.Field(at).Type())
			}
		} else if i < t.NumFields() {
			n.Elts[i] = l.asInterface(x, t.Field(i).Type())
		}
	}
}

func (l *lowerer) asInterface(x ast.Expr, to types.Type) ast.Expr {
	return l.converted(x, l.info.TypeOf(x), to)
}

func (l *lowerer) converted(x ast.Expr, from, to types.Type) ast.Expr {
	face, ok := to.Underlying().(*types.Interface)
	if !ok || face.Empty() || from == nil || types.IsInterface(from) || !l.ofCell(from) {
		return x
	}
	v, name, pos := l.fresh("v"), l.fresh("i"), x.Pos()
	spec := &ast.ValueSpec{Names: []*ast.Ident{ident(name, pos)}, Type: l.typeExpr(to, x), Values: []ast.Expr{ident(v, pos)}}
	f := thunk(pos, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}}},
		&ast.ReturnStmt{Return: pos, Results: []ast.Expr{ident(name, pos)}})
	f.Type.Params.List = []*ast.Field{{Names: []*ast.Ident{ident(v, pos)}, Type: l.typeExpr(from, x)}}
	f.Type.Results = &ast.FieldList{List: []*ast.Field{{Type: l.typeExpr(to, x)}}}
	return call(f, x)
}

func (l *lowerer) ofCell(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() == l.unit.pkg
}

func (l *lowerer) tag(n *ast.TypeSpec) {
	s, ok := n.Type.(*ast.StructType)
	if !ok || n.Assign.IsValid() || len(s.Fields.List) == 0 {
		return
	}
	f := s.Fields.List[0]
	text := ""
	if f.Tag != nil {
		text, _ = strconv.Unquote(f.Tag.Value)
		text += " "
	}
	f.Tag = &ast.BasicLit{ValuePos: n.Pos(), Kind: token.STRING, Value: strconv.Quote(text + `cell:"` + l.unit.name[len(unitMark):] + l.fresh(".") + `"`)}
}
