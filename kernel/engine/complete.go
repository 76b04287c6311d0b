package engine

import (
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// State is whether a source could be run as it stands.
type State int

// Complete sources can be run, Incomplete ones want more lines, Invalid ones never compile.
const (
	Complete State = iota
	Incomplete
	Invalid
)

func (s State) String() string { return [...]string{"complete", "incomplete", "invalid"}[s] }

// Match is one completion.
type Match struct {
	Text      string // what stands at the cursor instead
	Kind      string // "function", "method", "type", "variable", "constant", "field", "package", "keyword"
	Signature string // its type or signature
}

// Description is what is known of a name.
// Name is a live variable.
const shortText = 1000

// Completeness tells whether source could be run, and how to indent its next line if not.
func (e *Engine) Completeness(source string) (State, string) {
	file := token.NewFileSet().AddFile("", -1, len(source))
	var sc scanner.Scanner
	open := false
	sc.Init(file, []byte(source), func(_ token.Position, msg string) {
		open = open || strings.Contains(msg, "raw string") || strings.Contains(msg, "comment not terminated")
	}, 0)
	depth := 0
	last := token.EOF
	for {
		_, tok, lit := sc.Scan()
		if tok == token.EOF {
			break
		}
		switch tok {
		case token.LPAREN, token.LBRACK, token.LBRACE:
			depth++
		case token.RPAREN, token.RBRACK, token.RBRACE:
			if depth--; depth < 0 { // nothing that follows can open what was closed
				return Invalid, ""
			}
		}
		if tok != token.SEMICOLON || lit == ";" {
			last = tok
		}
	}
	if depth > 0 || open || last.IsOperator() && continues(last) {
		return Incomplete, strings.Repeat("\t", max(depth, 0))
	}
	if _, err := split(Cell{Source: source}); err != nil {
		return Invalid, ""
	}
	return Complete, ""
}

// continues tells whether a line that ends in tok goes on in the next.
func continues(tok token.Token) bool {
	switch tok {
	case token.RPAREN, token.RBRACK, token.RBRACE, token.INC, token.DEC, token.SEMICOLON, token.ELLIPSIS:
		return false
	}
	return true
}

// scope is the package-level objects that a cell sees, checked now.
func (e *Engine) scope() (*unit, *plan) {
	p := &plan{engine: e, cell: Cell{Name: "help"}, imports: map[string]string{}, keep: map[*item]bool{}, retyped: map[string]bool{}}
	p.spread()
	if p.build() != nil {
		return nil, p
	}
	return p.unit, p
}

// Complete gives what could stand at the byte offset cursor, and the range it would replace.
func (e *Engine) Complete(source string, cursor int) (matches []Match, start, end int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	cursor = max(0, min(cursor, len(source)))
	start = cursor
	for start > 0 && isLetter(source[start-1]) {
		start--
	}
	prefix := source[start:cursor]
	defer func() {
		if recover() != nil {
			matches = nil
		}
	}()
	u, p := e.scope()
	if u == nil {
		return nil, start, cursor
	}
	switch {
	case start > 0 && source[start-1] == '.':
		matches = e.members(u, p, pathBefore(source[:start-1]))
	default:
		if t := literalType(source[:start]); t != "" {
			matches = e.literalFields(u, p, t)
		}
		matches = append(matches, e.names(u, p)...)
	}
	matches = slices.DeleteFunc(matches, func(m Match) bool { return !strings.HasPrefix(m.Text, prefix) })
	return matches, start, cursor
}

func isLetter(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// pathBefore is the expression that ends source: names, selectors, calls and indexes.
func pathBefore(source string) string {
	i, depth := len(source), 0
	for i > 0 {
		switch c := source[i-1]; {
		case c == ')' || c == ']':
			depth++
		case c == '(' || c == '[':
			if depth--; depth < 0 {
				return source[i:]
			}
		case depth == 0 && c != '.' && !isLetter(c):
			return source[i:]
		}
		i--
	}
	return source
}

// literalType is the type of the composite literal that source is inside of.
func literalType(source string) string {
	depth := 0
	for i := len(source) - 1; i >= 0; i-- {
		switch source[i] {
		case '}', ')', ']':
			depth++
		case '(', '[':
			depth--
		case '{':
			if depth--; depth < 0 {
				return strings.TrimPrefix(pathBefore(strings.TrimRight(source[:i], " ")), ".")
			}
		}
		if depth < 0 {
			return ""
		}
	}
	return ""
}

// eval is the type, and the object if any, of an expression over the state.
func (e *Engine) eval(u *unit, p *plan, source string) (types.TypeAndValue, types.Object) {
	if source == "" {
		return types.TypeAndValue{}, nil
	}
	x, err := parser.ParseExpr(source)
	if err != nil {
		return types.TypeAndValue{}, nil
	}
	pkg := types.NewPackage("main", "main")
	for _, name := range u.pkg.Scope().Names() {
		pkg.Scope().Insert(u.pkg.Scope().Lookup(name))
	}
	ast.Inspect(x, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && pkg.Scope().Lookup(id.Name) == nil {
			if imported, err := e.library.Import(p.pathOf(id.Name)); err == nil {
				pkg.Scope().Insert(types.NewPkgName(token.NoPos, pkg, id.Name, imported))
			}
		}
		return true
	})
	info := &types.Info{Types: map[ast.Expr]types.TypeAndValue{}, Uses: map[*ast.Ident]types.Object{}}
	if types.CheckExpr(token.NewFileSet(), pkg, token.NoPos, x, info) != nil {
		if id, ok := x.(*ast.Ident); ok {
			return types.TypeAndValue{}, pkg.Scope().Lookup(id.Name)
		}
		return types.TypeAndValue{}, nil
	}
	var obj types.Object
	switch x := x.(type) {
	case *ast.Ident:
		obj = info.Uses[x]
	case *ast.SelectorExpr:
		obj = info.Uses[x.Sel]
	}
	return info.Types[x], obj
}

// members gives what may follow a dot: exported names of a package, fields and methods.
func (e *Engine) members(u *unit, p *plan, before string) []Match {
	tv, obj := e.eval(u, p, before)
	if pkg, ok := obj.(*types.PkgName); ok {
		scope := pkg.Imported().Scope()
		var out []Match
		for _, name := range scope.Names() {
			out = append(out, matchOf(scope.Lookup(name)))
		}
		return out
	}
	if tv.Type == nil {
		return nil
	}
	var out []Match
	seen := map[string]bool{}
	add := func(obj types.Object) {
		own := obj.Pkg() == nil || obj.Pkg().Name() == "main"
		if !seen[obj.Name()] && (obj.Exported() || own) && obj.Name() != "_" {
			seen[obj.Name()] = true
			out = append(out, matchOf(obj))
		}
	}
	fields(tv.Type, add, 0)
	t := tv.Type
	if _, ok := t.Underlying().(*types.Pointer); !ok && !types.IsInterface(t) && tv.Addressable() {
		t = types.NewPointer(t)
	}
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		add(methods.At(i).Obj())
	}
	slices.SortFunc(out, func(a, b Match) int { return strings.Compare(a.Text, b.Text) })
	return out
}

