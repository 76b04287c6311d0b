package magic

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// compiled are commands of gonb that have no sense without a compiler of Go, with what to do instead.
var compiled = map[string]string{
	"%test": "there is no go test here: call what is to be tested, and compare; testing.Benchmark(f) measures, as %timeit does",
	"%wasm": "cells are not compiled, so neither to WebAssembly; package widgets has controls",
}

// captureFile runs the rest of the cell, and writes to a file too what that prints and shows.
func (c *call) captureFile() (display.Outcome, error) {
	words, set, err := c.arguments("-a")
	if err != nil {
		return display.Outcome{}, err
	}
	name, err := c.one(words)
	if err != nil {
		return display.Outcome{}, err
	}
	t := &teed{kept: kept{muted: muted{c.out}}}
	t.Output = c.out
	outcome := c.steps(c.ctx, c.cell, c.source, c.rest, t)
	c.rest = nil
	if outcome.Result != nil {
		t.keep(*outcome.Result)
	}
	if err := write(name, t.printed(), true, set["-a"]); err != nil && outcome.Failure == nil {
		return display.Outcome{}, err
	}
	return outcome, nil
}

// teed shows everything and keeps it as text.
type teed struct {
	display.Output
	kept kept
}

func (t *teed) Stream(name, text string) {
	t.kept.Stream(name, text)
	t.Output.Stream(name, text)
}

func (t *teed) Display(b display.Bundle, id string) {
	t.keep(b)
	t.Output.Display(b, id)
}

func (t *teed) keep(b display.Bundle) {
	if text, ok := b.Data["text/plain"].(string); ok {
		t.kept.Stream("stdout", strings.TrimSuffix(text, "\n")+"\n")
	}
}

func (t *teed) printed() string { return t.kept.printed() }

// asking has the next command of the shell read a line that the user types.
func (c *call) asking() (display.Outcome, error) {
	c.ask, c.hidden = true, c.step.name == "%with_password"
	return display.Outcome{}, nil
}

// typed is what a command of the shell is to read: nothing, or after %with_inputs a line.
func (c *call) typed() (string, error) {
	if !c.ask {
		return "", nil
	}
	c.ask = false
	line, err := c.out.Input("", c.hidden)
	if err != nil {
		return "", fmt.Errorf("the command's input: %w", err)
	}
	return strings.TrimSuffix(line, "\n") + "\n", nil
}

// modules says whether a command after !* works on the module to which gonb compiles cells.
func modules(command string) bool {
	return strings.HasPrefix(command, "go ") || strings.Contains(command, "go.mod") || strings.Contains(command, "go.work")
}

// needsCompiler refuses a command that works on compiled cells.
func (c *call) needsCompiler() (display.Outcome, error) {
	return display.Outcome{}, errors.New(compiled[c.step.name])
}

// expanded is a name of a file with ${NAME} replaced by what the environment has, if it has it.
func expanded(name string) string {
	if !strings.Contains(name, "${") {
		return name
	}
	return os.Expand(name, func(variable string) string {
		if value, ok := os.LookupEnv(variable); ok {
			return value
		}
		return "${" + variable + "}"
	})
}
