//go:build unix

package kernel

import (
	"net"
	"syscall"
)

// writeNow writes to a connection without waiting, and returns the number of bytes written. What is
// wrong with the connection the next write that waits finds out.
func writeNow(conn net.Conn, b []byte) (written int) {
	system, ok := conn.(syscall.Conn)
	if !ok {
		return 0
	}
	raw, err := system.SyscallConn()
	if err != nil {
		return 0
	}
	_ = raw.Write(func(fd uintptr) bool {
		n, err := syscall.Write(int(fd), b)
		if err == nil {
			written = n
		}
		return true
	})
	return written
}
