package bindings

import (
	"context"
	"reflect"
	"sync"
	"time"
)

// A cell is interrupted in two steps, so that what a fit has reached is not lost. First the
// context that solvers run under ends: a fit under way returns the model it has. When it has
// returned, and its result has had the time to be assigned, the engine's context ends too and
// the cell stops. A short statement after the fit may still have run; a function of package svm
// that is called in between stops the cell itself.
const (
	settling = 20 * time.Millisecond // from a function's return to its result's assignment, on a busy machine
	patience = 2 * time.Second       // for functions that cannot be interrupted
)

// running is one execution of a cell.
type running struct {
	ctx    context.Context // of the solvers
	engine context.Context // of the engine; never ends before ctx
	cancel context.CancelFunc

	mu    sync.Mutex
	calls int // of functions of package svm that have not returned
}

// newRunning is an execution that lives at most as long as alive and ends with ctx, until it is
// released: what a finished cell has left running goes on when its front end lets go of ctx.
func newRunning(alive, ctx context.Context) (r *running, release func()) {
	r = &running{}
	var cancel context.CancelFunc
	r.ctx, cancel = context.WithCancel(alive)
	r.engine, r.cancel = context.WithCancel(alive)
	interrupt := func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		cancel()
		if r.calls == 0 {
			r.cancel()
		} else {
			time.AfterFunc(patience, r.cancel)
		}
	}
	if ctx.Err() != nil { // AfterFunc would call from a goroutine of its own
		interrupt()
		return r, func() {}
	}
	stop := context.AfterFunc(ctx, interrupt)
	return r, func() { stop() }
}

// enter begins a call of a function of package svm. It panics if the cell has been interrupted.
func (r *running) enter() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.ctx.Err(); err != nil {
		panic(err)
	}
	r.calls++
}

func (r *running) leave() {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.calls--; r.calls == 0 && r.ctx.Err() != nil {
		time.AfterFunc(settling, r.cancel)
	}
}

// counted is a function of package svm that the running cell waits for when it is interrupted.
func (s *Session) counted(f reflect.Value) reflect.Value {
	return reflect.MakeFunc(f.Type(), func(args []reflect.Value) []reflect.Value {
		r := s.current()
		r.enter()
		defer r.leave()
		if f.Type().IsVariadic() {
			return f.CallSlice(args)
		}
		return f.Call(args)
	})
}
