package main

import (
	"fmt"
	"strings"
)

type Set []uint64

func (s *Set) Add(xs ...int) {
	for _, x := range xs {
		w, b := x/64, uint(x%64)
		for len(*s) <= w {
			*s = append(*s, 0)
		}
		(*s)[w] |= 1 << b
	}
}
func (s Set) Has(x int) bool { return x/64 < len(s) && s[x/64]&(1<<uint(x%64)) != 0 }
func (s Set) Union(t Set) (r Set) {
	if len(s) < len(t) {
		s, t = t, s
	}
	r = append(r, s...)
	for i, w := range t {
		r[i] |= w
	}
	return
}
func (s Set) Each(yield func(int) bool) {
	for i, w := range s {
		for b := 0; b < 64; b++ {
			if w>>b&1 == 1 && !yield(i*64+b) {
				return
			}
		}
	}
}
func (s Set) String() string {
	var l []string
	for x := range s.Each {
		l = append(l, fmt.Sprint(x))
	}
	return "{" + strings.Join(l, " ") + "}"
}
func crc(b []byte) (c uint32) {
	c = ^uint32(0)
	for _, x := range b {
		c ^= uint32(x)
		for range 8 {
			if c&1 != 0 {
				c = c>>1 ^ 0xEDB88320
			} else {
				c >>= 1
			}
		}
	}
	return ^c
}
func rotl(x uint32, k uint) uint32 { return x<<k | x>>(32-k) }

type rng struct{ s uint64 }

func (r *rng) next() uint64 { r.s ^= r.s << 13; r.s ^= r.s >> 7; r.s ^= r.s << 17; return r.s }
func hash(s string) (h uint32) {
	h = 2166136261
	for i := 0; i < len(s); i++ {
		h ^= uint32(s[i])
		h *= 16777619
	}
	return
}
func main() {
	var a, b Set
	a.Add(1, 64, 130, 5)
	b.Add(5, 7)
	fmt.Println(a, b, a.Union(b), a.Has(64), b.Has(64), len(a))
	fmt.Printf("%08x %x %d\n", crc([]byte("123456789")), rotl(0x80000001, 4), hash("hello"))
	r := rng{42}
	for range 3 {
		fmt.Print(r.next()%1000, " ")
	}
	fmt.Println()
	var x uint8 = 0b10110010
	fmt.Printf("%08b %08b %08b %d\n", x&^0x0f, x<<1, ^x, int8(x))
	x <<= 3
	x |= 1
	x ^= 0xff
	fmt.Println(x, x>>4&3, -x)
	n := 0
	for m := uint32(0xF0F0); m != 0; m &= m - 1 {
		n++
	}
	var big int64 = 1 << 40
	fmt.Println(n, big>>38, int32(big>>10), uint16(big+70000), int8(200+n-8), big<<30)
}
