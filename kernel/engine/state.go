package engine

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
)

// mark separates a name from the number that makes it unique. It is a letter to Go, and none
// that anybody types.
const mark = "ǀ"

// decl is one declaration that lives on after its cell, kept as source text.
type decl struct {
	kind   itemKind
	name   string // as other declarations write it; an outdated type has a mark in it
	recv   string // of a method
	unit   string // its name inside the interpreter
	holder string // the variable through which closures and methods call a function
	text   string // whole; a variable's is "var x T", a constant's "const K T = value"
	uses   []string
	origin origin
}

// origin is where text was written.
type origin struct {
	cell, source string
	line, column int
	function     string // that the text declares, for functions and methods
}

func (d *decl) key() string {
	if d.kind == methodItem {
		return d.recv + "." + d.name
	}
	return d.name
}

// outdated tells a type that has been declared anew and lives on in variables only.
func (d *decl) outdated() bool {
	return strings.Contains(d.name, mark) || strings.Contains(d.recv, mark)
}

// head is the text without a function's body: enough for others to be checked against.
func (d *decl) head() string {
	if d.kind != funcItem && d.kind != methodItem {
		return d.text
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", declPrefix+d.text, parser.SkipObjectResolution)
	if err != nil {
		return d.text
	}
	fn := f.Decls[0].(*ast.FuncDecl)
	if fn.Type.TypeParams != nil || fn.Body == nil {
		return d.text
	}
	return d.text[:int(fn.Body.Pos()-f.FileStart)-len(declPrefix)]
}

// state is what the cells have declared so far.
type state struct {
	decls   []*decl           // in order of declaration
	imports map[string]string // name to path, as cells wrote them
	dots    []string          // paths imported with a dot
	taken   map[string]bool   // every name the interpreter has seen
	count   int               // makes unit names
}

// usesOf gives the free identifiers of a declaration's text.
func usesOf(text string) []string {
	f, err := parser.ParseFile(token.NewFileSet(), "", declPrefix+text, 0)
	if err != nil {
		return nil
	}
	var out []string
	for _, id := range f.Unresolved {
		if !slices.Contains(out, id.Name) {
			out = append(out, id.Name)
		}
	}
	return out
}

func (s *state) find(key string) *decl {
	for _, d := range s.decls {
		if d.key() == key {
			return d
		}
	}
	return nil
}

// affected gives the keys of all declarations that must be declared anew because those in
// changed are: users of a changed name, the methods of a changed type, the type of a changed
// method. sameSignature holds the changed functions that methods need not notice.
func (s *state) affected(changed, sameSignature map[string]bool) map[string]bool {
	all := maps.Clone(changed)
	for grown := true; grown; {
		grown = false
		for _, d := range s.decls {
			if d.kind == varItem || d.outdated() || all[d.key()] {
				continue
			}
			hit := d.kind == methodItem && all[d.recv]
			for _, name := range d.uses {
				hit = hit || all[name] && !(d.kind == methodItem && sameSignature[name])
			}
			if hit {
				all[d.key()], grown = true, true
				if d.kind == methodItem {
					all[d.recv] = true
				}
			}
		}
	}
	return all
}

// shadow renames in d what names maps: how an outdated type, its methods and the variables
// that hold it go on.
func (d *decl) shadow(names map[string]string) *decl {
	out := *d
	out.text = rename(d.text, names)
	if n, ok := names[d.recv]; ok && d.kind == methodItem {
		out.recv = n
	}
	if n, ok := names[d.name]; ok && d.kind == typeItem {
		out.name = n
	}
	out.uses = nil
	for _, u := range d.uses {
		if n, ok := names[u]; ok {
			u = n
		}
		out.uses = append(out.uses, u)
	}
	return &out
}

// rename replaces package-level identifiers in the text of one declaration.
func rename(text string, names map[string]string) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", declPrefix+text, 0)
	if err != nil {
		return text
	}
	var at []*ast.Ident
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if ok && names[id.Name] != "" && (slices.Contains(f.Unresolved, id) || id.Obj != nil && id.Obj.Kind == ast.Typ) {
			at = append(at, id)
		}
		return true
	})
	for _, id := range slices.Backward(at) {
		i := int(id.Pos()-f.FileStart) - len(declPrefix)
		text = text[:i] + names[id.Name] + text[i+len(id.Name):]
	}
	return text
}

// unitName is a name that the interpreter has not seen: name itself when it may be.
func (s *state) unitName(name string, plain bool) string {
	s.count++
	if plain && !s.taken[name] && name != "main" && name != "init" {
		s.taken[name] = true
		return name
	}
	return name + mark + itoa(s.count)
}
