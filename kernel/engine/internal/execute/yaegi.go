// Package execute runs lowered units. The executor is yaegi; nothing else of the engine knows it.
package execute

import (
	"errors"
	"fmt"
	"go/parser"
	"io"
	"os"
	"reflect"
	"strings"
	"sync/atomic"

	"github.com/traefik/yaegi/interp"
)

// Executor compiles units of the core language.
type Executor interface {
	// Bind makes compiled value v available to units as PACKAGE.NAME.
	Bind(pkg, name string, v reflect.Value)
	// Compile takes a unit in. entry is the function that the unit gave to rt.Entry, nil when none.
	// It may be called on any goroutine.
	Compile(unit string) (entry func(), err error)
	// Interrupt stops all code at its next step, and what waits for channels, until Resume.
	Interrupt()
	// Resume lets code run again after an interrupt, once all that was stopped has stopped.
	Resume()
	// Stop stops all code for ever.
	Stop()
	// Place puts a global variable into storage of its type.
	Place(name string, storage reflect.Value)
	// Drop forgets functions that no later unit calls. Code that calls them goes on.
	Drop(names []string)
	// Variable gives the storage of a global variable.
	Variable(name string) (reflect.Value, bool)
}

// Yaegi is the Executor on yaegi.
type Yaegi struct {
	it      *interp.Interpreter
	inside  *inside
	units   int
	entry   func()
	resumed chan struct{} // closed by Resume
	own     *instructions
}

// NewYaegi makes an interpreter over symbol tables.
func NewYaegi(symbols interp.Exports, args []string, runtime *Runtime) (*Yaegi, error) {
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
	var err error
	if y.inside, err = open(y.it); err != nil {
		return nil, err
	}
	if y.own, err = newInstructions(y.it, y.inside.run, runtime); err != nil {
		return nil, err
	}
	y.Bind("rt", "Entry", reflect.ValueOf(func(f func()) { y.entry = f }))
	return y, nil
}

// Bind implements Executor.
func (y *Yaegi) Bind(pkg, name string, v reflect.Value) {
	y.it.Use(interp.Exports{pkg + "/" + pkg: {name: v}})
}

// Compile implements Executor.
func (y *Yaegi) Compile(unit string) (entry func(), err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("the interpreter cannot compile it: %v", r)
		}
	}()
	y.units++
	f, err := parser.ParseFile(y.it.FileSet(), fmt.Sprintf("unit%d", y.units), unit, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	y.entry = nil
	y.inside.begin()
	p, err := y.it.CompileAST(f)
	if err != nil {
		return nil, err
	}
	y.inside.grow()
	y.own.install(p, int(f.FileStart), readMarks(unit))
	if _, err := y.it.Execute(p); err != nil {
		var panicked interp.Panic
		if errors.As(err, &panicked) {
			err = fmt.Errorf("the interpreter cannot run it: %v", panicked.Value)
		}
		return nil, err
	}
	if y.own.refused != nil {
		return nil, y.own.refused
	}
	y.inside.release(y.it.FileSet())
	return y.entry, nil
}

// Interrupt implements Executor.
func (y *Yaegi) Interrupt() {
	if y.resumed != nil {
		return
	}
	resumed := make(chan struct{})
	y.resumed = resumed
	atomic.AddUint64(y.inside.run, 1)
	waiting := *y.inside.done
	go func() {
		for {
			select {
			case waiting <- struct{}{}:
			case <-resumed:
				return
			}
		}
	}()
}

// Resume implements Executor.
func (y *Yaegi) Resume() {
	if y.resumed == nil {
		return
	}
	atomic.StoreUint64(y.inside.run, y.inside.allowed)
	close(y.resumed)
	y.resumed = nil
}

// Stop implements Executor.
func (y *Yaegi) Stop() {
	y.Interrupt()
	atomic.StoreUint64(y.inside.run, y.inside.allowed+1<<32)
}

// Place implements Executor.
func (y *Yaegi) Place(name string, storage reflect.Value) {
	v, ok := y.it.Globals()[name]
	for i, d := range (*y.inside.data)[:y.inside.made] {
		if ok && d.CanAddr() && v.CanAddr() && d.UnsafeAddr() == v.UnsafeAddr() {
			(*y.inside.data)[i] = storage
			return
		}
	}
	panic("execute: no variable " + name)
}

// Drop implements Executor.
func (y *Yaegi) Drop(names []string) {
	for _, n := range names {
		if y.inside.symbols.IsValid() {
			y.inside.symbols.SetMapIndex(reflect.ValueOf(n), reflect.Value{})
		}
	}
}

// Variable implements Executor.
func (y *Yaegi) Variable(name string) (reflect.Value, bool) {
	v, ok := y.it.Globals()[name]
	return v, ok
}
