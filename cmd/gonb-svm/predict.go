package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
	"github.com/gonb-svm/gonb-svm/solvers/serve"
)

func newPredict() *cobra.Command {
	var model, out string
	var values bool
	cmd := &cobra.Command{
		Use:   "predict -m MODEL [-o OUT] FILE",
		Short: "Predict the classes of the rows in a file",
		Long: "Writes a label for each row of a file of LIBSVM text, a CSV table or IDX images, and says on stderr how many\n" +
			"agree with the labels in the file. The model is a LIBSVM model file, ours or svm-train's, of two or more classes.",
		Args: usageArgs(cobra.ExactArgs(1)),
		RunE: func(_ *cobra.Command, args []string) error { return predictFile(model, args[0], out, values) },
	}
	cmd.Flags().StringVarP(&model, "model", "m", "", "the `MODEL` file")
	cmd.Flags().StringVarP(&out, "output", "o", "", "write to `OUT` instead of stdout")
	cmd.Flags().BoolVar(&values, "decisions", false, "write the decision value after each label, with more than two classes those of all pairs")
	return cmd
}

func predictFile(model, file, out string, values bool) error {
	m, err := loadModel(model)
	if err != nil {
		return err
	}
	d, err := datasets.LoadFile(file)
	if err != nil {
		return usageError{err}
	}
	w := io.Writer(os.Stdout)
	if out != "" {
		f, err := os.Create(out)
		if err != nil {
			return err
		}
		defer f.Close()
		w = f
	}
	buffered := bufio.NewWriterSize(w, 1<<16)
	n, right, binary := d.Len(), 0, d.Binary()
	var line []byte
	for i, decisions := range m.Decisions(d) {
		label := m.Label(decisions)
		if agrees(m, d, d.Y[i], label, binary) {
			right++
		}
		line = strconv.AppendFloat(line[:0], label, 'g', -1, 64)
		if values {
			for _, f := range decisions {
				line = strconv.AppendFloat(append(line, ' '), f, 'g', -1, 64)
			}
		}
		buffered.Write(append(line, '\n')) // Flush says what went wrong
	}
	if err := buffered.Flush(); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "Accuracy = %.6g%% (%d/%d)\n", 100*float64(right)/float64(n), right, n)
	return nil
}

// agrees tells whether label is that of a row of d with label y. In a set that is binary, y is -1 or +1
// for the lesser and the greater label, and so are the classes of a model of two; rows of one class
// alone have its label.
func agrees(m *solvers.MultiModel, d *solvers.Dataset, y, label float64, binary bool) bool {
	switch {
	case !binary:
		return label == y
	case len(m.Labels) == 2:
		return label == m.Labels[0] == (y < 0)
	case len(d.Labels) == 2 && y < 0:
		return label == d.Labels[0]
	case len(d.Labels) == 2:
		return label == d.Labels[1]
	}
	return label == y
}

func loadModel(file string) (*solvers.MultiModel, error) {
	if file == "" {
		return nil, usageError{errors.New("no model: want -m MODEL")}
	}
	m, err := solvers.LoadMultiModel(file)
	if err != nil {
		return nil, usageError{err}
	}
	return m, nil
}

func newServe() *cobra.Command {
	var model, address string
	var limits serve.Limits
	cmd := &cobra.Command{
		Use:   "serve -m MODEL",
		Short: "Predict classes over HTTP",
		Long: "Answers POST /predict, with rows as JSON such as {\"rows\": [[0.5, 0, 1], {\"3\": 1}]} or as LIBSVM text, and GET /,\n" +
			"what the model is. It listens on this machine only, unless --listen names another address. Interrupt ends it\n" +
			"when the requests begun are answered.",
		Args: usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error { return serveModel(cmd.Context(), model, address, limits) },
	}
	cmd.Flags().StringVarP(&model, "model", "m", "", "the `MODEL` file")
	cmd.Flags().StringVar(&address, "listen", "127.0.0.1:8080", "`ADDRESS` and port; port 0 takes a free one")
	cmd.Flags().Int64Var(&limits.MaxBytes, "max-bytes", 16<<20, "greatest `SIZE` of a request in bytes")
	cmd.Flags().DurationVar(&limits.Timeout, "timeout", 10*time.Second, "longest `DURATION` of a request")
	return cmd
}

func serveModel(ctx context.Context, model, address string, limits serve.Limits) error {
	if limits.MaxBytes <= 0 || limits.Timeout <= 0 {
		return usageError{fmt.Errorf("--max-bytes %d and --timeout %v: want more than 0", limits.MaxBytes, limits.Timeout)}
	}
	m, err := loadModel(model)
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	defer stop()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", address)
	if err != nil {
		return usageError{err}
	}
	fmt.Fprintf(os.Stderr, "%s\nlistening on http://%s\n", serve.Describe(m), listener.Addr())
	return serve.Serve(ctx, listener, m, limits)
}
