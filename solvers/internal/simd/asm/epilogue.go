package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// finish applies the epilogue to the sums of a row and hands the values to out.
func (g *kernel) finish(sums []reg.VecVirtual) {
	switch g.epilogue {
	case near, far:
		sums = g.look(sums)
	case rbf:
		g.groups(sums, g.exponential)
	case power:
		g.groups(sums, g.raise)
	}
	g.sink(sums)
}

// groups applies f to as many vectors at a time as the registers allow.
func (g *kernel) groups(sums []reg.VecVirtual, f func(first int, v []reg.VecVirtual)) {
	size := 4
	if !g.wide() {
		size = 2
	}
	for i := 0; i < len(sums); i += size {
		f(i, sums[i:i+size])
	}
}

// Offsets in the struct Table.
const (
	tableLow  = 0
	tableHigh = 32 * 4
	tableOnes = (32 + 16) * 4
)

// loadTables loads what a kernel looks up: for AVX-512 the values at 0 … 31, and for far
// distances those at multiples of 32; for AVX2 those at 0 … 7, at multiples of 8 and of 64.
func (g *kernel) loadTables() {
	t := g.load(argTable)
	offsets := []int{tableOnes, tableOnes + 32, tableOnes + 64}
	if g.wide() {
		offsets = []int{tableLow, tableLow + 64, tableHigh}
	}
	if g.epilogue == near {
		offsets = offsets[:2]
	}
	for _, o := range offsets {
		v := g.vec()
		VMOVUPS(Mem{Base: t, Disp: o}, v)
		g.tables = append(g.tables, v)
	}
}

// look replaces counts of common features by the values at the distances
// rowTerm + columnTerm - 2·count.
func (g *kernel) look(counts []reg.VecVirtual) []reg.VecVirtual {
	terms := GP64()
	MOVQ(g.arg(argRowTerm), terms)
	ones := g.vec()
	VPBROADCASTB(Mem{Base: terms, Index: g.row, Scale: 4}, ones)
	for i, c := range counts {
		distance := g.vec()
		VPADDB(Mem{Base: g.column, Disp: g.width * i}, ones, distance)
		VPADDB(c, c, c)
		VPSUBB(c, distance, c)
	}
	out := g.widen(counts, false)
	for _, v := range out {
		far := g.vec()
		if g.wide() {
			if g.epilogue == near {
				VPERMI2PS(g.tables[1], g.tables[0], v)
				continue
			}
			VPSRLD(Imm(5), v, far)
			VPERMPS(g.tables[2], far, far)
			VPERMI2PS(g.tables[1], g.tables[0], v)
			VMULPS(far, v, v)
			continue
		}
		farther := g.vec()
		VPSRLD(Imm(3), v, far)
		VPSRLD(Imm(6), v, farther)
		VPERMPS(g.tables[0], v, v)
		VPERMPS(g.tables[1], far, far)
		VPERMPS(g.tables[2], farther, farther)
		VMULPS(far, v, v)
		VMULPS(farther, v, v)
	}
	return out
}

// exponential replaces dots x·z by 2^(scale·(‖x‖²/2 + ‖z‖²/2 - x·z)). The distance is clipped
// at 0 from below and a NaN passes through.
func (g *kernel) exponential(first int, v []reg.VecVirtual) {
	double := g.storage == float64s
	terms := GP64()
	MOVQ(g.arg(argRowTerm), terms)
	norm, scale, zero := g.vec(), g.scale, g.zero
	if double {
		VBROADCASTSD(Mem{Base: terms, Index: g.row, Scale: 8}, norm)
	} else {
		VBROADCASTSS(Mem{Base: terms, Index: g.row, Scale: 4}, norm)
	}
	for i, t := range v {
		at := Mem{Base: g.column, Disp: g.width * (first + i)}
		h := g.vec()
		if double {
			VADDPD(at, norm, h)
			VSUBPD(t, h, t)
		} else {
			VADDPS(at, norm, h)
			VSUBPS(t, h, t)
		}
	}
	if scale == nil {
		scale, zero = g.vec(), g.vec()
		if double {
			VBROADCASTSD(g.arg(argScale), scale)
		} else {
			VBROADCASTSS(g.arg(argScale), scale)
		}
		VXORPS(zero, zero, zero)
	}
	for _, t := range v {
		if double {
			VMAXPD(t, zero, t)
			VMULPD(scale, t, t)
		} else {
			VMAXPS(t, zero, t)
			VMULPS(scale, t, t)
		}
	}
	if double {
		g.exp2Double(v)
	} else {
		g.exp2Single(v)
	}
}

