package engine

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"
)

// itemKind is what a top-level piece of a cell is.
type itemKind int

const (
	importItem itemKind = iota
	constItem
	varItem // var declarations and :=
	typeItem
	funcItem
	methodItem
	statementItem
)

// item is one top-level piece of a cell.
type item struct {
	kind   itemKind
	prefix string // put before text to make a declaration of it: a spec of a type group
	text   string
	cell   string
	offset int // of text in the cell's source
	line   int // of the first byte, from 1
	column int // likewise
	names  []string
	recv   string // type of a method's receiver
	define bool   // x := …
	semi   bool   // ended by a semicolon that the author wrote
	show   bool   // the cell's last expression
	free   []*ast.Ident
	keys   map[*ast.Ident]bool // those of free that may be the names of fields in a literal
	decl   ast.Decl            // nil for statements
	stmt   ast.Stmt            // nil for declarations

	base      int       // offset of text in what was parsed
	fileStart token.Pos // of what was parsed
}

// key names what a declaring item declares, as the state knows it.
func (it *item) key() string {
	if it.kind == methodItem {
		return it.recv + "." + it.names[0]
	}
	return it.names[0]
}

// split cuts a cell into items, in order.
func split(cell Cell) ([]*item, error) {
	source := cell.Source
	file := token.NewFileSet().AddFile(cell.Name, -1, len(source))
	var sc scanner.Scanner
	var failed *CompileError
	sc.Init(file, []byte(source), func(pos token.Position, msg string) {
		if failed == nil {
			failed = syntaxError(cell, pos.Offset, msg)
		}
	}, 0)
	var items []*item
	start, end, depth := -1, 0, 0
	header := false // between if, for or switch and its brace, where semicolons do not end an item
	for {
		pos, tok, lit := sc.Scan()
		if failed != nil {
			return nil, failed
		}
		offset := file.Offset(pos)
		ends := tok == token.SEMICOLON && depth == 0 && !(header && lit == ";")
		if ends || tok == token.EOF {
			if start >= 0 {
				items = append(items, newItem(cell, start, end, lit == ";"))
			} else if lit == ";" && len(items) > 0 {
				items[len(items)-1].semi = true
			}
			if tok == token.EOF {
				return parseItems(cell, items)
			}
			start, header = -1, false
			continue
		}
		switch tok {
		case token.IF, token.FOR, token.SWITCH:
			header = header || depth == 0
		case token.LPAREN, token.LBRACK, token.LBRACE:
			header = header && (depth > 0 || tok != token.LBRACE)
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if depth--; depth < 0 {
				return nil, syntaxError(cell, offset, fmt.Sprintf("unexpected %q: nothing is open here", tok.String()))
			}
		}
		if start < 0 {
			start = offset
		}
		if tok != token.SEMICOLON {
			end = offset + tokenSize(source[offset:], tok, lit)
		}
	}
}

// tokenSize is the length in the source of a token that begins it.
func tokenSize(source string, tok token.Token, lit string) int {
	switch {
	case tok == token.STRING && source[0] == '`':
		return 2 + strings.IndexByte(source[1:], '`') // the scanner drops carriage returns from lit
	case lit != "":
		return len(lit)
	}
	return len(tok.String())
}

func newItem(cell Cell, start, end int, semi bool) *item {
	before := cell.Source[:start]
	return &item{text: cell.Source[start:end], cell: cell.Name, offset: start, semi: semi,
		line: 1 + strings.Count(before, "\n"), column: start - strings.LastIndexByte(before, '\n')}
}

func parseItems(cell Cell, items []*item) ([]*item, error) {
	var out []*item
	for _, it := range items {
		if strings.HasPrefix(it.text, "package") && len(strings.Fields(it.text)) == 2 && !strings.Contains(it.text, "=") {
			continue
		}
		if err := it.parse(cell); err != nil {
			return nil, err
		}
		out = append(out, it.specs()...)
	}
	if n := len(out); n > 0 {
		_, isExpr := out[n-1].stmt.(*ast.ExprStmt)
		out[n-1].show = isExpr
	}
	return out, nil
}

// specs cuts a group of types into one item a type.
func (it *item) specs() []*item {
	d, ok := it.decl.(*ast.GenDecl)
	if !ok || it.kind != typeItem || !d.Lparen.IsValid() {
		return []*item{it}
	}
	var out []*item
	for _, spec := range d.Specs {
		from, to := int(spec.Pos()-it.fileStart)-it.base, int(spec.End()-it.fileStart)-it.base
		o := origin{line: it.line, column: it.column}.plus(it.text[:from])
		one := &item{prefix: "type ", text: it.text[from:to], cell: it.cell, offset: it.offset + from, line: o.line, column: o.column}
		if one.parse(Cell{Name: it.cell}) == nil {
			out = append(out, one)
		}
	}
	return out
}

const (
	declPrefix = "package main;"
	stmtPrefix = "package main; func _() {"
)

