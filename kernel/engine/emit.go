package engine

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// program is the lowered form of one cell, and what to show of it.
type program struct {
	file    *ast.File
	start   string // the function that runs the cell
	added   []*decl
	places  []origin       // of the cell's statements
	steps   map[string]int // variable to the statement that declares it, from 1
	fresh   map[string]bool
	results []types.Type // of the shown expression
	shownAt origin
}

// emit lowers a checked plan.
func (p *plan) emit() (*program, *CompileError) {
	e, u := p.engine, p.unit
	prog := &program{steps: map[string]int{}, fresh: map[string]bool{}}
	l := &lowerer{unit: u, lib: e.library, info: u.info, used: map[string]string{},
		locals: map[types.Object]string{}, renamed: map[*ast.Ident]string{},
		pending: map[ast.Node][]ast.Stmt{}, selected: map[ast.Expr]bool{}}
	l.capture()
	p.nameAll(prog)
	entry := &function{indirect: true, list: "d" + mark}
	var decls []ast.Decl
	for _, d := range prog.added {
		decls = append(decls, p.storage(l, d, prog)...)
	}
	var body, last []ast.Stmt
	for i, owner := range u.owners {
		switch o := owner.(type) {
		case *decl:
			if p.changed[o.key()] && !o.outdated() && o.kind != varItem {
				decls = append(decls, l.declaration(u.ast.Decls[i], o.kind)...)
			}
		case *item:
			switch o.kind {
			case varItem, statementItem:
				l.funcs = []*function{entry}
				prog.places = append(prog.places, origin{cell: o.cell, source: p.cell.Source, line: o.line, column: o.column})
				body = append(body, l.step(len(prog.places), u.ast.Package))
				body = append(body, l.item(u.ast.Decls[i], o, prog)...)
				l.funcs = nil
			default:
				decls = append(decls, l.declaration(u.ast.Decls[i], o.kind)...)
				last = append(last, p.afterwards(u.ast.Decls[i], o)...)
			}
		}
	}
	if l.err != nil {
		return nil, l.err
	}
	pos := u.ast.Package
	body = append(body, l.step(len(prog.places)+1, pos))
	var holders []ast.Stmt
	for _, d := range prog.added {
		if d.holder != "" {
			holders = append(holders, assign(idents([]string{d.holder}, pos), token.ASSIGN, ident(d.unit, pos)))
		}
	}
	decls = append(decls, p.entry(l, prog, slices.Concat(holders, body, last))...)
	if l.err != nil {
		return nil, l.err
	}
	prog.file = &ast.File{Package: pos, Name: ident("main", pos), Decls: append(imports(l.used, pos), decls...)}
	return prog, nil
}

// nameAll gives every declaration of the cell, and every new version, its name in the
// interpreter.
func (p *plan) nameAll(prog *program) {
	st, u := &p.engine.state, p.unit
	for _, owner := range u.owners {
		switch o := owner.(type) {
		case *decl:
			if p.changed[o.key()] && !o.outdated() && o.kind != varItem {
				d := *o
				p.nameDecl(&d, prog)
			}
		case *item:
			if o.kind == statementItem || o.kind == constItem {
				p.constants(o, prog)
				continue
			}
			at := origin{cell: o.cell, source: p.cell.Source, line: o.line, column: o.column - len(o.prefix)}
			if o.kind != varItem {
				if o.names[0] == "init" && o.kind == funcItem {
					continue
				}
				p.nameDecl(&decl{kind: o.kind, name: o.names[0], recv: o.recv, text: o.prefix + o.text, origin: at}, prog)
				continue
			}
			for _, name := range o.names {
				text := p.varType[name]
				if text == "" || u.names[name] != "" {
					continue
				}
				d := &decl{kind: varItem, name: name, text: text, origin: at, uses: usesOf(text)}
				old := st.find(name)
				if old != nil && old.kind == varItem && !p.retyped[name] {
					d.unit = old.unit
				} else {
					d.unit = st.unitName(name, false)
					prog.fresh[name] = true
				}
				u.names[name] = d.unit
				prog.added = append(prog.added, d)
			}
		}
	}
}

