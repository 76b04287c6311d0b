package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/sweep"
)

func newSweep() *cobra.Command {
	var o sweep.Options
	var out string
	cmd := &cobra.Command{
		Use:   "sweep [--results FOLDER] [-o OUT] SPEC.json [-- FLAG...]",
		Short: "Run the trials of a comparison, here or on a cluster",
		Long: "Runs the trials of SPEC.json as an Apache Beam pipeline, by the program gonb-svm-sweep: on this machine, or on\n" +
			"what --runner and --endpoint name. Prints the table of the comparison. Results are kept in a folder, and trials\n" +
			"that have one there are not run again. After -- stand flags for Beam; gonb-svm-sweep --help lists them.\n\n" +
			"    {\"Train\": {\"Name\": \"a8a\", \"Rows\": 2000}, \"HeldOut\": {\"Name\": \"a8a\"},\n" +
			"     \"Methods\": [{\"Solver\": {\"ISSVM\": {\"Aggressive\": true}},\n" +
			"                  \"Reference\": {\"SMO\": {\"C\": 1, \"Kernel\": {\"RBF\": {\"Gamma\": 0.1}}}},\n" +
			"                  \"Grid\": {\"Eta\": [0.25, 1], \"Epsilon\": [0.25, 0.5]}}]}",
		Args: usageArgs(cobra.MinimumNArgs(1)),
		RunE: func(cmd *cobra.Command, args []string) error {
			o.Flags = args[1:]
			return runSweep(cmd.Context(), args[0], out, o)
		},
	}
	cmd.Flags().StringVar(&o.Folder, "results", "", "`FOLDER` for the results; default: SPEC.results")
	cmd.Flags().StringVarP(&out, "output", "o", "", "write the results to `OUT`, too, one line of JSON each")
	cmd.Flags().StringVar(&o.Runner, "runner", "", "`RUNNER` of Apache Beam: prism (default), flink, spark, universal, dataflow")
	cmd.Flags().StringVar(&o.Endpoint, "endpoint", "", "`HOST:PORT` of the runner's job server")
	return cmd
}

func runSweep(ctx context.Context, file, out string, o sweep.Options) error {
	f, err := os.Open(file)
	if err != nil {
		return usageError{err}
	}
	defer f.Close()
	spec, err := solvers.ReadSweep(f)
	if err != nil {
		return usageError{fmt.Errorf("%s: %w", file, err)}
	}
	if o.Folder == "" {
		o.Folder = file + ".results"
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	terminal := term.IsTerminal(int(os.Stderr.Fd()))
	results, resolved, err := sweep.Run(ctx, spec, o, func(done, total int, last *solvers.TrialResult) {
		if terminal {
			fmt.Fprintf(os.Stderr, "\r\x1b[K%d/%d trials  %s", done, total, last.Trial.Method)
		}
	})
	if terminal {
		fmt.Fprint(os.Stderr, "\r\x1b[K")
	}
	if out != "" {
		if wrong := writeResults(out, results); wrong != nil {
			return errors.Join(err, wrong)
		}
	}
	if resolved != nil && len(results) > 0 {
		c, wrong := resolved.Comparison(results)
		if wrong != nil {
			return errors.Join(err, wrong)
		}
		fmt.Println(c)
	}
	return err
}

// writeResults makes a file that Protocol.File takes.
func writeResults(file string, results []solvers.TrialResult) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	encoder := json.NewEncoder(f)
	for _, r := range results {
		if err := encoder.Encode(r); err != nil {
			return errors.Join(err, f.Close())
		}
	}
	return f.Close()
}
