package main

import (
	"fmt"
	"slices"
)

func remove(s []int, i int) []int    { return append(s[:i], s[i+1:]...) }
func insert(s []int, i, v int) []int { s = append(s, 0); copy(s[i+1:], s[i:]); s[i] = v; return s }
func main() {
	s := []int{0, 1, 2, 3, 4, 5}
	fmt.Println(remove(slices.Clone(s), 2), insert(slices.Clone(s), 3, 33))
	t := s[1:3]
	t[0] = 100
	t = append(t, 200)
	fmt.Println(s, t, len(t), cap(t))
	u := s[1:3:3]
	u = append(u, 300)
	u[0] = -1
	fmt.Println(s, u)
	var n []int
	fmt.Println(n == nil, len(n), append(n, n...) == nil, append([]int(nil), s[4:]...))
	for i := range s {
		s[i], s[len(s)-1-i] = s[len(s)-1-i], s[i]
		if i == 1 {
			break
		}
	}
	fmt.Println(s)
	b := append([]byte("ab"), "cd"...)
	fmt.Println(copy(b, "xyz"), string(b))
	fmt.Println(slices.Insert([]int{1, 4}, 1, 2, 3), slices.Delete([]int{1, 2, 3, 4}, 1, 3), slices.Compact([]int{1, 1, 2, 2, 1}))
	rows := make([][]rune, 3)
	for i := range rows {
		rows[i] = []rune("...")
		rows[i][i] = '#'
	}
	for _, r := range rows {
		fmt.Println(string(r))
	}
	for c := range slices.Chunk([]int{1, 2, 3, 4, 5}, 2) {
		fmt.Print(c)
	}
	fmt.Println()
	arr := (*[2]int)(s)
	arr[0] = 555
	fmt.Println(s[0], [2]int(s))
}
