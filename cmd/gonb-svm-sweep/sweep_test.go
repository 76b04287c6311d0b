package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// asProgram makes the test binary the program itself, whose processes the tests start and kill.
const asProgram = "GONB_SVM_SWEEP_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
		return
	}
	os.Exit(m.Run())
}

// digits is a sweep of few trials on the digits inside the program; one of them fails.
func digits(rows int) *solvers.SweepSpec {
	rbf := solvers.RBF{Gamma: 0.02}
	return &solvers.SweepSpec{
		Train:    solvers.SweepSource{Name: "mnist38", Rows: rows, Seed: 1},
		HeldOut:  solvers.SweepSource{Name: "mnist38", Rows: 300},
		Protocol: solvers.Protocol{Splits: 3, Sizes: []int{2, 5, 10, 20, 50}},
		Methods: []solvers.Method{
			{Solver: solvers.ISSVM{Aggressive: true}, Reference: solvers.SMO{Kernel: rbf, C: 10}, Grid: solvers.Grid{"Eta": {0.25, 1}, "Epsilon": {0.25, 0.5}}},
			{Solver: solvers.RSVM{Kernel: rbf, Budget: 10}, Grid: solvers.Grid{"Settings.Seed": {0, 1, 2, 3, 4, 5, 6, 7}}},
			{Solver: solvers.SMO{Kernel: rbf}, Grid: solvers.Grid{"C": {1, -1}}},
		},
	}
}

// digitTrials are the trials of digits: the grids' and the reference.
const digitTrials = 4 + 8 + 2 + 1

// program is a process of this program that runs a sweep.
type program struct {
	*exec.Cmd
	folder string
	lines  *bytes.Buffer
	errors *bytes.Buffer
}

func command(t *testing.T, s *solvers.SweepSpec, folder string, flags ...string) *program {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	spec := filepath.Join(t.TempDir(), "spec.json")
	if err := os.WriteFile(spec, text, 0o644); err != nil {
		t.Fatal(err)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	p := &program{folder: folder, lines: &bytes.Buffer{}, errors: &bytes.Buffer{}}
	p.Cmd = exec.Command(self, slices.Concat([]string{"--results=" + folder}, flags, []string{spec})...)
	p.Env = append(os.Environ(), asProgram+"=1")
	p.Stdout, p.Stderr = p.lines, p.errors
	return p
}

// run gives the results of a sweep by their keys, from the lines that the program writes.
func (p *program) results(t *testing.T) map[string]solvers.TrialResult {
	t.Helper()
	if err := p.Run(); err != nil {
		t.Fatalf("%v\n%s", err, p.errors)
	}
	return parsed(t, p.lines)
}

func parsed(t *testing.T, lines io.Reader) map[string]solvers.TrialResult {
	t.Helper()
	results := map[string]solvers.TrialResult{}
	decoder := json.NewDecoder(lines)
	for decoder.More() {
		var r solvers.TrialResult
		if err := decoder.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if _, twice := results[r.Key]; twice {
			t.Errorf("%s is there twice", r.Key)
		}
		results[r.Key] = r
	}
	return results
}

// same holds that two sweeps came to the same, but for the time they took.
func same(t *testing.T, got, want map[string]solvers.TrialResult, count int) {
	t.Helper()
	if len(want) != count || len(got) != count {
		t.Fatalf("%d results and %d, want %d", len(got), len(want), count)
	}
	models := 0
	for key, w := range want {
		g := got[key]
		models += len(w.Points)
		g.Seconds, w.Seconds, g.CPUSeconds, w.CPUSeconds = 0, 0, 0, 0
		g.Trial.Solver, w.Trial.Solver = nil, nil // spaces; the key is of it
		if !reflect.DeepEqual(g, w) {
			t.Errorf("%s:\n%+v\nwant\n%+v", key, g, w)
		}
	}
	if models == 0 {
		t.Error("no result has a model")
	}
}

// begun counts how often each trial was begun, in all runs.
func begun(t *testing.T, folder string) map[string]int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "begun", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	count := map[string]int{}
	for _, file := range files {
		key, _, _ := strings.Cut(filepath.Base(file), "-")
		count[key]++
	}
	return count
}

