package main

import (
	"strings"
	"testing"
	"time"
)

// TestREPL types into the REPL on a terminal: cells, one of several lines, a completion, and one
// from the history.
func TestREPL(t *testing.T) {
	python(t)
	program, environment := installed(t)
	out := runPython(t, environment, 3*time.Minute, "repl.py", program)
	for _, what := range []string{"cells", "lines", "completion", "history", "exit"} {
		if !strings.Contains(out, "done: "+what+"\n") {
			t.Errorf("%s does not work:\n%s", what, out)
		}
	}
}
