package kernel

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/gonb-svm/gonb-svm/kernel/wire"
)

// The history file is cut to historyKept cells when it has grown over historySize bytes.
const (
	historySize = 16 << 20
	historyKept = 10000
)

// historyCell is one cell of the history, and one line of its file.
type historyCell struct {
	Session int     `json:"session"`
	Line    int     `json:"line"` // 0 marks the beginning of a session
	Input   string  `json:"input,omitempty"`
	Output  *string `json:"output,omitempty"`
}

// history remembers the cells of this session and, in a file of JSON lines, those of earlier
// ones. Several kernels may share the file.
type history struct {
	file string // "" for none
	log  *slog.Logger

	mu      sync.Mutex
	loaded  bool
	session int           // from 1
	earlier []historyCell // of other sessions, as of when this one began
	cells   []historyCell // of this session
	saved   int           // how many of them are in the file
}

func newHistory(file string, log *slog.Logger) *history {
	return &history{file: file, log: log, session: 1}
}

// add remembers a cell of this session.
func (h *history) add(line int, input string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.cells = append(h.cells, historyCell{Line: line, Input: input})
}

// setOutput remembers what came of the last cell.
func (h *history) setOutput(line int, output string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if last := len(h.cells) - 1; last >= 0 && h.cells[last].Line == line {
		h.cells[last].Output = &output
	}
}

// load reads the file and takes the next session number, when that is first needed.
func (h *history) load() {
	if h.loaded {
		return
	}
	h.loaded = true
	if h.file == "" {
		return
	}
	if err := h.withFile(h.begin); err != nil {
		h.log.Warn("the history cannot be kept", "error", err)
		h.file = ""
	}
}

// begin reads the cells of earlier sessions and notes the beginning of this one.
func (h *history) begin(f *os.File) error {
	reader := bufio.NewReaderSize(f, 64<<10)
	size, broken := 0, false
	for {
		line, err := reader.ReadBytes('\n')
		size += len(line)
		broken = err == io.EOF && len(line) > 0 // a crash cut the last line short
		var cell historyCell
		if json.Unmarshal(line, &cell) == nil && cell.Session > 0 {
			h.session = max(h.session, cell.Session+1)
			if cell.Line > 0 {
				h.earlier = append(h.earlier, cell)
			}
		} else if len(bytes.TrimSpace(line)) > 0 {
			h.log.Warn("a line of the history file was ignored", "file", h.file)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
	}
	if size > historySize {
		h.earlier = h.earlier[max(0, len(h.earlier)-historyKept):]
		if err := f.Truncate(0); err != nil {
			return err
		}
		if err := writeCells(f, h.earlier); err != nil {
			return err
		}
	}
	if broken {
		if _, err := f.WriteString("\n"); err != nil {
			return err
		}
	}
	return writeCells(f, []historyCell{{Session: h.session}})
}

// withFile calls f with the file, which no other kernel uses meanwhile.
func (h *history) withFile(f func(*os.File) error) (err error) {
	if err := os.MkdirAll(filepath.Dir(h.file), 0o700); err != nil {
		return err
	}
	file, err := os.OpenFile(h.file, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if closed := file.Close(); err == nil {
			err = closed
		}
	}()
	if err := lockFile(file); err != nil {
		return fmt.Errorf("%s: %w", h.file, err)
	}
	return f(file)
}

// writeCells appends cells to the file in one write.
func writeCells(w io.Writer, cells []historyCell) error {
	var lines bytes.Buffer
	for _, cell := range cells {
		line, err := wire.Encode(cell)
		if err != nil {
			return err
		}
		lines.Write(line)
		lines.WriteByte('\n')
	}
	_, err := w.Write(lines.Bytes())
	return err
}

// save appends the cells that are not in the file yet.
func (h *history) save() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.load()
	if h.file == "" || h.saved == len(h.cells) {
		return
	}
	fresh := make([]historyCell, 0, len(h.cells)-h.saved)
	for _, cell := range h.cells[h.saved:] {
		cell.Session = h.session
		fresh = append(fresh, cell)
	}
	if err := h.withFile(func(f *os.File) error { return writeCells(f, fresh) }); err != nil {
		h.log.Warn("the history was not saved", "error", err)
		return
	}
	h.saved = len(h.cells)
}

// find returns the cells that a history_request asks for, oldest first.
func (h *history) find(q wire.HistoryRequest) ([][]any, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.load()
	var chosen []historyCell
	switch q.AccessType {
	case "tail":
		chosen = lastCells(h.all(), or(q.N, 10))
	case "range":
		session := q.Session
		if session <= 0 {
			session += h.session
		}
		chosen = cellRange(h.all(), session, q.Start, q.Stop)
	case "search":
		chosen = searchCells(h.all(), q.Pattern, q.Unique)
		chosen = lastCells(chosen, or(q.N, len(chosen)))
	default:
		return nil, fmt.Errorf("hist_access_type is %q, want \"tail\", \"range\" or \"search\"", q.AccessType)
	}
	rows := make([][]any, len(chosen))
	for i, cell := range chosen {
		rows[i] = []any{cell.Session, cell.Line, cell.Input}
		if q.Output {
			rows[i][2] = []any{cell.Input, cell.Output}
		}
	}
	return rows, nil
}

// all returns the cells of all sessions.
func (h *history) all() []historyCell {
	cells := make([]historyCell, 0, len(h.earlier)+len(h.cells))
	cells = append(cells, h.earlier...)
	for _, cell := range h.cells {
		cell.Session = h.session
		cells = append(cells, cell)
	}
	return cells
}

// or returns what p points to, or a default.
func or(p *int, byDefault int) int {
	if p == nil {
		return byDefault
	}
	return *p
}

func lastCells(cells []historyCell, n int) []historyCell {
	return cells[max(0, len(cells)-max(0, n)):]
}

func cellRange(cells []historyCell, session, start int, stop *int) []historyCell {
	var chosen []historyCell
	for _, cell := range cells {
		if cell.Session == session && cell.Line >= start && (stop == nil || cell.Line < *stop) {
			chosen = append(chosen, cell)
		}
	}
	return chosen
}

// searchCells returns the cells that match a pattern with * and ?. With unique, only the last
// of equal ones.
func searchCells(cells []historyCell, pattern string, unique bool) []historyCell {
	expression := regexp.MustCompile("(?s)^" + strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern)) + "$")
	last := map[string]int{}
	for i, cell := range cells {
		last[cell.Input] = i
	}
	var chosen []historyCell
	for i, cell := range cells {
		if expression.MatchString(cell.Input) && (!unique || last[cell.Input] == i) {
			chosen = append(chosen, cell)
		}
	}
	return chosen
}