// here runs the trials without Beam.
func here(t *testing.T, s *solvers.SweepSpec) map[string]solvers.TrialResult {
	t.Helper()
	train, heldOut, err := s.Load(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	one := *s
	one.Train.Checksum, one.HeldOut.Checksum = train.Checksum(), heldOut.Checksum()
	trials, err := one.Trials()
	if err != nil {
		t.Fatal(err)
	}
	bench, results := solvers.NewBench(train, heldOut), map[string]solvers.TrialResult{}
	for _, trial := range trials {
		r, err := bench.Run(context.Background(), trial, 1)
		if err != nil {
			t.Fatal(err)
		}
		results[r.Key] = r
	}
	return results
}

// Beam's runner gives what a loop would, each trial is begun once, and a second run begins none.
func TestPrism(t *testing.T) {
	want := here(t, digits(200))
	folder := t.TempDir()
	same(t, command(t, digits(200), folder).results(t), want, digitTrials)
	failed := 0
	for _, r := range want {
		if r.Error != "" {
			failed++
		}
	}
	if failed != 1 {
		t.Errorf("%d trials failed, want the one of C = -1", failed)
	}
	for range 2 {
		count := begun(t, folder)
		if len(count) != digitTrials {
			t.Errorf("%d trials were begun, want %d", len(count), digitTrials)
		}
		for key, times := range count {
			if times != 1 {
				t.Errorf("%s was begun %d times", key, times)
			}
		}
		same(t, command(t, digits(200), folder).results(t), want, digitTrials)
	}
}

// waitFor is until so many results are in the folder.
func waitFor(t *testing.T, folder string, results int) []string {
	t.Helper()
	for deadline := time.Now().Add(5 * time.Minute); time.Now().Before(deadline); time.Sleep(2 * time.Millisecond) {
		files, err := filepath.Glob(filepath.Join(folder, "results", "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		if len(files) >= results {
			return files
		}
	}
	t.Fatalf("fewer than %d results after five minutes", results)
	return nil
}

// A sweep that is killed and started again ends with the results of one that was not, and runs
// again only what was under way when it was killed.
func TestKilledAndResumed(t *testing.T) {
	folder := t.TempDir()
	first := command(t, digits(600), folder)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, folder, 3)
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	first.Wait()
	finished := map[string]os.FileInfo{}
	for _, file := range waitFor(t, folder, 3) {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		finished[file] = info
	}
	before := begun(t, folder)
	got := command(t, digits(600), folder).results(t)
	same(t, got, here(t, digits(600)), digitTrials)
	for file, info := range finished {
		if now, err := os.Stat(file); err != nil || !os.SameFile(now, info) || now.ModTime() != info.ModTime() {
			t.Errorf("%s was written again: %v", file, err)
		}
	}
	for key, times := range begun(t, folder) {
		_, done := finished[filepath.Join(folder, "results", key+".json")]
		if limit := before[key] + 1; times > limit || done && times != before[key] {
			t.Errorf("%s was begun %d times, %d of them before the kill; done then: %v", key, times, before[key], done)
		}
	}
	t.Logf("%d of %d results were there when it was killed", len(finished), digitTrials)
}

// processes are the flags for workers that are processes of this program.
func processes(t *testing.T) []string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(map[string]any{"command": self, "env": map[string]string{asProgram: "1"}})
	if err != nil {
		t.Fatal(err)
	}
	return []string{"--environment_type=PROCESS", "--environment_config=" + string(config)}
}

// Workers that are processes of their own, which load the data by themselves, give the same.
func TestProcesses(t *testing.T) {
	folder := t.TempDir()
	got := command(t, digits(200), folder, processes(t)...).results(t)
	same(t, got, here(t, digits(200)), digitTrials)
}

// What the user gave wrong is told in a sentence, with the exit code for it.
func TestMistakes(t *testing.T) {
	wrongSum := digits(200)
	wrongSum.HeldOut.Checksum = "00"
	noFile := digits(200)
	noFile.Train = solvers.SweepSource{File: "no-such-file"}
	checked := 0
	for _, c := range []struct {
		sweep *solvers.SweepSpec
		flags []string
		want  string
	}{
		{wrongSum, nil, "checksum"},
		{noFile, nil, "no-such-file"},
		{digits(200), []string{"--runner=flink"}, "want --endpoint"},
		{digits(200), []string{"--runner=flink", "--endpoint=here"}, "--endpoint"},
	} {
		p := command(t, c.sweep, t.TempDir(), c.flags...)
		err := p.Run()
		if p.ProcessState.ExitCode() != exitUsage || !strings.Contains(p.errors.String(), c.want) {
			t.Errorf("%v: %s\nwant it to say %q", err, p.errors, c.want)
		}
		checked++
	}
	if checked == 0 {
		t.Fatal("nothing checked")
	}
}

// A trial that no worker came to the end of is given up, as a result.
func TestGivenUp(t *testing.T) {
	ctx := context.Background()
	kept, err := openFolder(ctx, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := digits(200)
	train, heldOut, err := s.Load(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.Train.Checksum, s.HeldOut.Checksum = train.Checksum(), heldOut.Checksum()
	workerData.put(s, train, heldOut)
	trials, err := s.Trials()
	if err != nil {
		t.Fatal(err)
	}
	sweep, _ := json.Marshal(s)
	trial, _ := json.Marshal(trials[1])
	for k := range attempts {
		before, err := kept.begin(ctx, "run", trials[1].Key())
		if err != nil || before != k {
			t.Fatalf("%d begun before, %v; want %d", before, err, k)
		}
	}
	f := &runTrial{Sweep: string(sweep), Folder: kept.place, Run: "run"}
	if err := f.Setup(ctx); err != nil {
		t.Fatal(err)
	}
	if err := f.ProcessElement(ctx, string(trial)); err != nil {
		t.Fatal(err)
	}
	line, err := kept.result(ctx, trials[1].Key())
	if want := fmt.Sprintf("%d workers began", attempts); err != nil || !strings.Contains(string(line), want) {
		t.Errorf("%s, %v: want it to say %q", line, err, want)
	}
}
