package main

import (
	"fmt"
	"os"
	"time"
)

type inner struct {
	m map[string]int
	s []string
	f func()
}
type V struct {
	X, Y int
	name string
	p    *int
	in   inner
	e    error
}
type str string

func (s str) String() string { return "<" + string(s) + ">" }

type wrap struct {
	S   str
	Any any
	E   error
	D   time.Duration
}
type fm struct{}

func (fm) Format(s fmt.State, verb rune) {
	w, ok := s.Width()
	fmt.Fprintf(s, "fm(%c %d %v %v)", verb, w, ok, s.Flag('+'))
}

type ptr struct{ n int }

func (p *ptr) String() string { return fmt.Sprint("ptr ", p.n) }
func main() {
	v := V{X: 1, Y: -2, name: "n", in: inner{m: map[string]int{"b": 2, "a": 1}, s: []string{"x y", ""}}}
	fmt.Printf("%v\n%+v\n%T\n", v, v, v)
	w := wrap{"s", str("any"), fmt.Errorf("err"), time.Second}
	fmt.Printf("%v %+v %s\n", w, w, w.S)
	fmt.Println(w, &w.S, []str{"a", "b"}, map[str]str{"k": "v"}, [2]str{"p", "q"})
	fmt.Printf("%5d|%-5d|%05d|%x|%X|%#x|%b|%o|%c|%q|%U\n", 42, 42, 42, 255, 255, 255, 5, 8, 'A', 'A', 'A')
	fmt.Printf("%8.3f|%-8.2f|%+.1e|%g|%G\n", 3.14159, 2.5, 12345.6789, 1e-10, 1e20)
	fmt.Printf("%s|%10s|%-10s|%.2s|%q|%x|% x\n", "go", "go", "go", "golang", "q\"t", "hex", "hex")
	fmt.Printf("%t|%v|%p|%v\n", true, nil, nil, []any{nil, 1, "a"})
	fmt.Printf("%v %+v %10v|\n", fm{}, fm{}, []fm{{}})
	fmt.Printf("%d %s\n", []int{1, 2}, []string{"a", "b"})
	fmt.Printf("%!|%d|%z\n", "str", 3)
	fmt.Printf("%d %d\n", 1)
	fmt.Printf("%d\n", 1, 2)
	fmt.Printf("%[2]d %[1]d %*d|%-*d|\n", 1, 2, 5, 42, 4, 7)
	fmt.Println(&ptr{1}, []*ptr{{2}}[0], ptr{3}, struct{ P *ptr }{nil})
	fmt.Printf("%v %s\n", &ptr{4}, ptr{5})
	fmt.Printf("%#v %#v %#v %#v\n", []str{"a"}, map[string]int{"z": 1}, struct{ A any }{1}, "s")
	fmt.Print("a", "b", 1, 2, true, "c", 1.5, nil, "\n")
	fmt.Print(1, 2, "\n")
	fmt.Fprint(os.Stdout, v.in.s, "\n")
	fmt.Println(fmt.Sprint("x", 1, 2, "y"), fmt.Sprintln("end", 3))
	e := fmt.Errorf("a %d: %w", 1, os.ErrNotExist)
	fmt.Println(e, os.IsNotExist(e))
	type pair struct {
		K string
		V any
	}
	fmt.Printf("%v %+v\n", []pair{{"a", []pair{{"b", nil}}}}, &pair{"p", &pair{"q", 1}} != nil)
}
