package engine

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
)

func itoa(n int) string { return strconv.Itoa(n) }

// unit is one Go file made for one cell: everything visible, and the cell's items. Positions
// in it lead back to the cells.
type unit struct {
	name   string
	text   strings.Builder
	chunks []chunk
	owners []any // by declaration: *decl of an earlier cell, or *item
	file   *token.File
	ast    *ast.File
	info   *types.Info
	pkg    *types.Package
	names  map[string]string // package-level name to the interpreter's

	variables map[string]string // function to the variable that holds its newest version
}

// chunk is a run of a unit's text that was copied from a cell.
type chunk struct {
	start, end int
	origin
}

// copyText appends text that stands at o in its cell.
func (u *unit) copyText(text string, o origin) {
	start := u.text.Len()
	u.text.WriteString(text)
	u.chunks = append(u.chunks, chunk{start, u.text.Len(), o})
}

// locate gives the cell, line and column of an offset of the unit; line 0 if it is made up.
func (u *unit) locate(offset int) origin {
	for i, c := range u.chunks {
		if offset < c.start || offset > c.end || offset == c.end && i+1 < len(u.chunks) && u.chunks[i+1].start == offset {
			continue
		}
		before := u.text.String()[c.start:offset]
		o := c.origin
		if n := strings.Count(before, "\n"); n > 0 {
			o.line += n
			o.column = len(before) - strings.LastIndexByte(before, '\n')
		} else {
			o.column += len(before)
		}
		return o
	}
	return origin{}
}

// locateLine is locate for a line and column as the interpreter reports them.
func (u *unit) locateLine(line, column int) origin {
	if u.file == nil || line < 1 || line > u.file.LineCount() {
		return origin{}
	}
	return u.locate(u.file.Offset(u.file.LineStart(line)) + column - 1)
}

// alias is the internal name of a bound package. It cannot clash with anything in a cell.
func (lib *library) alias(path string) string {
	if path == runtimePath {
		return runtimeAlias
	}
	return "p" + mark + itoa(lib.numbers[path])
}

// addItem appends one item of the cell. before are the names that earlier items of the cell
// declared; old are the variables that this item still means in their earlier form.
func (u *unit) addItem(it *item, source string, before map[string]bool, old map[string]bool) error {
	o := origin{it.cell, source, it.line, it.column, ""}
	if it.kind == funcItem || it.kind == methodItem {
		o.function = it.key()
	}
	type edit struct {
		at, size int
		text     string
	}
	var edits []edit
	for _, id := range it.free {
		if old[id.Name] && !it.keys[id] {
			edits = append(edits, edit{it.at(id), len(id.Name), id.Name + mark + "o"})
		}
	}
	u.text.WriteString(it.prefix)
	switch {
	case it.define:
		u.text.WriteString("var ")
		assign := it.stmt.(*ast.AssignStmt)
		fresh := false
		for _, x := range assign.Lhs {
			id, ok := x.(*ast.Ident)
			if ok && before[id.Name] {
				edits = append(edits, edit{it.at(id), len(id.Name), "_"})
			}
			fresh = fresh || ok && !before[id.Name] && id.Name != "_"
		}
		at := int(assign.TokPos-it.fileStart) - it.base
		if !fresh {
			return u.fail("type", o, it.text, at, "no new variables on left side of :=")
		}
		edits = append(edits, edit{at, 2, "="})
	case it.kind == statementItem:
		u.text.WriteString("func _() {")
	}
	slices.SortFunc(edits, func(a, b edit) int { return a.at - b.at })
	done := 0
	for _, e := range edits {
		u.copyText(it.text[done:e.at], o.plus(it.text[:done]))
		u.text.WriteString(e.text)
		done = e.at + e.size
	}
	u.copyText(it.text[done:], o.plus(it.text[:done]))
	u.text.WriteString("\n")
	if it.kind == statementItem {
		u.text.WriteString("}\n")
	}
	u.owners = append(u.owners, it)
	return nil
}

// plus is the origin of what follows text that stands at o.
func (o origin) plus(text string) origin {
	if n := strings.Count(text, "\n"); n > 0 {
		o.line += n
		o.column = len(text) - strings.LastIndexByte(text, '\n')
	} else {
		o.column += len(text)
	}
	return o
}

func (u *unit) addDecl(d *decl, whole bool) {
	text := d.text
	if !whole {
		text = d.head()
	}
	o := d.origin
	if d.kind == funcItem || d.kind == methodItem {
		o.function = d.key()
	}
	u.copyText(text, o)
	u.text.WriteString("\n")
	u.owners = append(u.owners, d)
}

