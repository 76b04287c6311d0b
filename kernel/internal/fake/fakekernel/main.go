// Fakekernel is a kernel for the tests: the protocol of package kernel on the engine of
// package fake. Its one argument is a connection file. GONB_FAKE_HISTORY names a history
// file, GONB_FAKE_LOG a log file.
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/gonb-svm/gonb-svm/kernel"
	"github.com/gonb-svm/gonb-svm/kernel/internal/fake"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve() error {
	if len(os.Args) != 2 {
		return fmt.Errorf("usage: fakekernel CONNECTION_FILE")
	}
	connection, err := kernel.ReadConnection(os.Args[1])
	if err != nil {
		return err
	}
	options := kernel.Options{Implementation: "fake", Version: "1", OwnsProcess: true, HistoryFile: os.Getenv("GONB_FAKE_HISTORY")}
	if name := os.Getenv("GONB_FAKE_LOG"); name != "" {
		file, err := os.OpenFile(name, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			return err
		}
		defer file.Close()
		options.Logger = slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	engine := &fake.Engine{}
	server := kernel.New(connection, engine, options)
	engine.Comms = server.Comms()
	engine.Comms.Register("echo", fake.Accept)
	return server.Serve(context.Background())
}
