package notebooks

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// Parameter is a value given to a notebook from outside: -p NAME=VALUE.
type Parameter struct {
	Name  string
	Value string // as typed; see ParseParameter
}

// Tags of cells, as papermill and nbclient know them.
const (
	tagParameters = "parameters"          // declares parameters and their defaults
	tagInjected   = "injected-parameters" // sets them; written by the runner
	tagRaises     = "raises-exception"    // may fail
	tagSkip       = "skip-execution"      // is not run
)

// ParseParameter reads NAME=VALUE. NAME is a Go name; VALUE is taken as the Go literal it
// looks like, a number, true, false, or a quoted string, and as a string otherwise.
func ParseParameter(s string) (Parameter, error) {
	name, value, ok := strings.Cut(s, "=")
	name = strings.TrimSpace(name)
	switch {
	case !ok:
		return Parameter{}, fmt.Errorf("parameter %q: want NAME=VALUE", s)
	case !token.IsIdentifier(name) || name == "_":
		return Parameter{}, fmt.Errorf("parameter %q: %q is not a name in Go", s, name)
	}
	return Parameter{Name: name, Value: value}, nil
}

// literal is the value as Go source.
func (p Parameter) literal() string {
	value := strings.TrimSpace(p.Value)
	if value == "true" || value == "false" {
		return value
	}
	expression, err := parser.ParseExpr(value)
	if sign, ok := expression.(*ast.UnaryExpr); ok && err == nil && (sign.Op == token.SUB || sign.Op == token.ADD) {
		if number, ok := sign.X.(*ast.BasicLit); ok && number.Kind != token.STRING && number.Kind != token.CHAR {
			return value
		}
	}
	if _, ok := expression.(*ast.BasicLit); ok && err == nil {
		return value
	}
	return strconv.Quote(p.Value)
}

// declaration is how a parameters cell declares a name.
type declaration struct {
	constant bool
	isString bool // its default is a string
}

// assignment is the statement that gives the parameter its value. A variable that the
// parameters cell declares is assigned, so that it keeps its type.
func (p Parameter) assignment(declared map[string]declaration) string {
	d, ok := declared[p.Name]
	value := p.literal()
	if quoted := strings.HasPrefix(value, `"`) || strings.HasPrefix(value, "`"); d.isString && !quoted {
		value = strconv.Quote(p.Value)
	}
	switch {
	case !ok:
		return p.Name + " := " + value
	case d.constant:
		return "const " + p.Name + " = " + value
	}
	return p.Name + " = " + value
}

// declarations finds what a cell declares, by any statement at its top level.
func declarations(source string) map[string]declaration {
	var code []string
	for line := range strings.Lines(source) {
		if s := strings.TrimSpace(line); strings.HasPrefix(s, "%") || strings.HasPrefix(s, "!") || strings.HasPrefix(s, "import ") {
			line = "\n"
		}
		code = append(code, line)
	}
	// A cell with errors gives what could be read; running it will tell the user the rest.
	file, _ := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {\n"+strings.Join(code, "")+"\n}", parser.SkipObjectResolution)
	declared := map[string]declaration{}
	if file == nil {
		return declared
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		for _, statement := range f.Body.List {
			switch s := statement.(type) {
			case *ast.AssignStmt:
				if s.Tok == token.DEFINE {
					declare(declared, s.Lhs, s.Rhs, false)
				}
			case *ast.DeclStmt:
				if g, ok := s.Decl.(*ast.GenDecl); ok {
					declareGroup(declared, g)
				}
			}
		}
	}
	return declared
}

func declareGroup(declared map[string]declaration, g *ast.GenDecl) {
	for _, spec := range g.Specs {
		if v, ok := spec.(*ast.ValueSpec); ok {
			names := make([]ast.Expr, len(v.Names))
			for i, name := range v.Names {
				names[i] = name
			}
			declare(declared, names, v.Values, g.Tok == token.CONST)
		}
	}
}

func declare(declared map[string]declaration, names, values []ast.Expr, constant bool) {
	for i, name := range names {
		identifier, ok := name.(*ast.Ident)
		if !ok {
			continue
		}
		d := declaration{constant: constant}
		if i < len(values) {
			literal, ok := values[i].(*ast.BasicLit)
			d.isString = ok && literal.Kind == token.STRING
		}
		declared[identifier.Name] = d
	}
}

// inject puts a cell that sets the parameters after the one tagged "parameters", or first.
// A cell injected by an earlier run is replaced. Of a name given twice the last value counts.
func (n *Notebook) inject(parameters []Parameter) {
	if len(parameters) == 0 {
		return
	}
	n.Cells = slices.DeleteFunc(n.Cells, func(c *Cell) bool { return c.Tagged(tagInjected) })
	at, declared := 0, map[string]declaration{}
	if i := slices.IndexFunc(n.Cells, func(c *Cell) bool { return c.Kind == "code" && c.Tagged(tagParameters) }); i >= 0 {
		at, declared = i+1, declarations(n.Cells[i].Source)
	}
	source := "// Parameters"
	for i, p := range parameters {
		if !slices.ContainsFunc(parameters[i+1:], func(later Parameter) bool { return later.Name == p.Name }) {
			source += "\n" + p.assignment(declared)
		}
	}
	n.Cells = slices.Insert(n.Cells, at, &Cell{Kind: "code", Source: source, Tags: []string{tagInjected}})
}
