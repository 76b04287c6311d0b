package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"

	"github.com/gonb-svm/gonb-svm/bindings"
	"github.com/gonb-svm/gonb-svm/kernel"
	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

func newKernel() *cobra.Command {
	return &cobra.Command{
		Use:   "kernel CONNECTION_FILE",
		Short: "Serve a Jupyter client; this is what Jupyter runs",
		Args:  usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			connection, err := kernel.ReadConnection(args[0])
			if err != nil {
				return usageError{err}
			}
			engine := &notebookEngine{}
			server := kernel.New(connection, engine, kernelOptions())
			engine.session = sync.OnceValues(func() (*bindings.Session, error) { return newSession(server.Comms()) })
			defer engine.close()
			return server.Serve(cmd.Context())
		},
	}
}

func kernelOptions() kernel.Options {
	o := kernel.Options{
		Implementation: "gonb-svm",
		Version:        version,
		Banner:         versionLine() + "\nsvm.Help() lists what there is.",
		HelpLinks: []wire.HelpLink{
			{Text: "The Go language", URL: "https://go.dev/ref/spec"},
			{Text: "Go's standard library", URL: "https://pkg.go.dev/std"},
			{Text: "Gonum", URL: "https://pkg.go.dev/gonum.org/v1/gonum"},
			{Text: "Gonum plot", URL: "https://pkg.go.dev/gonum.org/v1/plot"},
		},
		OwnsProcess: true,
		Logger:      slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	}
	// Without a place for it the history just ends with the process.
	if file, err := xdg.StateFile(filepath.Join("gonb-svm", "history.jsonl")); err == nil {
		o.HistoryFile = file
	}
	return o
}

// notebookEngine is a session as the kernel wants it. The session is made when the kernel
// listens.
type notebookEngine struct {
	session func() (*bindings.Session, error)
}

// newSession makes the session of a kernel, with its widgets on the kernel's comms.
func newSession(comms *kernel.Comms) (*bindings.Session, error) {
	session, err := bindings.NewSession(bindings.Options{})
	if err == nil {
		connectWidgets(comms, session.Widgets())
	}
	return session, err
}

// Start makes the session.
func (n *notebookEngine) Start() { n.session() }

func (n *notebookEngine) close() {
	if session, err := n.session(); err == nil {
		session.Close()
	}
}

// Execute runs a cell, and says so if there is no session to run it in.
func (n *notebookEngine) Execute(ctx context.Context, cell display.Cell, out display.Output) display.Outcome {
	session, err := n.session()
	if err != nil {
		return display.Outcome{Failure: &display.Failure{Name: "InternalError", Message: err.Error()}}
	}
	return session.Execute(ctx, cell, out)
}

func (n *notebookEngine) Complete(code string, cursor int) display.Completion {
	session, err := n.session()
	if err != nil {
		return display.Completion{}
	}
	return session.Complete(code, cursor)
}

func (n *notebookEngine) Inspect(code string, cursor, level int) (display.Bundle, bool) {
	session, err := n.session()
	if err != nil {
		return display.Bundle{}, false
	}
	return session.Inspect(code, cursor, level)
}

func (n *notebookEngine) Completeness(code string) (status, indent string) {
	session, err := n.session()
	if err != nil {
		return "unknown", ""
	}
	return session.Completeness(code)
}

func (n *notebookEngine) Variables() []kernel.Variable {
	session, err := n.session()
	if err != nil {
		return nil
	}
	var all []kernel.Variable
	for _, v := range session.Variables() {
		all = append(all, kernel.Variable{Name: v.Name, Type: v.Type, Value: v.Text})
	}
	return all
}

// RichVariable shows a variable as the last expression of a cell would be.
func (n *notebookEngine) RichVariable(name string) (display.Bundle, bool) {
	session, err := n.session()
	if err != nil {
		return display.Bundle{}, false
	}
	value, ok := session.Lookup(name)
	if !ok {
		return display.Bundle{}, false
	}
	return display.Of(value, ""), true
}

// Evaluate computes one of the user_expressions of a request, with its output thrown away.
func (n *notebookEngine) Evaluate(ctx context.Context, expression string) (display.Bundle, *display.Failure) {
	outcome := n.Execute(ctx, display.Cell{Source: expression}, discard{})
	switch {
	case outcome.Failure != nil:
		return display.Bundle{}, outcome.Failure
	case outcome.Result == nil:
		message := fmt.Sprintf("%s has no value", expression)
		return display.Bundle{}, &display.Failure{Name: "ValueError", Message: message, Traceback: []string{message}}
	}
	return *outcome.Result, nil
}

// discard is where the output of user_expressions goes.
type discard struct{}

func (discard) Stream(string, string)          {}
func (discard) Display(display.Bundle, string) {}
func (discard) Update(string, display.Bundle)  {}
func (discard) Clear(bool)                     {}
func (discard) Input(string, bool) (string, error) {
	return "", errors.New("an expression cannot ask for input")
}
