package main

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// runClient runs a program of the Python environment, as a user types it, in a folder.
func runClient(t *testing.T, environment []string, dir, name string, args ...string) string {
	t.Helper()
	program, err := filepath.Abs(filepath.Join(filepath.Dir(python(t)), name))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Env, cmd.Dir = environment, dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// copied is a notebook without its outputs, in a folder of its own.
func copied(t *testing.T, file string) (dir, name string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var notebook map[string]any
	if err := json.Unmarshal(data, &notebook); err != nil {
		t.Fatal(err)
	}
	cells, codes := notebook["cells"].([]any), 0
	for _, c := range cells {
		if cell := c.(map[string]any); cell["cell_type"] == "code" {
			cell["outputs"], cell["execution_count"] = []any{}, nil
			codes++
		}
	}
	if codes == 0 {
		t.Fatalf("%s has no code", file)
	}
	if data, err = json.Marshal(notebook); err != nil {
		t.Fatal(err)
	}
	dir, name = t.TempDir(), filepath.Base(file)
	if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir, name
}

// TestJupyterExecute runs the quickstart by "jupyter execute" and holds that it leaves the
// outputs of the committed notebook, but for the figures.
func TestJupyterExecute(t *testing.T) {
	python(t)
	_, environment := installed(t)
	dir, name := copied(t, quickstart)
	runClient(t, environment, dir, "jupyter-execute", "--inplace", name)
	compareOutputs(t, "the committed notebook", outputsOf(t, quickstart, true),
		"jupyter execute", outputsOf(t, filepath.Join(dir, name), true))
}

// TestWidgetsWithoutKernel holds that a saved notebook and a page of it keep what widgets show, and that the
// kernel is busy while they redraw.
func TestWidgetsWithoutKernel(t *testing.T) {
	python(t)
	_, environment := installed(t)
	out := runPython(t, environment, 5*time.Minute, "widgets.py", filepath.Join(t.TempDir(), "page.html"))
	if !strings.Contains(out, "widgets kept, busy seen\n") {
		t.Error(out)
	}
}

// TestConvert runs the quickstart and makes a page of it by nbconvert, and holds that the page
// shows every table and every plot.
func TestConvert(t *testing.T) {
	python(t)
	_, environment := installed(t)
	dir, name := copied(t, quickstart)
	runClient(t, environment, dir, "jupyter-nbconvert", "--to", "html", "--execute", name)
	data, err := os.ReadFile(filepath.Join(dir, "quickstart.html"))
	if err != nil {
		t.Fatal(err)
	}
	page, tables, plots := string(data), 0, 0
	for _, outputs := range outputsOf(t, quickstart, false) {
		for _, output := range outputs {
			switch {
			case strings.Contains(output, "image/svg+xml"):
				plots++
			case strings.Contains(output, "\\u003ctable"):
				tables++
			}
		}
	}
	if tables == 0 || plots == 0 {
		t.Fatalf("the committed notebook has %d tables and %d plots: nothing to look for", tables, plots)
	}
	if shown := len(shownPlot.FindAllString(page, -1)); shown != plots {
		t.Errorf("the page shows %d plots, not %d", shown, plots)
	}
	if shown := len(shownTable.FindAllString(page, -1)); shown != tables {
		t.Errorf("the page shows %d tables, not %d", shown, tables)
	}
	if strings.Contains(page, `data-mime-type="application/vnd.jupyter.stderr"`) {
		t.Error("the page shows something of standard error")
	}
}

// TestConvertWidgets runs a notebook with widgets by gonb-svm run, and holds that the page that
// nbconvert makes of it has their state, with the plot that a slider has drawn, and a view of them.
func TestConvertWidgets(t *testing.T) {
	python(t)
	program, environment := installed(t)
	dir := t.TempDir()
	script := "train, _ := svm.Load(\"toy\")\n//%%\nwidgets.Interact(func(gamma float64) any {\n" +
		"\treturn svm.PlotBoundary(svm.Fit(train, svm.SMO{Kernel: svm.RBF{Gamma: gamma}}).Model, train)\n}, widgets.LogRange(0.1, 10))\n"
	if err := os.WriteFile(filepath.Join(dir, "w.go"), []byte(script), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "run", "-o", filepath.Join(dir, "w.ipynb"), filepath.Join(dir, "w.go"))
	cmd.Env = environment
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("gonb-svm run: %v\n%s", err, out)
	}
	runClient(t, environment, dir, "jupyter-nbconvert", "--to", "html", "w.ipynb")
	page, err := os.ReadFile(filepath.Join(dir, "w.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`<script type="application/vnd.jupyter.widget-state+json">`, `type="application/vnd.jupyter.widget-view+json"`,
		`"model_name": "FloatLogSliderModel"`, `"description": "gamma"`, `image/svg+xml`} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page has no %s", want)
		}
	}
}

