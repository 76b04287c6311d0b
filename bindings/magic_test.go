package bindings_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/bindings"
	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// exchange is a cell and what a user then sees. A want that begins with ~ is a regular expression.
type exchange struct{ cell, want string }

// seen is all that a cell showed: what it printed, its displays, its value, its failure.
func seen(outcome display.Outcome, f *front) string {
	s := f.out.String()
	if f.err.Len() > 0 {
		s += "err: " + f.err.String()
	}
	for _, b := range f.shown {
		s += "shown: " + text(b) + "\n"
	}
	if outcome.Result != nil {
		s += "= " + text(*outcome.Result) + "\n"
	}
	if outcome.Failure != nil {
		s += outcome.Failure.Name + ": " + outcome.Failure.Message + "\n"
		for _, line := range outcome.Failure.Traceback {
			if m := regexp.MustCompile(`line \d+:\d+`).FindString(line); m != "" {
				s += "at " + m + "\n"
			}
		}
	}
	return s
}

func (n *notebook) exchange(all ...exchange) {
	n.t.Helper()
	for _, e := range all {
		got := seen(n.try(e.cell))
		want, pattern := strings.CutPrefix(e.want, "~")
		if pattern && !regexp.MustCompile("(?s)^"+want+"$").MatchString(got) || !pattern && got != want {
			n.t.Errorf("%s\ngave\n%s\nwant\n%s", e.cell, got, e.want)
		}
	}
}

// inFolder runs a test in a folder of its own.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, content := range files {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func TestMagicOrder(t *testing.T) {
	inFolder(t, nil)
	open(t).exchange(
		exchange{"fmt.Println(1)\n!echo 2\nfmt.Println(3)\n%who\nx := 4\n%who", "1\n2\n3\nno variables\nx\n"},
		exchange{"x\n!echo no value", "no value\n"},
		exchange{"!echo a value\nx", "a value\n= 4\n"},
		exchange{"  !echo indented", "indented\n"},
		exchange{"!echo one \\\n  two \\\n three", "one two three\n"},
		exchange{"!echo it\\'s \"an 'open\"\nx", "it's an 'open\n= 4\n"},
		exchange{"//gonb:!echo from gonb\n//gonb: %who", "from gonb\nx\n"},
		exchange{"a := `\n%who\n!echo raw\n`\nlen(a)", "= 16\n"},
		exchange{"/*\n%who\n!echo comment\n*/\nx", "= 4\n"},
		exchange{"// %who\nx // !echo", "= 4\n"},
		exchange{"x +\n!echo", "~CompileError: .*"},
		exchange{"f := func() bool {\n\treturn x > 3 &&\n!(x > 5)\n}\nf()", "= true\n"},
		exchange{"done := false", ""},
		exchange{"!done", "= true\n"},
		exchange{"y := !done\ny", "= true\n"},
		exchange{"late := true; z := !late\nz", "= false\n"},
		exchange{"ready := true\nw := !ready\nw", "= false\n"},
		exchange{"!true", "= false\n"},
		exchange{"10 %\n3", "= 1\n"},
		exchange{"x := 10\nx %= 4\nx", "= 2\n"},
	)
}

