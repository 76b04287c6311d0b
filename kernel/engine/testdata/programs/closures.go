package main

import "fmt"

func counter(start int) (next func() int, reset func()) {
	n := start
	return func() int { n++; return n }, func() { n = start }
}
func compose[A, B, C any](f func(A) B, g func(B) C) func(A) C { return func(a A) C { return g(f(a)) } }
func main() {
	next, reset := counter(10)
	next()
	next()
	fmt.Println(next())
	reset()
	fmt.Println(next())
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { i *= 10; return i })
	}
	for _, f := range fs {
		fmt.Print(f(), f(), " ")
	}
	fmt.Println()
	h := compose(func(s string) int { return len(s) }, func(n int) string { return fmt.Sprint(n, "!") })
	fmt.Println(h("hello"))
	fib := func() func() int { a, b := 0, 1; return func() int { defer func() { a, b = b, a+b }(); return a } }()
	for range 10 {
		fmt.Print(fib(), " ")
	}
	fmt.Println()
	var rec func(int) int
	rec = func(n int) int {
		if n == 0 {
			return 1
		}
		return n * rec(n-1)
	}
	fmt.Println(rec(10))
}
