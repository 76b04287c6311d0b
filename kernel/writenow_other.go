//go:build !unix

package kernel

import "net"

// writeNow writes nothing: this system's connections always wait.
func writeNow(net.Conn, []byte) (written int) { return 0 }
