package main

import (
	"fmt"
	"strings"
)

type Named interface{ Name() string }
type Speaker interface {
	Named
	Speak() string
}
type Base struct{ name string }

func (b *Base) Name() string    { return b.name }
func (b *Base) Rename(s string) { b.name = s }

type Dog struct {
	*Base
	age int
}

func (d Dog) Speak() string { return d.Name() + " says woof" }

type Puppy struct {
	Dog
	toys []string
}

func (p Puppy) Speak() string { return strings.ToUpper(p.Dog.Speak()) }

type Loud struct{ Speaker }

func (l Loud) Speak() string { return l.Speaker.Speak() + "!" }
func main() {
	d := Dog{&Base{"Rex"}, 3}
	p := Puppy{Dog{&Base{"Bit"}, 1}, []string{"ball"}}
	for _, s := range []Speaker{d, p, Loud{p}, Loud{Loud{d}}} {
		fmt.Println(s.Name(), "-", s.Speak())
	}
	p.Rename("Bob")
	fmt.Println(p.name, p.Dog.Base.name, p.age, len(p.toys))
	var n Named = p
	if s, ok := n.(Speaker); ok {
		fmt.Println("speaker", s.Speak())
	}
	_, ok := n.(fmt.Stringer)
	fmt.Println(ok)
	f := p.Rename
	f("Zed")
	fmt.Println(Loud{p}.Name())
}
