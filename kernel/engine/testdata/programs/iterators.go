package main

import (
	"fmt"
	"iter"
	"maps"
	"slices"
)

type Tree[T any] struct {
	left, right *Tree[T]
	v           T
}

func (t *Tree[T]) Insert(v T, less func(a, b T) bool) *Tree[T] {
	if t == nil {
		return &Tree[T]{v: v}
	}
	if less(v, t.v) {
		t.left = t.left.Insert(v, less)
	} else {
		t.right = t.right.Insert(v, less)
	}
	return t
}
func (t *Tree[T]) push(yield func(T) bool) bool {
	return t == nil || t.left.push(yield) && yield(t.v) && t.right.push(yield)
}
func (t *Tree[T]) All() iter.Seq[T] {
	return func(yield func(T) bool) { t.push(yield) }
}
func take[T any](n int, s iter.Seq[T]) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		i := 0
		for v := range s {
			if i >= n || !yield(i, v) {
				return
			}
			i++
		}
	}
}
func naturals(yield func(int) bool) {
	for i := 0; yield(i); i++ {
	}
}
func find(s iter.Seq[int], want int) (int, bool) {
	n := 0
	for v := range s {
		if v == want {
			return n, true
		}
		if v > 100 {
			break
		}
		n++
	}
	return -1, false
}
func main() {
	var t *Tree[string]
	for _, w := range []string{"m", "c", "x", "a", "e"} {
		t = t.Insert(w, func(a, b string) bool { return a < b })
	}
	for v := range t.All() {
		fmt.Print(v, " ")
	}
	fmt.Println(slices.Collect(t.All()))
	for i, v := range take(3, t.All()) {
		fmt.Print(i, v, " ")
	}
	fmt.Println()
	for i, v := range take(4, naturals) {
		if i == 2 {
			continue
		}
		fmt.Print(v, " ")
	}
	fmt.Println()
	fmt.Println(find(naturals, 42))
	fmt.Println(find(naturals, -1))
	fmt.Println(slices.Sorted(maps.Keys(map[int]bool{3: true, 1: true, 2: false})))
	next, stop := iter.Pull(naturals)
	a, _ := next()
	b, ok := next()
	stop()
	fmt.Println(a, b, ok)
	_, ok = next()
	fmt.Println(ok)
}
