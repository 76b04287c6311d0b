package export

import (
	"math"
	"slices"
)

// single is a model in single precision. Its arithmetic is that of the source written, operation by
// operation.
type single struct {
	kernel       kernel
	vectors      storage[float32]
	sums         sums
	coefficients []float32
	biases       []float32
}

func newSingle(in *input) *single {
	vectors, terms := in.reduced()
	s := &single{kernel: in.kernel}
	s.vectors = store(vectors, in.dim, 4, func(_ int, v float64) float32 { return float32(v) })
	var beta []float64
	s.sums, beta = newSums(in.machines(), terms)
	for _, b := range beta {
		s.coefficients = append(s.coefficients, float32(b))
	}
	for _, b := range in.biases {
		s.biases = append(s.biases, float32(b))
	}
	return s
}

func (s *single) decisions(x []float32) []float64 {
	var norm float32
	if s.kernel.kind == rbf && s.vectors.layout != denseLayout {
		for _, v := range x {
			norm += v * v
		}
	}
	sums := slices.Clone(s.biases)
	for i := range s.vectors.count {
		value := s.value(x, i, norm)
		for p := s.sums.start[i]; p < s.sums.start[i+1]; p++ {
			sums[s.sums.machine[p]] += s.coefficients[p] * value
		}
	}
	out := make([]float64, len(sums))
	for m, sum := range sums {
		out[m] = float64(sum)
	}
	return out
}

// value is K(sᵢ, x), where norm is ‖x‖² if the layout has only nonzero values.
func (s *single) value(x []float32, i int, norm float32) float32 {
	sum := norm
	s.vectors.each(i, func(j int, v float32) {
		switch {
		case s.kernel.kind != rbf:
			sum += v * x[j]
		case s.vectors.layout == denseLayout:
			d := x[j] - v
			sum += d * d
		default:
			sum += v * (v - 2*x[j])
		}
	})
	k := s.kernel
	return epilogue(k, sum)
}

// epilogue is the kernel's value from the dot product, or for RBF from the squared distance.
func epilogue(k kernel, sum float32) float32 {
	switch k.kind {
	case rbf:
		return exponential(-float32(k.gamma) * sum)
	case poly:
		base, value := float32(k.gamma)*sum+float32(k.coef0), float32(1)
		for range k.degree {
			value *= base
		}
		return value
	case sigmoid:
		return 1 - 2/(exponential(2*(float32(k.gamma)*sum+float32(k.coef0)))+1)
	}
	return sum
}

// exponential is eˣ with an error of 3e-7 of the value: x = n·ln 2 + r with |r| ≤ ½ ln 2, the Taylor
// polynomial of eʳ, and n in the exponent's bits.
func exponential(x float32) float32 {
	if x < -87 {
		return 0
	}
	if x > 88 {
		x = 88
	}
	half := float32(0.5)
	if x < 0 {
		half = -0.5
	}
	n := int32(x*1.44269504 + half)
	// ln 2 in two parts, the first with few bits, so that n times it is exact.
	r := x - float32(n)*0.693145752
	r -= float32(n) * 1.42860677e-06
	p := r*(1.0/720) + 1.0/120
	p = r*p + 1.0/24
	p = r*p + 1.0/6
	p = r*p + 0.5
	p = r*p + 1
	p = r*p + 1
	return p * math.Float32frombits(uint32(n+127)<<23)
}

// work counts the operations of a prediction, all in float.
func (s *single) work() work {
	w := work{float: 2 * s.vectors.stored()}
	if s.kernel.kind == rbf {
		w.float += s.vectors.stored()
		if s.vectors.layout != denseLayout {
			w.float += 2 * s.vectors.dim
		}
	}
	n := s.vectors.count
	w.float += 2 * len(s.coefficients)
	switch s.kernel.kind {
	case rbf:
		w.float += 20 * n
	case poly:
		w.float += (s.kernel.degree + 2) * n
	case sigmoid:
		w.float += 26 * n
	}
	return w
}

func (s *single) dataBytes() int {
	return s.vectors.bytes() + s.sums.bytes() + 4*len(s.coefficients) + 4*len(s.biases)
}
