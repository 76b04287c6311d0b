package magic

import (
	"fmt"
	"go/parser"
	"go/token"
	"slices"
	"strings"
	"testing"
)

// known is what the notebook of these tests has.
func known(name string) bool { return slices.Contains([]string{"done", "f", "x", "true"}, name) }

// steps are a cell's steps as a reader sees them.
func steps(source string) string {
	var all []string
	for _, s := range split(source, known) {
		switch s.kind {
		case goStep:
			all = append(all, fmt.Sprintf("go %q", source[s.start:s.end]))
		case magicStep:
			text := fmt.Sprintf("%s %q", s.name, s.args)
			if s.body > 0 {
				text += fmt.Sprintf(" body %q", source[s.body:])
			}
			all = append(all, text)
		case shellStep:
			all = append(all, fmt.Sprintf("! %q", s.args))
		case captureStep:
			all = append(all, fmt.Sprintf("%s ! %q", s.target, s.args))
		}
	}
	return strings.Join(all, "; ")
}

func TestSplit(t *testing.T) {
	for source, want := range map[string]string{
		"":                                    `go ""`,
		"x := 7 % 3":                          `go "x := 7 % 3"`,
		"%ls":                                 `%ls ""`,
		"\t%ls  a b \r\nx":                    `%ls "a b"; go "x"`,
		"x\n!ls -l\n// end":                   `go "x\n"; ! "ls -l"`,
		"`\n%ls\n`":                           "go \"`\\n%ls\\n`\"",
		"/* \n%ls\n*/":                        `go "/* \n%ls\n*/"`,
		"x /*\n*/ %ls":                        `go "x /*\n*/ %ls"`,
		"x := f(\n!done,\n)":                  `go "x := f(\n!done,\n)"`,
		"x := a ||\n!b":                       `go "x := a ||\n!b"`,
		"x := a\n%b":                          `go "x := a\n"; %b ""`,
		"x := a %\n%b":                        `go "x := a %\n%b"`,
		"func g() {\n%ls\n}":                  `go "func g() {\n%ls\n}"`,
		"if x {\n}\n%ls":                      `go "if x {\n}\n"; %ls ""`,
		"!done":                               `go "!done"`,
		"!f(x)":                               `go "!f(x)"`,
		"!ls":                                 `! "ls"`,
		"!x -l":                               `! "x -l"`,
		"!x -done":                            `go "!x -done"`,
		"y := !done":                          `go "y := !done"`,
		"y := !date":                          `y := ! "date"`,
		"y = !date +%s":                       `y = ! "date +%s"`,
		"var y = !date":                       `y := ! "date"`,
		"y != x":                              `go "y != x"`,
		"here := true\n!here":                 `go "here := true\n!here"`,
		"!a \\\n b \\\n c\nx":                 `! "a  b  c"; go "x"`,
		"!echo 'open\n`\n%ls\n`":              "! \"echo 'open\"; go \"`\\n%ls\\n`\"",
		"%%bash\na `\n%ls":                    `%%bash "" body "a ` + "`" + `\n%ls"`,
		"// why\n%%bash\na":                   `%%bash "" body "a"`,
		"x\n%%bash -x\na":                     `go "x\n"; %%bash "-x" body "a"`,
		"%%\nx":                               `%% ""; go "x"`,
		"%% --a=1\nx":                         `%% "--a=1"; go "x"`,
		"%time for {\nf()\n}\nx":              `%time "for {\nf()\n}"; go "x"`,
		"%time f(`\n%ls\n`)\n%ls":             "%time \"f(`\\n%ls\\n`)\"; %ls \"\"",
		"%time\nx":                            `%time ""; go "x"`,
		"//gonb:%ls\n//gonb: !a \\\n//gonb:b": `%ls ""; ! "a b"`,
		"%":                                   `% ""`,
		"!":                                   `! ""`,
		"x }\n%ls":                            `go "x }\n"; %ls ""`,
		"größe := !ls":                        `größe := ! "ls"`,
	} {
		if got := steps(source); got != want {
			t.Errorf("%q is split into\n%s\nwant\n%s", source, got, want)
		}
	}
}

