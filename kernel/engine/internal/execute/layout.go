package execute

import (
	"fmt"
	"go/token"
	"reflect"
	"sync"
	"unsafe"
)

//lint:file-ignore U1000 most fields are here only to be where yaegi's are

// node, frame, symbol and slot are yaegi's types as they lie in memory, so that instructions of our
// own can stand in the place of yaegi's. alike compares them before anything is done with them.

// step is one instruction: it works on a frame and gives the next, nil at the end of the function.
type step func(*frame) step

// frame holds the variables and temporaries of one call.
type frame struct {
	id        uint64
	debug     unsafe.Pointer
	root, anc *frame
	data      []slot
	mutex     sync.RWMutex
	deferred  [][]reflect.Value
	recovered any
	done      reflect.SelectCase
}

// slot is a reflect.Value: where a value of type typ lies.
type slot struct {
	typ, ptr unsafe.Pointer
	flag     uintptr
}

// Flags of a slot, beside the kind.
const (
	indirect    uintptr = 1 << 7 // ptr points to the value, else it is the value
	addressable uintptr = 1 << 8
	kindMask    uintptr = 1<<5 - 1
)

// node is a piece of syntax and its instruction.
type node struct {
	debug               unsafe.Pointer
	child               []*node
	anc                 *node
	param               []unsafe.Pointer
	start, tnext, fnext *node
	interp              unsafe.Pointer
	index               int64
	findex, level       int // where its value is: the index in the frame, and how many frames out
	nleft, nright       int
	kind                uint
	pos                 token.Pos
	sym                 *symbol
	typ                 unsafe.Pointer
	recv                unsafe.Pointer
	types               []reflect.Type
	scope               unsafe.Pointer
	action              uint
	exec                step
	gen                 func(*node)
	val                 any
	rval                reflect.Value
	ident               string
	redeclared          bool
	meta                any
}

type symbol struct {
	kind    uint
	typ     unsafe.Pointer
	node    *node
	from    []*node
	recv    unsafe.Pointer
	index   int
	rval    reflect.Value
	builtin func(*node)
	global  bool
}

// value is a slot as package reflect sees it.
func (s *slot) value() *reflect.Value { return (*reflect.Value)(unsafe.Pointer(s)) }

// slotOf is a value as the instructions see it.
func slotOf(v *reflect.Value) *slot { return (*slot)(unsafe.Pointer(v)) }

// typeWord is the pointer by which slots name type t.
func typeWord(t reflect.Type) unsafe.Pointer {
	v := reflect.Zero(t)
	return slotOf(&v).typ
}

// placeOf is what a slot for a new variable of type t has, but for the pointer.
func placeOf(t reflect.Type) slot {
	return slot{typ: typeWord(t), flag: uintptr(t.Kind()) | indirect | addressable}
}

// alike tells whether two struct types lie alike in memory: the same fields at the same places.
// Fields that are pointers, functions or unnamed there may be opaque here.
func alike(ours, theirs reflect.Type) bool {
	if ours.Kind() != reflect.Struct || theirs.Kind() != reflect.Struct || ours.NumField() != theirs.NumField() || ours.Size() != theirs.Size() {
		return false
	}
	for i := range ours.NumField() {
		a, b := ours.Field(i), theirs.Field(i)
		if a.Name != b.Name || a.Offset != b.Offset || a.Type.Size() != b.Type.Size() {
			return false
		}
		k, l := a.Type.Kind(), b.Type.Kind()
		if k != l && !(k == reflect.UnsafePointer && l == reflect.Pointer) {
			return false
		}
		if k == reflect.Slice && a.Type.Elem().Size() != b.Type.Elem().Size() {
			return false
		}
	}
	return true
}

// slotsAlike tells whether package reflect keeps values as slot does.
func slotsAlike() bool {
	x := 7
	v := reflect.ValueOf(&x).Elem()
	s := slotOf(&v)
	p := reflect.ValueOf(&x)
	q := slotOf(&p)
	return unsafe.Sizeof(v) == unsafe.Sizeof(*s) && s.ptr == unsafe.Pointer(&x) && s.flag == uintptr(reflect.Int)|indirect|addressable &&
		q.ptr == unsafe.Pointer(&x) && q.flag == uintptr(reflect.Pointer) && s.typ == typeWord(reflect.TypeFor[int]())
}

// kinds are the numbers of kinds of node.
type kinds struct {
	define, definesAll, assignsAll, literal, declares, goes, defers, returns, address, composite, slices, identifies, calls uint
}

// findKinds finds them by the names that yaegi's type of such numbers gives.
func findKinds(t reflect.Type) (k kinds, ok bool) {
	names := map[string]*uint{
		"defineStmt": &k.define, "defineXStmt": &k.definesAll, "assignXStmt": &k.assignsAll, "funcLit": &k.literal,
		"funcDecl": &k.declares, "goStmt": &k.goes, "deferStmt": &k.defers, "returnStmt": &k.returns,
		"addressExpr": &k.address, "compositeLitExpr": &k.composite, "sliceExpr": &k.slices, "identExpr": &k.identifies, "callExpr": &k.calls,
	}
	for i := range uint(200) {
		name := fmt.Sprint(reflect.ValueOf(i).Convert(t).Interface())
		if p := names[name]; p != nil {
			*p = i
			delete(names, name)
		}
	}
	return k, len(names) == 0
}
