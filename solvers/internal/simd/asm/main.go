// Command asm writes the assembly of package simd. Run it by "go generate" in that package.
package main

import (
	"math"

	. "github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
)

// vectorBytes is the width of the two instruction sets that are generated.
var vectorBytes = []int{64, 32}

func main() {
	ConstraintExpr("amd64")
	tables()
	for _, width := range vectorBytes {
		for _, storage := range []storage{float32s, float64s, bytes} {
			for _, epilogue := range []epilogue{dot, rbf, power, near, far} {
				switch {
				case storage != bytes && (epilogue == near || epilogue == far),
					storage == bytes && epilogue == rbf,
					epilogue == near && width != 64:
					continue
				}
				for _, add := range []bool{false, true} {
					newKernel(width, storage, epilogue, add).generate()
				}
			}
		}
		newScan(width, "scanUpdate").update()
		newScan(width, "scanFind").find()
		newScan(width, "scanPair").pair()
		for _, lanes := range []int{16, 32, 64} {
			newTile(width, lanes, "tileDot").forward(false)
			newTile(width, lanes, "tileRBF").forward(true)
			newTile(width, lanes, "tileBack").backward()
		}
		descend(width)
	}
	Generate()
}

// Coefficients of 2ʳ on [-½, ½] by Chebyshev interpolation: relative errors 2.5e-9 and 4.2e-18.
// The twin in exp2.go has the same numbers.
var (
	exp2Single = []float32{1, 0.6931472067028326, 0.24022650922288757, 0.05550327226670302,
		0.009618056678524637, 0.0013400428177615838, 0.0001546144469856913}
	exp2Double = []float64{1, 0.6931471805599453, 0.24022650695910158, 0.055504108664821625,
		0.009618129107587256, 0.001333355814640647, 0.00015403530463724353, 1.5252733841556773e-05,
		1.3215432535912375e-06, 1.0178057087733941e-07, 7.074194297288521e-09, 4.4558179083360645e-10}
)

// Least exponents: 2^t is not computed for smaller t, so that no denormal number arises.
const (
	leastSingle = -125
	leastDouble = -1021
	roundDouble = 1<<52 + 1<<51 // added and subtracted, it rounds to an integer
)

// constants writes rows of 64 bytes, one number repeated, so that either vector width can use one as a
// memory operand.
type constants struct{ next int }

func (t *constants) single(v float32) {
	for range 16 {
		DATA(t.next, operand.U32(math.Float32bits(v)))
		t.next += 4
	}
}

func (t *constants) double(v float64) {
	for range 8 {
		DATA(t.next, operand.U64(math.Float64bits(v)))
		t.next += 8
	}
}

var singleTable, doubleTable, laneBits operand.Mem

const (
	leastRow = iota // row of the least exponent in either table
	roundRow        // row of roundDouble
	firstRow        // first coefficient
)

func tables() {
	const readOnly = 8 | 16 // RODATA|NOPTR
	singleTable = GLOBL("exp2Single", readOnly)
	t := &constants{}
	t.single(leastSingle)
	t.single(0)
	for _, v := range exp2Single {
		t.single(v)
	}
	doubleTable = GLOBL("exp2Double", readOnly)
	t = &constants{}
	t.double(leastDouble)
	t.double(roundDouble)
	for _, v := range exp2Double {
		t.double(v)
	}
	laneBits = GLOBL("laneBits", readOnly)
	for lane := range 8 {
		DATA(8*lane, operand.U64(1<<lane))
	}
}
