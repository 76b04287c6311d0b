package main

import (
	"errors"
	"fmt"
	"os"
	"strings"
)

type custom struct{ code int }

func (c custom) Error() string { return fmt.Sprintf("custom %d", c.code) }

type T struct {
	next *T
	v    int
	m    map[string]int
	a    [3]int
}

func try(name string, f func()) {
	defer func() {
		r := recover()
		if e, ok := r.(error); ok {
			fmt.Printf("%s: error %v\n", name, e)
		} else {
			fmt.Printf("%s: %v\n", name, r)
		}
	}()
	f()
}
func depth(n int) int {
	if n == 0 {
		panic(fmt.Sprint("bottom"))
	}
	return depth(n-1) + 1
}
func rethrow() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("wrapped: %v", r)
		}
	}()
	defer func() { r := recover(); panic(fmt.Sprint("again ", r)) }()
	panic("once")
}
func cleanup(log *[]string) (n int) {
	defer func() { *log = append(*log, "outer"); recover() }()
	for i := range 3 {
		defer func() { *log = append(*log, fmt.Sprint("d", i)); n += i }()
	}
	n = 100
	var p *T
	_ = p.v
	return 7
}
func main() {
	var s []int
	var p *T
	var m map[string]int
	var i any = "text"
	zero, five, neg := 0, 5, -1
	try("index", func() { _ = s[five] })
	try("negative", func() { _ = []int{1}[neg] })
	try("array", func() { var a [3]int; a[five%4+2]++ })
	try("slice", func() { _ = []int{1, 2}[five:] })
	try("slice2", func() { _ = "abc"[2:five] })
	try("slice3", func() { x := 3; _ = []int{1, 2, 3, 4}[x:2] })
	try("divide", func() { fmt.Println(five / zero) })
	try("modulo", func() { fmt.Println(five % zero) })
	try("nil", func() { p.v = 1 })
	try("nilnext", func() { fmt.Println((&T{}).next.next) })
	try("nilmap", func() { m["a"] = 1 })
	try("assert", func() { fmt.Println(i.(int)) })
	try("assert2", func() { fmt.Println(i.(fmt.Stringer)) })
	try("custom", func() { panic(custom{3}) })
	try("errors", func() { panic(errors.New("plain")) })
	try("depth", func() { depth(50) })
	try("none", func() {})
	try("closed", func() { c := make(chan int); close(c); close(c) })
	try("send", func() { c := make(chan int, 1); close(c); c <- 1 })
	try("makeslice", func() { _ = make([]int, neg) })
	try("nilfunc", func() { var f func(); f() })
	try("conversion", func() { _ = [4]int([]int{1, 2}) })
	try("string index", func() { _ = "abc"[five] })
	fmt.Println(rethrow())
	var log []string
	fmt.Println(cleanup(&log), log)
	defer fmt.Println("deferred in main", strings.ToUpper("x"))
	defer func() { fmt.Fprintln(os.Stdout, "recovered:", recover()) }()
	try("goexit", func() { panic(nil) })
	fmt.Println(p.next)
}
