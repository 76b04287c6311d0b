package bindings

import (
	"reflect"
	"regexp"
	"strings"

	"github.com/gonb-svm/gonb-svm/bindings/docs"
)

// documentation finds what is written about the names that can follow a piece of code: after
// "svm." those of the package, after an expression and a dot the members of its type, and in a
// struct literal the fields.
func (s *Session) documentation(before string) func(name string) (docs.Doc, bool) {
	none := func(string) (docs.Doc, bool) { return docs.Doc{}, false }
	operand, selected := strings.CutSuffix(before, ".")
	if !selected {
		if t := s.literalAround(before); t != nil {
			return members(t)
		}
		return none
	}
	d, ok := s.live().Inspect(operand, len(operand))
	switch {
	case !ok:
		return none
	case d.Kind == "package": // its Signature is the import path
		p, _ := docs.ForPackage(d.Signature)
		return p.Lookup
	}
	if m := typeName.FindStringSubmatch(d.Signature); m != nil {
		if t := s.typeNamed(m[1]); t != nil {
			return members(t)
		}
	}
	return none
}

// typeName matches the type of a variable if it is a bound type or a pointer to one.
var typeName = regexp.MustCompile(`^\*?(\w+\.[A-Z]\w*)$`)

// members finds the documentation of the fields and methods of a bound type, also of those that
// it has from embedded types.
func members(t reflect.Type) func(name string) (docs.Doc, bool) {
	owners := []reflect.Type{t}
	if t.Kind() == reflect.Struct {
		for _, f := range reflect.VisibleFields(t) {
			if f.Anonymous {
				owners = append(owners, f.Type)
			}
		}
	}
	packages := map[string]docs.Package{}
	for i, owner := range owners {
		if owner.Kind() == reflect.Pointer {
			owners[i] = owner.Elem()
		}
		path := owners[i].PkgPath()
		if _, known := packages[path]; !known {
			packages[path], _ = docs.ForPackage(path)
		}
	}
	return func(name string) (docs.Doc, bool) {
		for _, owner := range owners {
			if d, ok := packages[owner.PkgPath()].Lookup(owner.Name() + "." + name); ok {
				return d, true
			}
		}
		return docs.Doc{}, false
	}
}

// literalAround is the bound type of the struct literal that the end of code is in.
func (s *Session) literalAround(code string) reflect.Type {
	depth := 0
	for at := len(code) - 1; at >= 0; at-- {
		switch code[at] {
		case '}', ')', ']':
			depth++
		case '(', '[', '{':
			if depth--; depth >= 0 {
				continue
			}
			name, before := wordAt(code[:at], at)
			pkg, qualified := strings.CutSuffix(before, ".")
			if code[at] != '{' || !qualified {
				return nil
			}
			pkg, _ = wordAt(pkg, len(pkg))
			return s.typeNamed(pkg + "." + name)
		}
	}
	return nil
}
