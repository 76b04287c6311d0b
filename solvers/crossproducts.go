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
	if len(a) == 0 || len(b) == 0 || len(rows) == 0 {
		return nil
	}
	c, err := newCrossing(ctx, min(crossRows, len(rows)), len(a), len(b))
	if err != nil {
		return err
	}
	for low := 0; low < len(rows); low += crossRows {
		part := rows[low:min(low+crossRows, len(rows))]
		if err := c.shape(ctx, len(part)); err != nil {
			return err
		}
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
			return c.add(ctx, panel, sign, out)
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

func newCrossing(ctx context.Context, rows, a, b int) (c *crossing, err error) {
	panels := (b + simd.Lanes - 1) / simd.Lanes
	c = &crossing{
		left:  simd.Rows{Storage: simd.Float64, Start: make([]int32, a+1)},
		right: simd.Panels{Storage: simd.Float64, Count: panels},
		path:  simd.Chosen(),
	}
	if c.left.Offset, err = gram.Make[uint32](ctx, a*rows); err != nil {
		return nil, err
	}
	for array, size := range map[*[]float64]int{&c.left.F64: a * rows, &c.right.F64: panels * rows * simd.Lanes, &c.product: a * panels * simd.Lanes} {
		if *array, err = gram.Make[float64](ctx, size); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// shape lays the space out for a number of rows. It ends with ctx, whose error it returns.
func (c *crossing) shape(ctx context.Context, rows int) error {
	if c.right.Dim == rows {
		return nil
	}
	c.right.Dim, c.left.Last = rows, simd.Float64.Offset(int32(rows-1))
	for x := range c.left.Count() {
		if x%1024 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		c.left.Start[x+1] = int32((x + 1) * rows)
		for k := range rows {
			c.left.Offset[x*rows+k] = simd.Float64.Offset(int32(k))
		}
	}
	return nil
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

// crossLeft is the number of columns of a that are multiplied between two looks at the context.
const crossLeft = 128

// add adds the products with the columns of a panel.
func (c *crossing) add(ctx context.Context, panel int, sign float64, out [][]float64) error {
	begin, from := panel*simd.Lanes, 0
	for from < len(out) && len(out[from]) <= begin {
		from++
	}
	left, a := c.left, c.left.Count()
	for ; from < len(out); from += crossLeft {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(from+crossLeft, len(out))
		left.Start = c.left.Start[from : to+1]
		product := c.product[begin*a+from*simd.Lanes : begin*a+to*simd.Lanes]
		c.path.Store(simd.Function{Kind: simd.Dot}, &c.right, panel, 1, &left, product, simd.Lanes)
		for x, sums := range out[from:to] {
			end := min(begin+simd.Lanes, len(sums))
			floats.AddScaled(sums[begin:end], sign, product[x*simd.Lanes:][:end-begin])
		}
	}
	return nil
}
