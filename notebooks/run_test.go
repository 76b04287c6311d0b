package notebooks

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// scripted is a session in which a cell's source names what it does.
type scripted struct {
	seen []display.Cell
	acts map[string]func(ctx context.Context, out display.Output) display.Outcome
}

func (s *scripted) Execute(ctx context.Context, cell display.Cell, out display.Output) display.Outcome {
	s.seen = append(s.seen, cell)
	if act := s.acts[cell.Source]; act != nil {
		return act(ctx, out)
	}
	return display.Outcome{}
}

func plainText(s string) display.Bundle { return display.Bundle{Data: map[string]any{"text/plain": s}} }

func newScripted() *scripted {
	fail := func(context.Context, display.Output) display.Outcome {
		return display.Outcome{Failure: &display.Failure{Name: "Panic", Message: "no", Traceback: []string{"\x1b[31mPanic\x1b[0m: no", "  at line 1"}}}
	}
	return &scripted{acts: map[string]func(context.Context, display.Output) display.Outcome{
		"print": func(_ context.Context, out display.Output) display.Outcome {
			out.Stream("stdout", "a\n")
			out.Stream("stdout", "b")
			out.Stream("stderr", "warn\n")
			out.Stream("stdout", "10%\r100%\n")
			return display.Outcome{}
		},
		"result": func(_ context.Context, out display.Output) display.Outcome {
			out.Stream("stdout", "no newline")
			b := plainText("4\n5")
			b.Data["image/png"] = []byte{1, 2, 3}
			b.Data["application/json"] = map[string]any{"a": "<&>"}
			b.Metadata = map[string]any{"image/png": map[string]any{"width": 480}}
			return display.Outcome{Result: &b}
		},
		"progress": func(_ context.Context, out display.Output) display.Outcome {
			out.Display(plainText("10%"), "p")
			out.Stream("stdout", "text\n")
			out.Update("p", plainText("done"))
			return display.Outcome{}
		},
		"show": func(_ context.Context, out display.Output) display.Outcome {
			out.Display(plainText("old"), "d1")
			return display.Outcome{}
		},
		"update": func(_ context.Context, out display.Output) display.Outcome {
			out.Update("d1", plainText("new"))
			return display.Outcome{}
		},
		"clear": func(_ context.Context, out display.Output) display.Outcome {
			out.Stream("stdout", "x")
			out.Clear(false)
			return display.Outcome{}
		},
		"clear later": func(_ context.Context, out display.Output) display.Outcome {
			out.Stream("stdout", "first\n")
			out.Clear(true)
			out.Stream("stdout", "second\n")
			out.Clear(true)
			return display.Outcome{}
		},
		"fail": fail, "boom": fail,
		"ask": func(_ context.Context, out display.Output) display.Outcome {
			_, err := out.Input("name?", false)
			return display.Outcome{Failure: &display.Failure{Name: "Error", Message: err.Error()}}
		},
		"wait": func(ctx context.Context, out display.Output) display.Outcome {
			<-ctx.Done()
			return display.Outcome{Failure: &display.Failure{Name: "Interrupted", Message: "interrupted"}}
		},
	}}
}

func codeCells(sources ...string) *Notebook {
	n := &Notebook{Name: "t.ipynb", Format: 4, Minor: 5}
	for _, s := range sources {
		n.Cells = append(n.Cells, &Cell{Kind: "code", Source: s})
	}
	return n
}

