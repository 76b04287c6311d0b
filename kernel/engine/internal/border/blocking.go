package border

import (
	"context"
	"errors"
	"io"
	"os"
	"reflect"
	"sync"
	"time"
)

// stdin is os.Stdin where compiled code reads it: reading asks the front end.
type stdin struct {
	*os.File
	reader io.Reader
}

// Read implements io.Reader.
func (s stdin) Read(b []byte) (int, error) { return s.reader.Read(b) }

// FileRead is (*os.File).Read.
func (rt *Runtime) FileRead(f *os.File, b []byte) (int, error) {
	if f != nil && f == rt.Stdin && rt.Reader != nil {
		return rt.Reader.Read(b)
	}
	return f.Read(b)
}

// stopIfDone leaves the code when the cell is being interrupted.
func (rt *Runtime) stopIfDone(ctx context.Context) {
	if ctx.Err() != nil {
		panic(Stopped{})
	}
}

// Sleep is time.Sleep; an interrupt ends it.
func (rt *Runtime) Sleep(d time.Duration) {
	ctx := rt.Context()
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
		panic(Stopped{})
	}
}

// waitFor tries until it succeeds or the cell is interrupted.
func (rt *Runtime) waitFor(try func() bool) {
	if try() {
		return
	}
	ctx := rt.Context()
	for pause := time.Microsecond; ; pause = min(2*pause, time.Millisecond) {
		time.Sleep(pause)
		if try() {
			return
		}
		rt.stopIfDone(ctx)
	}
}

// Lock is (*sync.Mutex).Lock.
func (rt *Runtime) Lock(m *sync.Mutex) { rt.waitFor(m.TryLock) }

// WriteLock is (*sync.RWMutex).Lock.
func (rt *Runtime) WriteLock(m *sync.RWMutex) { rt.waitFor(m.TryLock) }

// ReadLock is (*sync.RWMutex).RLock.
func (rt *Runtime) ReadLock(m *sync.RWMutex) { rt.waitFor(m.TryRLock) }

// WaitGroup is (*sync.WaitGroup).Wait.
func (rt *Runtime) WaitGroup(w *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		w.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-rt.Context().Done():
		panic(Stopped{})
	}
}

// WaitGroupGo is (*sync.WaitGroup).Go.
func (rt *Runtime) WaitGroupGo(w *sync.WaitGroup, f func()) {
	w.Add(1)
	rt.Go(func() {
		defer w.Done()
		f()
	})
}

// AfterFunc is time.AfterFunc; a panic of f is reported.
func (rt *Runtime) AfterFunc(d time.Duration, f func()) *time.Timer {
	return time.AfterFunc(d, func() { rt.Go(f) })
}

// Select is the select statement: cases are, four by four, the number of the clause, the channel,
// the value to send, and whether it is sent. other is the number of the default clause, -1 when
// there is none. It gives the clause chosen and what it received.
func (rt *Runtime) Select(other int, cases []any) (clause int, got any, open bool) {
	ctx := rt.Context()
	list := make([]reflect.SelectCase, 0, len(cases)/4+1)
	for i := 0; i < len(cases); i += 4 {
		c := reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(cases[i+1])}
		if cases[i+3].(bool) {
			c.Dir = reflect.SelectSend
			c.Send = valueFor(cases[i+2], c.Chan.Type().Elem())
		}
		list = append(list, c)
	}
	if other >= 0 {
		list = append(list, reflect.SelectCase{Dir: reflect.SelectDefault})
	} else {
		list = append(list, reflect.SelectCase{Dir: reflect.SelectRecv, Chan: reflect.ValueOf(ctx.Done())})
	}
	chosen, v, ok := reflect.Select(list)
	if chosen == len(list)-1 {
		if other >= 0 {
			return other, nil, false
		}
		panic(Stopped{})
	}
	if list[chosen].Dir == reflect.SelectRecv {
		got = interfaces([]reflect.Value{v})[0]
	}
	return cases[4*chosen].(int), got, ok
}

// ExitNow is os.Exit: it ends the cell, not the process.
func (rt *Runtime) ExitNow(code int) {
	if rt.Exit != nil {
		rt.Exit(code)
	}
	panic(Stopped{})
}

// errNoInput is what reading gives when no front end takes input.
var errNoInput = errors.New("this front end gives no input")

// Prompt is a Reader over a function that asks for a line.
type Prompt struct {
	Ask  func(prompt string) (string, error)
	rest []byte
	mu   sync.Mutex
}

// Read gives the rest of the line asked for last, or asks for one.
func (p *Prompt) Read(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.rest) == 0 {
		if p.Ask == nil {
			return 0, errNoInput
		}
		line, err := p.Ask("")
		if err != nil {
			return 0, err
		}
		p.rest = []byte(line + "\n")
	}
	n := copy(b, p.rest)
	p.rest = p.rest[n:]
	return n, nil
}

// ReadRune lets package fmt scan without reading ahead.
func (p *Prompt) ReadRune() (rune, int, error) {
	var b [1]byte
	n, err := p.Read(b[:])
	if n == 0 || b[0] < 0x80 {
		return rune(b[0]), n, err
	}
	c := []byte{b[0]}
	for !fullRune(c) {
		if n, err := p.Read(b[:]); n == 0 {
			return 0, 0, err
		}
		c = append(c, b[0])
	}
	r, size := decodeRune(c)
	return r, size, nil
}