// exp2Single replaces t ≤ 0 by 2ᵗ.
func (g *kernel) exp2Single(v []reg.VecVirtual) {
	least := Op(g.least)
	coefficient := func(i int) Op { return g.coefficients[i] }
	if g.least == nil {
		r := g.vec()
		VMOVUPS(singleTable.Offset(64*leastRow), r)
		least = r
		coefficient = func(i int) Op { return singleTable.Offset(64 * (firstRow + i)) }
	}
	whole, p := make([]reg.VecVirtual, len(v)), make([]reg.VecVirtual, len(v))
	top := len(exp2Single) - 1
	for i, t := range v {
		whole[i], p[i] = g.vec(), g.vec()
		VMAXPS(t, least, t)
		if g.wide() {
			VRNDSCALEPS(Imm(8), t, whole[i])
		} else {
			VROUNDPS(Imm(8), t, whole[i])
		}
		VSUBPS(whole[i], t, t)
		VMOVUPS(singleTable.Offset(64*(firstRow+top)), p[i])
	}
	for c := top - 1; c >= 0; c-- {
		for i, t := range v {
			VFMADD213PS(coefficient(c), t, p[i])
		}
	}
	for i, t := range v {
		if g.wide() {
			VSCALEFPS(whole[i], p[i], t)
			continue
		}
		VCVTPS2DQ(whole[i], whole[i])
		VPSLLD(Imm(23), whole[i], whole[i])
		VPADDD(whole[i], p[i], t)
	}
}

// exp2Double replaces t ≤ 0 by 2ᵗ.
func (g *kernel) exp2Double(v []reg.VecVirtual) {
	least, round := g.vec(), g.vec()
	VMOVUPD(doubleTable.Offset(64*leastRow), least)
	if !g.wide() {
		VMOVUPD(doubleTable.Offset(64*roundRow), round)
	}
	whole, p := make([]reg.VecVirtual, len(v)), make([]reg.VecVirtual, len(v))
	top := len(exp2Double) - 1
	for i, t := range v {
		whole[i], p[i] = g.vec(), g.vec()
		VMAXPD(t, least, t)
		if g.wide() {
			VRNDSCALEPD(Imm(8), t, whole[i])
			VSUBPD(whole[i], t, t)
		} else {
			VADDPD(round, t, whole[i])
			VSUBPD(round, whole[i], p[i])
			VSUBPD(p[i], t, t)
		}
		VMOVUPD(doubleTable.Offset(64*(firstRow+top)), p[i])
	}
	for c := top - 1; c >= 0; c-- {
		for i, t := range v {
			VFMADD213PD(doubleTable.Offset(64*(firstRow+c)), t, p[i])
		}
	}
	for i, t := range v {
		if g.wide() {
			VSCALEFPD(whole[i], p[i], t)
			continue
		}
		VPSLLQ(Imm(52), whole[i], whole[i])
		VPADDQ(whole[i], p[i], t)
	}
}

// raise replaces dots d by (scale·d + shift)^degree, degree ≥ 1.
func (g *kernel) raise(first int, v []reg.VecVirtual) {
	scale, shift := g.vec(), g.vec()
	double := g.storage == float64s
	if double {
		VBROADCASTSD(g.arg(argScale), scale)
		VBROADCASTSD(g.arg(argShift), shift)
	} else {
		VBROADCASTSS(g.arg(argScale), scale)
		VBROADCASTSS(g.arg(argShift), shift)
	}
	factor := make([]reg.VecVirtual, len(v))
	for i, t := range v {
		factor[i] = g.vec()
		if double {
			VFMADD213PD(shift, scale, t)
			VMOVAPD(t, factor[i])
		} else {
			VFMADD213PS(shift, scale, t)
			VMOVAPS(t, factor[i])
		}
	}
	left := GP64()
	again, done := label("power", first), label("raised", first)
	MOVQ(g.arg(argDegree), left)
	Label(again)
	DECQ(left)
	JZ(LabelRef(done))
	for i, t := range v {
		if double {
			VMULPD(factor[i], t, t)
		} else {
			VMULPS(factor[i], t, t)
		}
	}
	JMP(LabelRef(again))
	Label(done)
}

// sink stores the values of a row as float64, or adds them, weighted, to the sums of the tile.
func (g *kernel) sink(v []reg.VecVirtual) {
	weight := g.vec()
	if g.add {
		weights := GP64()
		MOVQ(g.arg(argWeight), weights)
		VBROADCASTSD(Mem{Base: weights, Index: g.row, Scale: 8}, weight)
	}
	for i, x := range v {
		if g.storage == float64s {
			g.put(i, x, weight)
			continue
		}
		low, high := g.vec(), g.vec()
		if g.wide() {
			VCVTPS2PD(x.AsY(), low)
			VEXTRACTF64X4(Imm(1), x, high.AsY())
			VCVTPS2PD(high.AsY(), high)
		} else {
			VCVTPS2PD(x.AsX(), low)
			VEXTRACTF128(Imm(1), x, high.AsX())
			VCVTPS2PD(high.AsX(), high)
		}
		g.put(2*i, low, weight)
		g.put(2*i+1, high, weight)
	}
	if !g.add {
		ADDQ(g.arg(argOutRow), g.outRow)
	}
}

func (g *kernel) put(i int, x, weight reg.VecVirtual) {
	switch {
	case !g.add:
		VMOVUPD(x, Mem{Base: g.outRow, Disp: g.width * i})
	case g.wide():
		VFMADD231PD(x, weight, g.sums[i])
	default:
		at := Mem{Base: g.out, Disp: g.width * i}
		VFMADD213PD(at, weight, x)
		VMOVUPD(x, at)
	}
}
