package main

import "fmt"

func search(grid [][]int, want int) (r, c int) {
	r, c = -1, -1
outer:
	for i, row := range grid {
		for j, v := range row {
			switch {
			case v < 0:
				continue outer
			case v == want:
				r, c = i, j
				break outer
			}
		}
	}
	return
}
func collatz(n int) (steps int) {
again:
	if n == 1 {
		return
	}
	if n%2 == 0 {
		n /= 2
	} else {
		n = 3*n + 1
	}
	steps++
	goto again
}
func main() {
	g := [][]int{{1, 2, 3}, {-1, 5, 5}, {7, 8, 9}}
	fmt.Println(search(g, 3))
	fmt.Println(search(g, 5))
	fmt.Println(search(g, 9))
	fmt.Println(collatz(27))
	n := 0
loop:
	for {
		select {
		default:
			n++
			if n > 4 {
				break loop
			}
			if n%2 == 0 {
				continue loop
			}
			fmt.Print("n", n, " ")
		}
	}
	fmt.Println(n)
	for i := range 3 {
		switch i {
		case 0:
			fmt.Print("zero ")
			fallthrough
		case 1:
			fmt.Print("one ")
		default:
			fmt.Print("other ")
		}
	}
	fmt.Println()
}
