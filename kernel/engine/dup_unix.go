//go:build unix

package engine

import "golang.org/x/sys/unix"

// dup gives a second descriptor of a pipe, closed when the process starts another program.
func dup(fd int) (int, error) { return unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 0) }
