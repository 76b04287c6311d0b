package engine

import (
	"fmt"
	"strings"
)

// CompileError says that a cell was not run, and why. Nothing it declares exists.
type CompileError struct {
	Kind         string // "syntax"; "type"; "limit": correct Go that this engine does not run
	Cell         string
	Line, Column int      // from 1; Column counts bytes; 0 when unknown
	Text         string   // one sentence
	Hint         string   // what to write instead; may be empty
	Excerpt      []string // the line of source, and a line with a caret under the place
}

func (e *CompileError) Error() string {
	s := place(e.Cell, e.Line, e.Column) + e.Text
	if e.Hint != "" {
		s += " (" + e.Hint + ")"
	}
	return s
}

// PanicError says that a cell panicked. What it had assigned before stays assigned.
type PanicError struct {
	Value        any // the argument of panic
	Cell         string
	Line, Column int // of the cell's statement that was running; 0 when unknown
	Text         string
}

func (e *PanicError) Error() string {
	return place(e.Cell, e.Line, e.Column) + "panic: " + e.Text
}

// Unwrap gives the panic's value if it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// ExitError says that a cell called os.Exit or log.Fatal.
type ExitError struct{ Code int }

func (e *ExitError) Error() string { return fmt.Sprintf("the cell called os.Exit(%d)", e.Code) }

// ResultError is a non-nil error as the last result of a cell's last expression.
type ResultError struct {
	Err          error
	Cell         string
	Line, Column int
}

func (e *ResultError) Error() string { return place(e.Cell, e.Line, e.Column) + e.Err.Error() }

// Unwrap gives the error that the expression returned.
func (e *ResultError) Unwrap() error { return e.Err }

func place(cell string, line, column int) string {
	if line == 0 {
		return cell + ": "
	}
	return fmt.Sprintf("%s:%d:%d: ", cell, line, column)
}

// excerpt gives the named line of source with a caret under the byte column.
func excerpt(source string, line, column int) []string {
	lines := strings.Split(source, "\n")
	if line < 1 || line > len(lines) {
		return nil
	}
	text := strings.TrimRight(lines[line-1], "\r")
	column = max(1, min(column, len(text)+1))
	pad := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, text[:column-1])
	return []string{text, pad + "^"}
}
