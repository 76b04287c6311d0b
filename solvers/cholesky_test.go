package solvers

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// normalKernel is the kernel matrix of n random points in four dimensions.
func normalKernel(n int, random *rand.Rand) [][]float64 {
	points, k := make([][4]float64, n), make([][]float64, n)
	for i := range points {
		for c := range points[i] {
			points[i][c] = random.NormFloat64()
		}
		k[i] = make([]float64, n)
		for j := range i + 1 {
			distance := 0.0
			for c := range points[i] {
				distance += (points[i][c] - points[j][c]) * (points[i][c] - points[j][c])
			}
			k[i][j] = math.Exp(-0.3 * distance)
			k[j][i] = k[i][j]
		}
	}
	return k
}

// However rows and columns came and went, LLᵀ is the matrix and solve solves with it.
func TestCholesky(t *testing.T) {
	checked, removed := 0, 0
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 3))
		const n = 25
		k := normalKernel(n, random)
		var c cholesky
		var present []int
		for range 60 {
			if at := random.IntN(n); at < len(present) && random.IntN(3) > 0 {
				if err := c.remove(context.Background(), at); err != nil {
					t.Fatal(err)
				}
				present = slices.Delete(present, at, at+1)
				removed++
			} else if i := random.IntN(n); !slices.Contains(present, i) {
				var column []float64
				for _, j := range present {
					column = append(column, k[i][j])
				}
				if !c.add(column, k[i][i]) {
					t.Fatalf("seed %d: a positive definite matrix of %d rows refused", seed, len(present)+1)
				}
				present = append(present, i)
			}
			checked += checkFactor(t, &c, k, present, random)
		}
	}
	if checked == 0 || removed < 100 {
		t.Errorf("checked %d entries, %d removals", checked, removed)
	}
}

// checkFactor checks that c is the factor of the rows and columns of k that are present, in
// their order, and returns the number of entries.
func checkFactor(t *testing.T, c *cholesky, k [][]float64, present []int, random *rand.Rand) (checked int) {
	t.Helper()
	want, b := make([]float64, len(present)), make([]float64, len(present))
	for r := range want {
		want[r] = random.NormFloat64()
	}
	for r, i := range present {
		for s, j := range present {
			b[r] += k[i][j] * want[s]
			sum := 0.0
			for p := range min(r, s) + 1 {
				sum += c.rows[r][p] * c.rows[s][p]
			}
			if math.Abs(sum-k[i][j]) > 1e-13 {
				t.Fatalf("LLᵀ(%d, %d) = %g, want %g", i, j, sum, k[i][j])
			}
			checked++
		}
	}
	c.solve(b)
	for r := range b {
		if math.Abs(b[r]-want[r]) > 1e-8 {
			t.Fatalf("solution %g, want %g", b[r], want[r])
		}
	}
	return checked
}

// A column that depends on the others is refused, and the factor stays as it was.
func TestCholeskyDependent(t *testing.T) {
	var c cholesky
	for i, column := range [][]float64{{}, {0.5}} {
		if !c.add(column, 1) {
			t.Fatalf("column %d refused", i)
		}
	}
	// Of the sum of the two vectors, whose square is 3; and of none.
	for _, test := range []struct {
		column   []float64
		diagonal float64
	}{{[]float64{1.5, 1.5}, 3}, {[]float64{0, 0}, 0}, {[]float64{1, 1}, 1}, {[]float64{0, 0}, math.NaN()}} {
		if c.add(test.column, test.diagonal) {
			t.Errorf("column %v with diagonal %g accepted", test.column, test.diagonal)
		}
	}
	if len(c.rows) != 2 {
		t.Errorf("%d rows", len(c.rows))
	}
}
