package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReproductions executes the quick forms of the notebooks that reproduce the papers' figures, and
// holds that they leave the committed outputs: texts and tables but for figures, of which the last digits
// depend on the processor. The verdicts of those that draw them from stored results must be the same
// letter by letter.
func TestReproductions(t *testing.T) {
	if testing.Short() {
		t.Skip("runs notebooks of several seconds each")
	}
	if os.Getenv("GONB_SVM_DATA") == "" {
		t.Skip("GONB_SVM_DATA names no folder with the papers' data sets")
	}
	program, environment := installed(t)
	for name, stored := range map[string]bool{"issvm": true, "sasso": true, "minimalsvm": false, "budgetsvm": true} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("../../notebooks/reproduction", name+".ipynb")
			out := filepath.Join(t.TempDir(), name+".ipynb")
			cmd := exec.Command(program, "run", "-o", out, file)
			cmd.Env = environment
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			committed, now := outputsOf(t, file, true), outputsOf(t, out, true)
			if diff := cmp.Diff(committed, now); diff != "" {
				t.Errorf("committed (-) and executed (+) differ:\n%s", diff)
			}
			before, after := lastOf(t, file), lastOf(t, out)
			if !strings.Contains(before, "| claim | here | holds? |") || strings.Count(before, `\n|`) < 4 {
				t.Errorf("the last cell has no table of claims:\n%s", before)
			}
			if diff := cmp.Diff(before, after); stored && diff != "" {
				t.Errorf("the verdict is not that of the stored results, committed (-) and executed (+):\n%s", diff)
			}
			if strings.Contains(string(must(os.ReadFile(file))), `"output_type": "error"`) {
				t.Error("the committed notebook has an error")
			}
		})
	}
}

// lastOf is what the last code cell shows, with all its figures.
func lastOf(t *testing.T, file string) string {
	t.Helper()
	cells := outputsOf(t, file, false)
	if len(cells) == 0 || len(cells[len(cells)-1]) == 0 {
		t.Fatalf("%s: the last cell shows nothing", file)
	}
	return strings.Join(cells[len(cells)-1], "\n")
}
