package execute

import (
	"go/constant"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"unsafe"

	"github.com/traefik/yaegi/interp"
)

// Yaegi compiles a unit in two steps: it notes at every node of the syntax how its instruction is
// made, and then makes them. In between some instructions are replaced by ours: those on numbers,
// elements and declared functions, which thus take a part of the time, check what Go checks, and
// pass every argument as it is.

// instructions makes instructions for one interpreter.
type instructions struct {
	names   map[uintptr]string              // of yaegi's makers, by their place
	types   map[unsafe.Pointer]reflect.Type // by yaegi's description of the type
	itype   reflect.Type                    // of such a description
	run     *uint64                         // the number of the run; code of another number stops
	runtime *Runtime
	kinds
	keeping map[*node]bool // by function of the unit, see keeps
	refused error          // why the unit at hand cannot be run
	marks   marks          // of the unit at hand
	base    int            // where its text begins, as positions count
}

// Runtime is what instructions need of the runtime. Index and Nil are told of run-time errors at a
// source position, and panic.
type Runtime struct {
	Index func(position, index, length int)
	Nil   func(position int) // 0: the position that the code has noted last
	Large func(index uint64) // is told of an index that is too large for an int, before Index
	Armed *atomic.Int32      // not zero while Enter wants to know of calls of function values
	Enter func() (leave func())
}

const yaegiPath = "github.com/traefik/yaegi/interp."

// newInstructions checks that yaegi is built as our types say.
func newInstructions(it *interp.Interpreter, run *uint64, runtime *Runtime) (*instructions, error) {
	v := reflect.ValueOf(it).Elem()
	theirs := field(v, "roots").Type().Elem().Elem()
	sym, ok1 := theirs.FieldByName("sym")
	typ, ok2 := theirs.FieldByName("typ")
	frames := field(v, "frame")
	if !ok1 || !ok2 || !frames.IsValid() || frames.Kind() != reflect.Pointer || !slotsAlike() ||
		!alike(reflect.TypeFor[node](), theirs) || !alike(reflect.TypeFor[frame](), frames.Type().Elem()) || !alike(reflect.TypeFor[symbol](), sym.Type.Elem()) {
		return nil, errInside
	}
	kind, _ := theirs.FieldByName("kind")
	ks, ok := findKinds(kind.Type)
	if !ok {
		return nil, errInside
	}
	return &instructions{
		kinds: ks, keeping: map[*node]bool{}, names: map[uintptr]string{}, types: map[unsafe.Pointer]reflect.Type{}, itype: typ.Type.Elem(), run: run, runtime: runtime,
	}, nil
}

// makers has ours by the name of yaegi's.
func (in *instructions) maker(name string) maker {
	switch name {
	case "getIndexArray":
		return (*instructions).element
	case "add", "sub", "mul", "quo", "rem", "and", "or", "xor", "andNot", "inc", "dec",
		"addAssign", "subAssign", "mulAssign", "quoAssign", "remAssign", "andAssign", "orAssign", "xorAssign", "andNotAssign":
		return (*instructions).arithmetic
	case "lower", "lowerEqual", "greater", "greaterEqual", "equal", "notEqual":
		return (*instructions).comparing
	case "assign":
		return (*instructions).assign
	case "call":
		return (*instructions).call
	case "getFunc":
		return (*instructions).closure
	case "getIndexSeq", "getPtrIndexSeq", "getIndexSeqField":
		return (*instructions).field
	case "deref":
		return (*instructions).dereference
	case "_len":
		return (*instructions).length
	case "isNotNil", "isNilChild.func1":
		return (*instructions).nilTest
	case "convert":
		return (*instructions).convert
	}
	return nil
}

// maker makes the instruction of a node for which yaegi has made its own, nil when that is to stay.
// Ours leaves to yaegi's what it finds otherwise than expected.
type maker func(in *instructions, n *node, name string, yaegi step) step

// install replaces instructions of a compiled program.
func (in *instructions) install(p *interp.Program, base int, m marks) {
	in.marks, in.base, in.refused = m, base, nil
	clear(in.types)
	clear(in.keeping)
	var literals []*node
	root := *(**node)(field(reflect.ValueOf(p).Elem(), "root").Addr().UnsafePointer())
	seen := map[*node]bool{}
	var walk func(n *node)
	walk = func(n *node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		for _, c := range n.child {
			walk(c)
		}
		if in.replace(n); n.kind == in.literal && len(n.child) == 4 {
			literals = append(literals, n)
		}
	}
	walk(root)
	for _, n := range literals {
		generate(n.child[3].start)
	}
}

// generate makes the instructions of a function's body, as yaegi does it. Those that jump back to
// one that is being made find it when they run.
func generate(n *node) {
	if n == nil || n.exec != nil {
		return
	}
	seen := map[*node]bool{}
	var make func(n *node)
	make = func(n *node) {
		seen[n] = true
		for _, m := range []*node{n.tnext, n.fnext} {
			switch {
			case m == nil || m.exec != nil:
			case seen[m]:
				m.exec = func(f *frame) step { return m.exec(f) }
			default:
				make(m)
			}
		}
		n.gen(n)
	}
	make(n)
}

