package main

import (
	"fmt"
	"io"
	"strings"
)

type shape interface{ area() float64 }
type sq struct{ s float64 }
type circ struct{ r float64 }

func (s sq) area() float64    { return s.s * s.s }
func (c *circ) area() float64 { return 3 * c.r * c.r }

type myInt int

func describe(x any) string {
	switch v := x.(type) {
	case nil:
		return "nil"
	case int, int64:
		return fmt.Sprintf("integer %v", v)
	case myInt:
		return fmt.Sprint("myInt ", int(v)+1)
	case string:
		return "string of " + fmt.Sprint(len(v))
	case []int:
		return fmt.Sprint("slice ", len(v), cap(v) >= len(v))
	case map[string]any:
		return fmt.Sprint("map ", len(v))
	case func() int:
		return fmt.Sprint("func ", v())
	case shape:
		return fmt.Sprintf("shape %.1f", v.area())
	case error:
		return "error " + v.Error()
	case *int:
		*v++
		return fmt.Sprint("pointer ", *v)
	case chan int:
		return fmt.Sprint("chan ", cap(v))
	case struct{ A int }:
		return fmt.Sprint("anonymous ", v.A)
	case io.Reader:
		b, _ := io.ReadAll(v)
		return "reader " + string(b)
	default:
		return fmt.Sprintf("other %T", v)
	}
}
func main() {
	n := 4
	for _, x := range []any{nil, 1, int64(2), myInt(3), "four", []int{1}, map[string]any{}, func() int { return 7 }, sq{2}, &circ{1}, fmt.Errorf("bad"), &n, make(chan int, 3), struct{ A int }{5}, strings.NewReader("rd"), 1.5, [2]int{}, circ{1}, (*circ)(nil) == nil} {
		fmt.Println(describe(x))
	}
	fmt.Println(n)
	var s shape
	_, isSq := s.(sq)
	s = sq{3}
	q, ok := s.(sq)
	_, isC := s.(*circ)
	fmt.Println(isSq, q, ok, isC)
	switch y := s.(type) {
	case *circ:
		fmt.Println("c", y.r)
	case sq:
		fmt.Println("sq", y.s)
	}
}
