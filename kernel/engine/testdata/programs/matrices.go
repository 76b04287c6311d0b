package main

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

type Matrix struct {
	rows, cols int
	data       []float64
}

var ErrShape = errors.New("shapes differ")

func New(r, c int, data ...float64) *Matrix {
	m := &Matrix{r, c, make([]float64, r*c)}
	copy(m.data, data)
	return m
}
func (m *Matrix) At(i, j int) float64     { return m.data[i*m.cols+j] }
func (m *Matrix) Set(i, j int, v float64) { m.data[i*m.cols+j] = v }
func (m *Matrix) Mul(n *Matrix) (*Matrix, error) {
	if m.cols != n.rows {
		return nil, fmt.Errorf("%dx%d by %dx%d: %w", m.rows, m.cols, n.rows, n.cols, ErrShape)
	}
	r := New(m.rows, n.cols)
	for i := range m.rows {
		for j := range n.cols {
			var s float64
			for k := range m.cols {
				s += m.At(i, k) * n.At(k, j)
			}
			r.Set(i, j, s)
		}
	}
	return r, nil
}
func (m *Matrix) Det() float64 {
	a := New(m.rows, m.cols, m.data...)
	d := 1.0
	for i := 0; i < a.rows; i++ {
		p := i
		for k := i + 1; k < a.rows; k++ {
			if math.Abs(a.At(k, i)) > math.Abs(a.At(p, i)) {
				p = k
			}
		}
		if a.At(p, i) == 0 {
			return 0
		}
		if p != i {
			for j := range a.cols {
				x, y := a.At(i, j), a.At(p, j)
				a.Set(i, j, y)
				a.Set(p, j, x)
			}
			d = -d
		}
		d *= a.At(i, i)
		for k := i + 1; k < a.rows; k++ {
			f := a.At(k, i) / a.At(i, i)
			for j := i; j < a.cols; j++ {
				a.Set(k, j, a.At(k, j)-f*a.At(i, j))
			}
		}
	}
	return d
}
func (m Matrix) String() string {
	var b strings.Builder
	for i := range m.rows {
		fmt.Fprintf(&b, "%6.2f\n", m.data[i*m.cols:(i+1)*m.cols])
	}
	return b.String()
}
func main() {
	a := New(2, 3, 1, 2, 3, 4, 5, 6)
	b := New(3, 2, 1, 0, 0, 1, 1, 1)
	c, err := a.Mul(b)
	fmt.Print(c, err, "\n")
	_, err = c.Mul(b)
	fmt.Println(err, errors.Is(err, ErrShape))
	fmt.Println(c.Det(), New(3, 3, 2, -1, 0, -1, 2, -1, 0, -1, 2).Det())
}
