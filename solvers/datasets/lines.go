package datasets

import (
	"bytes"
	"io"
)

// lineReader hands out text in runs of whole lines, so that a file of any size is read through
// one buffer, which stays in the processor's caches.
type lineReader struct {
	reader io.Reader
	buffer []byte
	begin  int   // of the text that has not been handed out
	end    int   // of the text
	err    error // of reader
}

// readSize is how much text is read at a time.
const readSize = 256 << 10

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{reader: r, buffer: make([]byte, readSize+wordSize)}
}

// next returns the next whole lines, at least one; only the last line of all may lack its end.
// They are good until the next call. In the array beyond them there is a line end, or room for
// one, and wordSize bytes in all. The error is io.EOF behind the last line, or the reader's.
func (l *lineReader) next() ([]byte, error) {
	l.end = copy(l.buffer, l.buffer[l.begin:l.end])
	l.begin = 0
	for l.err == nil {
		room := l.buffer[l.end : len(l.buffer)-wordSize]
		if len(room) > 0 {
			var n int
			n, l.err = l.reader.Read(room)
			l.end += n
			continue
		}
		if whole := bytes.LastIndexByte(l.buffer[:l.end], '\n') + 1; whole > 0 {
			l.begin = whole
			return l.buffer[:whole], nil
		}
		l.buffer = append(l.buffer, make([]byte, len(l.buffer))...) // one line fills it
	}
	if l.err != io.EOF || l.end == 0 {
		return nil, l.err
	}
	l.begin = l.end
	l.buffer[l.end] = '\n'
	return l.buffer[:l.end], nil
}
