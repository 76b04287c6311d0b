package border

import (
	"context"
	"io"
	"sync/atomic"
	"time"
)

// Run is one run of lowered code: a cell's, with the goroutines it started.
type Run struct {
	rt      *Runtime
	done    chan struct{}
	raised  *Raised
	stopped bool
	live    atomic.Int64
	// Late gives where its goroutines print to file 1 or 2 once another run is the current one; nil:
	// to the files of that run.
	Late func(file int32) io.Writer
	// Result is the value of the cell's last expression.
	Result []any
	// Reached counts the top-level statements that have ended.
	Reached int
}

// Begin makes a run the current one.
func (rt *Runtime) Begin(ctx context.Context) *Run {
	rt.SetContext(ctx)
	r := &Run{rt: rt, done: make(chan struct{})}
	rt.current.Store(r)
	return r
}

// owner is the run that the running goroutine belongs to.
func (rt *Runtime) owner() *Run {
	if rt.goroutines.Load() > 0 {
		if r, ok := rt.owners.Load(goroutine()); ok {
			return r.(*Run)
		}
	}
	return rt.current.Load()
}

// Goroutines tells whether any goroutine of the cells is left.
func (rt *Runtime) Goroutines() bool { return rt.goroutines.Load() > 0 }

// out is where the running goroutine prints to file 1 or 2.
func (rt *Runtime) out(file int32) io.Writer {
	if r := rt.owner(); r != nil && r.Late != nil && r != rt.current.Load() {
		return r.Late(file)
	}
	rt.turn(file)
	if file == 1 {
		return *rt.Stdout
	}
	return *rt.Stderr
}

// Main runs the entry function of run r.
func (rt *Runtime) Main(r *Run, entry func()) {
	defer close(r.done)
	defer func() {
		if p := recover(); p != nil {
			if _, ok := p.(Stopped); ok {
				r.stopped = true
				return
			}
			r.raised = rt.Raise(p)
		}
	}()
	entry()
}

// Wait waits until the run has ended, or for d.
func (r *Run) Wait(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-r.done:
		return true
	case <-t.C:
		return false
	}
}

// Done is closed when the run has ended.
func (r *Run) Done() <-chan struct{} { return r.done }

// WaitGoroutines waits until the goroutines that the run started have ended, or for d.
func (r *Run) WaitGoroutines(d time.Duration) {
	for end := time.Now().Add(d); r.live.Load() > 0 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// Raised is the panic that ended the run, nil when none did. Only after the run has ended.
func (r *Run) Raised() *Raised { return r.raised }

// SetResult takes the values of the cell's last expression.
func (rt *Runtime) SetResult(values ...any) { rt.current.Load().Result = values }

// Reach notes that top-level statement n has ended.
func (rt *Runtime) Reach(n int) { rt.current.Load().Reached = n }
