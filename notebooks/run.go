package notebooks

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Session executes cells one after another; bindings.Session is one. A Session returns soon
// after its context ends.
type Session interface {
	Execute(ctx context.Context, cell display.Cell, out display.Output) display.Outcome
}

// widgeted is a Session whose cells show widgets.
type widgeted interface {
	// WidgetStates is the state of all widgets as a notebook keeps it, nil for none.
	WidgetStates() map[string]any
}

// Options say how a notebook is run; the zero value is the default.
type Options struct {
	Parameters []Parameter   // set in a cell of their own
	Timeout    time.Duration // for each cell; 0: none
	Stdout     io.Writer     // gets the cells' text as it comes; nil: nobody
	Stderr     io.Writer     // gets what cells print there, and errors; nil: nobody
	Color      bool          // leave the colours in the errors on Stderr
	KeepGoing  bool          // run the cells after a failed one too
}

// Report is what came of a run.
type Report struct {
	Executed int // cells that were run
	Failed   int // of these, cells that failed and must not
	Expected int // of these, cells tagged raises-exception that failed
	Skipped  int // code cells that were not run: empty, tagged skip-execution, or after a failure
	Failures []CellFailure
	Cells    []CellReport // of every code cell, in order
	Duration time.Duration
}

// CellReport is what came of one code cell.
type CellReport struct {
	Position int              // of the cell in the notebook, from 1
	Count    int              // the number in In[Count]; 0: the cell was not run
	Duration time.Duration    // 0: the cell was not run
	Failure  *display.Failure // nil: it did not fail
	Expected bool             // it failed, and is tagged raises-exception
	Skipped  string           // why the cell was not run; "" if it was
}

// CellFailure is a cell that failed.
type CellFailure struct {
	Position int // of the cell in the notebook, from 1
	Count    int // the number in In[Count]
	Expected bool
	*display.Failure
}

// OK reports whether every cell did what it should.
func (r Report) OK() bool { return r.Failed == 0 }

// String is one line: "12 cells run in 3.2s, 1 failed".
func (r Report) String() string {
	s := fmt.Sprintf("%d cells run in %s", r.Executed, r.Duration.Round(100*time.Millisecond))
	if r.Executed == 1 {
		s = strings.Replace(s, "cells", "cell", 1)
	}
	if r.Failed > 0 {
		s += fmt.Sprintf(", %d failed", r.Failed)
	}
	if r.Expected > 0 {
		s += fmt.Sprintf(", %d failed as they may", r.Expected)
	}
	if r.Skipped > 0 {
		s += fmt.Sprintf(", %d not run", r.Skipped)
	}
	return s
}

// patience is how long a cell may take to end once it was told to.
const patience = 10 * time.Second

// Run executes the notebook's code cells in order and stores their outputs in it, in place of
// those it had. It stops at the first cell that fails, unless the cell is tagged
// raises-exception or Options.KeepGoing is set; the notebook then has the outputs up to
// there. Cells tagged skip-execution, and empty ones, are left out.
//
// A failed cell is told in the Report. Run returns an error when ctx ended, and when a cell
// did not end within 10 s of being told to, so that the session cannot be used any more.
func Run(ctx context.Context, s Session, n *Notebook, o Options) (Report, error) {
	if s == nil {
		return Report{}, errNoSession
	}
	begin := time.Now()
	n.inject(o.Parameters)
	n.setLanguage()
	r := runner{session: s, options: o, recorder: recorder{open: true, displays: map[string][]*Output{}, stdout: o.Stdout, stderr: o.Stderr}}
	if r.stdout == nil {
		r.stdout = io.Discard
	}
	if r.stderr == nil {
		r.stderr = io.Discard
	}
	defer r.close()
	for _, c := range n.Cells { // what an earlier run left would pass for this run's
		if c.Kind == "code" && !c.Tagged(tagSkip) {
			c.Outputs, c.Count = nil, 0
		}
	}
	var err error
	for i, c := range n.Cells {
		if c.Kind != "code" {
			continue
		}
		if why := r.skips(c, err); why != "" {
			r.report.Skipped++
			r.report.Cells = append(r.report.Cells, CellReport{Position: i + 1, Skipped: why})
			continue
		}
		err = r.run(ctx, i+1, c)
	}
	if w, ok := s.(widgeted); ok {
		n.setWidgets(w.WidgetStates())
	}
	r.report.Duration = time.Since(begin)
	return r.report, err
}

// runner is one run of a notebook.
type runner struct {
	recorder
	session Session
	options Options
	report  Report
	stopped bool
}

