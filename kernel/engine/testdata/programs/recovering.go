package main

import (
	"fmt"
	"reflect"
	"runtime"
)

type recoverer interface{ stop() }
type direct struct{ name string }

func (d direct) stop() { fmt.Println(d.name, recover()) }

type indirect struct{ f func() }

func (d indirect) stop() { d.f() }

func rec() { fmt.Println("rec", recover()) }

func try(name string, f func()) {
	defer func() { fmt.Println(name, "left:", recover()) }()
	f()
}

func line() int { _, _, n, _ := runtime.Caller(1); return n }

func atEnd(early bool) {
	defer func() {
		_, _, n, ok := runtime.Caller(1)
		_, _, m, _ := runtime.Caller(0)
		fmt.Println(n-m, ok)
	}()
	if early {
		return
	}
	fmt.Println("late")
}

func main() {
	r := rec
	lit := func() { fmt.Println("lit", recover()) }
	try("value", func() { defer r(); panic(1) })
	try("literal", func() { defer lit(); panic(2) })
	deeper := func() { r() }
	deeper2 := func() { lit() }
	try("deeper", func() { defer deeper(); panic(3) })
	try("deeper2", func() { defer deeper2(); panic(4) })
	var i recoverer = direct{"direct"}
	try("interface", func() { defer i.stop(); panic(5) })
	i = &direct{"pointer"}
	try("interface", func() { defer i.stop(); panic(5) })
	i = indirect{r}
	try("indirect", func() { defer i.stop(); panic(6) })
	i = indirect{lit}
	try("indirect", func() { defer i.stop(); panic(7) })
	m := direct{"method value"}.stop
	try("method value", func() { defer m(); panic(8) })
	me := direct.stop
	try("method expression", func() { defer me(direct{"me"}); panic(9) })
	mk := reflect.MakeFunc(reflect.TypeOf(func() {}), func([]reflect.Value) []reflect.Value { fmt.Println("made", recover()); return nil }).Interface().(func())
	try("made", func() { defer mk(); panic(10) })
	mk2 := reflect.MakeFunc(reflect.TypeOf(func() {}), func([]reflect.Value) []reflect.Value { r(); mk(); return nil }).Interface().(func())
	try("made deeper", func() { defer mk2(); panic(11) })
	call := func(f func()) { f() }
	try("passed", func() { defer call(lit); panic(12) })
	try("twice", func() { defer lit(); defer func() { defer lit(); panic(14) }(); panic(13) })
	nested := func() {
		func() { defer func() { recover() }(); panic("inner") }()
		fmt.Println("nested", recover())
	}
	try("nested", func() { defer nested(); panic(15) })
	try("list", func() {
		for _, f := range []func(){r, lit, deeper} {
			defer f()
		}
		panic(16)
	})
	atEnd(false)
	atEnd(true)
}
