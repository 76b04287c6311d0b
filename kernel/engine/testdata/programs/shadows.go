package main

import "fmt"

var x = "global"

func f() (string, error) { return "f", nil }
func g() (s string, err error) {
	if s, err := f(); err == nil {
		s += "!"
		_ = s
	}
	s = "g"
	{
		err := fmt.Errorf("inner")
		_ = err
	}
	return
}

type len2 int

func main() {
	fmt.Println(x)
	x := x + " local"
	fmt.Println(x)
	if x := 1; x > 0 {
		x := x + 1
		fmt.Println(x)
	} else {
		fmt.Println(x)
	}
	fmt.Println(x)
	for i := 0; i < 2; i++ {
		i := i * 10
		fmt.Print(i, " ")
	}
	fmt.Println()
	a, err := f()
	b, err := g()
	fmt.Println(a, b, err)
	string := func(n int) int { return n * 2 }
	fmt.Println(string(4))
	len := func(s []int) int { return 42 }
	fmt.Println(len(nil))
	true := false
	fmt.Println(true)
	nil := 5
	fmt.Println(nil)
	switch x := any(x).(type) {
	case int:
		fmt.Println("int", x)
	default:
		fmt.Printf("%T\n", x)
	}
	func(x int) { fmt.Println(x) }(3)
	type int float64
	var y int = 1.5
	fmt.Println(y)
}
