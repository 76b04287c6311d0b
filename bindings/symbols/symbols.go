// Package symbols makes compiled packages reachable from cells: all exported, non-generic names
// of the standard library, of gonum and gonum/plot, and of this module's svm, check, display,
// plotting and solvers, as reflection values.
//
// The tables are generated; after a change of Go, of a dependency or of our own exported names:
//
//	go generate ./bindings/symbols
//
// Names that depend on the platform (package syscall) are kept for 64-bit Linux, macOS and
// Windows. Left out are unsafe, plugin and packages without names. Generic functions and types
// have no value before they are instantiated; the engine compiles them from source.
package symbols

import (
	"reflect"

	"github.com/gonb-svm/gonb-svm/bindings/symbols/own"
	"github.com/gonb-svm/gonb-svm/bindings/symbols/scientific"
	"github.com/gonb-svm/gonb-svm/bindings/symbols/standard"
)

//go:generate go run ./generate

// Symbols makes the table of every bound package, in the form that yaegi's Use takes: import
// path and package name joined by a slash, then the exported name. Functions, constants and
// variables stand for themselves (variables addressable, untyped constants as constant.Value),
// types as nil pointers to them. "_Name" is the wrapper by which an interpreted type implements
// the interface Name. The entry "." holds MapTypes.
//
// Each call makes new maps, which the caller may change.
func Symbols() map[string]map[string]reflect.Value {
	all := map[string]map[string]reflect.Value{}
	for _, group := range []map[string]func() map[string]reflect.Value{standard.Tables(), scientific.Tables(), own.Tables()} {
		for name, table := range group {
			all[name] = table()
		}
	}
	all["."] = map[string]reflect.Value{"MapTypes": reflect.ValueOf(mapTypes(all))}
	return all
}
