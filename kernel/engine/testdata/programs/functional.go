package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

type Number interface{ ~int | ~int64 | ~float64 }

func Map[T, U any](xs []T, f func(T) U) []U {
	r := make([]U, 0, len(xs))
	for _, x := range xs {
		r = append(r, f(x))
	}
	return r
}
func Filter[S ~[]T, T any](xs S, keep func(T) bool) (r S) {
	for _, x := range xs {
		if keep(x) {
			r = append(r, x)
		}
	}
	return
}
func Reduce[T, A any](xs []T, a A, f func(A, T) A) A {
	for _, x := range xs {
		a = f(a, x)
	}
	return a
}
func Sum[T Number](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return
}
func Keys[M ~map[K]V, K cmp.Ordered, V any](m M) []K {
	r := make([]K, 0, len(m))
	for k := range m {
		r = append(r, k)
	}
	slices.Sort(r)
	return r
}

type Pair[A, B any] struct {
	First  A
	Second B
}

func (p Pair[A, B]) Swap() Pair[B, A] { return Pair[B, A]{p.Second, p.First} }
func Zip[A, B any](a []A, b []B) (r []Pair[A, B]) {
	for i := range min(len(a), len(b)) {
		r = append(r, Pair[A, B]{a[i], b[i]})
	}
	return
}

type ids []int
type Set[T comparable] map[T]struct{}

func (s Set[T]) Add(vs ...T) Set[T] {
	for _, v := range vs {
		s[v] = struct{}{}
	}
	return s
}
func (s Set[T]) Has(v T) bool { _, ok := s[v]; return ok }
func Union[T comparable](a, b Set[T]) Set[T] {
	r := Set[T]{}
	for _, s := range []Set[T]{a, b} {
		for v := range s {
			r.Add(v)
		}
	}
	return r
}

type Euro float64

func main() {
	fmt.Println(Map([]int{1, 2, 3}, func(i int) string { return strings.Repeat("x", i) }))
	e := Filter(ids{1, 2, 3, 4}, func(i int) bool { return i%2 == 0 })
	fmt.Printf("%v %T\n", e, e)
	fmt.Println(Reduce([]string{"a", "bb"}, 0, func(n int, s string) int { return n + len(s) }), Sum(1.5, 2.5), Sum[Euro](1, 2), Sum[int]())
	fmt.Println(Keys(map[string]bool{"z": true, "a": false}), Zip([]int{1, 2}, []string{"a", "b", "c"}))
	p := Pair[string, int]{"k", 7}
	fmt.Printf("%v %T %+v\n", p.Swap(), p.Swap(), p)
	s := Union(Set[string]{}.Add("a", "b"), Set[string]{}.Add("b", "c"))
	fmt.Println(len(s), s.Has("c"), s.Has("q"))
	f := Sum[float64]
	fmt.Println(f(1, 2), Map(Keys(map[int]int{2: 1, 1: 1}), func(k int) Pair[int, bool] { return Pair[int, bool]{k, k > 1} }))
}
