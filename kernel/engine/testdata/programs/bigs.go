package main

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"
)

func fact(n int64) *big.Int {
	r := big.NewInt(1)
	for i := int64(2); i <= n; i++ {
		r.Mul(r, big.NewInt(i))
	}
	return r
}
func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
func isqrt(n uint) uint {
	x := n
	for y := (x + 1) / 2; y < x; y = (x + n/x) / 2 {
		x = y
	}
	return x
}
func main() {
	fmt.Println(fact(30), new(big.Int).Exp(big.NewInt(3), big.NewInt(100), big.NewInt(1000007)))
	r := big.NewRat(1, 3)
	r.Add(r, big.NewRat(1, 6))
	fmt.Println(r, r.FloatString(5))
	fmt.Println(gcd(1071, 462), isqrt(99), bits.OnesCount(255), bits.Len(1024), bits.Reverse8(1))
	var u8 uint8 = 250
	u8 += 10
	var i8 int8 = 127
	i8++
	var u uint = 0
	u--
	fmt.Println(u8, i8, u == math.MaxUint, -7/2, -7%2, 7&^5, 1<<3|1, 6^3)
	x := int32(math.MinInt32)
	fmt.Println(-x, x-1, x>>31, uint32(x)>>31, int64(x)<<1)
	var sh uint = 70
	fmt.Println(1<<sh == 0, int8(-128)/int8(-1+int8(sh-70)))
	f := 1e100
	fmt.Println(math.Inf(1) > f, math.NaN() == math.NaN(), float32(0.1), float64(float32(0.1)), math.Sqrt(2), int(-2.7+float64(sh-70)), 5.0/2, 5/2)
	hi, lo := bits.Mul64(math.MaxUint64, 2)
	fmt.Println(hi, lo, 0x1p-2, 0b101, 0o17, 1_000_000, 'a', "\u00e9")
	fmt.Printf("%08b %o %#x %+d %e %g %6.2f|%-8d|%+v %t %p\n", 37, 8, 255, 5, 12345.678, 1e21, math.Pi, 42, struct{ A, B int }{1, 2}, true, nil)
}
