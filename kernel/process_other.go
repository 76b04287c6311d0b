//go:build !unix

package kernel

import (
	"os"
	"os/signal"
	"time"
)

// watchProcess makes an interrupt of the process interrupt the cell. It returns what undoes
// this.
func (s *Server) watchProcess() (undo func()) {
	signals := make(chan os.Signal, 8)
	signal.Notify(signals, os.Interrupt)
	done := make(chan struct{})
	go func() {
		for {
			select {
			case <-done:
				return
			case <-signals:
				s.Interrupt()
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// processTime is not known here.
func processTime() time.Duration { return 0 }

// lockFile does nothing here: kernels that share a history file may lose cells of each other.
func lockFile(*os.File) error { return nil }
