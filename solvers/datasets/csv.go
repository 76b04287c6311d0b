package datasets

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
)

// ReadCSV reads a table of numbers, one row a line, with one column of labels: the column
// that the header calls label, class, y or target (in any case), else the last. The first
// line is a header if a feature's field is not a number, or if its last field is one of
// those names. Columns are separated by commas, semicolons or tabs, whichever the first
// line has most of; a field may be quoted. Blank lines are passed over. Labels are as
// Dataset says; the other columns are the features, in order, and zeros are not stored.
//
// The error is a *ParseError if the table is wrong: a field that is not a finite decimal
// number (a missing value too: nothing is filled in), a row of another length, no features,
// no rows, or two columns with a label's name. Otherwise it is r's error, wrapped.
func ReadCSV(r io.Reader, name string) (*Dataset, error) {
	text := bufio.NewReaderSize(r, 1<<16)
	head, _ := text.Peek(1 << 14) // an error comes back in the first Read
	if bytes.HasPrefix(head, []byte(byteOrderMark)) {
		text.Discard(len(byteOrderMark))
		head = head[len(byteOrderMark):]
	}
	t := &csvTable{file: name, records: csv.NewReader(text), label: -1}
	t.records.Comma = separator(head)
	t.records.ReuseRecord = true
	t.records.TrimLeadingSpace = t.records.Comma != '\t' // which would swallow empty fields
	t.records.FieldsPerRecord = -1                       // lengths are checked here, to name both

	d := &Dataset{Name: name}
	for {
		fields, err := t.records.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, t.readError(err)
		}
		if err := t.row(d, fields); err != nil {
			return nil, err
		}
	}
	if d.Len() == 0 {
		return nil, &ParseError{File: name, Line: 1, Column: 1, Text: "no rows: want at least one line of numbers"}
	}
	d.mapLabels()
	return d, nil
}

// csvTable is the state of ReadCSV.
type csvTable struct {
	file    string
	records *csv.Reader
	columns []string // the header; nil: none
	width   int      // number of columns; 0: no line was read yet
	label   int      // the column of labels; -1: not known yet
}

// row takes one line: the header or a row of d.
func (t *csvTable) row(d *Dataset, fields []string) error {
	if t.width == 0 {
		t.width, t.label = len(fields), len(fields)-1
		d.Dim = len(fields) - 1
		switch {
		case t.width < 2:
			return t.errorf(0, "one column: want at least one feature and a label")
		case d.Dim > maxFeatures:
			return t.errorf(0, "%d features: want at most %d", d.Dim, maxFeatures)
		case isHeader(fields):
			t.columns = append(t.columns, fields...)
			return t.findLabel()
		}
	}
	if len(fields) != t.width {
		return t.errorf(min(len(fields), t.width)-1, "%d columns, the first line has %d: want lines of equal length", len(fields), t.width)
	}
	var x Vector
	var label float64
	index := int32(0)
	for j, field := range fields {
		v, ok := decimal([]byte(strings.TrimSpace(field)))
		switch {
		case (!ok || !finite(v)) && j == t.label:
			return t.errorf(j, "label %s: want one finite number", shown([]byte(field)))
		case !ok || !finite(v):
			return t.errorf(j, "value %s in column %s: want one finite number", shown([]byte(field)), t.column(j))
		case j == t.label:
			label = v + 0 // -0 and 0 are one label
			continue
		case v != 0:
			x.Index, x.Value = append(x.Index, index), append(x.Value, v)
		}
		index++
	}
	d.X, d.Y = append(d.X, x), append(d.Y, label)
	return nil
}

// isHeader reports whether the first line names the columns.
func isHeader(fields []string) bool {
	for j, field := range fields {
		if _, ok := decimal([]byte(strings.TrimSpace(field))); !ok && (j < len(fields)-1 || isLabelName(field)) {
			return true
		}
	}
	return false
}

func isLabelName(column string) bool {
	switch strings.ToLower(strings.TrimSpace(column)) {
	case "label", "class", "y", "target":
		return true
	}
	return false
}

// findLabel looks in the header for the column of labels.
func (t *csvTable) findLabel() error {
	found := -1
	for j, column := range t.columns {
		if !isLabelName(column) {
			continue
		}
		if found >= 0 {
			return t.errorf(j, "columns %s and %s both have a label's name: want one", t.column(found), t.column(j))
		}
		found = j
	}
	if found >= 0 {
		t.label = found
	}
	return nil
}

// column names column j as the file does, else by its number from 1.
func (t *csvTable) column(j int) string {
	if t.columns == nil {
		return fmt.Sprint(j + 1)
	}
	return fmt.Sprintf("%d (%s)", j+1, shown([]byte(strings.TrimSpace(t.columns[j]))))
}

// errorf is an error at field j of the line read last.
func (t *csvTable) errorf(j int, format string, args ...any) error {
	line, column := t.records.FieldPos(j)
	return &ParseError{File: t.file, Line: line, Column: column, Text: fmt.Sprintf(format, args...)}
}

// readError gives a mistake in the table's form its place, and wraps other errors.
func (t *csvTable) readError(err error) error {
	var form *csv.ParseError
	if !errors.As(err, &form) {
		return fmt.Errorf("%s: %w", t.file, err)
	}
	text := "a quote in the wrong place: a quoted field begins and ends with \", and a \" within is doubled"
	return &ParseError{File: t.file, Line: form.Line, Column: form.Column, Text: text}
}

// separator is what stands between columns: the most frequent in the first line of text,
// the comma if none occurs.
func separator(text []byte) rune {
	line, _, _ := bytes.Cut(bytes.TrimLeft(text, "\r\n"), []byte{'\n'})
	best, most := ',', 0
	for _, c := range []byte(",;\t") {
		if n := bytes.Count(line, []byte{c}); n > most {
			best, most = rune(c), n
		}
	}
	return best
}
