package magic

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// path is the file or folder that an argument means: ~ is the home folder, ${NAME} is from the environment.
func path(argument string) string {
	argument = expanded(argument)
	if rest, ok := strings.CutPrefix(argument, "~"); ok && (rest == "" || os.IsPathSeparator(rest[0])) {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return argument
}

// arguments are the words after a command, with those that are flags apart.
func (c *call) arguments(flags ...string) (words []string, set map[string]bool, err error) {
	set = map[string]bool{}
	for _, word := range fields(c.step.args) {
		if len(word) < 2 || word[0] != '-' {
			words = append(words, word)
			continue
		}
		known := false
		for _, f := range flags {
			known = known || f == word
		}
		if !known {
			return nil, nil, fmt.Errorf("%s is no flag of it; want %s", word, usage(c.step.name))
		}
		set[word] = true
	}
	return words, set, nil
}

// usage is how a command is written.
func usage(name string) string {
	m, _ := lookup(name)
	return strings.TrimSpace(m.Name + " " + m.Usage)
}

// one is the only argument of a command that wants a file.
func (c *call) one(words []string) (string, error) {
	if len(words) != 1 {
		return "", fmt.Errorf("want the name of one file: %s", usage(c.step.name))
	}
	return path(words[0]), nil
}

// load puts a file into the cell, or prints it where the front end has no cells.
func (c *call) load() (display.Outcome, error) {
	words, _, err := c.arguments()
	if err != nil {
		return display.Outcome{}, err
	}
	name, err := c.one(words)
	if err != nil {
		return display.Outcome{}, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return display.Outcome{}, err
	}
	if next, ok := c.out.(interface{ SetNextInput(string, bool) }); ok {
		next.SetNextInput("// "+c.step.name+" "+name+"\n"+string(text), true)
		return display.Outcome{}, nil
	}
	c.print(strings.TrimSuffix(string(text), "\n") + "\n")
	return display.Outcome{}, nil
}

// runFile runs a file of Go as if it were a cell; a notebook runs the main that a cell declares.
func (c *call) runFile() (display.Outcome, error) {
	words := fields(c.step.args)
	if len(words) == 0 {
		return display.Outcome{}, fmt.Errorf("want the name of a file: %s", usage(c.step.name))
	}
	name := path(words[0])
	if ext := filepath.Ext(name); ext != ".go" {
		return display.Outcome{}, fmt.Errorf("%s: want a file of Go, whose name ends in .go", name)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return display.Outcome{}, err
	}
	if len(words) > 1 {
		if outcome := c.goText(argsText(words), c.out); outcome.Failure != nil {
			return outcome, nil
		}
	}
	return c.Notebook.Run(c.ctx, Source{Name: name, Text: string(text), Silent: !c.last}, c.out), nil
}

// argsText is Go that sets the arguments of the program.
func argsText(words []string) string {
	var text strings.Builder
	text.WriteString("os.Args = []string{")
	for _, w := range words {
		text.WriteString(strconv.Quote(w) + ", ")
	}
	return text.String() + "}"
}

// setArgs sets the arguments of the program; without any it leaves them. Where a program would begin,
// package flag reads them.
func (c *call) setArgs() (display.Outcome, error) {
	if words := fields(c.step.args); len(words) > 0 {
		outcome := c.goText(argsText(append([]string{filepath.Base(os.Args[0])}, words...)), c.out)
		if outcome.Failure != nil || c.step.name == "%args" {
			return outcome, nil
		}
	}
	if c.step.name == "%args" {
		return display.Outcome{}, nil
	}
	return c.goText(blank(c.source[:c.step.nameAt])+"flag.Parse()", c.out), nil
}

// exec calls a function of the notebook.
func (c *call) exec() (display.Outcome, error) {
	words := fields(c.step.args)
	if len(words) == 0 {
		return display.Outcome{}, fmt.Errorf("want the name of a function: %s", usage(c.step.name))
	}
	if len(words) > 1 {
		if outcome := c.goText(argsText(words), c.out); outcome.Failure != nil {
			return outcome, nil
		}
	}
	return c.goText(blank(c.source[:c.step.argsAt])+words[0]+"()", c.out), nil
}

// save writes cells to a file, with their commands as comments.
func (c *call) save() (display.Outcome, error) {
	words, set, err := c.arguments("-f", "-a")
	if err != nil {
		return display.Outcome{}, err
	}
	if len(words) == 0 {
		return display.Outcome{}, fmt.Errorf("want the name of a file: %s", usage(c.step.name))
	}
	cells, err := c.cells(words[1:])
	if err != nil {
		return display.Outcome{}, err
	}
	var text strings.Builder
	for i, cell := range cells {
		if i > 0 {
			text.WriteString("\n")
		}
		text.WriteString(commented(cell.Source, c.Notebook.Known))
	}
	name := path(words[0])
	if err := write(name, text.String(), set["-f"], set["-a"]); err != nil {
		return display.Outcome{}, err
	}
	c.print(fmt.Sprintf("%d cells written to %s\n", len(cells), name))
	return display.Outcome{}, nil
}

// commented is a cell as a file of Go can have it: its commands are comments.
func commented(source string, known func(string) bool) string {
	if source = strings.TrimRight(source, "\n"); source == "" {
		return ""
	}
	var text strings.Builder
	for _, s := range split(source, known) {
		from, comment := s.start, s.end
		m, _ := lookup(s.name)
		switch {
		case s.kind == goStep || s.foreign:
			comment = s.start
		case m.code && s.body > 0:
			comment = s.body
		case m.code && strings.Contains(s.args, "\n"): // a comment is one line
			from, comment = s.argsAt, s.argsAt
		}
		for line := range strings.Lines(source[from:comment]) {
			text.WriteString(goPrefix + line)
		}
		text.WriteString(source[comment:s.end])
	}
	return text.String() + "\n"
}

// write writes a file that is not there yet, or over or after what it has.
func write(name, text string, over, after bool) error {
	flags := os.O_WRONLY | os.O_CREATE
	switch {
	case after:
		flags |= os.O_APPEND
	case over:
		flags |= os.O_TRUNC
	default:
		flags |= os.O_EXCL
	}
	f, err := os.OpenFile(name, flags, 0o666)
	if errors.Is(err, os.ErrExist) && !over && !after {
		return fmt.Errorf("%s exists; -f writes over it, -a after what it has", name)
	}
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	return errors.Join(err, f.Close())
}

// writeFile writes the rest of the cell to a file.
func (c *call) writeFile() (display.Outcome, error) {
	words, set, err := c.arguments("-a")
	if err != nil {
		return display.Outcome{}, err
	}
	name, err := c.one(words)
	if err != nil {
		return display.Outcome{}, err
	}
	text := c.body()
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	if err := write(name, text, true, set["-a"]); err != nil {
		return display.Outcome{}, err
	}
	c.print(fmt.Sprintf("%d lines written to %s\n", strings.Count(text, "\n"), name))
	return display.Outcome{}, nil
}

// cd changes the folder of the process, which is that of its Go.
func (c *call) cd() (display.Outcome, error) {
	words, _, err := c.arguments()
	if err != nil {
		return display.Outcome{}, err
	}
	to := "~"
	switch {
	case len(words) > 1:
		return display.Outcome{}, fmt.Errorf("want one folder: %s", usage(c.step.name))
	case len(words) == 1 && words[0] == "-":
		if c.previous == "" {
			return display.Outcome{}, errors.New("there is no folder to go back to")
		}
		to = c.previous
	case len(words) == 1:
		to = words[0]
	}
	before, err := os.Getwd()
	if err != nil {
		return display.Outcome{}, err
	}
	if err := os.Chdir(path(to)); err != nil {
		return display.Outcome{}, err
	}
	c.previous = before
	return c.pwd()
}

func (c *call) pwd() (display.Outcome, error) {
	folder, err := os.Getwd()
	if err != nil {
		return display.Outcome{}, err
	}
	c.print(folder + "\n")
	return display.Outcome{}, nil
}

// ls lists a folder: names with sizes, folders with a slash.
func (c *call) ls() (display.Outcome, error) {
	words, _, err := c.arguments("-l", "-a", "-la", "-lh", "-al")
	if err != nil {
		return display.Outcome{}, err
	}
	if len(words) == 0 {
		words = []string{"."}
	}
	var text strings.Builder
	table := tabwriter.NewWriter(&text, 0, 8, 2, ' ', 0)
	for _, w := range words {
		entries, err := os.ReadDir(path(w))
		if err != nil {
			return display.Outcome{}, err
		}
		for _, e := range entries {
			info, err := e.Info()
			switch {
			case err != nil: // it has gone in between
			case e.IsDir():
				fmt.Fprintf(table, "%s/\t\t%s\n", e.Name(), info.ModTime().Format("2006-01-02 15:04"))
			default:
				fmt.Fprintf(table, "%s\t%d bytes\t%s\n", e.Name(), info.Size(), info.ModTime().Format("2006-01-02 15:04"))
			}
		}
	}
	if err := table.Flush(); err != nil {
		return display.Outcome{}, err
	}
	c.print(text.String())
	return display.Outcome{}, nil
}
