package engine

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"github.com/traefik/yaegi/interp"
)

// typeExpr is the syntax of a type in lowered code, placed at a node.
func (l *lowerer) typeExpr(t types.Type, at ast.Node) ast.Expr {
	text := l.typeText(t)
	x, err := parser.ParseExpr(text)
	if err != nil {
		l.limit(at, "the type "+l.describe(t)+" cannot be written here", "")
		return ident("int", at.Pos())
	}
	move(x, at.Pos())
	return x
}

// move puts every node of a tree at pos.
func move(tree ast.Node, pos token.Pos) {
	ast.Inspect(tree, func(n ast.Node) bool {
		if n == nil {
			return false
		}
		v := reflect.ValueOf(n).Elem()
		for i := range v.NumField() {
			if p, ok := v.Field(i).Addr().Interface().(*token.Pos); ok && p.IsValid() {
				*p = pos
			}
		}
		return true
	})
}

// describe is a type as its author wrote it.
func (l *lowerer) describe(t types.Type) string { return describe(t) }

func describe(t types.Type) string {
	return clean(types.TypeString(t, func(p *types.Package) string { return p.Name() }))
}

// typeText writes a type with the interpreter's names.
func (l *lowerer) typeText(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		if t.Kind() == types.UnsafePointer {
			return "unsafe.Pointer"
		}
		return types.Default(t).String()
	case *types.Named:
		return l.namedText(t)
	case *types.TypeParam:
		return l.name(t.Obj())
	case *types.Pointer:
		return "*" + l.typeText(t.Elem())
	case *types.Slice:
		return "[]" + l.typeText(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), l.typeText(t.Elem()))
	case *types.Map:
		return "map[" + l.typeText(t.Key()) + "]" + l.typeText(t.Elem())
	case *types.Chan:
		return [...]string{"chan (", "chan<- (", "<-chan ("}[t.Dir()] + l.typeText(t.Elem()) + ")"
	case *types.Signature:
		return "func" + l.signatureText(t)
	case *types.Struct:
		return l.structText(t)
	case *types.Interface:
		var parts []string
		for i := range t.NumExplicitMethods() {
			m := t.ExplicitMethod(i)
			parts = append(parts, m.Name()+l.signatureText(m.Signature()))
		}
		for i := range t.NumEmbeddeds() {
			parts = append(parts, l.typeText(t.EmbeddedType(i)))
		}
		return "interface{" + strings.Join(parts, "; ") + "}"
	case *types.Union:
		var parts []string
		for i := range t.Len() {
			term := l.typeText(t.Term(i).Type())
			if t.Term(i).Tilde() {
				term = "~" + term
			}
			parts = append(parts, term)
		}
		return strings.Join(parts, " | ")
	}
	return "?" // the parser refuses it, typeExpr says so
}

func (l *lowerer) namedText(t *types.Named) string {
	obj := t.Obj()
	name := obj.Name()
	switch {
	case obj.Pkg() == nil:
		return name
	case obj.Pkg() == l.unit.pkg:
		if !l.asChecked {
			name = l.name(obj)
		}
	default:
		return l.compiledText(obj)
	}
	if t.TypeArgs().Len() == 0 {
		return name
	}
	var args []string
	for i := range t.TypeArgs().Len() {
		args = append(args, l.typeText(t.TypeArgs().At(i)))
	}
	return name + "[" + strings.Join(args, ", ") + "]"
}

// compiledText names a compiled type. One that no package exports gets a name in the hidden
// runtime package.
func (l *lowerer) compiledText(obj *types.TypeName) string {
	t, ok := l.lib.compiled[obj]
	if !ok {
		return "?"
	}
	at, ok := l.lib.exported[t]
	if !ok {
		at = symbolName{runtimePath, fmt.Sprintf("T%d", len(l.lib.exported))}
		l.lib.exported[t] = at
		l.lib.late[at.name] = reflect.Zero(reflect.PointerTo(t))
		hidden, _ := l.lib.Import(runtimePath)
		hidden.Scope().Insert(types.NewTypeName(0, hidden, at.name, l.lib.named[t]))
	}
	alias := runtimeAlias
	if at.path != runtimePath {
		alias = l.lib.alias(at.path)
	}
	l.used[alias] = at.path
	return alias + "." + at.name
}

// bindLate binds the types that compiledText has named since.
func (lib *library) bindLate(i *interp.Interpreter) error {
	if len(lib.late) == 0 {
		return nil
	}
	err := i.Use(interp.Exports{runtimePath + "/rt": lib.late})
	lib.late = map[string]reflect.Value{}
	return err
}

func (l *lowerer) signatureText(t *types.Signature) string {
	var in, out []string
	for i := range t.Params().Len() {
		p := t.Params().At(i).Type()
		if s, ok := p.(*types.Slice); ok && t.Variadic() && i == t.Params().Len()-1 {
			in = append(in, "..."+l.typeText(s.Elem()))
			continue
		}
		in = append(in, l.typeText(p))
	}
	for i := range t.Results().Len() {
		out = append(out, l.typeText(t.Results().At(i).Type()))
	}
	s := "(" + strings.Join(in, ", ") + ")"
	switch len(out) {
	case 0:
		return s
	case 1:
		return s + " " + out[0]
	}
	return s + " (" + strings.Join(out, ", ") + ")"
}

func (l *lowerer) structText(t *types.Struct) string {
	var parts []string
	for i := range t.NumFields() {
		f := t.Field(i)
		part := l.typeText(f.Type())
		if !f.Embedded() {
			part = f.Name() + " " + part
		}
		if tag := t.Tag(i); tag != "" {
			part += fmt.Sprintf(" %q", tag)
		}
		parts = append(parts, part)
	}
	return "struct{" + strings.Join(parts, "; ") + "}"
}
