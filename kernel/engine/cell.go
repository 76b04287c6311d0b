package engine

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/split"
)

// Cell is one cell of a notebook.
type Cell struct {
	Name   string // as errors name it: "In[3]"
	Source string
}

// Marks of names that the type-checker sees beside the cell's own. Both are letters, so that the
// names are identifiers.
const (
	oldMark    = "ᵒ" // xᵒ: the variable x of an earlier cell, in x := x + 1
	reusedMark = "ʹ" // errʹ: the new value of err in a, err := f() when err exists in the cell
)

// syntax is a parsed cell.
type syntax struct {
	name    string
	imports []*ast.ImportSpec
	decls   []ast.Decl // functions, types and constants
	items   []*item    // variables and statements, in order
	program bool       // a whole program with a package clause
	silent  bool       // ends with ;
	defined map[string]token.Pos
	vars    map[string]bool // of defined, those declared by var or :=
	methods map[string]bool // "T.M"
	docs    map[ast.Decl]string
}

// item is a top-level variable declaration or statement.
type item struct {
	spec   *ast.ValueSpec
	define bool // by :=
	stmt   ast.Stmt
	fn     *ast.FuncDecl // in which the type-checker sees stmt
	result ast.Expr      // stmt is this expression, the cell's last
}

// parse takes a cell apart.
func (e *Engine) parse(c Cell) (*syntax, error) {
	s := &syntax{name: c.Name, defined: map[string]token.Pos{}, vars: map[string]bool{}, methods: map[string]bool{}, docs: map[ast.Decl]string{}}
	s.silent = strings.HasSuffix(strings.TrimSpace(c.Source), ";")
	lines := newLines(c.Source)
	for i, p := range split.Cell(c.Source) {
		if p.First == token.PACKAGE && i == 0 {
			s.program = true
			if _, err := parser.ParseFile(e.fset, s.name, c.Source, parser.PackageClauseOnly); err != nil {
				return nil, err
			}
			continue
		}
		line, column := lines.at(p.Start)
		at := fmt.Sprintf("/*line %s:%d:%d*/", c.Name, line, column)
		text := c.Source[p.Start:p.End]
		var err error
		if p.Declaration() {
			err = e.parseDeclaration(s, docAbove(c.Source, p.Start), at, text)
		} else {
			err = e.parseStatement(s, at, text)
		}
		if err != nil {
			return nil, relocate(err, c)
		}
	}
	delete(s.defined, "_")
	s.findResult()
	return s, nil
}

// relocate moves errors past the end of the cell, which the parser's frame causes, into it.
func relocate(err error, c Cell) error {
	list, ok := err.(scanner.ErrorList)
	if !ok || len(list) == 0 {
		return err
	}
	lines := strings.Split(c.Source, "\n")
	if p := &list[0].Pos; p.Line > len(lines) {
		p.Line = len(lines)
		p.Column = len(lines[p.Line-1]) + 1
	}
	list[0].Msg = strings.Replace(list[0].Msg, "expected ';', found 'EOF'", "unexpected end of cell", 1)
	return list
}

func (e *Engine) parseDeclaration(s *syntax, doc, at, text string) error {
	f, err := parser.ParseFile(e.fset, s.name, "package main;"+at+text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return err
	}
	s.imports = append(s.imports, f.Imports...)
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		switch {
		case ok && g.Tok == token.IMPORT:
		case ok && g.Tok == token.VAR:
			for _, sp := range g.Specs {
				for _, vs := range e.apart(sp.(*ast.ValueSpec)) {
					s.items = append(s.items, &item{spec: vs})
					for _, id := range vs.Names {
						s.define(id, true)
					}
				}
			}
		default:
			s.decls = append(s.decls, d)
			s.docs[d] = doc
			for _, k := range keysOf(d) {
				if strings.Contains(k.name, ".") {
					s.methods[k.name] = true
				} else if k.name != "init" || ok {
					s.define(&ast.Ident{Name: k.name, NamePos: k.pos}, false)
				}
			}
		}
	}
	return nil
}

