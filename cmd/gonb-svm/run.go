package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gonb-svm/gonb-svm/bindings"
	"github.com/gonb-svm/gonb-svm/notebooks"
)

// runFlags are the flags of gonb-svm run.
type runFlags struct {
	out, html, junit string
	parameters       []string
	timeout          time.Duration
	failFast         bool
	keepGoing        bool
}

func newRun() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run [-o OUT.ipynb] [-p NAME=VALUE]... [--html OUT.html] [--junit OUT.xml] FILE.ipynb|FILE.go",
		Short: "Run a notebook or a script",
		Long: "Runs the cells of a notebook, or of a Go script whose cells are separated by lines //%%, in the folder\n" +
			"of the file. What cells print goes to stdout as it comes, errors to stderr. Exits with 0 when every cell\n" +
			"succeeded, 1 when one failed (cells tagged raises-exception apart), and 2 on bad arguments. After a cell\n" +
			"that failed, one that took too long too, no other is run, unless --keep-going is given.",
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error { return runFile(cmd.Context(), args[0], flags) },
	}
	cmd.Flags().StringVarP(&flags.out, "output", "o", "", "write the executed notebook to `OUT.ipynb`")
	cmd.Flags().StringVar(&flags.html, "html", "", "write it as a web page to `OUT.html`")
	cmd.Flags().StringArrayVarP(&flags.parameters, "parameter", "p", nil, "`NAME=VALUE`: set a variable after the cell tagged parameters; may be repeated")
	cmd.Flags().StringVar(&flags.junit, "junit", "", "write what came of each cell to `OUT.xml`, in the format of JUnit")
	const limit = "interrupt a cell that runs longer than this `DURATION`, such as 90s or 5m; it has failed then"
	cmd.Flags().DurationVar(&flags.timeout, "cell-timeout", 0, limit)
	cmd.Flags().DurationVar(&flags.timeout, "timeout", 0, "the same as --cell-timeout `DURATION`")
	cmd.Flags().BoolVar(&flags.failFast, "fail-fast", false, "end at the first cell that fails: the default")
	cmd.Flags().BoolVar(&flags.keepGoing, "keep-going", false, "run the cells after a failed one too")
	return cmd
}

func runFile(ctx context.Context, file string, flags runFlags) error {
	options, err := flags.options()
	if err != nil {
		return usageError{err}
	}
	n, err := readNotebook(file)
	if err != nil {
		return usageError{err}
	}
	if err := absolute(&flags.out, &flags.html, &flags.junit); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	session, err := bindings.NewSession(bindings.Options{Args: []string{file}, Dir: filepath.Dir(file)})
	if err != nil {
		return err
	}
	defer session.Close()
	report, err := notebooks.Run(ctx, session, n, options)
	if errors.Is(err, context.Canceled) {
		err = errors.New("interrupted")
	}
	// What has run is kept also when something failed.
	junit := func(w io.Writer, n *notebooks.Notebook) error { return notebooks.WriteJUnit(w, n, report) }
	err = errors.Join(err, writeFile(flags.out, n, notebooks.Write), writeFile(flags.html, n, notebooks.WriteHTML),
		writeFile(flags.junit, n, junit))
	if err != nil {
		return err
	}
	if !report.OK() {
		fmt.Fprintf(os.Stderr, "gonb-svm: %s: %v\n", file, report)
		return silentError{}
	}
	return nil
}

// options checks the flags.
func (f runFlags) options() (notebooks.Options, error) {
	o := notebooks.Options{Timeout: f.timeout, KeepGoing: f.keepGoing, Stdout: os.Stdout, Stderr: os.Stderr,
		Color: term.IsTerminal(int(os.Stderr.Fd()))}
	if f.timeout < 0 {
		return o, fmt.Errorf("--cell-timeout %v: want a positive duration such as 90s", f.timeout)
	}
	if f.failFast && f.keepGoing {
		return o, errors.New("--fail-fast and --keep-going: want one of them at most")
	}
	for _, text := range f.parameters {
		p, err := notebooks.ParseParameter(text)
		if err != nil {
			return o, err
		}
		o.Parameters = append(o.Parameters, p)
	}
	return o, nil
}

// readNotebook reads a notebook or, by the ending .go, a script.
func readNotebook(file string) (*notebooks.Notebook, error) {
	read := notebooks.Read
	switch filepath.Ext(file) {
	case ".go":
		read = notebooks.ReadScript
	case ".ipynb":
	default:
		return nil, fmt.Errorf("%s: want a file that ends in .ipynb or .go", file)
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return read(bytes.NewReader(source), file)
}

// absolute makes paths independent of the working directory, which a session changes. Empty
// ones stay empty.
func absolute(paths ...*string) error {
	var all error
	for _, path := range paths {
		if *path == "" {
			continue
		}
		var err error
		*path, err = filepath.Abs(*path)
		all = errors.Join(all, err)
	}
	return all
}

// writeFile writes the notebook under another name first, so that a file that was there is
// whole until the new one is. An empty name asks for nothing.
func writeFile(file string, n *notebooks.Notebook, write func(w io.Writer, n *notebooks.Notebook) error) error {
	if file == "" {
		return nil
	}
	var b bytes.Buffer
	if err := write(&b, n); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	if info, err := os.Lstat(file); err == nil && !info.Mode().IsRegular() { // a device or a link stays one
		return os.WriteFile(file, b.Bytes(), 0o644)
	}
	fresh := file + ".new"
	if err := os.WriteFile(fresh, b.Bytes(), 0o644); err != nil {
		return err
	}
	return os.Rename(fresh, file)
}
