package main

import (
	"fmt"
	"math"
	"math/cmplx"
)

func fft(a []complex128) []complex128 {
	n := len(a)
	if n == 1 {
		return []complex128{a[0]}
	}
	var even, odd []complex128
	for i, v := range a {
		if i%2 == 0 {
			even = append(even, v)
		} else {
			odd = append(odd, v)
		}
	}
	e, o := fft(even), fft(odd)
	r := make([]complex128, n)
	for k := 0; k < n/2; k++ {
		w := cmplx.Exp(complex(0, -2*math.Pi*float64(k)/float64(n))) * o[k]
		r[k], r[k+n/2] = e[k]+w, e[k]-w
	}
	return r
}
func mandel(c complex128) int {
	z := 0i
	for i := range 50 {
		if real(z)*real(z)+imag(z)*imag(z) > 4 {
			return i
		}
		z = z*z + c
	}
	return 50
}
func main() {
	z := 3 + 4i
	fmt.Println(z, real(z), imag(z), cmplx.Abs(z), z*z, z/(1-1i), -z, z == complex(3, 4))
	for _, v := range fft([]complex128{1, 2, 3, 4, 0, 0, 0, 0}) {
		fmt.Printf("%.3f ", v)
	}
	fmt.Println()
	for y := 1.0; y >= -1; y -= 0.5 {
		for x := -2.0; x <= 0.5; x += 0.25 {
			if mandel(complex(x, y)) == 50 {
				fmt.Print("#")
			} else {
				fmt.Print(".")
			}
		}
		fmt.Println()
	}
	var c complex64 = 1 + 2i
	c *= 2i
	c += 1
	fmt.Printf("%v %T %T\n", c, c, real(c))
	const k = (2 + 3i) * (2 - 3i)
	fmt.Println(k, int(real(k)))
}
