package engine

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/ast/astutil"
)

// lowerer rewrites checked Go into the part of Go that the interpreter does right: unique
// names, constants as literals, explicit type arguments, no defer, recover or go statements,
// one variable an iteration. It changes the unit's syntax tree.
type lowerer struct {
	unit    *unit
	lib     *library
	info    *types.Info
	used    map[string]string // alias to path of the packages in use
	locals  map[types.Object]string
	renamed map[*ast.Ident]string // identifiers that mean the copy a loop body works on
	funcs   []*function
	count   int
	err     *CompileError

	captures  map[types.Object]bool
	pending   map[ast.Node][]ast.Stmt // copies that must follow the beginning of a statement
	selected  map[ast.Expr]bool       // receptions that are cases of a select
	asChecked bool                    // write types with the names of the unit, not the interpreter's
}

// function is what the lowerer knows of the function it is in.
type function struct {
	indirect bool // calls functions of cells through variables, to see redefinitions
	defers   bool
	calls    bool // calls interpreted code
	loops    int  // around the current node
	list     string
	results  []string
}

const runtimeAlias = "p" + mark + "rt"

func (l *lowerer) fresh(name string) string {
	l.count++
	return name + mark + itoa(l.count)
}

// limit records the first construct that cannot be run.
func (l *lowerer) limit(at ast.Node, text, hint string) {
	if l.err == nil {
		l.err = newError("limit", l.unit.locate(l.unit.file.Offset(at.Pos())), text)
		l.err.Hint = hint
	}
}

func (l *lowerer) current() *function { return l.funcs[len(l.funcs)-1] }

func (l *lowerer) rt(name string, pos token.Pos) ast.Expr {
	l.used[runtimeAlias] = runtimePath
	return &ast.SelectorExpr{X: ident(runtimeAlias, pos), Sel: ident(name, pos)}
}

func ident(name string, pos token.Pos) *ast.Ident { return &ast.Ident{Name: name, NamePos: pos} }

func call(fun ast.Expr, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: fun, Lparen: fun.Pos(), Args: args, Rparen: fun.Pos()}
}

func assign(lhs []ast.Expr, tok token.Token, rhs ...ast.Expr) *ast.AssignStmt {
	return &ast.AssignStmt{Lhs: lhs, TokPos: lhs[0].Pos(), Tok: tok, Rhs: rhs}
}

func block(pos token.Pos, list ...ast.Stmt) *ast.BlockStmt {
	return &ast.BlockStmt{Lbrace: pos, List: list, Rbrace: pos}
}

// thunk is func() { list }.
func thunk(pos token.Pos, list ...ast.Stmt) *ast.FuncLit {
	return &ast.FuncLit{Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{Opening: pos, Closing: pos}}, Body: block(pos, list...)}
}

// apply lowers one node.
func (l *lowerer) apply(n ast.Node) ast.Node { return astutil.Apply(n, l.pre, l.post) }

func (l *lowerer) replace(c *astutil.Cursor, with ast.Expr) {
	if old, ok := c.Node().(ast.Expr); ok {
		if tv, ok := l.info.Types[old]; ok {
			l.info.Types[with] = tv
		}
	}
	c.Replace(with)
}

