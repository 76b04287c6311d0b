package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

type storage string

const (
	float32s storage = "Float32"
	float64s storage = "Float64"
	bytes    storage = "Bytes"
)

type epilogue string

const (
	dot   epilogue = "Dot"
	rbf   epilogue = "RBF"
	power epilogue = "Power"
	near  epilogue = "Near" // by a table of the distances below 32
	far   epilogue = "Far"  // by tables whose values are multiplied
)

// Offsets of the fields of the struct rowsCall, in its order.
const (
	argPanels = 8 * iota
	argStride
	argCount
	argRows
	argStart
	argOffset
	argValue
	argRowTerm
	argColumnTerm
	argWeight
	argOut
	argOutRow
	argScale
	argShift
	argDegree
	argTable
)

// kernel generates one routine: sparse rows times panels of 64 points. The loop over panels is
// the outer one, so that a panel is read from the cache for all rows.
type kernel struct {
	width    int // bytes of a vector
	storage  storage
	epilogue epilogue
	add      bool // add weighted values to out; else store them row by row

	lanes   int // values in a vector, after conversion of bytes to float32
	vectors int // accumulators of one tile
	split   int // independent sets of accumulators: 2 halves the latency of the sum
	tiles   int // tiles per panel

	args                     reg.Register
	base, column, out, tiled reg.GPVirtual
	row, k, end              reg.GPVirtual
	offset, value, start     reg.GPVirtual
	outRow                   reg.GPVirtual
	sums                     []reg.VecVirtual // f64 sums of a tile, kept in registers (AVX-512, add)
	coefficients             []reg.VecVirtual // of exp2 but the top one, kept in registers (AVX-512, float32)
	zero, scale, least       reg.VecVirtual
	tables                   []reg.VecVirtual
}

func newKernel(width int, s storage, e epilogue, add bool) *kernel {
	g := &kernel{width: width, storage: s, epilogue: e, add: add, split: 1, tiles: 1}
	g.lanes = width / 4
	if s == float64s {
		g.lanes = width / 8
	}
	g.vectors = 64 / g.lanes
	if g.vectors == 16 {
		g.vectors, g.tiles = 8, 2
	}
	if g.vectors == 4 || s == bytes {
		g.split = 2
	}
	return g
}

func (g *kernel) wide() bool { return g.width == 64 }

func (g *kernel) looksUp() bool { return g.epilogue == near || g.epilogue == far }

func (g *kernel) vec() reg.VecVirtual {
	if g.wide() {
		return ZMM()
	}
	return YMM()
}

func (g *kernel) name() string {
	sink := "Store"
	if g.add {
		sink = "Add"
	}
	return fmt.Sprintf("rows%s%s%s%d", g.storage, g.epilogue, sink, 8*g.width)
}

func (g *kernel) arg(offset int) Mem { return Mem{Base: g.args, Disp: offset} }

func (g *kernel) load(offset int) reg.GPVirtual {
	r := GP64()
	MOVQ(g.arg(offset), r)
	return r
}

func (g *kernel) generate() {
	TEXT(g.name(), NOSPLIT, "func(c *byte)")
	g.args = Load(Param("c"), GP64())
	g.base, g.column, g.out = g.load(argPanels), g.load(argColumnTerm), g.load(argOut)
	g.start, g.offset = g.load(argStart), g.load(argOffset)
	if g.storage != bytes {
		g.value = g.load(argValue)
	}
	g.tiled = GP64()
	MOVQ(g.arg(argCount), g.tiled)
	if g.tiles == 2 {
		SHLQ(Imm(1), g.tiled)
	}
	g.constants()
	g.row, g.k, g.end = GP64(), GP64(), GP64()

	Label("tile")
	g.beginTile()
	Label("row")
	MOVLQSX(Mem{Base: g.start, Index: g.row, Scale: 4, Disp: 4}, g.end)
	g.finish(g.accumulate())
	INCQ(g.row)
	CMPQ(g.row, g.arg(argRows))
	JLT(LabelRef("row"))
	g.endTile()
	DECQ(g.tiled)
	JNZ(LabelRef("tile"))
	VZEROUPPER()
	RET()
}

// constants loads what is the same for all tiles and rows.
func (g *kernel) constants() {
	if g.looksUp() {
		g.loadTables()
	}
	if g.epilogue != rbf || !g.wide() || g.storage == float64s {
		return
	}
	g.scale, g.least, g.zero = g.vec(), g.vec(), g.vec()
	VBROADCASTSS(g.arg(argScale), g.scale)
	VMOVUPS(singleTable.Offset(64*leastRow), g.least)
	VXORPS(g.zero, g.zero, g.zero)
	for i := range len(exp2Single) - 1 {
		c := g.vec()
		VMOVUPS(singleTable.Offset(64*(firstRow+i)), c)
		g.coefficients = append(g.coefficients, c)
	}
}

