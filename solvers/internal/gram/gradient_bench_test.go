package gram

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"
	"time"
)

// shape is the size of a pass.
type shape struct{ rows, vectors, entries int }

// timed is a pass of one shape, forward and backward, and the kernel rows of its vectors.
type timed struct {
	shape
	pass, row func() error
	least     [2]time.Duration // of pass and row
}

// full is n rows of as many entries each.
func full(r *rand.Rand, n, dim, entries int) []Vector {
	x := make([]Vector, n)
	for i := range x {
		for _, j := range r.Perm(dim)[:entries] {
			x[i].Index, x[i].Value = append(x[i].Index, int32(j)), append(x[i].Value, r.NormFloat64())
		}
		slices.Sort(x[i].Index)
	}
	return x
}

func newTimed(s shape) *timed {
	const dim = 400
	r := rand.New(rand.NewPCG(1, 1))
	x, target := full(r, s.rows, dim, s.entries), make([]float64, s.rows)
	for i := range target {
		target[i] = float64(2*(i%2) - 1)
	}
	k := Kernel{Kind: RBF, Gamma: 0.01}
	e := NewExpansion(k, x, target, dim, s.vectors)
	e.Loss, e.Precise, e.Workers = Logistic, false, 1
	theta := e.randomTheta(1)
	gradient := make([]float64, len(theta))
	t := &timed{shape: s}
	m := NewMatrix(NewPoints(x), k, Single, 1)
	z, weight, sums := full(r, s.vectors, dim, s.entries), make([]float64, s.vectors), make([]float64, s.rows)
	for v := range weight {
		weight[v] = 1
	}
	t.pass = func() error {
		_, err := e.Evaluate(context.Background(), theta, gradient)
		return err
	}
	t.row = func() error { return m.Add(context.Background(), z, weight, sums) }
	return t
}

// processTime is what the process has had of the processors: other processes do not count.
func processTime(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// look times once. The least of many times is that with the caches to itself.
func (t *timed) look(b *testing.B) {
	for k, f := range []func() error{t.pass, t.row} {
		began := processTime(b)
		if err := f(); err != nil {
			b.Fatal(err)
		}
		if took := processTime(b) - began; t.least[k] == 0 || took < t.least[k] {
			t.least[k] = took
		}
	}
}

// flops are operations in a nanosecond: 2 for an entry and a vector in a kernel row, 4 in a pass.
func (t *timed) flops(k int) float64 {
	return float64(4-2*k) * float64(t.rows*t.entries) * float64(t.vectors) / float64(t.least[k].Nanoseconds())
}

// The cost of a pass is linear in rows, vectors and entries: how much longer it takes when each is
// doubled, the three shapes by turns, with one worker; and operations per nanosecond beside those of kernel rows.
func BenchmarkGradientPass(b *testing.B) {
	base := shape{8192, 64, 40}
	for name, double := range map[string]func(s *shape, by int){
		"rows":    func(s *shape, by int) { s.rows *= by },
		"vectors": func(s *shape, by int) { s.vectors *= by },
		"entries": func(s *shape, by int) { s.entries *= by },
	} {
		b.Run(name, func(b *testing.B) {
			var all []*timed
			for _, by := range []int{1, 2, 4} {
				s := base
				double(&s, by)
				all = append(all, newTimed(s))
			}
			for b.Loop() {
				for _, t := range all {
					t.look(b)
				}
			}
			ratio := func(k int) float64 { return float64(all[k].least[0]) / float64(all[0].least[0]) }
			b.ReportMetric(ratio(1), "×2")
			b.ReportMetric(ratio(2), "×4")
			b.ReportMetric(all[1].flops(0), "pass-GFLOP/s")
			b.ReportMetric(all[1].flops(1), "rows-GFLOP/s")
			b.ReportMetric(math.Log2(ratio(2))/2, "exponent")
		})
	}
}
