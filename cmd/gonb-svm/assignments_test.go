package main

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// course is the folder of the assignments, which is one for nbgrader, too.
const course = "../../notebooks/assignments"

// gradedCell is a cell with what nbgrader keeps of it.
type gradedCell struct {
	Type     string   `json:"cell_type"`
	ID       string   `json:"id"`
	Source   []string `json:"source"`
	Metadata struct {
		Grading *struct {
			GradeID  string  `json:"grade_id"`
			Schema   int     `json:"schema_version"`
			Points   float64 `json:"points"`
			Grade    bool    `json:"grade"`
			Solution bool    `json:"solution"`
			Locked   bool    `json:"locked"`
			Task     bool    `json:"task"`
		} `json:"nbgrader"`
	} `json:"metadata"`
	Outputs []struct {
		Kind    string `json:"output_type"`
		Name    string `json:"ename"`
		Message string `json:"evalue"`
	} `json:"outputs"`
}

func (c gradedCell) text() string { return strings.Join(c.Source, "") }

// is tells what a cell is for: "solution", "test", "written", "given", or "" for all others.
func (c gradedCell) is() string {
	switch g := c.Metadata.Grading; {
	case g == nil:
		return ""
	case g.Grade && g.Solution:
		return "written"
	case g.Grade:
		return "test"
	case g.Solution:
		return "solution"
	}
	return "given"
}

func gradedCells(t *testing.T, file string) []gradedCell {
	t.Helper()
	var n struct {
		Cells []gradedCell `json:"cells"`
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &n); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return n.Cells
}

// assignments are the five files below source, as "1-margins/margins.ipynb".
func assignments(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(course + "/source/*/*.ipynb")
	if err != nil || len(files) != 5 {
		t.Fatalf("%d assignments, want 5: %v", len(files), err)
	}
	for i := range files {
		files[i], err = filepath.Rel(course+"/source", files[i])
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// TestAssignments executes the instructor's notebooks without any data but what is inside the
// binary, and holds that they leave the committed outputs.
func TestAssignments(t *testing.T) {
	if testing.Short() {
		t.Skip("runs notebooks of several seconds each")
	}
	program, environment := installed(t)
	for _, file := range assignments(t) {
		t.Run(filepath.Dir(file), func(t *testing.T) {
			out := filepath.Join(t.TempDir(), "out.ipynb")
			cmd := exec.Command(program, "run", "-o", out, filepath.Join(course, "source", file))
			cmd.Env = append(environment, "GONB_SVM_DATA=")
			if text, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, text)
			}
			committed, now := outputsOf(t, filepath.Join(course, "source", file), true), outputsOf(t, out, true)
			shown := 0
			for i := range committed {
				shown += len(committed[i])
				if diff := cmp.Diff(committed[i], now[i]); diff != "" {
					t.Errorf("code cell %d: committed (-) and executed (+) differ:\n%s", i+1, diff)
				}
			}
			if shown < 10 {
				t.Errorf("the committed notebook shows %d outputs", shown)
			}
		})
	}
}

var (
	asked  = regexp.MustCompile(`check\.Question\("(\w+)", ([\d.]+),`)
	summed = regexp.MustCompile(`check\.Marks\(([\d.]+)\)`)
	listed = regexp.MustCompile(`\(release/([\w./-]+)\) \|.*\| (\d+) \|`)
)

