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
	rest := diagonal - c.forward(column)
	if !(rest > dependent*diagonal) {
		return false
	}
	row := make([]float64, len(column)+1)
	copy(row, column)
	row[len(column)] = math.Sqrt(rest)
	c.rows = append(c.rows, row)
	return true
}

// remove deletes row and column i of A. What is left of L has one entry above the diagonal in
// each row from i on; rotations of neighbouring columns bring it to zero.
func (c *cholesky) remove(i int) {
	c.rows = append(c.rows[:i], c.rows[i+1:]...)
	rotations := make([][2]float64, 0, len(c.rows)-i) // cosine and sine
	for r := i; r < len(c.rows); r++ {
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
}

// forward solves Lx = b in place and returns ‖x‖².
func (c *cholesky) forward(b []float64) float64 {
	square := 0.0
	for r, row := range c.rows {
		b[r] = (b[r] - floats.Dot(row[:r], b[:r])) / row[r]
		square += b[r] * b[r]
	}
	return square
}

// backward solves Lᵀx = b in place.
func (c *cholesky) backward(b []float64) {
	for r := len(c.rows) - 1; r >= 0; r-- {
		row := c.rows[r]
		b[r] /= row[r]
		floats.AddScaled(b[:r], -b[r], row[:r])
	}
}

// solve solves Ax = b in place.
func (c *cholesky) solve(b []float64) {
	c.forward(b)
	c.backward(b)
}

// solveWithin is solve that ends with ctx, whose error it returns.
func (c *cholesky) solveWithin(ctx context.Context, b []float64) error {
	const some = 256 // rows between two looks
	for r, row := range c.rows {
		if r%some == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		b[r] = (b[r] - floats.Dot(row[:r], b[:r])) / row[r]
	}
	for r := len(c.rows) - 1; r >= 0; r-- {
		if r%some == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		row := c.rows[r]
		b[r] /= row[r]
		floats.AddScaled(b[:r], -b[r], row[:r])
	}
	return nil
}
