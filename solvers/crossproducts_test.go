package solvers

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"
)

// Sums of products are those of a plain loop to rounding, for a triangle and for all pairs, and the same
// bytes with any number of workers.
func TestCross(t *testing.T) {
	checked := 0
	for _, size := range []struct{ rows, a, b int }{{1, 1, 1}, {7, 3, 63}, {511, 64, 64}, {512, 1, 65}, {513, 130, 130}, {1300, 59, 70}} {
		random := rand.New(rand.NewPCG(uint64(size.rows), 1))
		columns := func(count int) [][]float64 {
			c := make([][]float64, count)
			for v := range c {
				for range 2 * size.rows {
					c[v] = append(c[v], random.NormFloat64())
				}
			}
			return c
		}
		a, b := columns(size.a), columns(size.b)
		if size.a == size.b {
			b = a
		}
		rows := random.Perm(2 * size.rows)[:size.rows]
		sums := func(workers int) [][]float64 {
			out := make([][]float64, size.a)
			for x := range out {
				out[x] = make([]float64, size.b)
				if size.a == size.b {
					out[x] = out[x][:x+1]
				}
				for y := range out[x] {
					out[x][y] = 1
				}
			}
			p := &basis{workers: workers}
			if err := p.cross(context.Background(), rows, a, b, -1, out); err != nil {
				t.Fatal(err)
			}
			return out
		}
		one, three := sums(1), sums(3)
		for x := range one {
			for y, got := range one[x] {
				want, scale := 1.0, 1.0
				for _, i := range rows {
					want -= a[x][i] * b[y][i]
					scale += math.Abs(a[x][i] * b[y][i])
				}
				if math.Abs(got-want) > 1e-14*scale || got != three[x][y] {
					t.Fatalf("%+v: sum %d, %d is %g and %g, want %g", size, x, y, got, three[x][y], want)
				}
				checked++
			}
		}
	}
	if checked < 10000 {
		t.Errorf("%d sums checked", checked)
	}
}

// BenchmarkCross is the triangle of 500 columns of a8a's length.
func BenchmarkCross(b *testing.B) {
	random := rand.New(rand.NewPCG(1, 1))
	const n, m = 22696, 500
	columns, out, rows := make([][]float64, m), make([][]float64, m), make([]int, n)
	for v := range columns {
		columns[v], out[v] = make([]float64, n), make([]float64, v+1)
		for i := range columns[v] {
			columns[v][i] = random.Float64()
			rows[i] = i
		}
	}
	p := &basis{workers: 1}
	for b.Loop() {
		if err := p.cross(context.Background(), rows, columns, columns, 1, out); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(n*m*(m+1))*float64(b.N)/b.Elapsed().Seconds()/1e9, "GFLOP/s")
}
