// Package kernel speaks the Jupyter messaging protocol 5.5: it listens on the five sockets of
// a connection file, answers every request on the channel it came by, and runs cells one
// after the other on an Engine. It knows neither the language of the cells nor what they
// compute.
//
// While a cell runs, everything but further cells is answered at once: kernel_info,
// completion, inspection, history, comms, interrupt and shutdown.
package kernel

import (
	"context"
	"errors"
	"io"
	"log/slog"

	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// Engine evaluates cells for the kernel. Execute is never called twice at a time; the other
// methods are called while it runs.
type Engine interface {
	// Execute runs a cell. When ctx ends it returns soon, with a Failure; the cause of ctx
	// is ErrInterrupted if a user stopped the cell. The output may be used after the cell
	// has ended, by the goroutines it left behind; so may ctx, which then ends no more.
	//
	// A cell that is stored in the history has its own Count, from 1. One that is not, and
	// a silent one, has the Count that the next stored cell will have.
	Execute(ctx context.Context, cell display.Cell, out display.Output) display.Outcome
	// Complete says what could stand at the cursor, which counts Unicode code points.
	Complete(code string, cursor int) display.Completion
	// Inspect describes the name at the cursor; level 1 asks for more than level 0.
	Inspect(code string, cursor, level int) (b display.Bundle, found bool)
	// Completeness says whether code may be executed as it stands: "complete",
	// "incomplete" with the indent of the next line, "invalid" or "unknown".
	Completeness(code string) (status, indent string)
}

// Starter is an Engine that takes time to begin. Start is called once, when the kernel listens:
// a client that finds nobody listening tries again only after a tenth of a second. The other
// methods may be called before Start has returned; messages of comms wait for it.
type Starter interface {
	Start()
}

// Evaluator is an Engine that evaluates the user_expressions of an execute_request. It is
// called after the cell has succeeded and before the next one begins.
type Evaluator interface {
	Evaluate(ctx context.Context, expression string) (display.Bundle, *display.Failure)
}

// Inspector is an Engine that lists its variables for JupyterLab's variable panel. Both
// methods are called while a cell runs.
type Inspector interface {
	// Variables lists what the cells so far have defined.
	Variables() []Variable
	// RichVariable shows one of them.
	RichVariable(name string) (b display.Bundle, found bool)
}

// Variable is one row of the variable panel.
type Variable struct {
	Name  string
	Type  string
	Value string // one line
}

// Interrupter is an Engine that does things between cells, such as what events of widgets ask for.
// Interrupt stops what it does; the context of a cell that runs ends besides.
type Interrupter interface {
	Interrupt()
}

// Pager is implemented by the Output that the kernel gives to Execute. A cell such as "name?"
// calls Page to show help in the front end's pager, apart from the cell's output.
type Pager interface {
	Page(b display.Bundle)
}

// NextInput is implemented by the Output that the kernel gives to Execute. It puts text into
// a new cell below, or with replace into this one.
type NextInput interface {
	SetNextInput(text string, replace bool)
}

// Exiter is implemented by the Output that the kernel gives to Execute. It asks the front end to
// end, which a console does and a notebook does not.
type Exiter interface {
	AskExit()
}

// ErrInterrupted is the cause of the context of a cell that the user stopped.
var ErrInterrupted = errors.New("interrupted")

// errEnding is the cause of the context of a cell that runs when the kernel ends.
var errEnding = errors.New("the kernel is ending")

// Options describe the kernel to its clients, and its place in the process.
type Options struct {
	Implementation string // default "kernel"
	Version        string // default "0"
	Banner         string // default: implementation and version
	HelpLinks      []wire.HelpLink
	Language       wire.LanguageInfo // default: Go, with the version of this build
	HistoryFile    string            // keeps the history; "": it ends with the process

	// OwnsProcess is set by a program that is nothing but this kernel: SIGINT then
	// interrupts the cell, SIGTERM ends Serve, and so does the death of the parent.
	OwnsProcess bool

	Logger *slog.Logger // default: none
}

// resolved returns o with its defaults.
func (o Options) resolved() Options {
	if o.Implementation == "" {
		o.Implementation = "kernel"
	}
	if o.Version == "" {
		o.Version = "0"
	}
	if o.Banner == "" {
		o.Banner = o.Implementation + " " + o.Version
	}
	if o.Language.Name == "" {
		o.Language = goLanguage()
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	return o
}
