// Package magic runs cells that have commands between their Go: %time, %who, !ls, %%bash and the
// others of its table. It knows neither Jupyter nor the interpreter: Go is run by a Notebook.
//
// The parts of a cell run in the order in which they stand. Every Go part keeps its lines and
// columns, so that errors point into the cell. A line is a command only where a statement could
// begin: not inside a raw string, a comment, brackets, or an expression that goes on.
package magic

import (
	"context"
	"strings"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Notebook is what the commands act on.
type Notebook interface {
	// Run runs Go. Errors call the source by its name.
	Run(ctx context.Context, source Source, out display.Output) display.Outcome
	// Variables are those that the cells so far have declared.
	Variables() []Variable
	// Known says whether a name means something to Go here: a variable, a function, a type, a
	// package, or a name of the language itself.
	Known(name string) bool
	// History is the cells so far, the running one last.
	History() []display.Cell
	// Settings are what %config shows and changes.
	Settings() []Setting
	// Forget takes one declared name out of scope. It is an error when declarations use it.
	Forget(name string) error
	// Reset forgets everything that the cells have declared.
	Reset() error
}

// Source is Go to be run.
type Source struct {
	Name   string // such as "In[3]" or the name of a file
	Text   string
	Silent bool // its value is not wanted
}

// Variable is one variable of a notebook.
type Variable struct {
	Name string
	Type string
	Text string // a short form of its value
}

// Runner runs the cells of one notebook, one at a time.
type Runner struct {
	Notebook Notebook

	previous string // the folder before the last %cd
	ask      bool   // the next command of the shell reads a line that the user types
	hidden   bool   // and it is not to be seen
}

// Execute runs a cell with its commands. A cell that has none is run as it is. The Outcome's
// result is that of the cell's last part.
func (r *Runner) Execute(ctx context.Context, cell display.Cell, out display.Output) display.Outcome {
	steps := split(cell.Source, r.Notebook.Known)
	return r.execute(ctx, cell, cell.Source, steps, out)
}

// execute runs the steps of source, which has the lines of the cell.
func (r *Runner) execute(ctx context.Context, cell display.Cell, source string, steps []step, out display.Output) display.Outcome {
	if len(steps) == 1 && steps[0].kind == goStep {
		return r.Notebook.Run(ctx, Source{Name: cell.Name(), Text: source, Silent: cell.Silent}, out)
	}
	outcome := r.steps(ctx, cell, source, steps, out)
	if cell.Silent && outcome.Failure == nil {
		outcome.Result = nil
	}
	return outcome
}

// steps runs steps of source until one fails.
func (r *Runner) steps(ctx context.Context, cell display.Cell, source string, steps []step, out display.Output) (last display.Outcome) {
	for len(steps) > 0 {
		if ctx.Err() != nil {
			return display.Outcome{Failure: interrupted(ctx)}
		}
		c := &call{Runner: r, ctx: ctx, cell: cell, source: source, step: steps[0], rest: steps[1:], out: out, last: len(steps) == 1}
		last = c.run()
		if last.Failure != nil {
			return last
		}
		steps = c.rest
	}
	return last
}

// call is one step of a cell that runs.
type call struct {
	*Runner
	ctx    context.Context
	cell   display.Cell
	source string
	step   step
	rest   []step // after it; a command that runs them itself leaves none
	out    display.Output
	last   bool // of its cell
}

// run runs the step. What goes wrong in it is a Failure that points to its line.
func (c *call) run() display.Outcome {
	var outcome display.Outcome
	var err error
	switch c.step.kind {
	case goStep:
		return c.goPart(c.step.start, c.step.end)
	case shellStep:
		err = c.shell(shellProgram(), c.step.args, nil)
	case captureStep:
		outcome, err = c.capture()
	default:
		var m Magic
		if m, err = find(c.step.name); err == nil && strings.Trim(c.step.args, "?") == "" && c.step.args != "" {
			c.print(describe(m) + "\n")
		} else if err == nil {
			outcome, err = m.run(c)
		}
	}
	if err != nil {
		return display.Outcome{Failure: c.failure(err)}
	}
	return outcome
}

// goPart runs the Go from start to end at the lines and columns where it stands.
func (c *call) goPart(start, end int) display.Outcome {
	return c.goText(blank(c.source[:start])+c.source[start:end], c.out)
}

// goText runs Go as the cell's.
func (c *call) goText(text string, out display.Output) display.Outcome {
	return c.Notebook.Run(c.ctx, Source{Name: c.cell.Name(), Text: text, Silent: c.cell.Silent || !c.last}, out)
}

// print writes to the cell's standard output.
func (c *call) print(text string) { c.out.Stream("stdout", text) }

// note writes a line to the cell's standard error.
func (c *call) note(text string) { c.out.Stream("stderr", text+"\n") }

// blank is text with everything but its line ends replaced by as many spaces.
func blank(text string) string {
	b := []byte(text)
	for i, x := range b {
		if x != '\n' && x != '\r' {
			b[i] = ' '
		}
	}
	return string(b)
}

// fields cuts the arguments of a command at spaces; "quoted ones" may have spaces in them.
func fields(args string) []string {
	var all []string
	var word strings.Builder
	quote, inside := rune(0), false
	for _, x := range args {
		switch {
		case quote != 0 && x == quote:
			quote = 0
		case quote == 0 && (x == '"' || x == '\''):
			quote, inside = x, true
		case quote == 0 && (x == ' ' || x == '\t'):
			if inside {
				all = append(all, word.String())
				word.Reset()
			}
			inside = false
		default:
			word.WriteRune(x)
			inside = true
		}
	}
	if inside {
		all = append(all, word.String())
	}
	return all
}
