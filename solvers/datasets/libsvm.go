package datasets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
)

// maxFeatures is the greatest index that the readers take. Every published set is below
// it; an index above is far more likely to be a mistake.
const maxFeatures = 100_000_000

// byteOrderMark is what some editors put before UTF-8 text.
const byteOrderMark = "\xef\xbb\xbf"

// ReadLIBSVM reads LIBSVM text (also called SVMlight text): one row a line,
//
//	label index:value index:value …
//
// with indices that count from 1 and increase. name is the Dataset's name and stands in
// errors. Two distinct labels of any kind (1 and -1, 1.0 and -1.0, 0 and 1, 1 and 2, 3 and
// 8) become -1 and +1 as Dataset says; more are kept. Zeros that are written out are not
// stored. Blank lines, comments from # to the end of the line and qid:n pairs are passed
// over; line ends are \n or \r\n, and the last may be missing. Dim is the greatest index.
//
// The error is a *ParseError if the text is wrong: a label or value that is not a finite
// decimal number, an index that is not a whole number from 1 to 100000000 or does not
// increase, or no rows at all. Otherwise it is r's error, wrapped.
func ReadLIBSVM(r io.Reader, name string) (*Dataset, error) {
	s := &libsvmScanner{file: name, line: 1}
	var rows rowBlocks
	for text := newLineReader(r); ; {
		data, err := text.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.data, s.pos, s.lineStart = data, 0, 0
		if s.line == 1 {
			s.pos = len(data) - len(bytes.TrimPrefix(data, []byte(byteOrderMark)))
		}
		for s.pos < len(data) {
			if err := s.row(&rows); err != nil {
				return nil, err
			}
		}
	}
	d := rows.dataset(name)
	if d.Len() == 0 {
		return nil, &ParseError{File: name, Line: 1, Column: 1, Text: "no rows: want at least one line \"label index:value …\""}
	}
	d.Dim = s.dim
	d.mapLabels()
	return d, nil
}

// libsvmScanner walks over LIBSVM text.
type libsvmScanner struct {
	file      string
	data      []byte // as of lineReader.next
	pos       int    // of the next byte
	line      int    // counts from 1
	lineStart int
	dim       int // the greatest index so far
}

// row reads one line, with its end, and adds its row if it has one.
func (s *libsvmScanner) row(rows *rowBlocks) error {
	s.blank()
	if s.lineEnded() {
		return nil
	}
	start := s.pos
	token := s.token()
	label, ok := decimal(token)
	switch {
	case !ok && bytes.IndexByte(token, ':') >= 0:
		return s.errorf(start, "%s where the label belongs: a row starts with its label", shown(token))
	case !ok || !finite(label):
		return s.errorf(start, "label %s: want one finite number", shown(token))
	}
	padded := s.data[:len(s.data)+wordSize]
	last := 0
	for {
		index, value, next := plainPair(padded, s.pos)
		if index > last {
			s.pos = next
		} else {
			s.blank()
			if s.lineEnded() {
				break
			}
			var err error
			start := s.pos
			if index, value, err = s.pair(start, s.token(), last); err != nil {
				return err
			}
		}
		last = max(last, index)
		if value != 0 {
			rows.add(int32(index-1), value)
		}
	}
	s.dim = max(s.dim, last)
	rows.end(label + 0) // -0 and 0 are one label
	return nil
}