// Whatever a cell has in it: its steps are whole lines, in order, without overlap; what lies
// between them is no Go; and its Go has its length and its lines.
func FuzzSplit(f *testing.F) {
	for _, seed := range []string{"x\n!ls\ny", "%%bash\n`", "`\n%ls\n`", "%time f(\n1)\nx", "a := !b \\\n c", "//gonb:%ls\n", "x /*\n*/ %ls", "\xff%\n!\x00", "'\n%ls"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		end := 0
		for i, s := range split(source, known) {
			if s.start < end || s.end < s.start || s.end > len(source) || s.start > 0 && source[s.start-1] != '\n' && s.start != end {
				t.Fatalf("step %d of %q is %d to %d after %d", i, source, s.start, s.end, end)
			}
			if s.end < len(source) && source[s.end-1] != '\n' {
				t.Fatalf("step %d of %q ends inside a line, at %d", i, source, s.end)
			}
			if hasTokens(source[end:s.start]) {
				t.Fatalf("%q: the Go %q is in no step", source, source[end:s.start])
			}
			end = s.end
		}
		text := Go(source, known)
		if len(text) != len(source) || strings.Count(text, "\n") != strings.Count(source, "\n") {
			t.Fatalf("the Go of %q is %q", source, text)
		}
		for cursor := range len(source) + 1 {
			c, ok := Complete(source, cursor, known)
			if ok && (c.Start > c.End || c.End > cursor) {
				t.Fatalf("%q completed at %d replaces %d to %d", source, cursor, c.Start, c.End)
			}
			Inspect(source, cursor, known)
		}
		Incomplete(source, known)
		saved := commented(source, known)
		if strings.Contains(saved, "\x00") || len(split(source, known)) == 1 {
			return
		}
		split(saved, known)
	})
}

// A saved cell is Go, and its commands are found again.
func TestCommented(t *testing.T) {
	for _, source := range []string{"x := 1\n!ls `\ny := 2\n", "%%bash\nfor a\n'\n", "%time x := 1\n", "%%time\nx := 1\n", "!a \\\n b\n", "//gonb:%ls\n"} {
		saved := commented(source, known)
		if _, err := parser.ParseFile(token.NewFileSet(), "", "package p; func _() {\n"+saved+"\n}", 0); err != nil {
			t.Errorf("%q saved as %q is no Go: %v", source, saved, err)
		}
		want := steps(source)
		var got []string
		for _, s := range split(saved, known) {
			if s.body > 0 {
				c := &call{source: saved, step: s}
				got = append(got, fmt.Sprintf("%s %q body %q", s.name, s.args, c.body()))
				continue
			}
			got = append(got, steps(saved[s.start:s.end]))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q saved and read again is\n%s\nwant\n%s", source, strings.Join(got, "; "), want)
		}
	}
}

// Every command of the table can be run, is described, and is named once.
func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, m := range Table() {
		if seen[m.Name] || m.Text == "" || m.run == nil && m.Name != "!" {
			t.Errorf("%s: twice %v, text %q, run %v", m.Name, seen[m.Name], m.Text, m.run != nil)
		}
		seen[m.Name] = true
		if found, err := find(m.Name); err != nil || found.Name != m.Name {
			t.Errorf("%s is not found: %v", m.Name, err)
		}
	}
	for name, of := range alias {
		if !seen[of] || seen[name] {
			t.Errorf("%s stands for %s", name, of)
		}
	}
	if len(seen) < 25 {
		t.Errorf("%d commands", len(seen))
	}
}

func TestFields(t *testing.T) {
	for args, want := range map[string][]string{"": nil, " a  b ": {"a", "b"}, `"a b" c`: {"a b", "c"}, `''`: {""}, `a'b c'd`: {"ab cd"}} {
		if got := fields(args); !slices.Equal(got, want) {
			t.Errorf("%q: %q", args, got)
		}
	}
}
