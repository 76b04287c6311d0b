package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gonb-svm/gonb-svm/notebooks"
)

const quickstart = "../../notebooks/examples/quickstart.ipynb"

// python is the interpreter with the packages of testdata/requirements.txt; the test is
// skipped where there is none.
func python(t *testing.T) string {
	t.Helper()
	program := os.Getenv("GONB_SVM_PYTHON")
	if program == "" {
		t.Skip("GONB_SVM_PYTHON names no Python with testdata/requirements.txt installed; ./test.sh makes one")
	}
	return program
}

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "gonb-svm-test")
	if err != nil {
		return "", err
	}
	program := filepath.Join(dir, "gonb-svm")
	out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
})

// installed is a freshly built program with its kernelspec in a prefix of its own, and the
// environment in which Jupyter finds that and nothing of the user's.
func installed(t *testing.T) (program string, environment []string) {
	t.Helper()
	program, err := build()
	if err != nil {
		t.Fatal(err)
	}
	prefix := t.TempDir()
	if out, err := exec.Command(program, "install", "--prefix", prefix).CombinedOutput(); err != nil {
		t.Fatalf("install: %v\n%s", err, out)
	}
	home := t.TempDir()
	return program, append(os.Environ(), "JUPYTER_PATH="+filepath.Join(prefix, "share", "jupyter"), "HOME="+home,
		"XDG_STATE_HOME="+filepath.Join(home, "state"), "XDG_CACHE_HOME="+filepath.Join(home, "cache"))
}

// runPython runs a script of testdata and gives what it printed.
func runPython(t *testing.T, environment []string, limit time.Duration, script string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	cmd := exec.CommandContext(ctx, python(t), append([]string{filepath.Join("testdata", script)}, args...)...)
	cmd.Env = environment
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

// TestConformance runs Jupyter's own suite for kernels, whole.
func TestConformance(t *testing.T) {
	python(t)
	_, environment := installed(t)
	for _, transport := range []string{"tcp", "ipc"} {
		out := runPython(t, environment, 5*time.Minute, "conformance.py", transport)
		ran := regexp.MustCompile(`Ran (\d+) tests`).FindStringSubmatch(out)
		if ran == nil || ran[1] != "13" || strings.Contains(out, "skipped") {
			t.Errorf("%s: want 13 tests and none skipped:\n%s", transport, out)
		}
	}
}

// TestPoints checks what the protocol asks of a kernel, point by point, and each mistake that
// other kernels were found to make.
func TestPoints(t *testing.T) {
	python(t)
	_, environment := installed(t)
	for _, transport := range []string{"tcp", "ipc"} {
		out := runPython(t, environment, 7*time.Minute, "points.py", transport)
		if !strings.Contains(out, "points 15 mistakes 13\n") {
			t.Errorf("%s: want 15 points and 13 mistakes:\n%s", transport, out)
		}
	}
}

// TestQuickstart executes the quickstart through Jupyter's nbclient and the kernelspec, and by
// gonb-svm run, and holds that both leave the same outputs, and that these are the committed ones
// but for the figures, of which the last digits depend on the processor.
func TestQuickstart(t *testing.T) {
	program, environment := installed(t)
	dir := t.TempDir()
	ours, theirs := filepath.Join(dir, "ours.ipynb"), filepath.Join(dir, "theirs.ipynb")
	cmd := exec.Command(program, "run", "-o", ours, "--html", filepath.Join(dir, "ours.html"), quickstart)
	cmd.Env = environment
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("gonb-svm run: %v\n%s", err, out)
	}
	compareOutputs(t, "the committed notebook", outputsOf(t, quickstart, true), "gonb-svm run", outputsOf(t, ours, true))
	python(t)
	runPython(t, environment, 5*time.Minute, "execute.py", quickstart, theirs)
	compareOutputs(t, "nbclient", outputsOf(t, theirs, false), "gonb-svm run", outputsOf(t, ours, false))
}

var (
	// seconds matches durations, the one thing in which two runs on one machine may differ.
	seconds = regexp.MustCompile(`\d+(\.\d+)? (ms|s|min|h)\b`)
	figures = regexp.MustCompile(`[-−]?\d[\d.,]*(e[-+]\d+)?`)
	spaces  = regexp.MustCompile(`[ ─]+`)
)

// compareOutputs compares the outputs of the code cells of two notebooks.
func compareOutputs(t *testing.T, name string, a [][]string, otherName string, b [][]string) {
	t.Helper()
	if len(a) == 0 || len(a) != len(b) {
		t.Fatalf("%s has %d code cells with outputs, %s %d", name, len(a), otherName, len(b))
	}
	pictures := 0
	for i := range a {
		if diff := cmp.Diff(a[i], b[i]); diff != "" {
			t.Errorf("cell %d: %s (-) and %s (+) differ:\n%s", i+1, name, otherName, diff)
		}
		pictures += strings.Count(strings.Join(a[i], "\n"), "image/svg+xml")
	}
	if pictures < 3 {
		t.Errorf("%s shows %d pictures: want 3", name, pictures)
	}
}

// outputsOf gives, for each code cell, its outputs as text without durations; with words only,
// without pictures and figures too.
func outputsOf(t *testing.T, file string, wordsOnly bool) [][]string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n, err := notebooks.Read(f, file)
	if err != nil {
		t.Fatal(err)
	}
	var all [][]string
	for _, c := range n.Cells {
		if c.Kind != "code" {
			continue
		}
		var texts []string
		for i, o := range c.Outputs {
			if i+1 < len(c.Outputs) && o.Kind == "stream" && o.Name == c.Outputs[i+1].Name {
				c.Outputs[i+1].Text = o.Text + c.Outputs[i+1].Text // in how many pieces it came says nothing
				continue
			}
			if o.Kind == "display_data" && len(o.Data) == 0 {
				continue // a progress bar that was taken away
			}
			if view, ok := o.Data["application/vnd.jupyter.widget-view+json"].(map[string]any); ok {
				delete(view, "model_id") // a new one in each run
			}
			if wordsOnly {
				delete(o.Data, "application/vnd.vegalite.v5+json") // the figures of a plot
				for mime := range o.Data {
					if strings.HasPrefix(mime, "image/") {
						o.Data[mime] = ""
					}
				}
			}
			data, err := json.MarshalIndent(map[string]any{"kind": o.Kind, "name": o.Name, "text": o.Text, "data": o.Data, "error": o.Message}, "", " ")
			if err != nil {
				t.Fatal(err)
			}
			text := seconds.ReplaceAllString(string(data), "… s")
			if wordsOnly {
				text = spaces.ReplaceAllString(figures.ReplaceAllString(text, "#"), " ")
			}
			texts = append(texts, text)
		}
		all = append(all, texts)
	}
	return all
}

// TestLab opens the quickstart in JupyterLab in a browser, in light and dark, and runs it. The
// screenshots stay in test-artefacts.
func TestLab(t *testing.T) {
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
	for _, theme := range []string{"light", "dark"} {
		t.Log(runPython(t, environment, 6*time.Minute, "lab.py", quickstart, artefacts, theme))
		for _, picture := range []string{"launcher", "notebook"} {
			if info, err := os.Stat(filepath.Join(artefacts, picture+"-"+theme+".png")); err != nil || info.Size() < 10_000 {
				t.Errorf("no screenshot of the %s in %s: %v", picture, theme, err)
			}
		}
	}
}
