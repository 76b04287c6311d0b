// cut: declarations

package main

import "fmt"

func retry(fail int) (tries int, ok bool) {
retry:
	tries++
	if tries <= fail {
		if tries > 4 {
			return tries, false
		}
		goto retry
	}
	return tries, true
}
func machine(s string) string {
	i, out := 0, ""
	var c byte
a:
	if i == len(s) {
		goto end
	}
	c = s[i]
	i++
	if c == '(' {
		out += "["
		goto b
	}
	out += string(c)
	goto a
b:
	if i == len(s) {
		out += "?"
		goto end
	}
	c = s[i]
	i++
	if c == ')' {
		out += "]"
		goto a
	}
	out += "."
	goto b
end:
	return out
}
func grade(n int) (s string) {
	switch {
	case n >= 90:
		s = "A"
	case n >= 80:
		s = "B"
		if n >= 88 {
			s += "+"
			break
		}
		s += "-"
	case n < 0:
		fallthrough
	case n > 1000:
		s = "invalid"
	default:
		s = "C"
	}
	switch x := n % 3; x {
	case 0:
		s += "0"
		fallthrough
	case 1:
		s += "1"
	case 2:
		s += "2"
	default:
		s += "neg"
	}
	return
}
func main() {
	fmt.Println(retry(2))
	fmt.Println(retry(9))
	fmt.Println(machine("a(bc)d(e"))
	for _, n := range []int{95, 89, 82, 50, -3, 2000} {
		fmt.Print(grade(n), " ")
	}
	fmt.Println()
	var fs []func() int
	i := 0
again:
	j := i * 10
	fs = append(fs, func() int { j++; return j })
	if i++; i < 3 {
		goto again
	}
	for _, f := range fs {
		fmt.Print(f(), f(), " ")
	}
	fmt.Println()
	{
		k := 0
	block:
		for {
			switch {
			case k > 5:
				break block
			case k%2 == 0:
				k += 3
				continue block
			default:
				k++
			}
		}
		fmt.Println(k)
	}
}