func TestMagicPositions(t *testing.T) {
	inFolder(t, map[string]string{"broken.go": "package main\n\nvar q = nosuch\n"})
	open(t).exchange(
		exchange{"x := 1\n!:\n\n  y := nosuch", "CompileError: undefined: nosuch\nat line 4:8\n"},
		exchange{"!echo\n\npanic(\"three\")", "\nPanic: three\nat line 3:1\n"},
		exchange{"\n  %time z := nosuch", "~time: .*\nCompileError: undefined: nosuch\nat line 2:14\n"},
		exchange{"%%time\nx++\nnosuch()", "~time: .*\nCompileError: undefined: nosuch\nat line 3:1\n"},
		exchange{"\n %timeit nosuch()", "CompileError: undefined: nosuch\nat line 2:10\n"},
		exchange{"x\n  %tme x", "MagicError: %tme is no command; did you mean %time? %lsmagic lists all\nat line 2:3\n"},
		exchange{"%qqqqqqqqqqqq", "MagicError: %qqqqqqqqqqqq is no command; %lsmagic lists all\nat line 1:1\n"},
		exchange{"%bash\nls", "MagicError: %bash takes whole cells: write %%bash in the first line\nat line 1:1\n"},
		exchange{"%%pwd", "MagicError: %%pwd is for one line: write %pwd\nat line 1:1\n"},
		exchange{"%run broken.go", "CompileError: undefined: nosuch\nat line 3:9\n"},
		exchange{"!echo out; exit 3\nx", "out\nShellError: !echo out; exit 3 failed: exit status 3\nat line 1:1\n"},
		exchange{"!", "ShellError: want a command after the !, such as !ls\nat line 1:1\n"},
	)
}

func TestMagicTime(t *testing.T) {
	n := open(t)
	n.exchange(
		exchange{"%time 1 + 2", "~time: [0-9.e+]+ (µs|ms|s) \\(processor [0-9.e+]+ (ns|µs|ms|s)\\)\n= 3\n"},
		exchange{"%time for i := range 2 {\n\tfmt.Println(i)\n}\nfmt.Println(2)", "~0\n1\ntime: [^\n]*\n2\n"},
		exchange{"%%time\nx := 5\n!echo inside\nx", "~inside\ntime: .*\n= 5\n"},
		exchange{"%time", "MagicError: %time: want a statement of Go after it\nat line 1:1\n"},
		exchange{"%%time", "MagicError: %%time: there is nothing below it: want Go\nat line 1:1\n"},
		exchange{"%timeit -n 100 -r 3 x * x", "~[0-9.e+]+ (ns|µs|ms) ± [0-9.e+]+ (ns|µs|ms) per loop \\(mean and standard deviation of 3 runs of 100 loops\\)\n"},
		exchange{"%timeit -n10 -r1 fmt.Println(x)", "~[^\n]* 1 runs of 10 loops\\)\n"},
		exchange{"%timeit -n 1 -r 1 y := x * x", "~[^\n]* 1 runs of 1 loops\\)\n"},
		exchange{"y", "~CompileError: undefined: y.*"},
		exchange{"%timeit -r 1 time.Sleep(20 * time.Millisecond)", "~[0-9.e+]+ m?s ± 0 ns per loop .* of \\d+ loops\\)\n"},
		exchange{"%%timeit -n 2 -r 1\nx++\nx++", "~[^\n]* 1 runs of 2 loops\\)\n"},
		exchange{"x", "= 11\n"},
		exchange{"%timeit -n zero x", "MagicError: %timeit: -n zero: want a whole number from 1\nat line 1:1\n"},
		exchange{"%timeit -n 1 -r 1 panic(\"boom\")", "~Panic: boom.*"},
	)
}

func TestMagicVariables(t *testing.T) {
	n := open(t)
	const whos = "= variable  type    value\na         string  <b>\nb         []int   [1 2]\n"
	n.exchange(
		exchange{"%whos", "no variables\n"},
		exchange{"b := []int{1, 2}\na := \"<b>\"", ""},
		exchange{"%who", "a  b\n"},
		exchange{"%whos", whos},
		exchange{"%list", whos},
		exchange{"func useB() int { return len(b) }", ""},
		exchange{"%rm a", ""},
		exchange{"a", "~CompileError: undefined: a\n.*"},
		exchange{"%rm b", "MagicError: %rm: b is used by useB\nat line 1:1\n"},
		exchange{"%rm nosuch", "MagicError: %rm: nosuch is not declared\nat line 1:1\n"},
		exchange{"%reset", "everything is forgotten, with 1 variables\n"},
		exchange{"a", "~CompileError: undefined: a\n.*"},
		exchange{"a := 7\n%reset\n%who\na := \"other\"\na", "everything is forgotten, with 1 variables\nno variables\n= other\n"},
		exchange{"type pair struct{ A, B int }\np := []pair{{1, 2}}\nr := rand.New(rand.NewSource(1))\nf := &pair{3, 4}\n%whos",
			"= variable  type        value\na         string      other\nf         *pair       &{3 4}\np         []pair      [{1 2}]\nr         *rand.Rand  a *rand.Rand\n"},
		exchange{"%autoget", "err: %autoget is not needed here: cells are not compiled to a program\n"},
	)
	b, _ := n.run("%whos")
	if markup, _ := b.Data["text/html"].(string); !strings.Contains(markup, "<td style=\"text-align:left\">string</td>") {
		t.Errorf("%%whos as HTML: %s", markup)
	}
	n.run("hostile := \"<script>alert(1)</script>\"")
	if b, _ = n.run("%whos"); strings.Contains(b.Data["text/html"].(string), "<script>") {
		t.Error("a value is not escaped")
	}
}

