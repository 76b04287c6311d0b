package engine

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/traefik/yaegi/stdlib"
)

var update = flag.Bool("update", false, "write what the engine gives into the transcripts")

// A transcript is cells and what is expected of them: sections that begin with a line "== name".
// "== cell" begins a cell; "== value TYPE", "== stdout", "== stderr" and "== error" say what it
// gives. A file whose name ends in _fail has a cell with an error.
type exchange struct {
	source string
	want   string
}

func readTranscript(t *testing.T, file string) []exchange {
	t.Helper()
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []exchange
	for _, part := range strings.Split("\n"+string(b), "\n== cell\n")[1:] {
		source, want, _ := strings.Cut(part+"\n", "\n== ")
		if want != "" {
			want = "== " + strings.TrimRight(want, "\n") + "\n"
		}
		out = append(out, exchange{strings.TrimRight(source, "\n"), want})
	}
	return out
}

// play runs one cell and writes down everything it gave.
func play(e *Engine, n int, source string) (record string, failed bool) {
	var stdout, stderr strings.Builder
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	answers := 0
	v, err := e.Run(ctx, Cell{fmt.Sprintf("In[%d]", n), source}, Streams{
		Stdout: func(s string) { stdout.WriteString(s) },
		Stderr: func(s string) { stderr.WriteString(s) },
		Input:  func(string) (string, error) { answers++; return fmt.Sprintf("%d line", answers), nil },
	})
	var b strings.Builder
	section := func(name, text string) {
		if text != "" {
			b.WriteString("== " + name + "\n" + strings.TrimRight(text, "\n") + "\n")
		}
	}
	section("stdout", stdout.String())
	section("stderr", stderr.String())
	if v.Present {
		section("value "+v.Type, v.Text+"\n")
	}
	if err != nil {
		text := fmt.Sprintf("%T %s\n", err, err)
		var c *CompileError
		if errors.As(err, &c) {
			text = c.Kind + " " + c.Error() + "\n" + strings.Join(c.Excerpt, "\n")
		}
		section("error", text)
	}
	return b.String(), err != nil
}

func newEngine(t testing.TB) *Engine {
	t.Helper()
	e, err := New(Options{Symbols: testSymbols()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func TestTranscripts(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			cells := readTranscript(t, file)
			if len(cells) == 0 {
				t.Fatal("no cells")
			}
			e := newEngine(t)
			var out strings.Builder
			anyFailed := false
			for i, c := range cells {
				got, failed := play(e, i+1, c.source)
				anyFailed = anyFailed || failed
				out.WriteString("== cell\n" + c.source + "\n" + got)
				if diff := cmp.Diff(c.want, got); diff != "" && !*update {
					t.Errorf("cell %d:\n%s\n(-want +got)\n%s", i+1, c.source, diff)
				}
			}
			if want := strings.HasSuffix(file, "_fail.txt"); want != anyFailed {
				t.Errorf("a cell failed: %v, want %v", anyFailed, want)
			}
			if *update {
				if err := os.WriteFile(file, []byte(out.String()), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func testSymbols() map[string]map[string]reflect.Value {
	return stdlib.Symbols
}
