package bindings

import (
	"html"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/bindings/docs"
	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/kernel/engine"
)

// Complete is what could stand at the cursor, which counts code points: names and members that
// the engine knows, and inside svm.Load("… and its like the names that these functions take.
func (s *Session) Complete(code string, cursor int) display.Completion {
	at := byteOffset(code, cursor)
	if c, ok := completeString(code, at); ok {
		return c
	}
	matches, start, end := s.engine.Complete(code, at)
	c := display.Completion{Start: utf8.RuneCountInString(code[:start]), End: utf8.RuneCountInString(code[:end])}
	documented, fields := s.packageBefore(code[:start]), ""
	if documented == nil {
		documented, fields = s.literalAround(code[:start])
	}
	for _, m := range matches {
		signature := m.Signature
		if d, ok := documented.Lookup(fields + m.Text); ok {
			signature, _, _ = strings.Cut(d.Signature, "\n")
			if fields != "" && d.Text != "" {
				signature += " // " + strings.ReplaceAll(d.Text, "\n", " ")
			}
		}
		c.Matches = append(c.Matches, display.Match{Text: m.Text, Kind: m.Kind, Signature: signature})
	}
	return c
}

// Inspect describes the name at the cursor: its declaration, its documentation and, for a
// variable, its value. level is the detail asked for; all is given at each.
func (s *Session) Inspect(code string, cursor, level int) (display.Bundle, bool) {
	at := byteOffset(code, cursor)
	d, ok := s.engine.Inspect(code, at)
	signature, doc := d.Signature, d.Doc
	if written, found := s.documented(code, at, d); found {
		ok, signature, doc = true, written.Signature, written.Text
	}
	if !ok {
		return display.Bundle{}, false
	}
	var text, markup strings.Builder
	text.WriteString(bold + signature + plain)
	markup.WriteString(`<pre style="white-space:pre-wrap"><b>` + html.EscapeString(signature) + "</b>")
	for _, part := range []string{doc, d.Value} {
		if part != "" {
			text.WriteString("\n\n" + part)
			markup.WriteString("\n\n" + html.EscapeString(part))
		}
	}
	markup.WriteString("</pre>")
	return display.Bundle{Data: map[string]any{"text/plain": text.String(), "text/html": markup.String()}}, true
}

// documented is the documentation of a bound name: of the package, of the package's name, or
// of a member of a bound type, as the engine describes it.
func (s *Session) documented(code string, at int, d engine.Description) (docs.Doc, bool) {
	word, before := wordAt(code, at)
	if word == "" {
		return docs.Doc{}, false
	}
	if found, ok := s.packageBefore(before).Lookup(word); ok {
		return found, true
	}
	if strings.HasSuffix(before, ".") || d.Kind != "" && d.Kind != "package" {
		return s.memberDocs(d)
	}
	return s.packageNamed(word).Lookup("")
}

// memberDocs looks up a description such as "svm.SMO.Fit", a member of a bound type.
func (s *Session) memberDocs(d engine.Description) (docs.Doc, bool) {
	pkg, member, ok := strings.Cut(strings.TrimPrefix(d.Name, "*"), ".")
	if !ok {
		return docs.Doc{}, false
	}
	return s.packageNamed(pkg).Lookup(member)
}

// packageBefore is the documentation of the package whose name and dot stand at the end of code.
func (s *Session) packageBefore(code string) docs.Package {
	rest, ok := strings.CutSuffix(code, ".")
	if !ok {
		return nil
	}
	name, before := wordAt(rest, len(rest))
	if name == "" || strings.HasSuffix(before, ".") {
		return nil
	}
	return s.packageNamed(name)
}

// literalAround is the documentation of the package of the struct literal that the end of code is
// in, and how the names of its fields begin there: "SMO.".
func (s *Session) literalAround(code string) (docs.Package, string) {
	depth := 0
	for at := len(code) - 1; at >= 0; at-- {
		switch code[at] {
		case '}', ')', ']':
			depth++
		case '(', '[':
			if depth--; depth < 0 {
				return nil, ""
			}
		case '{':
			if depth--; depth < 0 {
				name, before := wordAt(code[:at], at)
				return s.packageBefore(before), name + "."
			}
		}
	}
	return nil, ""
}

// packageNamed is the documentation of the package that a bare name means, nil if a variable
// of a cell has the name.
func (s *Session) packageNamed(name string) docs.Package {
	if _, shadowed := s.engine.Lookup(name); shadowed {
		return nil
	}
	var candidates []string
	for key := range s.symbols {
		if path.Base(key) == name {
			candidates = append(candidates, path.Dir(key))
		}
	}
	if len(candidates) == 0 {
		return nil
	}
	slices.SortFunc(candidates, func(a, b string) int {
		if d := strings.Count(a, "/") - strings.Count(b, "/"); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	p, _ := docs.ForPackage(candidates[0])
	return p
}

// Completeness says whether code could be run as it is: "complete", "incomplete" (with the
// indent that the next line should have) or "invalid".
func (s *Session) Completeness(code string) (status, indent string) {
	state, indent := s.engine.Completeness(code)
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
