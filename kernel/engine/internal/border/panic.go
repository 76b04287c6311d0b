package border

import (
	"fmt"
	"math"
	"reflect"
	"regexp"
	"runtime"
	"strconv"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/mirror"
)

// RuntimeError is a run-time panic of interpreted code, with the text that Go gives it.
type RuntimeError struct{ text string }

func (e RuntimeError) Error() string { return "runtime error: " + e.text }

// RuntimeError marks the type as a runtime.Error.
func (e RuntimeError) RuntimeError() {}

// AssertionError is the panic of a failed type assertion; its text has no "runtime error:".
type AssertionError struct{ text string }

func (e AssertionError) Error() string { return e.text }

// RuntimeError marks the type as a runtime.Error.
func (e AssertionError) RuntimeError() {}

var nilDereference = RuntimeError{"invalid memory address or nil pointer dereference"}

// Raised is a panic on its way through interpreted and compiled frames.
type Raised struct {
	Value    any // as recover gives it
	Position int // number of the source position where it began
}

// Error lets compiled code that recovers the panic, as fmt does, print its value.
func (r *Raised) Error() string { return fmt.Sprint(r.Value) }

// Stopped is the panic by which a helper leaves code that is being interrupted or has called
// os.Exit; interpreted code cannot recover it.
type Stopped struct{}

// fail panics with a run-time error at the current position.
func (rt *Runtime) fail(e error) { panic(&Raised{Value: e, Position: *rt.Position}) }

// failAt panics with a run-time error at a known position.
func (rt *Runtime) failAt(position int, e error) { panic(&Raised{Value: e, Position: position}) }

// Panic is the builtin panic.
func (rt *Runtime) Panic(position int, x any) {
	if x == nil {
		x = new(runtime.PanicNilError)
	}
	panic(&Raised{Value: x, Position: position})
}

// Raise makes what a recover in compiled code gave into a Raised. Panics of the executor and of
// package reflect stand for Go's own run-time errors.
func (rt *Runtime) Raise(r any) *Raised {
	if x, ok := r.(*Raised); ok {
		return x
	}
	return &Raised{Value: rt.translate(r), Position: *rt.Position}
}

func (rt *Runtime) translate(r any) any {
	switch x := r.(type) {
	case mirror.Panic:
		return string(x)
	case reflect.Value:
		if x.IsValid() && x.CanInterface() {
			return rt.translate(x.Interface())
		}
		return nilDereference
	case *reflect.ValueError:
		return nilDereference
	case string:
		if e := executorPanic(x); e != nil {
			return e
		}
	case error:
		if strings.Contains(x.Error(), "interface conversion: ") && !isRuntimeError(x) {
			return AssertionError{x.Error()[strings.Index(x.Error(), "interface conversion: "):]}
		}
		if text, ok := strings.CutPrefix(x.Error(), "hash of unhashable type: "); ok && !strings.Contains(text, "struct {") {
			return RuntimeError{"hash of unhashable type " + text}
		}
		if e, ok := rt.renamed(x); ok {
			return e
		}
		return rt.In(r)
	}
	return r
}

// lowered finds the text of a lowered struct type and the number in it.
var lowered = regexp.MustCompile(`struct \{.*?` + TagKey + `:\\"(\d+)\\".*\}`)

// renamed gives a run-time error that shows a lowered struct type the name of its Go type.
func (rt *Runtime) renamed(err error) (error, bool) {
	text := err.Error()
	m := lowered.FindStringSubmatchIndex(text)
	if m == nil || !isRuntimeError(err) {
		return nil, false
	}
	n, _ := strconv.Atoi(text[m[2]:m[3]])
	if text[:m[0]] == "hash of unhashable type: " {
		text = "runtime error: hash of unhashable type " + text[m[0]:]
		m = lowered.FindStringSubmatchIndex(text)
	}
	return plainError{text[:m[0]] + name(rt.Types.at(n).goType) + text[m[1]:]}, true
}

// NilReceiver reports the call of a value method through a nil pointer.
func (rt *Runtime) NilReceiver(pkg, typ, method string) {
	rt.fail(plainError{"value method " + pkg + "." + typ + "." + method + " called using nil *" + typ + " pointer"})
}

func isRuntimeError(err error) bool {
	_, ok := err.(runtime.Error)
	return ok
}

// executorPanic recognises the strings that package reflect panics with, nil for others.
func executorPanic(s string) error {
	if !strings.HasPrefix(s, "reflect") {
		return nil
	}
	has := func(sub string) bool { return strings.Contains(s, sub) }
	switch {
	case has("index out of range"):
		return RuntimeError{"index out of range"}
	case has("slice index"), has("Slice"):
		return RuntimeError{"slice bounds out of range"}
	case has("MakeSlice: negative len"):
		return RuntimeError{"makeslice: len out of range"}
	case has("MakeSlice"):
		return RuntimeError{"makeslice: cap out of range"}
	case has("zero Value"), has("nil function"), has("nil pointer"):
		return nilDereference
	}
	return nil
}

