package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator writes random programs that a Go compiler accepts and whose output the specification
// determines: no expression reads a variable that a call in it may change.
type generator struct {
	r     *rand.Rand
	mark  string // at the end of every top-level name
	b     *strings.Builder
	vars  []variable
	decls []string
	funcs []declaredFunction
	count int
	loops int  // open loops, which bound the running time
	risky bool // a panic here is caught
}

type variable struct{ name, typ string }

// declaredFunction is a function without effects.
type declaredFunction struct {
	name   string
	params []string
	result string
}

// generated is a random program: declarations in an order that can be cut, and statements of main.
type generated struct {
	decls, stmts []string
	functions    []int // of decls, those that declare functions
}

var simpleTypes = []string{"int", "int", "string", "bool", "float64", "uint8", "[]int", "[3]int", "map[string]int"}

// generate makes the program of a seed.
func generate(seed uint64) generated {
	g := &generator{r: rand.New(rand.NewPCG(seed, 7)), mark: fmt.Sprint("_", seed), b: &strings.Builder{}}
	g.types()
	for range 2 + g.r.IntN(3) {
		g.function()
	}
	first := len(g.decls) - len(g.funcs)
	p := generated{}
	for i := range g.funcs {
		p.functions = append(p.functions, first+i)
	}
	for range 2 {
		t := g.pick(simpleTypes...)
		n := g.fresh("G") + g.mark
		g.decls = append(g.decls, fmt.Sprintf("var %s %s = %s", n, t, g.literal(t)))
		g.vars = append(g.vars, variable{n, t})
	}
	for range 8 + g.r.IntN(8) {
		p.stmts = append(p.stmts, g.collect(func() { g.statement(2) }))
	}
	var names []string
	for _, v := range g.vars {
		if v.typ != "chan int" && !strings.HasPrefix(v.typ, "func") && !strings.HasPrefix(v.typ, "*") {
			names = append(names, v.name)
		}
	}
	p.stmts = append(p.stmts, "fmt.Println("+strings.Join(names, ", ")+")\n")
	p.decls = g.decls
	return p
}

// source is the program as a file.
func (p generated) source() string {
	return "package main\n\nimport \"fmt\"\n\n" + strings.Join(p.decls, "\n\n") + "\n\nfunc main() {\n" + strings.Join(p.stmts, "") + "}\n"
}

func (g *generator) pick(l ...string) string { return l[g.r.IntN(len(l))] }

func (g *generator) fresh(prefix string) string {
	g.count++
	return fmt.Sprint(prefix, g.count)
}

func (g *generator) line(format string, args ...any) { fmt.Fprintf(g.b, format+"\n", args...) }

// collect gives what f writes.
func (g *generator) collect(f func()) string {
	save := g.b
	g.b = &strings.Builder{}
	f()
	s := g.b.String()
	g.b = save
	return s
}

// scoped runs f and drops the variables that it declares.
func (g *generator) scoped(f func()) {
	n := len(g.vars)
	f()
	g.vars = g.vars[:n]
}

// named replaces # in text by the program's mark.
func (g *generator) named(text string) string { return strings.ReplaceAll(text, "#", g.mark) }

// types declares the types and helpers that every program has, varied by the seed.
func (g *generator) types() {
	recv := g.pick("", "*")
	texts := []string{
		"type S# struct { A int; B string; C [2]int; D []int; p *S# }",
		fmt.Sprintf("type K# %s", g.pick("int", "uint8", "int16")),
		"type E# struct { S#; N int }",
		"type I# interface { M(x int) int; Name() string }",
		fmt.Sprintf("func (s *S#) M(x int) int { s.A += x; s.D = append(s.D, s.A%%7); return s.A*%d + len(s.B) }", 1+g.r.IntN(3)),
		"func (s *S#) Name() string { return \"S\" + s.B }",
		fmt.Sprintf("func (k K#) M(x int) int { return int(k)%s x }", g.pick("+", "-", "*", "^")),
		"func (k K#) Name() string { return fmt.Sprint(\"K\", int(k)) }",
		fmt.Sprintf("func (e %sE#) Name() string { return \"E\" + e.S#.Name() }", recv),
		"func (e E#) Sum() (n int) { for _, v := range e.C { n += v }; e.A = 1000; return n + e.N }",
		"type L#[T any] struct { items []T; next *L#[T] }",
		"func (l *L#[T]) Add(v T) *L#[T] { l.items = append(l.items, v); return l }",
		"func (l *L#[T]) All(yield func(int, T) bool) { for i, v := range l.items { if !yield(i, v) { return } } }",
		"func Map#[T, U any](s []T, f func(T) U) (r []U) { for _, v := range s { r = append(r, f(v)) }; return }",
		"func Fold#[T any, A any](s []T, a A, f func(A, T) A) A { for _, v := range s { a = f(a, v) }; return a }",
		"func Max#[T int | string | float64 | uint8](a, b T) T { if a > b { return a }; return b }",
		"func try#(f func()) { defer func() { if r := recover(); r != nil { fmt.Println(\"panic:\", r) } }(); f() }",
		"func c#[T any](v T) T { return v }",
		"func iff#[T any](c bool, a, b T) T { if c { return a }; return b }",
		"func kind#(x any) string { switch v := x.(type) { case nil: return \"nil\"; case int: return fmt.Sprint(\"int \", v+1); case string: return v + \"!\"; case K#: return \"k\" + v.Name(); case []int: return fmt.Sprint(len(v)); case I#: return v.Name(); case func(int) int: return fmt.Sprint(v(3)); case error: return v.Error() }; return fmt.Sprintf(\"%T\", x) }",
	}
	for _, t := range texts {
		g.decls = append(g.decls, g.named(t))
	}
}

// function declares a function without effects.
func (g *generator) function() {
	s := declaredFunction{name: g.fresh("F") + g.mark, result: g.pick("int", "string", "bool", "float64", "[]int", "[3]int")}
	var ps []string
	text := g.collect(func() {
		save := g.vars
		g.vars = nil
		for range 1 + g.r.IntN(3) {
			t := g.pick("int", "int", "string", "float64", "[]int", "uint8")
			n := g.fresh("p")
			s.params = append(s.params, t)
			ps = append(ps, n+" "+t)
			g.vars = append(g.vars, variable{n, t})
		}
		r := "result"
		g.vars = append(g.vars, variable{r, s.result})
		deferred := g.r.IntN(3) == 0
		g.line("func %s(%s) (%s %s) {", s.name, strings.Join(ps, ", "), r, s.result)
		if deferred {
			g.line("defer func() { if x := recover(); x != nil { fmt.Println(\"deferred\", x, %s) }; %s = %s }()", r, r, g.expr(s.result, 2))
		}
		g.risky = deferred
		for range 2 + g.r.IntN(3) {
			g.statement(1)
		}
		g.risky = false
		g.line("return %s\n}", g.expr(s.result, 2))
		g.vars = save
	})
	g.decls = append(g.decls, text)
	g.funcs = append(g.funcs, s)
}

// program tells the cells of a program cut everywhere; functions are declared again now and then.
func (p generated) cells(again *rand.Rand) []string {
	l := append([]string{"import \"fmt\""}, p.decls...)
	for _, s := range p.stmts {
		l = append(l, s)
		if again != nil && again.IntN(4) == 0 && len(p.functions) > 0 {
			l = append(l, p.decls[p.functions[again.IntN(len(p.functions))]])
		}
	}
	return l
}