func TestMagicHistory(t *testing.T) {
	inFolder(t, map[string]string{"old.go": ""})
	n := open(t)
	n.exchange(
		exchange{"x := 1", ""},
		exchange{"x++\nx", "= 2\n"},
		exchange{"!echo three\n%time x++\ny := x", "~three\ntime: .*\n"},
		exchange{"%%bash\necho four", "four\n"},
		exchange{"%history", "   1: x := 1\n   2: x++\n      x\n   3: !echo three\n      %time x++\n      y := x\n   4: %%bash\n      echo four\n"},
		exchange{"%history 1-2", "   1: x := 1\n   2: x++\n      x\n"},
		exchange{"%history -g three", "   3: !echo three\n      %time x++\n      y := x\n"},
		exchange{"%history 99", "MagicError: %history: no cell has run with the number 99\nat line 1:1\n"},
		exchange{"%history all", "MagicError: %history: all is no number of a cell: want such as 3, 2-5 or 2-\nat line 1:1\n"},
		exchange{"%save new.go 1-4", "4 cells written to new.go\n"},
		exchange{"!cat new.go", "x := 1\n\nx++\nx\n\n//gonb:!echo three\n//gonb:%time x++\ny := x\n\n//gonb:%%bash\n//gonb:echo four\n"},
		exchange{"%reset", "everything is forgotten, with 2 variables\n"},
		exchange{"//gonb:%%bash\n//gonb:echo again", "again\n"},
		exchange{"%save old.go 1", "MagicError: %save: old.go exists; -f writes over it, -a after what it has\nat line 1:1\n"},
		exchange{"%save -f old.go 1", "1 cells written to old.go\n"},
		exchange{"%save -a old.go 2", "1 cells written to old.go\n"},
		exchange{"%load old.go", "x := 1\nx++\nx\n"},
		exchange{"%save -q old.go", "MagicError: %save: -q is no flag of it; want %save [-f] [-a] FILE [CELLS]\nat line 1:1\n"},
	)
}