func (p *plan) nameDecl(d *decl, prog *program) {
	st, u := &p.engine.state, p.unit
	d.uses = usesOf(d.text)
	prog.added = append(prog.added, d)
	if d.kind == methodItem {
		return
	}
	old := st.find(d.name)
	d.unit = st.unitName(d.name, d.kind == typeItem)
	d.holder = ""
	if fn, ok := u.pkg.Scope().Lookup(d.name).(*types.Func); ok && d.kind == funcItem && fn.Signature().TypeParams().Len() == 0 {
		d.holder = d.unit + mark + "v"
		if old != nil && old.holder != "" && p.same[d.name] {
			d.holder = old.holder
		}
		u.variables[d.name] = d.holder
	}
	u.names[d.name] = d.unit
}

// constants keeps the cell's constants by value.
func (p *plan) constants(it *item, prog *program) {
	l := &lowerer{unit: p.unit, lib: p.engine.library, info: p.unit.info, used: map[string]string{}, asChecked: true}
	for _, name := range it.names {
		c, ok := p.unit.pkg.Scope().Lookup(name).(*types.Const)
		if !ok {
			continue
		}
		text := "const " + name
		if b, ok := c.Type().(*types.Basic); !ok || b.Info()&types.IsUntyped == 0 {
			text += " " + l.typeText(c.Type())
		}
		text += " = " + c.Val().ExactString()
		if b, ok := c.Type().(*types.Basic); ok && b.Kind() == types.UntypedFloat && !strings.ContainsAny(c.Val().ExactString(), "./e") {
			text += ".0"
		}
		at := origin{cell: it.cell, source: p.cell.Source, line: it.line, column: it.column}
		prog.added = append(prog.added, &decl{kind: constItem, name: name, text: text, uses: usesOf(text), origin: at})
	}
}

// storage declares a new variable, or the holder of a new function.
func (p *plan) storage(l *lowerer, d *decl, prog *program) []ast.Decl {
	name := d.holder
	switch {
	case d.kind == varItem && prog.fresh[d.name]:
		name = d.unit
	case d.kind == funcItem && d.holder != "" && !strings.HasPrefix(d.holder, d.unit+mark):
		return nil // the holder of the version before
	case d.kind != funcItem:
		return nil
	}
	if name == "" {
		return nil
	}
	pos := p.unit.ast.Package
	t := p.unit.pkg.Scope().Lookup(d.name).Type()
	spec := &ast.ValueSpec{Names: []*ast.Ident{ident(name, pos)}, Type: l.typeExpr(t, p.unit.ast.Name)}
	return []ast.Decl{&ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}}}
}

// declaration lowers a type, function or method. Constants are gone: their uses are literals.
func (l *lowerer) declaration(d ast.Decl, kind itemKind) []ast.Decl {
	if kind == constItem {
		return nil
	}
	if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil {
		l.limit(f, "a function without a body", "")
		return nil
	}
	return []ast.Decl{l.apply(d).(ast.Decl)}
}

// afterwards runs init and main at the end of the cell that declares them.
func (p *plan) afterwards(d ast.Decl, it *item) []ast.Stmt {
	pos := p.unit.ast.Package
	f, ok := d.(*ast.FuncDecl)
	if !ok || it.kind != funcItem {
		return nil
	}
	switch it.names[0] {
	case "main":
		return []ast.Stmt{&ast.ExprStmt{X: call(ident(p.unit.names["main"], pos))}}
	case "init":
		return []ast.Stmt{&ast.ExprStmt{X: call(ident(f.Name.Name, pos))}}
	}
	return nil
}

