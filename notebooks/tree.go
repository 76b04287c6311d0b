package notebooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// A JSON value is kept as the file has it, so that what is not understood is written back
// unchanged: an *object, a list, or the raw text of anything else, a string with its quotes
// and escapes.
type (
	object struct{ members []member } // in the order of the file
	member struct {
		key   raw // with its quotes
		value any
	}
	list []any
	raw  string
)

// parse reads a JSON document. Its errors say where it is broken.
func parse(data []byte) (any, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !utf8.Valid(data) {
		offset := 0
		for r, size := utf8.DecodeRune(data); r != utf8.RuneError || size > 1; r, size = utf8.DecodeRune(data[offset:]) {
			offset += size
		}
		return nil, fmt.Errorf("a byte that is not UTF-8 at %s", place(data, offset))
	}
	var any json.RawMessage
	if err := json.Unmarshal(data, &any); err != nil {
		var syntax *json.SyntaxError
		if !errors.As(err, &syntax) {
			return nil, err
		}
		if len(bytes.TrimSpace(data)) == 0 {
			return nil, errors.New("the file is empty")
		}
		what := syntax.Error()
		if strings.HasPrefix(what, "unexpected end") {
			return nil, fmt.Errorf("it ends in the middle, at %s", place(data, len(data)))
		}
		what, _, _ = strings.Cut(what, " looking for")
		what, _, _ = strings.Cut(what, " after ")
		what, _, _ = strings.Cut(what, " in ")
		return nil, fmt.Errorf("%s at %s", what, place(data, int(syntax.Offset)-1))
	}
	s := scanner{text: string(data)}
	return s.value(), nil
}

// place is where a byte lies in a text, counted from 1 in lines and characters.
func place(data []byte, offset int) string {
	before := data[:min(max(offset, 0), len(data))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("line %d column %d", line, column)
}

// scanner walks over a text that is known to be valid JSON.
type scanner struct {
	text string
	at   int
}

func (s *scanner) space() {
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n,:", s.text[s.at]) >= 0 {
		s.at++
	}
}

func (s *scanner) value() any {
	s.space()
	switch s.text[s.at] {
	case '{':
		s.at++
		o := &object{}
		for s.space(); s.text[s.at] != '}'; s.space() {
			key := s.token()
			o.members = append(o.members, member{key, s.value()})
		}
		s.at++
		return o
	case '[':
		s.at++
		l := list{}
		for s.space(); s.text[s.at] != ']'; s.space() {
			l = append(l, s.value())
		}
		s.at++
		return l
	}
	return s.token()
}

// token is the next string, number or word.
func (s *scanner) token() raw {
	start := s.at
	if s.text[s.at] == '"' {
		for s.at++; s.text[s.at] != '"'; s.at++ {
			if s.text[s.at] == '\\' {
				s.at++
			}
		}
		s.at++
		return raw(s.text[start:s.at])
	}
	for s.at < len(s.text) && strings.IndexByte(" \t\r\n,]}", s.text[s.at]) < 0 {
		s.at++
	}
	return raw(s.text[start:s.at])
}

// text is the string that a value stands for; ok is false if it is no string.
func text(v any) (s string, ok bool) {
	r, isRaw := v.(raw)
	if !isRaw || !strings.HasPrefix(string(r), `"`) {
		return "", false
	}
	return s, json.Unmarshal([]byte(r), &s) == nil
}

// lines is a text that may be given as a list of lines, as sources and outputs are.
func lines(v any) (string, bool) {
	parts, ok := v.(list)
	if !ok {
		return text(v)
	}
	var b strings.Builder
	for _, part := range parts {
		line, ok := text(part)
		if !ok {
			return "", false
		}
		b.WriteString(line)
	}
	return b.String(), true
}

// number is the integer that a value stands for.
func number(v any) (n int, ok bool) {
	r, isRaw := v.(raw)
	return n, isRaw && r != "null" && json.Unmarshal([]byte(r), &n) == nil
}

// get is the value of a key, nil if there is none. Of equal keys the last counts.
func (o *object) get(key string) any {
	if o == nil {
		return nil
	}
	for _, m := range slices.Backward(o.members) {
		if k, _ := text(m.key); k == key {
			return m.value
		}
	}
	return nil
}

// set changes the value of a key. A new key is put where it belongs in the order of the
// alphabet, in which Jupyter writes.
func (o *object) set(key string, value any) {
	at := len(o.members)
	for i, m := range slices.Backward(o.members) {
		switch k, _ := text(m.key); {
		case k == key:
			o.members[i].value = value
			return
		case k > key:
			at = i
		}
	}
	o.members = slices.Insert(o.members, at, member{quote(key), value})
}

// remove takes a key away.
func (o *object) remove(key string) {
	o.members = slices.DeleteFunc(o.members, func(m member) bool { k, _ := text(m.key); return k == key })
}

// child is the object at a key, made if there is none.
func (o *object) child(key string) *object {
	if c, ok := o.get(key).(*object); ok {
		return c
	}
	c := &object{}
	o.set(key, c)
	return c
}

// write appends a value as Jupyter formats it: an indent of one space for each level.
func write(b *bytes.Buffer, v any, indent int) {
	newline := func(depth int) {
		b.WriteByte('\n')
		for range depth {
			b.WriteByte(' ')
		}
	}
	switch v := v.(type) {
	case raw:
		b.WriteString(string(v))
	case *object:
		b.WriteByte('{')
		for i, m := range v.members {
			if i > 0 {
				b.WriteByte(',')
			}
			newline(indent + 1)
			b.WriteString(string(m.key))
			b.WriteString(": ")
			write(b, m.value, indent+1)
		}
		if len(v.members) > 0 {
			newline(indent)
		}
		b.WriteByte('}')
	case list:
		b.WriteByte('[')
		for i, element := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			newline(indent + 1)
			write(b, element, indent+1)
		}
		if len(v) > 0 {
			newline(indent)
		}
		b.WriteByte(']')
	default:
		panic(fmt.Sprintf("notebooks: %T in a tree", v))
	}
}

// quote is a string as JSON, with nothing escaped that need not be.
func quote(s string) raw {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s { // invalid bytes become U+FFFD
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r < ' ':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return raw(b.String())
}

// lineList is a text as Jupyter stores it: a list of its lines.
func lineList(s string) list {
	l := list{}
	for line := range strings.Lines(s) {
		l = append(l, quote(line))
	}
	return l
}

// valueOf is a tree as encoding/json decodes it.
func valueOf(tree any) (v any) {
	if tree == nil {
		return nil
	}
	var b bytes.Buffer
	write(&b, tree, 0)
	if json.Unmarshal(b.Bytes(), &v) != nil {
		return nil // a number beyond float64
	}
	return v
}

// treeOf is any value that has a JSON form, as a tree with the keys of maps in order.
func treeOf(v any) (any, error) {
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, err
	}
	return parse(b.Bytes())
}
