package solvers

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
)

// cholesky is the factor L of a symmetric positive definite matrix A = LLᵀ that grows and shrinks
// by one row and column at a time, each in O(size²).
type cholesky struct {
	rows [][]float64 // row r of L has r+1 entries
}

// dependent is the share of the diagonal below which what is left of a new column counts as
// rounding: the column depends on the others. In a matrix of dot products that is a vector
// within √dependent = 3e-7 of its length from the span of the others.
const dependent = 1e-13

// add appends a row and column to A: column is its part above the diagonal, which is overwritten
// with the solution of Lx = column. It reports whether A is still positive definite; if not,
// nothing is added.
func (c *cholesky) add(column []float64, diagonal float64) bool {
	added, _ := c.addWithin(context.Background(), column, diagonal)
	return added
}

// addWithin is add that ends with ctx, whose error it returns; nothing is added then.
func (c *cholesky) addWithin(ctx context.Context, column []float64, diagonal float64) (bool, error) {
	square, err := c.forwardWithin(ctx, column)
	rest := diagonal - square
	if err != nil || !(rest > dependent*diagonal) {
		return false, err
	}
	row := make([]float64, len(column)+1)
	copy(row, column)
	row[len(column)] = math.Sqrt(rest)
	c.rows = append(c.rows, row)
	return true, nil
}

// remove deletes row and column i of A. What is left of L has one entry above the diagonal in
// each row from i on; rotations of neighbouring columns bring it to zero. When ctx ends its error
// is returned, and the factor is of no more use.
func (c *cholesky) remove(ctx context.Context, i int) error {
	c.rows = append(c.rows[:i], c.rows[i+1:]...)
	rotations := make([][2]float64, 0, len(c.rows)-i) // cosine and sine
	for r := i; r < len(c.rows); r++ {
		if (r-i)%lookRows == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row := c.rows[r]
		for k, rotation := range rotations {
			a, b := row[i+k], row[i+k+1]
			row[i+k], row[i+k+1] = rotation[0]*a+rotation[1]*b, rotation[0]*b-rotation[1]*a
		}
		length := math.Hypot(row[r], row[r+1])
		rotations = append(rotations, [2]float64{row[r] / length, row[r+1] / length})
		row[r] = length
		c.rows[r] = row[:r+1]
	}
	return nil
}

// forward solves Lx = b in place and returns ‖x‖².
func (c *cholesky) forward(b []float64) float64 {
	square, _ := c.forwardWithin(context.Background(), b)
	return square
}

// lookRows is the number of rows between two looks at a context.
const lookRows = 128

// forwardWithin is forward that ends with ctx, whose error it returns.
func (c *cholesky) forwardWithin(ctx context.Context, b []float64) (square float64, err error) {
	for r, row := range c.rows {
		if r%lookRows == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		b[r] = (b[r] - floats.Dot(row[:r], b[:r])) / row[r]
		square += b[r] * b[r]
	}
	return square, nil
}

// backward solves Lᵀx = b in place.
func (c *cholesky) backward(b []float64) { _ = c.backwardWithin(context.Background(), b) }

// backwardWithin is backward that ends with ctx, whose error it returns.
func (c *cholesky) backwardWithin(ctx context.Context, b []float64) error {
	for r := len(c.rows) - 1; r >= 0; r-- {
		if r%lookRows == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row := c.rows[r]
		b[r] /= row[r]
		floats.AddScaled(b[:r], -b[r], row[:r])
	}
	return nil
}

// solve solves Ax = b in place.
func (c *cholesky) solve(b []float64) { _ = c.solveWithin(context.Background(), b) }

// solveWithin is solve that ends with ctx, whose error it returns.
func (c *cholesky) solveWithin(ctx context.Context, b []float64) error {
	if _, err := c.forwardWithin(ctx, b); err != nil {
		return err
	}
	return c.backwardWithin(ctx, b)
}
