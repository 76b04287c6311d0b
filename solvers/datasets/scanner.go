package datasets

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
)

// ParseError says where a data file is wrong. Line and Column count from 1; Column counts
// bytes. Its text is "a8a:17:23: index 5 after 7: indices must increase".
type ParseError struct {
	File         string
	Line, Column int
	Text         string
}

func (e *ParseError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Text)
}

// decimal is the number that b writes in decimal, all of b: an optional sign, digits with
// at most one point, and an optional exponent. It is the float64 nearest to what is written
// (infinite if out of range); ok is false if b is no such number. Unlike strconv it knows
// neither inf, nan, hexadecimal nor underscores, and it allocates only for long numbers.
func decimal(b []byte) (value float64, ok bool) {
	i := 0
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		i = 1
	}
	var mantissa uint64
	start := i
	for ; i < len(b) && b[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(b[i]-'0')
	}
	digits, exponent := i-start, 0
	if i < len(b) && b[i] == '.' {
		i++
		start = i
		for ; i < len(b) && b[i]-'0' <= 9; i++ {
			mantissa = mantissa*10 + uint64(b[i]-'0')
		}
		exponent = start - i
		digits += i - start
	}
	if digits == 0 {
		return 0, false
	}
	if i < len(b) {
		power, ok := decimalExponent(b[i:])
		if !ok {
			return 0, false
		}
		exponent += power
	}
	// Up to 19 digits do not overflow mantissa. Below 2⁵³ mantissa is exact, and so are the powers of
	// ten up to 22: then one rounding is the right one.
	if digits <= 19 && mantissa < 1<<53 && -22 <= exponent && exponent <= 22 {
		value = float64(mantissa)
		if exponent < 0 {
			value /= powersOfTen[-exponent]
		} else {
			value *= powersOfTen[exponent]
		}
		if b[0] == '-' {
			value = -value
		}
		return value, true
	}
	value, _ = strconv.ParseFloat(string(b), 64) // the syntax is right: at worst out of range, and then infinite
	return value, true
}

// decimalExponent reads e5, E-3 or e+07, all of b.
func decimalExponent(b []byte) (exponent int, ok bool) {
	if b[0]|0x20 != 'e' {
		return 0, false
	}
	b = b[1:]
	negative := false
	if len(b) > 0 && (b[0] == '-' || b[0] == '+') {
		negative = b[0] == '-'
		b = b[1:]
	}
	for _, c := range b {
		if c-'0' > 9 {
			return 0, false
		}
		exponent = min(exponent*10+int(c-'0'), 1<<20)
	}
	if negative {
		exponent = -exponent
	}
	return exponent, len(b) > 0
}

// powersOfTen are those that a float64 holds exactly.
var powersOfTen = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// wordSize is how many digits leadingDigits takes at once.
const wordSize = 8

// wholePowersOfTen are 10ⁿ for up to wordSize digits.
var wholePowersOfTen = [wordSize + 1]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}

// leadingDigits is the number that the first n bytes of word write, the lowest byte first; the byte
// after them is no digit, or n is wordSize. All eight are looked at together, because a loop over
// digits ends at a different one each time, which the processor cannot foresee.
func leadingDigits(word uint64) (value int64, n int) {
	word ^= 0x3030303030303030 // digits become 0 to 9
	// A byte over 9, or over 127 before, has its highest bit here. What is carried out of one only
	// falsifies bytes behind it.
	others := (word + 0x7676767676767676 | word) & 0x8080808080808080
	n = bits.TrailingZeros64(others) / 8
	word <<= 64 - 8*n // zeros stand before the digits now
	word = (10*word + word>>8) & 0x00FF00FF00FF00FF
	word = (100*word + word>>16) & 0x0000FFFF0000FFFF
	word = (10000*word + word>>32) & 0xFFFFFFFF
	return int64(word), n
}

// finite reports whether v is neither infinite nor NaN.
func finite(v float64) bool { return !math.IsInf(v, 0) && !math.IsNaN(v) }

// shown quotes what a file says for an error, cut to a readable length.
func shown(b []byte) string {
	const most = 40
	if len(b) > most {
		return strconv.Quote(string(b[:most])) + "…"
	}
	return strconv.Quote(string(b))
}