func (l *lowerer) pre(c *astutil.Cursor) bool {
	if e, ok := c.Node().(ast.Expr); ok {
		tv := l.info.Types[e]
		_, literal := e.(*ast.BasicLit)
		if tv.Value != nil && !literal {
			l.replace(c, l.constant(e, tv))
			return false
		}
	}
	switch n := c.Node().(type) {
	case *ast.Ident:
		l.identifier(c, n)
	case *ast.SelectorExpr:
		if id, ok := n.X.(*ast.Ident); ok {
			if p, ok := l.info.Uses[id].(*types.PkgName); ok {
				with := l.bound(p.Imported().Path(), n.Sel.Name, n.Pos())
				l.info.Uses[with.Sel] = l.info.Uses[n.Sel]
				l.replace(c, with)
				return false
			}
		}
	case *ast.FuncDecl:
		l.enter(n.Type, n.Body, n.Recv != nil)
	case *ast.FuncLit:
		l.enter(n.Type, n.Body, true)
	case *ast.DeferStmt:
		l.current().defers = true
	case *ast.ForStmt:
		l.current().loops++
		l.forVariables(c, n)
	case *ast.RangeStmt:
		l.current().loops++
		l.rangeVariables(n)
	case *ast.TypeSwitchStmt:
		l.clauses(n)
		l.switchSymbol(n)
	case *ast.TypeAssertExpr:
		l.assertion(n)
	case *ast.TypeSpec:
		l.tag(n)
	case *ast.CommClause:
		if a, ok := n.Comm.(*ast.AssignStmt); ok {
			l.selected[ast.Unparen(a.Rhs[0])] = true
		}
	}
	return true
}

// bound is a symbol of a bound package.
func (l *lowerer) bound(path, name string, pos token.Pos) *ast.SelectorExpr {
	if redirected[path][name] {
		path = runtimePath
	}
	alias := l.lib.alias(path)
	l.used[alias] = path
	return &ast.SelectorExpr{X: ident(alias, pos), Sel: ident(name, pos)}
}

// identifier gives one identifier its unique name.
func (l *lowerer) identifier(c *astutil.Cursor, id *ast.Ident) {
	obj := l.info.Uses[id]
	if obj == nil {
		obj = l.info.Defs[id]
	}
	if name, ok := l.renamed[id]; ok {
		id.Name = name
		return
	}
	switch obj := obj.(type) {
	case nil, *types.PkgName, *types.Builtin, *types.Nil:
		return
	case *types.Var:
		if obj.IsField() {
			id.Name = l.fieldName(obj)
			return
		}
	case *types.Func:
		if obj.Signature().Recv() != nil {
			return
		}
	}
	if obj.Pkg() == nil || id.Name == "_" {
		return
	}
	if obj.Pkg() != l.unit.pkg {
		c.Replace(l.bound(obj.Pkg().Path(), obj.Name(), id.Pos()))
		return
	}
	id.Name = l.name(obj)
	fn, isFunc := obj.(*types.Func)
	if isFunc && l.info.Defs[id] == nil && len(l.funcs) > 0 && l.current().indirect && fn.Signature().TypeParams().Len() == 0 {
		id.Name = l.unit.variables[obj.Name()]
	}
}

// name is the unique name of an object of the cells.
func (l *lowerer) name(obj types.Object) string {
	if obj.Parent() == l.unit.pkg.Scope() {
		if n, ok := l.unit.names[obj.Name()]; ok {
			return n
		}
		return obj.Name()
	}
	n, ok := l.locals[obj]
	if !ok {
		n = l.fresh(obj.Name())
		l.locals[obj] = n
	}
	return n
}

// fieldName is the name of a field, which for an embedded one is that of its type.
func (l *lowerer) fieldName(f *types.Var) string {
	if !f.Embedded() {
		return f.Name()
	}
	t := types.Unalias(f.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	if n, ok := t.(*types.Named); ok && n.Obj().Pkg() == l.unit.pkg {
		return l.name(n.Obj())
	}
	return f.Name()
}

func (l *lowerer) enter(t *ast.FuncType, body *ast.BlockStmt, indirect bool) {
	f := &function{indirect: indirect}
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.DeferStmt:
			f.defers = true
		case *ast.CallExpr:
			f.calls = f.calls || l.callsCell(n)
		}
		return true
	})
	if f.defers {
		f.list = l.fresh("d")
	}
	l.funcs = append(l.funcs, f)
	if !f.defers || t.Results == nil {
		return
	}
	for _, field := range t.Results.List {
		if len(field.Names) == 0 {
			field.Names = []*ast.Ident{ident("_", field.Pos())}
		}
		for _, id := range field.Names {
			if obj := l.info.Defs[id]; obj != nil && id.Name != "_" {
				f.results = append(f.results, l.name(obj))
				continue
			}
			id.Name = l.fresh("r")
			l.renamed[id] = id.Name
			f.results = append(f.results, id.Name)
		}
	}
}

