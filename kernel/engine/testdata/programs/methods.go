package main

import "fmt"

type Celsius float64
type Fahrenheit float64

func (c Celsius) F() Fahrenheit  { return Fahrenheit(c*9/5 + 32) }
func (f Fahrenheit) C() Celsius  { return Celsius((f - 32) * 5 / 9) }
func (c Celsius) String() string { return fmt.Sprintf("%.1f°C", float64(c)) }

type Op func(float64, float64) float64

func (o Op) Fold(xs ...float64) float64 {
	r := xs[0]
	for _, x := range xs[1:] {
		r = o(r, x)
	}
	return r
}

type Counter struct{ hits map[string]int }

func (c *Counter) Hit(s string) int {
	if c.hits == nil {
		c.hits = map[string]int{}
	}
	c.hits[s]++
	return c.hits[s]
}
func main() {
	c := Celsius(100)
	fmt.Println(c, c.F(), Fahrenheit(212).C())
	fmt.Printf("%v %s %d %.2f %T\n", c, c, []Celsius{1, 2}, float64(c), c)
	fmt.Println(Op(func(a, b float64) float64 { return a - b }).Fold(10, 3, 2))
	var k Counter
	hit := k.Hit
	hit("a")
	hit("a")
	k.Hit("b")
	fmt.Println(k.hits, (*Counter).Hit(&k, "a"))
	toF := Celsius.F
	fmt.Println(toF(-40))
	f := c.String
	c = 5
	fmt.Println(f(), c.String())
}
