package engine

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"

	"github.com/gonb-svm/gonb-svm/bindings/symbols/standard"
)

// standardSymbols are the tables of the standard library, made once.
var standardSymbols = sync.OnceValue(func() map[string]map[string]reflect.Value {
	all := map[string]map[string]reflect.Value{}
	for name, table := range standard.Tables() {
		all[name] = table()
	}
	return all
})

func newEngine(t testing.TB) *Engine {
	t.Helper()
	e, err := New(Options{Symbols: standardSymbols()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	return e
}

// runVariable names the file that the test binary runs as a program instead of testing; with
// dumpVariable set it writes the lowered text to standard error.
const (
	runVariable  = "GONB_SVM_ENGINE_RUN"
	dumpVariable = "GONB_SVM_ENGINE_DUMP"
)

func TestMain(m *testing.M) {
	if file := os.Getenv(runVariable); file != "" {
		os.Exit(runFile(file))
	}
	os.Exit(m.Run())
}

// runFile runs one program and gives its exit code.
func runFile(file string) int {
	src, err := os.ReadFile(file)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	o := Options{Symbols: standardSymbols(), Folder: filepath.Dir(file)}
	if os.Getenv(dumpVariable) != "" {
		o.Trace = func(unit string) { fmt.Fprintln(os.Stderr, unit) }
	}
	e, err := New(o)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_, err = e.Run(context.Background(), Cell{Name: filepath.Base(file), Source: string(src)}, Streams{
		Stdout: func(s string) { os.Stdout.WriteString(s) },
		Stderr: func(s string) { os.Stderr.WriteString(s) },
	})
	var exit *ExitError
	var compile *CompileError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.Code
	case errors.As(err, &compile):
		fmt.Fprintln(os.Stderr, compile.Kind, compile)
		return 3
	}
	fmt.Fprintln(os.Stderr, err)
	return 2
}
