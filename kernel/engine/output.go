package engine

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// output carries what cells print from two pipes to the streams of the running cell. The
// pipes are what os.Stdout and os.Stderr are inside the interpreter.
type output struct {
	stdout, stderr *pipe
	chunks         chan piece
	closed         chan struct{}
	mu             sync.Mutex
	streams        Streams
	locate         func(unit string, line, column int) origin
	traces         []origin // places that the interpreter wrote on the way of a panic, innermost first
}

// pipe is one stream. Its end mark is written after a cell and never handed over.
type pipe struct {
	read, write *os.File
	sentinel    *os.File // the same pipe, which the cell cannot close
	mark        []byte
	flushed     chan struct{}
	name        string
}

// piece is text for a stream; a piece with done set comes after all text before it.
type piece struct {
	from *pipe
	text []byte
	done bool
}

const (
	batchTime = 50 * time.Millisecond
	batchSize = 64 << 10
)

// The interpreter reports every frame that a panic leaves as a line of this form on stderr;
// unit names begin with a control character, so that no text of a cell is taken for one.
const unitMark = "\x1e"

var traceLine = regexp.MustCompile(unitMark + `([^:\n]*):(\d+):(\d+): panic: [^\n]*\n`)

func newOutput(locate func(string, int, int) origin) (*output, error) {
	o := &output{chunks: make(chan piece, 16), closed: make(chan struct{}), locate: locate}
	var err error
	if o.stdout, err = newPipe("stdout"); err != nil {
		return nil, err
	}
	if o.stderr, err = newPipe("stderr"); err != nil {
		return nil, err
	}
	var readers sync.WaitGroup
	for _, p := range []*pipe{o.stdout, o.stderr} {
		readers.Add(1)
		go func() { defer readers.Done(); o.pump(p) }()
	}
	go func() { readers.Wait(); close(o.chunks) }()
	go o.deliver()
	return o, nil
}

func newPipe(name string) (*pipe, error) {
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("a pipe for %s: %w", name, err)
	}
	var nonce [16]byte
	_, _ = rand.Read(nonce[:])
	p := &pipe{read: r, write: w, name: name, flushed: make(chan struct{}, 1)}
	p.mark = []byte(unitMark + "end " + hex.EncodeToString(nonce[:]) + "\n")
	if p.sentinel, err = duplicate(w); err != nil {
		return nil, fmt.Errorf("a pipe for %s: %w", name, err)
	}
	return p, nil
}

// pump reads one pipe until it is closed.
func (o *output) pump(p *pipe) {
	buf := make([]byte, batchSize)
	var rest []byte
	for {
		n, err := p.read.Read(buf)
		rest = append(rest, buf[:n]...)
		for {
			i := bytes.Index(rest, p.mark)
			if i < 0 {
				break
			}
			o.chunks <- piece{from: p, text: bytes.Clone(rest[:i]), done: true}
			rest = rest[i+len(p.mark):]
		}
		var keep int
		if i := bytes.LastIndexByte(rest, unitMark[0]); i >= 0 && bytes.IndexByte(rest[i:], '\n') < 0 && len(rest)-i < 512 {
			keep = i // perhaps the beginning of a mark or a trace
		} else {
			keep = wholeRunes(rest)
		}
		if err != nil {
			keep = len(rest)
		}
		if keep > 0 {
			o.chunks <- piece{from: p, text: bytes.Clone(rest[:keep])}
			rest = append(rest[:0], rest[keep:]...)
		}
		if err != nil {
			return
		}
	}
}

// wholeRunes is the length of b without an unfinished rune at its end.
func wholeRunes(b []byte) int {
	for i := 1; i <= min(utf8.UTFMax-1, len(b)); i++ {
		if c := b[len(b)-i]; utf8.RuneStart(c) {
			if !utf8.FullRune(b[len(b)-i:]) {
				return len(b) - i
			}
			break
		}
	}
	return len(b)
}

// deliver hands text over in batches.
func (o *output) deliver() {
	defer close(o.closed)
	var text bytes.Buffer
	var from *pipe
	flush := func() {
		if text.Len() > 0 {
			o.hand(from, text.String())
			text.Reset()
		}
	}
	timer := time.NewTimer(batchTime)
	timer.Stop()
	for {
		select {
		case p, ok := <-o.chunks:
			if !ok {
				flush()
				return
			}
			if p.from != from {
				flush()
				from = p.from
			}
			if text.Len() == 0 {
				timer.Reset(batchTime)
			}
			text.Write(p.text)
			if p.done || text.Len() >= batchSize {
				flush()
			}
			if p.done {
				p.from.flushed <- struct{}{}
			}
		case <-timer.C:
			flush()
		}
	}
}

func (o *output) hand(p *pipe, text string) {
	o.mu.Lock()
	streams := o.streams
	o.mu.Unlock()
	f := streams.Stdout
	if p == o.stderr {
		f, text = streams.Stderr, o.takeTraces(text)
	}
	if f != nil && text != "" {
		f(text)
	}
}

// takeTraces removes the interpreter's own lines from stderr and remembers their places.
func (o *output) takeTraces(text string) string {
	if !strings.Contains(text, unitMark) {
		return text
	}
	return traceLine.ReplaceAllStringFunc(text, func(s string) string {
		m := traceLine.FindStringSubmatch(s)
		line, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		at := o.locate(unitMark+m[1], line, column)
		o.mu.Lock()
		if at.line > 0 {
			o.traces = append(o.traces, at)
		}
		o.mu.Unlock()
		return ""
	})
}

// drain returns when everything printed so far has been handed over.
func (o *output) drain() {
	for _, p := range []*pipe{o.stdout, o.stderr} {
		if _, err := p.sentinel.Write(p.mark); err == nil {
			<-p.flushed
		}
	}
}

// panicPlace gives the innermost place of the last panic and forgets it.
func (o *output) panicPlace() origin {
	o.drain()
	o.mu.Lock()
	defer o.mu.Unlock()
	defer func() { o.traces = nil }()
	if len(o.traces) == 0 {
		return origin{}
	}
	return o.traces[0]
}

func (o *output) use(s Streams) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.streams, o.traces = s, nil
}

func (o *output) close() error {
	for _, p := range []*pipe{o.stdout, o.stderr} {
		_ = p.write.Close() // the cell may have closed it
		if err := p.sentinel.Close(); err != nil {
			return fmt.Errorf("closing %s: %w", p.name, err)
		}
	}
	<-o.closed
	return nil
}

// input reads lines from the running cell's Input.
type input struct {
	output *output
	mu     sync.Mutex
	rest   []byte
}

func (in *input) Read(b []byte) (int, error) {
	in.mu.Lock()
	defer in.mu.Unlock()
	if len(in.rest) == 0 && len(b) > 0 {
		in.output.mu.Lock()
		ask := in.output.streams.Input
		in.output.mu.Unlock()
		if ask == nil {
			return 0, fmt.Errorf("nobody can answer: this cell has no input")
		}
		line, err := ask("")
		if err != nil {
			return 0, err
		}
		in.rest = append([]byte(line), '\n')
	}
	n := copy(b, in.rest)
	in.rest = in.rest[n:]
	return n, nil
}
