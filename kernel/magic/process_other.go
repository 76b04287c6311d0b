//go:build !unix

package magic

import (
	"os/exec"
	"time"
)

// group leaves a command as it is: there are no groups of processes, and only the command
// itself is killed when it is interrupted.
func group(*exec.Cmd) {}

// processorTime is not known here.
func processorTime() time.Duration { return 0 }
