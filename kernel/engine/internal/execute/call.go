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
	k.room(k.def.types[k.results:])
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
	results   int
	yes, no   step

	locals                                         []local
	numbers, pointers, strings, slices, interfaces int // how many of the locals are of these kinds
}

type argument struct {
	from operand
	word unsafe.Pointer
	move func(to, from unsafe.Pointer) // nil: by package reflect
}

// local is a parameter or a variable of a function: the slot without its place, and which of its
// kind it is.
type local struct {
	slot  slot
	pool  pool
	index int
	typ   reflect.Type
}

// pool is where a variable gets its memory from.
type pool uint8

const (
	alone pool = iota
	numberPool
	pointerPool
	stringPool
	slicePool
	interfacePool
)

// room plans the memory of a function's variables: those of a kind lie together.
func (k *calling) room(ts []reflect.Type) {
	for _, t := range ts {
		l := local{slot: placeOf(t), typ: t}
		var n *int
		switch kind := t.Kind(); {
		case kind >= reflect.Bool && kind <= reflect.Float64:
			l.pool, n = numberPool, &k.numbers
		case kind == reflect.Pointer || kind == reflect.Map || kind == reflect.Chan || kind == reflect.Func:
			l.pool, n = pointerPool, &k.pointers
		case kind == reflect.String:
			l.pool, n = stringPool, &k.strings
		case kind == reflect.Slice:
			l.pool, n = slicePool, &k.slices
		case t == reflect.TypeFor[any]():
			l.pool, n = interfacePool, &k.interfaces
		}
		if n != nil {
			l.index = *n
			*n++
		}
		k.locals = append(k.locals, l)
	}
}

// enter makes the frame of a call, without its arguments.
func (k *calling) enter(f *frame) *frame {
	nf := &frame{id: atomic.LoadUint64(&f.id), root: f.root, anc: f, done: f.done, data: make([]slot, k.results+len(k.locals))}
	for i, to := range k.to {
		nf.data[i] = *to(f)
	}
	var numbers []uint64
	var pointers []unsafe.Pointer
	var strings []string
	var slices []header
	var interfaces []any
	if k.numbers > 0 {
		numbers = make([]uint64, k.numbers)
	}
	if k.pointers > 0 {
		pointers = make([]unsafe.Pointer, k.pointers)
	}
	if k.strings > 0 {
		strings = make([]string, k.strings)
	}
	if k.slices > 0 {
		slices = make([]header, k.slices)
	}
	if k.interfaces > 0 {
		interfaces = make([]any, k.interfaces)
	}
	data := nf.data[k.results:]
	for i := range k.locals {
		l := &k.locals[i]
		data[i] = l.slot
		switch l.pool {
		case numberPool:
			data[i].ptr = unsafe.Pointer(&numbers[l.index])
		case pointerPool:
			data[i].ptr = unsafe.Pointer(&pointers[l.index])
		case stringPool:
			data[i].ptr = unsafe.Pointer(&strings[l.index])
		case slicePool:
			data[i].ptr = unsafe.Pointer(&slices[l.index])
		case interfacePool:
			data[i].ptr = unsafe.Pointer(&interfaces[l.index])
		default:
			v := reflect.New(l.typ).Elem()
			data[i] = *slotOf(&v)
		}
	}
	return nf
}

// run makes the call. It is false when an argument is not as expected.
func (k *calling) run(f *frame) (*frame, bool) {
	for i := range k.arguments {
		if a := &k.arguments[i]; a.from(f).typ != a.word {
			return nil, false
		}
	}
	nf := k.enter(f)
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
		s = s(nf)
	}
	return nf, true
}

func (k *calling) plain(f *frame) step {
	if _, ok := k.run(f); !ok {
		return k.yaegi(f)
	}
	return k.yes
}

// branch is a call whose result decides a branch.
func (k *calling) branch(f *frame) step {
	nf, ok := k.run(f)
	switch {
	case !ok:
		return k.yaegi(f)
	case *(*bool)(nf.data[0].ptr):
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
