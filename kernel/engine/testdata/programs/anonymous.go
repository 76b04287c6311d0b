package main

import "fmt"

type Config struct {
	Server struct {
		Host string
		Port int
	}
	Limits []struct {
		Name string
		Max  int
	}
}

var table = []struct {
	in   string
	want int
}{{"a", 1}, {"bb", 2}, {in: "ccc"}}

func check(f func(string) int) (bad []string) {
	for _, t := range table {
		if got := f(t.in); got != t.want {
			bad = append(bad, fmt.Sprintf("%s: %d != %d", t.in, got, t.want))
		}
	}
	return
}
func main() {
	var c Config
	c.Server.Host, c.Server.Port = "h", 80
	c.Limits = append(c.Limits, struct {
		Name string
		Max  int
	}{"mem", 5})
	fmt.Printf("%v %+v\n", c, c)
	fmt.Println(check(func(s string) int { return len(s) }))
	p := &struct{ x, y int }{1, 2}
	q := *p
	q.x = 9
	fmt.Println(*p, q, *p == q, struct{ x, y int }{1, 2} == *p)
	m := map[string]struct {
		n    int
		next *int
	}{"a": {n: 1}}
	fmt.Println(m["a"].n, m["b"].next == nil, len(m))
	var i interface{ M() int }
	fmt.Println(i == nil)
	points := []*struct{ X int }{{1}, {2}}
	for _, p := range points {
		p.X *= 10
	}
	fmt.Println(points[0].X, points[1].X)
	type local struct{ v []int }
	l := local{[]int{1}}
	k := l
	k.v[0] = 5
	fmt.Println(l, k)
	{
		type local string
		fmt.Printf("%T %v\n", local("x"), local("y"))
	}
	fmt.Printf("%T %T\n", l, p)
}