func TestRunStoresOutputs(t *testing.T) {
	n := codeCells("print", "result", "show", " \n", "update", "clear", "clear later")
	var stdout, stderr bytes.Buffer
	s := newScripted()
	report, err := Run(context.Background(), s, n, Options{Stdout: &stdout, Stderr: &stderr})
	if err != nil || !report.OK() || report.Executed != 6 || report.Skipped != 1 {
		t.Fatalf("report %+v, error %v", report, err)
	}
	if want := "a\nb10%\r100%\nno newline\n4\n5\nold\nxfirst\nsecond\n"; stdout.String() != strings.Replace(want, "xfirst", "x\nfirst", 1) {
		t.Errorf("stdout %q", stdout.String())
	}
	if stderr.String() != "warn\n" {
		t.Errorf("stderr %q", stderr.String())
	}
	if s.seen[5].Count != 6 || s.seen[5].Name() != "In[6]" {
		t.Errorf("the last cell ran as %+v", s.seen[5])
	}
	var file struct {
		Cells []struct {
			Count   *int            `json:"execution_count"`
			Outputs json.RawMessage `json:"outputs"`
		}
		Metadata struct {
			Kernelspec struct{ Name, Language string }
			Language   struct{ Name string } `json:"language_info"`
		}
	}
	data := written(t, n)
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	want := []string{
		`[{"name":"stdout","output_type":"stream","text":["a\n","b"]},` +
			`{"name":"stderr","output_type":"stream","text":["warn\n"]},` +
			`{"name":"stdout","output_type":"stream","text":["100%\n"]}]`,
		`[{"name":"stdout","output_type":"stream","text":["no newline"]},` +
			`{"data":{"application/json":{"a":"<&>"},"image/png":"AQID","text/plain":["4\n","5"]},"execution_count":2,` +
			`"metadata":{"image/png":{"width":480}},"output_type":"execute_result"}]`,
		`[{"data":{"text/plain":["new"]},"metadata":{},"output_type":"display_data"}]`,
		`[]`, `[]`, `[]`,
		`[{"name":"stdout","output_type":"stream","text":["second\n"]}]`,
	}
	for i, c := range file.Cells {
		if got := string(squeezed(t, c.Outputs)); got != want[i] {
			t.Errorf("cell %d has the outputs\n%s, want\n%s", i+1, got, want[i])
		}
	}
	if file.Cells[3].Count != nil || file.Cells[4].Count == nil || *file.Cells[4].Count != 4 {
		t.Error("execution counts are wrong")
	}
	if file.Metadata.Kernelspec.Name != "gonb-svm" || file.Metadata.Language.Name != "go" {
		t.Errorf("metadata %+v", file.Metadata)
	}
	if _, err := Read(bytes.NewReader(data), "again"); err != nil {
		t.Error(err)
	}
}

func TestRunPrintsWhatChangesOnce(t *testing.T) {
	var stdout bytes.Buffer
	if _, err := Run(context.Background(), newScripted(), codeCells("progress"), Options{Stdout: &stdout}); err != nil {
		t.Fatal(err)
	}
	if stdout.String() != "text\ndone\n" {
		t.Errorf("stdout %q", stdout.String())
	}
}

// A display that was updated to nothing leaves nothing behind.
func TestRunForgetsEmptied(t *testing.T) {
	n, s := codeCells("work"), newScripted()
	s.acts["work"] = func(_ context.Context, out display.Output) display.Outcome {
		out.Stream("stdout", "before\n")
		out.Display(plainText("half done"), "progress-1")
		out.Update("progress-1", display.Bundle{})
		return display.Outcome{}
	}
	var printed strings.Builder
	if _, err := Run(context.Background(), s, n, Options{Stdout: &printed}); err != nil {
		t.Fatal(err)
	}
	if outputs := n.Cells[0].Outputs; len(outputs) != 1 || outputs[0].Kind != "stream" {
		t.Errorf("the cell keeps %v: want its printed line alone", outputs)
	}
	if printed.String() != "before\n" {
		t.Errorf("printed %q", printed.String())
	}
}

func TestRunStopsAtFailure(t *testing.T) {
	n := codeCells("boom", "fail", "print")
	n.Cells[0].Tags = []string{tagRaises}
	n.Cells[2].Outputs = []*Output{{Kind: "stream", Name: "stdout", Text: "of an earlier run"}}
	var stderr bytes.Buffer
	report, err := Run(context.Background(), newScripted(), n, Options{Stderr: &stderr})
	if err != nil {
		t.Fatal(err)
	}
	if report.OK() || report.Executed != 2 || report.Failed != 1 || report.Expected != 1 || report.Skipped != 1 {
		t.Errorf("report %+v", report)
	}
	if f := report.Failures[1]; f.Position != 2 || f.Count != 2 || f.Expected || f.Error() != "Panic: no" {
		t.Errorf("failure %+v", f)
	}
	if want := "Panic: no (the cell is tagged raises-exception)\nPanic: no\n  at line 1\n"; stderr.String() != want {
		t.Errorf("stderr %q, want %q", stderr.String(), want)
	}
	if o := n.Cells[1].Outputs; len(o) != 1 || o[0].Kind != "error" || o[0].ErrorName != "Panic" || !strings.Contains(o[0].Traceback[0], "\x1b[31m") {
		t.Errorf("outputs of the failed cell %+v", o)
	}
	if len(n.Cells[2].Outputs) != 0 {
		t.Error("a cell that was not run kept the outputs of an earlier run")
	}
	if got := report.String(); !strings.HasPrefix(got, "2 cells run in ") || !strings.HasSuffix(got, ", 1 failed, 1 failed as they may, 1 not run") {
		t.Errorf("the report reads %q", got)
	}
}

