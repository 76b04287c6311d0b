package lower

import (
	"fmt"
	"go/types"
	"strings"
)

// A dispatcher is a function that calls one method on whatever an interface holds.
type dispatcher struct {
	name    string
	table   int
	method  *types.Func
	sig     *types.Signature
	calls   []dispatched
	seen    map[int]bool // type numbers
	emitted bool
}

// dispatched is the case of one type.
type dispatched struct {
	t     types.Type
	lines string
	call  string
}

// dispatcher names the function that calls m, of signature s, through an interface.
func (g *Lowerer) dispatcher(m *types.Func, s *types.Signature) string {
	key := m.Id() + types.TypeString(types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic()), g.qualifyUniquely)
	if d := g.dispatchers[key]; d != nil {
		return d.name
	}
	d := &dispatcher{name: g.name("d") + "_" + clean(m.Name()), table: g.count, method: m, sig: s, seen: map[int]bool{}}
	keep(g, g.dispatchers, key, d)
	g.dispatcherOrder = append(g.dispatcherOrder, d)
	g.undo = append(g.undo, func() { g.dispatcherOrder = nil })
	return d.name
}

func (g *Lowerer) qualifyUniquely(p *types.Package) string { return p.Path() }

// lookup finds d's method in concrete type t, nil when t lacks it.
func (d *dispatcher) lookup(t types.Type) *types.Func {
	sel := types.NewMethodSet(t).Lookup(d.method.Pkg(), d.method.Name())
	if sel == nil {
		return nil
	}
	f := sel.Obj().(*types.Func)
	s := sel.Type().(*types.Signature)
	a := types.NewSignatureType(nil, nil, nil, s.Params(), s.Results(), s.Variadic())
	b := types.NewSignatureType(nil, nil, nil, d.sig.Params(), d.sig.Results(), d.sig.Variadic())
	if !types.Identical(a, b) {
		return nil
	}
	return f
}

// completeDispatcher adds the types that have got into interfaces since.
func (g *Lowerer) completeDispatcher(d *dispatcher) {
	for i := 0; i < len(g.boxed); i++ {
		t := g.boxed[i]
		id := g.types.Number(t)
		if d.seen[id] {
			continue
		}
		d.seen[id] = true
		f := d.lookup(t)
		if f == nil {
			continue
		}
		x := g.newBody(nil)
		_, as := d.arguments()
		c := dispatched{t: t}
		c.call = x.method("v", t, f, as, d.sig.Variadic())
		c.lines = nilReceiver(t, f) + x.b.String()
		d.calls = append(d.calls, c)
	}
}

// nilReceiver is the check with which a value method called through a nil pointer panics.
func nilReceiver(t types.Type, f *types.Func) string {
	p, ok := t.(*types.Pointer)
	if !ok {
		return ""
	}
	n, ok := types.Unalias(p.Elem()).(*types.Named)
	r, ok2 := types.Unalias(f.Signature().Recv().Type()).(*types.Named)
	if !ok || !ok2 || n.Origin() != r.Origin() {
		return ""
	}
	return fmt.Sprintf("if v == nil { rt.NilReceiver(%q, %q, %q) }\n", n.Obj().Pkg().Name(), n.Obj().Name(), f.Name())
}

// arguments names the parameters, the same for all parts of the dispatcher.
func (d *dispatcher) arguments() (ps []string, as []string) {
	for i := range d.sig.Params().Len() {
		as = append(as, fmt.Sprintf("a%d", i))
	}
	return nil, as
}

func (g *Lowerer) dispatcherHead(d *dispatcher) string {
	ps := []string{"x interface{}"}
	for i := range d.sig.Params().Len() {
		ps = append(ps, fmt.Sprintf("a%d %s", i, g.low(d.sig.Params().At(i).Type())))
	}
	return "(" + strings.Join(ps, ", ") + ")" + g.results(d.sig) + " {\n"
}

// casesInOne is how many types one function tests before it hands on: each test costs a frame
// slot on every call.
const casesInOne = 3

// emitDispatcher writes the functions of d.
func (g *Lowerer) emitDispatcher(d *dispatcher) {
	d.emitted = true
	name := d.name
	_, as := d.arguments()
	calls := d.calls
	d.calls = nil
	for {
		n := min(casesInOne, len(calls))
		var b strings.Builder
		b.WriteString("func " + name + g.dispatcherHead(d))
		for i, c := range calls[:n] {
			b.WriteString(g.dispatchCase(d, c, i))
		}
		calls = calls[n:]
		if len(calls) == 0 {
			b.WriteString(g.dispatchOther(d) + "}")
			g.out.funcs = append(g.out.funcs, b.String())
			return
		}
		name = g.name("d") + "_" + clean(d.method.Name())
		b.WriteString(returning(d.sig) + name + "(" + strings.Join(append([]string{"x"}, as...), ", ") + ")\n}")
		g.out.funcs = append(g.out.funcs, b.String())
	}
}

