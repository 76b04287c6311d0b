package engine

import (
	"fmt"
	"strings"
)

// variable picks a variable of type t in scope, "" when there is none.
func (g *generator) variable(t string) string {
	var l []string
	for _, v := range g.vars {
		if v.typ == t {
			l = append(l, v.name)
		}
	}
	if len(l) == 0 {
		return ""
	}
	return g.pick(l...)
}

// expr writes an expression of type t without effects; depth bounds it.
func (g *generator) expr(t string, depth int) string {
	if v := g.variable(t); v != "" && (depth <= 0 || g.r.IntN(3) == 0) {
		return v
	}
	if depth <= 0 {
		return g.literal(t)
	}
	if g.r.IntN(6) == 0 {
		if c := g.call(t, depth-1); c != "" {
			return c
		}
	}
	if g.r.IntN(8) == 0 {
		return g.named(fmt.Sprintf("iff#(%s, %s, %s)", g.expr("bool", depth-1), g.expr(t, depth-1), g.expr(t, depth-1)))
	}
	x, y := g.expr(t, depth-1), g.expr(t, depth-1)
	switch t {
	case "int":
		return g.integer(x, y, depth)
	case "uint8":
		return g.pick(g.named(fmt.Sprintf("uint8(c#(%s))", g.expr("int", depth-1))), fmt.Sprintf("(%s %s %s)", g.nonConstant("uint8"), g.pick("+", "*", "^", "&^", "|"), x), fmt.Sprintf("^(%s)", x))
	case "float64":
		return g.pick(fmt.Sprintf("(float64(%s) %s %s)", g.expr("int", depth-1), g.pick("+", "-", "*", "/"), x), "-("+x+")")
	case "string":
		return g.pick(fmt.Sprintf("fmt.Sprint(%s)", g.expr(g.pick("int", "bool", "uint8", "[3]int"), depth-1)), fmt.Sprintf("(%s + %q)", x, g.pick("a", "é", "")), g.named(fmt.Sprintf("Max#(%s, %s)", x, y)),
			g.named(fmt.Sprintf("kind#(%s)", g.anything(depth-1))), fmt.Sprintf("string(append([]byte(%s), %s))", x, g.pick("'x'", "'y'")))
	case "bool":
		n := g.pick("int", "string", "float64", "uint8")
		return g.pick(fmt.Sprintf("(%s %s %s)", g.expr(n, depth-1), g.pick("<", ">=", "==", "!="), g.nonConstant(n)), fmt.Sprintf("(%s %s %s)", x, g.pick("&&", "||"), y), "!"+x,
			fmt.Sprintf("(%s == %s)", g.expr("[3]int", depth-1), g.expr("[3]int", depth-1)))
	case "[]int":
		return g.pick(fmt.Sprintf("append([]int(nil), %s...)", x), fmt.Sprintf("append([]int{%s}, %s)", g.expr("int", depth-1), g.expr("int", depth-1)),
			g.named(fmt.Sprintf("Map#(%s, func(v int) int { return v %s %s })", x, g.pick("+", "*", "-"), g.expr("int", 0))), g.bounded(x))
	case "[3]int":
		return fmt.Sprintf("[3]int{%s, 2: %s}", g.expr("int", depth-1), g.expr("int", depth-1))
	}
	return g.literal(t)
}

// bounded slices x.
func (g *generator) bounded(x string) string {
	return fmt.Sprintf("append([]int(nil), (%s)[:0]...)", x)
}

func (g *generator) integer(x, y string, depth int) string {
	n := g.nonConstant("int")
	forms := []string{
		fmt.Sprintf("(%s %s %s)", n, g.pick("+", "-", "*", "&", "|", "^", "&^"), x),
		fmt.Sprintf("(%s %s (%s | 1))", x, g.pick("/", "%"), n),
		fmt.Sprintf("(%s %s uint(%s&7))", n, g.pick("<<", ">>"), n),
		fmt.Sprintf("len(%s)", g.expr(g.pick("string", "[]int", "map[string]int"), depth-1)),
		fmt.Sprintf("int(%s)", g.expr("uint8", depth-1)),
		fmt.Sprintf("min(%s, %s, %s)", n, x, y),
		g.named(fmt.Sprintf("Fold#(%s, %s, func(a, v int) int { return a*3 + v })", g.expr("[]int", depth-1), x)),
		g.named(fmt.Sprintf("Max#(%s, %s)", n, x)),
		fmt.Sprintf("(%s)[%d]", g.expr("[3]int", 0), g.r.IntN(3)),
		fmt.Sprintf("func(q int) int { return q - %s }(%s)", x, y),
		fmt.Sprintf("%s[%s]", g.expr("map[string]int", 0), g.expr("string", depth-1)),
		g.named(fmt.Sprintf("K#(%s).M(%s)", n, x)),
		g.named(fmt.Sprintf("(E#{S#{A: %s, C: [2]int{%s, 1}}, 4}).Sum()", x, y)),
	}
	return forms[g.r.IntN(len(forms))]
}

// nonConstant is a simple operand that the compiler cannot fold.
func (g *generator) nonConstant(t string) string {
	if v := g.variable(t); v != "" {
		return v
	}
	return g.named(fmt.Sprintf("iff#(len(fmt.Sprint()) == 0, %s, %s)", g.literal(t), g.literal(t)))
}

func (g *generator) literal(t string) string {
	switch t {
	case "int":
		return g.named(g.pick("0", "1", "c#(-3)", "7", "c#(1000003)", "int('x')"))
	case "uint8":
		return g.pick("uint8(0)", "uint8(200)", "uint8(255)")
	case "float64":
		return g.pick("0.5", "-2.25", "1e10", "3.0")
	case "string":
		return g.pick(`"a"`, `"héllo"`, `""`, `"xyz\n"`)
	case "bool":
		return g.pick("true", "false")
	case "[]int":
		return g.pick("[]int{1, 2, 3}", "[]int{}", "[]int{5: 1}")
	case "[3]int":
		return g.pick("[3]int{}", "[3]int{1, 2, 3}", "[...]int{2: 9}")
	case "map[string]int":
		return g.pick(`map[string]int{"a": 1, "b": 2}`, "map[string]int{}")
	case "any":
		return g.anything(0)
	}
	if strings.HasPrefix(t, "*S") {
		return g.named(fmt.Sprintf("&S#{A: %d, B: \"s\"}", g.r.IntN(9)))
	}
	return "nil"
}

// anything is an expression of some type for a parameter of type any.
func (g *generator) anything(depth int) string {
	return g.pick("nil", g.expr("int", depth), g.expr("string", depth), g.expr("[]int", depth), g.named("K#(3)"), g.named("&S#{B: \"q\"}"), g.named("&E#{N: 1}"), "2.5", "func(i int) int { return i * i }", "fmt.Errorf(\"e%d\", 1)")
}

// call calls a declared function that gives t.
func (g *generator) call(t string, depth int) string {
	for _, f := range g.funcs {
		if f.result != t || g.loops > 1 {
			continue
		}
		var args []string
		for _, p := range f.params {
			args = append(args, g.expr(p, min(depth, 1)))
		}
		return f.name + "(" + strings.Join(args, ", ") + ")"
	}
	return ""
}
