package engine

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/traefik/yaegi/interp"
)

// runtimePath is the package, hidden from cells, by which lowered code calls this file.
const runtimePath = "gonb-svm.internal/rt"

// maxDepth is how many Go frames a goroutine may have; beyond it Go itself would end the process.
const maxDepth = 400_000

// runtimeState is what lowered code shares with the engine.
type runtimeState struct {
	output *output
	mu     sync.Mutex
	frames map[int64][]*Defers // by goroutine: the functions whose deferred calls are running
	exit   func()              // ends the running cell when a goroutine of it calls os.Exit
	run    *run
	hold   chan func()   // Hold takes what to do once it runs
	held   chan struct{} // what Hold then waits for
	calls  atomic.Uint32
}

// run is one execution of a cell.
type run struct {
	step     int // top-level items that have finished
	results  []any
	text     string
	methods  map[string]any // of the shown value: name to method value
	panicked any
	failed   bool
	code     *ExitError
	started  chan struct{} // closed when its goroutine is inside the interpreter
	ended    chan struct{} // closed when its goroutine has left the interpreter

	goroutine int64
}

// begin makes r the running cell; end stops it.
func (r *runtimeState) begin(current *run, end func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run, r.exit = current, end
}

// Defers is the list of deferred calls of one call of an interpreted function.
type Defers struct {
	calls     []func()
	value     any
	panicking bool
}

// Push adds a call to the list.
func (d *Defers) Push(f func()) { d.calls = append(d.calls, f) }

func (r *runtimeState) symbols() interp.Exports {
	return interp.Exports{runtimePath + "/rt": {
		"Defers":         reflect.ValueOf((*Defers)(nil)),
		"Call":           reflect.ValueOf(r.Call),
		"Run":            reflect.ValueOf(r.Run),
		"Recover":        reflect.ValueOf(r.Recover),
		"Go":             reflect.ValueOf(r.Go),
		"Step":           reflect.ValueOf(r.Step),
		"Result":         reflect.ValueOf(r.Result),
		"Method":         reflect.ValueOf(r.Method),
		"Deep":           reflect.ValueOf(r.Deep),
		"Clear":          reflect.ValueOf(func(v any) { reflect.ValueOf(v).Clear() }),
		"Min":            reflect.ValueOf(func(a, b float64) float64 { return min(a, b) }),
		"Max":            reflect.ValueOf(func(a, b float64) float64 { return max(a, b) }),
		"BuiltinPrint":   reflect.ValueOf(func(v ...any) { r.print(v, "") }),
		"BuiltinPrintln": reflect.ValueOf(func(v ...any) { r.print(v, "\n") }),
		"Hold":           reflect.ValueOf(r.Hold),
		"Exit":           reflect.ValueOf(func(code int) { panic(&ExitError{code}) }),
		"Fatal":          reflect.ValueOf(func(print func()) { print(); panic(&ExitError{1}) }),
		"Stdin":          reflect.ValueOf(&input{output: r.output}),
	}}
}

// Call runs the body of a cell and keeps what it panicked with. It ends its goroutine, so that
// the interpreter does not write a result that an interrupt has already given.
func (r *runtimeState) Call(body func(*Defers)) {
	r.mu.Lock()
	current := r.run
	current.goroutine = goroutine()
	r.mu.Unlock()
	close(current.started)
	defer close(current.ended)
	func() {
		defer func() {
			if v := recover(); v != nil {
				r.mu.Lock()
				defer r.mu.Unlock()
				current.panicked, current.failed = plain(v), true
			}
		}()
		r.Run(body)
	}()
	runtime.Goexit()
}

// Hold runs what it is given and then waits to be let go, without giving a result.
func (r *runtimeState) Hold() {
	(<-r.hold)()
	<-r.held
	runtime.Goexit()
}

// Step notes that the n-th statement of the cell begins.
func (r *runtimeState) Step(n int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.step = n
}

// Result takes the values that the cell shows, and their text.
func (r *runtimeState) Result(text string, v ...any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.text, r.run.results = text, v
}

// Method takes a method of the shown value.
func (r *runtimeState) Method(name string, f any) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.run.methods[name] = f
}

// Run calls a function body and then the calls it deferred, as Go does.
func (r *runtimeState) Run(body func(*Defers)) {
	d := &Defers{}
	d.catch(func() { body(d) })
	if len(d.calls) > 0 {
		id := goroutine()
		r.mu.Lock()
		r.frames[id] = append(r.frames[id], d)
		r.mu.Unlock()
		for n := len(d.calls); n > 0; n = len(d.calls) {
			f := d.calls[n-1]
			d.calls = d.calls[:n-1]
			d.catch(f)
		}
		r.mu.Lock()
		if r.frames[id] = r.frames[id][:len(r.frames[id])-1]; len(r.frames[id]) == 0 {
			delete(r.frames, id)
		}
		r.mu.Unlock()
	}
	if d.panicking {
		panic(d.value)
	}
}

