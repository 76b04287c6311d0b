package solvers

import (
	"math"
	"math/rand/v2"
	"testing"
)

// However rows and columns came and went, LLᵀ is the matrix and solve solves with it.
func TestCholesky(t *testing.T) {
	checked, removed := 0, 0
	for seed := range uint64(30) {
		random := rand.New(rand.NewPCG(seed, 3))
		const n = 25
		var points [n][4]float64
		for i := range points {
			for k := range points[i] {
				points[i][k] = random.NormFloat64()
			}
		}
		entry := func(i, j int) float64 {
			distance := 0.0
			for k := range points[i] {
				distance += (points[i][k] - points[j][k]) * (points[i][k] - points[j][k])
			}
			return math.Exp(-0.3 * distance)
		}
		var c cholesky
		var present []int
		for range 60 {
			if at := random.IntN(n); at < len(present) && random.IntN(3) > 0 {
				c.remove(at)
				present = append(present[:at], present[at+1:]...)
				removed++
			} else if i := random.IntN(n); !contains(present, i) {
				var column []float64
				for _, j := range present {
					column = append(column, entry(i, j))
				}
				if !c.add(column, entry(i, i)) {
					t.Fatalf("seed %d: a positive definite matrix of %d rows refused", seed, len(present)+1)
				}
				present = append(present, i)
			}
			for r, i := range present {
				for s, j := range present[:r+1] {
					sum := 0.0
					for k := range s + 1 {
						sum += c.rows[r][k] * c.rows[s][k]
					}
					if math.Abs(sum-entry(i, j)) > 1e-13 {
						t.Fatalf("seed %d: LLᵀ(%d, %d) = %g, want %g", seed, i, j, sum, entry(i, j))
					}
					checked++
				}
			}
			want, b := make([]float64, len(present)), make([]float64, len(present))
			for r := range want {
				want[r] = random.NormFloat64()
			}
			for r, i := range present {
				for s, j := range present {
					b[r] += entry(i, j) * want[s]
				}
			}
			c.solve(b)
			for r := range b {
				if math.Abs(b[r]-want[r]) > 1e-8 {
					t.Fatalf("seed %d: solution %g, want %g", seed, b[r], want[r])
				}
			}
		}
	}
	if checked == 0 || removed < 100 {
		t.Errorf("checked %d entries, %d removals", checked, removed)
	}
}

func contains(list []int, i int) bool {
	for _, j := range list {
		if j == i {
			return true
		}
	}
	return false
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
