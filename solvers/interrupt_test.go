package solvers_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync/atomic"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// watched is a context that counts how often it is looked at. It ends at a look.
type watched struct {
	context.Context
	end   int64 // 0: never
	looks atomic.Int64
	seen  func() // called at each look; may be nil
}

func (w *watched) Err() error {
	n := w.looks.Add(1)
	if w.seen != nil {
		w.seen()
	}
	if w.end > 0 && n >= w.end {
		return context.Canceled
	}
	return nil
}

// interruptible are all solvers, with a reference where they take one.
func interruptible(k solvers.Kernel, reference *solvers.Model, budget int, s solvers.Settings) map[string]solvers.Solver {
	all := map[string]solvers.Solver{
		"NuSVC":       solvers.NuSVC{Kernel: k, Nu: 0.4, Settings: s},
		"OsunaGirosi": solvers.OsunaGirosi{Reference: reference, Settings: s},
		"SBP":         solvers.SBP{Kernel: k, Settings: s},
		"CPSP":        solvers.CPSP{Kernel: k, Budget: min(budget, 20), Settings: s},
		"ReducedSet":  solvers.ReducedSet{Reference: reference, Budget: min(budget, 20), Settings: s},
		"RampLoss":    solvers.RampLoss{Kernel: k, Settings: s},
	}
	for _, solver := range everySolver {
		all[solver.name] = solver.with(k, reference, s)
	}
	for _, solver := range baselines {
		from := reference
		if !solver.reference {
			from = nil
		}
		all[solver.name] = solver.with(k, from, budget, s)
	}
	return all
}

// A context that ends at any moment ends a run: nothing goes on to work and look at it again and
// again. The number of looks after the end is counted, not time.
func TestInterruptAtAnyMoment(t *testing.T) {
	d := svmtest.Random(300, 3, 4)
	kernel := solvers.RBF{Gamma: 1}
	reference := fit(t, solvers.SMO{Kernel: kernel}, d).Model
	checked := 0
	for name, solver := range interruptible(kernel, reference, 15, solvers.Settings{MaxIterations: 200, Workers: 2}) {
		whole := &watched{Context: context.Background()}
		if _, err := solver.Fit(whole, d); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		looks := whole.looks.Load()
		r := rand.New(rand.NewPCG(uint64(looks), 3))
		for trial := range 8 {
			ctx := &watched{Context: context.Background(), end: 1 + r.Int64N(max(looks-1, 1))}
			if trial == 0 {
				ctx.end = 1
			}
			result, err := solver.Fit(ctx, d)
			// The number of looks of a run differs a little: two workers look at it.
			if ctx.looks.Load() < ctx.end {
				continue
			}
			if late := ctx.looks.Load() - ctx.end; late > 100 {
				t.Errorf("%s: ended at look %d of %d, looked %d times after", name, ctx.end, looks, late)
			}
			if err == nil && ctx.end > looks-10 {
				continue // it was done
			}
			if !errors.Is(err, context.Canceled) || result == nil || result.Status != solvers.Canceled {
				t.Errorf("%s: ended at look %d of %d: %v, error %v", name, ctx.end, looks, result, err)
				continue
			}
			for _, f := range result.Decisions(d) {
				if math.IsNaN(f) || math.IsInf(f, 0) {
					t.Fatalf("%s: ended at look %d of %d: decision value %g", name, ctx.end, looks, f)
				}
			}
			checked++
		}
	}
	if checked < 100 {
		t.Errorf("only %d runs were ended", checked)
	}
}
