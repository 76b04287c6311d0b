package solvers_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/stat"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// someMethods are methods with and without a path, a grid, a reference.
func someMethods() []solvers.Solver {
	rbf := solvers.RBF{Gamma: 0.5}
	return []solvers.Solver{
		solvers.Method{Solver: solvers.ISSVM{Aggressive: true}, Reference: solvers.SMO{Kernel: rbf, C: 10},
			Grid: solvers.Grid{"Eta": {0.25, 1}, "Epsilon": {0.25, 0.5}}},
		solvers.Method{Label: "ISSVM's rows", Solver: solvers.Refit{Of: solvers.ISSVM{Aggressive: true}}, Reference: solvers.SMO{Kernel: rbf, C: 10},
			Grid: solvers.Grid{"Of.Eta": {0.5, 1}, "C": {1, 10}}},
		solvers.Method{Solver: solvers.RSVM{Kernel: rbf, Budget: 40}, Grid: solvers.Grid{"Settings.Seed": {0, 1, 2}, "Kernel.Gamma": {0.2, 0.5}}},
		solvers.OsunaGirosi{Kernel: rbf, C: 10, Points: 3},
		solvers.SMO{Kernel: rbf, C: 0.1},
	}
}

func compared(t *testing.T, p solvers.Protocol, methods ...solvers.Solver) *solvers.Comparison {
	t.Helper()
	c, err := p.Compare(context.Background(), svmtest.Random(200, 3, 1), svmtest.Random(400, 3, 2), methods...)
	if err != nil {
		t.Fatal(err)
	}
	for k := range c.Trials {
		c.Trials[k].Seconds, c.Trials[k].CPUSeconds = 0, 0
	}
	return c
}

