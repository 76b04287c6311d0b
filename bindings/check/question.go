package check

import (
	"errors"
	"fmt"
	"html"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Notebook stands behind Question and Marks in the cells of one notebook, and keeps the marks. The
// zero Notebook prints to the terminal.
type Notebook struct {
	Output func() display.Output // of the running cell; nil: the terminal

	mu        sync.Mutex
	questions []Answer // in the order in which they were first asked
}

// Answer is what came of one question.
type Answer struct {
	Question string
	Marks    float64 // earned
	Of       float64 // at most
	Results  []Result
}

// NotYet is the error of a cell whose question is not answered rightly yet. All or no marks of a
// question are earned.
type NotYet struct{ Answer }

// Error names the first check that does not hold, with what was got and the hint.
func (e *NotYet) Error() string {
	var texts []string
	for _, r := range e.Results {
		if !r.Holds {
			texts = append(texts, r.text("; hint: "))
		}
	}
	text := fmt.Sprintf("question %s: %s", e.Question, texts[0])
	if more := len(texts) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}

// Question shows what came of the checks of one question, ✓ or ✗ with a hint, and the marks: all of
// them if every check holds, else none. It panics with a *NotYet then, which ends the cell, and
// with an error if there is no check at all. Asked again, the last answer counts.
func (n *Notebook) Question(name string, marks float64, checks ...Result) {
	if len(checks) == 0 {
		panic(errors.New("check.Question: question " + name + " has no checks"))
	}
	a := Answer{Question: name, Of: marks, Results: checks}
	if !slices.ContainsFunc(checks, func(r Result) bool { return !r.Holds }) {
		a.Marks = marks
	}
	n.keep(a)
	n.show(display.Bundle{Data: map[string]any{"text/plain": a.String(), "text/html": a.HTML()}})
	if a.Marks < marks {
		panic(&NotYet{a})
	}
}

func (n *Notebook) keep(a Answer) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if i := slices.IndexFunc(n.questions, func(b Answer) bool { return b.Question == a.Question }); i >= 0 {
		n.questions[i] = a
		return
	}
	n.questions = append(n.questions, a)
}

func (n *Notebook) show(b display.Bundle) {
	if n.Output != nil {
		if out := n.Output(); out != nil {
			out.Display(b, "")
			return
		}
	}
	fmt.Println(b.Data["text/plain"])
}

// Marks is the sum of the marks that were earned in this notebook so far, of so many in all. Questions
// whose cells ended before they were asked count as not earned.
func (n *Notebook) Marks(of float64) Sheet {
	n.mu.Lock()
	defer n.mu.Unlock()
	return Sheet{Answers: slices.Clone(n.questions), Of: of}
}

// Symbols are the methods of n by their names: what stands behind check.Question and check.Marks in
// the cells of this notebook.
func (n *Notebook) Symbols() map[string]reflect.Value {
	return map[string]reflect.Value{"Question": reflect.ValueOf(n.Question), "Marks": reflect.ValueOf(n.Marks)}
}

// The functions below are what a program outside a notebook gets; in a cell the same names
// stand for the methods of the cell's Notebook.

// Question shows what came of the checks of one question, ✓ or ✗ with a hint, and the marks: all of
// them if every check holds, else none. It panics with a *NotYet then, which ends the cell, and
// with an error if there is no check at all. Asked again, the last answer counts.
func Question(name string, marks float64, checks ...Result) {
	new(Notebook).Question(name, marks, checks...)
}

// Marks is the sum of the marks that were earned in this notebook so far, of so many in all. Questions
// whose cells ended before they were asked count as not earned. Outside a notebook nothing is kept.
func Marks(of float64) Sheet { return new(Notebook).Marks(of) }

// text is the check on one line, with the hint if it does not hold.
func (r Result) text(beforeHint string) string {
	text := r.What
	if r.Holds {
		return text
	}
	if r.Got != "" {
		text += ": " + r.Got
	}
	if r.Hint != "" {
		text += beforeHint + r.Hint
	}
	return text
}

// mark is ✓ or ✗.
func mark(holds bool) string {
	if holds {
		return "✓"
	}
	return "✗"
}

func (a Answer) right() bool { return a.Marks == a.Of }

func (a Answer) head() string {
	unit := "marks"
	if a.Of == 1 {
		unit = "mark"
	}
	return fmt.Sprintf("%s Question %s: %g of %g %s", mark(a.right()), a.Question, a.Marks, a.Of, unit)
}

// String is a line for the question and one for each check.
func (a Answer) String() string {
	var b strings.Builder
	b.WriteString(a.head())
	for _, r := range a.Results {
		fmt.Fprintf(&b, "\n  %s %s", mark(r.Holds), r.text("\n    Hint: "))
	}
	return b.String()
}

// The colours are JupyterLab's, with fallbacks that are readable on light and dark ground.
const (
	rightStyle = "color:var(--jp-success-color1,#2e8b57)"
	wrongStyle = "color:var(--jp-error-color1,#d9534f)"
	hintStyle  = "margin:2px 0 4px 1.6em;padding-left:6px;border-left:3px solid var(--jp-warn-color1,#e69f00)"
	listStyle  = "list-style:none;margin:2px 0;padding-left:1em"
)

func style(holds bool) string {
	if holds {
		return rightStyle
	}
	return wrongStyle
}

// HTML is a list of the checks, without script.
func (a Answer) HTML() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<div><b style="%s">%s</b><ul style="%s">`, style(a.right()), html.EscapeString(a.head()), listStyle)
	for _, r := range a.Results {
		what := Result{What: r.What, Holds: r.Holds, Got: r.Got}
		fmt.Fprintf(&b, `<li><span style="%s">%s</span> %s`, style(r.Holds), mark(r.Holds), html.EscapeString(what.text("")))
		if !r.Holds && r.Hint != "" {
			fmt.Fprintf(&b, `<div style="%s">Hint: %s</div>`, hintStyle, html.EscapeString(r.Hint))
		}
		b.WriteString("</li>")
	}
	b.WriteString("</ul></div>")
	return b.String()
}

// Sheet is the marks of all questions.
type Sheet struct {
	Answers []Answer // in the order in which they were first asked
	Of      float64  // marks that can be earned in all
}

// Earned is the sum of the marks.
func (s Sheet) Earned() float64 {
	sum := 0.0
	for _, a := range s.Answers {
		sum += a.Marks
	}
	return sum
}

func (s Sheet) sum() string { return fmt.Sprintf("%g of %g marks", s.Earned(), s.Of) }

// String is a line for each question that was asked, and the sum.
func (s Sheet) String() string {
	var b strings.Builder
	for _, a := range s.Answers {
		fmt.Fprintln(&b, a.head())
	}
	return b.String() + s.sum()
}

// HTML is String as a list, without script.
func (s Sheet) HTML() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<ul style="%s">`, listStyle)
	for _, a := range s.Answers {
		fmt.Fprintf(&b, `<li style="%s">%s</li>`, style(a.right()), html.EscapeString(a.head()))
	}
	fmt.Fprintf(&b, "</ul><b>%s</b>", html.EscapeString(s.sum()))
	return b.String()
}
