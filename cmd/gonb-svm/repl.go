package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"

	"github.com/adrg/xdg"
	"github.com/reeflective/readline"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/gonb-svm/gonb-svm/bindings"
	"github.com/gonb-svm/gonb-svm/kernel/display"
)

func newREPL() *cobra.Command {
	return &cobra.Command{
		Use:   "repl",
		Short: "Type cells in a terminal",
		Args:  usageArgs(cobra.NoArgs),
		RunE: func(cmd *cobra.Command, _ []string) error {
			session, err := bindings.NewSession(bindings.Options{})
			if err != nil {
				return err
			}
			defer session.Close()
			read := pipedCells(session, os.Stdin)
			if term.IsTerminal(int(os.Stdin.Fd())) {
				fmt.Println(versionLine() + "; Ctrl-D or exit ends, svm.Help() and name? help")
				read = typedCells(session)
			}
			return converse(cmd.Context(), session, read)
		},
	}
}

// converse runs what read gives, cell after cell, until io.EOF.
func converse(ctx context.Context, session *bindings.Session, read func(count int) (string, error)) error {
	for count := 1; ; {
		source, err := read(count)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, readline.ErrInterrupt):
			continue
		case err != nil:
			return err
		}
		switch strings.TrimSpace(source) {
		case "":
			continue
		case "exit", "quit", "exit()", "quit()":
			return nil
		}
		cellContext, stop := signal.NotifyContext(ctx, os.Interrupt)
		outcome := session.Execute(cellContext, display.Cell{Count: count, Source: source}, &screen{})
		stop()
		switch {
		case outcome.Failure != nil:
			fmt.Fprintln(os.Stderr, strings.Join(outcome.Failure.Traceback, "\n"))
		case outcome.Result != nil:
			show(*outcome.Result)
		}
		count++
	}
}

// typedCells reads cells that a user types, with completion, history and as many lines as
// the cell needs.
func typedCells(session *bindings.Session) func(count int) (string, error) {
	shell := readline.NewShell()
	shell.AcceptMultiline = func(line []rune) bool {
		status, _ := session.Completeness(string(line))
		return status != "incomplete"
	}
	shell.Completer = func(line []rune, cursor int) readline.Completions {
		found := session.Complete(string(line), cursor)
		values := make([]string, 0, 2*len(found.Matches))
		for _, m := range found.Matches {
			values = append(values, m.Text, strings.TrimSpace(m.Kind+" "+m.Signature))
		}
		completions := readline.CompleteValuesDescribed(values...).NoSpace()
		completions.PREFIX = string(line[min(found.Start, cursor):cursor])
		return completions
	}
	if file, err := xdg.StateFile(filepath.Join("gonb-svm", "repl-history")); err == nil {
		shell.History.AddFromFile("cells", file)
	}
	return func(count int) (string, error) {
		shell.Prompt.Primary(func() string { return fmt.Sprintf("[%d] ", count) })
		shell.Prompt.Secondary(func() string { return "... " })
		return shell.Readline()
	}
}

// pipedCells reads cells from a file or pipe: a cell ends where it is complete.
func pipedCells(session *bindings.Session, r io.Reader) func(count int) (string, error) {
	lines := bufio.NewReader(r)
	return func(int) (string, error) {
		var cell strings.Builder
		for {
			line, err := lines.ReadString('\n')
			cell.WriteString(line)
			if err != nil {
				if cell.Len() > 0 && errors.Is(err, io.EOF) {
					return cell.String(), nil
				}
				return "", err
			}
			if status, _ := session.Completeness(cell.String()); status != "incomplete" {
				return cell.String(), nil
			}
		}
	}
}

// screen is the output of a cell in a terminal.
type screen struct{ mu sync.Mutex }

func (s *screen) Stream(name, text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if name == "stderr" {
		fmt.Fprint(os.Stderr, text)
		return
	}
	fmt.Print(text)
}

func (s *screen) Display(b display.Bundle, id string) {
	if id != "" { // progress and other displays that change go on one line
		s.Update(id, b)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	show(b)
}

func (s *screen) Update(_ string, b display.Bundle) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text, _ := b.Data["text/plain"].(string)
	if strings.Contains(text, "\n") {
		fmt.Println(text)
		return
	}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		fmt.Fprintf(os.Stderr, "\r\x1b[K%s", text)
	}
}

func (s *screen) Clear(bool) {}

func (s *screen) Input(prompt string, password bool) (string, error) {
	fmt.Print(prompt)
	if password {
		text, err := term.ReadPassword(int(os.Stdin.Fd()))
		fmt.Println()
		return string(text), err
	}
	return bufio.NewReader(os.Stdin).ReadString('\n')
}

// show prints a bundle's text. A picture is shown where the terminal can, else it goes to a file, which
// is named.
func show(b display.Bundle) {
	text, _ := b.Data["text/plain"].(string)
	if image, ok := b.Data["image/png"].([]byte); ok {
		if term.IsTerminal(int(os.Stdout.Fd())) {
			if picture := inlineImage(image, os.Getenv); picture != "" {
				fmt.Print(picture)
				return
			}
		}
		if name, err := keepImage(image); err == nil {
			text += " → " + name
		}
	}
	fmt.Println(text)
}
