package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// step is one cell of a transcript with what it must give.
type step struct {
	cell      string
	want      map[string]string
	interrupt bool
	line      int
}

// readTranscript reads a file in the form that testdata/README describes.
func readTranscript(t *testing.T, file string) (steps []step) {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	section, text := "", ""
	end := func() {
		text = strings.TrimRight(text, "\n")
		switch {
		case section == "":
		case section == "cell":
			steps[len(steps)-1].cell = text
		case len(steps) > 0:
			steps[len(steps)-1].want[section] = text
		}
		text = ""
	}
	for i, l := range strings.Split(string(b), "\n") {
		name, ok := strings.CutPrefix(l, "--- ")
		if !ok {
			text += l + "\n"
			continue
		}
		end()
		switch section = name; name {
		case "cell":
			steps = append(steps, step{want: map[string]string{}, line: i + 1})
		case "interrupt":
			steps[len(steps)-1].interrupt = true
		case "out", "value", "type", "error":
		default:
			t.Fatalf("%s:%d: unknown section %q", file, i+1, name)
		}
	}
	end()
	return steps
}

// run runs a cell and gives its output.
func run(e *Engine, ctx context.Context, name, source string) (out string, v Value, err error) {
	var b strings.Builder
	v, err = e.Run(ctx, Cell{name, source}, Streams{Stdout: func(s string) { b.WriteString(s) }, Stderr: func(s string) { b.WriteString(s) }})
	return b.String(), v, err
}

func TestTranscripts(t *testing.T) {
	files, _ := filepath.Glob("testdata/cells/*.txt")
	cells := 0
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			e := newEngine(t)
			for i, s := range readTranscript(t, file) {
				cells++
				judge(t, e, s, fmt.Sprintf("In[%d]", i+1), fmt.Sprintf("%s:%d", file, s.line))
			}
		})
	}
	if cells == 0 {
		t.Fatal("no cell was checked")
	}
}

func judge(t *testing.T, e *Engine, s step, name, where string) {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if s.interrupt {
		time.AfterFunc(50*time.Millisecond, cancel)
	}
	out, v, err := run(e, ctx, name, s.cell)
	message := ""
	if err != nil {
		message = err.Error()
	}
	if want := s.want["error"]; want == "" && message != "" || !strings.Contains(message, want) || want != "" && message == "" {
		t.Errorf("%s: error %q, want %q", where, message, want)
	}
	if got := trimLines(out); got != trimLines(s.want["out"]) {
		t.Errorf("%s: output %q, want %q", where, got, s.want["out"])
	}
	if got := strings.TrimRight(v.Text, "\n"); got != s.want["value"] {
		t.Errorf("%s: value %q, want %q", where, got, s.want["value"])
	}
	if want, ok := s.want["type"]; ok && v.Type != want {
		t.Errorf("%s: type %q, want %q", where, v.Type, want)
	}
}

// trimLines drops the blanks at the ends of lines and of the text.
func trimLines(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

// session runs cells on one engine and keeps what they printed.
type session struct {
	t              *testing.T
	e              *Engine
	n              int
	stdout, stderr strings.Builder
}

func newSession(t *testing.T) *session { return &session{t: t, e: newEngine(t)} }

func (s *session) run(ctx context.Context, source string) (Value, error) {
	s.n++
	s.stdout.Reset()
	s.stderr.Reset()
	return s.e.Run(ctx, Cell{fmt.Sprintf("In[%d]", s.n), source}, Streams{
		Stdout: func(text string) { s.stdout.WriteString(text) },
		Stderr: func(text string) { s.stderr.WriteString(text) },
	})
}

func (s *session) must(source string) Value {
	s.t.Helper()
	v, err := s.run(context.Background(), source)
	if err != nil {
		s.t.Fatalf("%s\n%v", source, err)
	}
	return v
}
