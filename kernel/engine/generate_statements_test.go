package engine

import (
	"fmt"
	"strings"
)

// statement writes one statement.
func (g *generator) statement(depth int) {
	forms := []func(int){g.declare, g.declare, g.assign, g.assign, g.print, g.print, g.elements, g.pair, g.object, g.mapped}
	if depth > 0 {
		forms = append(forms, g.conditional, g.forLoop, g.rangeLoop, g.switching, g.caught, g.closures, g.channels, g.interfaces, g.list, g.deferring)
	}
	forms[g.r.IntN(len(forms))](depth)
}

func (g *generator) block(depth int) {
	g.scoped(func() {
		for range 1 + g.r.IntN(3) {
			g.statement(depth - 1)
		}
	})
}

func (g *generator) declare(int) {
	t := g.pick(simpleTypes...)
	n := g.fresh("v")
	e := g.expr(t, 2)
	switch {
	case t == "int" || g.r.IntN(2) == 0:
		g.line("var %s %s = %s", n, t, e)
	default:
		g.line("%s := %s", n, e)
	}
	g.line("_ = %s", n)
	g.vars = append(g.vars, variable{n, t})
}

func (g *generator) assign(int) {
	t := g.pick("int", "string", "bool", "float64", "uint8", "[]int", "[3]int")
	v := g.variable(t)
	if v == "" {
		g.print(0)
		return
	}
	switch {
	case t == "int" && g.r.IntN(2) == 0:
		g.line("%s %s %s", v, g.pick("+=", "-=", "*=", "^=", "|=", "&^="), g.expr(t, 1))
	case t == "int" && g.r.IntN(3) == 0:
		g.line("%s%s", v, g.pick("++", "--"))
	case t == "string":
		g.line("if len(%s) < 40 { %s += %s } else { %s = %s[:3] }", v, v, g.literal("string"), v, v)
	default:
		g.line("%s = %s", v, g.expr(t, 2))
	}
}

func (g *generator) print(int) {
	t := g.pick(simpleTypes...)
	g.line("fmt.Println(%s)", g.pick(g.expr(t, 2)+", "+g.expr("int", 1), fmt.Sprintf("fmt.Sprintf(%q, %s)", g.pick("%v|%T", "%#v %[1]v", "%5v|"), g.expr(t, 1))))
}

// elements changes what slices and arrays hold, and shows aliasing.
func (g *generator) elements(int) {
	s, a := g.variable("[]int"), g.variable("[3]int")
	if s == "" || a == "" {
		g.declare(0)
		return
	}
	e := g.expr("int", 1)
	g.line("%s", g.pick(
		fmt.Sprintf("%s = append(%s, %s)\nif len(%s) > 9 { %s = %s[:2] }", s, s, e, s, s, s),
		fmt.Sprintf("for len(%s) < 2 { %s = append(%s, %s) }\n%s[0], %s[1] = %s[1], %s[0]", s, s, s, g.literal("int"), s, s, s, s),
		fmt.Sprintf("%s[%d] %s %s", a, g.r.IntN(3), g.pick("=", "+=", "*="), e),
		fmt.Sprintf("copy(%s[1:], %s)", a, s),
		fmt.Sprintf("{ b := %s; b[0]++; c := &%s; c[2]--; d := %s[:2]; d = append(d, 77); fmt.Println(b, d, len(c), cap(d)) }", a, a, a),
		fmt.Sprintf("{ t := %s[:min(1, len(%s))]; t = append(t, %s); fmt.Println(t, %s) }", s, s, e, s),
		fmt.Sprintf("for i := range %s { %s[i] = i * 2 }", a, a),
		fmt.Sprintf("for i, x := range %s { %s[2] = 50; fmt.Print(i, x, \" \") }\nfmt.Println()", a, a),
		fmt.Sprintf("clear(%s)", s),
	))
}

func (g *generator) pair(int) {
	a, b := g.variable("int"), g.variable("int")
	if a == "" || a == b {
		g.declare(0)
		return
	}
	g.line("%s, %s = %s, %s", a, b, g.expr("int", 1), g.expr("int", 1))
}

