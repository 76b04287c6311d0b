package main

import (
	"fmt"
	"strconv"
	"unicode"
)

type expr interface {
	eval(env map[string]float64) float64
}
type num float64
type ident string
type binary struct {
	op   byte
	l, r expr
}
type unary struct {
	op byte
	x  expr
}

func (n num) eval(map[string]float64) float64 { return float64(n) }
func (v ident) eval(env map[string]float64) float64 {
	x, ok := env[string(v)]
	if !ok {
		panic("undefined " + string(v))
	}
	return x
}
func (b binary) eval(env map[string]float64) float64 {
	l, r := b.l.eval(env), b.r.eval(env)
	switch b.op {
	case '+':
		return l + r
	case '-':
		return l - r
	case '*':
		return l * r
	case '/':
		return l / r
	}
	panic(fmt.Sprintf("bad op %c", b.op))
}
func (u unary) eval(env map[string]float64) float64 { return -u.x.eval(env) }

type parser struct {
	s     string
	i     int
	depth int
}

func (p *parser) peek() byte {
	for p.i < len(p.s) && p.s[p.i] == ' ' {
		p.i++
	}
	if p.i == len(p.s) {
		return 0
	}
	return p.s[p.i]
}
func (p *parser) parse(prec int) (e expr) {
	switch c := p.peek(); {
	case c == '(':
		p.i++
		e = p.parse(0)
		if p.peek() != ')' {
			panic("missing )")
		}
		p.i++
	case c == '-':
		p.i++
		e = unary{'-', p.parse(3)}
	case c >= '0' && c <= '9' || c == '.':
		j := p.i
		for p.i < len(p.s) && (p.s[p.i] >= '0' && p.s[p.i] <= '9' || p.s[p.i] == '.') {
			p.i++
		}
		f, _ := strconv.ParseFloat(p.s[j:p.i], 64)
		e = num(f)
	case unicode.IsLetter(rune(c)):
		j := p.i
		for p.i < len(p.s) && unicode.IsLetter(rune(p.s[p.i])) {
			p.i++
		}
		e = ident(p.s[j:p.i])
	default:
		panic(fmt.Sprintf("unexpected %q at %d", c, p.i))
	}
	for {
		op := p.peek()
		pr := map[byte]int{'+': 1, '-': 1, '*': 2, '/': 2}[op]
		if pr == 0 || pr <= prec {
			return e
		}
		p.i++
		e = binary{op, e, p.parse(pr)}
	}
}
func calc(s string, env map[string]float64) (v float64, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s: %v", s, r)
		}
	}()
	p := &parser{s: s}
	e := p.parse(0)
	if p.peek() != 0 {
		return 0, fmt.Errorf("%s: trailing %q", s, s[p.i:])
	}
	return e.eval(env), nil
}
func main() {
	env := map[string]float64{"x": 3, "pi": 3.14159}
	for _, s := range []string{"1+2*3", "(1+2)*3", "-x*-2", "10/4-1", "2*pi*x", "1+", "(1", "y+1", "1 2", "1/0"} {
		fmt.Println(calc(s, env))
	}
	fmt.Printf("%T %v\n", (&parser{s: "1+a"}).parse(0), (&parser{s: "1+a*2"}).parse(0))
}
