// Package engine runs the cells of a notebook written in Go.
//
// A cell is split at its top-level statements, checked with go/types against everything that
// earlier cells declared and against the bound packages, rewritten into the part of Go that
// the yaegi interpreter surely does right, and run. A cell that does not compile changes
// nothing. What cannot be done right is refused with a *CompileError of Kind "limit".
package engine

import (
	"context"
	"errors"
	"reflect"
	"sync"
	"sync/atomic"
	"time"

	"github.com/traefik/yaegi/interp"
)

// Engine holds the state of one notebook: everything its cells have declared. Run is for one
// goroutine at a time; Complete, Inspect, Completeness, Names and Lookup may be called while a
// cell runs.
type Engine struct {
	interp  *interp.Interpreter
	library *library
	runtime *runtimeState
	output  *output
	state   state
	units   map[string]*unit // by name
	unitsMu sync.Mutex
	mu      sync.Mutex // guards state, library and every compilation
	running atomic.Bool
	active  chan struct{}
	last    string // the cell that closes active
}

// Options says what the cells of an Engine can name.
type Options struct {
	// Symbols are the bound packages in yaegi's Exports form: "path/name" to exported name to
	// value. They are usable with and without an import.
	Symbols map[string]map[string]reflect.Value
	// Args is os.Args of the cells; nil means {"gonb-svm"}.
	Args []string
}

// Streams is where a cell's output goes and where its input comes from.
type Streams struct {
	// Stdout and Stderr take text in order, from one goroutine, at most every 50 ms or 64 kB;
	// everything a cell has printed has been handed over when Run returns. What goroutines
	// print between two cells goes to the streams of the last one. nil discards.
	Stdout, Stderr func(text string)
	// Input gives a line without its line end, for fmt.Scan and os.Stdin; nil means that reading is an error.
	Input func(prompt string) (string, error)
}

// Cell is one piece of source. Name, such as "In[3]", appears in errors.
type Cell struct{ Name, Source string }

// grace is how long an interrupted cell may stay in a compiled call before Run gives it up.
const grace = 2 * time.Second

// ErrInterrupted is the error of a cell whose context ended.
var ErrInterrupted = errors.New("interrupted")

// Close ends the engine: background goroutines of its cells stop, its pipes are closed.
func (e *Engine) Close() error {
	e.stop()
	return e.output.close()
}

// stop ends every interpreted goroutine: it interrupts a program that waits for just that.
func (e *Engine) stop() {
	p, err := e.compileBlock("hold" + mark + "()")
	if err != nil {
		return
	}
	ctx, cancel := context.WithCancel(context.Background())
	e.runtime.hold, e.runtime.held = make(chan func(), 1), make(chan struct{})
	e.runtime.hold <- cancel
	_, _ = e.interp.ExecuteWithContext(ctx, p) // always the error of ctx
	close(e.runtime.held)
}
