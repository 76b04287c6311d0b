package execute

import (
	"reflect"
	"sync"
	"sync/atomic"
	"unsafe"
)

// frames makes the frames of calls of one function from one place. The variables of a kind lie
// together. Where nothing can hold on to a variable of the function, its frames are used again.
type frames struct {
	results int
	locals  []local

	numbers, pointers, strings, slices, interfaces, others int // how many of the locals are of these kinds

	free *sync.Pool // of *room, nil when every call needs variables of its own
}

// local is a parameter or variable of a function: its slot without its place, and where that is.
type local struct {
	slot  slot
	pool  pool
	index int
	typ   reflect.Type
}

// pool is where a variable gets its memory from.
type pool uint8

const (
	numberPool pool = iota
	pointerPool
	stringPool
	slicePool
	interfacePool
	otherPool
)

// room is a frame with the memory of its variables.
type room struct {
	frame
	numbers    []uint64
	pointers   []unsafe.Pointer
	strings    []string
	slices     []header
	interfaces []any
	others     []reflect.Value
}

// plan plans frames for variables of types ts, the first of which are results, whose memory the
// caller gives.
func plan(ts []reflect.Type, results int, again bool) *frames {
	fs := &frames{results: results}
	for _, t := range ts[results:] {
		l := local{slot: placeOf(t), typ: t}
		n := &fs.others
		switch k := t.Kind(); {
		case k >= reflect.Bool && k <= reflect.Float64:
			l.pool, n = numberPool, &fs.numbers
		case k == reflect.Pointer || k == reflect.Map || k == reflect.Chan || k == reflect.Func:
			l.pool, n = pointerPool, &fs.pointers
		case k == reflect.String:
			l.pool, n = stringPool, &fs.strings
		case k == reflect.Slice:
			l.pool, n = slicePool, &fs.slices
		case t == reflect.TypeFor[any]():
			l.pool, n = interfacePool, &fs.interfaces
		default:
			l.pool = otherPool
		}
		l.index = *n
		*n++
		fs.locals = append(fs.locals, l)
	}
	if again {
		fs.free = &sync.Pool{}
	}
	return fs
}

// enter gives a frame for a call from f, its variables zero and its results without a place.
func (fs *frames) enter(f *frame) *room {
	var r *room
	if fs.free != nil {
		r, _ = fs.free.Get().(*room)
	}
	if r == nil {
		r = fs.room()
	} else {
		r.clear()
	}
	r.id, r.root, r.anc, r.done = atomic.LoadUint64(&f.id), f.root, f, f.done
	data := r.data[fs.results:]
	for i := range fs.locals {
		l, p := &fs.locals[i], &data[i]
		*p = l.slot
		switch l.pool {
		case numberPool:
			p.ptr = unsafe.Pointer(&r.numbers[l.index])
		case pointerPool:
			p.ptr = unsafe.Pointer(&r.pointers[l.index])
		case stringPool:
			p.ptr = unsafe.Pointer(&r.strings[l.index])
		case slicePool:
			p.ptr = unsafe.Pointer(&r.slices[l.index])
		case interfacePool:
			p.ptr = unsafe.Pointer(&r.interfaces[l.index])
		case otherPool:
			*p = *slotOf(&r.others[l.index])
		}
	}
	return r
}

// leave gives a frame back after a call that ended by itself.
func (fs *frames) leave(r *room) {
	if fs.free != nil {
		r.anc = nil
		fs.free.Put(r)
	}
}

func (fs *frames) room() *room {
	r := &room{}
	r.data = make([]slot, fs.results+len(fs.locals))
	r.numbers = make([]uint64, fs.numbers)
	r.pointers = make([]unsafe.Pointer, fs.pointers)
	r.strings = make([]string, fs.strings)
	r.slices = make([]header, fs.slices)
	r.interfaces = make([]any, fs.interfaces)
	for _, l := range fs.locals {
		if l.pool == otherPool {
			r.others = append(r.others, reflect.New(l.typ).Elem())
		}
	}
	return r
}

func (r *room) clear() {
	clear(r.numbers)
	clear(r.pointers)
	clear(r.strings)
	clear(r.slices)
	clear(r.interfaces)
	for _, v := range r.others {
		v.SetZero()
	}
}

// keeps tells whether something may hold on to a variable of function def after its call, or to
// the variable of one iteration of a loop: closures, and pointers to variables.
func (in *instructions) keeps(def *node) bool {
	if k, ok := in.keeping[def]; ok {
		return k
	}
	k := in.keepsIn(def.child[3], def)
	in.keeping[def] = k
	return k
}

func (in *instructions) keepsIn(n, parent *node) bool {
	switch {
	case n.kind == in.literal || n.kind == in.goes || n.kind == in.defers:
		return true
	case n.kind == in.address:
		if n.child[0].kind != in.composite { // whose value has a place of its own
			return true
		}
	case n.kind == in.slices:
		if t := in.typeOf(n.child[0]); t == nil || t.Kind() == reflect.Array {
			return true
		}
	case n.kind == in.identifies && n.sym != nil && n.sym.index < 0 && n.sym.node != nil && n.sym.node.kind == in.declares:
		return parent.kind != in.calls || parent.child[0] != n // a declared function as a value holds the frame
	}
	for _, c := range n.child {
		if in.keepsIn(c, n) {
			return true
		}
	}
	return false
}

// function is the function that n is in, nil outside functions.
func (in *instructions) function(n *node) *node {
	for n = n.anc; n != nil; n = n.anc {
		if n.kind == in.declares || n.kind == in.literal {
			return n
		}
	}
	return nil
}
