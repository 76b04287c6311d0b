package tables

import (
	"fmt"
	"go/constant"
	"go/types"
	"math/big"
	"strings"
)

// writer renders the table of one package.
type writer struct {
	of       *types.Package
	imports  map[string]string // import path to the name it has in the file
	taken    map[string]bool   // the names in imports
	values   strings.Builder
	typed    strings.Builder
	adapters strings.Builder // table lines of the wrappers
	wrappers strings.Builder // their declarations
}

// use imports a package and gives the name it has in the file.
func (w *writer) use(path, name string) string {
	if known, ok := w.imports[path]; ok {
		return known
	}
	unique := name
	for n := 2; w.taken[unique]; n++ {
		unique = fmt.Sprintf("%s%d", name, n)
	}
	w.imports[path], w.taken[unique] = unique, true
	return unique
}

// table renders the declarations of w.of.
func (w *writer) table() string {
	scope := w.of.Scope()
	for _, name := range scope.Names() {
		if o := scope.Lookup(name); Bindable(o) {
			w.object(o)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func %s() map[string]reflect.Value {\nreturn map[string]reflect.Value{", ident(w.of))
	for _, part := range []string{w.values.String(), w.typed.String(), w.adapters.String()} {
		if part != "" {
			b.WriteString("\n" + part)
		}
	}
	b.WriteString("}\n}\n")
	return b.String() + w.wrappers.String()
}

// Bindable reports whether the object is an exported name that reflection can represent: it is
// not generic and no constraint.
func Bindable(o types.Object) bool {
	if !o.Exported() {
		return false
	}
	switch o := o.(type) {
	case *types.Func:
		return o.Signature().TypeParams().Len() == 0
	case *types.TypeName:
		if alias, ok := o.Type().(*types.Alias); ok && alias.TypeParams().Len() > 0 && alias.TypeArgs().Len() == 0 {
			return false
		}
		if named, ok := types.Unalias(o.Type()).(*types.Named); ok && named.TypeParams().Len() > 0 && named.TypeArgs().Len() == 0 {
			return false
		}
		if i, ok := o.Type().Underlying().(*types.Interface); ok {
			return i.IsMethodSet()
		}
	}
	return true
}

// object adds the lines of one name.
func (w *writer) object(o types.Object) {
	name := w.use(w.of.Path(), w.of.Name()) + "." + o.Name()
	switch o := o.(type) {
	case *types.Const:
		fmt.Fprintf(&w.values, "%q: reflect.ValueOf(%s),\n", o.Name(), w.constant(o, name))
	case *types.Func:
		fmt.Fprintf(&w.values, "%q: reflect.ValueOf(%s),\n", o.Name(), name)
	case *types.Var:
		fmt.Fprintf(&w.values, "%q: reflect.ValueOf(&%s).Elem(),\n", o.Name(), name)
	case *types.TypeName:
		fmt.Fprintf(&w.typed, "%q: reflect.ValueOf((*%s)(nil)),\n", o.Name(), name)
		if i, ok := o.Type().Underlying().(*types.Interface); ok {
			w.wrapper(o.Name(), i)
		}
	}
}

// constant is the expression for a constant's value. An untyped one stays exact and untyped as
// a constant.Value. Where it fits an int it refers to the constant itself, whose value may
// depend on the platform; a greater one is spelled out.
func (w *writer) constant(o *types.Const, name string) string {
	basic, ok := o.Type().(*types.Basic)
	if !ok || basic.Info()&types.IsUntyped == 0 || basic.Kind() == types.UntypedBool {
		return name
	}
	pkg := func() string { return w.use("go/constant", "constant") }
	switch v := o.Val(); v.Kind() {
	case constant.String:
		return fmt.Sprintf("%s.MakeString(%s)", pkg(), name)
	case constant.Int:
		if basic.Kind() == types.UntypedFloat {
			return w.literal(v.ExactString()+".0", "FLOAT")
		}
		if _, exact := constant.Int64Val(v); exact {
			return fmt.Sprintf("%s.MakeInt64(%s)", pkg(), name)
		}
		return w.literal(v.ExactString(), "INT")
	case constant.Float:
		return w.literal(decimal(v), "FLOAT")
	}
	return name
}

// literal is an expression for a number of any size.
func (w *writer) literal(text, kind string) string {
	return fmt.Sprintf("%s.MakeFromLiteral(%q, %s.%s, 0)", w.use("go/constant", "constant"), text, w.use("go/token", "token"), kind)
}

// decimal writes a fraction with the 512 bits that the compiler keeps.
func decimal(v constant.Value) string {
	f, ok := constant.Val(v).(*big.Float)
	if !ok {
		f = new(big.Float).SetPrec(512).SetRat(constant.Val(v).(*big.Rat))
	}
	return f.Text('g', -1)
}

// wrapper declares the type by which a value of the interpreter implements the interface: a
// struct of functions. Its layout is yaegi's convention: field IValue, then a field WMethod for
// each method. An interface that cannot be named completely here has none.
func (w *writer) wrapper(name string, i *types.Interface) {
	for k := 0; k < i.NumMethods(); k++ {
		if m := i.Method(k); !m.Exported() || !nameable(m.Type()) {
			return
		}
	}
	wrapper := "_" + stem(w.of) + "_" + name
	fmt.Fprintf(&w.adapters, "%q: reflect.ValueOf((*%s)(nil)),\n", "_"+name, wrapper)
	var fields, methods strings.Builder
	for k := 0; k < i.NumMethods(); k++ {
		m := i.Method(k)
		parameters, arguments, results := w.signature(m.Signature())
		fmt.Fprintf(&fields, "W%s func(%s) %s\n", m.Name(), parameters, results)
		fmt.Fprintf(&methods, "\nfunc (W %s) %s(%s) %s {\n", wrapper, m.Name(), parameters, results)
		if m.Name() == "String" && results == "string" && arguments == "" {
			// fmt may be handed a wrapper made for another interface of the same type.
			methods.WriteString("if W.WString == nil {\nreturn \"\"\n}\n")
		}
		if results != "" {
			methods.WriteString("return ")
		}
		fmt.Fprintf(&methods, "W.W%s(%s)\n}\n", m.Name(), arguments)
	}
	fmt.Fprintf(&w.wrappers, "\n// %s lets interpreted types be %s.%s.\ntype %s struct {\nIValue any\n%s}\n%s",
		wrapper, w.of.Name(), name, wrapper, fields.String(), methods.String())
}

// signature renders a method's parameters, the arguments that pass them on, and its results.
func (w *writer) signature(s *types.Signature) (parameters, arguments, results string) {
	qualify := func(p *types.Package) string { return w.use(p.Path(), p.Name()) }
	var declared, passed, returned []string
	for k := 0; k < s.Params().Len(); k++ {
		t := s.Params().At(k).Type()
		if last := k == s.Params().Len()-1; s.Variadic() && last {
			declared = append(declared, fmt.Sprintf("a%d ...%s", k, types.TypeString(t.(*types.Slice).Elem(), qualify)))
			passed = append(passed, fmt.Sprintf("a%d...", k))
			continue
		}
		declared = append(declared, fmt.Sprintf("a%d %s", k, types.TypeString(t, qualify)))
		passed = append(passed, fmt.Sprintf("a%d", k))
	}
	for k := 0; k < s.Results().Len(); k++ {
		returned = append(returned, types.TypeString(s.Results().At(k).Type(), qualify))
	}
	results = strings.Join(returned, ", ")
	if len(returned) > 1 {
		results = "(" + results + ")"
	}
	return strings.Join(declared, ", "), strings.Join(passed, ", "), results
}
