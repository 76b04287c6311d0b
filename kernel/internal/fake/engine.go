// Package fake is an engine for the tests of the kernel: its cells are lines of a small
// language that does, on command, what cells of a real language do.
package fake

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel"
	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Engine runs cells. Every line is a command; commands lists them.
type Engine struct {
	Comms *kernel.Comms // set for cells that open comms

	mu        sync.Mutex
	variables []kernel.Variable
	comm      *kernel.Comm
}

// run is one cell that runs.
type run struct {
	engine *Engine
	ctx    context.Context
	out    display.Output
	result *display.Bundle
}

// commands are the language. argument is the rest of the line.
var commands = map[string]func(r *run, argument string) error{
	"print":  func(r *run, a string) error { r.out.Stream("stdout", a+"\n"); return nil },
	"write":  func(r *run, a string) error { r.out.Stream("stdout", a); return nil },
	"eprint": func(r *run, a string) error { r.out.Stream("stderr", a+"\n"); return nil },
	"bytes":  func(r *run, a string) error { r.out.Stream("stdout", unhex(a)); return nil },
	"lines":  lines,
	"flood":  flood,
	"value":  func(r *run, a string) error { r.result = text(a); return nil },
	"big":    big,
	"html":   html,
	"png": func(r *run, a string) error {
		r.out.Display(display.Bundle{Data: map[string]any{"image/png": []byte(a), "text/plain": "png"}}, "")
		return nil
	},
	"json": func(r *run, a string) error {
		r.out.Display(display.Bundle{Data: map[string]any{"application/json": []byte(a)}}, "")
		return nil
	},
	"update":   func(r *run, a string) error { id, s, _ := strings.Cut(a, " "); r.out.Update(id, *text(s)); return nil },
	"named":    func(r *run, a string) error { id, s, _ := strings.Cut(a, " "); r.out.Display(*text(s), id); return nil },
	"clear":    func(r *run, a string) error { r.out.Clear(a == "wait"); return nil },
	"page":     func(r *run, a string) error { r.out.(kernel.Pager).Page(*text(a)); return nil },
	"next":     func(r *run, a string) error { r.out.(kernel.NextInput).SetNextInput(a, false); return nil },
	"exit":     func(r *run, a string) error { r.out.(kernel.Exiter).AskExit(); return nil },
	"input":    func(r *run, a string) error { return ask(r, a, false) },
	"password": func(r *run, a string) error { return ask(r, a, true) },
	"sleep":    sleep,
	"hang":     func(r *run, a string) error { d, err := time.ParseDuration(a); time.Sleep(d); return err },
	"later":    later,
	"fail":     func(r *run, a string) error { return errors.New(a) },
	"panic":    func(r *run, a string) error { panic(a) },
	"set":      set,
	"length":   func(r *run, a string) error { r.result = text(strconv.Itoa(len(a))); return nil },
	"comm":     openComm,
	"send": func(r *run, a string) error {
		return r.engine.comm.Send(kernel.CommMessage{Data: map[string]any{"text": a}, Buffers: [][]byte{[]byte(a)}})
	},
	"hangup": func(r *run, a string) error { return r.engine.comm.Close(kernel.CommMessage{}) },
}

// Execute runs the lines of a cell until one fails.
func (e *Engine) Execute(ctx context.Context, cell display.Cell, out display.Output) display.Outcome {
	r := &run{engine: e, ctx: ctx, out: out}
	for _, line := range strings.Split(cell.Source, "\n") {
		if ctx.Err() != nil {
			return display.Outcome{Failure: failure(context.Cause(ctx))}
		}
		if err := r.line(line); err != nil {
			return display.Outcome{Failure: failure(err)}
		}
	}
	return display.Outcome{Result: r.result}
}

// line runs one line: a command, or a sum to be shown.
func (r *run) line(line string) error {
	line = strings.TrimSpace(line)
	if line == "" {
		return nil
	}
	name, argument, _ := strings.Cut(line, " ")
	if command, ok := commands[name]; ok {
		return command(r, argument)
	}
	sum, err := add(line)
	if err != nil {
		return fmt.Errorf("undefined: %s", name)
	}
	r.result = text(strconv.Itoa(sum))
	return nil
}

