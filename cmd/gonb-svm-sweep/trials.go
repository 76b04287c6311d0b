package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"github.com/gonb-svm/gonb-svm/solvers"
)

func init() { register.DoFn2x1[context.Context, string, error](&runTrial{}) }

// pipeline runs the trials, each a JSON text, on what workers the runner has.
func pipeline(sweep, place, run string, trials []string) *beam.Pipeline {
	p, s := beam.NewPipelineWithRoot()
	// Without Reshuffle a runner would take the list and all that comes after it as one piece of work.
	beam.ParDo0(s, &runTrial{Sweep: sweep, Folder: place, Run: run}, beam.Reshuffle(s, beam.CreateList(s, trials)))
	return p
}

// runTrial runs trials and keeps their results. Beam writes the exported fields down and sends
// them to the workers, which is why the data are not among them.
type runTrial struct {
	Sweep  string // JSON, with checksums
	Folder string
	Run    string // differs each time that the sweep is started

	bench *solvers.Bench
	kept  *folder
}

// Setup is called before the first trial of a worker, by some runners for each of its goroutines.
func (f *runTrial) Setup(ctx context.Context) error {
	var err error
	if f.bench, err = workerData.load(ctx, f.Sweep); err != nil {
		return err
	}
	f.kept, err = openFolder(ctx, f.Folder)
	return err
}

// attempts is how often a trial is begun in one run: if that many workers died of it, for want of
// memory as it may be, that is its result.
const attempts = 3

// ProcessElement runs one trial. An error is of the worker or the folder, and makes the runner try
// again; what goes wrong in the trial is its result.
func (f *runTrial) ProcessElement(ctx context.Context, text string) error {
	var trial solvers.Trial
	if err := json.Unmarshal([]byte(text), &trial); err != nil {
		return err
	}
	key := trial.Key()
	if has, err := f.kept.has(ctx, key); has || err != nil {
		return err
	}
	before, err := f.kept.begin(ctx, f.Run, key)
	if err != nil {
		return err
	}
	if before >= attempts {
		return f.kept.keep(ctx, solvers.TrialResult{Key: key, Trial: trial,
			Error: fmt.Sprintf("%d workers began with it, and none came to an end", before)})
	}
	active := workerData.active.Add(1)
	defer workerData.active.Add(-1)
	workers := max(1, runtime.GOMAXPROCS(0)/int(active))
	result, err := f.bench.Run(ctx, trial, workers)
	if err != nil {
		return err
	}
	return f.kept.keep(ctx, result)
}

// workerData is what the goroutines of a worker share. It has to be a variable of the package: Beam
// makes the runTrials, several in a process, and gives them nothing but their exported fields.
var workerData = benches{loaded: map[string]func() (*solvers.Bench, error){}}

// benches are the data of sweeps, each loaded once.
type benches struct {
	active atomic.Int64 // trials that are being run
	mutex  sync.Mutex
	loaded map[string]func() (*solvers.Bench, error) // by checksums
}

func dataKey(s *solvers.SweepSpec) string { return s.Train.Checksum + s.HeldOut.Checksum }

// put notes data that are here already: this process is a worker, too, unless others are named.
func (b *benches) put(s *solvers.SweepSpec, train, heldOut *solvers.Dataset) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	bench := solvers.NewBench(train, heldOut)
	b.loaded[dataKey(s)] = func() (*solvers.Bench, error) { return bench, nil }
}

func (b *benches) load(ctx context.Context, text string) (*solvers.Bench, error) {
	sweep, err := solvers.ReadSweep(strings.NewReader(text))
	if err != nil {
		return nil, err
	}
	key := dataKey(sweep)
	b.mutex.Lock()
	load, known := b.loaded[key]
	if !known {
		load = sync.OnceValues(func() (*solvers.Bench, error) {
			train, heldOut, err := sweep.Load(context.WithoutCancel(ctx), open)
			if err != nil {
				return nil, err
			}
			return solvers.NewBench(train, heldOut), nil
		})
		b.loaded[key] = load
	}
	b.mutex.Unlock()
	bench, err := load()
	if err != nil { // the next try may find what was not there
		b.mutex.Lock()
		delete(b.loaded, key)
		b.mutex.Unlock()
	}
	return bench, err
}

// open opens a web address, or one of a file system that Beam knows, such as gs://.
func open(ctx context.Context, address string) (io.ReadCloser, error) {
	if !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "https://") {
		files, err := filesystem.New(ctx, address)
		if err != nil {
			return nil, err
		}
		return files.OpenRead(ctx, address)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, err
	}
	if answer.StatusCode != http.StatusOK {
		answer.Body.Close()
		return nil, fmt.Errorf("the server says %s", answer.Status)
	}
	return answer.Body, nil
}
