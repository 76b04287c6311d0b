// Command gonb-svm-sweep runs a sweep, the trials of a comparison of solvers, as an Apache Beam
// pipeline: in its own process, or with --runner and --endpoint on Flink, Spark or Dataflow. It is
// the program that the workers run, too. gonb-svm sweep and svm.Sweep start it.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/google/uuid"

	"github.com/gonb-svm/gonb-svm/solvers"
)

const usage = `usage: gonb-svm-sweep [--results FOLDER] [--runner R] [--endpoint HOST:PORT] [FLAG OF BEAM]... SPEC.json

Runs the trials of a sweep as an Apache Beam pipeline: in this process (the default, --runner=prism), or
on what --runner=flink, spark or universal finds at --endpoint, a Beam job server, or on --runner=dataflow.
Writes the result of each trial to FOLDER (default: SPEC.results) and, as a line of JSON, to stdout. Trials
that have a result there are not run again. SPEC.json is described at solvers.SweepSpec.

Workers must reach the data and FOLDER by the names given: a shared folder, or addresses as gs://.
On a job server of this machine the workers are goroutines of this process, unless --environment_type says
otherwise: PROCESS with --environment_config='{"command": "/path/to/gonb-svm-sweep"}', DOCKER.

Flags:
`

// Exit codes, as of gonb-svm.
const (
	exitFailed = 1
	exitUsage  = 2
)

func main() {
	results := flag.String("results", "", "`FOLDER` for the results; default: SPEC.results")
	resolved := flag.String("resolved", "", "write SPEC.json with the checksums of its data to `FILE`")
	verbose := flag.Bool("verbose", false, "show what Beam logs, too")
	provision := flag.String("provision_endpoint", "", "where a runner that starts this program as a worker tells more")
	flag.String("artifact_endpoint", "", "given by runners to workers, and not used")
	flag.Usage = func() {
		fmt.Fprint(os.Stderr, usage)
		flag.PrintDefaults()
	}
	flag.Parse()
	log.LogLevel = "warn"
	if *verbose {
		log.LogLevel = "info"
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if *provision != "" {
		exit(work(ctx, *provision))
	}
	beam.Init() // in a worker that a container started this does not return
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(exitUsage)
	}
	exit(run(ctx, flag.Arg(0), *results, *resolved, os.Stdout))
}

func exit(err error) {
	switch {
	case err == nil:
		os.Exit(0)
	case errors.As(err, new(specError)):
		fmt.Fprintln(os.Stderr, "gonb-svm-sweep:", err)
		os.Exit(exitUsage)
	}
	fmt.Fprintln(os.Stderr, "gonb-svm-sweep:", err)
	os.Exit(exitFailed)
}

// specError is a mistake in what the user gave.
type specError struct{ error }

func (e specError) Unwrap() error { return e.error }

// run runs the sweep of a file. Results go to lines as they come.
func run(ctx context.Context, file, place, resolvedFile string, lines io.Writer) error {
	sweep, err := readSpec(ctx, file)
	if err != nil {
		return specError{err}
	}
	if place == "" {
		place = file + ".results"
	}
	kept, err := openFolder(ctx, place)
	if err != nil {
		return specError{err}
	}
	resolved, err := json.MarshalIndent(sweep, "", "\t")
	if err != nil {
		return err
	}
	if resolvedFile != "" {
		if err := os.WriteFile(resolvedFile, resolved, 0o644); err != nil {
			return specError{err}
		}
	}
	if err := kept.write(ctx, kept.path("sweep.json"), append(resolved, '\n')); err != nil {
		return err
	}
	trials, err := sweep.Trials()
	if err != nil {
		return specError{err}
	}
	watch := newWatch(kept, trials, lines)
	if err := watch.look(ctx); err != nil {
		return err
	}
	left, err := watch.left()
	if err != nil || len(left) == 0 {
		return err
	}
	if err := localWorkers(); err != nil {
		return specError{err}
	}
	stop := watch.start(ctx)
	err = beamx.Run(ctx, pipeline(string(resolved), kept.place, uuid.NewString(), left))
	if watched := stop(); err == nil {
		err = watched
	}
	if err == nil {
		err = ctx.Err()
	}
	if err == nil && len(watch.missing) > 0 {
		err = fmt.Errorf("the runner ended, but %d trials have no result in %s", len(watch.missing), kept.place)
	}
	return err
}

// readSpec reads a sweep and the checksums of its data, and so checks that it can be had.
func readSpec(ctx context.Context, file string) (*solvers.SweepSpec, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	sweep, err := solvers.ReadSweep(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	for _, source := range []*solvers.SweepSource{&sweep.Train, &sweep.HeldOut} {
		if source.File != "" && !strings.Contains(source.File, "://") { // workers may have another working folder
			if source.File, err = filepath.Abs(source.File); err != nil {
				return nil, err
			}
		}
	}
	train, heldOut, err := sweep.Load(ctx, open)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	sweep.Train.Checksum, sweep.HeldOut.Checksum = train.Checksum(), heldOut.Checksum()
	workerData.put(sweep, train, heldOut)
	return sweep, nil
}
