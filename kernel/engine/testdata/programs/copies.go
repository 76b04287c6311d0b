package main

import "fmt"

type inner struct {
	a [2]int
	s []int
}
type outer struct {
	inner
	m map[string]int
	p *inner
	i any
}

func byValue(o outer) outer {
	o.a[0] = 100
	o.s[0] = 100
	o.m["k"] = 100
	o.p.a[0] = 100
	o.i = "new"
	return o
}

type counter struct{ n int }

func (c counter) inc() int      { c.n++; return c.n }
func (c *counter) pinc() int    { c.n++; return c.n }
func ret() (a [2]int, f func()) { f = func() { a[0]++; fmt.Print(a) }; a[1] = 5; return a, f }
func main() {
	o := outer{inner{[2]int{1, 2}, []int{1, 2}}, map[string]int{"k": 1}, &inner{}, "old"}
	q := byValue(o)
	fmt.Println(o.a, o.s, o.m, o.p.a, o.i, q.a, q.i)
	cs := []counter{{1}, {2}}
	for _, c := range cs {
		c.pinc()
	}
	fmt.Println(cs)
	for i := range cs {
		cs[i].pinc()
	}
	fmt.Println(cs, cs[0].inc(), cs[0])
	m := map[string]counter{"a": {5}}
	c := m["a"]
	c.n = 9
	fmt.Println(m["a"].inc(), m, c)
	f, g := c.inc, c.pinc
	c.n = 50
	fmt.Println(f(), f(), g(), g(), c)
	var i any = c
	c.n = 0
	fmt.Println(i.(counter).n, i)
	a := [3]counter{{1}, {2}, {3}}
	b := a
	b[0].n = 10
	pa := &a
	pa[2].n = 30
	fmt.Println(a, b, *pa == a)
	for i, x := range a {
		a[2].n = 77
		if i == 2 {
			fmt.Println(x)
		}
	}
	ch := make(chan [2]int, 1)
	arr := [2]int{1, 2}
	ch <- arr
	arr[0] = 9
	fmt.Println(<-ch, arr)
	s := []inner{{a: [2]int{1, 1}}}
	x := s[0]
	x.a[0] = 5
	y := &s[0]
	y.a[1] = 6
	s = append(s, inner{})
	y.a[0] = 8
	fmt.Println(x.a, s[0].a, y.a)
	r, h := ret()
	h()
	h()
	fmt.Println(r)
	fn := func(a [3]counter) { a[0].n = -1 }
	fn(a)
	st := struct{ arr [2]int }{[2]int{3, 4}}
	st2 := st
	st2.arr[0]++
	fmt.Println(a[0], st, st2, st == st2)
	x1, x2 := o, o
	x1.a[1], x2.a[1] = 11, 22
	fmt.Println(o.a, x1.a, x2.a)
}
