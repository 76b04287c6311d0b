package border

import (
	"context"
	"io"
	"os"
	"reflect"
	"sync"
	"sync/atomic"
)

// Runtime is what lowered code calls. One engine has one.
type Runtime struct {
	Types *Types

	// Stdout and Stderr are the variables os.Stdout and os.Stderr of the cells, Stdin the file that
	// os.Stdin is at first.
	Stdout, Stderr **os.File
	Stdin          *os.File
	// Flush hands on what was written to file 1 or 2, so that what follows on the other comes after.
	Flush func(file int32)
	last  atomic.Int32 // the file written to last
	// Reader gives standard input; it asks the front end when it is read.
	Reader io.Reader
	// Position is the number of the source position last passed by lowered code.
	Position *int
	// Place gives the file and line of a source position.
	Place func(position int) (file string, line int)
	// GoPanic is told of a panic that ended a goroutine of a cell.
	GoPanic func(*Run, *Raised)
	// Exit is told of os.Exit and the like before the code stops.
	Exit func(code int)

	methodsMu  sync.RWMutex
	methods    map[int]map[string]reflect.Value // by type number and name: func(receiver, arguments)
	tables     map[int]map[int]reflect.Value    // by dispatcher and type number
	numbers    sync.Map                         // reflect.Type to type number, -1 for compiled types
	ctx        atomic.Pointer[context.Context]
	overflow   atomic.Uint64 // the last index that was too large for an int
	answers    sync.Map      // question to bool, see Is
	Armed      atomic.Int32  // how many deferred calls look out for function values that recover
	armed      sync.Map      // goroutine number to *arming, see RecoverAny
	current    atomic.Pointer[Run]
	owners     sync.Map     // goroutine number to *Run
	goroutines atomic.Int64 // how many are in owners
}

// New makes a runtime over a numbering of types.
func New(ts *Types) *Runtime {
	rt := &Runtime{
		Types:    ts,
		Position: newMark(),
		methods:  map[int]map[string]reflect.Value{},
		tables:   map[int]map[int]reflect.Value{},
	}
	ctx := context.Background()
	rt.ctx.Store(&ctx)
	return rt
}

// turn notes that file 1 or 2 is written to.
func (rt *Runtime) turn(file int32) {
	if before := rt.last.Swap(file); before != file && before != 0 && rt.Flush != nil {
		rt.Flush(before)
	}
}

// SetContext makes ctx the one that blocking helpers watch.
func (rt *Runtime) SetContext(ctx context.Context) { rt.ctx.Store(&ctx) }

// Context is the running cell's context.
func (rt *Runtime) Context() context.Context { return *rt.ctx.Load() }

// number gives the number of the interpreted type of x, -1 when x is compiled.
func (rt *Runtime) number(x any) int {
	if b, ok := x.(Boxed); ok {
		return b.ID
	}
	if x == nil {
		return -1
	}
	r := reflect.TypeOf(x)
	if n, ok := rt.numbers.Load(r); ok {
		return n.(int)
	}
	n := -1
	if interpreted(r) {
		if t := rt.Types.TypeOf(x); t != nil {
			n = rt.Types.Number(t)
		}
	}
	rt.numbers.Store(r, n)
	return n
}

// raw is the lowered value in an interface.
func raw(x any) any {
	if b, ok := x.(Boxed); ok {
		return b.V
	}
	return x
}

// Register makes method name of type id callable from compiled code.
func (rt *Runtime) Register(id int, name string, f any) {
	rt.methodsMu.Lock()
	defer rt.methodsMu.Unlock()
	if rt.methods[id] == nil {
		rt.methods[id] = map[string]reflect.Value{}
	}
	rt.methods[id][name] = reflect.ValueOf(f)
}

// EnterMethod adds the method of type id to a dispatcher that earlier code uses.
func (rt *Runtime) EnterMethod(table, id int, f any) {
	rt.methodsMu.Lock()
	defer rt.methodsMu.Unlock()
	if rt.tables[table] == nil {
		rt.tables[table] = map[int]reflect.Value{}
	}
	rt.tables[table][id] = reflect.ValueOf(f)
}

// method finds a registered method of what x holds.
func (rt *Runtime) method(x any, name string) (reflect.Value, bool) {
	id := rt.number(x)
	if id < 0 {
		return reflect.Value{}, false
	}
	rt.methodsMu.RLock()
	defer rt.methodsMu.RUnlock()
	f, ok := rt.methods[id][name]
	return f, ok
}

// valueFor is x as a value assignable to t, also when x is nil.
func valueFor(x any, t reflect.Type) reflect.Value {
	if x == nil {
		return reflect.Zero(t)
	}
	return reflect.ValueOf(x)
}

// Call calls a method by name on an interface value that the dispatcher did not know when it was
// compiled: a value of a later cell's type, or a compiled one. results are in lowered form.
func (rt *Runtime) Call(table int, x any, name string, args []any) []any {
	if x == nil {
		rt.fail(nilDereference)
	}
	if id := rt.number(x); id >= 0 {
		defer rt.deeper(-1)() // the method is called by a function value, which is none of the cell's
		rt.methodsMu.RLock()
		f, ok := rt.tables[table][id]
		rt.methodsMu.RUnlock()
		if !ok {
			panic("border: no method " + name + " in " + rt.Types.dynamicName(x))
		}
		in := []reflect.Value{valueFor(raw(x), f.Type().In(0))}
		for i, a := range args {
			t := f.Type().In(i + 1)
			if t.Kind() != reflect.Interface {
				a = raw(a)
			}
			in = append(in, valueFor(a, t))
		}
		return interfaces(f.Call(in))
	}
	m := reflect.ValueOf(x).MethodByName(name)
	if !m.IsValid() {
		panic("border: no method " + name + " in " + rt.Types.dynamicName(x))
	}
	mt := m.Type()
	in := make([]reflect.Value, len(args))
	for i, a := range args {
		in[i] = rt.outValue(a, mt.In(i))
	}
	var out []reflect.Value
	if mt.IsVariadic() {
		out = m.CallSlice(in)
	} else {
		out = m.Call(in)
	}
	results := interfaces(out)
	for i := range results {
		if mt.Out(i).Kind() == reflect.Interface {
			results[i] = rt.In(results[i])
		}
	}
	return results
}

func interfaces(vs []reflect.Value) []any {
	r := make([]any, len(vs))
	for i, v := range vs {
		if v.IsValid() && v.CanInterface() {
			r[i] = v.Interface()
		}
	}
	return r
}