// parse fills in what the item is from its text.
func (it *item) parse(cell Cell) error {
	prefix, suffix := declPrefix+it.prefix, "\n"
	if it.prefix == "" && !it.startsDecl() {
		prefix, suffix = stmtPrefix, "\n}"
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", prefix+it.text+suffix, parser.ParseComments)
	it.base = len(prefix)
	if err != nil {
		list, ok := err.(scanner.ErrorList)
		if !ok {
			return syntaxError(cell, it.offset, err.Error())
		}
		at := min(max(list[0].Pos.Offset-len(prefix), 0), len(it.text))
		msg := list[0].Msg
		if at == len(it.text) {
			msg = strings.Replace(msg, "found '}'", "found the end of the statement", 1)
		}
		return syntaxError(cell, it.offset+at, msg)
	}
	if len(f.Decls) != 1 {
		return syntaxError(cell, it.offset, "expected one declaration")
	}
	it.free, it.fileStart = f.Unresolved, f.FileStart
	it.keys = fieldKeys(f)
	if suffix == "\n" {
		it.decl = f.Decls[0]
		it.classify()
		return nil
	}
	body := f.Decls[0].(*ast.FuncDecl).Body.List
	if len(body) == 0 {
		it.kind, it.stmt = statementItem, &ast.EmptyStmt{}
		return nil
	}
	it.kind, it.stmt = statementItem, body[0]
	if a, ok := body[0].(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
		it.kind, it.define = varItem, true
		for _, x := range a.Lhs {
			if id, ok := x.(*ast.Ident); ok {
				it.names = append(it.names, id.Name)
			}
		}
	}
	return nil
}

// at is the offset of an identifier in the item's text.
func (it *item) at(id *ast.Ident) int { return int(id.Pos()-it.fileStart) - it.base }

// fieldKeys gives the identifiers that are keys in literals whose type may be a struct.
func fieldKeys(f *ast.File) map[*ast.Ident]bool {
	keys := map[*ast.Ident]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		lit, ok := n.(*ast.CompositeLit)
		if !ok {
			return true
		}
		switch lit.Type.(type) {
		case *ast.MapType, *ast.ArrayType:
			return true
		}
		for _, x := range lit.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				if id, ok := kv.Key.(*ast.Ident); ok {
					keys[id] = true
				}
			}
		}
		return true
	})
	return keys
}

// startsDecl tells a declaration from a statement by its first tokens. A function literal that
// is called at once is a statement.
func (it *item) startsDecl() bool {
	var sc scanner.Scanner
	fset := token.NewFileSet()
	sc.Init(fset.AddFile("", -1, len(it.text)), []byte(it.text), nil, 0)
	_, tok, _ := sc.Scan()
	switch tok {
	case token.IMPORT, token.CONST, token.TYPE, token.VAR:
		return true
	case token.FUNC:
	default:
		return false
	}
	_, tok, _ = sc.Scan()
	if tok != token.LPAREN {
		return true
	}
	for depth := 1; depth > 0 && tok != token.EOF; {
		_, tok, _ = sc.Scan()
		switch tok {
		case token.LPAREN:
			depth++
		case token.RPAREN:
			depth--
		}
	}
	_, tok, _ = sc.Scan()
	return tok == token.IDENT && it.methodFollows(&sc)
}

// methodFollows tells func (r T) name( from a literal with one named result type, func() T {.
func (it *item) methodFollows(sc *scanner.Scanner) bool {
	_, tok, _ := sc.Scan()
	return tok == token.LPAREN
}

func (it *item) classify() {
	if d, ok := it.decl.(*ast.FuncDecl); ok {
		it.kind, it.names = funcItem, []string{d.Name.Name}
		if d.Recv != nil {
			it.kind, it.recv = methodItem, receiverName(d)
		}
		return
	}
	d := it.decl.(*ast.GenDecl)
	it.kind = map[token.Token]itemKind{token.IMPORT: importItem, token.CONST: constItem, token.TYPE: typeItem, token.VAR: varItem}[d.Tok]
	for _, spec := range d.Specs {
		switch spec := spec.(type) {
		case *ast.TypeSpec:
			it.names = append(it.names, spec.Name.Name)
		case *ast.ValueSpec:
			for _, id := range spec.Names {
				it.names = append(it.names, id.Name)
			}
		}
	}
}

func receiverName(d *ast.FuncDecl) string {
	if len(d.Recv.List) == 0 {
		return ""
	}
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

func syntaxError(cell Cell, offset int, msg string) *CompileError {
	before := cell.Source[:min(offset, len(cell.Source))]
	line := 1 + strings.Count(before, "\n")
	column := len(before) - strings.LastIndexByte(before, '\n')
	msg = strings.Replace(msg, ", found newline", ", found end of line", 1)
	return &CompileError{Kind: "syntax", Cell: cell.Name, Line: line, Column: column, Text: msg,
		Excerpt: excerpt(cell.Source, line, column)}
}
