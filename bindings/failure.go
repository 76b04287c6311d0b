package bindings

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/bindings/check"
	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/engine"
)

// Colours of a terminal.
const (
	red   = "\x1b[31m"
	bold  = "\x1b[1;31m"
	blue  = "\x1b[34m"
	grey  = "\x1b[90m"
	plain = "\x1b[0m"
)

// failure is an error of the engine as a user sees it: a name that says what kind it is, one
// sentence, and the line of the cell with a caret. ctx is the cell's.
func (s *Session) failure(ctx context.Context, err error) *display.Failure {
	ended := errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Cause(ctx))
	if errors.Is(err, engine.ErrInterrupted) || ctx.Err() != nil && ended {
		return interrupted(ctx)
	}
	var compile *engine.CompileError
	var panicked *engine.PanicError
	var result *engine.ResultError
	var exit *engine.ExitError
	switch {
	case errors.As(err, &compile):
		message, hint := s.advise(compile.Text, compile.Hint)
		f := &display.Failure{Name: "CompileError", Message: message}
		if hint != "" {
			f.Message += "; " + hint
		}
		f.Traceback = append([]string{headline(f.Name, message)}, s.place(compile.Cell, compile.Line, compile.Column)...)
		if hint != "" {
			f.Traceback = append(f.Traceback, blue+"Hint: "+plain+hint)
		}
		return f
	case errors.As(err, &panicked):
		name, message := "Panic", panicked.Text
		var yet *check.NotYet
		if cause, ok := panicked.Value.(error); ok && errors.As(cause, &yet) {
			// The answer is wrong, not a line of the cell that checks it.
			return s.failed(kind(cause), cause.Error(), "", 0, 0)
		}
		if cause, ok := panicked.Value.(error); ok {
			name, message = kind(cause), cause.Error()
		}
		return s.failed(name, message, panicked.Cell, panicked.Line, panicked.Column)
	case errors.As(err, &result):
		return s.failed(kind(result.Err), result.Err.Error(), result.Cell, result.Line, result.Column)
	case errors.As(err, &exit):
		message := fmt.Sprintf("the cell ended itself with exit code %d; the notebook goes on", exit.Code)
		return s.failed("Exit", message, "", 0, 0)
	}
	return s.failed(kind(err), err.Error(), "", 0, 0)
}

func interrupted(ctx context.Context) *display.Failure {
	message := "interrupted"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		message = "interrupted: the time limit is over"
	}
	return &display.Failure{Name: "Interrupted", Message: message, Traceback: []string{grey + message + plain}}
}

func (s *Session) failed(name, message, cell string, line, column int) *display.Failure {
	f := &display.Failure{Name: name, Message: message}
	f.Traceback = append(strings.Split(headline(name, message), "\n"), s.place(cell, line, column)...)
	return f
}

func headline(name, message string) string { return bold + name + plain + ": " + message }

// kind names an error by its type, ParamError or ParseError, where that says something: the
// runtime's errors are panics, and those of errors.New and fmt.Errorf plain errors.
func kind(err error) string {
	for e := err; e != nil; e = errors.Unwrap(e) {
		if _, ok := e.(runtime.Error); ok {
			return "Panic"
		}
		t := reflect.TypeOf(e)
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		if name := t.Name(); name != "" && name[0] >= 'A' && name[0] <= 'Z' && t.PkgPath() != enginePath {
			return name
		}
	}
	return "Error"
}

// enginePath is where the types come from that wrap a cell's own errors.
var enginePath = reflect.TypeFor[engine.Engine]().PkgPath()

// place is where in a cell it was: "Cell In[3], line 2:7", the line, and a caret. line and the
// byte column count from 1; line 0 gives nothing.
func (s *Session) place(cell string, line, column int) []string {
	if line < 1 {
		return nil
	}
	s.mu.Lock()
	source, ok := s.sources[cell]
	s.mu.Unlock()
	lines := strings.Split(source, "\n")
	if !ok || line > len(lines) {
		return []string{fmt.Sprintf("Cell %s, line %d:%d", cell, line, column)}
	}
	text := strings.TrimRight(lines[line-1], "\r")
	before := text[:max(0, min(column-1, len(text)))]
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, before)
	number := fmt.Sprintf("%4d ", line)
	return []string{
		fmt.Sprintf("%sCell %s, line %d:%d%s", blue, cell, line, utf8.RuneCountInString(before)+1, plain),
		grey + number + plain + text,
		strings.Repeat(" ", len(number)) + pad + red + "^" + plain,
	}
}
