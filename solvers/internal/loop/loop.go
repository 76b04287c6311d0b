// Package loop is the frame of a solver's iterations: it knows the context, the limits, when
// progress is to be told and which points of the run to keep as its trace.
package loop

import (
	"context"
	"time"
)

// Point is the state of a run after some iteration. Its fields are those of solvers.Progress.
type Point struct {
	Iteration     int
	MaxIterations int // 0 when the length is not known
	SupportSize   int
	Objective     float64
	Gap           float64
	Elapsed       time.Duration
}

// Limits end a run before its own stopping rule does.
type Limits struct {
	MaxIterations int           // > 0
	MaxTime       time.Duration // 0: none
	// Shown is the MaxIterations told with the progress: 0 if nobody expects the limit
	// to be reached.
	Shown int
}

// Reason says which limit ended a run.
type Reason int

const (
	None Reason = iota // no limit: the solver stopped by itself
	Iterations
	Time
	Context
)

const (
	reportEvery = 100 * time.Millisecond
	traceLength = 1000
)

// Run is one run of a solver. It is used by one goroutine:
//
//	run := loop.Start(ctx, limits, report)
//	for !converged() && run.Next(state) {
//		step()
//	}
//	run.Finish(state)
type Run struct {
	ctx        context.Context
	limits     Limits
	report     func(Point)
	started    time.Time
	lastReport time.Time
	iterations int
	stopped    Reason
	stride     int // every stride-th iteration is traced
	trace      []Point
}

// Start begins a run now. report may be nil.
func Start(ctx context.Context, limits Limits, report func(Point)) *Run {
	now := time.Now()
	return &Run{ctx: ctx, limits: limits, report: report, started: now, lastReport: now, stride: 1}
}

// Next asks for one more iteration and counts it. It is false when the context ended or a limit
// is reached; Stopped then says which. state gives SupportSize, Objective and Gap of the
// present state; it is called only when a point is to be told or kept.
func (r *Run) Next(state func() Point) bool {
	now := time.Now()
	switch {
	case r.ctx.Err() != nil:
		r.stopped = Context
	case r.limits.MaxTime > 0 && now.Sub(r.started) >= r.limits.MaxTime:
		r.stopped = Time
	case r.iterations >= r.limits.MaxIterations:
		r.stopped = Iterations
	}
	if r.stopped != None {
		return false
	}
	due := r.report != nil && now.Sub(r.lastReport) >= reportEvery
	traced := r.iterations%r.stride == 0
	if due || traced {
		point := r.complete(state())
		if due {
			r.report(point)
			r.lastReport = now
		}
		if traced {
			r.keep(point)
		}
	}
	r.iterations++
	return true
}

// Abandon takes back the iteration that Next allowed, because the context ended within it.
func (r *Run) Abandon() {
	r.iterations--
	r.stopped = Context
}

// Finish tells and keeps the last point.
func (r *Run) Finish(state func() Point) {
	point := r.complete(state())
	if n := len(r.trace); n > 0 && r.trace[n-1].Iteration == point.Iteration {
		r.trace = r.trace[:n-1]
	}
	r.trace = append(r.trace, point)
	if r.report != nil {
		r.report(point)
	}
}

// Stopped is the limit that made Next return false.
func (r *Run) Stopped() Reason { return r.stopped }

// Iterations is the number of iterations done.
func (r *Run) Iterations() int { return r.iterations }

// Elapsed is the time since Start.
func (r *Run) Elapsed() time.Duration { return time.Since(r.started) }

// Trace is the points kept: at most 1000, evenly spaced, and the last.
func (r *Run) Trace() []Point { return r.trace }

func (r *Run) complete(p Point) Point {
	p.Iteration, p.MaxIterations, p.Elapsed = r.iterations, r.limits.Shown, r.Elapsed()
	return p
}

// keep adds a point. When the trace is full every second point goes and the stride doubles;
// one place is left for Finish.
func (r *Run) keep(p Point) {
	if len(r.trace) == traceLength-1 {
		kept := r.trace[:0]
		for _, q := range r.trace {
			if q.Iteration%(2*r.stride) == 0 {
				kept = append(kept, q)
			}
		}
		r.trace = kept
		r.stride *= 2
		if p.Iteration%r.stride != 0 {
			return
		}
	}
	r.trace = append(r.trace, p)
}
