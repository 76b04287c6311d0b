package engine

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/check"
	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/split"
)

// missing stands in a probed source where the user is about to type a name.
const missing = "ʗ"

// probe is an unfinished cell as far as the type-checker understands it.
type probe struct {
	e    *Engine
	info *types.Info
	pkg  *types.Package
	file *ast.File
	name *ast.Ident // the name at the cursor
}

// probe checks source up to the name [start, end), which becomes name, with what the notebook has.
// Errors do not matter: what could be understood is recorded. It works beside a running cell.
func (e *Engine) probe(source string, start, end int, name string) *probe {
	p := &probe{e: e, info: check.NewInfo(), pkg: types.NewPackage("main", "main")}
	f, err := parser.ParseFile(e.fset, "", "package main\n", 0)
	if err != nil {
		return p
	}
	p.file = f
	e.mu.RLock()
	defer e.mu.RUnlock()
	for _, o := range e.state.scope {
		p.pkg.Scope().Insert(o)
	}
	own := map[string]bool{}
	imported := map[string]bool{}
	for _, part := range split.Cell(source) {
		if part.Start > start || part.First == token.PACKAGE {
			break
		}
		text := source[part.Start:part.End]
		if part.End >= start {
			text = finished(source[part.Start:start], name)
		}
		p.add(part, text, own, imported)
	}
	p.find(name)
	p.imports(own, imported)
	conf := types.Config{Importer: e.packages, GoVersion: check.GoVersion, Error: func(error) {}}
	types.NewChecker(&conf, e.fset, p.pkg, p.info).Files([]*ast.File{f})
	return p
}

// add takes one part of the cell into the probed file.
func (p *probe) add(part split.Part, text string, own, imported map[string]bool) {
	if part.Declaration() {
		f, _ := parser.ParseFile(p.e.fset, "", "package main;"+text, parser.SkipObjectResolution|parser.AllErrors)
		if f == nil {
			return
		}
		for _, im := range f.Imports {
			imported[importName(im)] = true
		}
		for _, d := range f.Decls {
			for _, k := range keysOf(d) {
				p.hide(k.name, own)
			}
		}
		p.file.Imports = append(p.file.Imports, f.Imports...)
		p.file.Decls = append(p.file.Decls, f.Decls...)
		return
	}
	f, _ := parser.ParseFile(p.e.fset, "", "package main;func _() {"+text+"\n}", parser.SkipObjectResolution|parser.AllErrors)
	if f == nil || len(f.Decls) == 0 {
		return
	}
	fd, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok || fd.Body == nil {
		return
	}
	for _, s := range fd.Body.List {
		a, ok := s.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			p.file.Decls = append(p.file.Decls, &ast.FuncDecl{Name: ast.NewIdent("_"), Type: &ast.FuncType{Params: &ast.FieldList{}}, Body: &ast.BlockStmt{Lbrace: s.Pos(), List: []ast.Stmt{s}, Rbrace: s.End()}})
			continue
		}
		spec := &ast.ValueSpec{Values: a.Rhs}
		for _, l := range a.Lhs {
			if id, ok := l.(*ast.Ident); ok {
				spec.Names = append(spec.Names, id)
				p.hide(id.Name, own)
			}
		}
		p.file.Decls = append(p.file.Decls, &ast.GenDecl{Tok: token.VAR, Specs: []ast.Spec{spec}})
	}
}

// hide takes the notebook's object of a name away that the cell declares itself.
func (p *probe) hide(name string, own map[string]bool) {
	own[name] = true
	if p.pkg.Scope().Lookup(name) == nil {
		return
	}
	s := types.NewScope(types.Universe, token.NoPos, token.NoPos, "")
	for _, n := range p.pkg.Scope().Names() {
		if n != name {
			s.Insert(p.pkg.Scope().Lookup(n))
		}
	}
	*p.pkg.Scope() = *s
}

// find looks for the name at the cursor: the last one of that spelling.
func (p *probe) find(name string) {
	ast.Inspect(p.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			p.name = id
		}
		return true
	})
}

