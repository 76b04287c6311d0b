// Command gonb-svm is a Jupyter kernel, notebook runner and REPL for Go with solvers for
// sparse kernel support vector machines and plotting preloaded.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"
)

// Exit codes.
const (
	exitFailed = 1 // a cell failed, or the command could not do its work
	exitUsage  = 2 // bad arguments
)

// usageError is a mistake in the arguments.
type usageError struct{ err error }

func (e usageError) Error() string { return e.err.Error() }
func (e usageError) Unwrap() error { return e.err }

// silentError ends the program with exitFailed when what there is to say has been said.
type silentError struct{}

func (silentError) Error() string { return "failed" }

func main() { os.Exit(execute(context.Background(), os.Args[1:])) }

// execute runs the command line and gives the exit code.
func execute(ctx context.Context, args []string) int {
	root := newRoot()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "gonb-svm: %v\n", err)
		return exitUsage
	case !errors.Is(err, silentError{}):
		fmt.Fprintf(os.Stderr, "gonb-svm: %v\n", err)
	}
	return exitFailed
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "gonb-svm",
		Short: "Go notebooks for sparse support vector machines",
		Long: "gonb-svm is a Jupyter kernel, a notebook runner and a REPL for Go, with solvers for sparse\n" +
			"kernel support vector machines and plotting preloaded.",
		Args:          usageArgs(cobra.NoArgs),
		SilenceErrors: true,
		SilenceUsage:  true,
		RunE:          func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newInstall(), newUninstall(), newDoctor(), newVersion(), newKernel(), newRun(), newREPL(), newLab(), newPredict(), newServe(), newSweep())
	return root
}

// usageArgs makes what check finds a usageError.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if err := check(cmd, args); err != nil {
			return usageError{fmt.Errorf("%w; see gonb-svm %s --help", err, cmd.Name())}
		}
		return nil
	}
}
