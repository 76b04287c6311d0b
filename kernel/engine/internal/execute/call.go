package execute

import (
	"fmt"
	"reflect"
	"sync/atomic"
	"unsafe"
)

// call is a call of a declared function. Yaegi leaves out arguments that are zero, and takes a
// negative zero for one; here every argument is passed, and a call that is not as expected is
// refused. Since lowered code has no defer statements of yaegi's, panics need not stop at each frame.
func (in *instructions) call(n *node, _ string, yaegi step) step {
	def := in.declared(n.child[0])
	if def == nil {
		return nil // of a function value
	}
	t := in.typeOf(n.child[0])
	if n.anc == nil || n.anc.kind == in.goes || n.anc.kind == in.defers || t == nil || t.Kind() != reflect.Func || t.IsVariadic() ||
		t.NumIn() != len(n.child)-1 || len(def.child) != 4 || len(def.types) < t.NumOut()+t.NumIn() {
		in.refused = fmt.Errorf("execute: call of %s is not as expected", n.child[0].ident)
		return nil
	}
	k := calling{in: in, def: def, results: t.NumOut(), yes: next(n.tnext), no: next(n.fnext)}
	k.frames = plan(def.types, k.results, !in.keeps(def))
	for i := range k.results {
		k.to = append(k.to, in.result(n, i, def.types[i]))
	}
	for i, a := range n.child[1:] {
		p := def.types[k.results+i]
		from := in.argument(a, p)
		if from == nil {
			in.refused = fmt.Errorf("execute: argument %d of %s is not as expected", i+1, n.child[0].ident)
			return nil
		}
		k.arguments = append(k.arguments, argument{from, typeWord(p), mover(p)})
	}
	if n.fnext != nil {
		return k.branch
	}
	return k.plain
}

// declared is the declared function that n names, nil for others.
func (in *instructions) declared(n *node) *node {
	if n.sym == nil || n.sym.index >= 0 || n.sym.node == nil || n.sym.node.kind != in.declares {
		return nil
	}
	return n.sym.node
}

// result is where result i of call n goes.
func (in *instructions) result(n *node, i int, t reflect.Type) operand {
	switch kind := n.anc.kind; {
	case kind == in.returns:
		return at(0, n.findex+i)
	case (kind == in.definesAll || kind == in.assignsAll) && n.anc.child[i].ident == "_":
		return func(*frame) *slot { v := reflect.New(t).Elem(); return slotOf(&v) }
	}
	return at(n.level, n.findex+i)
}

// argument is an argument for a parameter of type t.
func (in *instructions) argument(n *node, t reflect.Type) operand {
	if x, ok := in.locate(n, t); ok {
		return x.operand()
	}
	if v := n.rval; v.IsValid() && v.Type().AssignableTo(t) { // a compiled function
		return func(*frame) *slot { return slotOf(&v) }
	}
	return in.operandOf(n, t)
}

// calling calls one function from one place.
type calling struct {
	in        *instructions
	def       *node
	to        []operand // where the results go
	arguments []argument
	frames    *frames
	results   int
	yes, no   step
}

type argument struct {
	from operand
	word unsafe.Pointer
	move func(to, from unsafe.Pointer) // nil: by package reflect
}

// run makes the call.
func (k *calling) run(f *frame) *room {
	nf := k.frames.enter(f)
	for i, to := range k.to {
		nf.data[i] = *to(f)
	}
	for i := range k.arguments {
		a := &k.arguments[i]
		from, to := a.from(f), &nf.data[k.results+i]
		switch {
		case from.typ != a.word || a.move == nil:
			pass(*to.value(), *from.value())
		case from.flag&indirect == 0:
			*(*unsafe.Pointer)(to.ptr) = from.ptr
		default:
			a.move(to.ptr, from.ptr)
		}
	}
	run, id := k.in.run, nf.id
	for s := k.def.child[3].start.exec; s != nil && id == atomic.LoadUint64(run); {
		s = s(&nf.frame)
	}
	return nf
}

// pass gives a parameter its argument. Yaegi's types that contain themselves are not always the
// same; their zero values need not be passed.
func pass(to, from reflect.Value) {
	if from.IsValid() && (from.Type() == to.Type() || from.Type().AssignableTo(to.Type()) || !from.IsZero()) {
		to.Set(from)
	}
}

func (k *calling) plain(f *frame) step {
	k.frames.leave(k.run(f))
	return k.yes
}

// branch is a call whose result decides a branch.
func (k *calling) branch(f *frame) step {
	nf := k.run(f)
	result := *(*bool)(nf.data[0].ptr)
	k.frames.leave(nf)
	if result {
		return k.yes
	}
	return k.no
}

// mover copies a value of type t, nil for types that package reflect must copy.
func mover(t reflect.Type) func(to, from unsafe.Pointer) {
	switch t.Kind() {
	case reflect.Bool, reflect.Int8, reflect.Uint8:
		return move[uint8]
	case reflect.Int16, reflect.Uint16:
		return move[uint16]
	case reflect.Int32, reflect.Uint32, reflect.Float32:
		return move[uint32]
	case reflect.Int, reflect.Uint, reflect.Int64, reflect.Uint64, reflect.Float64, reflect.Uintptr:
		return move[uint64]
	case reflect.String:
		return move[string]
	case reflect.Slice:
		return move[header]
	case reflect.Pointer, reflect.Map, reflect.Chan, reflect.Func:
		return move[unsafe.Pointer]
	case reflect.Interface:
		if t == reflect.TypeFor[any]() {
			return move[any]
		}
	}
	return nil
}

func move[T any](to, from unsafe.Pointer) { *(*T)(to) = *(*T)(from) }
