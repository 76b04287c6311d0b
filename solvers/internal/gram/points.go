package gram

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// Points are the vectors that a Matrix has as columns, with what is known of them. They may
// serve several kernels.
type Points struct {
	X     []Vector
	Dim   int       // one more than the greatest index that occurs
	Norms []float64 // ‖z_j‖²

	entries int     // stored values
	largest float64 // greatest ‖z_j‖²
	longest int     // most entries of a point
	ones    bool    // every value is 1

	interrupted error // of PointsWithin
}

// NewPoints looks at the vectors, which must have finite values and increasing indices. They
// are kept and not to be changed.
func NewPoints(x []Vector) *Points {
	p, err := ScanPoints(context.Background(), x)
	if err != nil {
		panic("gram: " + err.Error())
	}
	return p
}

// ScanPoints is NewPoints that ends with ctx, whose error it returns.
func ScanPoints(ctx context.Context, x []Vector) (*Points, error) {
	p := &Points{X: x, Norms: make([]float64, len(x)), ones: true}
	for j, z := range x {
		if j%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		n := len(z.Index)
		if n > 0 {
			p.Dim = max(p.Dim, int(z.Index[n-1])+1)
		}
		p.entries += n
		p.longest = max(p.longest, n)
		norm := SquaredNorm(z)
		p.Norms[j], p.largest = norm, max(p.largest, norm)
		if norm != float64(n) || p.ones && !allOnes(z) {
			p.ones = false
		}
	}
	return p, nil
}

// PointsWithin is NewPoints that gives up when ctx ends. Matrices of the points then return its
// error for all that is asked of them with ctx.
func PointsWithin(ctx context.Context, x []Vector) *Points {
	p, err := ScanPoints(ctx, x)
	if err != nil {
		return &Points{X: x, Norms: make([]float64, len(x)), interrupted: err}
	}
	return p
}

func allOnes(z Vector) bool {
	for _, v := range z.Value {
		if v != 1 {
			return false
		}
	}
	return true
}

// Limits of the form that points are kept in.
const (
	panelLimit   = 1 << 30 // bytes of panels
	leastDensity = 1. / 400
	mostOnes     = 127 // ones of a row or point, so that no count exceeds a byte
)

// form is how a Matrix keeps its points.
type form int

const (
	plain    form = iota // as they are, for Custom
	postings             // by feature
	panels
)

// choose is the form and storage for a kernel.
func (p *Points) choose(k Kernel, precision Precision) (form, simd.Storage) {
	if k.Kind == Custom {
		return plain, 0
	}
	if precision == Single {
		if p.ones && p.longest <= mostOnes && p.fits(simd.Bytes) {
			return panels, simd.Bytes
		}
		if p.fits(simd.Float32) && p.single(k, p.largest) {
			return panels, simd.Float32
		}
	}
	if p.fits(simd.Float64) {
		return panels, simd.Float64
	}
	return postings, simd.Float64
}

// fits reports whether panels are small and dense enough.
func (p *Points) fits(storage simd.Storage) bool {
	cells := float64(len(p.X)) * float64(max(p.Dim, 1))
	dense := p.Dim <= 1000 || float64(p.entries) >= leastDensity*cells
	size := map[simd.Storage]float64{simd.Float32: 4, simd.Float64: 8, simd.Bytes: 1}[storage]
	return dense && size*cells <= panelLimit && p.Dim <= storage.MaxDim()
}

// single reports whether float32 keeps what Single promises for vectors of squared norms up
// to largest.
func (p *Points) single(k Kernel, largest float64) bool {
	const least, greatest = 1e-24, 1e24 // squared norms and products of them stay in float32
	if largest > greatest || largest < least && largest > 0 {
		return false
	}
	scale := math.Abs(k.Gamma)
	if k.Kind != Linear && (scale > greatest || scale < least || math.Abs(k.Coef0) > greatest) {
		return false
	}
	if k.Kind == Polynomial && power(scale*largest+math.Abs(k.Coef0), k.Degree) > greatest {
		return false
	}
	return k.singleError(largest) <= 1e-5
}

// pack writes the points into panels of a storage.
func (p *Points) pack(ctx context.Context, storage simd.Storage, each func(ctx context.Context, n int, work func(i int) error) error) (*simd.Panels, error) {
	count := (len(p.X) + simd.Lanes - 1) / simd.Lanes
	n, dim := count*simd.Lanes, max(p.Dim, 1)
	z := &simd.Panels{Storage: storage, Dim: dim, Count: count}
	var err error
	switch storage {
	case simd.Float64:
		z.Half64 = make([]float64, n)
		z.F64, err = Make[float64](ctx, n*dim)
	case simd.Float32:
		z.Half32 = make([]float32, n)
		z.F32, err = Make[float32](ctx, n*dim)
	default:
		z.Ones = make([]uint8, n)
		z.U8, err = Make[uint8](ctx, n*dim)
	}
	if err != nil {
		return nil, err
	}
	err = each(ctx, count, func(panel int) error {
		for j := panel * simd.Lanes; j < min((panel+1)*simd.Lanes, len(p.X)); j++ {
			p.write(z, j)
		}
		return nil
	})
	return z, err
}

// write puts point j into its panel.
func (p *Points) write(z *simd.Panels, j int) {
	x := p.X[j]
	base := j/simd.Lanes*z.Dim*simd.Lanes + j%simd.Lanes
	switch z.Storage {
	case simd.Float64:
		for k, i := range x.Index {
			z.F64[base+int(i)*simd.Lanes] = x.Value[k]
		}
		z.Half64[j] = p.Norms[j] / 2
	case simd.Float32:
		for k, i := range x.Index {
			z.F32[base+int(i)*simd.Lanes] = float32(x.Value[k])
		}
		z.Half32[j] = roundedHalf(x)
	default:
		for _, i := range x.Index {
			z.U8[base+int(i)*simd.Lanes] = 1
		}
		z.Ones[j] = uint8(len(x.Index))
	}
}

// roundedHalf is ‖x‖²/2 of the values as float32 has them, so that equal vectors have a
// distance of 0 up to the rounding of sums.
func roundedHalf(x Vector) float32 {
	sum := 0.0
	for _, v := range x.Value {
		r := float64(float32(v))
		sum += r * r
	}
	return float32(sum / 2)
}
