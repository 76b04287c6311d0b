// Package execute runs lowered units. The executor is yaegi; nothing else of the engine knows it.
package execute

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"io"
	"os"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/traefik/yaegi/interp"
)

// Executor compiles units of the core language and runs functions of them.
type Executor interface {
	// Bind makes compiled value v available to units as PACKAGE.NAME.
	Bind(pkg, name string, v reflect.Value)
	// Compile takes a unit in.
	Compile(unit string) error
	// Call runs a function without parameters. When ctx ends, interpreted code stops at its next
	// step and Call returns ctx.Err() at once, perhaps before the function has: see Resume.
	Call(ctx context.Context, function string) error
	// Resume lets code run again after an interrupt, once all that was stopped has stopped.
	Resume()
	// Stop stops all code for ever.
	Stop()
	// Variable gives the storage of a global variable.
	Variable(name string) (reflect.Value, bool)
}

// Yaegi is the Executor on yaegi.
type Yaegi struct {
	it      *interp.Interpreter
	units   int
	generic *uint64 // the interpreter's run number, which an interrupt raises
	run     uint64  // its value while code may run
}

// NewYaegi makes an interpreter over symbol tables.
func NewYaegi(symbols interp.Exports, args []string) *Yaegi {
	y := &Yaegi{it: interp.New(interp.Options{
		Unrestricted: true, Env: os.Environ(), Args: args,
		Stdout: io.Discard, Stderr: io.Discard, Stdin: strings.NewReader(""),
	})}
	// Given alone, fmt does not make yaegi put its own functions into other packages.
	y.it.Use(interp.Exports{"fmt/fmt": symbols["fmt/fmt"]})
	for path, table := range symbols {
		if path != "fmt/fmt" {
			y.it.Use(interp.Exports{path: table})
		}
	}
	// Frames carry the run number and stop for ever when the interpreter's differs. Without setting
	// it back, every closure made before an interrupt would silently do nothing after it.
	if f := reflect.ValueOf(y.it).Elem().FieldByName("id"); f.IsValid() && f.Kind() == reflect.Uint64 && f.CanAddr() {
		y.generic = (*uint64)(f.Addr().UnsafePointer())
		y.run = atomic.LoadUint64(y.generic)
	}
	return y
}

// Bind implements Executor.
func (y *Yaegi) Bind(pkg, name string, v reflect.Value) {
	y.it.Use(interp.Exports{pkg + "/" + pkg: {name: v}})
}

// Compile implements Executor.
func (y *Yaegi) Compile(unit string) (err error) {
	defer caught(&err)
	y.units++
	f, err := parser.ParseFile(y.it.FileSet(), fmt.Sprintf("unit%d", y.units), unit, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	return y.execute(f)
}

func (y *Yaegi) execute(n ast.Node) error {
	p, err := y.it.CompileAST(n)
	if err != nil {
		return err
	}
	// Only under a context does the interpreter make channel operations that can be interrupted.
	_, err = y.it.ExecuteWithContext(context.Background(), p)
	return err
}

// caught makes a panic of the interpreter's compiler an error.
func caught(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the interpreter cannot compile it: %v", r)
	}
}

// Call implements Executor.
func (y *Yaegi) Call(ctx context.Context, function string) (err error) {
	defer caught(&err)
	y.units++
	f, err := parser.ParseFile(y.it.FileSet(), fmt.Sprintf("call%d", y.units), "package main; func _() {\n"+function+"()\n}", parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	p, err := y.it.CompileAST(f.Decls[0].(*ast.FuncDecl).Body)
	if err != nil {
		return err
	}
	_, err = y.it.ExecuteWithContext(ctx, p)
	return err
}

// Resume implements Executor.
func (y *Yaegi) Resume() {
	if y.generic != nil {
		atomic.StoreUint64(y.generic, y.run)
	}
}

// Stop implements Executor.
func (y *Yaegi) Stop() {
	if y.generic != nil {
		atomic.StoreUint64(y.generic, y.run+1<<32)
	}
}

// Variable implements Executor.
func (y *Yaegi) Variable(name string) (reflect.Value, bool) {
	v, ok := y.it.Globals()[name]
	return v, ok
}
