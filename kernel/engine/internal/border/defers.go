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
	call  func()
	depth int // of function values, at which the deferred function runs when it is known only at run time
}

// arming is what a goroutine knows while it runs, in a panic, a deferred function that is known only
// at run time: which list it may recover for, and how many function values deep it is and must be.
type arming struct {
	d           *Defers
	depth, want int
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
	if f.depth > 0 && d.panicking != nil {
		g := goroutine()
		before, had := d.rt.armed.Load(g)
		d.rt.armed.Store(g, &arming{d: d, want: f.depth})
		d.rt.Armed.Add(1)
		defer func() {
			d.rt.Armed.Add(-1)
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

// PushAny defers the call of a function value: f, itself one, calls it.
func (d *Defers) PushAny(f func()) { d.list = append(d.list, deferred{call: f, depth: 2}) }

// PushMethod defers the call of a method through an interface: f calls it by its name.
func (d *Defers) PushMethod(f func()) { d.list = append(d.list, deferred{call: f, depth: 1}) }

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
	if a := rt.arming(); a != nil && a.depth == a.want {
		return a.d.Recover()
	}
	return nil
}

// arming is that of the running goroutine, nil when it has none.
func (rt *Runtime) arming() *arming {
	if rt.Armed.Load() == 0 {
		return nil
	}
	a, _ := rt.armed.Load(goroutine())
	r, _ := a.(*arming)
	return r
}

// Enter notes that a function value is called, while Armed is not zero, and returns the end of it.
func (rt *Runtime) Enter() (leave func()) { return rt.deeper(1) }

// deeper changes for a while how deep in function values the running goroutine is.
func (rt *Runtime) deeper(n int) (back func()) {
	a := rt.arming()
	if a == nil {
		return func() {}
	}
	a.depth += n
	return func() { a.depth -= n }
}

// goroutine gives the number of the running goroutine.
func goroutine() int64 {
	var b [64]byte
	s := bytes.TrimPrefix(b[:runtime.Stack(b[:], false)], []byte("goroutine "))
	n, _ := strconv.ParseInt(string(s[:bytes.IndexByte(s, ' ')]), 10, 64)
	return n
}