// item lowers a variable declaration or a statement to statements of the cell's function.
func (l *lowerer) item(d ast.Decl, it *item, prog *program) []ast.Stmt {
	if f, ok := d.(*ast.FuncDecl); ok {
		return l.statements(f, it, prog)
	}
	var out []ast.Stmt
	for _, spec := range d.(*ast.GenDecl).Specs {
		spec := spec.(*ast.ValueSpec)
		lhs := make([]ast.Expr, len(spec.Names))
		names := spec.Names
		if it.define {
			names = assigned(it)
		}
		for i, id := range names {
			lhs[i] = ident(id.Name, spec.Names[i].Pos())
			if unit, ok := l.unit.names[id.Name]; ok && id.Name != "_" {
				lhs[i] = ident(unit, spec.Names[i].Pos())
				prog.steps[id.Name] = len(prog.places)
			}
		}
		out = append(out, l.assignment(spec, lhs)...)
	}
	return out
}

// step tells the runtime which statement of the cell begins.
func (l *lowerer) step(n int, pos token.Pos) ast.Stmt {
	return &ast.ExprStmt{X: call(l.rt("Step", pos), &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.Itoa(n)})}
}

func (l *lowerer) assignment(spec *ast.ValueSpec, lhs []ast.Expr) []ast.Stmt {
	if len(spec.Values) > 0 {
		rhs := make([]ast.Expr, len(spec.Values))
		for i, x := range spec.Values {
			rhs[i] = l.expression(x)
		}
		return []ast.Stmt{assign(lhs, token.ASSIGN, rhs...)}
	}
	var out []ast.Stmt
	for i, id := range spec.Names {
		if id.Name == "_" {
			continue
		}
		zero := l.fresh("z")
		t := l.typeExpr(l.info.Defs[id].Type(), id)
		decl := &ast.GenDecl{TokPos: id.Pos(), Tok: token.VAR, Specs: []ast.Spec{&ast.ValueSpec{Names: []*ast.Ident{ident(zero, id.Pos())}, Type: t}}}
		out = append(out, &ast.DeclStmt{Decl: decl}, assign(lhs[i:i+1], token.ASSIGN, ident(zero, id.Pos())))
	}
	return out
}

// expression lowers an expression that has no parent in the tree.
func (l *lowerer) expression(x ast.Expr) ast.Expr {
	holder := &ast.ParenExpr{Lparen: x.Pos(), X: x, Rparen: x.End()}
	return l.apply(holder).(*ast.ParenExpr).X
}

// statements lowers a statement, with the expression that the cell shows.
func (l *lowerer) statements(f *ast.FuncDecl, it *item, prog *program) []ast.Stmt {
	if !it.show {
		l.apply(f.Body)
		return f.Body.List
	}
	x := f.Body.List[0].(*ast.ExprStmt).X
	tv := l.info.Types[x]
	prog.shownAt = l.unit.locate(l.unit.file.Offset(x.Pos()))
	printing := l.prints(x)
	lowered := l.expression(x)
	if tv.IsVoid() || printing || tv.Type == nil {
		return []ast.Stmt{&ast.ExprStmt{X: lowered}}
	}
	pos := x.Pos()
	var ts []types.Type
	if tuple, ok := tv.Type.(*types.Tuple); ok {
		for i := range tuple.Len() {
			ts = append(ts, tuple.At(i).Type())
		}
	} else {
		ts = []types.Type{types.Default(tv.Type)}
	}
	if len(ts) == 0 {
		return []ast.Stmt{&ast.ExprStmt{X: lowered}}
	}
	if b, ok := ts[0].(*types.Basic); ok && b.Kind() == types.UntypedNil {
		return nil
	}
	names := make([]string, len(ts))
	out := make([]ast.Stmt, 0, len(ts)+2)
	for i, t := range ts {
		names[i] = l.fresh("r")
		spec := &ast.ValueSpec{Names: []*ast.Ident{ident(names[i], pos)}, Type: l.typeExpr(t, x)}
		out = append(out, &ast.DeclStmt{Decl: &ast.GenDecl{TokPos: pos, Tok: token.VAR, Specs: []ast.Spec{spec}}})
	}
	out = append(out, assign(idents(names, pos), token.ASSIGN, lowered))
	if it.semi {
		return out
	}
	prog.results = ts
	return append(out, l.show(names, ts, pos)...)
}

