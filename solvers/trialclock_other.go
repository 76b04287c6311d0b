//go:build !linux

package solvers

import "time"

// threadTime is unknown on this system.
func threadTime(f func()) time.Duration {
	f()
	return 0
}