// imports adds the packages that the source uses.
func (p *probe) imports(own, imported map[string]bool) {
	used := map[string]bool{}
	ast.Inspect(p.file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				used[id.Name] = true
			}
		}
		return true
	})
	if p.name != nil {
		used[p.name.Name] = true
	}
	for n := range used {
		if own[n] || imported[n] || p.pkg.Scope().Lookup(n) != nil {
			continue
		}
		path, ok := p.e.state.imports[n]
		if !ok {
			path, ok = p.e.packages.ByName(n)
		}
		if ok {
			s := &ast.ImportSpec{Name: ast.NewIdent(n), Path: &ast.BasicLit{Kind: token.STRING, Value: `"` + path + `"`}}
			p.file.Imports = append(p.file.Imports, s)
			p.file.Decls = append([]ast.Decl{&ast.GenDecl{Tok: token.IMPORT, Specs: []ast.Spec{s}}}, p.file.Decls...)
		}
	}
}

// finished makes the beginning of a statement, which ends with name, one that can be parsed.
func finished(text, name string) string {
	var stack []token.Token
	header := false
	fset := token.NewFileSet()
	f := fset.AddFile("", fset.Base(), len(text))
	var s scanner.Scanner
	s.Init(f, []byte(text), func(token.Position, string) {}, 0)
	for {
		_, tok, _ := s.Scan()
		if tok == token.EOF {
			break
		}
		switch tok {
		case token.IF, token.FOR, token.SWITCH:
			header = true
		case token.LBRACE:
			header = false
			stack = append(stack, token.RBRACE)
		case token.LPAREN:
			stack = append(stack, token.RPAREN)
		case token.LBRACK:
			stack = append(stack, token.RBRACK)
		case token.RPAREN, token.RBRACE, token.RBRACK:
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
		}
	}
	var b strings.Builder
	b.WriteString(text + name)
	for i := len(stack) - 1; i >= 0; i-- {
		if stack[i] == token.RBRACE {
			if header {
				b.WriteString(" {}")
				header = false
			}
			b.WriteString("\n")
		}
		b.WriteString(stack[i].String())
	}
	if header {
		b.WriteString(" {}")
	}
	return b.String()
}

// nameAt finds the name around or before byte offset cursor.
func nameAt(source string, cursor int, forward bool) (start, end int) {
	cursor = max(0, min(cursor, len(source)))
	start, end = cursor, cursor
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(source[:start])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		start -= n
	}
	for forward && end < len(source) {
		r, n := utf8.DecodeRuneInString(source[end:])
		if r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			break
		}
		end += n
	}
	return start, end
}

// inScope calls f for the objects that can be named at the cursor, innermost first.
func (p *probe) inScope(f func(types.Object)) {
	var innermost *types.Scope
	if p.name != nil {
		for _, s := range p.info.Scopes {
			if s.Contains(p.name.Pos()) && (innermost == nil || s.Pos() >= innermost.Pos() && s.End() <= innermost.End()) {
				innermost = s
			}
		}
	}
	if innermost == nil {
		innermost = p.pkg.Scope()
	}
	seen := map[string]bool{}
	for s := innermost; s != nil; s = s.Parent() {
		for _, n := range s.Names() {
			o := s.Lookup(n)
			if seen[n] || n == missing || strings.HasSuffix(n, oldMark) {
				continue
			}
			if s != p.pkg.Scope() && s != types.Universe && p.name != nil && o.Pos() > p.name.Pos() {
				continue
			}
			seen[n] = true
			f(o)
		}
	}
	if s := p.pkg.Scope(); !within(innermost, s) {
		for _, n := range s.Names() {
			if !seen[n] && n != missing {
				f(s.Lookup(n))
			}
		}
		for _, n := range types.Universe.Names() {
			if !seen[n] {
				f(types.Universe.Lookup(n))
			}
		}
	}
}

// within tells whether outer is among the parents of s.
func within(s, outer *types.Scope) bool {
	for ; s != nil; s = s.Parent() {
		if s == outer {
			return true
		}
	}
	return false
}
