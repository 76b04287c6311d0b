package notebooks

import (
	"bytes"
	"context"
	"encoding/xml"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Every code cell is a case of the report: run, failed, failed as it may, left out.
func TestWriteJUnit(t *testing.T) {
	n, err := Read(strings.NewReader(`{"nbformat":4,"nbformat_minor":5,"metadata":{},"cells":[
		{"cell_type":"markdown","id":"m","metadata":{},"source":"# Title"},
		{"cell_type":"code","id":"plain","metadata":{},"source":"print","outputs":[],"execution_count":null},
		{"cell_type":"code","id":"x","metadata":{"nbgrader":{"grade_id":"test-1a","points":2.5}},"source":"fail","outputs":[],"execution_count":null},
		{"cell_type":"code","metadata":{"tags":["raises-exception"]},"source":"boom","outputs":[],"execution_count":null},
		{"cell_type":"code","id":"empty","metadata":{},"source":" ","outputs":[],"execution_count":null},
		{"cell_type":"code","id":"skip","metadata":{"tags":["skip-execution"]},"source":"print","outputs":[],"execution_count":null},
		{"cell_type":"code","id":"odd","metadata":{},"source":"odd","outputs":[],"execution_count":null}]}`), "folder/course.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	s := newScripted()
	s.acts["odd"] = func(context.Context, display.Output) display.Outcome {
		return display.Outcome{Failure: &display.Failure{Name: "Panic", Message: "<\x00 & \x1b[31m\"ü\">"}}
	}
	report, err := Run(context.Background(), s, n, Options{KeepGoing: true})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteJUnit(&b, n, report); err != nil {
		t.Fatal(err)
	}
	var got junitSuites
	if err := xml.Unmarshal(b.Bytes(), &got); err != nil {
		t.Fatalf("%v in\n%s", err, &b)
	}
	if got.Tests != 6 || got.Failures != 2 || got.Errors != 0 || got.Skipped != 2 || len(got.Suites) != 1 || got.Suites[0].Name != "folder/course.ipynb" {
		t.Errorf("the report counts %+v", got)
	}
	want := []junitCase{
		{Name: "cell 2: plain"},
		{Name: "cell 3: test-1a", Properties: &junitProperties{[]junitProperty{{"points", "2.5"}}},
			Failure: &junitFailure{Message: "no", Type: "Panic", Text: "Panic: no\n  at line 1"}},
		{Name: "cell 4: boom"},
		{Name: "cell 5: empty", Skipped: &junitSkipped{"empty"}},
		{Name: "cell 6: skip", Skipped: &junitSkipped{"tagged skip-execution"}},
		{Name: "cell 7: odd", Failure: &junitFailure{Message: "<\ufffd & \"ü\">", Type: "Panic", Text: "Panic: <\ufffd & \"ü\">"}},
	}
	for i, c := range got.Suites[0].Cases {
		if c.ClassName != "course" {
			t.Errorf("case %d is of class %q", i+1, c.ClassName)
		}
		if c.Time == "" || c.Skipped != nil && c.Time != "0.000" {
			t.Errorf("case %d took %q", i+1, c.Time)
		}
		c.ClassName, c.Time = "", ""
		if i >= len(want) {
			t.Fatalf("%d cases, want %d", len(got.Suites[0].Cases), len(want))
		}
		if diff := cmp.Diff(want[i], c); diff != "" {
			t.Errorf("case %d, want (-) and got (+):\n%s", i+1, diff)
		}
	}
}

// The report says of the cells after a failure why they were not run.
func TestReportOfCells(t *testing.T) {
	n := codeCells("print", "fail", "print")
	report, err := Run(context.Background(), newScripted(), n, Options{})
	if err != nil || len(report.Cells) != 3 {
		t.Fatalf("%d cells reported, error %v", len(report.Cells), err)
	}
	if c := report.Cells[1]; c.Position != 2 || c.Count != 2 || c.Failure == nil || c.Expected || c.Skipped != "" {
		t.Errorf("the failed cell is reported as %+v", c)
	}
	if c := report.Cells[2]; c.Position != 3 || c.Count != 0 || c.Failure != nil || c.Skipped != "an earlier cell failed" {
		t.Errorf("the cell after it is reported as %+v", c)
	}
	if err := WriteJUnit(&bytes.Buffer{}, codeCells("print"), report); err == nil {
		t.Error("a report of another notebook is written")
	}
}

// A cell that runs too long fails; the others run where the runner keeps going.
func TestRunGoesOnAfterTimeout(t *testing.T) {
	s := newScripted()
	report, err := Run(context.Background(), s, codeCells("wait", "print"), Options{Timeout: 20 * time.Millisecond, KeepGoing: true})
	if err != nil || report.Executed != 2 || report.Failed != 1 || report.Cells[0].Failure.Name != "Timeout" || report.Cells[1].Failure != nil {
		t.Errorf("report %+v, error %v", report, err)
	}
	if report.Cells[0].Duration < 20*time.Millisecond {
		t.Errorf("the cell is said to have run for %v", report.Cells[0].Duration)
	}
}

// A cell that does not end when it is told to ends the run: the session cannot be used any more.
func TestRunGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, stop := newScripted(), make(chan struct{})
		s.acts["deaf"] = func(context.Context, display.Output) display.Outcome { <-stop; return display.Outcome{} }
		n := codeCells("deaf", "print")
		report, err := Run(context.Background(), s, n, Options{Timeout: time.Second, KeepGoing: true})
		close(stop)
		if err == nil || err.Error() != "In[1] did not stop within 10s of being told to" {
			t.Errorf("the run gave the error %v", err)
		}
		if first, second := report.Cells[0], report.Cells[1]; first.Failure == nil || first.Failure.Name != "Timeout" || first.Duration != 11*time.Second || second.Skipped != "the run ended before it" {
			t.Errorf("the cells are reported as %+v", report.Cells)
		}
		var b bytes.Buffer
		if err := WriteJUnit(&b, n, report); err != nil || !strings.Contains(b.String(), `tests="2" failures="1" errors="0" skipped="1"`) {
			t.Errorf("%v, report\n%s", err, &b)
		}
	})
}