func (g *kernel) beginTile() {
	XORQ(g.row, g.row)
	MOVLQSX(Mem{Base: g.start}, g.k)
	if !g.add {
		g.outRow = GP64()
		MOVQ(g.out, g.outRow)
		return
	}
	if !g.wide() {
		return
	}
	g.sums = nil
	for i := range 8 {
		s := g.vec()
		VMOVUPD(Mem{Base: g.out, Disp: 64 * i}, s)
		g.sums = append(g.sums, s)
	}
}

func (g *kernel) endTile() {
	for i, s := range g.sums {
		VMOVUPD(s, Mem{Base: g.out, Disp: 64 * i})
	}
	points := 64 / g.tiles
	ADDQ(U32(8*points), g.out)
	termBytes := 4
	if g.storage == float64s {
		termBytes = 8
	} else if g.looksUp() {
		termBytes = 1
	}
	ADDQ(U32(termBytes*points), g.column)
	if g.tiles == 1 {
		ADDQ(g.arg(argStride), g.base)
		return
	}
	// Two tiles lie side by side in a panel: an even count remains after the second.
	half := 32 * 8
	ADDQ(U32(half), g.base)
	TESTQ(U32(1), g.tiled)
	JZ(LabelRef("same"))
	ADDQ(g.arg(argStride), g.base)
	SUBQ(U32(2*half), g.base)
	Label("same")
}

// accumulate leaves Σ value·panel[offset] of the row in the vectors returned.
func (g *kernel) accumulate() []reg.VecVirtual {
	perSet := g.vectors
	if g.storage == bytes {
		perSet = 64 / g.width
	}
	sets := make([][]reg.VecVirtual, g.split)
	for s := range sets {
		for range perSet {
			v := g.vec()
			VXORPS(v, v, v)
			sets[s] = append(sets[s], v)
		}
	}
	if g.split == 2 {
		last := GP64()
		LEAQ(Mem{Base: g.end, Disp: -1}, last)
		Label("pair")
		CMPQ(g.k, last)
		JGE(LabelRef("single"))
		g.step(sets[0], 0)
		g.step(sets[1], 1)
		ADDQ(Imm(2), g.k)
		JMP(LabelRef("pair"))
	}
	Label("single")
	CMPQ(g.k, g.end)
	JGE(LabelRef("summed"))
	g.step(sets[0], 0)
	INCQ(g.k)
	if g.split == 1 {
		JMP(LabelRef("single"))
	}
	Label("summed")
	if g.split == 2 {
		for i, v := range sets[1] {
			if g.storage == bytes {
				VPADDB(v, sets[0][i], sets[0][i])
			} else {
				VADDPS(v, sets[0][i], sets[0][i])
			}
		}
	}
	if g.storage == bytes && !g.looksUp() {
		return g.widen(sets[0], true)
	}
	return sets[0]
}

// step adds the entry k+ahead of the row to one set of accumulators.
func (g *kernel) step(set []reg.VecVirtual, ahead int) {
	at := GP64()
	MOVL(Mem{Base: g.offset, Index: g.k, Scale: 4, Disp: 4 * ahead}, at.As32())
	var v reg.VecVirtual
	switch g.storage {
	case float32s:
		v = g.vec()
		VBROADCASTSS(Mem{Base: g.value, Index: g.k, Scale: 4, Disp: 4 * ahead}, v)
	case float64s:
		v = g.vec()
		VBROADCASTSD(Mem{Base: g.value, Index: g.k, Scale: 8, Disp: 8 * ahead}, v)
	}
	for i, sum := range set {
		m := Mem{Base: g.base, Index: at, Scale: 1, Disp: g.width * i}
		switch g.storage {
		case float32s:
			VFMADD231PS(m, v, sum)
		case float64s:
			VFMADD231PD(m, v, sum)
		default:
			VPADDB(m, sum, sum)
		}
	}
}

// widen turns 64 byte counts into vectors of 32-bit numbers, floating or integer.
func (g *kernel) widen(counts []reg.VecVirtual, floating bool) []reg.VecVirtual {
	var out []reg.VecVirtual
	put := func(x reg.VecVirtual) {
		v := g.vec()
		VPMOVZXBD(x.AsX(), v)
		if floating {
			VCVTDQ2PS(v, v)
		}
		out = append(out, v)
	}
	for _, c := range counts {
		if g.wide() {
			put(c)
			for quarter := range 3 {
				x := XMM()
				VEXTRACTI32X4(Imm(uint64(quarter+1)), c, x)
				put(x)
			}
			continue
		}
		upper := XMM()
		VEXTRACTI128(Imm(1), c, upper)
		for _, half := range []reg.VecVirtual{c, upper} {
			x := XMM()
			put(half)
			VPSRLDQ(Imm(8), half.AsX(), x)
			put(x)
		}
	}
	return out
}