// object works on a struct by value, pointer and method.
func (g *generator) object(int) {
	p := g.fresh("o")
	g.line(g.named("%s := S#{A: %s, B: %q, D: %s}"), p, g.expr("int", 1), g.pick("x", "yy"), g.expr("[]int", 1))
	g.line("%s", g.named(strings.ReplaceAll(g.pick(
		"@c := @; @c.A++; @c.C[1] = 9; fmt.Println(@.A, @c.A, @.C, @c.C)",
		"@p := &@; @p.p = @p; @p.p.p.A += 2; fmt.Println(@.A, @p == @.p)",
		"fmt.Println(@.M(2)); fmt.Println(@.A, @.D, @.Name())",
		"@f := @.M; @g := (*S#).M; @f(3); fmt.Println(@g(&@, 4), @.D)",
		"@e := E#{@, 5}; @e.A = 3; @e.M(1); fmt.Println(@e.Name(), @e.Sum(), @.A, @e.A, @e.C)",
		"@q := []S#{@, @}; @q[0].A = 100; for _, v := range @q { v.A++ }; for i := range @q { @q[i].C[0] += i }; fmt.Println(@.A, @q[0].A, @q[1].C)",
		"@m := map[string]*S#{\"k\": &@}; @m[\"k\"].A *= 2; fmt.Println(@.A, len(@m))",
		"fmt.Println(@.C == [2]int{}, @.p == nil, struct{ a, b int }{1, @.A})",
	), "@", p)))
}

func (g *generator) mapped(int) {
	m := g.variable("map[string]int")
	if m == "" {
		g.declare(0)
		return
	}
	k := g.expr("string", 1)
	g.line("%s", g.pick(
		fmt.Sprintf("%s[%s] = %s", m, k, g.expr("int", 1)),
		fmt.Sprintf("%s[%s]++", m, k),
		fmt.Sprintf("delete(%s, %s)", m, k),
		fmt.Sprintf("if v, ok := %s[%s]; ok { fmt.Println(v) } else { fmt.Println(ok, len(%s)) }", m, k, m),
		fmt.Sprintf("{ n := 0; for k, v := range %s { n += len(k) + v }; fmt.Println(n, %s) }", m, m),
	))
}

func (g *generator) conditional(depth int) {
	g.line("if %s {", g.expr("bool", 2))
	g.block(depth)
	if g.r.IntN(2) == 0 {
		g.line("} else if %s {", g.expr("bool", 1))
		g.block(depth)
	}
	if g.r.IntN(2) == 0 {
		g.line("} else {")
		g.block(depth)
	}
	g.line("}")
}

// looped writes the body of a loop over the variables given.
func (g *generator) looped(depth int, vs ...variable) {
	g.loops++
	g.scoped(func() {
		for _, v := range vs {
			g.line("_ = %s", v.name)
		}
		g.vars = append(g.vars, vs...)
		if g.r.IntN(3) == 0 {
			g.line("if %s { %s }", g.expr("bool", 1), g.pick("continue", "break"))
		}
		g.block(depth)
	})
	g.loops--
	g.line("}")
}

func (g *generator) forLoop(depth int) {
	if g.loops > 1 {
		g.print(0)
		return
	}
	i := g.fresh("i")
	if g.r.IntN(3) == 0 {
		l := g.fresh("L")
		g.line("%s:\nfor %s := 0; %s < 3; %s++ {\nfor j := range 3 { if j == %d { continue %s }; if %s == 2 { break %s }; fmt.Print(%s, j, \" \") }\n}\nfmt.Println()", l, i, i, i, g.r.IntN(3), l, i, l, i)
		return
	}
	g.line("for %s := %d; %s < %d; %s++ {", i, g.r.IntN(2), i, 1+g.r.IntN(4), i)
	g.scoped(func() { g.readOnly(depth, i) })
}

// readOnly loops with a variable that its body does not change.
func (g *generator) readOnly(depth int, i string) {
	n := g.fresh("w")
	g.line("%s := %s * 2", n, i)
	g.looped(depth, variable{n, "int"})
}