// What is chosen and its error are those of a choice by hand: every combination fitted on its own,
// every model judged one by one.
func TestCompareByHand(t *testing.T) {
	train, heldOut := svmtest.Random(200, 3, 1), svmtest.Random(400, 3, 2)
	rbf := solvers.RBF{Gamma: 0.5}
	reference := fit(t, solvers.SMO{Kernel: rbf, C: 10}, train).Model
	sizes := []int{3, 5, 10, 20, 60}
	p := solvers.Protocol{Splits: 4, ValidationFraction: 0.3, Seed: 7, Sizes: sizes}
	c := compared(t, p, someMethods()...)
	var models []*solvers.Model
	for _, epsilon := range []float64{0.25, 0.5} {
		for _, eta := range []float64{0.25, 1} {
			last := map[int]*solvers.Model{}
			issvm := solvers.ISSVM{Reference: reference, Aggressive: true, Eta: eta, Epsilon: epsilon}
			_, err := issvm.FitPath(context.Background(), train, func(_ float64, m *solvers.Model) error {
				if k, _ := slices.BinarySearch(sizes, m.SupportSize()); k < len(sizes) {
					last[sizes[k]] = m
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			for _, size := range sizes {
				if m := last[size]; m != nil {
					models = append(models, m)
				}
			}
		}
	}
	checked := 0
	for _, size := range sizes {
		var validation, test []float64
		for k := range p.Splits {
			first, rest := heldOut.Split(0.3, p.Seed+uint64(k))
			var best *solvers.Model
			for _, m := range models {
				if m.SupportSize() <= size && (best == nil || m.ErrorRate(first) < best.ErrorRate(first) ||
					m.ErrorRate(first) == best.ErrorRate(first) && m.SupportSize() < best.SupportSize()) {
					best = m
				}
			}
			validation, test = append(validation, best.ErrorRate(first)), append(test, best.ErrorRate(rest))
		}
		got := c.At("ISSVM(Aggressive)", size)
		if math.Abs(got.ValidationError-stat.Mean(validation, nil)) > 1e-12 || math.Abs(got.TestError-stat.Mean(test, nil)) > 1e-12 ||
			math.Abs(got.TestStd-stat.StdDev(test, nil)) > 1e-12 {
			t.Errorf("size %d: %v, by hand %g, %g ± %g", size, got, stat.Mean(validation, nil), stat.Mean(test, nil), stat.StdDev(test, nil))
		}
		checked++
	}
	if checked == 0 || c.Paths[0].Reference.SupportSize != reference.SupportSize() {
		t.Errorf("checked %d sizes; reference %v", checked, c.Paths[0].Reference)
	}
}

// More workers come to the same, and so does a second run.
func TestCompareDeterministic(t *testing.T) {
	p := solvers.Protocol{Splits: 3, Workers: 1}
	first := compared(t, p, someMethods()...)
	if len(first.Trials) != 4+4+6+1+1 || len(first.Failed()) != 0 || first.Missing != 0 {
		t.Fatalf("%d trials, failed %v", len(first.Trials), first.Failed())
	}
	for _, workers := range []int{1, 4, 0} {
		p.Workers = workers
		if again := compared(t, p, someMethods()...); !sameComparison(first, again) {
			t.Errorf("%d workers: another comparison\n%v\n%v", workers, first, again)
		}
	}
	for _, text := range []string{"ISSVM's rows", "RSVM(Budget=40)", "OsunaGirosi", "reference: "} {
		if !strings.Contains(first.String(), text) || !strings.Contains(first.HTML(), strings.ReplaceAll(text, "'", "&#39;")) {
			t.Errorf("%q is not in\n%v\n%s", text, first, first.HTML())
		}
	}
}

// sameComparison takes NaN as equal to itself.
func sameComparison(a, b *solvers.Comparison) bool {
	text := func(c *solvers.Comparison) string {
		var out strings.Builder
		for _, path := range c.Paths {
			out.WriteString(path.String())
		}
		trials, err := json.Marshal(c.Trials)
		if err != nil {
			panic(err)
		}
		return out.String() + c.String() + string(trials)
	}
	return text(a) == text(b) && reflect.DeepEqual(a.Settings, b.Settings)
}

// counting is a solver from outside the package that counts its fits.
type counting struct {
	C    float64
	Fail bool
}

var fits atomic.Int64

func (counting) Name() string { return "Counting" }
func (s counting) Fit(ctx context.Context, train *solvers.Dataset) (*solvers.Result, error) {
	fits.Add(1)
	if s.Fail {
		panic("no luck")
	}
	return solvers.SMO{Kernel: solvers.Linear{}, C: s.C}.Fit(ctx, train)
}

// A trial that is in the file is not run again, also after a kill that tore the last line, and
// the comparison is the same.
func TestCompareResumes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trials.jsonl")
	p := solvers.Protocol{Splits: 2, File: file}
	method := solvers.Method{Solver: counting{C: 1}, Grid: solvers.Grid{"C": {0.01, 0.1, 1, 10}, "Fail": {0, 1}}}
	run := func(want int64) *solvers.Comparison {
		t.Helper()
		fits.Store(0)
		c := compared(t, p, method, solvers.RSVM{Kernel: solvers.Linear{}, Budget: 10})
		if got := fits.Load(); got != want {
			t.Errorf("%d fits, want %d", got, want)
		}
		return c
	}
	first := run(8)
	if failed := first.Failed(); len(failed) != 4 || failed[0].Error != "panic: no luck" {
		t.Errorf("failed: %v", failed)
	}
	if again := run(0); !sameComparison(first, again) {
		t.Errorf("from the file:\n%v\nwant\n%v", again, first)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.SplitAfter(data, []byte("\n"))
	checked := 0
	for _, torn := range []int{1, 20, len(lines[2]) - 1} { // bytes left of the last line of three
		cut := append(bytes.Join(lines[:2], nil), lines[2][:torn]...)
		if err := os.WriteFile(file, cut, 0o600); err != nil {
			t.Fatal(err)
		}
		fits.Store(0)
		if again := compared(t, p, method, solvers.RSVM{Kernel: solvers.Linear{}, Budget: 10}); !sameComparison(first, again) {
			t.Errorf("torn after %d bytes: another comparison", torn)
		}
		run(0)
		checked++
	}
	if checked != 3 {
		t.Errorf("checked %d files", checked)
	}
	if err := os.WriteFile(file, []byte("{\"Key\":\"\"}\n1 1:2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err = p.Compare(context.Background(), svmtest.Random(20, 3, 1), svmtest.Random(20, 3, 2), method)
	if err == nil || !strings.Contains(err.Error(), "trials.jsonl:1: no result of a trial") {
		t.Errorf("another file: %v", err)
	}
}

// An interrupted comparison has the trials that were finished, and goes on from there.
func TestCompareInterrupted(t *testing.T) {
	file := filepath.Join(t.TempDir(), "trials.jsonl")
	p := solvers.Protocol{Splits: 2, File: file, Workers: 1}
	train, heldOut := svmtest.Random(200, 3, 1), svmtest.Random(400, 3, 2)
	ctx, cancel := context.WithCancel(context.Background())
	ran := 0
	c, err := p.Compare(solvers.WithTrials(ctx, func(done, total int, last *solvers.TrialResult) {
		if done == 5 {
			cancel()
		}
		if last != nil {
			ran++
		}
		if done > total || total != 17 {
			t.Errorf("%d of %d", done, total)
		}
	}), train, heldOut, someMethods()...)
	if !errors.Is(err, context.Canceled) || c == nil || c.Missing == 0 || len(c.Trials)+1 != ran || ran != 5 || !strings.Contains(c.String(), "interrupted") {
		t.Fatalf("%v after %d trials: %v", err, ran, c)
	}
	c, err = p.Compare(solvers.WithTrials(context.Background(), func(_, _ int, last *solvers.TrialResult) {
		if last != nil {
			ran++
		}
	}), train, heldOut, someMethods()...)
	if err != nil || c.Missing != 0 || ran != 17 {
		t.Errorf("%v, missing %d, %d trials run in all", err, c.Missing, ran)
	}
}

// Trials that are sent as JSON to a bench elsewhere come to the same comparison.
func TestTrialsElsewhere(t *testing.T) {
	train, heldOut := svmtest.Random(200, 3, 1), svmtest.Random(400, 3, 2)
	p := solvers.Protocol{Splits: 3}
	trials, err := p.Trials(train, heldOut, someMethods()...)
	if err != nil {
		t.Fatal(err)
	}
	bench := solvers.NewBench(svmtest.Random(200, 3, 1), svmtest.Random(400, 3, 2))
	var results []solvers.TrialResult
	for _, trial := range trials {
		text, err := json.Marshal(trial)
		if err != nil {
			t.Fatal(err)
		}
		var sent solvers.Trial
		if err := json.Unmarshal(text, &sent); err != nil || sent.Key() != trial.Key() {
			t.Fatalf("%v: key %s, was %s", err, sent.Key(), trial.Key())
		}
		result, err := bench.Run(context.Background(), sent, 1)
		if err != nil || result.Error != "" {
			t.Fatal(err, result.Error)
		}
		result.Seconds, result.CPUSeconds = 0, 0
		results = append(results, result)
	}
	here := compared(t, p, someMethods()...)
	elsewhere, err := p.Comparison(results, train, heldOut, someMethods()...)
	if err != nil || !sameComparison(here, elsewhere) || len(trials) != 17 {
		t.Errorf("%v, %d trials:\n%v\n%v", err, len(trials), here, elsewhere)
	}
	other := solvers.NewBench(svmtest.Random(200, 3, 5), svmtest.Random(400, 3, 2))
	if result, err := other.Run(context.Background(), trials[0], 1); err != nil || !strings.Contains(result.Error, "for other data") {
		t.Errorf("other data: %v, %q", err, result.Error)
	}
}

// A kernel of one's own can be compared, but not with a file, which could not name it.
func TestCompareKernelFunc(t *testing.T) {
	own := solvers.KernelFunc(solvers.RBF{Gamma: 0.5}.Eval)
	method := func(k solvers.Kernel) solvers.Solver {
		return solvers.Method{Label: "rows", Solver: solvers.RSVM{Kernel: k, Budget: 20}, Grid: solvers.Grid{"C": {1, 10}}}
	}
	p := solvers.Protocol{Splits: 2}
	if got, want := compared(t, p, method(own)).String(), compared(t, p, method(solvers.RBF{Gamma: 0.5})).String(); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	p.File = filepath.Join(t.TempDir(), "trials.jsonl")
	_, err := p.Compare(context.Background(), svmtest.Random(20, 3, 1), svmtest.Random(20, 3, 2), method(own))
	if err == nil || !strings.Contains(err.Error(), "leave File out") {
		t.Errorf("with a file: %v", err)
	}
}
