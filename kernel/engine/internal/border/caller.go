package border

import (
	"reflect"
	"runtime"
	"strings"
)

// Caller is runtime.Caller. Of interpreted frames only two are known: the one that calls it, at
// position here, and its caller, at position before.
func (rt *Runtime) Caller(here, before, skip int) (pc uintptr, file string, line int, ok bool) {
	position := here
	switch skip {
	case 0:
	case 1:
		position = before
	default:
		return 0, "", 0, false
	}
	pc, _, _, _ = runtime.Caller(0)
	file, line = rt.Place(position)
	return pc, file, line, true
}

// noCallers is runtime.Callers: the stack is the interpreter's, and none of the cell's is known. A
// program that only records stacks goes on; one that looks finds none.
func noCallers(skip int, pc []uintptr) int { return 0 }

// functionAt is runtime.FuncForPC, which gives nil for what is not a compiled function.
func functionAt(pc uintptr) *runtime.Func {
	f := runtime.FuncForPC(pc)
	if f == nil || strings.HasPrefix(f.Name(), "reflect.") || strings.Contains(f.Name(), "/yaegi/") || strings.HasPrefix(f.Name(), ownPath) {
		return nil
	}
	return f
}

// ownPath is where the functions of this package are.
var ownPath = reflect.TypeFor[Runtime]().PkgPath() + "."
