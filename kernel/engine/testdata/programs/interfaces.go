package main

import (
	"fmt"
	"sort"
	"strings"
)

type Animal interface{ Sound() string }
type Walker interface{ Walk() int }
type Pet interface {
	Animal
	Walker
	fmt.Stringer
}
type Cat struct{ lives int }

func (c *Cat) Sound() string  { return "meow" }
func (c *Cat) Walk() int      { c.lives--; return c.lives }
func (c *Cat) String() string { return fmt.Sprintf("Cat(%d)", c.lives) }

type Bird string

func (b Bird) Sound() string  { return string(b) + " tweet" }
func (b Bird) Walk() int      { return len(b) }
func (b Bird) String() string { return "Bird:" + string(b) }

type Quiet struct{ Pet }

func (Quiet) Sound() string { return "" }

type byName []fmt.Stringer

func (b byName) Len() int           { return len(b) }
func (b byName) Less(i, j int) bool { return b[i].String() < b[j].String() }
func (b byName) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func total(ws ...Walker) (n int) {
	for _, w := range ws {
		n += w.Walk()
	}
	return
}
func equal(a, b any) (eq bool, err any) { defer func() { err = recover() }(); return a == b, nil }
func main() {
	c := &Cat{9}
	pets := []Pet{c, Bird("robin"), Quiet{c}, Quiet{Bird("owl")}}
	for _, p := range pets {
		fmt.Printf("%v %q %d; ", p, p.Sound(), p.Walk())
	}
	fmt.Println(c.lives)
	var ws []Walker
	for _, p := range pets {
		ws = append(ws, p)
	}
	fmt.Println(total(ws...), total())
	b := byName{pets[0], pets[1], pets[3]}
	sort.Sort(b)
	fmt.Println(b)
	fmt.Println(equal(Bird("a"), Bird("a")))
	fmt.Println(equal(Bird("a"), "a"))
	fmt.Println(equal(c, c))
	fmt.Println(equal([]int{1}, []int{1}))
	fmt.Println(equal(1, int64(1)))
	m := map[any]string{1: "int", "1": "string", Bird("x"): "bird", [2]int{1, 2}: "array", struct{ a int }{1}: "struct", nil: "nil", 1.0: "float"}
	fmt.Println(m[1], m["1"], m[Bird("x")], m[[2]int{1, 2}], m[struct{ a int }{1}], m[nil], m[1.0], len(m), m["x"] == "")
	var a Animal
	if a == nil {
		fmt.Println("nil animal")
	}
	a = (*Cat)(nil)
	fmt.Println(a != nil, a.Sound())
	f := Animal.Sound
	g := (*Cat).Walk
	fmt.Println(f(Bird("g")), g(&Cat{3}))
	_, ok := a.(interface{ Walk() int })
	_, ok2 := a.(interface{ Fly() })
	fmt.Println(ok, ok2)
	func() {
		defer func() { fmt.Println(strings.Contains(fmt.Sprint(recover()), "nil pointer")) }()
		a.(Walker).Walk()
	}()
	func() { defer func() { fmt.Println(recover()) }(); _ = a.(Pet).(interface{ Fly() }) }()
	func() { defer func() { fmt.Println(recover()) }(); _ = any("s").(Animal) }()
}
