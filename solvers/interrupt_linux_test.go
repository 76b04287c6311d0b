package solvers_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// BenchmarkInterrupt reports the most CPU time that a run of a solver on a8a spends between two
// looks at its context, and on a line that begins with | also where it looked before and after.
// The process has one processor meanwhile, so that this is the time to an interrupt on a machine
// at rest. Runs end after a number of looks.
func BenchmarkInterrupt(b *testing.B) {
	if os.Getenv("GONB_SVM_DATA") == "" {
		b.Skip("GONB_SVM_DATA is not set")
	}
	c := speedCases[0]
	d, _ := c.load(b)
	reference := solved(b, c.solver(0), d).Model
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	solvers := interruptible(reference.Kernel, reference, 100, solvers.Settings{MaxIterations: 300, Workers: 1})
	for _, name := range slices.Sorted(maps.Keys(solvers)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				gaps := &gaps{watched: watched{Context: context.Background()}, last: processCPU()}
				gaps.seen = gaps.look
				if _, err := solvers[name].Fit(gaps, d); err != nil && !errors.Is(err, context.Canceled) {
					b.Fatal(err)
				}
				gaps.look()
				b.ReportMetric(1e3*gaps.most, "ms-between-looks")
				fmt.Printf("| %-22s | %8.2f ms | %d looks | from %sto %s| asked 10: %t\n", name, 1e3*gaps.most,
					gaps.looks.Load(), lines(gaps.from[:]), lines(gaps.to[:]), gaps.most <= 0.010)
			}
		})
	}
}

// gaps finds the longest time between two looks at a context.
type gaps struct {
	watched
	last, most         float64
	previous, from, to [5]uintptr // calls that looked: last, and before and after the longest time
}

func (g *gaps) look() {
	const enough = 50000
	var present [5]uintptr
	runtime.Callers(3, present[:])
	if gap := processCPU() - g.last; gap > g.most {
		g.most, g.from, g.to = gap, g.previous, present
	}
	if g.looks.Load() > enough {
		g.end = 1
	}
	g.previous, g.last = present, processCPU()
}

// lines are the places of calls in the source.
func lines(calls []uintptr) string {
	var text strings.Builder
	for frames := runtime.CallersFrames(calls); ; {
		f, more := frames.Next()
		if f.Line > 0 {
			fmt.Fprintf(&text, "%s:%d ", filepath.Base(f.File), f.Line)
		}
		if !more {
			return text.String()
		}
	}
}

// processCPU is the CPU time of this process in seconds. Unlike Getrusage it counts the present
// slice of time too.
func processCPU() float64 {
	var now unix.Timespec
	if err := unix.ClockGettime(unix.CLOCK_PROCESS_CPUTIME_ID, &now); err != nil {
		return math.NaN()
	}
	return float64(now.Nano()) / 1e9
}
