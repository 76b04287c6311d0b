package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Offsets of the fields of the struct tileCall.
const (
	tileValues = 8 * iota
	tileStart
	tileOffset
	tileEntry
	tileHalf
	tileRows
	tileCount
	tileOut
	tileSums
	tileNorms
	tileScale
	tileWeight
)

// tile generates the routines for sparse rows and a tile of vectors: all float32.
type tile struct {
	width   int // bytes of a vector
	lanes   int // vectors of the tile: 16, 32 or 64
	vectors int // registers for one number of each lane
	split   int // independent sets of accumulators

	args                             reg.Register
	base, start, offset, entry, rows reg.GPVirtual
	out, sums                        reg.GPVirtual
	row, k, end                      reg.GPVirtual
}

func newTile(width, lanes int, name string) *tile {
	g := &tile{width: width, lanes: lanes, vectors: 4 * lanes / width}
	g.split = max(1, min(4, 8/g.vectors))
	TEXT(fmt.Sprintf("%s%dx%d", name, lanes, 8*width), NOSPLIT, "func(c *byte)")
	g.args = Load(Param("c"), GP64())
	g.base, g.start, g.offset, g.entry = g.load(tileValues), g.load(tileStart), g.load(tileOffset), g.load(tileEntry)
	g.rows, g.out, g.sums = g.load(tileRows), g.load(tileOut), g.load(tileSums)
	g.row, g.k, g.end = GP64(), GP64(), GP64()
	return g
}

func (g *tile) vec() reg.VecVirtual {
	if g.width == 64 {
		return ZMM()
	}
	return YMM()
}

func (g *tile) load(offset int) reg.GPVirtual {
	r := GP64()
	MOVQ(Mem{Base: g.args, Disp: offset}, r)
	return r
}

// begin reads the row's number and the bounds of its entries.
func (g *tile) begin() {
	MOVLQSX(Mem{Base: g.rows}, g.row)
	MOVLQSX(Mem{Base: g.start, Index: g.row, Scale: 4}, g.k)
	MOVLQSX(Mem{Base: g.start, Index: g.row, Scale: 4, Disp: 4}, g.end)
}

// advance goes on to the next row, at the label again.
func (g *tile) advance(again string) {
	ADDQ(Imm(4), g.rows)
	ADDQ(Imm(4), g.sums)
	ADDQ(U32(uint32(4*g.lanes)), g.out)
	DECQ(Mem{Base: g.args, Disp: tileCount})
	JNZ(LabelRef(again))
	VZEROUPPER()
	RET()
}

// offsetOf loads the offset of the feature of entry k+ahead.
func (g *tile) offsetOf(ahead int) reg.GPVirtual {
	at := GP64()
	MOVL(Mem{Base: g.offset, Index: g.k, Scale: 4, Disp: 4 * ahead}, at.As32())
	return at
}

// group is vector i of the numbers of the feature at an offset.
func (g *tile) group(at reg.GPVirtual, i int) Mem {
	return Mem{Base: g.base, Index: at, Scale: uint8(g.lanes / 16), Disp: g.width * i}
}

func (g *tile) forward(exponential bool) {
	e := &kernel{width: g.width, storage: float32s}
	if g.width == 64 && exponential {
		e.least = g.vec()
		VMOVUPS(singleTable.Offset(64*leastRow), e.least)
		for i := range len(exp2Single) - 1 {
			c := g.vec()
			VMOVUPS(singleTable.Offset(64*(firstRow+i)), c)
			e.coefficients = append(e.coefficients, c)
		}
	}
	Label("row")
	g.begin()
	dots := g.dots()
	if exponential {
		size := 4
		if g.width == 32 {
			size = 2
		}
		for i := 0; i < len(dots); i += size {
			g.exponential(e, i, dots[i:min(i+size, len(dots))])
		}
	}
	weights, sum := g.load(tileWeight), g.vec()
	for i, v := range dots {
		VMOVUPS(v, Mem{Base: g.out, Disp: g.width * i})
		if i == 0 {
			VMULPS(Mem{Base: weights}, v, sum)
		} else {
			VFMADD231PS(Mem{Base: weights, Disp: g.width * i}, v, sum)
		}
	}
	total := g.across(sum)
	VADDSS(Mem{Base: g.sums}, total, total)
	VMOVSS(total, Mem{Base: g.sums})
	g.advance("row")
}

