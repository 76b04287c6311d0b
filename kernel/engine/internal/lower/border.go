package lower

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/border"
)

var replaced = border.Replaced

// mode says how a compiled function is to see interpreted values in parameters of type any.
type mode int

const (
	keptMode  mode = iota // as they are: the function only keeps them
	shownMode             // wrapped so that they print by their Go types
	rawMode               // out of their boxes, for reflection
)

func modeOf(f *types.Func) mode {
	if f == nil || f.Pkg() == nil {
		return keptMode
	}
	switch f.Pkg().Path() {
	case "fmt", "log", "errors", "testing", "log/slog", "text/tabwriter":
		return shownMode
	case "runtime", "encoding/json", "encoding/xml", "encoding/gob", "sort", "encoding/binary", "text/template", "html/template", "unsafe", "sync/atomic":
		return rawMode
	}
	return keptMode
}

// toCompiled adapts a lowered value of type t for compiled code.
func (g *Lowerer) toCompiled(s string, t types.Type) string {
	return g.toCompiledAs(s, t, keptMode)
}

func (g *Lowerer) toCompiledAs(s string, t types.Type, m mode) string {
	t = types.Unalias(t)
	if isInterface(t) {
		return g.interfaceOut(s, t, m)
	}
	if sl, ok := t.(*types.Slice); ok && isInterface(sl.Elem()) && g.exact(t) {
		switch m {
		case shownMode:
			return "rt.ShowAll(" + s + ")"
		case rawMode:
			return "rt.RawAll(" + s + ")"
		}
		return s
	}
	switch u := t.Underlying().(type) {
	case *types.Signature:
		if g.exact(u) || g.compiledType(t) && t != u {
			return s
		}
		return g.functionOut(s, u)
	case *types.Slice:
		if !g.exact(t) && isInterface(u.Elem()) && g.types.Reflect(t) != nil {
			g.announce(u.Elem())
			return fmt.Sprintf("rt.OutSlice(%s, %d).(%s)", s, g.typeID(t), g.compiledForm(t))
		}
	}
	return s
}

// interfaceOut passes an interface value to compiled code.
func (g *Lowerer) interfaceOut(s string, t types.Type, m mode) string {
	if it := t.Underlying().(*types.Interface); it.NumMethods() == 0 {
		switch m {
		case shownMode:
			return "rt.Show(" + s + ")"
		case rawMode:
			return "rt.Raw(" + s + ")"
		}
		return s
	}
	return g.converter(t) + "(" + s + ")"
}

// converter names the function that makes a value of compiled interface t.
func (g *Lowerer) converter(t types.Type) string {
	key := types.TypeString(t, nil)
	if n, ok := g.converters[key]; ok {
		return n
	}
	r := g.types.Reflect(t)
	if r == nil {
		g.limit(0, "a value cannot be passed to compiled code as %s, which is not built in", t)
	}
	g.announce(t)
	n := fmt.Sprintf("C%d", len(g.converters))
	g.bind(n, g.runtime.Converter(r))
	g.converters[key] = "cv." + n
	return "cv." + n
}

// announce says that compiled code will call the methods of interface t, so that the types of
// cells register theirs.
func (g *Lowerer) announce(t types.Type) {
	it := t.Underlying().(*types.Interface)
	for i := range it.NumMethods() {
		g.borderMethods[it.Method(i).Name()] = true
	}
}

// functionOut wraps a lowered function for a compiled caller.
func (g *Lowerer) functionOut(s string, sig *types.Signature) string {
	f := g.name("t")
	var ps, as []string
	for v := range sig.Params().Variables() {
		n := g.name("t")
		ps = append(ps, n+" "+g.compiledForm(v.Type()))
		as = append(as, g.fromCompiled(n, v.Type()))
	}
	if sig.Variadic() {
		last := len(ps) - 1
		ps[last] = strings.Replace(ps[last], " []", " ...", 1)
	}
	var rs []string
	for v := range sig.Results().Variables() {
		rs = append(rs, g.compiledForm(v.Type()))
	}
	body := g.adapted(f+"("+strings.Join(as, ", ")+")", sig.Results(), func(s string, t types.Type) string { return g.toCompiled(s, t) })
	form := "(" + strings.Join(ps, ", ") + ") (" + strings.Join(rs, ", ") + ")"
	result := "func(" + strings.Join(ps, ", ") + ") (" + strings.Join(rs, ", ") + ")"
	return fmt.Sprintf("func(%s func%s) %s { return func%s { %s } }(%s)", f, g.signature(sig), result, form, body, s)
}

// adapted is the body of a function that returns the results of call, each adapted.
func (g *Lowerer) adapted(call string, results *types.Tuple, adapt func(s string, t types.Type) string) string {
	switch results.Len() {
	case 0:
		return call
	case 1:
		return "return " + adapt(call, results.At(0).Type())
	}
	var ts, rs []string
	for v := range results.Variables() {
		n := g.name("t")
		ts = append(ts, n)
		rs = append(rs, adapt(n, v.Type()))
	}
	return strings.Join(ts, ", ") + " := " + call + "; return " + strings.Join(rs, ", ")
}

// compiledForm is a type's text as compiled code spells it.
func (g *Lowerer) compiledForm(t types.Type) string {
	return types.TypeString(t, func(p *types.Package) string { return g.packageName(p) })
}

// fromCompiled adapts a value that compiled code gave.
func (g *Lowerer) fromCompiled(s string, t types.Type) string {
	t = types.Unalias(t)
	if isInterface(t) {
		return "rt.In(" + s + ")"
	}
	if g.exact(t) {
		return s
	}
	switch u := t.(type) {
	case *types.Slice:
		if isInterface(u.Elem()) {
			return "rt.InSlice(" + s + ")"
		}
	case *types.Signature:
		return g.functionIn(s, u)
	case *types.Named:
		if u.TypeArgs().Len() > 0 {
			return "rt.Convert(" + s + ", " + g.zero(t) + ").(" + g.low(t) + ")"
		}
	}
	return s
}

// functionIn wraps a compiled function for lowered callers.
func (g *Lowerer) functionIn(s string, sig *types.Signature) string {
	ps, as := g.parameters(sig)
	for i := range as {
		as[i] = g.toCompiledAs(as[i], sig.Params().At(i).Type(), keptMode)
	}
	if sig.Variadic() {
		as[len(as)-1] += "..."
	}
	body := g.adapted(s+"("+strings.Join(as, ", ")+")", sig.Results(), g.fromCompiled)
	return g.made("func("+strings.Join(ps, ", ")+")"+g.results(sig)+" { "+body+" }", sig)
}
