package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gonb-svm/gonb-svm/notebooks"
)

// TestExamples executes the other example notebooks without any data but what is inside the
// binary, and holds that they leave the committed outputs, but for pictures and figures, of which the
// last digits depend on the processor.
func TestExamples(t *testing.T) {
	if testing.Short() {
		t.Skip("runs notebooks of several seconds each")
	}
	files, err := filepath.Glob("../../notebooks/examples/*.ipynb")
	if err != nil {
		t.Fatal(err)
	}
	program, environment := installed(t)
	ran := 0
	for _, file := range files {
		name := filepath.Base(file)
		if name == filepath.Base(quickstart) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath("gcc"); name == "device.ipynb" && err != nil {
				t.Skip("gcc is missing")
			}
			out := filepath.Join(t.TempDir(), name)
			cmd := exec.Command(program, "run", "-o", out, file)
			cmd.Env = append(environment, "GONB_SVM_DATA=")
			if name == "sweep.ipynb" {
				cmd.Env = append(cmd.Env, "GONB_SVM_SWEEP="+sweepProgram(t))
			}
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			committed, now := outputsOf(t, file, true), outputsOf(t, out, true)
			if len(committed) == 0 {
				t.Fatal("no code cells")
			}
			shown := 0
			for i := range committed {
				shown += len(committed[i])
				if diff := cmp.Diff(committed[i], now[i]); diff != "" {
					t.Errorf("cell %d: committed (-) and executed (+) differ:\n%s", i+1, diff)
				}
			}
			if shown == 0 {
				t.Error("the committed notebook shows nothing")
			}
			if n := must(notebooks.Read(bytes.NewReader(must(os.ReadFile(file))), file)); slices.ContainsFunc(n.Cells, failed) {
				t.Error("the committed notebook has an error that no cell's tag expects")
			}
		})
		ran++
	}
	if ran < 5 {
		t.Errorf("%d notebooks, want 5 or more", ran)
	}
}

// failed says whether a cell has an error although its tags do not say so.
func failed(c *notebooks.Cell) bool {
	return !slices.Contains(c.Tags, "raises-exception") && slices.ContainsFunc(c.Outputs, func(o *notebooks.Output) bool { return o.Kind == "error" })
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// sweepProgram builds gonb-svm-sweep.
func sweepProgram(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "gonb-svm-sweep")
	if out, err := exec.Command("go", "build", "-o", program, "../gonb-svm-sweep").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}