func TestMagicFiles(t *testing.T) {
	inFolder(t, map[string]string{
		"lib.go":  "package main\n\nimport \"strings\"\n\nfunc twice(s string) string { return strings.Repeat(s, 2) }\n",
		"prog.go": "package main\n\nimport (\n\t\"fmt\"\n\t\"os\"\n)\n\nfunc main() { fmt.Println(\"main\", os.Args[1:]) }\n",
	})
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", filepath.Dir(folder))
	n := open(t)
	n.exchange(
		exchange{"%run lib.go\ntwice(\"ab\")", "= abab\n"},
		exchange{"%run prog.go one \"two three\"", "main [one two three]\n"},
		exchange{"%run none.go", "MagicError: %run: none.go: there is no such file or folder\nat line 1:1\n"},
		exchange{"%run lib.txt", "MagicError: %run: lib.txt: want a file of Go, whose name ends in .go\nat line 1:1\n"},
		exchange{"%run", "MagicError: %run: want the name of a file: %run FILE.go [ARGUMENTS]\nat line 1:1\n"},
		exchange{"%%writefile notes.txt\n%who is \"here\nx := `", "2 lines written to notes.txt\n"},
		exchange{"%%writefile -a notes.txt\nthird", "1 lines written to notes.txt\n"},
		exchange{"!cat notes.txt", "%who is \"here\nx := `\nthird\n"},
		exchange{"%%writefile sub/x\n1", "MagicError: %%writefile: sub/x: there is no such file or folder\nat line 1:1\n"},
		exchange{"!mkdir sub\n%cd sub\n%cd -", "~[^\n]*/sub\n[^\n]*\n"},
		exchange{"%pwd\nd, _ := os.Getwd()\nfmt.Println(d)", folder + "\n" + folder + "\n"},
		exchange{"%cd nowhere", "MagicError: %cd: nowhere: there is no such file or folder\nat line 1:1\n"},
		exchange{"%cd\n%cd -", filepath.Dir(folder) + "\n" + folder + "\n"},
		exchange{"%ls", "~lib.go +\\d+ bytes  [-0-9]+ [0-9:]+\nnotes.txt +27 bytes .*sub/.*"},
		exchange{"%env GREETING=good day\n!echo $GREETING\n%env GREETING\nos.Getenv(\"GREETING\")", "good day\ngood day\n= good day\n"},
		exchange{"%env OTHER \"quoted\"\n%env OTHER", "quoted\n"},
		exchange{"%env MY_API_TOKEN=abc\n%env", "~.*GREETING=good day\n.*MY_API_TOKEN=\\(not shown\\)\n.*"},
		exchange{"%env NOSUCHNAME", "MagicError: %env: NOSUCHNAME is not set\nat line 1:1\n"},
		exchange{"%args -n 3\nos.Args[1:]", "= [-n 3]\n"},
		exchange{"func shout() { fmt.Println(\"!\", os.Args[1:]) }\n%exec shout now", "! [now]\n"},
		exchange{"\n%exec nosuch", "CompileError: undefined: nosuch\nat line 2:7\n"},
		exchange{"import \"flag\"\n%%\nfmt.Println(\"gonb\")", "gonb\n"},
		exchange{"%% --name=x\nos.Args[1:]", "= [--name=x]\n"},
	)
	os.Unsetenv("GREETING")
	os.Unsetenv("OTHER")
	os.Unsetenv("MY_API_TOKEN")
}

func TestMagicShell(t *testing.T) {
	inFolder(t, nil)
	open(t).exchange(
		exchange{"lines := !printf 'a b\\nc \"d\"\\n\\nlast'\nlen(lines), lines[1]", "~CompileError.*"},
		exchange{"lines := !printf 'a b\\nc \"d\"\\n\\nlast'\nfmt.Printf(\"%q\", lines)", "[\"a b\" \"c \\\"d\\\"\" \"\" \"last\"]"},
		exchange{"lines = !echo new; echo seen >&2\nlines[0]", "err: seen\n= new\n"},
		exchange{"var none = !:\nlen(none)", "= 0\n"},
		exchange{"many := !seq 20000\nfmt.Println(len(many), many[0], many[19999])", "20000 1 20000\n"},
		exchange{"n := 3", ""},
		exchange{"n = !echo 4", "~CompileError: cannot use .*at line 1:.*"},
		exchange{"bad := !exit 1", "ShellError: !exit 1 failed: exit status 1\nat line 1:1\n"},
		exchange{"%%bash\nfor i in 1 2; do\n  echo $i\ndone\n%who\n", "~1\n2\nerr: .*line 4.*ShellError: %%bash failed: exit status 1\nat line 1:1\n"},
		exchange{"x := 1\n%%sh\necho after Go", "after Go\n"},
		exchange{"%%script sort -r\na\nb", "b\na\n"},
		exchange{"%%script nosuchprogram\na", "ShellError: %%script: nosuchprogram is not installed\nat line 1:1\n"},
		exchange{"%%script", "MagicError: %%script: want the name of a program, such as python3\nat line 1:1\n"},
		exchange{"!printf 'gr\\303\\266\\303\\237e\\377\\n'", "größe\uFFFD\n"},
		exchange{"!echo started; sleep 30 &", "started\n"},
	)
}

