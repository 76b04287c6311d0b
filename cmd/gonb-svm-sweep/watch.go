package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// watch writes the lines of results as they appear in the folder.
type watch struct {
	kept    *folder
	trials  []solvers.Trial
	lines   io.Writer
	missing map[string]bool // keys of the trials without a line
}

func newWatch(kept *folder, trials []solvers.Trial, lines io.Writer) *watch {
	w := &watch{kept, trials, lines, map[string]bool{}}
	for _, t := range trials {
		w.missing[t.Key()] = true
	}
	return w
}

// look writes the lines of what is new.
func (w *watch) look(ctx context.Context) error {
	keys, err := w.kept.done(ctx)
	if err != nil {
		return err
	}
	for _, key := range keys {
		if !w.missing[key] {
			continue
		}
		line, err := w.kept.result(ctx, key)
		if err != nil {
			return err
		}
		delete(w.missing, key)
		if _, err := w.lines.Write(append(bytes.TrimSpace(line), '\n')); err != nil {
			return err
		}
	}
	return nil
}

// left are the trials without a line, as JSON.
func (w *watch) left() ([]string, error) {
	var left []string
	for _, t := range w.trials {
		if !w.missing[t.Key()] {
			continue
		}
		text, err := json.Marshal(t)
		if err != nil {
			return nil, err
		}
		left = append(left, string(text))
	}
	return left, nil
}

// start looks again and again, until what it returns is called, which looks a last time.
func (w *watch) start(ctx context.Context) (stop func() error) {
	pause := 200 * time.Millisecond
	if strings.Contains(w.kept.place, "://") {
		pause = 5 * time.Second
	}
	ended, done := make(chan struct{}), make(chan error, 1)
	go func() {
		var failed error
		for {
			select {
			case <-ended:
				done <- failed
				return
			case <-time.After(pause):
				if failed == nil {
					failed = w.look(ctx)
				}
			}
		}
	}()
	return func() error {
		close(ended)
		return errors.Join(<-done, w.look(context.WithoutCancel(ctx)))
	}
}