// callsCell tells whether a call may run interpreted code, and so recurse.
func (l *lowerer) callsCell(n *ast.CallExpr) bool {
	tv := l.info.Types[n.Fun]
	if tv.IsType() || tv.IsBuiltin() {
		return false
	}
	var id *ast.Ident
	switch f := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		id = f
	case *ast.SelectorExpr:
		id = f.Sel
	case *ast.FuncLit:
		return false
	default:
		return true
	}
	fn, ok := l.info.Uses[id].(*types.Func)
	return !ok || fn.Pkg() == l.unit.pkg || fn.Pkg() == nil
}

func (l *lowerer) post(c *astutil.Cursor) bool {
	switch n := c.Node().(type) {
	case *ast.Ident:
		if inst, ok := l.info.Instances[n]; ok {
			l.instance(c, n, inst)
		}
	case *ast.CallExpr:
		l.callExpression(c, n)
	case *ast.IndexExpr, *ast.TypeAssertExpr, *ast.UnaryExpr:
		l.commaOk(c, n.(ast.Expr))
	case *ast.CompositeLit:
		l.compositeLiteral(n)
	case *ast.FuncLit:
		l.leave(n.Type, n.Body)
	case *ast.FuncDecl:
		l.leave(n.Type, n.Body)
	case *ast.ReturnStmt:
		l.returnStatement(c, n)
	case *ast.DeferStmt:
		push := &ast.SelectorExpr{X: ident(l.current().list, n.Pos()), Sel: ident("Push", n.Pos())}
		c.Replace(block(n.Pos(), l.later(n.Call, push)...))
	case *ast.GoStmt:
		c.Replace(block(n.Pos(), l.later(n.Call, l.rt("Go", n.Pos()))...))
	case *ast.ForStmt:
		l.current().loops--
	case *ast.AssignStmt:
		if n.Tok == token.DEFINE {
			l.definition(c, n.Lhs)
		}
	case *ast.IfStmt:
		l.hoist(c, &n.Init)
	case *ast.SwitchStmt:
		l.hoist(c, &n.Init)
	case *ast.TypeSwitchStmt:
		l.typeSwitch(c, n)
	case *ast.CommClause:
		n.Body = append(l.pending[n], n.Body...)
	case *ast.RangeStmt:
		l.current().loops--
		if b, ok := l.info.TypeOf(n.X).Underlying().(*types.Basic); ok && b.Info()&types.IsInteger != 0 {
			c.Replace(l.rangeInt(n))
		}
	case *ast.DeclStmt:
		d := n.Decl.(*ast.GenDecl)
		switch d.Tok {
		case token.CONST:
			c.Replace(&ast.EmptyStmt{Semicolon: n.Pos()})
		case token.VAR:
			var defs []ast.Expr
			for _, spec := range d.Specs {
				for _, id := range spec.(*ast.ValueSpec).Names {
					defs = append(defs, id)
				}
			}
			l.definition(c, defs)
		}
	}
	return true
}

// leave finishes a function: calls in it are checked for depth, deferred calls get their list.
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

func idents(names []string, pos token.Pos) []ast.Expr {
	out := make([]ast.Expr, len(names))
	for i, n := range names {
		out[i] = ident(n, pos)
	}
	return out
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

// later takes the call of a go or defer statement apart: what is evaluated now goes to
// variables, and a function that makes the call goes to the runtime function to.
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
	f := l.fresh("f")
	list = append(list, assign([]ast.Expr{ident(f, pos)}, token.DEFINE, lit))
	return append(list, &ast.ExprStmt{X: call(to, ident(f, pos))})
}

