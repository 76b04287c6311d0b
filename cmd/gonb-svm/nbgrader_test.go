package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// wrongAnswers are what a careless student writes, by assignment and cell: a wrong formula, code that does not
// compile, what satisfies the visible checks only, a panic, a loop without end.
var wrongAnswers = map[string]map[string]string{
	"1-margins": {
		"width":    "func width(m *svm.Model) float64 { return m.Norm() }",
		"distance": "func distance(m *svm.Model, x svm.Vector, y float64) float64 { return y * m.Decison(x) }",
		"inside":   "func onOrInside(m *svm.Model, d *svm.Dataset) []int {\n\tif d.Len() == 8 {\n\t\treturn []int{3, 4, 5}\n\t}\n\treturn []int{0, 1}\n}",
	},
	"2-kernels": {
		"decide":   "func decide(m *svm.Model, x svm.Vector) float64 { return m.Decision(x) - m.Bias }",
		"features": "func features(x, gamma float64, n int) []float64 {\n\tfor {\n\t}\n}",
	},
	"3-sparse": {"slope": "func slope(sizes, counts []int) float64 {\n\treturn float64(counts[len(counts)] - counts[0])\n}"},
	"4-issvm":  {"aggressive": "func choose(h, c, alpha []float64, eligible []bool, epsilon float64) int { return -1 }"},
	"5-device": {"choose": "func choose(path *svm.Path, size int) svm.PathPoint {\n\treturn path.Points[0]\n}"},
}

// lost are the tests that the wrong answers fail, with the message; "" for any.
var lost = map[string]map[string]string{
	"1-margins": {
		"test-width":    "hint: How far is a point with f = 1 from the line f = 0?",
		"test-distance": "",
		"test-inside":   "the rows of toy: yours has 2 elements",
	},
	"2-kernels": {"test-decide": "hint: Add coefficient times kernel for each support vector; and the bias?", "test-features": ""},
	"3-sparse":  {"test-slope": "index out of range"},
	"4-issvm":   {"test-aggressive": "hint: Make a list of eligible rows that have a weight"},
	"5-device":  {"test-choose": "hint: A larger model is not always better"},
}

