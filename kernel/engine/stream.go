package engine

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/border"
)

// Streams is where a cell's output goes and its input comes from, for one Run.
type Streams struct {
	// Stdout and Stderr take output in order, one call at a time, batched by 50 ms or 64 kB; all of
	// it has come when Run returns. nil: it is dropped.
	Stdout, Stderr func(text string)
	// Background says that Stdout and Stderr may be called after Run has returned, until the engine
	// is closed, with what goroutines of the cell print by fmt, log and print while later cells run.
	// false: that goes to the cell that runs then, as does what they write to the files themselves.
	Background bool
	// Input asks for a line of input, for fmt.Scan and os.Stdin; nil: reading is an error.
	Input func(prompt string) (string, error)
}

const (
	batchTime = 50 * time.Millisecond
	batchSize = 64 << 10
)

// files are the standard files of the cells: pipes, so that os.Stdout is a true *os.File.
type files struct {
	stdout, stderr *pipe
	stdin          *os.File
	prompt         border.Prompt
	mu             sync.Mutex // one callback at a time
}

func openFiles() (*files, error) {
	f := &files{}
	var err error
	if f.stdout, err = openPipe(&f.mu); err != nil {
		return nil, err
	}
	if f.stderr, err = openPipe(&f.mu); err != nil {
		return nil, err
	}
	if f.stdin, err = os.Open(os.DevNull); err != nil {
		return nil, fmt.Errorf("engine: %w", err)
	}
	return f, nil
}

// connect gives the files the streams of a run.
func (f *files) connect(s Streams) error {
	for _, p := range []*pipe{f.stdout, f.stderr} {
		if err := p.reopen(); err != nil {
			return err
		}
	}
	f.stdout.to(s.Stdout)
	f.stderr.to(s.Stderr)
	f.prompt.Ask = nil
	if s.Input != nil {
		f.prompt.Ask = func(prompt string) (string, error) {
			f.flush()
			return s.Input(prompt)
		}
	}
	return nil
}

// Flush hands on what the cells have printed so far. What shows something by another way than the
// Streams calls it first, so that all comes in the order in which the cell made it.
func (e *Engine) Flush() { e.io.flush() }

// late are the streams of a cell's goroutines when later cells run.
func (f *files) late(s Streams) func(file int32) io.Writer {
	if !s.Background {
		return nil
	}
	stdout, stderr := &pipe{calls: &f.mu, sink: s.Stdout}, &pipe{calls: &f.mu, sink: s.Stderr}
	return func(file int32) io.Writer {
		if file == 1 {
			return lateWriter{stdout}
		}
		return lateWriter{stderr}
	}
}

// lateWriter batches what is written as a pipe does.
type lateWriter struct{ *pipe }

// Write implements io.Writer.
func (w lateWriter) Write(b []byte) (int, error) {
	w.take(b)
	return len(b), nil
}

// flush waits until all that was written has been handed on.
func (f *files) flush() {
	f.stdout.flush()
	f.stderr.flush()
}

func (f *files) close() error {
	f.stdin.Close()
	f.stderr.write.Close()
	return f.stdout.write.Close()
}

// pipe is one output file and the goroutine that reads it.
type pipe struct {
	write   *os.File
	own     *os.File // the file behind write, should a cell put another there
	marker  []byte   // what flush writes to know that all before it has been read
	flushed chan struct{}
	calls   *sync.Mutex

	flushing sync.Mutex // one marker under way at a time
	mu       sync.Mutex
	sink     func(string)
	pending  []byte
	due      *time.Timer
}

func openPipe(calls *sync.Mutex) (*pipe, error) {
	key := make([]byte, 12)
	rand.Read(key)
	p := &pipe{marker: []byte("\x00flush" + hex.EncodeToString(key) + "\x00"), calls: calls}
	return p, p.reopen()
}

// reopen makes the pipe when there is none, or a cell has closed it.
func (p *pipe) reopen() error {
	if p.own != nil {
		if _, err := p.own.Write(nil); err == nil {
			return nil
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	if p.write == p.own {
		p.write = w
	}
	p.own = w
	p.flushed = make(chan struct{}, 1)
	go p.read(r, p.flushed)
	return nil
}

func (p *pipe) to(sink func(string)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sink = sink
}

// read hands on what comes, without splitting a marker.
func (p *pipe) read(r *os.File, flushed chan<- struct{}) {
	defer r.Close()
	buffer := make([]byte, batchSize)
	var held []byte
	for {
		n, err := r.Read(buffer)
		data := append(held, buffer[:n]...)
		for {
			before, after, ok := bytes.Cut(data, p.marker)
			if !ok {
				break
			}
			p.take(before)
			p.deliver(true)
			flushed <- struct{}{}
			data = after
		}
		keep := partial(data, p.marker)
		p.take(data[:len(data)-keep])
		held = append([]byte(nil), data[len(data)-keep:]...)
		if err != nil {
			p.take(held)
			p.deliver(true)
			close(flushed)
			return
		}
	}
}

// partial tells how many bytes at the end of data may begin the marker.
func partial(data, marker []byte) int {
	for n := min(len(marker)-1, len(data)); n > 0; n-- {
		if bytes.HasPrefix(marker, data[len(data)-n:]) {
			return n
		}
	}
	return 0
}

// take adds to the batch, which goes out when it is large or old.
func (p *pipe) take(b []byte) {
	if len(b) == 0 {
		return
	}
	p.mu.Lock()
	p.pending = append(p.pending, b...)
	full := len(p.pending) >= batchSize
	if !full && p.due == nil {
		p.due = time.AfterFunc(batchTime, func() { p.deliver(false) })
	}
	p.mu.Unlock()
	if full {
		p.deliver(false)
	}
}

// deliver hands the batch to the sink, but for the beginning of a character unless all is wanted.
func (p *pipe) deliver(all bool) {
	p.calls.Lock()
	defer p.calls.Unlock()
	p.mu.Lock()
	n := len(p.pending)
	if !all {
		n -= unfinished(p.pending)
	}
	text, sink := string(p.pending[:n]), p.sink
	p.pending = append(p.pending[:0], p.pending[n:]...)
	if p.due != nil {
		p.due.Stop()
		p.due = nil
	}
	p.mu.Unlock()
	if sink != nil && text != "" {
		sink(text)
	}
}

// flush waits until all that was written so far has been delivered.
func (p *pipe) flush() {
	p.flushing.Lock()
	defer p.flushing.Unlock()
	p.own.Write(p.marker) // when the file is closed its reader ends, and closes flushed
	<-p.flushed
}

// unfinished is the number of bytes at the end of b that begin a character.
func unfinished(b []byte) int {
	for n := 1; n <= min(utf8.UTFMax-1, len(b)); n++ {
		if c := b[len(b)-n]; utf8.RuneStart(c) {
			if c >= utf8.RuneSelf && !utf8.FullRune(b[len(b)-n:]) {
				return n
			}
			return 0
		}
	}
	return 0
}
