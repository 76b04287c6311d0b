package solvers_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// methodsOf are someMethods as methods.
func methodsOf(solver []solvers.Solver) []solvers.Method {
	var methods []solvers.Method
	for _, s := range solver {
		m, ok := s.(solvers.Method)
		if !ok {
			m = solvers.Method{Solver: s}
		}
		methods = append(methods, m)
	}
	return methods
}

// A sweep that was written and read has the trials of Compare, and the same comparison of their results.
func TestSweepIsCompare(t *testing.T) {
	train, heldOut := svmtest.Random(200, 3, 1), svmtest.Random(400, 3, 2)
	p := solvers.Protocol{Splits: 4, ValidationFraction: 0.3, Seed: 7, Sizes: []int{3, 10, 60}}
	want := compared(t, p, someMethods()...)
	folder := t.TempDir()
	var sources [2]solvers.SweepSource
	for i, d := range []*solvers.Dataset{train, heldOut} {
		sources[i] = solvers.SweepSource{File: filepath.Join(folder, []string{"train", "test"}[i]), Dim: d.Dim, Checksum: d.Checksum()}
		f, err := os.Create(sources[i].File)
		if err != nil {
			t.Fatal(err)
		}
		if err := datasets.WriteLIBSVM(f, d); err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
	text, err := json.Marshal(&solvers.SweepSpec{Train: sources[0], HeldOut: sources[1], Protocol: p, Methods: methodsOf(someMethods())})
	if err != nil {
		t.Fatal(err)
	}
	read, err := solvers.ReadSweep(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	if got := methodsOf(someMethods()); !reflect.DeepEqual(read.Methods, got) {
		t.Errorf("read    %+v\nwritten %+v", read.Methods, got)
	}
	gotTrain, gotHeldOut, err := read.Load(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	trials, err := read.Trials()
	if err != nil {
		t.Fatal(err)
	}
	bench := solvers.NewBench(gotTrain, gotHeldOut)
	var results []solvers.TrialResult
	for _, trial := range trials {
		r, err := bench.Run(context.Background(), trial, 1)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, r)
	}
	got, err := read.Comparison(results)
	if err != nil {
		t.Fatal(err)
	}
	if len(want.Trials) == 0 || len(got.Trials) != len(want.Trials) || got.Missing != 0 {
		t.Fatalf("%d trials, %d missing; want %d", len(got.Trials), got.Missing, len(want.Trials))
	}
	for k := range got.Trials {
		got.Trials[k].Seconds, got.Trials[k].CPUSeconds = 0, 0
		// The text of a solver may have its fields in another order; the key does not depend on it.
		got.Trials[k].Trial.Solver, want.Trials[k].Trial.Solver = nil, nil
		if !reflect.DeepEqual(got.Trials[k], want.Trials[k]) {
			t.Errorf("trial %d:\n%+v\nwant\n%+v", k, got.Trials[k], want.Trials[k])
		}
	}
}

// Rows and classes of a source are taken as it says, and other rows than promised are refused.
func TestSweepSource(t *testing.T) {
	rows := []solvers.Method{{Solver: solvers.SMO{}}}
	mnist := solvers.SweepSpec{Methods: rows, Train: solvers.SweepSource{Name: "mnist38", Rows: 100, Seed: 3}, HeldOut: solvers.SweepSource{Name: "mnist38"}}
	train, heldOut, err := mnist.Load(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	whole, test, err := datasets.Load("mnist38")
	if err != nil {
		t.Fatal(err)
	}
	part, _ := whole.Split(100/float64(whole.Len()), 3)
	if train.Checksum() != part.Checksum() || train.Len() > 101 || train.Len() < 99 || heldOut.Checksum() != test.Checksum() {
		t.Errorf("%d rows and %d", train.Len(), heldOut.Len())
	}
	checked := 0
	for wrong, change := range map[string]func(s *solvers.SweepSpec){
		"checksum":      func(s *solvers.SweepSpec) { s.Train.Checksum = "00" },
		"want one":      func(s *solvers.SweepSpec) { s.Train.File = "x" },
		"neither":       func(s *solvers.SweepSpec) { s.HeldOut.Name = "" },
		"Dim = 3":       func(s *solvers.SweepSpec) { s.HeldOut.Dim = 3 },
		"Rows = -1":     func(s *solvers.SweepSpec) { s.HeldOut.Rows = -1 },
		"no such file":  func(s *solvers.SweepSpec) { s.Train = solvers.SweepSource{File: "no-such-file"} },
		"Splits":        func(s *solvers.SweepSpec) { s.Protocol.Splits = -1 },
		"more than one": func(s *solvers.SweepSpec) { s.Train.Positive = []float64{3, 8} },
	} {
		s := mnist
		change(&s)
		if _, _, err := s.Load(context.Background(), nil); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%v: want it to say %q", err, wrong)
		}
		checked++
	}
	if checked != 8 {
		t.Fatal(checked)
	}
}

// What cannot be sent to other processes, or is no sweep, is refused with what is wrong.
func TestSweepRefuses(t *testing.T) {
	model := fit(t, solvers.SMO{}, svmtest.Random(50, 3, 1)).Model
	for wrong, m := range map[string]solvers.Method{
		"KernelFunc":         {Solver: solvers.SMO{Kernel: solvers.KernelFunc(func(x, z solvers.Vector) float64 { return 1 })}},
		"Method's Reference": {Solver: solvers.ISSVM{Reference: model}},
	} {
		if _, err := json.Marshal(m); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%v: want it to say %q", err, wrong)
		}
	}
	for text, wrong := range map[string]string{
		`{`:                                      "unexpected",
		`{"Methods": []}`:                        "no Methods",
		`{"Metods": []}`:                         "Metods",
		`{"Methods": [{}]}`:                      "no Solver",
		`{"Methods": [{"Solver": {"SVM": {}}}]}`: "SVM",
		`{"Methods": [{"Solver": {"SMO": {"Gamma": 1}}}]}`:                 "Gamma",
		`{"Methods": [{"Solver": {"SMO": {}}, "Gird": {}}]}`:               "Gird",
		`{"Methods": [{"Solver": {"ISSVM": {"Reference": {"SMO": {}}}}}]}`: "Method's Reference",
	} {
		if _, err := solvers.ReadSweep(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%s: %v: want it to say %q", text, err, wrong)
		}
	}
}
