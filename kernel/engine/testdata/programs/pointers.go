package main

import "fmt"

type list struct {
	v    int
	next *list
}

func (l *list) push(v int) *list { return &list{v, l} }
func (l *list) String() string {
	if l == nil {
		return "nil"
	}
	return fmt.Sprint(l.v, "->", l.next)
}
func reverse(l *list) (r *list) {
	for l != nil {
		l.next, r, l = r, l, l.next
	}
	return
}
func remove(pp **list, v int) {
	for *pp != nil {
		if (*pp).v == v {
			*pp = (*pp).next
		} else {
			pp = &(*pp).next
		}
	}
}
func swap[T any](a, b *T) { *a, *b = *b, *a }

type T struct {
	a   int
	p   *T
	arr [2]int
}

func main() {
	var l *list
	for i := range 5 {
		l = l.push(i % 3)
	}
	fmt.Println(l)
	l = reverse(l)
	fmt.Println(l)
	remove(&l, 1)
	fmt.Println(l)
	x, y := "x", "y"
	swap(&x, &y)
	fmt.Println(x, y)
	t := T{a: 1}
	t.p = &t
	t.p.p.p.a = 5
	pa := &t.arr[1]
	*pa = 7
	u := t
	u.arr[1] = 8
	fmt.Println(t.a, t.arr, u.arr, u.p == &t, u.p.a)
	pp := &pa
	**pp = 9
	fmt.Println(t.arr[1], *pp == pa)
	n := new(int)
	*n += 3
	f := &[]int{1, 2, 3}
	(*f)[1] = 20
	for i := range *f {
		(*f)[i] += *n
	}
	fmt.Println(*n, *f, len(*f))
	m := map[string]*T{"k": {a: 1}}
	m["k"].a++
	m["k"].arr[0] = 4
	fmt.Println(m["k"].a, m["k"].arr)
	var e interface{ String() string } = (*list)(nil)
	fmt.Println(e != nil, e.String())
	ptrs := []*int{}
	for i := 0; i < 3; i++ {
		ptrs = append(ptrs, &i)
	}
	for _, p := range ptrs {
		fmt.Print(*p, " ")
	}
	fmt.Println()
}
