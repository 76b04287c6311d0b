package main

import (
	"fmt"
	"strings"
)

type Node struct {
	Val         int
	Left, Right *Node
}

func (n *Node) Insert(v int) *Node {
	if n == nil {
		return &Node{Val: v}
	}
	if v < n.Val {
		n.Left = n.Left.Insert(v)
	} else {
		n.Right = n.Right.Insert(v)
	}
	return n
}
func (n *Node) Walk(visit func(*Node, int), level int) {
	if n == nil {
		return
	}
	n.Left.Walk(visit, level+1)
	visit(n, level)
	n.Right.Walk(visit, level+1)
}
func (n *Node) Height() int {
	if n == nil {
		return 0
	}
	return 1 + max(n.Left.Height(), n.Right.Height())
}
func ackermann(m, n int) int {
	if m == 0 {
		return n + 1
	}
	if n == 0 {
		return ackermann(m-1, 1)
	}
	return ackermann(m-1, ackermann(m, n-1))
}
func subsets[T any](s []T) [][]T {
	if len(s) == 0 {
		return [][]T{nil}
	}
	rest := subsets(s[1:])
	var r [][]T
	for _, x := range rest {
		r = append(r, x, append([]T{s[0]}, x...))
	}
	return r
}
func flatten(x any) (r []int) {
	switch v := x.(type) {
	case int:
		r = append(r, v)
	case []any:
		for _, e := range v {
			r = append(r, flatten(e)...)
		}
	}
	return
}

var isOdd func(int) bool

func isEven(n int) bool {
	if n == 0 {
		return true
	}
	return isOdd(n - 1)
}

type Expr struct {
	Op   string
	Args []Expr
	Num  float64
}

func (e Expr) Eval() float64 {
	switch e.Op {
	case "":
		return e.Num
	case "+":
		s := 0.0
		for _, a := range e.Args {
			s += a.Eval()
		}
		return s
	case "*":
		p := 1.0
		for _, a := range e.Args {
			p *= a.Eval()
		}
		return p
	}
	return e.Args[0].Eval() - e.Args[1].Eval()
}
func (e Expr) String() string {
	if e.Op == "" {
		return fmt.Sprint(e.Num)
	}
	var l []string
	for _, a := range e.Args {
		l = append(l, a.String())
	}
	return "(" + strings.Join(l, e.Op) + ")"
}
func memo(f func(func(int) int, int) int) func(int) int {
	c := map[int]int{}
	var self func(int) int
	self = func(n int) int {
		if v, ok := c[n]; ok {
			return v
		}
		v := f(self, n)
		c[n] = v
		return v
	}
	return self
}
func main() {
	var root *Node
	for _, v := range []int{50, 30, 70, 20, 40, 60, 80, 10} {
		root = root.Insert(v)
	}
	root.Walk(func(n *Node, l int) { fmt.Print(n.Val, "@", l, " ") }, 0)
	fmt.Println(root.Height(), ackermann(2, 3))
	fmt.Println(subsets([]string{"a", "b", "c"}), flatten([]any{1, []any{2, []any{3}}, 4}))
	isOdd = func(n int) bool {
		if n == 0 {
			return false
		}
		return isEven(n - 1)
	}
	fmt.Println(isEven(10), isOdd(7), isEven(7))
	e := Expr{Op: "+", Args: []Expr{{Num: 1}, {Op: "*", Args: []Expr{{Num: 2}, {Num: 3.5}}}, {Op: "-", Args: []Expr{{Num: 9}, {Num: 4}}}}}
	fmt.Println(e, "=", e.Eval())
	fib := memo(func(self func(int) int, n int) int {
		if n < 2 {
			return n
		}
		return self(n-1) + self(n-2)
	})
	fmt.Println(fib(80))
}
