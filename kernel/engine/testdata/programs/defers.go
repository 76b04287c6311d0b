package main

import (
	"errors"
	"fmt"
)

func order() {
	for i := 0; i < 3; i++ {
		defer fmt.Print(i, " ")
	}
	fmt.Print("body ")
}
func named() (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("recovered: %v", r)
			n *= 2
		}
	}()
	n = 21
	panic("boom")
}
func nested() (s string) {
	defer func() { s += fmt.Sprint(" outer:", recover()) }()
	defer func() { defer func() { s += fmt.Sprint(" inner:", recover()) }(); panic("second") }()
	panic("first")
}
func index(s []int, i int) (v int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = r.(error)
		}
	}()
	return s[i], nil
}

type closer struct{ name string }

func (c *closer) Close() { fmt.Println("close", c.name) }
func use() error {
	c := &closer{"a"}
	defer c.Close()
	c = &closer{"b"}
	defer c.Close()
	c.name = "c"
	return errors.New("used")
}
func main() {
	order()
	fmt.Println()
	fmt.Println(named())
	fmt.Println(nested())
	fmt.Println(index([]int{1, 2}, 1))
	fmt.Println(index([]int{1, 2}, 5))
	fmt.Println(use())
	func() {
		defer func() { fmt.Println("r:", recover()) }()
		var m map[string]int
		m["a"] = 1
	}()
	func() {
		defer func() { fmt.Println("r:", recover()) }()
		a, b := 1, 0
		fmt.Println(a / b)
	}()
	func() {
		defer func() { fmt.Println("r:", recover()) }()
		var p *closer
		fmt.Println(p.name)
	}()
	func() {
		defer func() { fmt.Println("r:", recover()) }()
		var x any = "s"
		fmt.Println(x.(int))
	}()
}