func TestRunKeepsGoing(t *testing.T) {
	n := codeCells("fail", "ask", "print")
	report, err := Run(context.Background(), newScripted(), n, Options{KeepGoing: true})
	if err != nil || report.Executed != 3 || report.Failed != 2 {
		t.Errorf("report %+v, error %v", report, err)
	}
	if !strings.Contains(report.Failures[1].Message, `nobody to ask "name?"`) {
		t.Errorf("asking gave %q", report.Failures[1].Message)
	}
}

func TestRunSkips(t *testing.T) {
	n := codeCells("fail", "print")
	n.Cells[0].Tags = []string{tagSkip}
	n.Cells[0].Outputs = []*Output{{Kind: "stream", Name: "stdout", Text: "kept"}}
	s := newScripted()
	report, err := Run(context.Background(), s, n, Options{})
	if err != nil || !report.OK() || report.Executed != 1 || len(s.seen) != 1 || len(n.Cells[0].Outputs) != 1 {
		t.Errorf("report %+v, error %v, %d cells seen", report, err, len(s.seen))
	}
}

func TestRunTimeout(t *testing.T) {
	n := codeCells("wait", "print")
	report, err := Run(context.Background(), newScripted(), n, Options{Timeout: 20 * time.Millisecond})
	if err != nil || report.Failed != 1 || report.Failures[0].Name != "Timeout" || !strings.Contains(report.Failures[0].Message, "longer than 20ms") {
		t.Errorf("report %+v, error %v", report, err)
	}
}

func TestRunCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	n := codeCells("wait", "print")
	n.Cells[0].Tags = []string{tagRaises} // no excuse for being interrupted
	report, err := Run(ctx, newScripted(), n, Options{})
	if !errors.Is(err, context.Canceled) || report.Executed != 1 || report.Failed != 1 {
		t.Errorf("report %+v, error %v", report, err)
	}
}

func TestRunDropsWhatComesTooLate(t *testing.T) {
	var late display.Output
	s := newScripted()
	s.acts["keep"] = func(_ context.Context, out display.Output) display.Outcome { late = out; return display.Outcome{} }
	n := codeCells("keep")
	if _, err := Run(context.Background(), s, n, Options{}); err != nil {
		t.Fatal(err)
	}
	late.Stream("stdout", "late")
	late.Display(plainText("late"), "")
	if len(n.Cells[0].Outputs) != 0 {
		t.Error("an output came after the run")
	}
}

func TestRunLimitsText(t *testing.T) {
	s := newScripted()
	s.acts["flood"] = func(_ context.Context, out display.Output) display.Outcome {
		for range 3 * maxStream >> 20 {
			out.Stream("stdout", strings.Repeat("x", 1<<20))
		}
		return display.Outcome{}
	}
	n := codeCells("flood")
	if _, err := Run(context.Background(), s, n, Options{}); err != nil {
		t.Fatal(err)
	}
	if text := n.Cells[0].Outputs[0].Text; len(text) > maxStream+2<<20 || !strings.HasSuffix(text, "4 MB of text\n") {
		t.Errorf("%d bytes are kept", len(text))
	}
}

