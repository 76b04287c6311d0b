package engine

import (
	"fmt"
	"go/ast"
	"maps"
	"regexp"
	"slices"
	"strconv"
)

func (p *plan) addImports(it *item, o origin) error {
	for _, spec := range it.decl.(*ast.GenDecl).Specs {
		spec := spec.(*ast.ImportSpec)
		at := o.plus(it.text[:int(spec.Path.Pos()-it.fileStart)-it.base])
		path, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			return newError("syntax", at, "the import path is not a string")
		}
		pkg, err := p.engine.library.Import(path)
		if err != nil || path == runtimePath {
			return newError("type", at, fmt.Sprintf("no package %q here: a notebook imports the standard library and the packages that come with it", path))
		}
		switch name := pkg.Name(); {
		case spec.Name == nil:
			p.imports[name] = path
		case spec.Name.Name == ".":
			p.dots = append(p.dots, path)
		case spec.Name.Name != "_":
			p.imports[spec.Name.Name] = path
		}
	}
	return nil
}

var internalAlias = regexp.MustCompile(`p` + mark + `(\d+|rt)\.`)

func (p *plan) importLines(u *unit) []string {
	used, declared := map[string]bool{}, map[string]bool{}
	for _, owner := range u.owners {
		switch o := owner.(type) {
		case *decl:
			for _, name := range usesOf(o.text) {
				used[name] = true
			}
			declared[o.name] = declared[o.name] || o.kind != methodItem
		case *item:
			for _, id := range o.free {
				used[id.Name] = true
			}
			for _, name := range o.names {
				declared[name] = declared[name] || o.kind != methodItem
			}
		}
	}
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(used)) {
		if path := p.pathOf(name); path != "" && !declared[name] {
			lines = append(lines, fmt.Sprintf("import %s %q", name, path))
		}
	}
	for _, path := range slices.Concat(p.engine.state.dots, p.dots) {
		lines = append(lines, fmt.Sprintf("import . %q", path))
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

func (p *plan) pathOf(name string) string {
	lib := p.engine.library
	if path, ok := p.imports[name]; ok {
		return path
	}
	if path, ok := p.engine.state.imports[name]; ok {
		return path
	}
	if internalAlias.MatchString(name + ".") {
		for path := range lib.symbols {
			if lib.alias(path) == name {
				return path
			}
		}
	}
	return lib.names[name]
}