func add(expression string) (sum int, err error) {
	for _, term := range strings.Split(expression, "+") {
		n, err := strconv.Atoi(strings.TrimSpace(term))
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}

func failure(err error) *display.Failure {
	name := "Error"
	if errors.Is(err, kernel.ErrInterrupted) {
		name = "Interrupted"
	}
	return &display.Failure{Name: name, Message: err.Error(), Traceback: []string{name + ": " + err.Error()}}
}

func text(s string) *display.Bundle {
	return &display.Bundle{Data: map[string]any{"text/plain": s}}
}

func unhex(s string) string {
	var b []byte
	for _, field := range strings.Fields(s) {
		n, err := strconv.ParseUint(field, 16, 8)
		if err != nil {
			panic("fake: " + err.Error())
		}
		b = append(b, byte(n))
	}
	return string(b)
}

// lines prints so many numbered lines, one at a time.
func lines(r *run, a string) error {
	n, err := strconv.Atoi(a)
	for i := range n {
		r.out.Stream("stdout", strconv.Itoa(i)+"\n")
	}
	return err
}

// flood prints so many megabytes, a thousand bytes at a time.
func flood(r *run, a string) error {
	n, err := strconv.Atoi(a)
	row := strings.Repeat("x", 999) + "\n"
	for range n * 1000 {
		if r.ctx.Err() != nil {
			return context.Cause(r.ctx)
		}
		r.out.Stream("stdout", row)
	}
	return err
}

// big shows a display of so many bytes.
func big(r *run, a string) error {
	n, err := strconv.Atoi(a)
	r.out.Display(*text(strings.Repeat("x", n)), "")
	return err
}

func html(r *run, a string) error {
	r.out.Display(display.Bundle{Data: map[string]any{"text/html": a, "text/plain": "html"}}, "")
	return nil
}

func ask(r *run, prompt string, password bool) error {
	answer, err := r.out.Input(prompt, password)
	if err != nil {
		return err
	}
	r.out.Stream("stdout", "got "+answer+"\n")
	return nil
}

// sleep can be interrupted, which hang cannot.
func sleep(r *run, a string) error {
	d, err := time.ParseDuration(a)
	if err != nil {
		return err
	}
	select {
	case <-time.After(d):
		return nil
	case <-r.ctx.Done():
		return context.Cause(r.ctx)
	}
}

// later prints from a goroutine that outlives the cell.
func later(r *run, a string) error {
	delay, words, _ := strings.Cut(a, " ")
	d, err := time.ParseDuration(delay)
	time.AfterFunc(d, func() { r.out.Stream("stdout", words+"\n") })
	return err
}

func set(r *run, a string) error {
	name, value, _ := strings.Cut(a, " ")
	r.engine.mu.Lock()
	defer r.engine.mu.Unlock()
	r.engine.variables = append(r.engine.variables, kernel.Variable{Name: name, Type: "string", Value: value})
	return nil
}

// openComm opens a comm that sends back what it is sent.
func openComm(r *run, a string) error {
	comm, err := r.engine.Comms.Open(a, "", kernel.CommMessage{Data: map[string]any{"x": 1}, Metadata: map[string]any{"version": "2.1.0"}})
	if err != nil {
		return err
	}
	r.engine.comm = comm
	comm.OnMessage(Echo)
	return nil
}

// Echo is a handler that sends a message back, and shows that it came.
func Echo(c *kernel.Comm, m kernel.CommMessage, out display.Output) {
	out.Stream("stdout", fmt.Sprintf("comm got %s\n", m.Data))
	if err := c.Send(m); err != nil {
		out.Stream("stderr", err.Error())
	}
}

// Accept is told of a comm that a front end opens, and lets it be answered by Echo.
func Accept(c *kernel.Comm, _ kernel.CommMessage, _ display.Output) { c.OnMessage(Echo) }

// words can be completed and inspected.
var words = []string{"print", "println", "héllo", "value"}

// Complete completes the word before the cursor.
func (e *Engine) Complete(code string, cursor int) display.Completion {
	before := []rune(code)[:cursor]
	start := len(before)
	for start > 0 && before[start-1] != ' ' && before[start-1] != '\n' {
		start--
	}
	c := display.Completion{Start: start, End: cursor}
	for _, word := range words {
		if prefix := string(before[start:]); prefix != "" && strings.HasPrefix(word, prefix) {
			c.Matches = append(c.Matches, display.Match{Text: word, Kind: "function", Signature: "(a ...any)"})
		}
	}
	return c
}

// Inspect knows the words.
func (e *Engine) Inspect(code string, cursor, level int) (display.Bundle, bool) {
	word := strings.TrimSpace(string([]rune(code)[:cursor]))
	for _, known := range words {
		if word == known {
			return *text(fmt.Sprintf("%s, level %d", word, level)), true
		}
	}
	return display.Bundle{}, false
}

// Completeness counts braces.
func (e *Engine) Completeness(code string) (status, indent string) {
	switch depth := strings.Count(code, "{") - strings.Count(code, "}"); {
	case depth > 0:
		return "incomplete", strings.Repeat("\t", depth)
	case depth < 0:
		return "invalid", ""
	}
	return "complete", ""
}

// Evaluate evaluates sums.
func (e *Engine) Evaluate(_ context.Context, expression string) (display.Bundle, *display.Failure) {
	if expression == "panic" {
		panic("in an expression")
	}
	sum, err := add(expression)
	if err != nil {
		return display.Bundle{}, failure(err)
	}
	return *text(strconv.Itoa(sum)), nil
}

// Variables lists what cells have set.
func (e *Engine) Variables() []kernel.Variable {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]kernel.Variable(nil), e.variables...)
}

// RichVariable shows what a cell has set.
func (e *Engine) RichVariable(name string) (display.Bundle, bool) {
	for _, v := range e.Variables() {
		if v.Name == name {
			return *text(v.Value), true
		}
	}
	return display.Bundle{}, false
}

var (
	_ kernel.Engine    = (*Engine)(nil)
	_ kernel.Evaluator = (*Engine)(nil)
	_ kernel.Inspector = (*Engine)(nil)
)
