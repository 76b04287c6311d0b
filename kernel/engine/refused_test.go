package engine

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/gosuite"
)

// refusedFile lists the programs of Go's suite that a compiler refuses and the engine does not, or
// at another line: name, reason, and what would cure it, by tabs.
const refusedFile = "testdata/go_refused_failures.txt"

// TestRefusedPrograms gives the engine the programs of Go's suite that a compiler must refuse. One
// passes when the first error is on a line that the suite expects one on. Nothing is run.
func TestRefusedPrograms(t *testing.T) {
	if os.Getenv(suiteVariable) == "" {
		t.Skip("set " + suiteVariable + "=1 to check 500 programs of Go's own suite that do not compile")
	}
	programs, err := gosuite.RefusedPrograms()
	if err != nil || len(programs) == 0 {
		t.Skip("the Go distribution has no test folder: ", err)
	}
	failed := map[string]string{}
	lines, found := 0, 0
	for _, p := range programs {
		at, err := refusedAt(t, p)
		for _, n := range p.Lines {
			lines++
			if slices.Contains(at, n) {
				found++
			}
		}
		switch {
		case err != nil:
			failed[p.Name] = err.Error()
		case len(at) == 0:
			failed[p.Name] = fmt.Sprintf("no error; want one on line %d", p.Lines[0])
		case !slices.Contains(p.Lines, at[0]):
			failed[p.Name] = fmt.Sprintf("first error on line %d; want %v", at[0], p.Lines)
		}
	}
	t.Logf("%d of %d programs give their first error on an expected line; %d of %d expected lines have an error", len(programs)-len(failed), len(programs), found, lines)
	if 5*(len(programs)-len(failed)) < 4*len(programs) {
		t.Errorf("less than 80 %% pass")
	}
	compareWithList(t, refusedFile, failed)
}

// refusedAt gives the lines of the errors for which the engine refuses p.
func refusedAt(t *testing.T, p gosuite.Refused) (at []int, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	e, err := New(Options{Symbols: standardSymbols()})
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	_, _, err = e.prepare(Cell{Name: "p", Source: p.Source})
	if err == nil {
		return nil, nil
	}
	c := e.compileError("p", err)
	if c.Line == 0 {
		return nil, errors.New(c.Text)
	}
	at = append(at, c.Line)
	for _, a := range c.Also {
		at = append(at, a.Line)
	}
	return at, nil
}

// compareWithList compares what failed with a list of known failures.
func compareWithList(t *testing.T, file string, failed map[string]string) {
	known := knownFailures(t, file)
	for _, name := range sortedKeys(failed) {
		if _, ok := known[name]; !ok {
			t.Errorf("%s fails: %s", name, strings.TrimSpace(failed[name]))
		}
	}
	for _, name := range sortedKeys(known) {
		if _, ok := failed[name]; !ok && known[name] != timing {
			t.Errorf("%s passes now: it must leave %s", name, file)
		}
	}
}
