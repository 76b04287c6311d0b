package notebooks

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// maxStream is how much text of a cell's stream is kept in the notebook, in bytes.
const maxStream = 4 << 20

// recorder keeps what the cells show, as outputs of the notebook, and passes their text on.
type recorder struct {
	stdout, stderr io.Writer

	mu       sync.Mutex
	open     bool                 // false once the run is over: what comes then is dropped
	displays map[string][]*Output // by display id, in any cell
	midLine  bool                 // the terminal's cursor is not at the start of a line
}

// cellRecorder is the display.Output of one cell.
type cellRecorder struct {
	*recorder
	cell  *Cell
	clear bool      // with the next output
	kept  int       // bytes of streams that are kept
	later []*Output // displays that may change, printed when the cell is over
}

var _ display.Output = (*cellRecorder)(nil)

// Stream appends to the cell's text and passes it on.
func (r *cellRecorder) Stream(name, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.open || text == "" {
		return
	}
	if name == "stderr" {
		fmt.Fprint(r.stderr, text)
	} else {
		r.print(text)
	}
	r.clearIfPending()
	if r.kept > maxStream {
		return
	}
	if r.kept += len(text); r.kept > maxStream {
		text += fmt.Sprintf("\n… cut here: a cell keeps at most %d MB of text\n", maxStream>>20)
	}
	if n := len(r.cell.Outputs); n > 0 && r.cell.Outputs[n-1].Kind == "stream" && r.cell.Outputs[n-1].Name == name {
		r.cell.Outputs[n-1].Text += text
		return
	}
	r.cell.Outputs = append(r.cell.Outputs, &Output{Kind: "stream", Name: name, Text: text})
}

// Display adds a bundle to the cell and prints its text. One with an id may still change, as
// progress does, and is printed as it is when the cell ends.
func (r *cellRecorder) Display(b display.Bundle, id string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.open {
		return
	}
	r.clearIfPending()
	o := &Output{Kind: "display_data", Data: b.Data, Metadata: b.Metadata}
	r.cell.Outputs = append(r.cell.Outputs, o)
	if id == "" {
		r.printText(b.Data)
		return
	}
	r.displays[id] = append(r.displays[id], o)
	r.later = append(r.later, o)
}

// Update changes the displays with this id.
func (r *cellRecorder) Update(id string, b display.Bundle) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.open {
		return
	}
	for _, o := range r.displays[id] {
		o.Data, o.Metadata = b.Data, b.Metadata
	}
	if len(b.Data) == 0 { // nothing is left of it, as of a progress bar that has done its work
		gone := func(o *Output) bool { return slices.Contains(r.displays[id], o) }
		r.cell.Outputs = slices.DeleteFunc(r.cell.Outputs, gone)
		delete(r.displays, id)
	}
}

// Clear forgets what the cell has shown, at once or with the next output.
func (r *cellRecorder) Clear(wait bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.clear = true; !wait && r.open {
		r.clearIfPending()
	}
}

func (r *cellRecorder) clearIfPending() {
	if r.clear {
		r.cell.Outputs, r.later, r.clear, r.kept = nil, nil, false, 0
	}
}

// Input finds nobody to ask.
func (r *cellRecorder) Input(prompt string, _ bool) (string, error) {
	return "", fmt.Errorf("nobody to ask %q: the notebook runs without a user; give the value as a parameter", prompt)
}

// finish takes over what came of the cell.
func (r *cellRecorder) finish(outcome display.Outcome, failure []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, o := range r.later {
		r.printText(o.Data)
	}
	if b := outcome.Result; b != nil {
		r.clearIfPending()
		r.cell.Outputs = append(r.cell.Outputs, &Output{Kind: "execute_result", Data: b.Data, Metadata: b.Metadata, Count: r.cell.Count})
		r.printText(b.Data)
	}
	if f := outcome.Failure; f != nil {
		r.clearIfPending()
		r.cell.Outputs = append(r.cell.Outputs, &Output{Kind: "error", ErrorName: f.Name, Message: f.Message, Traceback: f.Traceback})
	}
	r.endLine()
	for _, line := range failure {
		fmt.Fprintln(r.stderr, line)
	}
	for _, o := range r.cell.Outputs {
		if o.Kind == "stream" {
			o.Text = overwritten(o.Text)
		}
	}
}

// print writes to stdout. What a closed pipe does not take is no failure of the notebook.
func (r *recorder) print(text string) {
	fmt.Fprint(r.stdout, text)
	r.midLine = !strings.HasSuffix(text, "\n")
}

func (r *recorder) endLine() {
	if r.midLine {
		r.print("\n")
	}
}

// printText prints the text of what is shown, on lines of its own.
func (r *recorder) printText(data map[string]any) {
	text, _ := data["text/plain"].(string)
	if text == "" {
		return
	}
	r.endLine()
	r.print(text)
	r.endLine()
}

// close ends recording: goroutines that the cells left behind are not heard any more.
func (r *recorder) close() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open = false
}

// overwritten is a text after its carriage returns and backspaces have taken effect, as a
// terminal shows it. So a progress bar leaves one line in the notebook.
func overwritten(s string) string {
	if !strings.ContainsAny(s, "\r\b") {
		return s
	}
	var b strings.Builder
	for line := range strings.Lines(s) {
		end := ""
		if strings.HasSuffix(line, "\n") {
			line, end = strings.TrimSuffix(line, "\n"), "\n"
		}
		var shown []rune
		at := 0
		for _, letter := range line {
			switch {
			case letter == '\r':
				at = 0
			case letter == '\b':
				at = max(0, at-1)
			case at < len(shown):
				shown[at] = letter
				at++
			default:
				shown = append(shown, letter)
				at++
			}
		}
		b.WriteString(string(shown) + end)
	}
	return b.String()
}

// errNoSession says that Run was called wrongly.
var errNoSession = errors.New("no session to run the notebook in")
