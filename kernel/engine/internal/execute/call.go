package execute

import (
	"reflect"
	"sync/atomic"
	"unsafe"
)

// call is a call of a declared function. Yaegi leaves out arguments that are zero, and takes a
// negative zero for one; here every argument is passed. Since lowered code has no defer statements
// of yaegi's, panics need not stop at each frame.
func (in *instructions) call(n *node, _ string, yaegi step) step {
	c := n.child[0]
	if n.anc == nil || n.anc.kind == in.goes || n.anc.kind == in.defers || c.sym == nil || c.sym.index >= 0 || c.sym.node == nil || c.sym.node.kind != in.declares || c.recv != nil {
		return nil
	}
	t := in.typeOf(c)
	if t == nil || t.Kind() != reflect.Func || t.IsVariadic() || t.NumIn() != len(n.child)-1 {
		return nil
	}
	k := calling{in: in, def: c.sym.node, yaegi: yaegi, results: t.NumOut(), yes: next(n.tnext), no: next(n.fnext)}
	if len(k.def.child) != 4 || len(k.def.types) < t.NumOut()+t.NumIn() {
		return nil
	}
	k.frames = plan(k.def.types, k.results, !in.keeps(k.def))
	for i := range k.results {
		r := at(n.level, n.findex+i)
		if n.anc.kind == in.returns {
			r = at(0, n.findex+i)
		}
		if (n.anc.kind == in.definesAll || n.anc.kind == in.assignsAll) && n.anc.child[i].ident == "_" {
			t := k.def.types[i]
			r = func(*frame) *slot { v := reflect.New(t).Elem(); return slotOf(&v) }
		}
		k.to = append(k.to, r)
	}
	for i, a := range n.child[1:] {
		p := k.def.types[k.results+i]
		from, ok := in.locate(a, p)
		if !ok {
			return nil
		}
		k.arguments = append(k.arguments, argument{from.operand(), typeWord(p), mover(p)})
	}
	if n.fnext != nil {
		return k.branch
	}
	return k.plain
}

// calling calls one function from one place.
type calling struct {
	in        *instructions
	def       *node
	yaegi     step
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

// run makes the call. It is false when an argument is not as expected.
func (k *calling) run(f *frame) (*room, bool) {
	for i := range k.arguments {
		if a := &k.arguments[i]; a.from(f).typ != a.word {
			return nil, false
		}
	}
	nf := k.frames.enter(f)
	for i, to := range k.to {
		nf.data[i] = *to(f)
	}
	for i := range k.arguments {
		a := &k.arguments[i]
		from, to := a.from(f), &nf.data[k.results+i]
		switch {
		case a.move == nil:
			to.value().Set(*from.value())
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
	return nf, true
}

func (k *calling) plain(f *frame) step {
	nf, ok := k.run(f)
	if !ok {
		return k.yaegi(f)
	}
	k.frames.leave(nf)
	return k.yes
}

// branch is a call whose result decides a branch.
func (k *calling) branch(f *frame) step {
	nf, ok := k.run(f)
	if !ok {
		return k.yaegi(f)
	}
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
