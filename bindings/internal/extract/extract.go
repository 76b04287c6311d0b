// Package extract reads the documentation of packages from their sources.
package extract

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/constant"
	"go/doc"
	"go/doc/comment"
	"go/printer"
	"go/token"
	"go/types"
	"maps"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/gonb-svm/gonb-svm/bindings/docs"
	"github.com/gonb-svm/gonb-svm/bindings/internal/listing"
)

// lineWidth is the width of comments in characters.
const lineWidth = 96

// Documentation reads that of the groups' packages, by import path.
func Documentation(groups ...listing.Group) (map[string]docs.Package, error) {
	all := map[string]docs.Package{}
	for _, g := range groups {
		found, err := ofGroup(g)
		if err != nil {
			return nil, err
		}
		maps.Copy(all, found)
	}
	for _, p := range all {
		for name, d := range p {
			if d.Of != "" {
				p[name] = resolved(d, all)
			}
		}
	}
	return all, nil
}

// resolved is the documentation of an alias with the declaration of what it stands for.
func resolved(d docs.Doc, all map[string]docs.Package) docs.Doc {
	dot := strings.LastIndexByte(d.Of, '.')
	original, ok := all[d.Of[:dot]][d.Of[dot+1:]]
	if !ok {
		return d
	}
	d.Signature = original.Signature
	if d.Text == "" {
		d.Text = original.Text
	}
	return d
}

// ofGroup reads the documentation of one group.
func ofGroup(g listing.Group) (map[string]docs.Package, error) {
	found, err := listing.Load(listing.Platform{}, g.Patterns...)
	if err != nil {
		return nil, err
	}
	declared := map[string]*types.Package{}
	for _, p := range found {
		declared[p.Path()] = p
	}
	config := &packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedSyntax,
		Fset: token.NewFileSet(),
		Env:  append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64"), // the same text wherever it is made
	}
	sources, err := packages.Load(config, g.Patterns...)
	if err != nil {
		return nil, err
	}
	all := map[string]docs.Package{}
	for _, s := range sources {
		declaration, ok := declared[s.PkgPath]
		if !ok {
			continue
		}
		d, err := doc.NewFromFiles(config.Fset, s.Syntax, s.PkgPath)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.PkgPath, err)
		}
		r := reader{d: d, fset: config.Fset, types: declaration, out: docs.Package{}}
		r.read()
		all[s.PkgPath] = r.out
	}
	if len(all) != len(declared) {
		return nil, fmt.Errorf("%s: the sources of %d packages were found, %d have types", g.Name, len(all), len(declared))
	}
	return all, nil
}

// reader collects the documentation of one package.
type reader struct {
	d     *doc.Package
	fset  *token.FileSet
	types *types.Package
	out   docs.Package
}

func (r *reader) read() {
	r.out[""] = docs.Doc{Signature: "package " + r.d.Name, Text: r.text(r.d.Doc)}
	r.values(r.d.Consts)
	r.values(r.d.Vars)
	for _, f := range r.d.Funcs {
		r.out[f.Name] = r.function(f)
	}
	for _, t := range r.d.Types {
		r.typeOf(t)
		r.values(t.Consts)
		r.values(t.Vars)
		for _, f := range t.Funcs {
			r.out[f.Name] = r.function(f)
		}
		for _, m := range t.Methods {
			r.out[t.Name+"."+m.Name] = r.function(m)
		}
	}
}

func (r *reader) function(f *doc.Func) docs.Doc {
	declaration := *f.Decl
	declaration.Doc, declaration.Body = nil, nil
	return docs.Doc{Signature: r.print(&declaration), Text: r.text(f.Doc)}
}

// typeOf adds a type and its members.
func (r *reader) typeOf(t *doc.Type) {
	for _, spec := range t.Decl.Specs {
		s, ok := spec.(*ast.TypeSpec)
		if !ok || s.Name.Name != t.Name {
			continue
		}
		d := docs.Doc{Text: r.text(t.Doc), Of: r.aliased(t.Name)}
		r.members(t.Name, s)
		s.Doc, s.Comment = nil, nil
		d.Signature = "type " + r.print(s)
		r.out[t.Name] = d
	}
}

// aliased is what an alias stands for, as Doc.Of has it, or "".
func (r *reader) aliased(name string) string {
	o, ok := r.types.Scope().Lookup(name).(*types.TypeName)
	if !ok || !o.IsAlias() {
		return ""
	}
	named, ok := types.Unalias(o.Type()).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || !named.Obj().Exported() || !listing.Bound(named.Obj().Pkg().Path()) {
		return ""
	}
	return named.Obj().Pkg().Path() + "." + named.Obj().Name()
}

// members adds the fields of a struct and the methods of an interface.
func (r *reader) members(name string, s *ast.TypeSpec) {
	var list *ast.FieldList
	keyword := ""
	switch t := s.Type.(type) {
	case *ast.StructType:
		list, keyword = t.Fields, "field "
	case *ast.InterfaceType:
		list, keyword = t.Methods, "func "
	default:
		return
	}
	for _, f := range list.List {
		text := r.text(f.Doc.Text())
		if text == "" {
			text = r.text(f.Comment.Text())
		}
		for _, n := range f.Names {
			if !n.IsExported() {
				continue
			}
			signature := r.print(f.Type)
			if keyword == "func " {
				signature = strings.TrimPrefix(signature, "func")
			} else {
				signature = " " + signature
			}
			r.out[name+"."+n.Name] = docs.Doc{Signature: keyword + n.Name + signature, Text: text}
		}
	}
}

// values adds constants and variables, with the values of the constants.
func (r *reader) values(groups []*doc.Value) {
	for _, g := range groups {
		for _, spec := range g.Decl.Specs {
			s, ok := spec.(*ast.ValueSpec)
			if !ok {
				continue
			}
			text := s.Doc.Text()
			if text == "" {
				text = s.Comment.Text()
			}
			if text == "" {
				text = g.Doc
			}
			for _, n := range s.Names {
				if n.IsExported() {
					r.out[n.Name] = docs.Doc{Signature: r.value(n.Name), Text: r.text(text)}
				}
			}
		}
	}
}

func (r *reader) value(name string) string {
	qualify := func(p *types.Package) string {
		if p == r.types {
			return ""
		}
		return p.Name()
	}
	o := r.types.Scope().Lookup(name)
	c, ok := o.(*types.Const)
	if !ok {
		if o == nil { // on another platform
			return "var " + name
		}
		return "var " + name + " " + types.TypeString(o.Type(), qualify)
	}
	typed := ""
	if basic, ok := c.Type().(*types.Basic); !ok || basic.Info()&types.IsUntyped == 0 {
		typed = " " + types.TypeString(c.Type(), qualify)
	}
	value := c.Val().String()
	if c.Val().Kind() == constant.Int {
		value = c.Val().ExactString()
	}
	return "const " + name + typed + " = " + value
}

// print writes a declaration as gofmt does.
func (r *reader) print(node any) string {
	var b bytes.Buffer
	config := printer.Config{Mode: printer.UseSpaces, Tabwidth: 4}
	if err := config.Fprint(&b, r.fset, node); err != nil {
		return ""
	}
	return b.String()
}

// text renders a comment as plain text.
func (r *reader) text(source string) string {
	p := comment.Printer{TextWidth: lineWidth, TextCodePrefix: "    "}
	return strings.TrimRight(string(p.Text(r.d.Parser().Parse(source))), "\n")
}
