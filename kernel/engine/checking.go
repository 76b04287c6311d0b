package engine

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/check"
)

// checked is a cell that the type-checker accepts.
type checked struct {
	*plan
	info *types.Info
	old  map[string]*types.Var // variables of earlier cells that the cell declares anew
	file *ast.File

	inherited map[string]*types.Var // variables of earlier cells whose types the cell renews
	renewing  []ast.Decl            // that declare them
}

// check type-checks a cell with what earlier cells declared. The package is one for all cells, so
// that types of different cells can see each other's fields; its scope is made anew for each.
func (e *Engine) check(s *syntax) (*checked, error) {
	p := e.plan(s, e.changes(s))
	c, err := e.checkPlan(p)
	if err != nil {
		return nil, err
	}
	if retyped := e.retyped(p); len(retyped) > 0 && e.needs(p, retyped) {
		for n := range e.changes(s) {
			retyped[n] = true
		}
		return e.checkPlan(e.plan(s, retyped))
	}
	return c, nil
}

func (e *Engine) checkPlan(p *plan) (*checked, error) {
	c := &checked{plan: p, old: map[string]*types.Var{}, inherited: map[string]*types.Var{}}
	scope := types.NewScope(types.Universe, token.NoPos, token.NoPos, "")
	*e.pkg.Scope() = *scope
	imported := map[string]bool{}
	for _, im := range p.imports {
		imported[importName(im)] = true
	}
	for n, o := range e.state.scope {
		v, isVar := o.(*types.Var)
		switch {
		case imported[n]:
		case !p.has(n) && !p.renewed[n]:
			if isVar {
				if d := e.heir(p, v); d != nil {
					c.inherited[n] = v
					c.renewing = append(c.renewing, d)
					continue
				}
			}
			e.pkg.Scope().Insert(o)
		case isVar && p.vars[n]:
			was := types.NewVar(v.Pos(), e.pkg, n+oldMark, v.Type())
			e.pkg.Scope().Insert(was)
			e.lowerer.Rename(was, v)
			c.old[n] = v
		}
	}
	errs := e.typeCheck(c)
	if wrap := unusedResult(p, errs); wrap {
		*e.pkg.Scope() = *types.NewScope(types.Universe, token.NoPos, token.NoPos, "")
		last := p.items[len(p.items)-1]
		if id, ok := last.result.(*ast.Ident); ok && id.Name == "nil" { // which has no type of its own
			last.result = &ast.CallExpr{Fun: &ast.Ident{Name: "any", NamePos: id.Pos()}, Lparen: id.Pos(), Args: []ast.Expr{id}, Rparen: id.End()}
		}
		last.stmt = &ast.AssignStmt{Lhs: []ast.Expr{&ast.Ident{Name: "_", NamePos: last.result.Pos()}}, TokPos: last.result.Pos(), Tok: token.ASSIGN, Rhs: []ast.Expr{last.result}}
		return e.checkPlan(p)
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return c, nil
}

// unusedResult tells that the only complaint is that the cell's last expression is not used.
func unusedResult(p *plan, errs typeErrorList) bool {
	if len(p.items) == 0 {
		return false
	}
	last := p.items[len(p.items)-1]
	if _, ok := last.stmt.(*ast.ExprStmt); !ok || last.result == nil {
		return false
	}
	for _, x := range errs {
		if strings.HasSuffix(x.Msg, "is not used") && x.Pos >= last.result.Pos() && x.Pos < last.result.End() {
			return true
		}
	}
	return false
}

func (e *Engine) typeCheck(c *checked) typeErrorList {
	c.info = check.NewInfo()
	c.file = e.assemble(c)
	var errs typeErrorList
	conf := types.Config{Importer: e.packages, GoVersion: check.GoVersion, Error: func(err error) {
		t, ok := err.(types.Error)
		if !ok {
			t = types.Error{Fset: e.fset, Msg: err.Error()}
		}
		if !c.program && (strings.Contains(t.Msg, "declared and not used") || strings.Contains(t.Msg, "imported") && strings.HasSuffix(t.Msg, "and not used")) {
			return
		}
		errs = append(errs, t)
	}}
	types.NewChecker(&conf, e.fset, e.pkg, c.info).Files([]*ast.File{c.file})
	if len(errs) == 0 {
		errs = e.orderErrors(c)
	}
	return errs
}

// assemble makes one file of the cell's declarations, of earlier ones to be renewed, and of its
// statements, each in a function of its own.
func (e *Engine) assemble(c *checked) *ast.File {
	f, err := parser.ParseFile(e.fset, c.name, "package main\n", 0)
	if err != nil {
		panic("engine: " + err.Error())
	}
	used := map[string]bool{}
	note := func(n ast.Node) {
		ast.Inspect(n, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if id, ok := s.X.(*ast.Ident); ok {
					used[id.Name] = true
				}
			}
			return true
		})
	}
	for _, d := range c.decls {
		note(d)
	}
	for _, d := range c.renewing {
		note(d)
	}
	var body []ast.Decl
	for _, it := range c.items {
		if it.spec != nil {
			renameOld(it.spec, c.old)
			note(it.spec)
			body = append(body, &ast.GenDecl{Tok: token.VAR, TokPos: it.spec.Pos(), Specs: []ast.Spec{it.spec}})
			continue
		}
		note(it.stmt)
		it.fn = &ast.FuncDecl{Name: &ast.Ident{Name: "_", NamePos: it.stmt.Pos()}, Type: &ast.FuncType{Func: it.stmt.Pos(), Params: &ast.FieldList{}},
			Body: &ast.BlockStmt{Lbrace: it.stmt.Pos(), List: []ast.Stmt{it.stmt}, Rbrace: it.stmt.End()}}
		body = append(body, it.fn)
	}
	e.importing(c, f, used)
	f.Decls = append(append(append(f.Decls, c.decls...), c.renewing...), body...)
	return f
}