// TestAssignmentMarks holds that the marks that notebooks speak of are those that nbgrader gives, and
// that there is a hidden test for each task.
func TestAssignmentMarks(t *testing.T) {
	readme := string(must(os.ReadFile(course + "/README.md")))
	inReadme := map[string]string{}
	for _, match := range listed.FindAllStringSubmatch(readme, -1) {
		inReadme[match[1]] = match[2]
	}
	for _, file := range assignments(t) {
		written, tests, questions, sum := 0.0, 0, map[string]bool{}, ""
		marks := 0.0
		for _, c := range gradedCells(t, filepath.Join(course, "source", file)) {
			g := c.Metadata.Grading
			if g != nil && (g.Schema != 3 || g.Task || g.GradeID != c.ID) {
				t.Errorf("%s: cell %s has the metadata %+v", file, c.ID, *g)
			}
			if match := summed.FindStringSubmatch(c.text()); match != nil {
				sum = match[1]
			}
			switch c.is() {
			case "written":
				written += g.Points
			case "solution":
				if !strings.Contains(c.text(), "// BEGIN SOLUTION\n") || !strings.Contains(c.text(), "// END SOLUTION\n") {
					t.Errorf("%s: %s has no marked solution", file, c.ID)
				}
			case "test":
				tests++
				marks += g.Points
				match := asked.FindStringSubmatch(c.text())
				if match == nil || match[2] != strconv.FormatFloat(g.Points, 'g', -1, 64) || questions[match[1]] {
					t.Errorf("%s: %s asks %q for %g points", file, c.ID, match, g.Points)
					continue
				}
				questions[match[1]] = true
				if !strings.Contains(c.text(), "// BEGIN HIDDEN TESTS\n") || !strings.Contains(c.text(), "// END HIDDEN TESTS\n") {
					t.Errorf("%s: %s has no hidden tests", file, c.ID)
				}
			}
		}
		if tests < 5 || written != 3 || sum != fmt.Sprint(marks) {
			t.Errorf("%s has %d tests of %g marks (the notebook says %s) and %g for written answers", file, tests, marks, sum, written)
		}
		if all := fmt.Sprint(marks + written); inReadme[filepath.ToSlash(file)] != all {
			t.Errorf("%s gives %s marks, the README says %q", file, all, inReadme[filepath.ToSlash(file)])
		}
	}
}

// TestStudentVersions runs what students get before they have done anything: all that is given works,
// no question is answered, and nothing of the solutions is left. That these are the versions that
// nbgrader generates is TestNbgrader's to hold.
func TestStudentVersions(t *testing.T) {
	if testing.Short() {
		t.Skip("runs notebooks of several seconds each")
	}
	program, environment := installed(t)
	for _, file := range assignments(t) {
		t.Run(filepath.Dir(file), func(t *testing.T) {
			release := filepath.Join(course, "release", file)
			report := filepath.Join(t.TempDir(), "report.xml")
			cmd := exec.Command(program, "run", "--keep-going", "--junit", report, release)
			cmd.Env = append(environment, "GONB_SVM_DATA=")
			if text, err := cmd.CombinedOutput(); cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != 1 {
				t.Fatalf("want exit code 1, got %v\n%s", err, text)
			}
			failed := failedCases(t, report)
			given, tests := 0, 0
			for i, c := range gradedCells(t, release) {
				for _, word := range []string{"SOLUTION", "HIDDEN", "Marks:"} {
					if strings.Contains(c.text(), word) {
						t.Errorf("%s has %q", c.ID, word)
					}
				}
				name := fmt.Sprintf("cell %d: %s", i+1, c.ID)
				switch c.is() {
				case "given":
					given++
					if why, ok := failed[name]; ok {
						t.Errorf("%s, which is given, fails: %s", name, why)
					}
				case "test":
					tests++
					if failed[name] != "no answer yet" {
						t.Errorf("%s fails with %q, want %q", name, failed[name], "no answer yet")
					}
				}
			}
			if given == 0 || tests == 0 {
				t.Errorf("%d given cells, %d tests", given, tests)
			}
		})
	}
}

// failedCases are the messages of the cases that failed in a JUnit report, by their names.
func failedCases(t *testing.T, report string) map[string]string {
	t.Helper()
	var suites struct {
		Cases []struct {
			Name    string `xml:"name,attr"`
			Failure *struct {
				Message string `xml:"message,attr"`
			} `xml:"failure"`
		} `xml:"testsuite>testcase"`
	}
	if err := xml.Unmarshal(must(os.ReadFile(report)), &suites); err != nil || len(suites.Cases) == 0 {
		t.Fatalf("%d cases in %s: %v", len(suites.Cases), report, err)
	}
	failed := map[string]string{}
	for _, c := range suites.Cases {
		if c.Failure != nil {
			failed[c.Name] = c.Failure.Message
		}
	}
	return failed
}
