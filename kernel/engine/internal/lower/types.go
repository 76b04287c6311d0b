package lower

import (
	"fmt"
	"go/types"
	"strconv"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/border"
)

func isInterface(t types.Type) bool {
	_, parameter := t.(*types.TypeParam)
	return !parameter && types.IsInterface(t)
}

func isUntyped(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Info()&types.IsUntyped != 0
}

func isNil(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UntypedNil
}

func defaultType(t types.Type) types.Type {
	if isUntyped(t) {
		return types.Default(t)
	}
	return t
}

// anyType is interface{}, and its text.
var anyType = types.NewInterfaceType(nil, nil).Complete()

const anyText = "interface{}"

// compiled tells whether t is a named type of a bound package.
func (g *Lowerer) compiledType(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && n.TypeArgs().Len() == 0 && g.packages.Compiled(n.Obj())
}

// canonical gives our source form of a generic compiled type, and t itself for others.
func (g *Lowerer) canonical(t types.Type) types.Type {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		if e := g.canonical(t.Elem()); e != t.Elem() {
			return types.NewPointer(e)
		}
	case *types.Named:
		if t.TypeArgs().Len() == 0 || !g.packages.Compiled(t.Obj()) {
			return t
		}
		o, ok := g.packages.Generic(t.Obj()).(*types.TypeName)
		g.takeSources()
		if !ok {
			return t
		}
		args := make([]types.Type, t.TypeArgs().Len())
		for i := range args {
			args[i] = t.TypeArgs().At(i)
		}
		r, err := types.Instantiate(g.context, o.Type(), args, false)
		if err != nil {
			panic("lower: " + err.Error())
		}
		return r
	}
	return t
}

// low gives the text of the lowered form of t.
func (g *Lowerer) low(t types.Type) string {
	t = types.Unalias(t)
	if s, ok := g.texts.At(t).(string); ok {
		return s
	}
	s := g.makeText(t)
	keepType(g, g.texts, t, s)
	return s
}

func (g *Lowerer) makeText(t types.Type) string {
	switch t := t.(type) {
	case *types.Basic:
		switch t.Kind() {
		case types.UntypedNil:
			return anyText
		case types.UnsafePointer:
			return "uintptr"
		}
		return types.Default(t).String()
	case *types.Named:
		return g.namedText(t)
	case *types.Pointer:
		return "*" + g.low(t.Elem())
	case *types.Slice:
		return "[]" + g.low(t.Elem())
	case *types.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), g.low(t.Elem()))
	case *types.Map:
		return "map[" + g.low(t.Key()) + "]" + g.low(t.Elem())
	case *types.Chan:
		e := g.low(t.Elem())
		if strings.HasPrefix(e, "chan") || strings.HasPrefix(e, "<-") || strings.HasPrefix(e, "func") {
			e = "(" + e + ")"
		}
		return map[types.ChanDir]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan "}[t.Dir()] + e
	case *types.Signature:
		return "func" + g.signature(t)
	case *types.Interface:
		return anyText
	case *types.Struct:
		if t.NumFields() == 0 {
			return "struct{}"
		}
		name := g.name("S")
		keepType(g, g.texts, t, name)
		g.out.types = append(g.out.types, "type "+name+" "+g.structure(t, t))
		return name
	}
	panic(fmt.Sprintf("lower: type %v", t))
}

