package main

import "fmt"

type grid [3][3]int

func (g grid) transposed() (t grid) {
	for i, row := range g {
		for j, v := range row {
			t[j][i] = v
		}
	}
	return
}
func (g *grid) set(i, j, v int) { g[i][j] = v }
func change(a [3]int) [3]int    { a[0] = 99; return a }
func main() {
	g := grid{{1, 2, 3}, {4, 5, 6}}
	h := g
	h.set(2, 2, 9)
	fmt.Println(g, h, g == h, h.transposed())
	a := [3]int{1, 2, 3}
	b := change(a)
	p := &a
	p[1] = 20
	for i := range p {
		p[i]++
	}
	fmt.Println(a, b, len(p))
	s := a[:2]
	s = append(s, 77)
	fmt.Println(a, s, cap(s), cap(a[:1:1]))
	for i, v := range a {
		a[2] = 1000
		fmt.Print(i, v, " ")
	}
	fmt.Println()
	m := map[[2]int]string{{1, 2}: "x"}
	fmt.Println(m[[2]int{1, 2}], m)
	c := [...]string{2: "c", 0: "a"}
	fmt.Printf("%q %d\n", c, len(c))
	pa := [2]*[2]int{{1, 2}, {3, 4}}
	pa[1][0] += 10
	fmt.Println(*pa[0], *pa[1])
	x := [][]int{{1}, {2, 3}}
	x[0] = append(x[0], 5)
	y := x
	y[1][0] = 8
	fmt.Println(x, y)
	arr := [4]int{1, 2, 3, 4}
	copy(arr[1:], arr[:])
	fmt.Println(arr, [2]bool{} == [2]bool{false, false})
}