func (u *unit) fail(kind string, o origin, text string, at int, msg string) *CompileError {
	return newError(kind, o.plus(text[:at]), msg)
}

func newError(kind string, o origin, msg string) *CompileError {
	return &CompileError{Kind: kind, Cell: o.cell, Line: o.line, Column: o.column, Text: clean(msg),
		Excerpt: excerpt(o.source, o.line, o.column)}
}

var marks = regexp.MustCompile(mark + `\w*`)

// clean takes internal marks out of a message.
func clean(msg string) string { return marks.ReplaceAllString(msg, "") }

// parse reads the whole unit, packages used by bare name first.
func (u *unit) parse(fset *token.FileSet, imports []string) error {
	body := u.text.String()
	u.text.Reset()
	u.text.WriteString("package main\n")
	for _, line := range imports {
		u.text.WriteString(line + "\n")
		u.owners = append([]any{nil}, u.owners...)
	}
	shift := u.text.Len()
	u.text.WriteString(body)
	for i := range u.chunks {
		u.chunks[i].start += shift
		u.chunks[i].end += shift
	}
	f, err := parser.ParseFile(fset, u.name, u.text.String(), parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("the cell could not be put together: %w", err)
	}
	u.ast, u.file = f, fset.File(f.Pos())
	return nil
}

// check runs go/types over the unit and gives the first error that counts.
func (u *unit) check(fset *token.FileSet, lib *library, cell string) *CompileError {
	u.info = &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Instances: map[*ast.Ident]types.Instance{},
	}
	shown := u.shown()
	var first *CompileError
	conf := types.Config{Importer: lib, GoVersion: "go1.26", Sizes: types.SizesFor("gc", runtime.GOARCH), DisableUnusedImportCheck: true,
		Error: func(err error) {
			e, ok := err.(types.Error)
			if !ok || e.Soft || strings.HasPrefix(e.Msg, "\t") {
				return
			}
			offset := u.file.Offset(e.Pos)
			if shown != nil && e.Pos == shown.Pos() && strings.HasSuffix(e.Msg, "is not used") {
				return
			}
			if first == nil {
				first = newError("type", u.locate(offset), e.Msg)
				u.explain(first, e.Msg, cell)
			}
		}}
	u.pkg = types.NewPackage("main", "main")
	_ = types.NewChecker(&conf, fset, u.pkg, u.info).Files([]*ast.File{u.ast})
	return first
}

// shown is the expression whose value the cell shows, or nil.
func (u *unit) shown() ast.Expr {
	for i, owner := range u.owners {
		if it, ok := owner.(*item); ok && it.show {
			return u.ast.Decls[i].(*ast.FuncDecl).Body.List[0].(*ast.ExprStmt).X
		}
	}
	return nil
}

var undefinedGeneric = regexp.MustCompile(`^undefined: ((?:slices|maps|cmp|iter|sync|atomic)\.\w+)$`)

// instead says what to write for the generic functions of the standard library.
var instead = map[string]string{
	"slices.Sort": "sort.Ints, sort.Float64s, sort.Strings", "slices.SortFunc": "sort.Slice(x, func(i, j int) bool { … })",
	"slices.SortStableFunc": "sort.SliceStable", "slices.Max": "a loop with max", "slices.Min": "a loop with min",
	"slices.BinarySearch": "sort.Search, sort.SearchInts", "slices.Clone": "append([]T(nil), x...)",
	"maps.Keys": "for k := range m", "maps.Values": "for _, v := range m", "atomic.Pointer": "sync.Mutex or atomic.Value",
	"sync.OnceFunc": "sync.Once", "sync.OnceValue": "sync.Once", "cmp.Compare": "< and >",
}

// explain makes a message of go/types one of a notebook.
func (u *unit) explain(e *CompileError, msg, cell string) {
	if m := undefinedGeneric.FindStringSubmatch(msg); m != nil {
		e.Kind, e.Text = "limit", m[1]+" is generic and not bound here"
		e.Hint = "write a loop"
		if alt := instead[m[1]]; alt != "" {
			e.Hint = "write " + alt + " instead"
		}
	}
	if strings.Contains(msg, mark+"t") {
		e.Hint = "the value was made before its type was declared anew: make it again"
	}
	if e.Cell != cell && e.Cell != "" {
		e.Text = "what this cell declares does not fit an earlier cell: " + e.Text
		e.Hint = "declare both in this cell"
	}
}
