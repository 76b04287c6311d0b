package main

import "fmt"

type board []int

func (b board) safe(r, c int) bool {
	for i, v := range b[:r] {
		if v == c || v-c == r-i || c-v == r-i {
			return false
		}
	}
	return true
}
func (b board) solve(r int, found func(board) bool) bool {
	if r == len(b) {
		return found(b)
	}
	for c := range b {
		if b.safe(r, c) {
			b[r] = c
			if !b.solve(r+1, found) {
				return false
			}
		}
	}
	return true
}
func permutations(s []int, f func([]int)) {
	var rec func(int)
	rec = func(k int) {
		if k == len(s) {
			f(s)
			return
		}
		for i := k; i < len(s); i++ {
			s[k], s[i] = s[i], s[k]
			rec(k + 1)
			s[k], s[i] = s[i], s[k]
		}
	}
	rec(0)
}
func hanoi(n int, from, to, via string, move func(a, b string)) {
	if n > 0 {
		hanoi(n-1, from, via, to, move)
		move(from, to)
		hanoi(n-1, via, to, from, move)
	}
}
func main() {
	n := 0
	make(board, 6).solve(0, func(b board) bool {
		n++
		if n == 1 {
			fmt.Println(b)
		}
		return true
	})
	fmt.Println(n)
	make(board, 8).solve(0, func(b board) bool { fmt.Println(b); return false })
	permutations([]int{1, 2, 3}, func(p []int) { fmt.Print(p) })
	fmt.Println()
	k := 0
	hanoi(5, "A", "C", "B", func(a, b string) {
		k++
		if k < 4 {
			fmt.Print(a, b, " ")
		}
	})
	fmt.Println(k)
}
