//go:build unix

package magic

import (
	"os/exec"
	"syscall"
	"time"
)

// group makes a command the first of a group of processes, which end with it when it is
// interrupted.
func group(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error {
		id := -cmd.Process.Pid
		time.AfterFunc(dying/2, func() { _ = syscall.Kill(id, syscall.SIGKILL) }) // fails when all have ended
		return syscall.Kill(id, syscall.SIGINT)
	}
}

// processorTime is what this process and its ended children have used of the processors; 0
// where that is not known.
func processorTime() time.Duration {
	var total time.Duration
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) != nil {
			return 0
		}
		total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	return total
}
