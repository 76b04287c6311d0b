package engine

import (
	"go/ast"
	"go/token"
	"go/types"

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
func idents(names []string, pos token.Pos) []ast.Expr {
	out := make([]ast.Expr, len(names))
	for i, n := range names {
		out[i] = ident(n, pos)
	}
	return out
}

// later takes the call of a go or defer statement apart: what is evaluated now goes to
// variables, and a function that makes the call goes to the runtime function to.
// constant is a literal for a constant expression.
// literal writes a value as a literal of the given kind of type.
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
// asInterface converts an interpreted value to a compiled interface by way of a variable.
// ofCell tells a type that a cell declared, or a pointer to one.
// tag makes a struct type of a cell different from all others for reflection, by which the
// interpreter tells types apart.