// fields calls add for the fields of a struct, promoted ones too.
func fields(t types.Type, add func(types.Object), depth int) {
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok || depth > 4 {
		return
	}
	for f := range s.Fields() {
		add(f)
	}
	for f := range s.Fields() {
		if f.Embedded() {
			fields(f.Type(), add, depth+1)
		}
	}
}

// literalFields gives the keys of a composite literal.
func (e *Engine) literalFields(u *unit, p *plan, name string) []Match {
	tv, _ := e.eval(u, p, name)
	if tv.Type == nil || !tv.IsType() {
		return nil
	}
	s, ok := tv.Type.Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	var out []Match
	for f := range s.Fields() {
		if f.Exported() || f.Pkg() != nil && f.Pkg().Name() == "main" {
			out = append(out, matchOf(f))
		}
	}
	return out
}

// names gives everything that a bare name can mean.
func (e *Engine) names(u *unit, p *plan) []Match {
	var out []Match
	scope := u.pkg.Scope()
	for _, name := range scope.Names() {
		if !strings.Contains(name, mark) {
			out = append(out, matchOf(scope.Lookup(name)))
		}
	}
	packages := maps.Clone(e.library.names)
	maps.Copy(packages, e.state.imports)
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		out = append(out, Match{Text: name, Kind: "package", Signature: packages[name]})
	}
	for _, name := range types.Universe.Names() {
		out = append(out, matchOf(types.Universe.Lookup(name)))
	}
	for tok := token.BREAK; tok <= token.VAR; tok++ {
		out = append(out, Match{Text: tok.String(), Kind: "keyword"})
	}
	return out
}

// matchOf describes an object.
// Inspect describes the name at the byte offset cursor.
// doc is the comment right above a declaration.
// Names gives the live variables in the order of their declaration.
// short prints a variable briefly. While a cell runs only simple values are looked at, since
// the cell may be changing the others.
