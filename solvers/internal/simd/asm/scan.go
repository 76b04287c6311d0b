package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

func label(name string, i int) string { return fmt.Sprintf("%s%d", name, i) }

// Offsets of the fields of the struct scanCall.
const (
	scanF           = 0
	scanRowI        = 8
	scanRowJ        = 16
	scanDiagonal    = 24
	scanUp          = 32
	scanLow         = 40
	scanN           = 48
	scanX           = 56
	scanY           = 64
	scanMax         = 72
	scanMin         = 80
	scanIndex       = 88
	scanNumerator   = 96
	scanDenominator = 96 + 128
	scanBlock       = 96 + 256
)

// Comparison predicates of VCMPPD: ordered, quiet.
const (
	equal   = 0
	greater = 0x1e
)

// scan generates loops over a float64 array with sets of lanes given by bitmaps. A step of the
// loop takes 16 elements, an odd multiple of 8 being handled by the caller.
type scan struct {
	width, lanes int
	args         reg.Register
	f, rowI      reg.GPVirtual
	up, low      reg.GPVirtual
	t, n         reg.GPVirtual
}

func newScan(width int, name string) *scan {
	g := &scan{width: width, lanes: width / 8}
	TEXT(fmt.Sprintf("%s%d", name, 8*width), NOSPLIT, "func(c *byte)")
	g.args = Load(Param("c"), GP64())
	g.f, g.n = g.load(scanF), g.load(scanN)
	g.t = GP64()
	XORQ(g.t, g.t)
	return g
}

func (g *scan) wide() bool { return g.width == 64 }

func (g *scan) vec() reg.VecVirtual {
	if g.wide() {
		return ZMM()
	}
	return YMM()
}

func (g *scan) load(offset int) reg.GPVirtual {
	r := GP64()
	MOVQ(Mem{Base: g.args, Disp: offset}, r)
	return r
}

func (g *scan) broadcast(offset int) reg.VecVirtual {
	v := g.vec()
	VBROADCASTSD(Mem{Base: g.args, Disp: offset}, v)
	return v
}

func (g *scan) copies(offset, count int) []reg.VecVirtual {
	var v []reg.VecVirtual
	for range count {
		v = append(v, g.broadcast(offset))
	}
	return v
}

// at is the memory of vector s of the present step in a float64 array.
func (g *scan) at(array reg.Register, s int) Mem {
	return Mem{Base: array, Index: g.t, Scale: 8, Disp: g.width * s}
}

// bits loads the lanes of vector s of a bitmap: a mask register, or all-ones lanes. byteAt is
// the step's first byte, t/8.
func (g *scan) bits(bitmap, byteAt reg.Register, s int) reg.Register {
	if g.wide() {
		k := K()
		KMOVB(Mem{Base: bitmap, Index: byteAt, Scale: 1, Disp: s}, k)
		return k
	}
	v, lanes := YMM(), laneBits.Offset(32*(s%2))
	VPBROADCASTB(Mem{Base: bitmap, Index: byteAt, Scale: 1, Disp: s / 2}, v)
	VPAND(lanes, v, v)
	VPCMPEQQ(lanes, v, v)
	return v
}

// loop runs body over all steps; there is at least one.
func (g *scan) loop(body func(byteAt reg.Register)) {
	Label("step")
	byteAt := GP64()
	MOVQ(g.t, byteAt)
	SHRQ(Imm(3), byteAt)
	body(byteAt)
	ADDQ(Imm(16), g.t)
	CMPQ(g.t, g.n)
	JLT(LabelRef("step"))
}

// update generates f -= x·rowI + y·rowJ with the greatest f among up and the least among low.
func (g *scan) update() {
	g.rowI = g.load(scanRowI)
	rowJ := g.load(scanRowJ)
	g.up, g.low = g.load(scanUp), g.load(scanLow)
	x, y := g.broadcast(scanX), g.broadcast(scanY)
	sets := 16 / g.lanes
	most, least := g.copies(scanMax, 2), g.copies(scanMin, 2)
	noMost, noLeast := g.broadcast(scanMax), g.broadcast(scanMin)
	g.loop(func(byteAt reg.Register) {
		for s := range sets {
			a, b, f := g.vec(), g.vec(), g.vec()
			VMULPD(g.at(g.rowI, s), x, a)
			VMULPD(g.at(rowJ, s), y, b)
			VMOVUPD(g.at(g.f, s), f)
			VSUBPD(a, f, f)
			VSUBPD(b, f, f)
			VMOVUPD(f, g.at(g.f, s))
			up, low := g.bits(g.up, byteAt, s), g.bits(g.low, byteAt, s)
			m, l := most[s%2], least[s%2]
			if g.wide() {
				VMAXPD(f, m, up, m)
				VMINPD(f, l, low, l)
				continue
			}
			VBLENDVPD(up, f, noMost, a)
			VMAXPD(a, m, m)
			VBLENDVPD(low, f, noLeast, b)
			VMINPD(b, l, l)
		}
	})
	VMAXPD(most[1], most[0], most[0])
	VMINPD(least[1], least[0], least[0])
	g.reduce(most[0], scanMax, func(a, b reg.Register) { VMAXPD(a, b, b) })
	g.reduce(least[0], scanMin, func(a, b reg.Register) { VMINPD(a, b, b) })
	VZEROUPPER()
	RET()
}

