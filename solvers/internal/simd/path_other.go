//go:build !amd64

package simd

var available = []Path{Go}

func (path Path) run(f Function, z *Panels, first, count int, x *Rows, weight, out []float64, stride int) {
	goRows(f, z, first, count, x, weight, out, stride)
}

func (path Path) update(f, rowA, rowB []float64, a, b float64, up, low Mask) (most, least float64) {
	panic("simd: no such path: " + path.String())
}

func (path Path) find(f []float64, v float64, set Mask) int {
	panic("simd: no such path: " + path.String())
}

func (path Path) pair(f, row, diagonal []float64, most, self float64, low Mask) (int, float64, float64) {
	panic("simd: no such path: " + path.String())
}

func (path Path) forward(kind Kind, t *Tile[float32], x *Entries[float32], rows []int32, values, sums []float32) {
	panic("simd: no such path: " + path.String())
}

func (path Path) backward(lanes int, x *Entries[float32], rows []int32, values, slope, gradient, total []float32) {
	panic("simd: no such path: " + path.String())
}

func (path Path) descend(m Moments, t *Tile[float32], gradient, first, second, factor, pull []float32) {
	panic("simd: no such path: " + path.String())
}
