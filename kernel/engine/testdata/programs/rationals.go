package main

import (
	"fmt"
	"math"
)

type Rat struct{ n, d int }

func gcd(a, b int) int {
	if b == 0 {
		return a
	}
	return gcd(b, a%b)
}
func NewRat(n, d int) Rat {
	if d == 0 {
		panic(fmt.Errorf("zero denominator in %d/0", n))
	}
	if d < 0 {
		n, d = -n, -d
	}
	g := gcd(max(n, -n), d)
	return Rat{n / g, d / g}
}
func (a Rat) Add(b Rat) Rat { return NewRat(a.n*b.d+b.n*a.d, a.d*b.d) }
func (a Rat) Mul(b Rat) Rat { return NewRat(a.n*b.n, a.d*b.d) }
func (a Rat) Cmp(b Rat) int { return a.n*b.d - b.n*a.d }
func (a Rat) String() string {
	if a.d == 1 {
		return fmt.Sprint(a.n)
	}
	return fmt.Sprintf("%d/%d", a.n, a.d)
}
func (a Rat) GoString() string   { return fmt.Sprintf("NewRat(%d, %d)", a.n, a.d) }
func (a *Rat) Set(n, d int) *Rat { *a = NewRat(n, d); return a }

type Poly []Rat

func (p Poly) At(x Rat) (y Rat) {
	y = NewRat(0, 1)
	for i := len(p) - 1; i >= 0; i-- {
		y = y.Mul(x).Add(p[i])
	}
	return
}
func main() {
	a, b := NewRat(1, 2), NewRat(-3, -9)
	fmt.Println(a, b, a.Add(b), a.Mul(b), a.Cmp(b) > 0, a == NewRat(2, 4))
	fmt.Printf("%v %s %d %+v %#v %T %q\n", a, b, a, b, a, a, b)
	fmt.Println([]Rat{a, b}, map[Rat]string{a: "half"}, &b, struct {
		R Rat
		P *int
	}{a, nil})
	fmt.Printf("%v %+v %#v\n", []Rat{a}, struct{ X Rat }{b}, []Rat{b})
	var r Rat
	fmt.Println(r.Set(6, 4), Poly{a, b, NewRat(2, 1)}.At(NewRat(1, 2)))
	defer func() { e := recover().(error); fmt.Println("recovered", e, math.Abs(-1)) }()
	NewRat(1, 0)
}