// TestNbgrader has nbgrader make the students' versions, which must be the committed ones, and grade a
// perfect, an empty and a wrong submission with our kernel: of the first assignment, or of the one that
// GONB_SVM_GRADE names, or of all with GONB_SVM_GRADE=all.
func TestNbgrader(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	interpreter := python(t)
	if out, err := exec.Command(interpreter, "-c", "import nbgrader.coursedir").CombinedOutput(); err != nil {
		t.Skipf("nbgrader is not installed: %v\n%s", err, out)
	}
	_, environment := installed(t)
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "source"), os.DirFS(course+"/source")); err != nil {
		t.Fatal(err)
	}
	writeTo(t, filepath.Join(dir, "nbgrader_config.py"), must(os.ReadFile(course+"/nbgrader_config.py")))
	all := assignments(t)
	graded := all[:1]
	if name := os.Getenv("GONB_SVM_GRADE"); name != "" {
		graded = slices.DeleteFunc(slices.Clone(all), func(file string) bool { return name != "all" && name != filepath.Dir(file) })
	}
	if len(graded) == 0 {
		t.Fatalf("GONB_SVM_GRADE=%s is no assignment", os.Getenv("GONB_SVM_GRADE"))
	}
	script, err := filepath.Abs("testdata/course.py")
	if err != nil {
		t.Fatal(err)
	}
	args := []string{script}
	for _, file := range graded {
		submit(t, dir, file)
		args = append(args, filepath.Dir(file))
	}
	cmd := exec.Command(interpreter, args...)
	cmd.Dir, cmd.Env = dir, environment
	begin := time.Now()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("nbgrader took %s, %s of them computing", time.Since(begin).Round(time.Second), (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Round(time.Second))
	for _, file := range all {
		var committed, generated any
		for name, to := range map[string]*any{filepath.Join(course, "release", file): &committed, filepath.Join(dir, "release", file): &generated} {
			if err := json.Unmarshal(must(os.ReadFile(name)), to); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(committed, generated); diff != "" {
			t.Errorf("release/%s is not what nbgrader makes of source/%s: committed (-), generated (+)\n%s", file, file, diff)
		}
	}
	checkMarks(t, dir, graded, string(out))
}

// submit hands in an assignment three times.
func submit(t *testing.T, dir, file string) {
	t.Helper()
	release := must(os.ReadFile(filepath.Join(course, "release", file)))
	source := must(os.ReadFile(filepath.Join(course, "source", file)))
	writeTo(t, filepath.Join(dir, "submitted", "empty", file), release)
	writeTo(t, filepath.Join(dir, "submitted", "perfect", file), source)
	var n map[string]any
	if err := json.Unmarshal(source, &n); err != nil {
		t.Fatal(err)
	}
	wrong := wrongAnswers[filepath.Dir(file)]
	replaced := 0
	for _, c := range n["cells"].([]any) {
		if text, ok := wrong[c.(map[string]any)["id"].(string)]; ok {
			c.(map[string]any)["source"] = text
			replaced++
		}
	}
	if replaced == 0 || replaced != len(wrong) {
		t.Fatalf("%s: %d of %d answers were replaced", file, replaced, len(wrong))
	}
	data, err := json.Marshal(n)
	if err != nil {
		t.Fatal(err)
	}
	writeTo(t, filepath.Join(dir, "submitted", "wrong", file), data)
}

func writeTo(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// checkMarks compares the marks that nbgrader gave with those that were earned.
func checkMarks(t *testing.T, dir string, graded []string, out string) {
	t.Helper()
	marks := map[string]string{} // by assignment, student and cell: marks and of how many
	for line := range strings.Lines(out) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); f[0] == "graded" && len(f) == 6 {
			marks[strings.Join(f[1:4], " ")] = f[4] + " of " + f[5]
		}
	}
	for _, file := range graded {
		name := filepath.Dir(file)
		checked := 0
		for _, c := range gradedCells(t, filepath.Join(course, "source", file)) {
			if c.is() != "test" && c.is() != "written" {
				continue
			}
			full := fmt.Sprintf("%.1f of %.1f", c.Metadata.Grading.Points, c.Metadata.Grading.Points)
			none := fmt.Sprintf("0.0 of %.1f", c.Metadata.Grading.Points)
			want := map[string]string{"perfect": full, "empty": none, "wrong": full}
			if _, ok := lost[name][c.ID]; ok {
				want["wrong"] = none
			}
			if c.is() == "written" {
				byHand := fmt.Sprintf("by hand of %.1f", c.Metadata.Grading.Points)
				want["perfect"], want["wrong"] = byHand, byHand
			}
			for student, want := range want {
				checked++
				if got := marks[name+" "+student+" "+c.ID]; got != want {
					t.Errorf("%s: the %s submission gets %q for %s, want %q", name, student, got, c.ID, want)
				}
			}
		}
		if checked < 18 {
			t.Errorf("%s: %d marks were checked", name, checked)
		}
		checkHints(t, filepath.Join(dir, "autograded", "wrong", file), lost[name])
	}
}

// checkHints looks for the reasons in what the wrong submission became, and that its last cell ran.
func checkHints(t *testing.T, file string, lost map[string]string) {
	t.Helper()
	cells := gradedCells(t, file)
	for _, c := range cells {
		hint, ok := lost[c.ID]
		if !ok {
			continue
		}
		message := ""
		for _, o := range c.Outputs {
			if o.Kind == "error" {
				message += o.Name + ": " + o.Message
			}
		}
		if message == "" || !strings.Contains(message, hint) {
			t.Errorf("%s: %s shows the error %q, want one with %q", file, c.ID, message, hint)
		}
	}
	last := slices.IndexFunc(cells, func(c gradedCell) bool { return c.ID == "marks" })
	if last < 0 || len(cells[last].Outputs) != 1 || cells[last].Outputs[0].Kind != "execute_result" {
		t.Errorf("%s: the last cell does not show the marks", file)
	}
}
