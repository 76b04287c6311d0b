package magic

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// timeit aims at runs of this length, unless it is told how many loops to make.
const timedRun = 100 * time.Millisecond

// code is the Go that a command is given, at the lines and columns where it stands: what
// follows it, or the rest of the cell.
func (c *call) code(args string) (string, error) {
	if strings.HasPrefix(c.step.name, "%%") {
		if strings.TrimSpace(c.source[c.step.body:]) == "" {
			return "", fmt.Errorf("there is nothing below it: want Go")
		}
		return blank(c.source[:c.step.body]) + c.source[c.step.body:], nil
	}
	if strings.TrimSpace(args) == "" {
		return "", fmt.Errorf("want a statement of Go after it")
	}
	from := c.step.argsAt + len(c.step.args) - len(args) // args is the end of what follows
	return blank(c.source[:from]) + c.source[from:c.step.end], nil
}

// runCode runs Go that has the lines of the cell, and any commands in it.
func (c *call) runCode(text string, out display.Output) display.Outcome {
	return c.execute(c.ctx, c.cell, text, split(text, c.Notebook.Known), out)
}

// time runs Go and prints how long it took, also when it failed.
func (c *call) time() (display.Outcome, error) {
	code, err := c.code(c.step.args)
	if err != nil {
		return display.Outcome{}, err
	}
	begun, used := time.Now(), processorTime()
	outcome := c.runCode(code, c.out)
	wall, processor := time.Since(begun), processorTime()-used
	text := "time: " + short(wall)
	if used > 0 {
		text += fmt.Sprintf(" (processor %s)", short(processor))
	}
	c.print(text + "\n")
	return outcome, nil
}

// short is a duration with three digits.
func short(d time.Duration) string {
	unit, name := time.Nanosecond, "ns"
	switch {
	case d >= time.Minute:
		return d.Round(100 * time.Millisecond).String()
	case d >= time.Second:
		unit, name = time.Second, "s"
	case d >= time.Millisecond:
		unit, name = time.Millisecond, "ms"
	case d >= time.Microsecond:
		unit, name = time.Microsecond, "µs"
	}
	return strconv.FormatFloat(float64(d)/float64(unit), 'g', 3, 64) + " " + name
}

// timeit runs Go in a loop whose length it finds, several times.
func (c *call) timeit() (display.Outcome, error) {
	loops, runs, args, err := timeitFlags(c.step.args)
	if err != nil {
		return display.Outcome{}, err
	}
	code, err := c.code(args)
	if err != nil {
		return display.Outcome{}, err
	}
	form, once, failed := c.form(code)
	if failed != nil {
		return display.Outcome{Failure: failed}, nil
	}
	for n := 1; loops == 0; n *= 10 {
		if once >= timedRun || n >= 1e9 {
			loops = n
		} else if once, failed = c.loop(form, n*10); failed != nil {
			return display.Outcome{Failure: failed}, nil
		} else if once >= timedRun {
			loops = n * 10
		}
	}
	var sum, squares float64
	for range runs {
		took, failed := c.loop(form, loops)
		if failed != nil {
			return display.Outcome{Failure: failed}, nil
		}
		each := float64(took) / float64(loops)
		sum, squares = sum+each, squares+each*each
	}
	mean := sum / float64(runs)
	deviation := math.Sqrt(max(0, squares/float64(runs)-mean*mean))
	c.print(fmt.Sprintf("%s ± %s per loop (mean and standard deviation of %d runs of %d loops)\n",
		short(time.Duration(mean)), short(time.Duration(deviation)), runs, loops))
	return display.Outcome{}, nil
}

// timeitFlags reads -n and -r; loops is 0 where it is to be found.
func timeitFlags(args string) (loops, runs int, rest string, err error) {
	runs = 5
	for {
		flag, after, _ := strings.Cut(args, " ")
		var to *int
		switch {
		case strings.HasPrefix(flag, "-n"):
			to = &loops
		case strings.HasPrefix(flag, "-r"):
			to = &runs
		default:
			return loops, runs, args, nil
		}
		number := flag[2:]
		if number == "" {
			number, after, _ = strings.Cut(strings.TrimLeft(after, " "), " ")
		}
		*to, err = strconv.Atoi(number)
		if err != nil && to == &loops && len(flag) > 2 {
			return 0, runs, args, nil // -name: an expression
		}
		if err != nil || *to < 1 {
			return 0, 0, "", fmt.Errorf("%s %s: want a whole number from 1", flag[:2], number)
		}
		args = strings.TrimLeft(after, " ")
	}
}

// form is the code as it can stand in a loop, and how long one loop took. An expression whose
// value nobody uses is given to _. Code that does not compile fails at its place in the cell.
func (c *call) form(code string) (form string, once time.Duration, failed *display.Failure) {
	forms := []string{code + used(code)}
	if _, err := parser.ParseExpr(code); err == nil {
		forms = append(forms, "_ = "+strings.TrimSpace(code))
	}
	for _, form = range forms {
		if once, failed = c.loop(form, 1); failed == nil || failed.Name != "CompileError" {
			return form, once, failed
		}
	}
	if outcome := c.goText(code, muted{c.out}); outcome.Failure != nil {
		failed = outcome.Failure
	}
	return form, 0, failed
}

// used is what makes Go accept the variables that code declares and does not use.
func used(code string) string {
	f, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {"+code+"\n}", 0)
	if err != nil || len(f.Decls) != 1 {
		return ""
	}
	body, ok := f.Decls[0].(*ast.FuncDecl)
	if !ok {
		return ""
	}
	text := ""
	for _, s := range body.Body.List {
		if a, ok := s.(*ast.AssignStmt); ok && a.Tok == token.DEFINE {
			for _, x := range a.Lhs {
				if id, ok := x.(*ast.Ident); ok && id.Name != "_" {
					text += "\n_ = " + id.Name
				}
			}
		}
	}
	return text
}

// loop runs the code n times and gives the time that this took, as the notebook's Go measures
// it. What the code prints is not shown.
func (c *call) loop(form string, n int) (time.Duration, *display.Failure) {
	if c.ctx.Err() != nil {
		return 0, interrupted(c.ctx)
	}
	text := fmt.Sprintf("func() int64 { begun := time.Now(); for range %d {%s\n}; return int64(time.Since(begun)) }()", n, form)
	outcome := c.Notebook.Run(c.ctx, Source{Name: c.cell.Name(), Text: text}, muted{c.out})
	if outcome.Failure != nil {
		return 0, outcome.Failure
	}
	err := errors.New("the Go of this notebook gave no time")
	if outcome.Result != nil {
		shown, _ := outcome.Result.Data["text/plain"].(string)
		var took int64
		if took, err = strconv.ParseInt(shown, 10, 64); err == nil {
			return time.Duration(took), nil
		}
	}
	return 0, c.failure(err)
}
