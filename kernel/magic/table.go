package magic

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// Magic is one command.
type Magic struct {
	Name  string // with its marks: "%time", "%%bash"
	Usage string // its arguments, "" for none
	Text  string // what it does, in one line
	code  bool   // its arguments are Go
	args  argument
	run   func(c *call) (display.Outcome, error)
}

// argument is what can be completed after a command.
type argument int

const (
	anything argument = iota
	file
	environment
	commandName
)

// Table is all commands in the order in which %help lists them.
func Table() []Magic {
	return []Magic{
		{"%time", "STATEMENT", "run Go and say how long it took", true, anything, (*call).time},
		{"%timeit", "[-n LOOPS] [-r RUNS] STATEMENT", "run Go many times: the mean time and its deviation", true, anything, (*call).timeit},
		{"%%time", "", "run the cell and say how long it took", true, anything, (*call).time},
		{"%%timeit", "[-n LOOPS] [-r RUNS]", "run the cell many times: the mean time and its deviation", true, anything, (*call).timeit},
		{"%%capture", "[NAME]", "run the cell and show nothing; what it printed becomes the string NAME", true, anything, (*call).captureCell},
		{"%capture", "[-a] FILE", "write what the rest of the cell prints to a file too; -a: after what it has", false, file, (*call).captureFile},
		{"%who", "", "the names of the variables", false, anything, (*call).who},
		{"%whos", "", "the variables with their types and values", false, anything, (*call).whos},
		{"%list", "", "the same as %whos", false, anything, (*call).whos},
		{"%reset", "", "forget everything that the cells have declared", false, anything, (*call).reset},
		{"%rm", "NAME...", "forget variables, functions, types or imports; a new declaration replaces an old one without it", false, anything, (*call).remove},
		{"%history", "[CELLS] [-g TEXT]", "the cells so far, such as 3 or 2-5; -g: those with TEXT in them", false, anything, (*call).history},
		{"%run", "FILE.go [ARGUMENTS]", "run a file of Go here; it shares the variables", false, file, (*call).runFile},
		{"%load", "FILE", "put a file into this cell", false, file, (*call).load},
		{"%save", "[-f] [-a] FILE [CELLS]", "write cells to a file; -f: over an old one, -a: after it", false, file, (*call).save},
		{"%%writefile", "[-a] FILE", "write the cell to a file; -a: after what it has", false, file, (*call).writeFile},
		{"!", "COMMAND", "run a command of the shell; x := !COMMAND keeps its lines as a []string", false, file, nil},
		{"%%bash", "", "run the cell with bash", false, anything, (*call).script},
		{"%%sh", "", "run the cell with sh", false, anything, (*call).script},
		{"%%script", "PROGRAM", "run the cell with a program that reads its standard input", false, anything, (*call).script},
		{"%%html", "", "show the cell as HTML", false, anything, (*call).show},
		{"%%markdown", "", "show the cell as Markdown", false, anything, (*call).show},
		{"%%latex", "", "show the cell as LaTeX", false, anything, (*call).show},
		{"%%svg", "", "show the cell as an SVG picture", false, anything, (*call).show},
		{"%env", "[NAME[=VALUE]]", "show or set variables of the environment", false, environment, (*call).env},
		{"%cd", "[FOLDER]", "change the folder; without one go home, - goes back", false, file, (*call).cd},
		{"%pwd", "", "the folder", false, anything, (*call).pwd},
		{"%ls", "[FOLDER]", "the files of a folder", false, file, (*call).ls},
		{"%config", "[SETTING[=VALUE]]", "show or change settings, such as the size of plots", false, anything, (*call).config},
		{"%args", "[ARGUMENTS]", "set os.Args for the Go of this notebook", false, anything, (*call).setArgs},
		{"%%", "[ARGUMENTS]", "accepted: what follows is Go, as everywhere; ARGUMENTS become os.Args and set flags", false, anything, (*call).setArgs},
		{"%main", "[ARGUMENTS]", "the same as %%", false, anything, (*call).setArgs},
		{"%exec", "FUNCTION [ARGUMENTS]", "call a function; ARGUMENTS become os.Args", false, anything, (*call).exec},
		{"%lsmagic", "", "the names of all commands", false, anything, (*call).lsmagic},
		{"%help", "[COMMAND]", "what the commands do", false, commandName, (*call).help},
		{"%version", "", "the versions of this program and of Go", false, anything, (*call).version},
	}
}

// idle are commands of gonb that tune its compiler, which is not there: they do nothing.
var idle = []string{"%autoget", "%noautoget", "%goflags", "%goworkfix", "%track", "%untrack", "%widgets", "%widgets_hb",
	"%matplotlib", "%precision", "%autoreload", "%load_ext"}

// alias are other names that users of other kernels know.
var alias = map[string]string{"%remove": "%rm", "%hist": "%history", "%magic": "%help", "%quickref": "%help", "%%file": "%%writefile",
	"%%HTML": "%%html", "%%Markdown": "%%markdown", "%%md": "%%markdown"}

// lookup is the command with a name.
func lookup(name string) (Magic, bool) {
	if other, ok := alias[name]; ok {
		name = other
	}
	for _, m := range Table() {
		if m.Name == name {
			return m, true
		}
	}
	switch name {
	case "%test", "%wasm":
		return Magic{Name: name, run: (*call).needsCompiler}, true
	case "%with_inputs", "%with_password":
		return Magic{Name: name, Text: "the next command of the shell reads a line that you type", run: (*call).asking}, true
	}
	for _, other := range idle {
		if other == name {
			return Magic{Name: name, run: (*call).nothing}, true
		}
	}
	return Magic{}, false
}

// find is the command with a name, or an error that names the nearest.
func find(name string) (Magic, error) {
	if m, ok := lookup(name); ok {
		return m, nil
	}
	if m, ok := lookup("%" + name); ok {
		return m, fault{"MagicError", fmt.Sprintf("%s takes whole cells: write %s in the first line", name, m.Name)}
	}
	if m, ok := lookup(strings.TrimPrefix(name, "%")); ok && name != "%" {
		return m, fault{"MagicError", fmt.Sprintf("%s is for one line: write %s", name, m.Name)}
	}
	message := fmt.Sprintf("%s is no command", name)
	best, least := "", len(name)/3+1
	for _, m := range Table() {
		d := levenshtein.ComputeDistance(strings.ToLower(name), m.Name)
		if d < least || d == least && best == "" {
			best, least = m.Name, d
		}
	}
	if best == "" {
		return Magic{}, fault{"MagicError", message + "; %lsmagic lists all"}
	}
	return Magic{}, fault{"MagicError", fmt.Sprintf("%s; did you mean %s? %%lsmagic lists all", message, best)}
}

// nothing accepts a command that has no purpose here.
func (c *call) nothing() (display.Outcome, error) {
	c.note(c.step.name + " is not needed here: cells are not compiled to a program")
	return display.Outcome{}, nil
}
