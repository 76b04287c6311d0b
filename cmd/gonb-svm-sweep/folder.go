package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/google/uuid"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// folder is where the results of a sweep are kept, on a file system that Beam knows and all
// workers see:
//
//	sweep.json              what was run last, with the checksums of its data
//	results/KEY.json        the result of a trial, one line; it is there as a whole or not at all
//	begun/RUN/KEY-…         an empty file for each time that a worker began with the trial
//
// A trial with a result is never run again.
type folder struct {
	place string
	files filesystem.Interface
}

func openFolder(ctx context.Context, place string) (*folder, error) {
	if !strings.Contains(place, "://") {
		absolute, err := filepath.Abs(place) // workers may have another working folder
		if err != nil {
			return nil, err
		}
		place = absolute
	}
	files, err := filesystem.New(ctx, place)
	if err != nil {
		return nil, err
	}
	return &folder{strings.TrimRight(place, "/"), files}, nil
}

func (f *folder) path(parts ...string) string {
	return f.place + "/" + path.Join(parts...)
}

// write makes a file that is there as a whole or not at all.
func (f *folder) write(ctx context.Context, name string, data []byte) error {
	mover, ok := f.files.(filesystem.Renamer)
	temporary := name
	if ok && !strings.Contains(f.place, "://") { // of the others an object appears when it is whole
		temporary = name + ".partial-" + uuid.NewString()
	}
	w, err := f.files.OpenWrite(ctx, temporary)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	if closed := w.Close(); err == nil {
		err = closed
	}
	if err != nil || temporary == name {
		return err
	}
	return mover.Rename(ctx, temporary, name)
}

func (f *folder) read(ctx context.Context, name string) ([]byte, error) {
	r, err := f.files.OpenRead(ctx, name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// done are the keys of the trials that have a result.
func (f *folder) done(ctx context.Context) ([]string, error) {
	names, err := f.files.List(ctx, f.path("results", "*.json"))
	if err != nil {
		return nil, fmt.Errorf("results in %s: %w", f.place, err)
	}
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = strings.TrimSuffix(path.Base(filepath.ToSlash(name)), ".json")
	}
	slices.Sort(keys)
	return keys, nil
}

func (f *folder) has(ctx context.Context, key string) (bool, error) {
	names, err := f.files.List(ctx, f.path("results", key+".json"))
	return len(names) > 0, err
}

// result is the line of a trial.
func (f *folder) result(ctx context.Context, key string) ([]byte, error) {
	return f.read(ctx, f.path("results", key+".json"))
}

func (f *folder) keep(ctx context.Context, r solvers.TrialResult) error {
	line, err := json.Marshal(r)
	if err != nil {
		return err
	}
	return f.write(ctx, f.path("results", r.Key+".json"), append(line, '\n'))
}

// begin notes that a trial is begun, and says how often it was before in this run.
func (f *folder) begin(ctx context.Context, run, key string) (before int, err error) {
	names, err := f.files.List(ctx, f.path("begun", run, key+"-*"))
	if err != nil {
		return 0, err
	}
	w, err := f.files.OpenWrite(ctx, f.path("begun", run, key+"-"+uuid.NewString()))
	if err != nil {
		return 0, err
	}
	return len(names), w.Close()
}