// reduce stores the lanes of v, combined to one number.
func (g *scan) reduce(v reg.VecVirtual, offset int, combine func(a, b reg.Register)) {
	if g.wide() {
		y := YMM()
		VEXTRACTF64X4(Imm(1), v, y)
		combine(y, v.AsY())
	}
	x, s := XMM(), XMM()
	VEXTRACTF128(Imm(1), v.AsY(), x)
	combine(x, v.AsX())
	VPERMILPD(Imm(1), v.AsX(), s)
	combine(s, v.AsX())
	VMOVSD(v.AsX(), Mem{Base: g.args, Disp: offset})
}

// find generates the search for the first element of up that equals x.
func (g *scan) find() {
	g.up = g.load(scanUp)
	x := g.broadcast(scanX)
	found := GP64()
	g.loop(func(byteAt reg.Register) {
		XORQ(found, found)
		for s := range 16 / g.lanes {
			bits := GP64()
			if g.wide() {
				k := K()
				VCMPPD(Imm(equal), g.at(g.f, s), x, k)
				KMOVB(k, bits.As32())
			} else {
				v := YMM()
				VCMPPD(Imm(equal), g.at(g.f, s), x, v)
				VMOVMSKPD(v, bits.As32())
			}
			SHLQ(Imm(uint64(g.lanes*s)), bits)
			ORQ(bits, found)
		}
		mask := GP64()
		MOVWQZX(Mem{Base: g.up, Index: byteAt, Scale: 1}, mask)
		ANDQ(mask, found)
		JNZ(LabelRef("found"))
	})
	MOVQ(I32(-1), Mem{Base: g.args, Disp: scanIndex})
	VZEROUPPER()
	RET()
	Label("found")
	BSFQ(found, found)
	ADDQ(g.t, found)
	MOVQ(found, Mem{Base: g.args, Disp: scanIndex})
	VZEROUPPER()
	RET()
}

// pair generates the choice of the second index: among low with f < x the greatest
// (x-f)²/max(y + diagonal - 2·rowI, tau), compared without division, lane by lane.
func (g *scan) pair() {
	g.rowI = g.load(scanRowI)
	diagonal := g.load(scanDiagonal)
	g.low = g.load(scanLow)
	x, y, tau := g.broadcast(scanX), g.broadcast(scanY), g.broadcast(scanMin)
	zero, block := g.vec(), g.vec()
	VXORPS(zero, zero, zero)
	VXORPS(block, block, block)
	sets := 2
	numerator, denominator := g.copies(scanNumerator, sets), g.copies(scanDenominator, sets)
	blocks := g.copies(scanBlock, sets)
	inner := 16 / g.lanes / sets
	g.loop(func(byteAt reg.Register) {
		for s := range sets * inner {
			b, a, left, right := g.vec(), g.vec(), g.vec(), g.vec()
			VSUBPD(g.at(g.f, s), x, b)
			VMAXPD(b, zero, b)
			VMULPD(b, b, b)
			VADDPD(g.at(diagonal, s), y, a)
			VMOVUPD(g.at(g.rowI, s), right)
			VADDPD(right, right, right)
			VSUBPD(right, a, a)
			VMAXPD(a, tau, a)
			num, den, blk := numerator[s%sets], denominator[s%sets], blocks[s%sets]
			VMULPD(b, den, left)
			VMULPD(num, a, right)
			low := g.bits(g.low, byteAt, s)
			if g.wide() {
				better := K()
				VCMPPD(Imm(greater), right, left, low, better)
				VMOVAPD(b, better, num)
				VMOVAPD(a, better, den)
				VMOVDQA64(block, better, blk)
			} else {
				VCMPPD(Imm(greater), right, left, left)
				VPAND(low, left, left)
				VBLENDVPD(left, b, num, num)
				VBLENDVPD(left, a, den, den)
				VBLENDVPD(left, block, blk, blk)
			}
			if s%sets == sets-1 {
				one := g.vec()
				VPBROADCASTQ(laneBits, one)
				VPADDQ(one, block, block)
			}
		}
	})
	for s := range sets {
		VMOVUPD(numerator[s], Mem{Base: g.args, Disp: scanNumerator + g.width*s})
		VMOVUPD(denominator[s], Mem{Base: g.args, Disp: scanDenominator + g.width*s})
		VMOVUPD(blocks[s], Mem{Base: g.args, Disp: scanBlock + g.width*s})
	}
	VZEROUPPER()
	RET()
}