// catch calls f; a panic of it replaces the one under way.
func (d *Defers) catch(f func()) {
	defer func() {
		if v := recover(); v != nil {
			d.value, d.panicking = plain(v), true
		}
	}()
	f()
}

// print is the builtin print and println: to stderr, floats in the runtime's form.
func (r *runtimeState) print(values []any, end string) {
	var b strings.Builder
	for i, v := range values {
		if i > 0 && end != "" {
			b.WriteByte(' ')
		}
		switch x := reflect.ValueOf(v); {
		case x.IsValid() && x.CanFloat():
			s := strconv.FormatFloat(x.Float(), 'e', 6, 64)
			if s[0] != '-' {
				s = "+" + s
			}
			mantissa, exponent, _ := strings.Cut(s, "e")
			if len(exponent) == 3 {
				exponent = exponent[:1] + "0" + exponent[1:]
			}
			b.WriteString(mantissa + "e" + exponent)
		default:
			fmt.Fprint(&b, v)
		}
	}
	_, _ = r.output.stderr.write.WriteString(b.String() + end)
}

// Recover is what recover() means in a deferred call.
func (r *runtimeState) Recover() any {
	r.mu.Lock()
	list := r.frames[goroutine()]
	r.mu.Unlock()
	if len(list) == 0 {
		return nil
	}
	d := list[len(list)-1]
	if _, exiting := d.value.(*ExitError); !d.panicking || exiting {
		return nil
	}
	v := d.value
	d.value, d.panicking = nil, false
	r.output.panicPlace()
	return v
}

// Go runs f on a goroutine of its own. A panic there is reported and ends only that goroutine.
func (r *runtimeState) Go(f func()) {
	go func() {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			at := r.output.panicPlace()
			v = plain(v)
			var code *ExitError
			if err, ok := v.(error); ok && errors.As(err, &code) {
				r.mu.Lock()
				r.run.code = code
				end := r.exit
				r.mu.Unlock()
				if end != nil {
					end()
				}
				return
			}
			where := "a goroutine"
			if at.line > 0 {
				where += fmt.Sprintf(" (the function at %s:%d)", at.cell, at.line)
			}
			fmt.Fprintf(r.output.stderr.sentinel, "panic in %s: %s\n", where, panicText(v))
		}()
		f()
	}()
}

// errTooDeep is the panic of a recursion without end.
var errTooDeep = errors.New("stack overflow: the recursion is too deep")

// Deep ends the calling goroutine when it has too many frames. It looks at every 4096th call.
// A panic would take minutes to climb so many frames of the interpreter.
func (r *runtimeState) Deep() {
	if r.calls.Add(1)%4096 != 0 {
		return
	}
	var pc [1]uintptr
	if runtime.Callers(maxDepth, pc[:]) == 0 {
		return
	}
	r.mu.Lock()
	current := r.run
	own := current.goroutine == goroutine()
	r.mu.Unlock()
	if own {
		r.mu.Lock()
		current.panicked, current.failed = errTooDeep, true
		r.mu.Unlock()
	} else {
		fmt.Fprintf(r.output.stderr.sentinel, "a goroutine was ended: %v\n", errTooDeep)
	}
	runtime.Goexit()
}

// plain is the value that a cell gave to panic, without the interpreter's wrapping.
func plain(v any) any {
	for {
		switch x := v.(type) {
		case interp.Panic:
			v = x.Value
		case reflect.Value:
			if !x.IsValid() || !x.CanInterface() {
				return fmt.Sprint(x)
			}
			v = x.Interface()
		default:
			return v
		}
	}
}

// panicText prints a panic's value as Go does, and in place of reflect's words, through which
// the interpreter works, Go's.
func panicText(v any) string {
	switch v := v.(type) {
	case *reflect.ValueError:
		if v.Kind == reflect.Invalid {
			return "invalid memory address or nil pointer dereference"
		}
		return v.Error()
	case error:
		return v.Error()
	case fmt.Stringer:
		return v.String()
	case string:
		switch v {
		case "reflect: slice index out of range", "reflect: array index out of range", "reflect: string index out of range":
			return "index out of range"
		case "reflect: Method on nil interface value":
			return "invalid memory address or nil pointer dereference: a method of a nil interface"
		}
		return v
	}
	return fmt.Sprintf("%v", v)
}

// goroutine is the number of the calling goroutine.
func goroutine() int64 {
	var buf [64]byte
	b := bytes.TrimPrefix(buf[:runtime.Stack(buf[:], false)], []byte("goroutine "))
	if i := bytes.IndexByte(b, ' '); i > 0 {
		b = b[:i]
	}
	id, _ := strconv.ParseInt(string(b), 10, 64)
	return id
}

func duplicate(f *os.File) (*os.File, error) {
	fd, err := dup(int(f.Fd()))
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}
