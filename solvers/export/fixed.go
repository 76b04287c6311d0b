package export

import (
	"fmt"
	"math"
	"math/bits"
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// Limits of the integers. Inputs have 16 bits. A squared difference of an input and a vector is
// below 2³², and featureBits is what weights and sums over features may add, so that sums stay
// below 2⁶².
const (
	inputMost   = 1<<15 - 1
	featureBits = 30
	valueBits   = 23 // kernel values are multiples of 2⁻²³
	dotBits     = 16 // of the weights of dot products
)

// fixed is a model in integers: input x becomes q(x)ⱼ = round(xⱼ/Scaleⱼ), vectors likewise, and
//
//	γ‖x-s‖² ≈ 2⁻ᴷ Σⱼ wⱼ(q(x)ⱼ - q(s)ⱼ)²,     wⱼ = round(2ᴷ γ Scaleⱼ²).
//
// Its arithmetic is that of the source written, operation by operation.
type fixed struct {
	kernel       kernel
	numbers      Numbers
	inverse      []float32 // 1/Scaleⱼ of inputs; one number if all are the same
	weights      []int64   // wⱼ; one number if all are the same
	shift        int       // K
	vectors      storage[int32]
	sums         sums
	coefficients []int64
	step         float64   // value of 1 in a coefficient
	biases       []int64   // in units of the sums of an RBF kernel
	unit         float64   // value of 1 in these sums
	floatBiases  []float64 // of other kernels, whose last operations are in float
}

func newFixed(in *input, numbers Numbers) (*fixed, error) {
	f := &fixed{kernel: in.kernel, numbers: numbers}
	most, perValue, coefficientMost := 127.0, 1, float64(1<<15-1)
	if numbers == Int16 {
		most, perValue, coefficientMost = 1<<14-1, 2, 1<<23-1
	}
	inputScales := scales(in.vectors, in, most)
	vectorScales := inputScales
	vectors, terms := in.reduced()
	var beta []float64
	f.sums, beta = newSums(in.machines(), terms)
	if in.kernel.kind == linear {
		vectorScales = scales(vectors, &input{dim: in.dim}, most)
	}
	if err := f.weigh(inputScales, vectorScales, in.dim); err != nil {
		return nil, err
	}
	for _, s := range inputScales {
		f.inverse = append(f.inverse, float32(1/s))
	}
	f.vectors = store(vectors, in.dim, perValue, func(j int, v float64) int32 {
		return int32(math.Round(v / vectorScales[j%len(vectorScales)]))
	})
	greatest := 0.0
	for _, b := range beta {
		greatest = max(greatest, math.Abs(b))
	}
	step := greatest / coefficientMost
	if step == 0 {
		step = 1
	}
	for _, b := range beta {
		f.coefficients = append(f.coefficients, int64(math.Round(b/step)))
	}
	f.step, f.unit, f.floatBiases = step, step/(1<<valueBits), in.biases
	if in.kernel.kind != rbf {
		return f, nil
	}
	for _, b := range in.biases {
		bias := math.Round(b / f.unit)
		if math.Abs(bias) > 1<<61 {
			return nil, &Error{"Bias", fmt.Sprintf("%g is too great beside the coefficients, at most %g, for integers; want Float32", b, greatest)}
		}
		f.biases = append(f.biases, int64(bias))
	}
	return f, nil
}

// scales are the values of one step of each feature: the greatest value of the vectors and of the
// validation rows is most steps. It is one scale for all features if these lose little by it: the mean
// squared error grows fourfold at most.
func scales(vectors []solvers.Vector, in *input, most float64) []float64 {
	greatest := make([]float64, in.dim)
	note := func(x solvers.Vector) {
		for p, j := range x.Index {
			greatest[j] = max(greatest[j], math.Abs(x.Value[p]))
		}
	}
	for _, x := range vectors {
		note(x)
	}
	if in.validation != nil {
		for _, x := range in.validation.X {
			note(x)
		}
	}
	overall, squares, used := 0.0, 0.0, 0.0
	for _, g := range greatest {
		overall = max(overall, g)
		if g > 0 {
			squares += g * g
			used++
		}
	}
	if overall == 0 {
		return []float64{1}
	}
	if used*overall*overall <= 4*squares {
		return []float64{overall / most}
	}
	for j, g := range greatest {
		if g == 0 {
			g = overall
		}
		greatest[j] = g / most
	}
	return greatest
}

// weigh sets the weights of the features and their common power of two.
func (f *fixed) weigh(inputs, vectors []float64, dim int) error {
	n := max(len(inputs), len(vectors))
	exact, greatest := make([]float64, n), 0.0
	for j := range exact {
		exact[j] = inputs[j%len(inputs)] * vectors[j%len(vectors)]
		if f.kernel.kind == rbf {
			exact[j] *= f.kernel.gamma
		}
		greatest = max(greatest, exact[j])
	}
	room := featureBits - bits.Len(uint(dim-1))
	if f.kernel.kind != rbf {
		room = min(room, dotBits)
	}
	f.shift = min(int(math.Floor(float64(room)-math.Log2(greatest))), 57)
	if f.shift < 0 || f.shift == 57 && greatest*math.Ldexp(1, 57) < 1 {
		return &Error{"scale", fmt.Sprintf("a step of a feature is %.3g in the kernel's exponent; want features scaled to the range of about 1, or Float32", greatest)}
	}
	for _, e := range exact {
		f.weights = append(f.weights, int64(math.Round(math.Ldexp(e, f.shift))))
	}
	return nil
}

// quantise is q(x).
func (f *fixed) quantise(x []float32) []int64 {
	q := make([]int64, len(x))
	for j, v := range x {
		v *= f.inverse[j%len(f.inverse)]
		switch {
		case !(v > -inputMost): // NaN too
			q[j] = -inputMost
		case v > inputMost:
			q[j] = inputMost
		case v < 0:
			q[j] = int64(v - 0.5)
		default:
			q[j] = int64(v + 0.5)
		}
	}
	return q
}

func (f *fixed) decisions(x []float32) []float64 {
	out := make([]float64, f.sums.machines)
	if f.kernel.kind == rbf {
		for m, sum := range f.integerSums(x) {
			out[m] = float64(sum) * f.unit
		}
		return out
	}
	q, sums := f.quantise(x), make([]float32, len(out))
	for m, b := range f.floatBiases {
		sums[m] = float32(b)
	}
	for i := range f.vectors.count {
		value := epilogue(f.kernel, float32(f.total(q, i, 0))*float32(math.Ldexp(1, -f.shift)))
		for p := f.sums.start[i]; p < f.sums.start[i+1]; p++ {
			sums[f.sums.machine[p]] += float32(f.coefficients[p]) * float32(f.step) * value
		}
	}
	for m, sum := range sums {
		out[m] = float64(sum)
	}
	return out
}

// integerSums are the decision values in units, for an RBF kernel.
func (f *fixed) integerSums(x []float32) []int64 {
	q := f.quantise(x)
	var norm int64
	if f.vectors.layout != denseLayout {
		for j, v := range q {
			norm += f.weight(j) * v * v
		}
		norm *= f.common()
	}
	sums := slices.Clone(f.biases)
	for i := range f.vectors.count {
		value := f.exponential(uint64(f.total(q, i, norm)))
		for p := f.sums.start[i]; p < f.sums.start[i+1]; p++ {
			sums[f.sums.machine[p]] += f.coefficients[p] * value
		}
	}
	return sums
}

// weight is that of a feature within the sum, and common the factor of all.
func (f *fixed) weight(j int) int64 {
	if len(f.weights) == 1 {
		return 1
	}
	return f.weights[j]
}

func (f *fixed) common() int64 {
	if len(f.weights) == 1 {
		return f.weights[0]
	}
	return 1
}

// total is 2ᴷ times the scaled distance or dot product of input and vector i; norm is that of the
// input if the layout has only nonzero values.
func (f *fixed) total(q []int64, i int, norm int64) int64 {
	var sum int64
	f.vectors.each(i, func(j int, v int32) {
		s := int64(v)
		switch {
		case f.kernel.kind != rbf:
			sum += f.weight(j) * s * q[j]
		case f.vectors.layout == denseLayout:
			sum += f.weight(j) * (q[j] - s) * (q[j] - s)
		default:
			sum += f.weight(j) * s * (s - 2*q[j])
		}
	})
	return norm + sum*f.common()
}

// exponential is 2²³·exp(-t·2⁻ᴷ). The whole part, the next six bits and the rest of the exponent
// have a table, a table and two terms of the series; the error is below 2⁻¹⁵ of the value, from the 16
// bits of the fraction.
func (f *fixed) exponential(t uint64) int64 {
	whole := t >> f.shift
	if whole >= uint64(len(wholePowers)) {
		return 0
	}
	var fraction uint64
	if f.shift >= 16 {
		fraction = t >> (f.shift - 16) & 0xffff
	} else {
		fraction = t << (16 - f.shift) & 0xffff
	}
	rest := fraction & 0x3ff
	// 1 - r + r²/2 with r = rest·2⁻¹⁶, in steps of 2⁻³¹.
	series := 1<<31 - rest<<15 + rest*rest>>2
	v := uint64(wholePowers[whole]) * uint64(partPowers[fraction>>10]) >> 31
	return int64(v * series >> (62 - valueBits))
}

// Powers of e in steps of 2⁻³¹: wholePowers[i] is exp(-i), partPowers[j] is exp(-j/64).
var wholePowers, partPowers = powers(24, 1), powers(64, 1.0/64)

func powers(n int, step float64) []uint32 {
	p := make([]uint32, n)
	for i := range p {
		p[i] = uint32(math.Round(math.Exp(-float64(i)*step) * (1 << 31)))
	}
	return p
}

func (f *fixed) work() work {
	stored := f.vectors.stored()
	w := work{integer: 2*stored + stored, float: f.vectors.dim}
	if len(f.weights) > 1 {
		w.integer += stored
	}
	if f.kernel.kind == rbf && f.vectors.layout != denseLayout {
		w.integer += 3 * f.vectors.dim
	}
	n, terms := f.vectors.count, len(f.coefficients)
	switch f.kernel.kind {
	case rbf:
		w.integer += 12*n + 2*terms
	case poly:
		w.float += (f.kernel.degree+2)*n + 3*terms
	case sigmoid:
		w.float += 26*n + 3*terms
	default:
		w.float += 3 * terms
	}
	return w
}

func (f *fixed) dataBytes() int {
	perCoefficient := 2
	if f.numbers == Int16 {
		perCoefficient = 4
	}
	n := f.vectors.bytes() + f.sums.bytes() + perCoefficient*len(f.coefficients) + 8*f.sums.machines
	if len(f.inverse) > 1 {
		n += 4 * len(f.inverse)
	}
	if len(f.weights) > 1 {
		n += 4 * len(f.weights)
	}
	if f.kernel.kind == rbf {
		n += 4 * (len(wholePowers) + len(partPowers))
	}
	return n
}
