package solvers

import (
	"runtime"
	"time"

	"golang.org/x/sys/unix"
)

// threadTime is the processor time that f takes, apart from what other threads do for it.
func threadTime(f func()) time.Duration {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := threadUsage()
	f()
	return threadUsage() - before
}

func threadUsage() time.Duration {
	var used unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_THREAD, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
