package magic

import (
	"fmt"
	"go/token"
	"strconv"
	"strings"
	"sync"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// muted shows nothing; questions are still asked.
type muted struct{ display.Output }

func (muted) Stream(string, string)          {}
func (muted) Display(display.Bundle, string) {}
func (muted) Update(string, display.Bundle)  {}
func (muted) Clear(bool)                     {}

// kept shows nothing and keeps what is printed.
type kept struct {
	muted
	mu   sync.Mutex
	text strings.Builder
}

func (k *kept) Stream(name, text string) {
	if name != "stdout" {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.text.WriteString(text)
}

func (k *kept) Clear(bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.text.Reset()
}

func (k *kept) printed() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.text.String()
}

// captureCell runs the rest of the cell unseen. A name is given what it printed, as a string.
func (c *call) captureCell() (display.Outcome, error) {
	name := c.step.args
	if name != "" && (!token.IsIdentifier(name) || name == "_") {
		return display.Outcome{}, fmt.Errorf("%q is no name: want one for a variable, or none", name)
	}
	code, err := c.code("")
	if err != nil {
		return display.Outcome{}, err
	}
	k := &kept{muted: muted{c.out}}
	outcome := c.runCode(code, k)
	if outcome.Failure != nil {
		c.print(k.printed())
		return outcome, nil
	}
	if name == "" {
		return display.Outcome{}, nil
	}
	outcome = c.define(name+" :=", strconv.Quote(k.printed()))
	return outcome, nil
}

// capture runs a command of the shell and gives the lines that it prints to a variable.
func (c *call) capture() (display.Outcome, error) {
	k := &kept{muted: muted{c.out}}
	if err := c.shell(shellProgram(), c.step.args, k); err != nil {
		return display.Outcome{}, err
	}
	text := strings.ReplaceAll(strings.TrimSuffix(k.printed(), "\n"), "\r\n", "\n")
	return c.define(c.step.target, goLines(text)), nil
}

// longLiteral is the number of lines above which Go splits them itself: a checker of types takes
// long for each element of a literal, and no time for a long string.
const longLiteral = 1000

// goLines is Go whose value is the lines of text.
func goLines(text string) string {
	if strings.Count(text, "\n") > longLiteral {
		return `func(text string) (lines []string) { begun := 0; for i := 0; i < len(text); i++ { if text[i] == '\n' { ` +
			`lines = append(lines, text[begun:i]); begun = i + 1 } }; return append(lines, text[begun:]) }(` + strconv.Quote(text) + ")"
	}
	var literal strings.Builder
	literal.WriteString("[]string{")
	if text != "" {
		for line := range strings.SplitSeq(text, "\n") {
			literal.WriteString(strconv.Quote(line) + ", ")
		}
	}
	return literal.String() + "}"
}

// define assigns a value of Go at the step's line.
func (c *call) define(target, value string) display.Outcome {
	return c.goText(blank(c.source[:c.step.nameAt])+target+" "+value, c.out)
}
