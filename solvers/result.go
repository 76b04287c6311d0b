package solvers

import (
	"context"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// startRun begins a run under the settings; iterations is the solver's default limit.
func startRun(ctx context.Context, s Settings, iterations int) *loop.Run {
	var report func(loop.Point)
	if f := progressFrom(ctx, s); f != nil {
		report = func(p loop.Point) { f(Progress(p)) }
	}
	return loop.Start(ctx, s.limits(iterations), report)
}

// newResult puts together what every solver returns. asked is the solver as the user gave
// it, used the same with its defaults filled in; the run is finished.
func newResult(asked, used Solver, m *Model, run *loop.Run) *Result {
	trace := make([]Progress, len(run.Trace()))
	for i, p := range run.Trace() {
		trace[i] = Progress(p)
	}
	last := trace[len(trace)-1]
	return &Result{
		Model: m,
		Stats: Stats{
			Iterations: run.Iterations(),
			Objective:  last.Objective,
			Gap:        last.Gap,
			Runtime:    run.Elapsed(),
			Trace:      trace,
		},
		Status: statusOf(run.Stopped()),
		Solver: used,
		asked:  asked,
	}
}

func statusOf(r loop.Reason) Status {
	switch r {
	case loop.Iterations:
		return IterationLimit
	case loop.Time:
		return TimeLimit
	case loop.Context:
		return Canceled
	}
	return Converged
}

// canceled is ctx.Err() for a run that ended because of it.
func canceled(ctx context.Context, s Status) error {
	if s == Canceled {
		return ctx.Err()
	}
	return nil
}
