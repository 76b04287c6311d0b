package main

import (
	"fmt"
	"iter"
	"slices"
	"strings"
)

func count(n int) iter.Seq[int] {
	return func(yield func(int) bool) {
		defer fmt.Print("[done]")
		for i := range n {
			if !yield(i) {
				fmt.Print("[stop]")
				return
			}
		}
	}
}
func filter[T any](s iter.Seq[T], keep func(T) bool) iter.Seq[T] {
	return func(yield func(T) bool) {
		for v := range s {
			if keep(v) && !yield(v) {
				return
			}
		}
	}
}
func mapped[T, U any](s iter.Seq[T], f func(T) U) iter.Seq[U] {
	return func(yield func(U) bool) { s(func(v T) bool { return yield(f(v)) }) }
}
func zip[A, B any](a iter.Seq[A], b iter.Seq[B]) iter.Seq2[A, B] {
	return func(yield func(A, B) bool) {
		next, stop := iter.Pull(b)
		defer stop()
		for x := range a {
			y, ok := next()
			if !ok || !yield(x, y) {
				return
			}
		}
	}
}
func first(n int) (found int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	for i := range count(n) {
		switch {
		case i == 3:
			return i * 100, nil
		case n == 2 && i == 1:
			panic("two")
		}
	}
	return -1, nil
}
func nested() (s string) {
outer:
	for i := range count(4) {
		for j := range count(4) {
			if j == 2 {
				continue outer
			}
			if i == 2 {
				break outer
			}
			s += fmt.Sprint(i, j, ";")
		}
	}
	return s
}
func deferring() {
	for i := range count(2) {
		defer fmt.Print("<d", i, ">")
	}
	fmt.Print("<end>")
}
func words(s string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		for i, w := range strings.Fields(s) {
			if !yield(i, w) {
				return
			}
		}
	}
}
func main() {
	for i := range count(2) {
		fmt.Print(i)
	}
	fmt.Println()
	fmt.Println(first(5))
	fmt.Println(first(2))
	fmt.Println(first(1))
	fmt.Println(nested())
	deferring()
	fmt.Println()
	even := filter(count(10), func(i int) bool { return i%2 == 0 })
	fmt.Println(slices.Collect(mapped(even, func(i int) string { return fmt.Sprint("<", i, ">") })))
	for a, b := range zip(count(5), slices.Values([]string{"x", "y"})) {
		fmt.Print(a, b, " ")
	}
	fmt.Println()
	for i, w := range words("the quick fox") {
		if i == 1 {
			continue
		}
		fmt.Print(i, w, " ")
	}
	for range count(2) {
		fmt.Print("*")
	}
	var fs []func() int
	for i := range count(3) {
		fs = append(fs, func() int { i += 10; return i })
	}
	for _, f := range fs {
		fmt.Print(f(), " ")
	}
	fmt.Println()
	for i, v := range slices.Backward([]string{"a", "b"}) {
		fmt.Print(i, v)
	}
	fmt.Println(slices.Sorted(slices.Values([]int{3, 1, 2})))
}
