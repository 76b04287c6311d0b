package kernel

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

func quiet() *slog.Logger { return slog.New(slog.NewTextHandler(io.Discard, nil)) }

func all(t *testing.T, h *history) [][]any {
	t.Helper()
	n := 1 << 30
	rows, err := h.find(wire.HistoryRequest{AccessType: "tail", N: &n})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// Kernels that share a file have sessions of their own and lose nothing of each other.
func TestHistoryIsShared(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.jsonl")
	const kernels, cells = 8, 20
	var running sync.WaitGroup
	for k := range kernels {
		running.Go(func() {
			h := newHistory(file, quiet())
			for line := 1; line <= cells; line++ {
				h.add(line, fmt.Sprintf("kernel %d", k))
				h.save()
			}
		})
	}
	running.Wait()
	inputs := map[any]string{}
	rows := all(t, newHistory(file, quiet()))
	for _, row := range rows {
		session, input := row[0], row[2].(string)
		if first, ok := inputs[session]; ok && first != input {
			t.Errorf("session %v has cells of %q and %q", session, first, input)
		}
		inputs[session] = input
	}
	if len(rows) != kernels*cells || len(inputs) != kernels {
		t.Errorf("%d cells of %d sessions, want %d of %d", len(rows), len(inputs), kernels*cells, kernels)
	}
}

// Lines that cannot be read are skipped, also one that was cut short by a crash.
func TestHistoryWithDamagedLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.jsonl")
	text := `{"session":4,"line":0}` + "\n" + `{"session":4,"line":1,"input":"a"}` + "\n\nrubbish\n[]\n" + `{"session":4,"line":2,"input":"b"}` + "\n" + `{"session":4,"li`
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHistory(file, quiet())
	h.add(1, "c")
	h.save()
	for _, reader := range []*history{h, newHistory(file, quiet())} {
		if got := fmt.Sprint(all(t, reader)); got != "[[4 1 a] [4 2 b] [5 1 c]]" {
			t.Errorf("history %s", got)
		}
	}
	if text, err := os.ReadFile(file); err != nil || !strings.Contains(string(text), "\n"+`{"session":5,"line":0}`+"\n") {
		t.Errorf("the beginning of session 5 is not a line of its own: %q, %v", text, err)
	}
}

func TestHistoryIsCut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "history.jsonl")
	var text strings.Builder
	long := strings.Repeat("x", 1500)
	for i := 1; i <= historyKept+2000; i++ {
		fmt.Fprintf(&text, `{"session":1,"line":%d,"input":"%d %s"}`+"\n", i, i, long)
	}
	if err := os.WriteFile(file, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	rows := all(t, newHistory(file, quiet()))
	if len(rows) != historyKept || rows[0][1] != 2001 {
		t.Errorf("%d cells, the first is %v", len(rows), rows[0][1])
	}
	if again := all(t, newHistory(file, quiet())); len(again) != historyKept {
		t.Errorf("%d cells in the file", len(again))
	}
	if info, err := os.Stat(file); err != nil || info.Size() >= int64(text.Len()) {
		t.Errorf("the file was not cut: %v", err)
	}
}

// A file that cannot be written does not keep the history of the session from working.
func TestHistoryWithoutFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	h := newHistory(filepath.Join(file, "below a file", "history"), quiet())
	h.add(1, "a")
	h.save()
	if got := fmt.Sprint(all(t, h)); got != "[[1 1 a]]" {
		t.Errorf("history %s", got)
	}
}