func TestParameters(t *testing.T) {
	parse := func(args ...string) (all []Parameter) {
		for _, a := range args {
			p, err := ParseParameter(a)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, p)
		}
		return all
	}
	n := codeCells("first", "import \"fmt\"\n%time\nvar C float64 = 10\nset, n := \"a8a\", 3\nconst K = 1\nif true { inner := 1; _ = inner }", "last")
	n.Cells[1].Tags = []string{tagParameters}
	given := parse("C=1", "set=5", "n=-2", "K=7", "free=1e-3", "inner=x y", "b=true", "q=\"a\\nb\"", "e=", "u=a=b", "C=2")
	want := "// Parameters\nset = \"5\"\nn = -2\nconst K = 7\nfree := 1e-3\ninner := \"x y\"\nb := true\nq := \"a\\nb\"\ne := \"\"\nu := \"a=b\"\nC = 2"
	for range 2 { // the second time the injected cell is replaced
		n.inject(given)
		if len(n.Cells) != 4 || n.Cells[2].Source != want || !n.Cells[2].Tagged(tagInjected) {
			t.Fatalf("injected\n%s\nwant\n%s", n.Cells[2].Source, want)
		}
	}
	if !bytes.Contains(written(t, n), []byte(`"injected-parameters"`)) {
		t.Error("the tag is not written")
	}
	bare := codeCells("only")
	bare.inject(parse("x=1"))
	if bare.Cells[0].Source != "// Parameters\nx := 1" {
		t.Errorf("first comes %q", bare.Cells[0].Source)
	}
	for _, bad := range []string{"x", "=1", "1x=2", "func=1", "_=1", "a b=1"} {
		if _, err := ParseParameter(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestReadScript(t *testing.T) {
	source := "#!/usr/bin/env -S gonb-svm run\n// Package comment\n\n//%% [markdown]\n// # Title\n//\n// text\n//%% tags=[\"parameters\"]\nC := 1.0\r\n\nfmt.Println(C)\n\n// %%\n\n//%%x is no marker\ny := 1\n//%%\n"
	n, err := ReadScript(strings.NewReader(source), "s.go")
	if err != nil {
		t.Fatal(err)
	}
	want := []Cell{
		{Kind: "code", Source: "// Package comment"},
		{Kind: "markdown", Source: "# Title\n\ntext"},
		{Kind: "code", Source: "C := 1.0\n\nfmt.Println(C)", Tags: []string{"parameters"}},
		{Kind: "code", Source: "//%%x is no marker\ny := 1"},
	}
	if len(n.Cells) != len(want) {
		t.Fatalf("%d cells, want %d", len(n.Cells), len(want))
	}
	for i, c := range n.Cells {
		if c.Kind != want[i].Kind || c.Source != want[i].Source || len(c.Tags) != len(want[i].Tags) {
			t.Errorf("cell %d is %+v, want %+v", i+1, c, want[i])
		}
	}
	again, err := Read(bytes.NewReader(written(t, n)), "s.ipynb")
	if err != nil || len(again.Cells) != 4 || again.Cells[2].Tags[0] != "parameters" {
		t.Errorf("as a notebook: %v", err)
	}
	for source, want := range map[string]string{
		"//%% tags=parameters\n": `s.go: line 1: tags=parameters: want a list as tags=["parameters"]`,
		"\xff":                   "s.go: not a Go script: it is not UTF-8 text",
	} {
		if _, err := ReadScript(strings.NewReader(source), "s.go"); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", source, err, want)
		}
	}
}

// drawn is a session whose cells show widgets.
type drawn struct {
	*scripted
	states map[string]any
}

func (d drawn) WidgetStates() map[string]any { return d.states }

// The state of the widgets is kept in the metadata, in place of that of an earlier run.
func TestRunKeepsWidgets(t *testing.T) {
	read := func() *Notebook {
		n, err := Read(strings.NewReader(`{"nbformat":4,"nbformat_minor":5,"metadata":{"widgets":{"application/vnd.jupyter.widget-state+json":{"state":{"old":{}}}}},
			"cells":[{"cell_type":"code","id":"a","metadata":{},"source":"1","outputs":[],"execution_count":null}]}`), "q.ipynb")
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range []struct {
		states  map[string]any
		want    string
		without string
	}{{map[string]any{"version_major": 2, "state": map[string]any{"fresh": map[string]any{}}}, `"fresh": {}`, "old"}, {nil, "metadata", "widget"}} {
		n := read()
		if _, err := Run(context.Background(), drawn{newScripted(), c.states}, n, Options{}); err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := Write(&b, n); err != nil {
			t.Fatal(err)
		}
		if got := b.String(); !strings.Contains(got, c.want) || strings.Contains(got, c.without) {
			t.Errorf("want %q and no %q in\n%s", c.want, c.without, got)
		}
	}
}