// skips says why a cell is not run, "" if it is. err is what ended the run.
func (r *runner) skips(c *Cell, err error) string {
	switch {
	case strings.TrimSpace(c.Source) == "":
		return "empty"
	case c.Tagged(tagSkip):
		return "tagged " + tagSkip
	case err != nil:
		return "the run ended before it"
	case r.stopped:
		return "an earlier cell failed"
	}
	return ""
}

// run executes one cell.
func (r *runner) run(ctx context.Context, position int, c *Cell) error {
	r.report.Executed++
	c.Count = r.report.Executed
	out := &cellRecorder{recorder: &r.recorder, cell: c}
	begin := time.Now()
	outcome, err := r.execute(ctx, display.Cell{Count: c.Count, Source: c.Source}, out)
	came := CellReport{Position: position, Count: c.Count, Duration: time.Since(begin), Failure: outcome.Failure}
	var lines []string
	if f := outcome.Failure; f != nil {
		expected := c.Tagged(tagRaises) && err == nil && ctx.Err() == nil
		came.Expected = expected
		r.report.Failures = append(r.report.Failures, CellFailure{position, c.Count, expected, f})
		if expected {
			r.report.Expected++
		} else {
			r.report.Failed++
			r.stopped = !r.options.KeepGoing
		}
		lines = r.shown(f, expected)
	}
	r.report.Cells = append(r.report.Cells, came)
	out.finish(outcome, lines)
	if err == nil && ctx.Err() != nil {
		err = ctx.Err()
	}
	return err
}

// execute runs one cell within its time.
func (r *runner) execute(ctx context.Context, cell display.Cell, out display.Output) (display.Outcome, error) {
	cellContext, cancel := ctx, context.CancelFunc(func() {})
	if r.options.Timeout > 0 {
		cellContext, cancel = context.WithTimeout(ctx, r.options.Timeout)
	}
	defer cancel()
	done := make(chan display.Outcome, 1)
	go func() { done <- r.session.Execute(cellContext, cell, out) }()
	var outcome display.Outcome
	var err error
	select {
	case outcome = <-done:
	case <-cellContext.Done():
		select {
		case outcome = <-done:
		case <-time.After(patience):
			err = fmt.Errorf("%s did not stop within %s of being told to", cell.Name(), patience)
		}
	}
	switch timedOut := errors.Is(cellContext.Err(), context.DeadlineExceeded) && ctx.Err() == nil; {
	case timedOut && (err != nil || outcome.Failure != nil):
		message := fmt.Sprintf("the cell ran longer than %s, the time that each cell has, and was interrupted", r.options.Timeout)
		outcome.Failure = &display.Failure{Name: "Timeout", Message: message, Traceback: []string{"Timeout: " + message}}
	case err != nil:
		outcome.Failure = &display.Failure{Name: "Interrupted", Message: err.Error(), Traceback: []string{"Interrupted: " + err.Error()}}
	}
	return outcome, err
}

// shown is a failure as Stderr gets it.
func (r *runner) shown(f *display.Failure, expected bool) []string {
	if expected {
		return []string{f.Error() + " (the cell is tagged " + tagRaises + ")"}
	}
	lines := slices.Clone(f.Traceback)
	if len(lines) == 0 {
		lines = []string{f.Error()}
	}
	if !r.options.Color {
		for i, line := range lines {
			lines[i] = withoutANSI(line)
		}
	}
	return lines
}

// setLanguage tells in the metadata what kernel the notebook was run with, as a Jupyter
// client does.
func (n *Notebook) setLanguage() {
	if n.root == nil {
		n.root = &object{}
		n.root.set("metadata", &object{})
		n.root.set("nbformat", raw("4"))
		n.root.set("nbformat_minor", raw(fmt.Sprint(n.Minor)))
	}
	metadata := n.root.child("metadata")
	kernel := metadata.child("kernelspec")
	if language, _ := text(kernel.get("language")); language != "go" {
		kernel.set("display_name", quote("Go (gonb-svm)"))
		kernel.set("language", quote("go"))
		kernel.set("name", quote("gonb-svm"))
	}
	info := metadata.child("language_info")
	info.set("name", quote("go"))
	info.set("file_extension", quote(".go"))
	info.set("mimetype", quote("text/x-go"))
}

// widgetState is the format in which a notebook keeps its widgets, for pages made of it.
const widgetState = "application/vnd.jupyter.widget-state+json"

// widgetView is the format of an output that is a widget.
const widgetView = "application/vnd.jupyter.widget-view+json"

// setWidgets keeps the widgets in the metadata, in place of those of an earlier run.
func (n *Notebook) setWidgets(states map[string]any) {
	metadata := n.root.child("metadata")
	if metadata.remove("widgets"); states == nil {
		return
	}
	if tree, err := treeOf(states); err == nil {
		metadata.child("widgets").set(widgetState, tree)
	}
}
