package solvers

import (
	"context"
	"math"
	"os"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// BenchmarkISSVMStep reports the time of a step of ISSVM on a row that is not in the cache, over
// that of what a step cannot do without: one kernel row and one pass that subtracts it and
// finds the extremes.
func BenchmarkISSVMStep(b *testing.B) {
	for _, set := range []struct {
		name  string
		gamma float64
	}{{"a8a", 0.1}, {"ijcnn1", 1}} {
		b.Run(set.name, func(b *testing.B) {
			if os.Getenv("GONB_SVM_DATA") == "" {
				b.Skip("GONB_SVM_DATA is not set")
			}
			train, _, err := datasets.Load(set.name)
			if err != nil {
				b.Skip(err)
			}
			ctx := context.Background()
			model := newModel(RBF{Gamma: set.gamma}, train, append([]float64{1}, make([]float64, train.Len()-1)...), 0)
			used := ISSVM{Reference: model, Epsilon: 0.5, Eta: 1e-9, Settings: Settings{Workers: 1, CacheMB: 20}}
			p := newShortfall(used, train, false)
			if err := p.begin(ctx, model); err != nil {
				b.Fatal(err)
			}
			row, next := make([]float64, train.Len()), 0
			step, least := math.Inf(1), math.Inf(1)
			for b.Loop() {
				const many = 20 // a short time, of which the least is not disturbed by other work
				start := time.Now()
				for range many {
					next = (next + 7) % train.Len()
					if err := p.step(ctx, move{next, 1e-9}, move{next, 0}); err != nil {
						b.Fatal(err)
					}
				}
				step = min(step, time.Since(start).Seconds()/many)
				start = time.Now()
				for range many {
					next = (next + 7) % train.Len()
					if err := p.rows.matrix.Row(ctx, train.X[next], row); err != nil {
						b.Fatal(err)
					}
					p.path.Update(p.signed, row, row, 1e-9, 0, p.positive, p.negative)
				}
				least = min(least, time.Since(start).Seconds()/many)
			}
			b.ReportMetric(step*1e6, "step-µs")
			b.ReportMetric(least*1e6, "least-µs")
			b.ReportMetric(step/least, "times")
		})
	}
}