func TestMagicShow(t *testing.T) {
	n := open(t)
	n.exchange(
		exchange{"%%html\n<b>x</b>", "shown: <b>x</b>\n"},
		exchange{"%%markdown\n# Title\n!ls", "shown: # Title\n!ls\n"},
		exchange{"%%capture kept\nfmt.Println(\"hidden\")\ndisplay.HTML(\"x\")\n5", ""},
		exchange{"kept", "= hidden\n\n"},
		exchange{"%%capture\n!echo hidden too", ""},
		exchange{"%%capture 3x\n1", "MagicError: %%capture: \"3x\" is no name: want one for a variable, or none\nat line 1:1\n"},
		exchange{"%%capture kept\nfmt.Println(\"before\")\npanic(\"no\")", "before\nPanic: no\nat line 3:1\n"},
		exchange{"%version", "~gonb-svm.*, built with go1[^\n]*\n"},
		exchange{"%lsmagic", "~for a line: %time .*for the rest of a cell: .*%%bash.*"},
		exchange{"%help", "~= command .*%time STATEMENT .*"},
		exchange{"%help time", "%time STATEMENT\nrun Go and say how long it took\n"},
		exchange{"%help nosuchthing", "~MagicError: %nosuchthing is no command.*"},
		exchange{"%cd?", "%cd [FOLDER]\nchange the folder; without one go home, - goes back\n"},
	)
	for cell, mime := range map[string]string{"%%html\n<b>x</b>": "text/html", "%%markdown\nx": "text/markdown", "%%latex\n$x$": "text/latex", "%%svg\n<svg/>": "image/svg+xml"} {
		_, f := n.run(cell)
		_, content, _ := strings.Cut(cell, "\n")
		if len(f.shown) != 1 || f.shown[0].Data[mime] != content {
			t.Errorf("%q shows %v", cell, f.shown)
		}
	}
}

func TestMagicLoad(t *testing.T) {
	inFolder(t, map[string]string{"f.go": "x := 1\n"})
	n := open(t)
	f := &nexter{}
	outcome := n.Execute(context.Background(), display.Cell{Count: 1, Source: "%load f.go"}, f)
	if outcome.Failure != nil || f.text != "// %load f.go\nx := 1\n" || !f.replace || f.out.Len() > 0 {
		t.Errorf("%v %q %v %q", outcome.Failure, f.text, f.replace, f.out.String())
	}
}

// An interrupt ends a command of the shell with what it has started, soon, and what it had
// printed has been seen while it ran.
func TestMagicInterrupt(t *testing.T) {
	inFolder(t, nil)
	n := open(t)
	for _, source := range []string{
		"!(trap '' INT; sleep 60) & echo $! > pid; echo ready; wait",
		"%%bash\nsleep 60 & echo $! > pid\necho ready\nwait",
		"x := !sleep 60 & echo $! > pid; echo ready >&2; wait",
		"%timeit func() { os.WriteFile(\"pid\", nil, 0600); time.Sleep(time.Second) }()",
	} {
		os.Remove("pid")
		ctx, cancel := context.WithCancel(context.Background())
		f := &front{}
		go func() {
			defer cancel()
			for range 3000 {
				f.mu.Lock()
				ready := strings.Contains(f.out.String()+f.err.String(), "ready")
				f.mu.Unlock()
				if _, err := os.Stat("pid"); err == nil && (ready || strings.HasPrefix(source, "%timeit")) {
					return
				}
				time.Sleep(10 * time.Millisecond)
			}
		}()
		outcome := n.Execute(ctx, display.Cell{Count: 1, Source: source}, f)
		if outcome.Failure == nil || outcome.Failure.Name != "Interrupted" {
			t.Errorf("%s: %v", source, outcome.Failure)
		}
		pid, err := os.ReadFile("pid")
		if err != nil {
			t.Errorf("%s: %v", source, err)
			continue
		}
		if id := strings.TrimSpace(string(pid)); id != "" && !gone(id) {
			t.Errorf("%s: process %s lives on", source, id)
		}
	}
	n.exchange(exchange{"1", "= 1\n"})
}

