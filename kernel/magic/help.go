package magic

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// formats are the MIME types of the commands that show their cell.
var formats = map[string]string{"%%html": "text/html", "%%markdown": "text/markdown", "%%latex": "text/latex", "%%svg": "image/svg+xml"}

// show shows the rest of the cell.
func (c *call) show() (display.Outcome, error) {
	m, err := find(c.step.name)
	if err != nil {
		return display.Outcome{}, err
	}
	text := c.body()
	c.out.Display(display.Bundle{Data: map[string]any{formats[m.Name]: text, "text/plain": text}}, "")
	return display.Outcome{}, nil
}

// lsmagic prints the names of all commands.
func (c *call) lsmagic() (display.Outcome, error) {
	var lines, cells []string
	for _, m := range Table() {
		if strings.HasPrefix(m.Name, "%%") {
			cells = append(cells, m.Name)
		} else {
			lines = append(lines, m.Name)
		}
	}
	c.print("for a line: " + strings.Join(lines, " ") + "\nfor the rest of a cell: " + strings.Join(cells, " ") + "\n%help says what they do\n")
	return display.Outcome{}, nil
}

// help shows the table, or one command of it.
func (c *call) help() (display.Outcome, error) {
	if name := c.step.args; name != "" {
		m, ok := lookup(name)
		for _, marks := range []string{"%", "%%"} {
			if !ok {
				m, ok = lookup(marks + name)
			}
		}
		if !ok {
			_, err := find("%" + strings.TrimLeft(name, "%"))
			return display.Outcome{}, err
		}
		c.print(describe(m) + "\n")
		return display.Outcome{}, nil
	}
	rows := [][]string{{"command", "what it does"}}
	for _, m := range Table() {
		rows = append(rows, []string{strings.TrimSpace(m.Name + " " + m.Usage), m.Text})
	}
	bundle := table(rows)
	return display.Outcome{Result: &bundle}, nil
}

// describe is a command in two lines.
func describe(m Magic) string {
	if m.Text == "" {
		return m.Name + "\naccepted, and without effect here"
	}
	return strings.TrimSpace(m.Name+" "+m.Usage) + "\n" + m.Text
}

// Go is a cell with everything that is no Go replaced by spaces: every byte keeps its place. It
// is what completion, inspection and a parser of Go can read.
func Go(source string, known func(string) bool) string {
	steps := split(source, known)
	if len(steps) == 1 && steps[0].kind == goStep {
		return source
	}
	text := []byte(blank(source))
	keep := func(from, to int) { copy(text[from:to], source[from:to]) }
	for _, s := range steps {
		m, _ := lookup(s.name)
		switch {
		case s.kind == goStep:
			keep(s.start, s.end)
		case m.code && s.body > 0:
			copy(text[s.body:], Go(source[s.body:], known))
		case m.code:
			keep(s.argsAt, s.end)
		}
	}
	return string(text)
}

// Complete is what could stand at the byte offset cursor, where that is in a command and not in
// its Go. Start and End count code points.
func Complete(source string, cursor int, known func(string) bool) (display.Completion, bool) {
	s, ok := at(source, cursor, known)
	if !ok {
		return display.Completion{}, false
	}
	var matches []display.Match
	from := s.nameAt
	m, _ := lookup(s.name)
	switch {
	case s.kind == magicStep && cursor <= s.nameAt+len(s.name):
		matches = names(source[from:cursor])
	case m.code:
		return display.Completion{}, false
	default:
		from = s.nameAt + strings.LastIndexAny(source[s.nameAt:cursor], " \t=!") + 1
		if s.kind != magicStep {
			m.args = file
		}
		matches = m.arguments(source[from:cursor])
	}
	return display.Completion{Start: utf8.RuneCountInString(source[:from]), End: utf8.RuneCountInString(source[:cursor]), Matches: matches}, true
}

// at is the command on whose line the cursor is.
func at(source string, cursor int, known func(string) bool) (step, bool) {
	for _, s := range split(source, known) {
		end := s.end
		if s.body > 0 {
			end = s.body
		}
		if end = len(strings.TrimRight(source[:end], "\r\n")); s.kind != goStep && s.nameAt <= cursor && cursor <= end {
			return s, true
		}
	}
	return step{}, false
}

// names are the commands that begin so.
func names(begun string) []display.Match {
	var matches []display.Match
	for _, m := range Table() {
		if strings.HasPrefix(m.Name, begun) && m.Name != "%%" {
			matches = append(matches, display.Match{Text: m.Name, Kind: "magic", Signature: strings.TrimSpace(m.Usage + "  " + m.Text)})
		}
	}
	return matches
}

// arguments are what could follow a command.
func (m Magic) arguments(begun string) []display.Match {
	var matches []display.Match
	add := func(kind string, all []string) {
		slices.Sort(all)
		for _, name := range all {
			if strings.HasPrefix(name, begun) {
				matches = append(matches, display.Match{Text: name, Kind: kind})
			}
		}
	}
	switch m.args {
	case file:
		add("file", entries(begun))
	case environment:
		var all []string
		for _, entry := range os.Environ() {
			name, _, _ := strings.Cut(entry, "=")
			all = append(all, name)
		}
		add("variable", all)
	case commandName:
		for _, m := range Table() {
			add("magic", []string{m.Name, strings.TrimLeft(m.Name, "%")})
		}
	}
	return matches
}

// entries are those of the folder that a path begun is in, folders with a slash at the end.
func entries(begun string) []string {
	folder, _ := filepath.Split(begun)
	all, err := os.ReadDir(filepath.Join(path(folder), "."))
	if err != nil {
		return nil
	}
	var found []string
	for _, e := range all {
		name := folder + e.Name()
		if e.IsDir() {
			name += string(filepath.Separator)
		}
		found = append(found, name)
	}
	return found
}

// Inspect describes the command whose name is at the byte offset cursor.
func Inspect(source string, cursor int, known func(string) bool) (display.Bundle, bool) {
	s, ok := at(source, cursor, known)
	if !ok || s.kind != magicStep || cursor > s.nameAt+len(s.name) {
		return display.Bundle{}, false
	}
	m, ok := lookup(s.name)
	if !ok {
		return display.Bundle{}, false
	}
	return display.Bundle{Data: map[string]any{"text/plain": describe(m)}}, true
}

// Incomplete says whether a cell waits for more lines because of a command: one that a backslash
// continues, or one for the rest of a cell, which an empty line ends.
func Incomplete(source string, known func(string) bool) bool {
	steps := split(source, known)
	s := steps[len(steps)-1]
	if s.kind == goStep {
		return false
	}
	if s.body > 0 {
		return !strings.HasSuffix(strings.ReplaceAll(source, "\r", ""), "\n\n")
	}
	if m, _ := lookup(s.name); m.code {
		return false
	}
	return strings.HasSuffix(strings.TrimRight(source, "\r"), `\`)
}