// An output in a page of nbconvert: a plot as an image of some size, and a table.
var (
	shownPlot  = regexp.MustCompile(`data-mime-type="image/svg\+xml"[^>]*>\s*<img[^>]*src="data:image/svg\+xml;base64,[\w+/=]{1000}`)
	shownTable = regexp.MustCompile(`data-mime-type="text/html"[^>]*>\s*(<style[^>]*>[^<]*</style>)?[^\n]{0,200}<table`)
)

// TestPapermill runs a notebook by papermill with parameters, and holds that they take the
// place of the notebook's own. Papermill 2.7 writes parameters in the languages of a table of
// its own, in which Go is not, and refuses others; the declarations it writes for C# are Go
// too, for numbers, text and booleans.
func TestPapermill(t *testing.T) {
	python(t)
	_, environment := installed(t)
	dir, name := copied(t, "testdata/parameters.ipynb")
	runClient(t, environment, dir, "papermill", "--language", ".net-csharp", "-p", "gamma", "0.25",
		"-p", "name", "banana", "-p", "aggressive", "False", name, "out.ipynb")
	outputs := outputsOf(t, filepath.Join(dir, "out.ipynb"), false)
	const want = "banana: gamma 0.25, aggressive false"
	if len(outputs) != 3 || !strings.Contains(strings.Join(outputs[2], "\n"), want) {
		t.Errorf("want %q in the last of three cells, got %q", want, outputs)
	}
	runClient(t, environment, dir, "papermill", name, "plain.ipynb")
	outputs = outputsOf(t, filepath.Join(dir, "plain.ipynb"), false)
	const own = "toy: gamma 0.5, aggressive true"
	if len(outputs) != 2 || !strings.Contains(strings.Join(outputs[1], "\n"), own) {
		t.Errorf("without parameters: want %q in the last of two cells, got %q", own, outputs)
	}
}

// TestConsole types into "jupyter console": values, errors, prompts, passwords, cells of several
// lines, and the words by which one leaves.
func TestConsole(t *testing.T) {
	python(t)
	_, environment := installed(t)
	out := runPython(t, environment, 5*time.Minute, "console.py")
	for _, task := range []string{"values", "prompts", "terminal"} {
		if !strings.Contains(out, "done: "+task+"\n") {
			t.Errorf("%s was not done:\n%s", task, out)
		}
	}
}

// TestLabWork works in JupyterLab in a browser: interrupts a long fit and an endless loop,
// answers a question, completes, inspects, looks at the variables, restarts and runs all. The
// screenshots stay in test-artefacts.
func TestLabWork(t *testing.T) {
	if testing.Short() {
		t.Skip("takes a minute")
	}
	python(t)
	if _, err := exec.LookPath("chromium"); err != nil {
		t.Skip("no chromium to open JupyterLab in")
	}
	_, environment := installed(t)
	artefacts, err := filepath.Abs("../../test-artefacts")
	if err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	out := runPython(t, environment, 8*time.Minute, "work.py", artefacts)
	t.Log(out)
	for _, task := range []string{"interrupt", "answer", "complete", "inspect", "slider", "progress", "chart", "variables", "restart"} {
		if !strings.Contains(out, "done: "+task+"\n") {
			t.Errorf("%s was not done:\n%s", task, out)
		}
		info, err := os.Stat(filepath.Join(artefacts, "work-"+task+".png"))
		if err != nil || info.Size() < 10_000 || info.ModTime().Before(began) {
			t.Errorf("no screenshot of %s in %s: %v", task, artefacts, err)
		}
	}
}
