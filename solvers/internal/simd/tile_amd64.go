package simd

import (
	"unsafe"
)

// tileCall are the arguments of the routines for tiles. The assembly knows the offsets of its
// fields.
type tileCall struct {
	tile   unsafe.Pointer // values, or the gradient
	start  *int32
	offset *uint32
	value  unsafe.Pointer // of the entries
	half   unsafe.Pointer // ‖x‖²/2
	rows   *int32
	count  int // rows, ≥ 1
	out    unsafe.Pointer
	sums   unsafe.Pointer // or the slopes
	norms  unsafe.Pointer // ‖z‖²/2
	scale  unsafe.Pointer
	weight unsafe.Pointer // or the totals
}

// descendCall are the arguments of a step of Adam.
type descendCall struct {
	tile, gradient, first, second unsafe.Pointer
	factor, pull, half            unsafe.Pointer
	dim, stride, vectors          int // stride: bytes from feature to feature
	rate, keep1, rest1            float32
	keep2, rest2, floor           float32
}

type tileRoutine = func(c *tileCall)

// The routines for 16, 32 and 64 lanes.
var (
	forwardDot256 = [3]tileRoutine{tileDot16x256, tileDot32x256, tileDot64x256}
	forwardRBF256 = [3]tileRoutine{tileRBF16x256, tileRBF32x256, tileRBF64x256}
	backward256   = [3]tileRoutine{tileBack16x256, tileBack32x256, tileBack64x256}
	forwardDot512 = [3]tileRoutine{tileDot16x512, tileDot32x512, tileDot64x512}
	forwardRBF512 = [3]tileRoutine{tileRBF16x512, tileRBF32x512, tileRBF64x512}
	backward512   = [3]tileRoutine{tileBack16x512, tileBack32x512, tileBack64x512}
)

func (path Path) forward(kind Kind, t *Tile[float32], x *Entries[float32], rows []int32, values, sums []float32) {
	c := &tileCall{tile: at(t.Value, 0), start: &x.Start[0], offset: unsafe.SliceData(x.Offset), value: at(x.Value, 0),
		half: at(x.Half, 0), rows: &rows[0], count: len(rows), out: at(values, 0), sums: at(sums, 0),
		norms: at(t.Half, 0), scale: at(t.Scale, 0), weight: at(t.Weight, 0)}
	routines := &forwardDot512
	switch {
	case path == AVX512 && kind == Exponential:
		routines = &forwardRBF512
	case path == AVX2 && kind == Exponential:
		routines = &forwardRBF256
	case path == AVX2:
		routines = &forwardDot256
	}
	routines[t.Lanes/32](c)
}

func (path Path) backward(lanes int, x *Entries[float32], rows []int32, values, slope, gradient, total []float32) {
	c := &tileCall{tile: at(gradient, 0), start: &x.Start[0], offset: unsafe.SliceData(x.Offset), value: at(x.Value, 0),
		rows: &rows[0], count: len(rows), out: at(values, 0), sums: at(slope, 0), weight: at(total, 0)}
	if path == AVX512 {
		backward512[lanes/32](c)
	} else {
		backward256[lanes/32](c)
	}
}

func (path Path) descend(m Moments, t *Tile[float32], gradient, first, second, factor, pull []float32) {
	c := &descendCall{tile: at(t.Value, 0), gradient: at(gradient, 0), first: at(first, 0), second: at(second, 0),
		factor: at(factor, 0), pull: at(pull, 0), half: at(t.Half, 0), dim: t.Dim, stride: 4 * t.Lanes,
		rate: float32(m.Rate), keep1: float32(m.Keep1), rest1: float32(1 - m.Keep1),
		keep2: float32(m.Keep2), rest2: float32(1 - m.Keep2), floor: float32(m.Floor)}
	if path == AVX512 {
		c.vectors = t.Lanes / 16
		tileDescend512(c)
	} else {
		c.vectors = t.Lanes / 8
		tileDescend256(c)
	}
}