func (g *generator) rangeLoop(depth int) {
	if g.loops > 1 {
		g.print(0)
		return
	}
	k, v := g.fresh("k"), g.fresh("e")
	switch g.r.IntN(5) {
	case 0:
		g.line("for %s := range %d {", k, 1+g.r.IntN(4))
		g.looped(depth, variable{k, "int"})
	case 1:
		g.line("for %s, %s := range []int{4, 5, 6} {", k, v)
		g.looped(depth, variable{k, "int"}, variable{v, "int"})
	case 2:
		g.line("for %s, %s := range \"aé\" {\n_ = %s", k, v, v)
		g.looped(depth, variable{k, "int"})
	case 3:
		g.line(g.named("for %s, %s := range (&L#[string]{}).Add(\"p\").Add(\"q\").Add(\"r\").All {"), k, v)
		g.looped(depth, variable{k, "int"}, variable{v, "string"})
	case 4:
		g.line("for %s := range func(yield func(int) bool) { for i := 10; i < 13; i++ { if !yield(i) { fmt.Println(\"stopped\", i); return } } } {", k)
		g.looped(depth, variable{k, "int"})
	}
}

func (g *generator) switching(depth int) {
	g.line("switch x := %s; {", g.expr("int", 1))
	g.line("case x > 10:")
	g.block(depth)
	if g.r.IntN(2) == 0 {
		g.line("fallthrough")
	}
	g.line("case x < 0, %s:", g.expr("bool", 1))
	g.block(depth)
	g.line("default:")
	g.block(depth)
	g.line("}")
}

// caught runs statements that may panic under a function that prints the panic.
func (g *generator) caught(depth int) {
	if g.risky {
		g.print(0)
		return
	}
	g.line("%s", g.named("try#(func() {"))
	g.risky = true
	g.block(depth)
	s, n := g.expr("[]int", 1), g.nonConstant("int")
	g.line("fmt.Println(%s)", g.pick(fmt.Sprintf("(%s)[%s]", s, n), fmt.Sprintf("(%s)[%s:]", s, n), fmt.Sprintf("(%s)[:%s]", s, n), fmt.Sprintf("%s / %s", g.literal("int"), n),
		fmt.Sprintf("make([]int, %s&63 - 32)", n), fmt.Sprintf("%s[%s]", g.expr("[3]int", 0), n), fmt.Sprintf("any(%s).(string)", n), fmt.Sprintf("len([2]int(%s))", s), fmt.Sprintf("1 << %s", n)))
	g.risky = false
	g.line("})")
}

// closures makes functions that share or own variables.
func (g *generator) closures(int) {
	f := g.fresh("f")
	e := g.expr("int", 1)
	g.line("%s", strings.ReplaceAll(g.pick(
		"var @ []func() int\nfor i := 0; i < 3; i++ { @ = append(@, func() int { i += "+g.literal("int")+"; return i }) }\nfor _, h := range @ { fmt.Print(h(), h(), \" \") }\nfmt.Println()",
		"@n := "+e+"\n@ := func(x int) func() int { return func() int { @n++; x += @n; return x } }\n@a, @b := @(1), @(2)\nfmt.Println(@a())\nfmt.Println(@b())\nfmt.Println(@a())",
		"var @ func(int) int\n@ = func(n int) int { if n <= 0 { return 1 }; return n * @(n-1) }\nfmt.Println(@(6))",
		"@ := func() (a int, b string) { defer func() { a *= 2; b += \"d\" }(); a, b = 3, \"b\"; return a + 1, b + \"r\" }\n@x, @y := @()\nfmt.Println(@x, @y)",
		"@ := []func(){}\nfor _, s := range []string{\"a\", \"b\"} { for range 2 { @ = append(@, func() { s += \"+\"; fmt.Print(s, \" \") }) } }\nfor _, h := range @ { h() }\nfmt.Println()",
	), "@", f))
}

