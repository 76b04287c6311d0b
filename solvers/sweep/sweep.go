// Package sweep runs the trials of a sweep by gonb-svm-sweep, a program of its own, because Apache
// Beam, which spreads them over goroutines, processes or machines, is as large as all the rest.
package sweep

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/adrg/xdg"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// Options say where a sweep is run and where its results are kept. The zero value runs it on this
// machine.
type Options struct {
	// Folder keeps the results, a file for each trial: a sweep that was ended goes on where it was, and
	// what two sweeps have in common is run once. Workers on other machines must reach it by the same
	// name. "": one in the user's cache, by the hash of the sweep
	Folder string

	Runner   string   // of Apache Beam: "flink", "spark", "universal", "dataflow"; "": "prism", in the process
	Endpoint string   // host and port of the runner's job server
	Flags    []string // more that Beam is told, such as "--environment_type=PROCESS"

	// Program is gonb-svm-sweep. "": $GONB_SVM_SWEEP, or that beside this program, or that on the PATH
	Program string
}

// MissingError says that gonb-svm-sweep is not to be found.
type MissingError struct{ Looked []string }

func (e *MissingError) Error() string {
	return fmt.Sprintf("sweeps are run by the program %s, which is not at %s: install.sh installs it beside gonb-svm, "+
		"and so does go install github.com/gonb-svm/gonb-svm/cmd/%s@latest on the PATH; $GONB_SVM_SWEEP may name it", program, strings.Join(e.Looked, ", nor at "), program)
}

const program = "gonb-svm-sweep"

// find is the program's path.
func (o Options) find() (string, error) {
	if named := o.Program; named != "" || os.Getenv("GONB_SVM_SWEEP") != "" {
		if named == "" {
			named = os.Getenv("GONB_SVM_SWEEP")
		}
		path, err := exec.LookPath(named)
		if err != nil {
			return "", &MissingError{[]string{named}}
		}
		return path, nil
	}
	missing := &MissingError{}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), program)
		if path, err := exec.LookPath(beside); err == nil {
			return path, nil
		}
		missing.Looked = append(missing.Looked, beside)
	}
	if path, err := exec.LookPath(program); err == nil {
		return path, nil
	}
	missing.Looked = append(missing.Looked, "$PATH")
	return "", missing
}

// Run runs the trials of a sweep that have no result yet, and gives the results of all, as they
// came. It calls told after each. When ctx ends the results so far are returned with ctx.Err(); workers
// on other machines may go on, and what they do is found in the folder later. resolved is the sweep
// with the checksums of its data, for its Comparison.
func Run(ctx context.Context, s *solvers.SweepSpec, o Options, told func(done, total int, last *solvers.TrialResult)) (results []solvers.TrialResult, resolved *solvers.SweepSpec, err error) {
	text, err := json.MarshalIndent(s, "", "\t")
	if err != nil {
		return nil, nil, plainly(err)
	}
	path, err := o.find()
	if err != nil {
		return nil, nil, err
	}
	if o.Folder == "" {
		sum := sha256.Sum256(text)
		o.Folder = filepath.Join(xdg.CacheHome, "gonb-svm", "sweeps", hex.EncodeToString(sum[:8]))
	}
	temporary, err := os.MkdirTemp("", "gonb-svm-sweep-")
	if err != nil {
		return nil, nil, err
	}
	defer os.RemoveAll(temporary)
	r := &running{spec: filepath.Join(temporary, "sweep.json"), resolved: filepath.Join(temporary, "resolved.json"), told: told}
	if err := os.WriteFile(r.spec, text, 0o644); err != nil {
		return nil, nil, err
	}
	err = r.start(ctx, path, o)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	return r.results, r.sweep, err
}

// plainly is an error without what package json says of the type it was in.
func plainly(err error) error {
	if inner, ok := errors.AsType[*json.MarshalerError](err); ok {
		return plainly(inner.Err)
	}
	return err
}

// running is a run of the program.
type running struct {
	spec, resolved string // files
	told           func(done, total int, last *solvers.TrialResult)
	sweep          *solvers.SweepSpec
	total          int
	results        []solvers.TrialResult
}

func (r *running) start(ctx context.Context, path string, o Options) error {
	arguments := []string{"--results=" + o.Folder, "--resolved=" + r.resolved}
	if o.Runner != "" {
		arguments = append(arguments, "--runner="+o.Runner)
	}
	if o.Endpoint != "" {
		arguments = append(arguments, "--endpoint="+o.Endpoint)
	}
	cmd := exec.CommandContext(ctx, path, slices.Concat(arguments, o.Flags, []string{r.spec})...)
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	said := &tail{}
	cmd.Stderr = said
	lines, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	read := r.read(lines)
	err = cmd.Wait()
	if r.sweep == nil {
		r.sweep, r.total = r.resolve()
	}
	if err != nil {
		return fmt.Errorf("%s: %w%s", program, err, said.text())
	}
	return read
}

// read reads lines of results until there are no more.
func (r *running) read(lines io.Reader) error {
	decoder := json.NewDecoder(lines)
	for {
		var result solvers.TrialResult
		err := decoder.Decode(&result)
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, os.ErrClosed):
			return nil
		case err != nil:
			io.Copy(io.Discard, lines) // so that the program does not wait for us
			return fmt.Errorf("%s: a line that is no result: %w", program, err)
		}
		if r.sweep == nil {
			r.sweep, r.total = r.resolve()
		}
		r.results = append(r.results, result)
		if r.told != nil {
			r.told(len(r.results), r.total, &result)
		}
	}
}

// resolve reads what the program found of the data, and counts the trials.
func (r *running) resolve() (*solvers.SweepSpec, int) {
	f, err := os.Open(r.resolved)
	if err != nil {
		return nil, 0
	}
	defer f.Close()
	s, err := solvers.ReadSweep(f)
	if err != nil {
		return nil, 0
	}
	trials, err := s.Trials()
	if err != nil {
		return nil, 0
	}
	return s, len(trials)
}

// tail keeps the end of what a program says.
type tail struct{ bytes.Buffer }

const tailMost = 4096

func (t *tail) Write(p []byte) (int, error) {
	n, err := t.Buffer.Write(p)
	if over := t.Len() - tailMost; over > 0 {
		t.Next(over)
	}
	return n, err
}

// text is what the program says of itself, or all if that is nothing.
func (t *tail) text() string {
	all := strings.TrimSpace(t.String())
	if at := strings.LastIndex(all, program+": "); at >= 0 {
		all = all[at+len(program)+2:]
	}
	if all == "" {
		return ""
	}
	return ": " + all
}

// Keep writes a data set as a file of the folder, unless it is there, and says where it is.
func Keep(folder string, d *solvers.Dataset) (solvers.SweepSource, error) {
	sum := d.Checksum()
	file := filepath.Join(folder, sum[:16]+".libsvm")
	source := solvers.SweepSource{File: file, Dim: d.Dim, Checksum: sum}
	if _, err := os.Stat(file); err == nil {
		return source, nil
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return source, err
	}
	f, err := os.CreateTemp(folder, ".writing-")
	if err != nil {
		return source, err
	}
	defer os.Remove(f.Name())
	if err := errors.Join(datasets.WriteLIBSVM(f, d), f.Chmod(0o644), f.Close()); err != nil {
		return source, err
	}
	return source, os.Rename(f.Name(), file)
}
