// Package display is the vocabulary in which cells and front ends speak to each other: what a
// front end hands over (Cell), what a cell shows while it runs (Output), what comes of it
// (Outcome), and how a Go value is shown (Of). It knows neither Jupyter's messages nor SVMs.
package display

import "fmt"

// Cell is one piece of source to be executed.
type Cell struct {
	Count  int // the number in In[Count], from 1
	Source string
	Silent bool // run for effect only: nothing is shown
}

// Name is how messages call the cell: "In[3]".
func (c Cell) Name() string { return fmt.Sprintf("In[%d]", c.Count) }

// Bundle is one output in several formats: MIME type to value. Text formats are strings,
// image/png and other binary ones are []byte, JSON formats are values for encoding/json.
// A Bundle that is shown always has text/plain.
type Bundle struct {
	Data     map[string]any
	Metadata map[string]any // by MIME type; nil for none
}

// Output is where a cell shows things while it runs. Implementations are safe for concurrent
// use, and keep the order of calls made by one goroutine.
type Output interface {
	// Stream appends text to what the cell printed; name is "stdout" or "stderr".
	Stream(name, text string)
	// Display shows a bundle. A non-empty id makes it updatable.
	Display(b Bundle, id string)
	// Update replaces every display with this id.
	Update(id string, b Bundle)
	// Clear removes what the cell has shown, at once or with the next output.
	Clear(wait bool)
	// Input asks the user for a line. It returns an error where nobody can answer.
	Input(prompt string, password bool) (string, error)
}

// Outcome is what came of a cell.
type Outcome struct {
	Result  *Bundle  // the value of its last expression; nil for none
	Failure *Failure // nil if the cell succeeded
}

// Failure is an error as a user sees it.
type Failure struct {
	Name      string   // its kind: CompileError, Panic, ParamError, ParseError, Interrupted …
	Message   string   // one sentence: what was wrong, with the value, and what is allowed
	Traceback []string // lines for a terminal, with ANSI colours; never empty
}

func (f *Failure) Error() string { return f.Name + ": " + f.Message }

// Completion is what could stand at the cursor. Start and End are the replaced range in
// Unicode code points.
type Completion struct {
	Start, End int
	Matches    []Match
}

// Match is one possible completion.
type Match struct {
	Text      string
	Kind      string // "function", "type", "field", "variable", "package", "keyword" …; "" unknown
	Signature string // "" for none
}
