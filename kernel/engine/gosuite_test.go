package engine

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/gosuite"
)

var (
	suitePattern = flag.String("suite", "", "run only the programs of Go's suite whose names contain one of these words; @FILE: those a file lists")
	suiteLimit   = flag.Duration("suitelimit", time.Minute, "processor time that one program of Go's suite may use")
	suiteWrite   = flag.String("suitewrite", "", "write the failures to this file")
)

// leastPassing is how many programs of Go's suite must pass.
const leastPassing = 820

// failuresFile lists the programs that fail: name, reason, and what would cure it, by tabs.
const failuresFile = "testdata/go_test_failures.txt"

// suiteVariable is set to run TestGoSuite, which takes minutes and wants a machine to itself.
const suiteVariable = "GONB_SVM_GO_SUITE"

// TestGoSuite runs the run programs of Go's own test suite and compares those that fail with a
// list. A program that newly passes must leave the list.
func TestGoSuite(t *testing.T) {
	if os.Getenv(suiteVariable) == "" && *suitePattern == "" {
		t.Skip("set " + suiteVariable + "=1 to run 900 programs of Go's own suite")
	}
	programs, err := gosuite.Programs()
	if err != nil {
		t.Skip("the Go distribution has no test folder: ", err)
	}
	if len(programs) == 0 {
		t.Skip("the Go distribution has no test folder")
	}
	words := suiteWords(t)
	failed, ran := runSuite(t, programs, words)
	t.Logf("%d of %d programs pass", ran-len(failed), ran)
	if *suiteWrite != "" {
		writeFailures(t, failed)
	}
	if len(words) > 0 {
		for _, name := range sortedKeys(failed) {
			t.Log(name, failed[name])
		}
		return
	}
	if ran-len(failed) < leastPassing {
		t.Errorf("%d programs pass, want at least %d", ran-len(failed), leastPassing)
	}
	compareWithList(t, failuresFile, failed)
	byName := map[string]gosuite.Program{}
	for _, p := range programs {
		byName[p.Name] = p
	}
	yaegi := buildYaegi(t)
	for _, name := range sortedKeys(failed) {
		if runYaegi(yaegi, byName[name]) == "" {
			t.Errorf("%s fails, and passes on the interpreter alone", name)
		}
	}
}

// buildYaegi builds the interpreter's own command.
func buildYaegi(t *testing.T) string {
	command := filepath.Join(t.TempDir(), "yaegi")
	if out, err := exec.Command("go", "build", "-o", command, "github.com/traefik/yaegi/cmd/yaegi").CombinedOutput(); err != nil {
		t.Fatalf("building yaegi: %v\n%s", err, out)
	}
	return command
}

// runYaegi runs one program on the interpreter alone, plain and with all its symbols, and says why
// it fails, "" when it passes.
func runYaegi(command string, p gosuite.Program) (reason string) {
	for _, flags := range [][]string{nil, {"-unrestricted", "-syscall", "-unsafe"}} {
		reason = runCommand(p, func(ctx context.Context) *exec.Cmd {
			return exec.CommandContext(ctx, command, append(append([]string{"run"}, flags...), p.Path)...)
		})
		if reason == "" {
			return ""
		}
	}
	return reason
}

// timing marks failures that depend on the speed of the machine.
const timing = "time limit"

func suiteWords(t *testing.T) []string {
	file, ok := strings.CutPrefix(*suitePattern, "@")
	if !ok {
		return strings.Fields(*suitePattern)
	}
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var l []string
	for line := range strings.Lines(string(b)) {
		name, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
		l = append(l, name)
	}
	return l
}

func runSuite(t *testing.T, programs []gosuite.Program, words []string) (failed map[string]string, ran int) {
	failed = map[string]string{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	work := make(chan gosuite.Program)
	for range 2 {
		wg.Go(func() {
			for p := range work {
				reason := runProgram(t, p)
				mu.Lock()
				if ran++; reason != "" {
					failed[p.Name] = reason
				}
				mu.Unlock()
			}
		})
	}
	for _, p := range programs {
		if len(words) == 0 || containsWord(p.Name, words) {
			work <- p
		}
	}
	close(work)
	wg.Wait()
	return failed, ran
}

func containsWord(name string, words []string) bool {
	for _, w := range words {
		if w != "" && strings.Contains(name, w) {
			return true
		}
	}
	return false
}

// runProgram runs one program in a process of its own and says why it fails, "" when it passes.
func runProgram(t *testing.T, p gosuite.Program) string {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return runCommand(p, func(ctx context.Context) *exec.Cmd {
		c := exec.CommandContext(ctx, self)
		c.Env = append(os.Environ(), runVariable+"="+p.Path)
		return c
	})
}

// runCommand runs the command for one program in the program's folder. It may use a certain time
// of the processor, so that the result does not depend on what else the machine does; one that
// waits for ever is stopped by the clock.
func runCommand(p gosuite.Program, command func(context.Context) *exec.Cmd) string {
	ctx, cancel := context.WithTimeout(context.Background(), 10*(*suiteLimit))
	defer cancel()
	c := command(ctx)
	c.Dir = filepath.Dir(p.Path)
	c.WaitDelay = time.Second
	c.Args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -t %d; exec "$0" "$@"`, int(suiteLimit.Seconds())), c.Path}, c.Args[1:]...)
	c.Path = "/bin/sh"
	var out bytes.Buffer
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	used := c.ProcessState != nil && c.ProcessState.UserTime()+c.ProcessState.SystemTime() >= *suiteLimit
	return p.Judge(out.String(), err, ctx.Err() != nil || used)
}

func knownFailures(t *testing.T, file string) map[string]string {
	b, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m := map[string]string{}
	for line := range strings.Lines(string(b)) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		if f[0] == "" || strings.HasPrefix(f[0], "#") {
			continue
		}
		if len(f) != 3 {
			t.Fatalf("%s: %q: want name, reason and cure", file, line)
		}
		m[f[0]] = f[1]
	}
	return m
}

func writeFailures(t *testing.T, failed map[string]string) {
	var l []string
	for name, reason := range failed {
		l = append(l, fmt.Sprintf("%s\t%s", name, reason))
	}
	sort.Strings(l)
	if err := os.WriteFile(*suiteWrite, []byte(strings.Join(l, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}