// plainPair reads at b[i] what files are full of: one blank, index:value of few digits without an
// exponent, and a blank or a line end. At anything else index is 0. b has wordSize bytes behind
// every digit.
func plainPair(b []byte, i int) (index int, value float64, next int) {
	if b[i] != ' ' {
		return 0, 0, 0
	}
	i++
	begin := i
	for ; b[i]-'0' <= 9; i++ {
		index = index*10 + int(b[i]-'0')
	}
	if i-begin > 8 || b[i] != ':' {
		return 0, 0, 0
	}
	i++
	negative := b[i] == '-'
	if negative {
		i++
	}
	begin = i
	mantissa, fraction := int64(0), 0
	for ; b[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + int64(b[i]-'0')
	}
	digits := i - begin
	if b[i] == '.' {
		i++
		for n := wordSize; n == wordSize; i, fraction = i+n, fraction+n {
			var part int64
			part, n = leadingDigits(binary.LittleEndian.Uint64(b[i:]))
			mantissa = mantissa*wholePowersOfTen[n] + part
		}
	}
	// As in decimal: up to 18 digits do not overflow, and below 2⁵³ one rounding is the right one.
	digits += fraction
	if digits == 0 || digits > 18 || mantissa >= 1<<53 || b[i] != ' ' && b[i] != '\n' {
		return 0, 0, 0
	}
	value = float64(mantissa)
	if fraction > 0 {
		value /= powersOfTen[fraction]
	}
	if negative {
		value = -value
	}
	return index, value, i
}

// blank passes over white space within the line and over a comment.
func (s *libsvmScanner) blank() {
	for ; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case ' ', '\t', '\r', '\v', '\f':
		case '#':
			if n := bytes.IndexByte(s.data[s.pos:], '\n'); n >= 0 {
				s.pos += n
			} else {
				s.pos = len(s.data)
			}
			return
		default:
			return
		}
	}
}

// lineEnded reports whether the line ends here, and if so goes to the next.
func (s *libsvmScanner) lineEnded() bool {
	if s.pos == len(s.data) {
		return true
	}
	if s.data[s.pos] != '\n' {
		return false
	}
	s.pos++
	s.line++
	s.lineStart = s.pos
	return true
}

// token takes what comes up to white space, a comment or the end.
func (s *libsvmScanner) token() []byte {
	start := s.pos
	for ; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case ' ', '\t', '\r', '\v', '\f', '\n', '#':
			return s.data[start:s.pos]
		}
	}
	return s.data[start:]
}

// pair reads the token that starts at start as index:value, after the index last of the same
// row (0: none yet). A qid pair gives index 0 and value 0.
func (s *libsvmScanner) pair(start int, token []byte, last int) (index int, value float64, err error) {
	i := 0
	for ; i < len(token) && token[i]-'0' <= 9; i++ {
		index = min(index*10+int(token[i]-'0'), maxFeatures+1)
	}
	if i == 0 || i == len(token) || token[i] != ':' {
		if bytes.HasPrefix(token, []byte("qid:")) {
			return 0, 0, nil
		}
		return 0, 0, s.pairError(start, token)
	}
	switch {
	case index == 0:
		return 0, 0, s.errorf(start, "index 0: indices count from 1")
	case index > maxFeatures:
		return 0, 0, s.errorf(start, "index %.40s: want at most %d", token[:i], maxFeatures)
	case index <= last:
		return 0, 0, s.errorf(start, "index %d after %d: indices must increase", index, last)
	}
	text := token[i+1:]
	value, ok := decimal(text)
	switch {
	case len(text) == 0:
		return 0, 0, s.errorf(start, "index %d has no value: want index:value without a space", index)
	case !ok || !finite(value):
		return 0, 0, s.errorf(start+i+1, "value %s of index %d: want one finite number", shown(text), index)
	}
	return index, value, nil
}

// pairError says what is wrong with the index of a token that is no index:value.
func (s *libsvmScanner) pairError(start int, token []byte) error {
	before, _, found := bytes.Cut(token, []byte{':'})
	switch index, number := decimal(before); {
	case !found:
		return s.errorf(start, "%s: want a pair index:value", shown(token))
	case number && index <= 0:
		return s.errorf(start, "index %.40s: indices count from 1", before)
	default:
		return s.errorf(start, "index %s: want a whole number from 1", shown(before))
	}
}

func (s *libsvmScanner) errorf(at int, format string, args ...any) error {
	return &ParseError{File: s.file, Line: s.line, Column: at - s.lineStart + 1, Text: fmt.Sprintf(format, args...)}
}
