package main

import (
	"fmt"
	"math"
)

const big = 1 << 100
const huge = big * big
const (
	third      = 1.0 / 3
	typed int8 = 100
	r          = 'a' + 1
	s          = "con" + "cat"
	ok         = len(s) > 3 && big > 5
	c          = 2i * 2i
)
const (
	A = iota * 10
	B
	C = "x"
	D
	E = iota
)

type bitmask uint16

const (
	Read bitmask = 1 << iota
	Write
	_
	Admin
)

type Dur int64

const (
	Nano  Dur = 1
	Micro     = 1000 * Nano
	Milli     = 1000 * Micro
)

func f(x float32) float32 { return x * third }
func main() {
	fmt.Println(big>>98, huge/big == big, third, f(3), typed, r, s, ok, c)
	fmt.Println(A, B, C, D, E, Read|Admin, Micro, Milli)
	fmt.Printf("%T %T %T %T %T\n", third, typed, r, Micro, c)
	var u8 uint8 = math.MaxUint8
	var i16 int16 = -1 << 15
	fmt.Println(u8+1, i16-1, uint16(i16), int8(u8), ^u8, u8>>1, -i16)
	x := 10
	fmt.Println(x/3, -x/3, x%3, -x%3, x&^2, x|5, x^x, x<<2>>1, +x, ^x)
	fmt.Println(math.MaxInt64, uint64(math.MaxUint64), math.Pi, float32(math.Pi), math.SmallestNonzeroFloat64)
	fmt.Println(1e3, 1e21, 1e-7, 100000.0, 1234567.0, 123456789.0, 0.1+0.2, float32(0.1)+float32(0.2))
	var f32 float32 = 16777216
	fmt.Println(f32+1 == f32, int(3.99+float64(x-10)), int(-3.99+float64(x-10)), uint8(int(300+x-10)&0xff))
	h := 0x7fffffff
	fmt.Println(int32(h)+int32(x)-9, h+1, 07, 0b11, 0xFF_FF, 'x', '\n', "\x41\101\u00e9")
	const local = big % 1000
	arr := [local % 5]int{}
	fmt.Println(local, len(arr), len([...]string{5: "a"}))
	fmt.Println(5.0 == 5, 1/2*3.0, 1/2.0*3, 7/2*2, 'a'*2, "a"+"b" < "b")
	fmt.Println(math.Inf(1), -math.Inf(1), math.NaN(), -0.0, 1/math.Inf(-1), math.Floor(-1.5), math.Round(2.5), math.Trunc(-2.7), math.Mod(7, -3))
}
