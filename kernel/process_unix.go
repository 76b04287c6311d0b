//go:build unix

package kernel

import (
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// parentPoll is how often the kernel looks whether anybody still needs it.
const parentPoll = time.Second

// watchProcess makes the process behave as a kernel's: SIGINT interrupts the cell, SIGTERM and
// SIGHUP end the kernel, and so does the death of whoever started it. It returns what undoes
// this.
func (s *Server) watchProcess() (undo func()) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case received := <-signals:
				if received == os.Interrupt {
					s.Interrupt()
				} else {
					s.Stop()
				}
			}
		}
	}()
	if gone := parentGone(os.Getenv("JPY_PARENT_PID"), os.Stdin.Fd()); gone != nil {
		go s.watchParent(gone, done)
	}
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// watchParent ends the kernel when gone reports true.
func (s *Server) watchParent(gone func() bool, done <-chan struct{}) {
	tick := time.NewTicker(parentPoll)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-tick.C:
			if gone() {
				s.log.Info("the kernel ends: whoever started it is gone")
				s.Stop()
				return
			}
		}
	}
}

// parentGone returns how to find out that whoever started the kernel is gone, or nil if there
// is no way. Jupyter names itself in JPY_PARENT_PID. A launcher that does not is watched by
// the other end of standard input.
func parentGone(named string, stdin uintptr) func() bool {
	pid, err := strconv.Atoi(named)
	switch {
	case err == nil && pid > 1 && pid == os.Getppid():
		return func() bool { return os.Getppid() != pid }
	case err == nil && pid > 1 && alive(pid): // a launcher stands between
		return func() bool { return !alive(pid) }
	case named == "" && isPipe(stdin) && !hungUp(stdin):
		return func() bool { return hungUp(stdin) }
	}
	return nil
}

// alive reports whether a process exists.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || err == syscall.EPERM
}

// isPipe reports whether a descriptor is a pipe or a socket.
func isPipe(fd uintptr) bool {
	var status unix.Stat_t
	if err := unix.Fstat(int(fd), &status); err != nil {
		return false
	}
	kind := uint32(status.Mode) & unix.S_IFMT
	return kind == unix.S_IFIFO || kind == unix.S_IFSOCK
}

// hungUp reports whether nobody holds the other end of a pipe. It reads nothing.
func hungUp(fd uintptr) bool {
	polled := []unix.PollFd{{Fd: int32(fd)}}
	n, err := unix.Poll(polled, 0)
	return err == nil && n > 0 && polled[0].Revents&(unix.POLLHUP|unix.POLLERR|unix.POLLNVAL) != 0
}

// processTime returns the processor time that the process has used.
func processTime() time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		return 0
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// lockFile waits until no other process holds the file's lock, and takes it. Closing the file
// gives it back.
func lockFile(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_EX) }
