package loop

import (
	"context"
	"testing"
	"time"
)

func state() Point { return Point{SupportSize: 7, Gap: 0.5} }

func TestLimits(t *testing.T) {
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	for _, test := range []struct {
		name   string
		ctx    context.Context
		limits Limits
		steps  int // -1: any
		want   Reason
	}{
		{"iterations", context.Background(), Limits{MaxIterations: 5}, 5, Iterations},
		{"canceled", canceled, Limits{MaxIterations: 5}, 0, Context},
		{"time", context.Background(), Limits{MaxIterations: 1 << 60, MaxTime: time.Nanosecond}, 0, Time},
		{"some time", context.Background(), Limits{MaxIterations: 1 << 60, MaxTime: 3 * time.Millisecond}, -1, Time},
	} {
		t.Run(test.name, func(t *testing.T) {
			run, steps := Start(test.ctx, test.limits, nil), 0
			for run.Next(state) {
				steps++
			}
			run.Finish(state)
			if test.steps >= 0 && steps != test.steps || run.Stopped() != test.want || run.Iterations() != steps {
				t.Errorf("%d steps, %d iterations, stopped by %d; want %d, %d", steps, run.Iterations(), run.Stopped(), test.steps, test.want)
			}
		})
	}
}

// The trace keeps its length, its order, its start and its end however long the run.
func TestTrace(t *testing.T) {
	for _, n := range []int{0, 1, 998, 999, 1000, 1001, 123456} {
		run := Start(context.Background(), Limits{MaxIterations: n, Shown: n}, nil)
		for run.Next(state) {
		}
		run.Finish(state)
		trace := run.Trace()
		if len(trace) == 0 || len(trace) > traceLength {
			t.Fatalf("%d iterations: %d points", n, len(trace))
		}
		if n > 500 && len(trace) < 400 {
			t.Errorf("%d iterations: only %d points", n, len(trace))
		}
		if first, last := trace[0], trace[len(trace)-1]; first.Iteration != 0 || last.Iteration != n || last.MaxIterations != n || last.SupportSize != 7 {
			t.Errorf("%d iterations: from %+v to %+v", n, first, last)
		}
		for i := 1; i < len(trace); i++ {
			if trace[i].Iteration <= trace[i-1].Iteration {
				t.Fatalf("%d iterations: %d after %d", n, trace[i].Iteration, trace[i-1].Iteration)
			}
		}
	}
}

// Progress is told at most every reportEvery, and at the end.
func TestReport(t *testing.T) {
	var told []Point
	run := Start(context.Background(), Limits{MaxIterations: 1 << 60, MaxTime: 350 * time.Millisecond}, func(p Point) { told = append(told, p) })
	for run.Next(state) {
		time.Sleep(time.Millisecond)
	}
	run.Finish(state)
	if len(told) == 0 || len(told) > 5 {
		t.Fatalf("told %d times in 350 ms", len(told))
	}
	if last := told[len(told)-1]; last.Iteration != run.Iterations() || last.Gap != 0.5 {
		t.Errorf("last %+v after %d iterations", last, run.Iterations())
	}
}

func TestAbandon(t *testing.T) {
	run := Start(context.Background(), Limits{MaxIterations: 9}, nil)
	run.Next(state)
	run.Next(state)
	run.Abandon()
	if run.Iterations() != 1 || run.Stopped() != Context {
		t.Errorf("%d iterations, stopped by %d", run.Iterations(), run.Stopped())
	}
}
