package engine

import (
	"errors"
	"fmt"
	"go/scanner"
	"go/token"
	"go/types"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/border"
)

// ErrInterrupted is what Run gives when its context ended.
var ErrInterrupted = errors.New("interrupted")

// CompileError says why a cell was refused; nothing of it has run, and nothing has changed.
type CompileError struct {
	Kind         string // "syntax", "type" or "limit": Go allows it, this engine does not
	Cell         string
	Line, Column int    // from 1
	Text         string // one sentence
	Hint         string // what usually helps, "" when there is nothing to say
	Excerpt      []string
	Also         []CompileError // further errors of the cell, without excerpts
}

// Error gives place and text.
func (e *CompileError) Error() string {
	return place(e.Cell, e.Line, e.Column) + ": " + e.Text
}

func place(cell string, line, column int) string {
	if line == 0 {
		return cell
	}
	return fmt.Sprintf("%s, line %d:%d", cell, line, column)
}

// PanicError is a panic that ended a cell.
type PanicError struct {
	Value        any // the panic's own value
	Cell         string
	Line, Column int
	Text         string // as the Go run-time system prints it after "panic: "
	Excerpt      []string
}

// Error gives place and text.
func (e *PanicError) Error() string {
	return place(e.Cell, e.Line, e.Column) + ": panic: " + e.Text
}

// Unwrap gives the panic's value when it is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// ExitError says that a cell called os.Exit or log.Fatal.
type ExitError struct{ Code int }

// Error names the code.
func (e *ExitError) Error() string { return fmt.Sprintf("exit status %d", e.Code) }

// ResultError is a non-nil error among the values of a cell's last expression.
type ResultError struct {
	Err          error
	Cell         string
	Line, Column int
}

// Error gives the error's own text.
func (e *ResultError) Error() string { return e.Err.Error() }

// Unwrap gives the error.
func (e *ResultError) Unwrap() error { return e.Err }

// compileError makes an error of parser, type-checker or lowering a CompileError.
func (e *Engine) compileError(cell string, err error) *CompileError {
	c := &CompileError{Cell: cell}
	var list scanner.ErrorList
	var typeErrors typeErrorList
	var limit limitError
	switch {
	case errors.As(err, &list) && len(list) > 0:
		c.Kind = "syntax"
		c.set(list[0].Pos, list[0].Msg)
	case errors.As(err, &typeErrors):
		for i, t := range typeErrors {
			d := CompileError{Kind: "type"}
			d.set(e.fset.Position(t.Pos), plainNames(t.Msg))
			if i == 0 {
				*c = d
			} else {
				c.Also = append(c.Also, d)
			}
		}
	case errors.As(err, &limit):
		c.Kind = "limit"
		c.set(e.fset.Position(limit.Pos), limit.Text)
	case errors.As(err, &c):
	default:
		c.Kind, c.Text = "limit", err.Error()
	}
	if c.Cell == "" {
		c.Cell = cell
	}
	c.Excerpt = e.excerpt(c.Cell, c.Line, c.Column)
	if c.Hint == "" {
		line := ""
		if len(c.Excerpt) > 0 {
			line = c.Excerpt[0]
		}
		c.Hint = hint(c.Text, line)
	}
	return c
}

func (c *CompileError) set(p token.Position, text string) {
	c.Cell, c.Line, c.Column, c.Text = p.Filename, p.Line, p.Column, text
}

// typeErrorList is what the type-checker found.
type typeErrorList []types.Error

func (l typeErrorList) Error() string { return l[0].Msg }

// plainNames gives back the names that the engine changed to tell old variables from new ones.
func plainNames(s string) string {
	return strings.NewReplacer(oldMark, "", reusedMark, "").Replace(s)
}

// excerpt is the line of a cell with a caret under the column.
func (e *Engine) excerpt(cell string, line, column int) []string {
	e.mu.RLock()
	defer e.mu.RUnlock()
	lines := strings.Split(e.cells[cell], "\n")
	if line < 1 || line > len(lines) {
		return nil
	}
	text := strings.TrimRight(lines[line-1], "\r")
	if column < 1 || column > len(text)+1 {
		return []string{text}
	}
	var pad strings.Builder
	for _, r := range text[:column-1] {
		if r == '\t' {
			pad.WriteByte('\t')
		} else {
			pad.WriteByte(' ')
		}
	}
	return []string{text, pad.String() + "^"}
}

// panicError makes a PanicError of what ended a run.
func (e *Engine) panicError(r *border.Raised) *PanicError {
	p := e.fset.Position(token.Pos(r.Position))
	return &PanicError{
		Value: e.runtime.Out(r.Value), Cell: p.Filename, Line: p.Line, Column: p.Column,
		Text: e.runtime.PanicText(r.Value), Excerpt: e.excerpt(p.Filename, p.Line, p.Column),
	}
}