// importing adds the imports of the cell, of earlier cells and of the packages used without one.
func (e *Engine) importing(c *checked, f *ast.File, used map[string]bool) {
	add := func(s *ast.ImportSpec) {
		f.Imports = append(f.Imports, s)
		f.Decls = append(f.Decls, &ast.GenDecl{Tok: token.IMPORT, TokPos: s.Pos(), Specs: []ast.Spec{s}})
	}
	have := map[string]bool{}
	for _, s := range c.imports {
		add(s)
		have[importName(s)] = true
	}
	named := func(name, path string) *ast.ImportSpec {
		return &ast.ImportSpec{Name: ast.NewIdent(name), Path: &ast.BasicLit{Kind: token.STRING, Value: fmt.Sprintf("%q", path)}}
	}
	if c.program {
		return
	}
	for _, path := range e.state.dots {
		add(named(".", path))
	}
	for n := range used {
		if have[n] || c.has(n) || c.renewed[n] || e.pkg.Scope().Lookup(n) != nil {
			continue
		}
		path, ok := e.state.imports[n]
		if !ok {
			path, ok = e.packages.ByName(n)
		}
		if ok {
			add(named(n, path))
		}
	}
}

// importName is the name by which an import is used; a package whose name differs from the end of
// its path is named by the type-checker, and then this is only a guess.
func importName(s *ast.ImportSpec) string {
	if s.Name != nil {
		return s.Name.Name
	}
	path := strings.Trim(s.Path.Value, "\"`")
	base := path[strings.LastIndex(path, "/")+1:]
	if len(base) > 1 && base[0] == 'v' && strings.Trim(base[1:], "0123456789") == "" {
		path = strings.TrimSuffix(path, "/"+base)
		base = path[strings.LastIndex(path, "/")+1:]
	}
	return base
}

// orderErrors refuses statements that use a variable which the cell declares only later: they
// would read it before it has its value.
func (e *Engine) orderErrors(c *checked) (errs typeErrorList) {
	if c.program {
		return nil
	}
	later := map[types.Object]bool{}
	for _, it := range c.items {
		if it.spec != nil {
			for _, id := range it.spec.Names {
				if o := c.info.Defs[id]; o != nil {
					later[o] = true
				}
			}
		}
	}
	for _, it := range c.items {
		n := ast.Node(it.stmt)
		if it.spec != nil {
			if !it.define {
				for _, id := range it.spec.Names {
					delete(later, c.info.Defs[id])
				}
				continue
			}
			n = it.spec
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && later[c.info.Uses[id]] {
				errs = append(errs, types.Error{Fset: e.fset, Pos: id.Pos(), Msg: "undefined: " + id.Name + " (it is declared later in the cell)"})
			}
			return true
		})
		if it.spec != nil {
			for _, id := range it.spec.Names {
				delete(later, c.info.Defs[id])
			}
		}
	}
	return errs
}