func (g *Lowerer) dispatchCase(d *dispatcher, c dispatched, i int) string {
	low := g.low(c.t)
	call := returning(d.sig) + c.call + "\n"
	if d.sig.Results().Len() == 0 {
		call += "return\n"
	}
	if g.selfEvident(c.t) && low != "struct{}" {
		v := fmt.Sprintf("v%d", i)
		text := fmt.Sprintf("%s, ok%d := x.(%s)\nif ok%d {\n%s%s}\n", v, i, low, i, c.lines, call)
		return renamed(text, v)
	}
	value := unboxed(fmt.Sprintf("b%d", i), low)
	return fmt.Sprintf("b%d, ok%d := x.(rt.Boxed)\nif ok%d { ok%d = b%d.ID == %d }\nif ok%d {\nv := %s\n%s%s}\n", i, i, i, i, i, g.types.Number(c.t), i, value, c.lines, call)
}

// renamed puts v in place of the name v in generated text.
func renamed(text, v string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == 'v' && (i == 0 || text[i-1] != '.' && !identifierByte(text[i-1])) && (i+1 == len(text) || !identifierByte(text[i+1])) {
			b.WriteString(v)
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

func identifierByte(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// dispatchOther asks the runtime: the value is compiled, or of a type of a later cell.
func (g *Lowerer) dispatchOther(d *dispatcher) string {
	_, as := d.arguments()
	var boxes []string
	for i, a := range as {
		boxes = append(boxes, g.convText(a, d.sig.Params().At(i).Type(), anyType))
	}
	call := fmt.Sprintf("rt.Call(%d, x, %q, []interface{}{%s})", d.table, d.method.Name(), strings.Join(boxes, ", "))
	if d.sig.Results().Len() == 0 {
		return call + "\n"
	}
	s := "o := " + call + "\n"
	var rs []string
	for i := range d.sig.Results().Len() {
		r := fmt.Sprintf("o[%d]", i)
		if low := g.low(d.sig.Results().At(i).Type()); low != anyText {
			s += fmt.Sprintf("r%d := %s.(%s)\n", i, r, low)
			r = fmt.Sprintf("r%d", i)
		}
		rs = append(rs, r)
	}
	return s + "return " + strings.Join(rs, ", ") + "\n"
}

// tables registers the methods of t that compiled code or earlier dispatchers may call.
func (g *Lowerer) tables(t types.Type) {
	ms := types.NewMethodSet(t)
	if ms.Len() == 0 {
		return
	}
	id := g.types.Number(t)
	g.registerMethods(t)
	for _, d := range g.dispatchers {
		if !d.emitted || d.seen[id] {
			continue
		}
		d.seen[id] = true
		if f := d.lookup(t); f != nil {
			m := g.name("t") // given directly, the literal would not be known to be a function value
			g.out.setup = append(g.out.setup, m+" := "+g.bound(t, f, d.sig), fmt.Sprintf("rt.EnterMethod(%d, %d, %s)", d.table, id, m))
		}
	}
}

// registerMethods registers the methods of t that compiled code may call.
func (g *Lowerer) registerMethods(t types.Type) {
	if _, ok := t.(*types.Named); ok && !isInterface(t) {
		g.registerMethods(types.NewPointer(t))
	}
	ms := types.NewMethodSet(t)
	id := g.types.Number(t)
	for i := range ms.Len() {
		f := ms.At(i).Obj().(*types.Func)
		key := fmt.Sprintf("%d.%s", id, f.Name())
		if !f.Exported() || !g.borderMethods[f.Name()] && !g.allMethods || g.registered[key] {
			continue
		}
		keep(g, g.registered, key, true)
		sig := ms.At(i).Type().(*types.Signature)
		m := g.name("t")
		g.out.setup = append(g.out.setup, m+" := "+g.bound(t, f, sig), fmt.Sprintf("rt.Register(%d, %q, %s)", id, f.Name(), m))
	}
}

// bound is a function literal that takes a receiver of type t and calls its method f.
func (g *Lowerer) bound(t types.Type, f *types.Func, sig *types.Signature) string {
	x := g.newBody(nil)
	ps, as := g.parameters(sig)
	call := x.method("v", t, f, as, sig.Variadic())
	lines := strings.ReplaceAll(strings.TrimSpace(x.b.String()), "\n", "; ")
	if lines != "" {
		lines += "; "
	}
	return "func(" + strings.Join(append([]string{"v " + g.low(t)}, ps...), ", ") + ")" + g.results(sig) + " { " + lines + returning(sig) + call + " }"
}
