package bindings_test

import (
	"strings"
	"testing"
)

// A question is asked in a cell as a learner's notebook does: what holds is shown, and what does not
// fails the cell with a hint, and neither tells the answer.
func TestQuestionInCell(t *testing.T) {
	n := open(t)
	n.run(`func double(x float64) float64 { return x + x }`)
	_, f := n.run(`check.Question("1a", 2, check.Close("twice three", double(3), 6, 1e-9, "add it to itself"))`)
	if len(f.shown) != 1 || text(f.shown[0]) != "✓ Question 1a: 2 of 2 marks\n  ✓ twice three" {
		t.Errorf("a right answer shows %v", f.shown)
	}
	n.run(`func triple(x float64) float64 { return x + x }`)
	outcome, f := n.try(`check.Question("1b", 1, check.Close("thrice three", triple(3), 9, 1e-9, "add it to itself, again"))`)
	if failure := outcome.Failure; failure == nil || failure.Name != "NotYet" || failure.Message != "question 1b: thrice three: yours is 6; hint: add it to itself, again" {
		t.Errorf("a wrong answer gives %v", failure)
	} else if traceback := strings.Join(failure.Traceback, "\n"); !strings.Contains(traceback, "again") || strings.Contains(traceback, "line") || strings.Contains(traceback, "9") {
		t.Errorf("a wrong answer gives %q", failure.Traceback)
	}
	if len(f.shown) != 1 || !strings.HasPrefix(text(f.shown[0]), "✗ Question 1b: 0 of 1 mark\n  ✗ thrice three: yours is 6\n") {
		t.Errorf("a wrong answer shows %v", f.shown)
	}
	n.run(`func later() float64 { panic("no answer yet") }`)
	if outcome, _ := n.try(`check.Question("1c", 1, check.Close("later", later(), 9, 1e-9, "hint"))`); outcome.Failure == nil || outcome.Failure.Message != "no answer yet" {
		t.Errorf("a stub gives %v", outcome.Failure)
	}
	b, _ := n.run(`check.Marks(4)`)
	if want := "✓ Question 1a: 2 of 2 marks\n✗ Question 1b: 0 of 1 mark\n2 of 4 marks"; text(b) != want || !strings.Contains(b.Data["text/html"].(string), "2 of 4 marks") {
		t.Errorf("marks %q, want %q", text(b), want)
	}
	if b, _ := n.run("check := 3\ncheck"); text(b) != "3" {
		t.Errorf("a variable called check is shown as %q", text(b))
	}
	other := open(t)
	if b, _ := other.run(`check.Marks(4)`); text(b) != "0 of 4 marks" {
		t.Errorf("another notebook has the marks %q", text(b))
	}
}