func (g *Lowerer) namedText(t *types.Named) string {
	if isInterface(t) {
		return anyText
	}
	if t.TypeArgs().Len() > 0 && g.packages.Compiled(t.Obj()) {
		c := g.canonical(t)
		if c == t {
			if _, ok := t.Underlying().(*types.Signature); ok {
				return g.low(t.Underlying())
			}
			g.limit(t.Obj().Pos(), "generic type %s of package %s is not available in cells", t.Obj().Name(), t.Obj().Pkg().Path())
		}
		return g.low(c)
	}
	if g.compiledType(t) {
		return g.compiledText(t)
	}
	if st, ok := t.Underlying().(*types.Struct); ok {
		g.refuseCycle(t, st)
		name := g.name("T") + "_" + clean(t.Obj().Name())
		keepType(g, g.texts, t, name)
		g.out.types = append(g.out.types, "type "+name+" "+g.structure(t, st))
		if holdsItself(t, st) {
			// The executor makes one reflect type of a struct that contains itself and of all in it
			// that do; a variable makes it do so before the struct becomes part of another.
			g.out.types = append(g.out.types, "var R"+name+" *"+name)
		}
		return name
	}
	if contains(t.Underlying(), t, 0) { // it holds itself with no struct between
		return anyText
	}
	return g.low(t.Underlying())
}

// compiledText names a compiled type; one that is not exported has its underlying form.
func (g *Lowerer) compiledText(t *types.Named) string {
	o := t.Obj()
	if !o.Exported() || !g.packages.Bound(o) {
		if _, isStruct := t.Underlying().(*types.Struct); isStruct {
			g.limit(o.Pos(), "type %s of package %s is not available in cells", o.Name(), o.Pkg().Path())
		}
		return g.low(t.Underlying())
	}
	return g.packageName(o.Pkg()) + "." + o.Name()
}

// structure renders a struct type; the tag of the first field tells the Go type.
func (g *Lowerer) structure(t types.Type, st *types.Struct) string {
	var b strings.Builder
	b.WriteString("struct {")
	id := fmt.Sprintf("%s:%q", border.TagKey, strconv.Itoa(g.types.Number(t)))
	if st.NumFields() == 0 {
		fmt.Fprintf(&b, " Z struct{} %q", id)
	}
	for i := range st.NumFields() {
		f := st.Field(i)
		tag := st.Tag(i)
		if !f.Exported() {
			tag = `json:"-" xml:"-"`
		}
		if i == 0 {
			tag = strings.TrimSpace(id + " " + tag)
		}
		fmt.Fprintf(&b, " %s %s", fieldName(st, i), g.low(f.Type()))
		if tag != "" {
			fmt.Fprintf(&b, " %q", tag)
		}
		b.WriteString(";")
	}
	b.WriteString(" }")
	return b.String()
}

// fieldName names field i of a lowered struct.
func fieldName(st *types.Struct, i int) string {
	f := st.Field(i)
	switch {
	case f.Name() == "_":
		return fmt.Sprintf("Blank%d", i)
	case !f.Exported():
		return "F_" + clean(f.Name()) + nonASCII(f.Name())
	}
	return f.Name()
}

// nonASCII tells apart names that clean makes equal.
func nonASCII(s string) string {
	if clean(s) == s || !strings.ContainsFunc(s, func(r rune) bool { return r > 127 }) {
		return ""
	}
	return fmt.Sprintf("%x", s)
}

// signature renders parameters and results.
func (g *Lowerer) signature(s *types.Signature) string {
	var p []string
	for v := range s.Params().Variables() {
		p = append(p, g.low(v.Type()))
	}
	return "(" + strings.Join(p, ", ") + ")" + g.results(s)
}

// results renders the results with a space before them.
func (g *Lowerer) results(s *types.Signature) string {
	var r []string
	for v := range s.Results().Variables() {
		r = append(r, g.low(v.Type()))
	}
	switch len(r) {
	case 0:
		return ""
	case 1:
		return " " + r[0]
	}
	return " (" + strings.Join(r, ", ") + ")"
}

// exact tells whether the lowered type is the very type that compiled code knows.
func (g *Lowerer) exact(t types.Type) bool {
	t = types.Unalias(t)
	if b, ok := g.exacts.At(t).(bool); ok {
		return b
	}
	keepType(g, g.exacts, t, true)
	b := g.same(t, g.exact, false)
	keepType(g, g.exacts, t, b)
	return b
}

