// Package lower turns type-checked Go into the core language that the executor surely does right.
//
// The core has basic types, pointers, slices, arrays, maps, channels, functions, structs without
// methods, compiled named types, and interface{}; no methods, no interpreted interfaces, no
// embedding, no generics, no shadowing and no constants but literals. Every name is unique, and
// everything that runs is inside a function. What replaces the rest:
//
//   - methods are functions with the receiver first; a promoted method is called on the field;
//   - a call through an interface goes to a dispatcher, a function that tests for the types known
//     to have the method and asks the runtime about others;
//   - generic functions are lowered once for each list of type arguments;
//   - a function that defers runs its body as a closure under the runtime, which keeps the list;
//   - where Go's order of evaluation or its messages need it, operands go to temporaries and
//     checks stand before the statement.
package lower

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"sort"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/border"
	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/check"
)

// Lowerer keeps what has been lowered, for all the units of one engine.
type Lowerer struct {
	packages *check.Packages
	types    *border.Types
	bind     func(name string, f reflect.Value)
	runtime  *border.Runtime

	count   int
	globals map[types.Object]string
	// TopLevel are the variables of cells: globals, though the type-checker saw them elsewhere.
	TopLevel     map[types.Object]bool
	declarations map[*types.Func]declaration
	held         map[string]bool // globals that functions use, by storage

	texts, anonymous, exacts, selves *typeutil.Map
	zeros                            map[string]string
	instances                        map[string]string
	owners                           map[*types.TypeName]string // of generic types inside functions, the function's instance
	lowered                          map[*types.Func][]string   // keys in instances
	values                           map[string]string
	context                          *types.Context
	queue                            []func()

	dispatchers     map[string]*dispatcher
	dispatcherOrder []*dispatcher
	boxed, shown    []types.Type // that may be in interfaces, and only inside such values
	isBoxed         *typeutil.Map
	isShown         *typeutil.Map
	borderMethods   map[string]bool
	allMethods      bool // package reflect is asked for methods by name or number
	reflects        bool // package reflect is used
	registered      map[string]bool
	converters      map[string]string

	out     unit
	imports map[string]string // of all units so far: name by path
	undo    []func()
}

type declaration struct {
	node          *ast.FuncDecl
	info          *types.Info
	asksForCaller bool
}

// unit is the text of what is new since the last Flush.
type unit struct {
	types, vars, funcs, setup []string
}

// Limit is the panic by which lowering refuses what it cannot do right.
type Limit struct {
	Pos  token.Pos
	Text string
}

// New makes a Lowerer. bind makes a compiled function available to lowered code as cv.NAME.
func New(p *check.Packages, rt *border.Runtime, bind func(name string, f reflect.Value)) *Lowerer {
	g := &Lowerer{
		packages: p, types: rt.Types, runtime: rt, bind: bind,
		globals: map[types.Object]string{}, TopLevel: map[types.Object]bool{},
		declarations: map[*types.Func]declaration{}, held: map[string]bool{},
		texts: new(typeutil.Map), anonymous: new(typeutil.Map), exacts: new(typeutil.Map), selves: new(typeutil.Map),
		zeros: map[string]string{}, instances: map[string]string{}, owners: map[*types.TypeName]string{}, lowered: map[*types.Func][]string{}, values: map[string]string{}, context: types.NewContext(),
		dispatchers: map[string]*dispatcher{}, isBoxed: new(typeutil.Map), isShown: new(typeutil.Map),
		borderMethods: map[string]bool{}, registered: map[string]bool{}, converters: map[string]string{},
		imports: map[string]string{},
	}
	for _, m := range strings.Fields(alwaysAtBorder) {
		g.borderMethods[m] = true
	}
	return g
}

// alwaysAtBorder are methods for which compiled code looks in values of type any.
const alwaysAtBorder = `String Error Format GoString Unwrap Is As HTML SVG PNG Markdown LaTeX MimeBundle
	MarshalJSON UnmarshalJSON MarshalText UnmarshalText WriteTo ReadFrom WriteString Timeout Temporary RuntimeError`

func (g *Lowerer) limit(pos token.Pos, format string, args ...any) {
	panic(Limit{pos, fmt.Sprintf(format, args...)})
}

// number makes a new name.
func (g *Lowerer) name(prefix string) string {
	g.count++
	return fmt.Sprintf("%s%d", prefix, g.count)
}

// packageName is the name by which lowered text calls a compiled package.
func (g *Lowerer) packageName(p *types.Package) string {
	n := "p_" + clean(p.Path())
	g.imports[p.Path()] = n
	return n
}

// Add records the functions declared in files so that they are lowered when first used.
func (g *Lowerer) Add(files []*ast.File, info *types.Info) {
	for _, f := range files {
		for _, d := range f.Decls {
			if d, ok := d.(*ast.FuncDecl); ok && d.Name.Name != "_" {
				if o, ok := info.Defs[d.Name].(*types.Func); ok {
					g.declarations[o] = declaration{d, info, d.Body != nil && asksForCaller(d.Body)}
				}
			}
		}
	}
}

