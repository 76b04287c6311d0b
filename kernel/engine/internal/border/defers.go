package border

import (
	"bytes"
	"runtime"
	"strconv"
)

// Defers is the list of deferred calls of one running function. The executor's own defer is not
// used: it evaluates late and cannot recover everywhere.
type Defers struct {
	rt        *Runtime
	list      []deferred
	returned  bool
	panicking *Raised
	recovered bool
}

type deferred struct {
	call func()
	any  bool // the function called is known only at run time and may recover
}

// Run calls body, then what it deferred, last first, whether body returned, panicked or left by
// runtime.Goexit. A panic that no deferred call recovered goes on.
func (rt *Runtime) Run(body func(*Defers)) {
	d := &Defers{rt: rt}
	defer d.finish()
	body(d)
	d.returned = true
}

func (d *Defers) finish() {
	if !d.returned {
		if r := recover(); r != nil {
			if _, ok := r.(Stopped); ok {
				panic(r)
			}
			d.panicking = d.rt.Raise(r)
		}
	}
	d.drain()
	if d.panicking != nil {
		panic(d.panicking)
	}
}

// drain runs the list. The recursion is in a defer so that runtime.Goexit in one deferred call does
// not skip the others.
func (d *Defers) drain() {
	if len(d.list) == 0 {
		return
	}
	f := d.list[len(d.list)-1]
	d.list = d.list[:len(d.list)-1]
	defer d.drain()
	d.call(f)
}

// call runs one deferred call; a panic in it takes the place of the one under way.
func (d *Defers) call(f deferred) {
	returned := false
	defer func() {
		if returned {
			return
		}
		if r := recover(); r != nil {
			if _, ok := r.(Stopped); ok {
				panic(r)
			}
			d.panicking = d.rt.Raise(r)
		}
	}()
	d.recovered = false
	if f.any && d.panicking != nil {
		g := goroutine()
		before, had := d.rt.armed.Load(g)
		d.rt.armed.Store(g, d)
		defer func() {
			if had {
				d.rt.armed.Store(g, before)
			} else {
				d.rt.armed.Delete(g)
			}
		}()
	}
	f.call()
	returned = true
	if d.recovered {
		d.panicking = nil
	}
}

// Push defers a call whose arguments are already evaluated.
func (d *Defers) Push(f func()) { d.list = append(d.list, deferred{call: f}) }

// PushAny defers the call of a function value.
func (d *Defers) PushAny(f func()) { d.list = append(d.list, deferred{call: f, any: true}) }

// Panicking tells whether the list runs because of a panic.
func (d *Defers) Panicking() bool { return d.panicking != nil }

// Recover is recover() called by a function that this list runs.
func (d *Defers) Recover() any {
	if d == nil || d.panicking == nil || d.recovered {
		return nil
	}
	d.recovered = true
	return d.panicking.Value
}

// RecoverAny is recover() in a function that may have been deferred as a value.
func (rt *Runtime) RecoverAny() any {
	if d, ok := rt.armed.Load(goroutine()); ok {
		return d.(*Defers).Recover()
	}
	return nil
}

// goroutine gives the number of the running goroutine.
func goroutine() int64 {
	var b [64]byte
	s := bytes.TrimPrefix(b[:runtime.Stack(b[:], false)], []byte("goroutine "))
	n, _ := strconv.ParseInt(string(s[:bytes.IndexByte(s, ' ')]), 10, 64)
	return n
}
