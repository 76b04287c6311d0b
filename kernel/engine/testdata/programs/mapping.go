package main

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"
)

type point struct{ x, y int }
type graph map[point][]point
type inner map[string]int

func (i inner) inc(k string) int { i[k]++; return i[k] }
func invert[K, V comparable](m map[K]V) map[V][]K {
	r := map[V][]K{}
	for k, v := range m {
		r[v] = append(r[v], k)
	}
	return r
}
func main() {
	g := graph{{0, 0}: {{1, 0}, {0, 1}}, {1, 0}: nil}
	g[point{0, 1}] = append(g[point{0, 1}], point{5, 5})
	fmt.Println(len(g), g[point{0, 0}], len(g[point{9, 9}]), g)
	nested := map[string]inner{}
	for _, w := range strings.Fields("a:x a:y b:x a:x") {
		k, v, _ := strings.Cut(w, ":")
		if nested[k] == nil {
			nested[k] = inner{}
		}
		nested[k].inc(v)
	}
	fmt.Println(nested, nested["a"].inc("x"), nested["zz"]["q"])
	type stats struct {
		n   int
		sum float64
	}
	acc := map[string]*stats{}
	for i, k := range []string{"p", "q", "p"} {
		s, ok := acc[k]
		if !ok {
			s = &stats{}
			acc[k] = s
		}
		s.n++
		s.sum += float64(i)
	}
	fmt.Println(*acc["p"], *acc["q"])
	inv := invert(map[string]int{"a": 1, "b": 2, "c": 1})
	slices.Sort(inv[1])
	fmt.Println(inv)
	m := map[int]string{}
	for i := range 10 {
		m[i] = fmt.Sprint(i)
	}
	for k := range m {
		if k%2 == 0 {
			delete(m, k)
		}
	}
	keys := slices.Sorted(maps.Keys(m))
	fmt.Println(keys, len(m))
	n := maps.Clone(m)
	n[1] = "changed"
	fmt.Println(m[1], n[1], maps.Equal(m, n))
	funcs := map[string]func(int) int{"dbl": func(x int) int { return 2 * x }, "sq": func(x int) int { return x * x }}
	names := slices.Collect(maps.Keys(funcs))
	sort.Strings(names)
	for _, f := range names {
		fmt.Print(f, funcs[f](7), " ")
	}
	fmt.Println()
	var nilmap map[string]int
	v, ok := nilmap["x"]
	delete(nilmap, "x")
	fmt.Println(v, ok, len(nilmap), nilmap == nil)
	mm := map[string][]int{}
	mm["a"] = append(mm["a"], 1, 2)
	mm["a"][0] += 10
	c := map[string]int{"n": 1}
	c["n"] += 5
	c["m"]--
	c["n"] <<= 2
	fmt.Println(mm, c)
	bools := map[rune]bool{'a': true}
	for _, r := range "abc" {
		fmt.Print(bools[r], " ")
	}
	a, b := map[string]int{"k": 1}, "k"
	a[b], b = 7, "other"
	fmt.Println(a, b)
}
