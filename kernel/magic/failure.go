package magic

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Colours of a terminal.
const (
	red   = "\x1b[31m"
	bold  = "\x1b[1;31m"
	blue  = "\x1b[34m"
	grey  = "\x1b[90m"
	plain = "\x1b[0m"
)

// fault is an error of a command with the name of its kind.
type fault struct{ kind, message string }

func (f fault) Error() string { return f.message }

// failure is an error of the step as a user sees it: one sentence, the line, and a caret.
func (c *call) failure(err error) *display.Failure {
	if c.ctx.Err() != nil {
		return interrupted(c.ctx)
	}
	var failed *display.Failure
	if errors.As(err, &failed) {
		return failed
	}
	f := &display.Failure{Name: "MagicError", Message: err.Error()}
	var known fault
	if errors.As(err, &known) {
		f.Name = known.kind
	} else if c.step.kind == magicStep {
		f.Message = c.step.name + ": " + sentence(err)
	}
	line := 1 + strings.Count(c.source[:c.step.nameAt], "\n")
	begin := c.step.nameAt - strings.LastIndexByte(c.source[:c.step.nameAt], '\n') - 1
	text, _, _ := strings.Cut(c.source[c.step.nameAt-begin:], "\n")
	number := fmt.Sprintf("%4d ", line)
	f.Traceback = append(strings.Split(bold+f.Name+plain+": "+f.Message, "\n"),
		fmt.Sprintf("%sCell %s, line %d:%d%s", blue, c.cell.Name(), line, utf8.RuneCountInString(text[:begin])+1, plain),
		grey+number+plain+strings.TrimRight(text, "\r"),
		strings.Repeat(" ", len(number))+blank(text[:begin])+red+"^"+plain)
	return f
}

// sentence is an error's text; those about files say first which one it is.
func sentence(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		if errors.Is(err, fs.ErrNotExist) {
			return fmt.Sprintf("%s: there is no such file or folder", path.Path)
		}
		return fmt.Sprintf("%s: %v", path.Path, path.Err)
	}
	return err.Error()
}

func interrupted(ctx context.Context) *display.Failure {
	message := "interrupted"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		message = "interrupted: the time limit is over"
	}
	return &display.Failure{Name: "Interrupted", Message: message, Traceback: []string{grey + message + plain}}
}