// replace makes n's instruction ours where we have one. Whether it fits is known only when yaegi
// makes it; where it does not fit, yaegi's own is made.
func (in *instructions) replace(n *node) {
	n.exec = nil // yaegi makes those of function literals early
	if n.gen == nil {
		return
	}
	original, name := n.gen, in.name(n.gen)
	make := in.maker(name)
	if make == nil {
		return
	}
	n.gen = func(n *node) {
		original(n)
		if s := make(in, n, name, n.exec); s != nil {
			n.exec = s
		}
	}
}

// name is the name of yaegi's maker.
func (in *instructions) name(gen func(*node)) string {
	pc := reflect.ValueOf(gen).Pointer()
	name, ok := in.names[pc]
	if !ok {
		if f := runtime.FuncForPC(pc); f != nil {
			name = strings.TrimPrefix(f.Name(), yaegiPath)
		}
		in.names[pc] = name
	}
	return name
}

// typeOf is the type of n's value, nil when it has none.
func (in *instructions) typeOf(n *node) reflect.Type {
	if n.typ == nil {
		return nil
	}
	t, ok := in.types[n.typ]
	if !ok {
		t, _ = reflect.NewAt(in.itype, n.typ).MethodByName("TypeOf").Call(nil)[0].Interface().(reflect.Type)
		in.types[n.typ] = t
	}
	return t
}

// positionOf is the source position that the unit's text notes before n.
func (in *instructions) positionOf(n *node) int { return in.marks.before(int(n.pos) - in.base) }

// next is the instruction made for n.
func next(n *node) step {
	if n == nil {
		return nil
	}
	return n.exec
}

// operand finds a value in a frame.
type operand func(*frame) *slot

// operandOf is where n's value is when its instruction has run; constants are of type t. It is nil
// for what only yaegi knows to find.
func (in *instructions) operandOf(n *node, t reflect.Type) operand {
	if c, ok := constantOf(n, t); ok {
		s := slotOf(&c)
		return func(*frame) *slot { return s }
	}
	level, index, ok := place(n)
	if !ok {
		return nil
	}
	return at(level, index)
}

// at finds slot index of the frame that is level frames out; -1 is the frame of global variables.
func at(level, index int) operand {
	switch level {
	case -1:
		return func(f *frame) *slot { return &f.root.data[index] }
	case 0:
		return func(f *frame) *slot { return &f.data[index] }
	case 1:
		return func(f *frame) *slot { return &f.anc.data[index] }
	}
	return func(f *frame) *slot {
		for range level {
			f = f.anc
		}
		return &f.data[index]
	}
}

// place tells where the value of n, not a constant, is.
func place(n *node) (level, index int, ok bool) {
	if n.rval.IsValid() {
		return 0, 0, false
	}
	if s := n.sym; s != nil {
		if s.index < 0 {
			return 0, 0, false
		}
		if s.global {
			return -1, s.index, true
		}
		return n.level, s.index, true
	}
	return n.level, n.findex, n.findex >= 0
}

// constantOf is the value of a constant as one of type t, or a compiled variable of that type.
func constantOf(n *node, t reflect.Type) (reflect.Value, bool) {
	if !n.rval.IsValid() || t == nil {
		return reflect.Value{}, false
	}
	if n.rval.Type() == t { // also a variable of compiled code, which is used where it lies
		return n.rval, n.rval.CanAddr() || basic(t.Kind())
	}
	v := reflect.New(t).Elem()
	if c, ok := n.rval.Interface().(constant.Value); ok {
		return v, setConstant(v, c)
	}
	if basic(n.rval.Kind()) && basic(t.Kind()) && n.rval.Kind() != reflect.String && t.Kind() != reflect.String && n.rval.CanConvert(t) {
		v.Set(n.rval.Convert(t))
		return v, true
	}
	return v, false
}

// basic tells booleans, numbers and strings.
func basic(k reflect.Kind) bool {
	return k >= reflect.Bool && k <= reflect.Complex128 || k == reflect.String
}

func setConstant(v reflect.Value, c constant.Value) bool {
	switch k := v.Kind(); {
	case k == reflect.Bool && c.Kind() == constant.Bool:
		v.SetBool(constant.BoolVal(c))
	case k == reflect.String && c.Kind() == constant.String:
		v.SetString(constant.StringVal(c))
	case v.CanInt():
		i, ok := constant.Int64Val(constant.ToInt(c))
		if !ok || v.OverflowInt(i) {
			return false
		}
		v.SetInt(i)
	case v.CanUint():
		i, ok := constant.Uint64Val(constant.ToInt(c))
		if !ok || v.OverflowUint(i) {
			return false
		}
		v.SetUint(i)
	case k == reflect.Float64:
		f, _ := constant.Float64Val(constant.ToFloat(c))
		v.SetFloat(f)
	default:
		return false
	}
	return true
}
