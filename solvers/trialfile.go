package solvers

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
)

// trialFile is results as JSON, one to a line. Each is written at once and stays, so that a run
// that was killed loses only what it was at.
type trialFile struct {
	file *os.File // nil: results are not kept
	done map[string]TrialResult
}

// openTrials reads the results that a file has, and makes it if it is not there. A last line
// that is not whole, as a kill leaves it, is taken away; any other line that is no result is an error,
// because then the file is something else.
func openTrials(name string) (*trialFile, error) {
	f := &trialFile{done: map[string]TrialResult{}}
	if name == "" {
		return f, nil
	}
	file, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, fmt.Errorf("Protocol.File: %w", err)
	}
	f.file = file
	if err := f.read(); err != nil {
		return nil, errors.Join(err, file.Close())
	}
	return f, nil
}

func (f *trialFile) read() error {
	data, err := io.ReadAll(f.file)
	if err != nil {
		return fmt.Errorf("Protocol.File: %w", err)
	}
	whole := bytes.LastIndexByte(data, '\n') + 1
	number := 0
	for line := range bytes.Lines(data[:whole]) {
		number++
		var r TrialResult
		if err := json.Unmarshal(line, &r); err != nil || r.Key == "" {
			return fmt.Errorf("%s:%d: no result of a trial: want a file that Compare wrote, or a new one", f.file.Name(), number)
		}
		f.done[r.Key] = r
	}
	if whole < len(data) {
		if err := f.file.Truncate(int64(whole)); err != nil {
			return fmt.Errorf("Protocol.File: %w", err)
		}
	}
	return nil
}

// add notes a result.
func (f *trialFile) add(r TrialResult) error {
	f.done[r.Key] = r
	if f.file == nil {
		return nil
	}
	line, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("Protocol.File: %w", err)
	}
	if _, err := f.file.Write(append(line, '\n')); err != nil {
		return fmt.Errorf("Protocol.File: %w", err)
	}
	return nil
}

func (f *trialFile) close() error {
	if f.file == nil {
		return nil
	}
	return f.file.Close()
}