// apart gives var a, b = 1, a + 1 as two declarations, which come in the order of their
// dependence as in a package. Values that use earlier variables of the same names stay together.
func (e *Engine) apart(s *ast.ValueSpec) []*ast.ValueSpec {
	if len(s.Names) != len(s.Values) || len(s.Names) == 1 {
		return []*ast.ValueSpec{s}
	}
	own := false
	for _, v := range s.Values {
		uses := identifiers(v)
		for _, id := range s.Names {
			if uses[id.Name] && e.state.scope[id.Name] == nil {
				own = true
			}
		}
	}
	if !own {
		return []*ast.ValueSpec{s}
	}
	var l []*ast.ValueSpec
	for i, id := range s.Names {
		l = append(l, &ast.ValueSpec{Names: []*ast.Ident{id}, Type: s.Type, Values: s.Values[i : i+1]})
	}
	return l
}

func (s *syntax) define(id *ast.Ident, isVar bool) {
	if _, ok := s.defined[id.Name]; !ok {
		s.defined[id.Name] = id.Pos()
		s.vars[id.Name] = isVar
	}
}

func (e *Engine) parseStatement(s *syntax, at, text string) error {
	f, err := parser.ParseFile(e.fset, s.name, "package main;func _() {"+at+text+"\n}", parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	if len(f.Decls) == 0 {
		return fmt.Errorf("%s: not a statement", s.name)
	}
	for _, st := range f.Decls[0].(*ast.FuncDecl).Body.List {
		a, ok := st.(*ast.AssignStmt)
		if !ok || a.Tok != token.DEFINE {
			s.items = append(s.items, &item{stmt: st})
			continue
		}
		if err := s.defining(a, e.fset); err != nil {
			return err
		}
	}
	return nil
}

// defining takes x, y := … apart: names that the cell has already are assigned, others are new.
func (s *syntax) defining(a *ast.AssignStmt, fset *token.FileSet) error {
	spec := &ast.ValueSpec{Values: a.Rhs}
	var again []*item
	fresh := false
	for _, l := range a.Lhs {
		id, ok := l.(*ast.Ident)
		if !ok {
			return scanner.ErrorList{{Pos: fset.Position(l.Pos()), Msg: "non-name on left side of :="}}
		}
		if _, have := s.defined[id.Name]; have && s.vars[id.Name] {
			value := &ast.Ident{Name: id.Name + reusedMark, NamePos: id.NamePos}
			spec.Names = append(spec.Names, value)
			again = append(again, &item{stmt: &ast.AssignStmt{
				Lhs: []ast.Expr{id}, TokPos: a.TokPos, Tok: token.ASSIGN, Rhs: []ast.Expr{&ast.Ident{Name: value.Name, NamePos: id.NamePos}},
			}})
			continue
		}
		fresh = fresh || id.Name != "_"
		spec.Names = append(spec.Names, id)
	}
	if !fresh {
		return scanner.ErrorList{{Pos: fset.Position(a.TokPos), Msg: "no new variables on left side of :="}}
	}
	for _, id := range spec.Names {
		if !strings.HasSuffix(id.Name, reusedMark) {
			s.define(id, true)
		}
	}
	s.items = append(append(s.items, &item{spec: spec, define: true}), again...)
	return nil
}

// findResult notes that the cell's last statement is an expression, whose value the cell has.
func (s *syntax) findResult() {
	if len(s.items) == 0 || s.program {
		return
	}
	last := s.items[len(s.items)-1]
	if x, ok := last.stmt.(*ast.ExprStmt); ok {
		last.result = x.X
	}
}

// key is the name under which a declaration is remembered.
type key struct {
	name string
	pos  token.Pos
}

func keysOf(d ast.Decl) (keys []key) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || len(d.Recv.List) == 0 {
			return []key{{d.Name.Name, d.Name.Pos()}}
		}
		return []key{{receiverName(d) + "." + d.Name.Name, d.Name.Pos()}}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				keys = append(keys, key{s.Name.Name, s.Name.Pos()})
			case *ast.ValueSpec:
				for _, n := range s.Names {
					keys = append(keys, key{n.Name, n.Pos()})
				}
			}
		}
	}
	return
}

// receiverName is the name of a method's receiver type.
func receiverName(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// identifiers are all names in n.
func identifiers(n ast.Node) map[string]bool {
	m := map[string]bool{}
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			m[id.Name] = true
		}
		return true
	})
	return m
}

// lines finds line and column of byte offsets.
type lines []int

func newLines(s string) lines {
	l := lines{0}
	for i := range len(s) {
		if s[i] == '\n' {
			l = append(l, i+1)
		}
	}
	return l
}

func (l lines) at(offset int) (line, column int) {
	n := len(l)
	for n > 1 && l[n-1] > offset {
		n--
	}
	return n, offset - l[n-1] + 1
}
