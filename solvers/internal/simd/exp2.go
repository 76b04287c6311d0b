package simd

import "math"

// 2ᵗ for t ≤ 0 is 2ⁿ·2ʳ with n the integer nearest to t and r = t - n in [-½, ½]; 2ʳ is a
// polynomial by Chebyshev interpolation (relative errors 2.5e-9 and 4.2e-18 before
// rounding). Smaller t than the least ones count as these, so that no denormal arises:
// 2^-125 and 2^-1021 stand for 0. The assembly computes the same.
const (
	leastSingle = -125
	leastDouble = -1021
	roundSingle = 1<<23 + 1<<22 // added and subtracted, it rounds to an integer
	roundDouble = 1<<52 + 1<<51
)

func exp2Single(t float32) float32 {
	if t < leastSingle {
		t = leastSingle
	}
	whole := t + roundSingle
	r := t - (whole - roundSingle)
	p := float32(0.0001546144469856913)
	p = p*r + 0.0013400428177615838
	p = p*r + 0.009618056678524637
	p = p*r + 0.05550327226670302
	p = p*r + 0.24022650922288757
	p = p*r + 0.6931472067028326
	p = p*r + 1
	return math.Float32frombits(math.Float32bits(p) + math.Float32bits(whole)<<23)
}

func exp2Double(t float64) float64 {
	if t < leastDouble {
		t = leastDouble
	}
	whole := t + roundDouble
	r := t - (whole - roundDouble)
	p := 4.4558179083360645e-10
	p = p*r + 7.074194297288521e-09
	p = p*r + 1.0178057087733941e-07
	p = p*r + 1.3215432535912375e-06
	p = p*r + 1.5252733841556773e-05
	p = p*r + 0.00015403530463724353
	p = p*r + 0.001333355814640647
	p = p*r + 0.009618129107587256
	p = p*r + 0.055504108664821625
	p = p*r + 0.24022650695910158
	p = p*r + 0.6931471805599453
	p = p*r + 1
	return math.Float64frombits(math.Float64bits(p) + math.Float64bits(whole)<<52)
}