// prints tells a call of fmt's Print family, whose count nobody wants to see.
func (l *lowerer) prints(x ast.Expr) bool {
	n, ok := ast.Unparen(x).(*ast.CallExpr)
	if !ok {
		return false
	}
	sel, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	fn, ok := l.info.Uses[sel.Sel].(*types.Func)
	return ok && fn.Pkg() != nil && fn.Pkg().Path() == "fmt" &&
		(strings.HasPrefix(fn.Name(), "Print") || strings.HasPrefix(fn.Name(), "Fprint"))
}

var errorInterface = types.Universe.Lookup("error").Type()

// richMethods are the methods by which a value says how it is shown, with their types.
var richMethods = map[string]string{
	"HTML": "func() string", "Markdown": "func() string", "LaTeX": "func() string", "SVG": "func() string",
	"PNG": "func() []byte", "MimeBundle": "func() map[string]any", "Error": "func() string", "String": "func() string",
}

// show hands the values of the last expression over, with their text as fmt prints it.
func (l *lowerer) show(names []string, ts []types.Type, pos token.Pos) []ast.Stmt {
	printed := names
	var out []ast.Stmt
	n := len(ts)
	if types.Identical(ts[n-1], errorInterface) && n > 1 {
		printed = names[:n-1]
	}
	var text ast.Expr
	for _, name := range printed {
		var arg ast.Expr = ident(name, pos)
		if l.isError(ts[0]) {
			arg = l.converted(arg, ts[0], errorInterface)
		}
		part := call(l.bound("fmt", "Sprint", pos), arg)
		if text == nil {
			text = part
			continue
		}
		space := &ast.BinaryExpr{X: text, OpPos: pos, Op: token.ADD, Y: &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: `" "`}}
		text = &ast.BinaryExpr{X: space, OpPos: pos, Op: token.ADD, Y: part}
	}
	out = append(out, &ast.ExprStmt{X: call(l.rt("Result", pos), append([]ast.Expr{text}, idents(names, pos)...)...)})
	if len(printed) != 1 || !l.ofCell(ts[0]) || types.IsInterface(ts[0]) {
		return out
	}
	for _, name := range slices.Sorted(maps.Keys(richMethods)) {
		obj, _, _ := types.LookupFieldOrMethod(ts[0], true, l.unit.pkg, name)
		fn, ok := obj.(*types.Func)
		if !ok || types.TypeString(types.NewSignatureType(nil, nil, nil, fn.Signature().Params(), fn.Signature().Results(), false), nil) != richMethods[name] {
			continue
		}
		lit := &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(name)}
		method := &ast.SelectorExpr{X: ident(names[0], pos), Sel: ident(name, pos)}
		out = append(out, &ast.ExprStmt{X: call(l.rt("Method", pos), lit, method)})
	}
	return out
}

// entry is the function of the cell, and the one that starts it under the runtime.
func (p *plan) entry(l *lowerer, prog *program, body []ast.Stmt) []ast.Decl {
	pos := p.unit.ast.Package
	name := "cell" + mark + itoa(p.engine.state.count)
	prog.start = "start" + mark + itoa(p.engine.state.count)
	param := &ast.Field{Names: []*ast.Ident{ident("d"+mark, pos)}, Type: &ast.StarExpr{Star: pos, X: l.rt("Defers", pos)}}
	run := &ast.FuncDecl{Name: ident(name, pos), Body: block(pos, body...),
		Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{List: []*ast.Field{param}}}}
	start := &ast.FuncDecl{Name: ident(prog.start, pos), Type: &ast.FuncType{Func: pos, Params: &ast.FieldList{}},
		Body: block(pos, &ast.ExprStmt{X: call(l.rt("Call", pos), ident(name, pos))})}
	return []ast.Decl{run, start}
}

func imports(used map[string]string, pos token.Pos) []ast.Decl {
	var out []ast.Decl
	for _, alias := range slices.Sorted(maps.Keys(used)) {
		spec := &ast.ImportSpec{Name: ident(alias, pos), Path: &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(used[alias])}}
		out = append(out, &ast.GenDecl{TokPos: pos, Tok: token.IMPORT, Specs: []ast.Spec{spec}})
	}
	return out
}