// constant is a literal for a constant expression.
func (l *lowerer) constant(e ast.Expr, tv types.TypeAndValue) ast.Expr {
	pos := e.Pos()
	basic, ok := tv.Type.Underlying().(*types.Basic)
	if !ok {
		basic = types.Typ[types.UntypedInt]
	}
	lit := literal(tv.Value, basic, pos)
	if lit == nil {
		l.limit(e, "the constant "+tv.Value.String()+" is too large", "use math/big")
		return e
	}
	if plain, ok := types.Unalias(tv.Type).(*types.Basic); ok {
		switch plain.Kind() {
		case types.Bool, types.String, types.Int, types.UntypedBool, types.UntypedString, types.UntypedInt,
			types.UntypedFloat, types.Float64, types.UntypedNil:
			return lit
		case types.UntypedRune:
			return call(ident("rune", pos), lit)
		}
	}
	return call(&ast.ParenExpr{Lparen: pos, X: l.typeExpr(tv.Type, e), Rparen: pos}, lit)
}

// literal writes a value as a literal of the given kind of type.
func literal(v constant.Value, t *types.Basic, pos token.Pos) ast.Expr {
	number := func(kind token.Token, s string) ast.Expr {
		if rest, ok := strings.CutPrefix(s, "-"); ok {
			return &ast.UnaryExpr{OpPos: pos, Op: token.SUB, X: &ast.BasicLit{ValuePos: pos, Kind: kind, Value: rest}}
		}
		return &ast.BasicLit{ValuePos: pos, Kind: kind, Value: s}
	}
	switch info := t.Info(); {
	case info&types.IsBoolean != 0:
		return ident(strconv.FormatBool(constant.BoolVal(v)), pos)
	case info&types.IsString != 0:
		return &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(constant.StringVal(v))}
	case info&types.IsInteger != 0:
		return number(token.INT, constant.ToInt(v).ExactString())
	case info&types.IsFloat != 0:
		f, _ := constant.Float64Val(constant.ToFloat(v))
		if t.Kind() == types.Float32 {
			f32, _ := constant.Float32Val(constant.ToFloat(v))
			f = float64(f32)
		}
		if math.IsInf(f, 0) {
			return nil
		}
		s := strconv.FormatFloat(f, 'g', -1, 64)
		if !strings.ContainsAny(s, ".e") {
			s += ".0"
		}
		return number(token.FLOAT, s)
	case info&types.IsComplex != 0:
		v = constant.ToComplex(v)
		re := literal(constant.Real(v), types.Typ[types.Float64], pos)
		im := literal(constant.Imag(v), types.Typ[types.Float64], pos)
		return call(ident("complex", pos), re, im)
	}
	return nil
}

func (l *lowerer) instance(c *astutil.Cursor, id *ast.Ident, inst types.Instance) {
	if _, isFunc := l.info.Uses[id].(*types.Func); !isFunc {
		return
	}
	args := make([]ast.Expr, inst.TypeArgs.Len())
	for i := range args {
		args[i] = l.typeExpr(inst.TypeArgs.At(i), id)
	}
	switch p := c.Parent().(type) {
	case *ast.IndexExpr:
		if c.Name() == "X" {
			if len(args) > 1 {
				l.limit(p, "some but not all type arguments are given", "write all of them")
			}
			return
		}
	case *ast.IndexListExpr:
		if c.Name() == "X" {
			p.Indices = args
			return
		}
	}
	if len(args) == 1 {
		l.replace(c, &ast.IndexExpr{X: id, Lbrack: id.Pos(), Index: args[0], Rbrack: id.Pos()})
		return
	}
	l.replace(c, &ast.IndexListExpr{X: id, Lbrack: id.Pos(), Indices: args, Rbrack: id.Pos()})
}

// compositeLiteral helps the interpreter to put its own values into the interface fields of
// compiled structs.
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

// asInterface converts an interpreted value to a compiled interface by way of a variable.
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

// ofCell tells a type that a cell declared, or a pointer to one.
func (l *lowerer) ofCell(t types.Type) bool {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	n, ok := t.(*types.Named)
	return ok && n.Obj().Pkg() == l.unit.pkg
}

// tag makes a struct type of a cell different from all others for reflection, by which the
// interpreter tells types apart.
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
