package solvers

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

var rowKernels = []Kernel{
	Linear{}, RBF{Gamma: 0.3}, Poly{Gamma: 0.5, Coef0: 1, Degree: 2}, Sigmoid{Gamma: 0.05, Coef0: 0.1},
	KernelFunc(func(x, z Vector) float64 { return 1 / (1 + gram.SquaredDistance(x, z)) }),
}

// Rows equal Eval, for one block and several, and for any number of workers; the cache
// changes what is computed but not what is returned.
func TestRows(t *testing.T) {
	ctx := context.Background()
	checked := 0
	for _, n := range []int{1, 50, blockRows, 2*blockRows + 7} {
		d := svmtest.Random(max(n, 2), 30, uint64(n))
		d.X = d.X[:n]
		for _, kernel := range rowKernels {
			one, many := newRows(kernel, d.X, Settings{Workers: 1}), newRows(kernel, d.X, Settings{Workers: 8})
			for _, i := range []int{0, n / 2, n - 1, 0} {
				a, err := one.row(ctx, i)
				if err != nil {
					t.Fatal(err)
				}
				b, err := many.row(ctx, i)
				if err != nil {
					t.Fatal(err)
				}
				for j, z := range d.X {
					want := kernel.Eval(d.X[i], z)
					if a[j] != b[j] || math.Abs(a[j]-want) > 1e-12*(1+math.Abs(want)) {
						t.Fatalf("%v, %d rows: K(%d, %d) = %g and %g, want %g", kernel, n, i, j, a[j], b[j], want)
					}
					checked++
				}
			}
			distinct := map[int]bool{0: true, n / 2: true, n - 1: true}
			if want := int64(len(distinct) * n); one.evaluations != want {
				t.Errorf("%v, %d rows: %d evaluations, want %d", kernel, n, one.evaluations, want)
			}
		}
	}
	if checked == 0 {
		t.Fatal("nothing checked")
	}
}

// Two rows asked for one after the other are both valid however small the cache.
func TestRowsSmallCache(t *testing.T) {
	d := svmtest.Random(2*blockRows, 5, 3)
	kernel := RBF{Gamma: 1}
	r := newRows(kernel, d.X, Settings{CacheMB: 1})
	r.capacity = 2
	r.cache.Resize(2)
	ctx := context.Background()
	for i := range 20 {
		a, _ := r.row(ctx, i)
		b, _ := r.row(ctx, i+100)
		for _, j := range []int{0, 17, blockRows + 3} {
			if a[j] != kernel.Eval(d.X[i], d.X[j]) && math.Abs(a[j]-kernel.Eval(d.X[i], d.X[j])) > 1e-12 ||
				math.Abs(b[j]-kernel.Eval(d.X[i+100], d.X[j])) > 1e-12 {
				t.Fatalf("pair %d: column %d overwritten", i, j)
			}
		}
	}
	if r.cache.Len() > 2 {
		t.Errorf("%d rows cached, want 2", r.cache.Len())
	}
}

// Far from the origin the norms cancel; the row must still be that of the differences.
func TestRowsFarFromOrigin(t *testing.T) {
	var x []Vector
	for i := range 10 {
		x = append(x, Vector{Index: []int32{0, 1}, Value: []float64{1e8 + 0.1*float64(i), 1e8}})
	}
	kernel := RBF{Gamma: 1}
	row, err := newRows(kernel, x, Settings{}).row(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for j, z := range x {
		if want := kernel.Eval(x[0], z); math.Abs(row[j]-want) > 1e-12 {
			t.Errorf("K(0, %d) = %g, want %g", j, row[j], want)
		}
	}
}

func TestRowsNotFinite(t *testing.T) {
	d := svmtest.Random(10, 3, 1)
	for _, kernel := range []Kernel{
		KernelFunc(func(x, z Vector) float64 { return math.NaN() }),
		Poly{Gamma: 1e300, Degree: 9},
	} {
		_, err := SMO{Kernel: kernel}.Fit(context.Background(), d)
		if err == nil {
			t.Errorf("%v: no error", kernel)
		}
	}
}

// A slow kernel is interrupted within a row, and a panic in it reaches the caller.
func TestRowsInterrupted(t *testing.T) {
	d := svmtest.Random(3*blockRows, 3, 1)
	ctx, cancel := context.WithCancel(context.Background())
	slow := KernelFunc(func(x, z Vector) float64 {
		cancel()
		time.Sleep(time.Microsecond)
		return 1
	})
	r := newRows(slow, d.X, Settings{Workers: 2})
	if _, err := r.row(ctx, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want Canceled", err)
	}
	if r.cache.Len() != 0 {
		t.Error("an unfinished row is in the cache")
	}
	defer func() {
		if p := recover(); p != "kernel" {
			t.Errorf("recovered %v, want the kernel's panic", p)
		}
	}()
	broken := KernelFunc(func(x, z Vector) float64 { panic("kernel") })
	newRows(broken, d.X, Settings{Workers: 2}).row(context.Background(), 0)
	t.Error("no panic")
}

func TestEachLeastError(t *testing.T) {
	for range 50 {
		err := gram.Each(context.Background(), 4, 100, func(i int) error {
			if i%10 == 7 {
				return &ParamError{Value: float64(i)}
			}
			return nil
		})
		if wrong, ok := errors.AsType[*ParamError](err); !ok || wrong.Value != 7 {
			t.Fatalf("error %v, want that of 7", err)
		}
	}
}

func BenchmarkRow(b *testing.B) {
	d := svmtest.Random(20000, 100, 1)
	for _, kernel := range rowKernels {
		b.Run(kernel.String(), func(b *testing.B) {
			r := newRows(kernel, d.X, Settings{Workers: 1})
			out := make([]float64, d.Len())
			b.ResetTimer()
			for i := range b.N {
				if err := r.against(context.Background(), d.X[i%d.Len()], out); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(r.evaluations)/float64(b.N), "kernel-evals/op")
		})
	}
}
