package bindings_test

import (
	"context"
	"os"
	"testing"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Cells as notebooks of gonb have them.
func TestGonbCells(t *testing.T) {
	inFolder(t, nil)
	t.Setenv("GONB_TEST_FOLDER", "sub/")
	if err := os.Mkdir("sub", 0o700); err != nil {
		t.Fatal(err)
	}
	open(t).exchange(
		exchange{"func main() {\n    fmt.Printf(\"Hello\")\n}", "Hello"},
		exchange{"var start = float32(1)\n\n%%\nstart++\nfmt.Println(start)", "2\n"},
		exchange{"%%\nfmt.Println(start)", "2\n"},
		exchange{"func init_a() {\n\tfmt.Println(\"init_a\")\n}", "init_a\n"},
		exchange{"var set string\nfunc init_set() { set = \"yes\" }\n%%\nfmt.Println(set)", "yes\n"},
		exchange{"text := `\nfunc init_none() {\n`\nlen(text)", "= 20\n"},
		exchange{"func init_fails() {\n\tpanic(\"no\")\n}", "~Panic: no\n.*"},
		exchange{"%goflags --cover\n%track", "err: %goflags is not needed here: cells are not compiled to a program\n%track is not needed here: cells are not compiled to a program\n"},
		exchange{"!*echo here > made.txt\n!*cat made.txt", "here\n"},
		exchange{"!*go get github.com/some/module", "err: !*go get github.com/some/module is left out: cells are not compiled in a module; what can be imported is built in\n"},
		exchange{"%test", "~MagicError: %test: there is no go test here: .*testing.Benchmark.*"},
		exchange{"%%script cat\nno end of line", "no end of line\n"},
		exchange{"%%writefile ${GONB_TEST_FOLDER}note.txt\ntext", "1 lines written to sub/note.txt\n"},
		exchange{"%%writefile ${GONB_NOT_SET}.txt\ntext", "1 lines written to ${GONB_NOT_SET}.txt\n"},
		exchange{"%capture ${GONB_TEST_FOLDER}out.txt\n%%\nfmt.Println(\"Ping\")\n!echo Pong", "Ping\nPong\n"},
		exchange{"%capture -a sub/out.txt\ndisplay.HTML(\"<b>x</b>\")\n3", "shown: <b>x</b>\n= 3\n"},
		exchange{"!cat sub/out.txt", "Ping\nPong\n<b>x</b>\n3\n"},
		exchange{"%capture sub/out.txt\nfmt.Println(\"before\")\npanic(\"no\")\n!echo after", "before\nPanic: no\nat line 3:1\n"},
		exchange{"!cat sub/out.txt", "before\n"},
		exchange{"%capture", "MagicError: %capture: want the name of one file: %capture [-a] FILE\nat line 1:1\n"},
		exchange{"import \"github.com/janpfeifer/gonb/gonbui\"", "~CompileError: .* display.HTML.*"},
		exchange{"%%\ngonbui.DisplayHTML(\"**x**\")", "~CompileError: undefined: gonbui; .* display.HTML.*"},
		exchange{"import \"github.com/janpfeifer/gonb/cache\"", "~CompileError: .*values stay from cell to cell.*"},
		exchange{"func incr[T constraints.Float](x T) T { return x }", "~CompileError: undefined: constraints; cmp.Ordered.*"},
	)
}

// Flags are read from the cells' arguments; a cell that declares some can be run again.
func TestFlags(t *testing.T) {
	declares := "import \"flag\"\nvar name = flag.String(\"name\", \"World\", \"who\")\nvar times int\nfunc init() { flag.IntVar(&times, \"n\", 1, \"how often\") }\n"
	open(t).exchange(
		exchange{declares + "%% --name=Reader more\nfmt.Println(*name, times, flag.Args(), flag.Parsed())", "Reader 1 [more] true\n"},
		exchange{declares + "%% -n 3\nfmt.Println(*name, times)", "World 3\n"},
		exchange{"%args -name=Args\n%%\nfmt.Println(*name)", "Args\n"},
		exchange{"os.Args = []string{\"x\", \"-n=7\"}\nflag.Parse()\nfmt.Println(times, flag.NFlag(), flag.Lookup(\"n\").Usage)", "7 1 how often\n"},
		exchange{"%% --nosuch\nfmt.Println(\"not reached\")", "~err: flag provided but not defined: -nosuch\nUsage of [^\n]*\n  -n int\n.*Error: flag provided but not defined: -nosuch\nat line 1:1\n"},
		exchange{"flag.CommandLine.Parse([]string{\"-n\", \"x\"})", "~.*invalid value .*"},
		exchange{"flag.Usage = func() { fmt.Println(\"my usage\") }\n%% -h", "~my usage\n.*flag: help requested\n.*"},
		exchange{"%reset\nfmt.Println(flag.CommandLine.NArg())", "~everything .*\n0\n"},
	)
}

// asked is a front end whose user types.
type asked struct {
	front
	hidden []bool
}

func (a *asked) Input(_ string, hidden bool) (string, error) {
	a.hidden = append(a.hidden, hidden)
	return "typed", nil
}

func TestShellInput(t *testing.T) {
	n, f := open(t), &asked{}
	outcome := n.Execute(context.Background(), display.Cell{Count: 1, Source: "%with_inputs\n!read a; echo $a\n%with_password\n!read b; echo $b\n!read c; echo none $c"}, f)
	if got := f.out.String(); outcome.Failure != nil || got != "typed\ntyped\nnone\n" || len(f.hidden) != 2 || f.hidden[0] || !f.hidden[1] {
		t.Errorf("%v: printed %q, asked %v", outcome.Failure, got, f.hidden)
	}
}