func (g *generator) channels(int) {
	c := g.fresh("c")
	e := g.expr("int", 1)
	g.line("%s", strings.ReplaceAll(g.pick(
		"@ := make(chan int)\ngo func(n int) { defer close(@); for i := range 4 { @ <- n + i } }("+e+")\n@s := 0\nfor v := range @ { @s += v }\nfmt.Println(@s)",
		"@ := make(chan int, 2)\nselect { case @ <- "+e+": fmt.Println(\"sent\"); default: fmt.Println(\"full\") }\nselect { case v, ok := <-@: fmt.Println(v, ok); default: fmt.Println(\"none\") }\nclose(@)\n@v, @ok := <-@\nfmt.Println(@v, @ok)",
		"@ := make([]chan int, 3)\nfor i := range @ { @[i] = make(chan int, 1); go func() { @[i] <- i * i }() }\nfor _, d := range @ { fmt.Print(<-d, \" \") }\nfmt.Println()",
		"@a, @b := make(chan int), make(chan string)\ngo func() { @a <- "+e+" }()\ngo func() { @b <- \"s\" }()\nfor range 2 { select { case v := <-@a: fmt.Print(\"\"); _ = v; case <-@b: fmt.Print(\"\") } }",
	), "@", c))
}

func (g *generator) interfaces(int) {
	n := g.fresh("n")
	g.line("%s", g.named(strings.ReplaceAll(g.pick(
		"for _, @ := range []I#{K#(2), &S#{B: \"b\"}, &E#{N: 2}} { fmt.Println(@.Name(), @.M("+g.expr("int", 1)+")) }",
		"var @ any = "+g.anything(1)+"\nif s, ok := @.(I#); ok { fmt.Println(s.Name()) }\n_, @ok := @.(string)\nfmt.Println(@ok, kind#(@))",
		"var @ I# = K#(7)\n@k, @ok := @.(K#)\n_, @no := @.(*S#)\nfmt.Println(@k, @ok, @no, @ == I#(K#(7)))",
		"@ := map[any]int{1: 1, \"a\": 2, K#(1): 3, [2]int{1, 2}: 4}\nfmt.Println(@[1], @[K#(1)], @[[2]int{1, 2}], @[\"zz\"], len(@))",
		"var @ interface{ Name() string } = &E#{S#: S#{B: \"in\"}}\n@f := @.Name\nfmt.Println(@f(), fmt.Sprintf(\"%T\", @))",
	), "@", n)))
}

func (g *generator) list(int) {
	l := g.fresh("l")
	g.line("%s", g.named(strings.ReplaceAll(g.pick(
		"@ := (&L#[int]{}).Add("+g.expr("int", 1)+").Add(2)\nfor i, v := range @.All { if i == 1 { break }; fmt.Println(i, v) }\nfmt.Println(@.items, @.next == nil)",
		"@ := Map#("+g.expr("[]int", 1)+", func(i int) string { return fmt.Sprint(i) })\nfmt.Printf(\"%q\\n\", @)",
		"@ := L#[S#]{}\n@.Add(S#{A: 1})\n@.next = &@\n@.next.items[0].A++\nfmt.Println(@.items[0].A, len(@.next.next.items))",
	), "@", l)))
}

func (g *generator) deferring(int) {
	g.line("%s", g.named(g.pick(
		"func() { for i := range 3 { defer fmt.Print(i, \" \") } }()\nfmt.Println()",
		"fmt.Println(func() (s string) { defer func() { s += fmt.Sprint(recover()) }(); defer func() { panic(\"p2\") }(); panic(\"p1\") }())",
		"func() { x := 1; defer fmt.Println(\"d\", x); defer func() { fmt.Println(\"c\", x) }(); x = 2 }()",
		"try#(func() { var m map[string]int; m[\"a\"] = "+g.expr("int", 1)+" })",
		"try#(func() { defer fmt.Println(\"unwound\"); var p *S#; p.A++ })",
		"try#(func() { var i I#; i.Name() })",
		"try#(func() { var x any = 3; fmt.Println(x.(string)) })",
	)))
}