// selfEvident tells whether the reflect type of a lowered value shows its Go type, so that the
// value needs no box in an interface.
func (g *Lowerer) selfEvident(t types.Type) bool {
	t = types.Unalias(t)
	if b, ok := g.selves.At(t).(bool); ok {
		return b
	}
	keepType(g, g.selves, t, true)
	b := g.same(t, g.selfEvident, true)
	keepType(g, g.selves, t, b)
	return b
}

// same is exact and selfEvident, which differ in structs.
func (g *Lowerer) same(t types.Type, of func(types.Type) bool, structs bool) bool {
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Named:
		if isInterface(t) {
			return false
		}
		if g.compiledType(t) {
			return t.Obj().Exported() && g.packages.Bound(t.Obj())
		}
		_, isStruct := g.canonical(t).Underlying().(*types.Struct)
		return structs && isStruct
	case *types.Pointer:
		return of(t.Elem())
	case *types.Slice:
		return of(t.Elem())
	case *types.Array:
		return of(t.Elem())
	case *types.Map:
		return of(t.Key()) && of(t.Elem())
	case *types.Chan:
		return of(t.Elem())
	case *types.Signature:
		if t.Variadic() {
			return false
		}
		for _, tu := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range tu.Variables() {
				if !of(v.Type()) {
					return false
				}
			}
		}
		return true
	case *types.Interface:
		return t.NumMethods() == 0
	case *types.Struct:
		return structs || t.NumFields() == 0
	}
	return false
}

// typeID gives the number of t for the runtime; a type with methods gets its tables.
func (g *Lowerer) typeID(t types.Type) int {
	t = g.canonical(t)
	if !isInterface(t) {
		g.inInterface(t)
	}
	return g.types.Number(t)
}

// inInterface notes that a value of t may be in an interface.
func (g *Lowerer) inInterface(t types.Type) {
	t = g.canonical(types.Unalias(t))
	if g.isBoxed.At(t) != nil || g.exact(t) {
		return
	}
	keepType(g, g.isBoxed, t, true)
	n := len(g.boxed)
	g.boxed = append(g.boxed, t)
	g.undo = append(g.undo, func() { g.boxed = g.boxed[:n] })
	g.inside(t)
}

// inside notes the types that package fmt meets inside a value of t: it calls their methods.
func (g *Lowerer) inside(t types.Type) {
	note := func(u types.Type) {
		u = g.canonical(types.Unalias(u))
		if isInterface(u) || g.isBoxed.At(u) != nil || g.isShown.At(u) != nil || g.exact(u) {
			return
		}
		keepType(g, g.isShown, u, true)
		n := len(g.shown)
		g.shown = append(g.shown, u)
		g.undo = append(g.undo, func() { g.shown = g.shown[:n] })
		g.inside(u)
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		note(u.Elem())
	case *types.Slice:
		note(u.Elem())
	case *types.Array:
		note(u.Elem())
	case *types.Map:
		note(u.Key())
		note(u.Elem())
	case *types.Struct:
		for f := range u.Fields() {
			note(f.Type())
		}
	}
}

// elem gives the element type of a container.
func elem(t types.Type) types.Type {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		return types.Unalias(u.Elem())
	case *types.Array:
		return types.Unalias(u.Elem())
	case *types.Pointer:
		return elem(u.Elem())
	case *types.Map:
		return types.Unalias(u.Elem())
	case *types.Chan:
		return types.Unalias(u.Elem())
	case *types.Basic:
		return types.Typ[types.Uint8]
	}
	panic("lower: element of " + t.String())
}

// hidden tells a type that contains itself: it is kept as interface{} and opened where used.
func (g *Lowerer) hidden(t types.Type) bool {
	n, ok := types.Unalias(t).(*types.Named)
	return ok && !isInterface(n) && !g.compiledType(n) && g.low(n) == anyText
}