// dots leaves the dot products of the row with all lanes in the vectors returned.
func (g *tile) dots() []reg.VecVirtual {
	sets := make([][]reg.VecVirtual, g.split)
	for s := range sets {
		for range g.vectors {
			v := g.vec()
			VXORPS(v, v, v)
			sets[s] = append(sets[s], v)
		}
	}
	step := func(s int) {
		at, x := g.offsetOf(s), g.vec()
		VBROADCASTSS(Mem{Base: g.entry, Index: g.k, Scale: 4, Disp: 4 * s}, x)
		for i, sum := range sets[s] {
			VFMADD231PS(g.group(at, i), x, sum)
		}
	}
	if g.split > 1 {
		last := GP64()
		LEAQ(Mem{Base: g.end, Disp: 1 - g.split}, last)
		Label("several")
		CMPQ(g.k, last)
		JGE(LabelRef("single"))
		for s := range sets {
			step(s)
		}
		ADDQ(Imm(uint64(g.split)), g.k)
		JMP(LabelRef("several"))
	}
	Label("single")
	CMPQ(g.k, g.end)
	JGE(LabelRef("summed"))
	step(0)
	INCQ(g.k)
	JMP(LabelRef("single"))
	Label("summed")
	for half := g.split / 2; half >= 1; half /= 2 {
		for s := range half {
			for i, v := range sets[s+half] {
				VADDPS(v, sets[s][i], sets[s][i])
			}
		}
	}
	return sets[0]
}

// exponential replaces dots by 2^(scale·(‖x‖²/2 + ‖z‖²/2 - dot)).
func (g *tile) exponential(e *kernel, first int, v []reg.VecVirtual) {
	norms, scales, halves := g.load(tileNorms), g.load(tileScale), g.load(tileHalf)
	norm, zero := g.vec(), g.vec()
	VBROADCASTSS(Mem{Base: halves, Index: g.row, Scale: 4}, norm)
	VXORPS(zero, zero, zero)
	for i, t := range v {
		at, h := g.width*(first+i), g.vec()
		VADDPS(Mem{Base: norms, Disp: at}, norm, h)
		VSUBPS(t, h, t)
		VMAXPS(t, zero, t)
		VMULPS(Mem{Base: scales, Disp: at}, t, t)
	}
	e.exp2Single(v)
}

// across is the sum of the lanes of v, in the lowest.
func (g *tile) across(v reg.VecVirtual) reg.VecVirtual {
	if g.width == 64 {
		y := YMM()
		VEXTRACTF64X4(Imm(1), v, y)
		VADDPS(y, v.AsY(), y)
		v = y
	}
	x, s := XMM(), XMM()
	VEXTRACTF128(Imm(1), v.AsY(), x)
	VADDPS(x, v.AsX(), x)
	VPERMILPS(Imm(0x0e), x, s)
	VADDPS(s, x, x)
	VPERMILPS(Imm(0x01), x, s)
	VADDPS(s, x, x)
	return x
}

func (g *tile) backward() {
	var total []reg.VecVirtual
	if g.vectors <= 4 {
		totals := g.load(tileWeight)
		for i := range g.vectors {
			v := g.vec()
			VMOVUPS(Mem{Base: totals, Disp: g.width * i}, v)
			total = append(total, v)
		}
	}
	Label("row")
	slope, bits := g.vec(), GP64()
	MOVL(Mem{Base: g.sums}, bits.As32())
	ADDL(bits.As32(), bits.As32()) // without the sign: 0 and -0 are skipped
	JZ(LabelRef("next"))
	VBROADCASTSS(Mem{Base: g.sums}, slope)
	g.begin()
	weight := make([]reg.VecVirtual, g.vectors)
	for i := range weight {
		weight[i] = g.vec()
		VMULPS(Mem{Base: g.out, Disp: g.width * i}, slope, weight[i])
		if total != nil {
			VADDPS(weight[i], total[i], total[i])
			continue
		}
		totals, t := g.load(tileWeight), g.vec()
		VADDPS(Mem{Base: totals, Disp: g.width * i}, weight[i], t)
		VMOVUPS(t, Mem{Base: totals, Disp: g.width * i})
	}
	Label("entry")
	CMPQ(g.k, g.end)
	JGE(LabelRef("next"))
	at, x := g.offsetOf(0), g.vec()
	VBROADCASTSS(Mem{Base: g.entry, Index: g.k, Scale: 4}, x)
	for i, w := range weight {
		t := g.vec()
		VMOVUPS(g.group(at, i), t)
		VFMADD231PS(x, w, t)
		VMOVUPS(t, g.group(at, i))
	}
	INCQ(g.k)
	JMP(LabelRef("entry"))
	Label("next")
	ADDQ(Imm(4), g.rows)
	ADDQ(Imm(4), g.sums)
	ADDQ(U32(uint32(4*g.lanes)), g.out)
	DECQ(Mem{Base: g.args, Disp: tileCount})
	JNZ(LabelRef("row"))
	totals := g.load(tileWeight)
	for i, v := range total {
		VMOVUPS(v, Mem{Base: totals, Disp: g.width * i})
	}
	VZEROUPPER()
	RET()
}

