package simd

import (
	"fmt"
	"math"
	"math/bits"
)

// Mask is a set of indices, one bit for each: bit t%64 of word t/64.
type Mask []uint64

// NewMask is the empty set for n indices.
func NewMask(n int) Mask { return make(Mask, (n+63)/64) }

// Set puts t in or takes it out.
func (m Mask) Set(t int, in bool) {
	if in {
		m[t>>6] |= 1 << (t & 63)
	} else {
		m[t>>6] &^= 1 << (t & 63)
	}
}

// Has reports whether t is in the set.
func (m Mask) Has(t int) bool { return m[t>>6]>>(t&63)&1 != 0 }

// Update computes f[t] -= a·rowA[t] + b·rowB[t] for all t and returns the greatest f[t] among
// up, -Inf if up is empty, and the least among low, +Inf if low is empty. f must not be NaN.
func (path Path) Update(f, rowA, rowB []float64, a, b float64, up, low Mask) (most, least float64) {
	n := len(f)
	checkScan(n, up, rowA, rowB)
	checkScan(n, low)
	most, least = math.Inf(-1), math.Inf(1)
	whole := 0
	if path != Go && n >= 16 {
		whole = n &^ 15
		most, least = path.update(f[:whole], rowA, rowB, a, b, up, low)
	}
	for t := whole; t < n; t++ {
		v := f[t] - a*rowA[t]
		v -= b * rowB[t]
		f[t] = v
		if v > most && up.Has(t) {
			most = v
		}
		if v < least && low.Has(t) {
			least = v
		}
	}
	return most, least
}

// Find is the first t in the set with f[t] == v, or -1.
func (path Path) Find(f []float64, v float64, set Mask) int {
	n := len(f)
	checkScan(n, set)
	whole := 0
	if path != Go && n >= 16 {
		whole = n &^ 15
		if t := path.find(f[:whole], v, set); t >= 0 {
			return t
		}
	}
	for t := whole; t < n; t++ {
		if f[t] == v && set.Has(t) {
			return t
		}
	}
	return -1
}

// leastCurvature stands for curvatures below it, as in LIBSVM (its TAU).
const leastCurvature = 1e-12

// Pair is the second index of a step of sequential minimal optimisation, whose first index i
// has f[i] = most: the t in low with f[t] < most that has the greatest gain
// (most - f[t])²/max(self + diagonal[t] - 2·row[t], 1e-12), where row is row i of the kernel
// matrix and self its diagonal entry (Fan, Chen, Lin 2005). It is -1 if there is none. Of
// gains equal up to rounding any may win.
func (path Path) Pair(f, row, diagonal []float64, most, self float64, low Mask) int {
	n := len(f)
	checkScan(n, low, row, diagonal)
	index, numerator, denominator := -1, 0.0, 1.0
	whole := 0
	if path != Go && n >= 16 {
		whole = n &^ 15
		index, numerator, denominator = path.pair(f[:whole], row, diagonal, most, self, low)
	}
	for t := whole; t < n; t++ {
		b := most - f[t]
		if !(b > 0) || !low.Has(t) {
			continue
		}
		a := max(self+diagonal[t]-2*row[t], leastCurvature)
		if b*b*denominator > numerator*a {
			index, numerator, denominator = t, b*b, a
		}
	}
	return index
}

func checkScan(n int, m Mask, arrays ...[]float64) {
	if len(m)*64 < n {
		panic(fmt.Sprintf("simd: a mask of %d bits for %d elements", 64*len(m), n))
	}
	for _, a := range arrays {
		if len(a) < n {
			panic(fmt.Sprintf("simd: %d elements in a row for %d", len(a), n))
		}
	}
}

// Count is the number of indices in the set.
func (m Mask) Count() int {
	n := 0
	for _, w := range m {
		n += bits.OnesCount64(w)
	}
	return n
}
