package magic

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// An interrupted command is first asked to end, and killed when it has not after this time. What
// a command that has ended left in the background can print for as long.
const dying = 500 * time.Millisecond

// shellProgram is the program that reads commands: bash where it is installed.
func shellProgram() []string {
	if runtime.GOOS == "windows" {
		return []string{"cmd", "/c"}
	}
	if path, err := exec.LookPath("bash"); err == nil {
		return []string{path, "-c"}
	}
	return []string{"sh", "-c"}
}

// script runs the rest of the cell with bash, sh or the program that is named.
func (c *call) script() (display.Outcome, error) {
	program := []string{strings.TrimPrefix(c.step.name, "%%")}
	if program[0] == "script" {
		if program = fields(c.step.args); len(program) == 0 {
			return display.Outcome{}, errors.New("want the name of a program, such as python3")
		}
	}
	cmd := exec.CommandContext(c.ctx, program[0], program[1:]...)
	cmd.Stdin = strings.NewReader(strings.TrimSuffix(c.body(), "\n") + "\n")
	return display.Outcome{}, c.await(cmd, c.step.name, nil)
}

// body is the rest of the cell; where the command is a comment to Go, so may be its lines.
func (c *call) body() string {
	text := c.source[c.step.body:]
	if !c.step.foreign {
		return text
	}
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(line, goPrefix)
	}
	return strings.Join(lines, "")
}

// shell runs a command; keep takes its standard output, nil for the cell's.
func (c *call) shell(program []string, command string, keep display.Output) error {
	command, own := strings.CutPrefix(command, "*") // !* is gonb's, for the folder of its program
	command = strings.TrimSpace(command)
	if command == "" {
		return fault{"ShellError", "want a command after the !, such as !ls"}
	}
	if own && modules(command) {
		c.note("!*" + command + " is left out: cells are not compiled in a module; what can be imported is built in")
		return nil
	}
	text, err := c.typed()
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(c.ctx, program[0], append(program[1:], command)...)
	if text != "" {
		cmd.Stdin = strings.NewReader(text)
	}
	return c.await(cmd, "!"+command, keep)
}

// await runs a program to its end and shows its output as it comes.
func (c *call) await(cmd *exec.Cmd, what string, keep display.Output) error {
	if keep == nil {
		keep = c.out
	}
	stdout, stderr := &stream{out: keep, name: "stdout"}, &stream{out: c.out, name: "stderr"}
	cmd.Stdout, cmd.Stderr, cmd.WaitDelay = stdout, stderr, dying
	group(cmd)
	err := cmd.Run()
	stdout.finish()
	stderr.finish()
	var exit *exec.ExitError
	switch {
	case err == nil, errors.Is(err, exec.ErrWaitDelay) && c.ctx.Err() == nil:
		return nil
	case c.ctx.Err() != nil:
		return context.Cause(c.ctx)
	case errors.As(err, &exit):
		return fault{"ShellError", fmt.Sprintf("%s failed: %v", what, exit)}
	case errors.Is(err, exec.ErrNotFound):
		return fault{"ShellError", fmt.Sprintf("%s: %s is not installed", what, cmd.Path)}
	}
	return fault{"ShellError", fmt.Sprintf("%s could not be started: %v", what, err)}
}

// stream shows what is written to it, in whole characters.
type stream struct {
	out  display.Output
	name string

	mu   sync.Mutex
	rest []byte // the beginning of a character
}

func (s *stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := append(s.rest, b...)
	end := len(text)
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if x := text[len(text)-i]; utf8.RuneStart(x) {
			if !utf8.FullRune(text[len(text)-i:]) {
				end -= i
			}
			break
		}
	}
	if end > 0 {
		s.out.Stream(s.name, strings.ToValidUTF8(string(text[:end]), "\uFFFD"))
	}
	s.rest = append([]byte(nil), text[end:]...)
	return len(b), nil
}

// finish shows what is left.
func (s *stream) finish() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.rest) > 0 {
		s.out.Stream(s.name, "\uFFFD")
		s.rest = nil
	}
}
