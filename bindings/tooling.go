package bindings

import (
	"html"
	"strings"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/bindings/docs"
	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/engine"
	"github.com/gonb-svm/gonb-svm/kernel/magic"
)

// Complete is what could stand at the cursor, which counts code points: names and members that
// the engine knows, and inside svm.Load("… and its like the names that these functions take.
func (s *Session) Complete(code string, cursor int) display.Completion {
	at := byteOffset(code, cursor)
	if c, ok := magic.Complete(code, at, commands{s}.Known); ok {
		return c
	}
	code = magic.Go(code, commands{s}.Known)
	if c, ok := s.completeString(code, at); ok {
		return c
	}
	matches, start, end := s.live().Complete(code, at)
	c := display.Completion{Start: utf8.RuneCountInString(code[:start]), End: utf8.RuneCountInString(code[:end])}
	find := s.documentation(code[:start])
	for _, m := range matches {
		signature := ofCells.ReplaceAllString(m.Signature, "")
		if d, ok := find(m.Text); ok {
			signature = oneLine(d)
		}
		c.Matches = append(c.Matches, display.Match{Text: m.Text, Kind: m.Kind, Signature: signature})
	}
	return c
}

// oneLine is a declaration for a list of completions, for a field with its comment, which says
// the default.
func oneLine(d docs.Doc) string {
	line, _, _ := strings.Cut(d.Signature, "\n")
	if strings.HasPrefix(line, "field ") && d.Text != "" {
		return line + " // " + strings.ReplaceAll(d.Text, "\n", " ")
	}
	return strings.TrimSuffix(line, " {")
}

// Inspect describes the name at the cursor: its declaration, its documentation and, for a
// variable, its value. At level 1 the source follows of what a cell declared.
func (s *Session) Inspect(code string, cursor, level int) (display.Bundle, bool) {
	at := byteOffset(code, cursor)
	if b, ok := magic.Inspect(code, at, commands{s}.Known); ok {
		return b, true
	}
	code = magic.Go(code, commands{s}.Known)
	d, ok := s.live().Inspect(code, at)
	signature, doc := d.Signature, d.Doc
	if word, before := wordAt(code, at); word != "" {
		written, found := s.documentation(before)(word)
		if !found && d.Kind == "package" {
			written, found = docs.Lookup(d.Signature, "")
		}
		if found {
			ok, signature, doc = true, written.Signature, written.Text
		}
	}
	if !ok || signature+doc+d.Value == "" {
		return display.Bundle{}, false
	}
	source := ""
	if word, before := wordAt(code, at); level > 0 && !strings.HasSuffix(before, ".") {
		if text, cell, found := s.live().Definition(word); found {
			source = "Source, " + cell + ":\n" + text
		}
	}
	var text, markup strings.Builder
	text.WriteString(bold + signature + plain)
	markup.WriteString(`<pre style="white-space:pre-wrap"><b>` + html.EscapeString(signature) + "</b>")
	for _, part := range []string{doc, d.Value, source} {
		if part != "" {
			text.WriteString("\n\n" + part)
			markup.WriteString("\n\n" + html.EscapeString(part))
		}
	}
	markup.WriteString("</pre>")
	return display.Bundle{Data: map[string]any{"text/plain": text.String(), "text/html": markup.String()}}, true
}

// Completeness says whether code could be run as it is: "complete", "incomplete" (with the
// indent that the next line should have) or "invalid".
func (s *Session) Completeness(code string) (status, indent string) {
	if magic.Incomplete(code, commands{s}.Known) {
		return "incomplete", ""
	}
	state, indent := s.live().Completeness(magic.Go(code, commands{s}.Known))
	switch state {
	case engine.Incomplete:
		return "incomplete", indent
	case engine.Invalid:
		return "invalid", ""
	}
	return "complete", ""
}

// wordAt is the identifier around a byte offset, and the code before it.
func wordAt(code string, at int) (word, before string) {
	inside := func(r rune) bool {
		return r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r >= 0x80
	}
	start := len(strings.TrimRightFunc(code[:at], inside))
	end := len(code) - len(strings.TrimLeftFunc(code[at:], inside))
	return code[start:end], code[:start]
}

// byteOffset is where the code point with the given number begins.
func byteOffset(code string, cursor int) int {
	for at := range code {
		if cursor <= 0 {
			return at
		}
		cursor--
	}
	return len(code)
}
