package main

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
)

type person struct {
	name string
	age  int
}
type byAge []person

func (b byAge) Len() int           { return len(b) }
func (b byAge) Less(i, j int) bool { return b[i].age < b[j].age }
func (b byAge) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func quick[T cmp.Ordered](s []T) []T {
	if len(s) < 2 {
		return s
	}
	p := s[len(s)/2]
	var lo, mid, hi []T
	for _, v := range s {
		switch {
		case v < p:
			lo = append(lo, v)
		case v > p:
			hi = append(hi, v)
		default:
			mid = append(mid, v)
		}
	}
	return append(append(quick(lo), mid...), quick(hi)...)
}
func main() {
	ps := []person{{"Ann", 30}, {"bob", 25}, {"Cid", 30}, {"dan", 20}}
	sort.Sort(byAge(ps))
	fmt.Println(ps[0], ps[1])
	sort.Sort(sort.Reverse(byAge(ps)))
	fmt.Println(ps[3])
	sort.SliceStable(ps, func(i, j int) bool { return ps[i].name < ps[j].name })
	fmt.Println(ps)
	slices.SortFunc(ps, func(a, b person) int {
		return cmp.Or(cmp.Compare(b.age, a.age), strings.Compare(strings.ToLower(a.name), strings.ToLower(b.name)))
	})
	fmt.Println(ps)
	fmt.Println(quick([]int{5, 2, 8, 1, 9, 2}), quick(strings.Split("hello", "")), quick([]float64{2.5, -1}))
	i, found := slices.BinarySearch([]int{1, 3, 5}, 3)
	fmt.Println(i, found, sort.SearchInts([]int{1, 3, 5}, 4), slices.Max([]int{3, 9, 2}), slices.Contains([]string{"a"}, "b"))
	s := []int{3, 1, 2}
	slices.Sort(s)
	slices.Reverse(s)
	fmt.Println(s, slices.Index(s, 1), slices.Equal(s, []int{3, 2, 1}))
}
