package execute

import (
	"errors"
	"go/token"
	"reflect"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// inside are the parts of an interpreter that yaegi does not export. Through them an interrupt can
// be taken back, so that closures made before it run again; compiling a unit leaves the variables
// of running goroutines where they are; and what is only needed to compile is released.
type inside struct {
	run     *uint64          // the number of the run; code of another number stops
	allowed uint64           // its value while code may run
	done    *chan struct{}   // with what is received from it, a channel operation stops
	data    *[]reflect.Value // the global variables
	types   *[]reflect.Type  // and their types
	made    int              // how many of them have been made
	roots   reflect.Value    // the tree of every unit, for yaegi's debugger
	scopes  []reflect.Value  // children of the scopes of all units, which nothing looks up
	symbols reflect.Value    // of package main, by name: map[string]*symbol
	all     reflect.Value    // scopes by package
}

// firstGlobals is for how many global variables there is room before they must be moved.
const firstGlobals = 1 << 14

var errInside = errors.New("execute: this version of yaegi is built differently inside")

// open finds the parts of it.
func open(it *interp.Interpreter) (*inside, error) {
	v := reflect.ValueOf(it).Elem()
	in := &inside{
		run: part[uint64](v, "id"), done: part[chan struct{}](v, "done"),
		data: part[[]reflect.Value](v, "frame", "data"), types: part[[]reflect.Type](v, "universe", "types"),
		roots: field(v, "roots"), all: field(v, "scopes"),
	}
	cancel := part[bool](v, "cancelChan")
	if in.run == nil || in.done == nil || in.data == nil || in.types == nil || cancel == nil || !in.roots.IsValid() || !in.all.IsValid() {
		return nil, errInside
	}
	in.scopes = append(in.scopes, field(v, "universe", "child"))
	in.allowed = *in.run
	*in.done = make(chan struct{})
	*cancel = true // channel operations can be interrupted
	in.made = len(*in.types)
	in.move(firstGlobals)
	return in, nil
}

// field gives a field, through pointers, so that it can be set; invalid when there is none.
func field(v reflect.Value, names ...string) reflect.Value {
	for _, name := range names {
		for v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return reflect.Value{}
			}
			v = reflect.NewAt(v.Type().Elem(), v.UnsafePointer()).Elem()
		}
		if v.Kind() != reflect.Struct {
			return reflect.Value{}
		}
		if v = v.FieldByName(name); !v.IsValid() {
			return v
		}
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
	}
	return v
}

// part gives the address of a field of type T, nil when there is none.
func part[T any](v reflect.Value, names ...string) *T {
	f := field(v, names...)
	if !f.IsValid() || f.Type() != reflect.TypeFor[T]() {
		return nil
	}
	return (*T)(f.Addr().UnsafePointer())
}

// begin is called before a unit is compiled.
func (in *inside) begin() {
	if !in.symbols.IsValid() {
		main := in.all.MapIndex(reflect.ValueOf("main"))
		if main.IsValid() {
			in.symbols = field(main, "sym")
			in.scopes = append(in.scopes, field(main, "child"))
		}
	}
}

// move makes room for n global variables. They keep their storage.
func (in *inside) move(n int) {
	data := make([]reflect.Value, n)
	copy(data, *in.data)
	for i, t := range (*in.types)[:in.made] {
		if !data[i].IsValid() {
			data[i] = reflect.New(t).Elem()
		}
	}
	*in.data = data
}

// grow makes the global variables of a unit. yaegi would move all global variables for each unit,
// while goroutines of earlier cells use them.
func (in *inside) grow() {
	n := len(*in.types)
	if n > len(*in.data) {
		in.move(2 * n)
	}
	for ; in.made < n; in.made++ {
		(*in.data)[in.made] = reflect.New((*in.types)[in.made]).Elem()
	}
}

// release drops what only compiling a unit needs.
func (in *inside) release(files *token.FileSet) {
	in.roots.SetZero()
	for _, s := range in.scopes {
		if s.IsValid() {
			s.SetZero()
		}
	}
	if f := files.File(token.Pos(files.Base() - 1)); f != nil {
		files.RemoveFile(f)
	}
	if !in.symbols.IsValid() {
		return
	}
	for _, k := range in.symbols.MapKeys() {
		for i := range len(k.String()) {
			if k.String()[i] == '/' { // the name by which one unit imports a package
				in.symbols.SetMapIndex(k, reflect.Value{})
				break
			}
		}
	}
}