// AddSources takes over the source packages that checking has newly imported, and returns
// the statements that initialise their variables.
func (g *Lowerer) AddSources() string {
	var b strings.Builder
	for _, s := range g.takeSources() {
		x := g.newBody(s.Info)
		x.initialise(s.Info.InitOrder)
		b.WriteString(x.b.String())
		for _, f := range s.Files {
			for _, d := range f.Decls {
				if d, ok := d.(*ast.FuncDecl); ok && d.Recv == nil && d.Name.Name == "init" {
					b.WriteString(g.function(s.Info.Defs[d.Name].(*types.Func), nil, never) + "()\n")
				}
			}
		}
	}
	return b.String()
}

func (g *Lowerer) takeSources() []*check.Source {
	l := g.packages.New
	g.packages.New = nil
	for _, s := range l {
		g.Add(s.Files, s.Info)
	}
	return l
}

// Rename gives new variable v the storage of old, which has the same type.
func (g *Lowerer) Rename(v, old types.Object) {
	if n, ok := g.globals[old]; ok {
		g.globals[v] = n
		g.undo = append(g.undo, func() { delete(g.globals, v) })
	}
}

// Forget drops the lowered forms of a function that was declared anew, and names them. Should
// anything of an earlier cell still need it, it is lowered again.
func (g *Lowerer) Forget(f *types.Func) (names []string) {
	for _, k := range g.lowered[f] {
		if n, ok := g.instances[k]; ok {
			delete(g.instances, k)
			delete(g.values, n)
			names = append(names, n)
		}
	}
	delete(g.lowered, f)
	return names
}

// Held tells whether a function or closure uses the storage of a variable.
func (g *Lowerer) Held(storage string) bool { return g.held[storage] }

// Global names the storage of a variable, "" when it has none.
func (g *Lowerer) Global(v types.Object) string { return g.globals[v] }

// keep makes m[k] = v until the unit is given up.
func keep[K comparable, V any](g *Lowerer, m map[K]V, k K, v V) {
	m[k] = v
	g.undo = append(g.undo, func() { delete(m, k) })
}

func keepType(g *Lowerer, m *typeutil.Map, t types.Type, v any) {
	m.Set(t, v)
	g.undo = append(g.undo, func() { m.Delete(t) })
}

// Commit makes the names of the last unit lasting.
func (g *Lowerer) Commit() { g.undo = nil }

// GiveUp forgets the unit under way, which could not be lowered or compiled.
func (g *Lowerer) GiveUp() {
	for i := len(g.undo) - 1; i >= 0; i-- {
		g.undo[i]()
	}
	g.undo, g.queue, g.out = nil, nil, unit{}
}

// drain lowers queued functions and method tables until nothing new appears.
func (g *Lowerer) drain() {
	for {
		for len(g.queue) > 0 {
			f := g.queue[0]
			g.queue = g.queue[1:]
			f()
		}
		for i := 0; i < len(g.boxed); i++ {
			g.tables(g.boxed[i])
		}
		for i := 0; i < len(g.shown); i++ {
			g.registerMethods(g.shown[i])
			if g.reflects {
				g.inInterface(g.shown[i])
			}
		}
		for i := 0; i < len(g.dispatcherOrder) && len(g.queue) == 0; i++ {
			g.completeDispatcher(g.dispatcherOrder[i])
		}
		if len(g.queue) == 0 {
			return
		}
	}
}

// Flush gives the text of one unit: what is new, and its entry with the body given.
func (g *Lowerer) Flush(body string) string {
	g.drain()
	for _, d := range g.dispatcherOrder {
		g.emitDispatcher(d)
	}
	g.dispatcherOrder = nil
	var b strings.Builder
	b.WriteString("package main\nimport rt \"rt\"\nimport cv \"cv\"\n")
	var paths []string
	for p := range g.imports {
		paths = append(paths, p)
	}
	sort.Strings(paths)
	var code strings.Builder
	for _, l := range [][]string{g.out.types, g.out.vars, g.out.funcs} {
		for _, s := range l {
			code.WriteString(s + "\n")
		}
	}
	code.WriteString("func entry() {\n")
	for _, s := range g.out.setup {
		code.WriteString(s + "\n")
	}
	code.WriteString(body + "}\nfunc init() { rt.Entry(entry) }\n")
	text := code.String()
	for _, p := range paths {
		if strings.Contains(text, g.imports[p]+".") {
			fmt.Fprintf(&b, "import %s %q\n", g.imports[p], p)
		}
	}
	g.out = unit{}
	return b.String() + text
}

// clean makes s fit for an identifier.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			return r
		}
		return '_'
	}, s)
}
