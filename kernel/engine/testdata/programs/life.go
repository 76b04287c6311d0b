package main

import (
	"fmt"
	"strings"
)

const w, h = 8, 6

type field [h][w]bool

func (f *field) alive(y, x int) bool { return f[(y+h)%h][(x+w)%w] }
func (f *field) next(y, x int) bool {
	n := 0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			if (dx != 0 || dy != 0) && f.alive(y+dy, x+dx) {
				n++
			}
		}
	}
	return n == 3 || n == 2 && f.alive(y, x)
}
func (f field) step() (g field) {
	for y := range f {
		for x := range f[y] {
			g[y][x] = f.next(y, x)
		}
	}
	return
}
func (f field) String() string {
	var b strings.Builder
	for _, row := range f {
		for _, c := range row {
			b.WriteByte(map[bool]byte{true: '#', false: '.'}[c])
		}
		b.WriteByte('\n')
	}
	return b.String()
}
func main() {
	var f field
	for _, p := range [][2]int{{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}} {
		f[p[0]][p[1]] = true
	}
	g := f
	for i := range 4 {
		if i%2 == 0 {
			fmt.Print(g)
		}
		g = g.step()
	}
	fmt.Print(g)
	fmt.Println(f == g, g != field{})
}