// Offsets of the fields of the struct descendCall.
const (
	descendTile = 8 * iota
	descendGradient
	descendFirst
	descendSecond
	descendFactor
	descendPull
	descendHalf
	descendDim
	descendStride
	descendVectors
	descendRate
	descendKeep1 = descendRate + 4
	descendRest1 = descendRate + 8
	descendKeep2 = descendRate + 12
	descendRest2 = descendRate + 16
	descendFloor = descendRate + 20
)

// adamStep is the registers of a step of Adam that hold the same numbers throughout.
type adamStep struct {
	*tile
	rate, keep1, rest1, keep2, rest2, floor reg.VecVirtual
	values, gradients, firsts, seconds      reg.GPVirtual
}

// descend generates a step of Adam: one register's lanes of all features, then the next.
func descend(width int) {
	TEXT(fmt.Sprintf("tileDescend%d", 8*width), NOSPLIT, "func(c *byte)")
	g := &adamStep{tile: &tile{width: width}}
	g.args = Load(Param("c"), GP64())
	broadcast := func(offset int) reg.VecVirtual {
		v := g.vec()
		VBROADCASTSS(Mem{Base: g.args, Disp: offset}, v)
		return v
	}
	g.rate, g.keep1, g.rest1 = broadcast(descendRate), broadcast(descendKeep1), broadcast(descendRest1)
	g.keep2, g.rest2, g.floor = broadcast(descendKeep2), broadcast(descendRest2), broadcast(descendFloor)
	at, next, left := GP64(), GP64(), GP64()
	XORQ(next, next)
	stride := g.load(descendStride)
	g.values, g.gradients, g.firsts, g.seconds = g.load(descendTile), g.load(descendGradient), g.load(descendFirst), g.load(descendSecond)
	Label("vector")
	of := func(array int) Mem { return Mem{Base: g.load(array), Index: next, Scale: 1} }
	factor, pull, half, zero := g.vec(), g.vec(), g.vec(), g.vec()
	VMOVUPS(of(descendFactor), factor)
	VMOVUPS(of(descendPull), pull)
	VXORPS(half, half, half)
	VXORPS(zero, zero, zero)
	MOVQ(next, at)
	MOVQ(Mem{Base: g.args, Disp: descendDim}, left)
	Label("feature")
	value := g.feature(at, factor, pull, zero)
	VFMADD231PS(value, value, half)
	ADDQ(stride, at)
	DECQ(left)
	JNZ(LabelRef("feature"))
	halves := g.load(descendHalf)
	scale := g.vec()
	oneHalf := GP32()
	MOVL(U32(0x3f000000), oneHalf)
	VMOVD(oneHalf, scale.AsX())
	VBROADCASTSS(scale.AsX(), scale)
	VMULPS(scale, half, half)
	VMOVUPS(half, Mem{Base: halves, Index: next, Scale: 1})
	ADDQ(Imm(uint64(width)), next)
	DECQ(Mem{Base: g.args, Disp: descendVectors})
	JNZ(LabelRef("vector"))
	VZEROUPPER()
	RET()
}

// feature moves one feature of a register's vectors, and leaves its new values in the register returned.
func (g *adamStep) feature(at reg.GPVirtual, factor, pull, zero reg.VecVirtual) reg.VecVirtual {
	value, gradient, first, second, square := g.vec(), g.vec(), g.vec(), g.vec(), g.vec()
	VMOVUPS(Mem{Base: g.values, Index: at, Scale: 1}, value)
	VMOVUPS(Mem{Base: g.gradients, Index: at, Scale: 1}, gradient)
	VFNMADD231PS(pull, value, gradient)
	VMULPS(factor, gradient, gradient)
	VMULPS(Mem{Base: g.firsts, Index: at, Scale: 1}, g.keep1, first)
	VFMADD231PS(g.rest1, gradient, first)
	VMULPS(gradient, gradient, square)
	VMULPS(Mem{Base: g.seconds, Index: at, Scale: 1}, g.keep2, second)
	VFMADD231PS(g.rest2, square, second)
	VMOVUPS(first, Mem{Base: g.firsts, Index: at, Scale: 1})
	VMOVUPS(second, Mem{Base: g.seconds, Index: at, Scale: 1})
	VMOVUPS(zero, Mem{Base: g.gradients, Index: at, Scale: 1})
	VSQRTPS(second, second)
	VADDPS(g.floor, second, second)
	VMULPS(g.rate, first, first)
	VDIVPS(second, first, first)
	VSUBPS(first, value, value)
	VMOVUPS(value, Mem{Base: g.values, Index: at, Scale: 1})
	return value
}
