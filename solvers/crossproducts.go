package solvers

import (
	"context"

	"gonum.org/v1/gonum/floats"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// crossRows is the number of rows whose products are summed at a time: a panel of 64 columns has
// 256 kB then.
const crossRows = 512

// cross adds sign·Σ over rows i of a_x[i]·b_y[i] to out[x][y] for y < len(out[x]), which must not fall
// with x. Each sum is made by one worker in the order of the rows.
func (p *basis) cross(ctx context.Context, rows []int, a, b [][]float64, sign float64, out [][]float64) error {
	if len(a) == 0 || len(b) == 0 {
		return nil
	}
	c := newCrossing(min(crossRows, len(rows)), len(a), len(b))
	for low := 0; low < len(rows); low += crossRows {
		part := rows[low:min(low+crossRows, len(rows))]
		c.shape(len(part))
		err := gram.Each(ctx, p.workers, len(a), func(x int) error {
			for k, i := range part {
				c.left.F64[x*len(part)+k] = a[x][i]
			}
			return nil
		})
		if err != nil {
			return err
		}
		err = gram.Each(ctx, p.workers, c.right.Count, func(panel int) error {
			c.fill(panel, part, b)
			c.add(panel, sign, out)
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// crossing is the entries of columns at some rows: those of a one after the other, those of b in
// panels.
type crossing struct {
	left    simd.Rows
	right   simd.Panels
	product []float64 // of each of a and each of b
	path    simd.Path
}

func newCrossing(rows, a, b int) *crossing {
	panels := (b + simd.Lanes - 1) / simd.Lanes
	return &crossing{
		left:    simd.Rows{Storage: simd.Float64, Start: make([]int32, a+1), Offset: make([]uint32, a*rows), F64: make([]float64, a*rows)},
		right:   simd.Panels{Storage: simd.Float64, Count: panels, F64: make([]float64, panels*rows*simd.Lanes)},
		product: make([]float64, a*panels*simd.Lanes),
		path:    simd.Chosen(),
	}
}

// shape lays the space out for a number of rows.
func (c *crossing) shape(rows int) {
	if c.right.Dim == rows {
		return
	}
	c.right.Dim, c.left.Last = rows, simd.Float64.Offset(int32(rows-1))
	for x := range c.left.Count() {
		c.left.Start[x+1] = int32((x + 1) * rows)
		for k := range rows {
			c.left.Offset[x*rows+k] = simd.Float64.Offset(int32(k))
		}
	}
}

// fill gathers the columns of a panel. What is beyond the last of them is of no use.
func (c *crossing) fill(panel int, rows []int, b [][]float64) {
	first := panel * simd.Lanes
	values := c.right.F64[first*len(rows):]
	for y, column := range b[first:min(first+simd.Lanes, len(b))] {
		for k, i := range rows {
			values[k*simd.Lanes+y] = column[i]
		}
	}
}

// add adds the products with the columns of a panel.
func (c *crossing) add(panel int, sign float64, out [][]float64) {
	begin, from := panel*simd.Lanes, 0
	for from < len(out) && len(out[from]) <= begin {
		from++
	}
	left, a := c.left, c.left.Count()
	left.Start = left.Start[from:]
	product := c.product[begin*a : (begin+simd.Lanes)*a]
	c.path.Store(simd.Function{Kind: simd.Dot}, &c.right, panel, 1, &left, product, simd.Lanes)
	for x, sums := range out[from:] {
		end := min(begin+simd.Lanes, len(sums))
		floats.AddScaled(sums[begin:end], sign, product[x*simd.Lanes:][:end-begin])
	}
}