// gone says whether a process ends within 5 s; one that nobody has waited for has ended.
func gone(id string) bool {
	for range 500 {
		status, err := os.ReadFile("/proc/" + id + "/stat")
		if err != nil || strings.Contains(string(status), ") Z ") {
			return true
		}
		time.Sleep(10 * time.Millisecond)
	}
	return false
}

func TestMagicTooling(t *testing.T) {
	inFolder(t, map[string]string{"data.txt": "", "größe.go": ""})
	t.Setenv("GONB_TEST_NAME", "1")
	n := open(t)
	n.run("value := 1")
	for _, c := range []struct{ code, want string }{
		{"%ti|", "%time"}, {"x := 1\n%%ba|", "%%bash"}, {"%|", "%who"}, {"%load da|", "data.txt"},
		{"!cat da|", "data.txt"}, {"größe := !cat grö|", "größe.go"}, {"%env GONB_TEST_|", "GONB_TEST_NAME"},
		{"%help ti|", "timeit"}, {"%time val|", "value"}, {"!echo \"\n%time svm.Fit|", "FitPath"},
		{"%%time\nx := 1\nval|", "value"}, {"!it's\nsvm.SM|", "SMO"}, {"x := 1\n//gonb:%whos|", "%whos"},
	} {
		before, after, _ := strings.Cut(c.code, "|")
		cursor := len([]rune(before))
		got := n.Complete(before+after, cursor)
		found := slices.ContainsFunc(got.Matches, func(m display.Match) bool { return m.Text == c.want })
		if !found || got.End != cursor || got.Start > cursor {
			t.Errorf("%s: %d to %d, %v", c.code, got.Start, got.End, got.Matches)
			continue
		}
		if begun := string([]rune(before)[got.Start:]); !strings.HasPrefix(c.want, begun) {
			t.Errorf("%s replaces %q", c.code, begun)
		}
	}
	for _, code := range []string{"a := `\n%ti", "// %ti", "f(\n%ti"} {
		for _, m := range n.Complete(code, len(code)).Matches {
			if m.Kind == "magic" {
				t.Errorf("%q offers %s", code, m.Text)
			}
		}
	}
	if b, ok := n.Inspect("x := 1\n%timeit x", 10, 0); !ok || !strings.Contains(text(b), "many times") {
		t.Errorf("%%timeit is described as %q", text(b))
	}
	for code, want := range map[string]string{"%ls": "complete", "!echo \"": "complete", "!echo \\": "incomplete",
		"%%bash\nls": "incomplete", "%%bash\nls\n\n": "complete", "%time for {": "incomplete", "!ls\nfor {": "incomplete",
		"!it's\nx := )": "invalid"} {
		if got, _ := n.Completeness(code); got != want {
			t.Errorf("%q is %s, want %s", code, got, want)
		}
	}
}

// %reset can be repeated, keeps the arguments, and leaves a session that can be closed.
func TestMagicResetCloses(t *testing.T) {
	s, err := bindings.NewSession(bindings.Options{Args: []string{"prog", "a"}})
	if err != nil {
		t.Fatal(err)
	}
	for count := range 3 {
		f := &front{}
		outcome := s.Execute(context.Background(), display.Cell{Count: count + 1, Source: "%reset\nlen(os.Args)"}, f)
		if got := seen(outcome, f); got != "everything is forgotten, with 0 variables\n= 2\n" {
			t.Errorf("reset %d: %s", count, got)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
