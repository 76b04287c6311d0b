package border

import "runtime"

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