// Index reports a failed index check.
func (rt *Runtime) Index(position, i, n int) {
	if i < 0 {
		rt.failAt(position, RuntimeError{fmt.Sprintf("index out of range [%d]", i)})
	}
	rt.failAt(position, RuntimeError{"index out of range [" + rt.bound(i) + "] with length " + strconv.Itoa(n)})
}

// Divide reports a division by zero.
func (rt *Runtime) Divide(position int) {
	rt.failAt(position, RuntimeError{"integer divide by zero"})
}

// Nil reports a nil pointer dereference; position 0 is the current one.
func (rt *Runtime) Nil(position int) {
	if position == 0 {
		position = *rt.Position
	}
	rt.failAt(position, nilDereference)
}

// NilMap reports an assignment to an entry of a nil map.
func (rt *Runtime) NilMap(position int) {
	rt.failAt(position, plainError{"assignment to entry in nil map"})
}

// plainError is a runtime.Error without the prefix.
type plainError struct{ text string }

func (e plainError) Error() string { return e.text }

// RuntimeError marks the type as a runtime.Error.
func (e plainError) RuntimeError() {}

// Shift is a shift count, which must not be negative.
func (rt *Runtime) Shift(position int, n int64) uint {
	if n < 0 {
		rt.failAt(position, RuntimeError{"negative shift amount"})
	}
	return uint(n)
}

// Length is a length for make.
func (rt *Runtime) Length(position int, what string, n int64) int {
	if n < 0 || n > 1<<46 {
		rt.failAt(position, RuntimeError{what + " out of range"})
	}
	return int(n)
}

// Longer checks that a slice of n elements can get m more.
func (rt *Runtime) Longer(position, n, m int) {
	if n > math.MaxInt-m {
		rt.failAt(position, RuntimeError{"growslice: len out of range"})
	}
}

// Capacity is a capacity for make of a slice of length n.
func (rt *Runtime) Capacity(position, n int, capacity int64) int {
	if capacity < int64(n) || capacity > 1<<46 {
		rt.failAt(position, RuntimeError{"makeslice: cap out of range"})
	}
	return int(capacity)
}

// Bounds checks x[low:high] or x[low:high:max] of something with a length and capacity; absent
// bounds are -1 with their bit in given clear.
func (rt *Runtime) Bounds(position int, kind string, low, high, limit, length, capacity int, given int) {
	const hasLow, hasHigh, hasMax = 1, 2, 4
	what := map[string]string{"slice": "capacity", "string": "length", "array": "length"}[kind]
	top := capacity
	if given&hasMax != 0 {
		if limit < 0 || limit > capacity {
			rt.failAt(position, RuntimeError{rt.bounds("::%s]", limit) + with(limit, what, capacity)})
		}
		if high < 0 || high > limit {
			rt.failAt(position, RuntimeError{"slice bounds out of range [:" + rt.bound(high) + ":" + second(high, limit) + "]"})
		}
		if low < 0 || low > high {
			rt.failAt(position, RuntimeError{"slice bounds out of range [" + rt.bound(low) + ":" + second(low, high) + ":]"})
		}
		return
	}
	if given&hasHigh == 0 {
		high = length
	} else if high < 0 || high > top {
		rt.failAt(position, RuntimeError{rt.bounds(":%s]", high) + with(high, what, top)})
	}
	if given&hasLow != 0 && (low < 0 || low > high) {
		if low < 0 {
			rt.failAt(position, RuntimeError{fmt.Sprintf("slice bounds out of range [%d:]", low)})
		}
		rt.failAt(position, RuntimeError{"slice bounds out of range [" + rt.bound(low) + ":" + rt.bound(high) + "]"})
	}
}

func (rt *Runtime) bounds(format string, n int) string {
	return "slice bounds out of range [" + fmt.Sprintf(format, rt.bound(n))
}

// bound writes an index; one that was too large for an int as it was.
func (rt *Runtime) bound(n int) string {
	if u := rt.overflow.Load(); n == math.MaxInt && u != 0 {
		return strconv.FormatUint(u, 10)
	}
	return strconv.Itoa(n)
}

// second is the other bound, which is not named beside a negative one.
func second(n, limit int) string {
	if n < 0 {
		return ""
	}
	return strconv.Itoa(limit)
}

func with(n int, what string, have int) string {
	if n < 0 {
		return ""
	}
	return fmt.Sprintf(" with %s %d", what, have)
}
