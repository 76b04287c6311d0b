package main

import "fmt"

type Weekday int

const (
	Mon Weekday = iota + 1
	Tue
	Wed
	_
	Fri
)

func (d Weekday) String() string {
	switch d {
	case Mon:
		return "Mon"
	case Tue:
		return "Tue"
	case Fri:
		return "Fri"
	}
	return fmt.Sprintf("Day(%d)", int(d))
}

const (
	KB = 1 << (10 * (iota + 1))
	MB
	GB
)
const (
	a, b = iota, iota * 10
	c, d
	e, f
)

type Flags uint8

const (
	R Flags = 1 << iota
	W
	X
)

func (f Flags) Has(g Flags) bool { return f&g != 0 }
func main() {
	fmt.Println(Mon, Tue, Wed, Fri, Weekday(9))
	fmt.Printf("%d %v %s %q %x|%5v|%-5v|\n", Fri, Fri, Fri, Fri, int(Fri), Mon, Mon)
	fmt.Println(KB, MB, GB, a, b, c, d, e, f)
	x := R | X
	x &^= R
	fmt.Println(x, x.Has(R), x.Has(X), ^x, -x)
	m := map[Weekday]string{Mon: "start", Fri: "end"}
	fmt.Println(m, m[Fri], len(m))
	days := [...]string{Mon: "m", Fri: "f"}
	fmt.Printf("%d %q\n", len(days), days)
}
