package main

import (
	"fmt"
	"strings"
)

func sum(xs ...int) (s int) {
	for _, x := range xs {
		s += x
	}
	return
}
func join(sep string, parts ...any) string {
	var l []string
	for _, p := range parts {
		l = append(l, fmt.Sprint(p))
	}
	return strings.Join(l, sep)
}
func apply(f func(...int) int, xs ...int) int { return f(xs...) }
func mutate(xs ...int) {
	if len(xs) > 0 {
		xs[0] = -1
	}
}
func two() (int, int) { return 3, 4 }
func kinds(xs ...interface{ Kind() string }) string {
	s := ""
	for _, x := range xs {
		s += x.Kind()
	}
	return s
}

type a struct{}
type b int

func (a) Kind() string   { return "a" }
func (b b) Kind() string { return fmt.Sprint("b", int(b)) }

type config struct {
	n    int
	name string
}

type option func(*config)

func withN(n int) option       { return func(c *config) { c.n = n } }
func withName(s string) option { return func(c *config) { c.name = s } }
func build(opts ...option) config {
	c := config{1, "x"}
	for _, o := range opts {
		o(&c)
	}
	return c
}
func main() {
	fmt.Println(sum(), sum(1), sum(1, 2, 3), sum([]int{4, 5}...), sum(two()), apply(sum, 1, 2))
	fmt.Println(join("-", 1, "b", 2.5, nil, []int{1}), join(","), join("/", []any{1, 2}...))
	s := []int{1, 2}
	mutate(s...)
	mutate(s[1])
	mutate()
	fmt.Println(s, kinds(a{}, b(2), &a{}), kinds())
	fmt.Println(build(), build(withN(5), withName("y")))
	fmt.Println(append([]any{1}, "a", nil)...)
	p := fmt.Println
	p("through", "value", 3)
	func(xs ...string) { fmt.Println(len(xs), xs == nil) }()
}
