package execute

import (
	"reflect"
	"strings"
)

type integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

type number interface {
	integer | ~float32 | ~float64
}

// operations on numbers, by the name of yaegi's maker.
func operation[T number](name string) func(a, b T) T {
	switch name {
	case "add", "addAssign", "inc":
		return func(a, b T) T { return a + b }
	case "sub", "subAssign", "dec":
		return func(a, b T) T { return a - b }
	case "mul", "mulAssign":
		return func(a, b T) T { return a * b }
	case "quo", "quoAssign":
		return func(a, b T) T { return a / b }
	}
	return nil
}

// integerOperation are those on integers only.
func integerOperation[T integer](name string) func(a, b T) T {
	switch name {
	case "rem", "remAssign":
		return func(a, b T) T { return a % b }
	case "and", "andAssign":
		return func(a, b T) T { return a & b }
	case "or", "orAssign":
		return func(a, b T) T { return a | b }
	case "xor", "xorAssign":
		return func(a, b T) T { return a ^ b }
	case "andNot", "andNotAssign":
		return func(a, b T) T { return a &^ b }
	}
	return operation[T](name)
}

// arithmetic is an operation on two operands of one type, whose result has that type.
func (in *instructions) arithmetic(n *node, name string, yaegi step) step {
	t := in.typeOf(n)
	if t == nil || n.fnext != nil {
		return nil
	}
	switch t.Kind() {
	case reflect.Int:
		return calculation(in, n, t, name, yaegi, integerOperation[int](name))
	case reflect.Int8:
		return calculation(in, n, t, name, yaegi, integerOperation[int8](name))
	case reflect.Int16:
		return calculation(in, n, t, name, yaegi, integerOperation[int16](name))
	case reflect.Int32:
		return calculation(in, n, t, name, yaegi, integerOperation[int32](name))
	case reflect.Int64:
		return calculation(in, n, t, name, yaegi, integerOperation[int64](name))
	case reflect.Uint:
		return calculation(in, n, t, name, yaegi, integerOperation[uint](name))
	case reflect.Uint8:
		return calculation(in, n, t, name, yaegi, integerOperation[uint8](name))
	case reflect.Uint16:
		return calculation(in, n, t, name, yaegi, integerOperation[uint16](name))
	case reflect.Uint32:
		return calculation(in, n, t, name, yaegi, integerOperation[uint32](name))
	case reflect.Uint64:
		return calculation(in, n, t, name, yaegi, integerOperation[uint64](name))
	case reflect.Float32:
		return calculation(in, n, t, name, yaegi, operation[float32](name))
	case reflect.Float64:
		return calculation(in, n, t, name, yaegi, operation[float64](name))
	}
	return nil
}

// calculation makes the instruction of n from operation do. With one operand, n is n++ or n--.
func calculation[T number](in *instructions, n *node, t reflect.Type, name string, yaegi step, do func(a, b T) T) step {
	word, then := typeWord(t), next(n.tnext)
	x, y, ok := in.operands(n, t)
	if !ok || do == nil {
		return nil
	}
	to := x // x += y
	if len(n.child) == 2 && !strings.HasSuffix(name, "Assign") {
		if n.findex < 0 || n.level < 0 {
			return nil
		}
		to = located{level: n.level, index: n.findex}
	}
	i, j, k := x.index, y.index, to.index
	if c := y.constant; c != nil && x.local() && to.local() {
		b := *(*T)(c.ptr)
		return func(f *frame) step {
			p, r := &f.data[i], &f.data[k]
			if p.typ != word || r.typ != word {
				return yaegi(f)
			}
			*(*T)(r.ptr) = do(*(*T)(p.ptr), b)
			return then
		}
	}
	if x.local() && y.local() && to.local() {
		return func(f *frame) step {
			p, q, r := &f.data[i], &f.data[j], &f.data[k]
			if p.typ != word || q.typ != word || r.typ != word {
				return yaegi(f)
			}
			*(*T)(r.ptr) = do(*(*T)(p.ptr), *(*T)(q.ptr))
			return then
		}
	}
	a, b, c := x.operand(), y.operand(), to.operand()
	return func(f *frame) step {
		p, q, r := a(f), b(f), c(f)
		if p.typ != word || q.typ != word || r.typ != word {
			return yaegi(f)
		}
		*(*T)(r.ptr) = do(*(*T)(p.ptr), *(*T)(q.ptr))
		return then
	}
}

// operands finds the operands of n, both of type t. The second of n++ is 1.
func (in *instructions) operands(n *node, t reflect.Type) (x, y located, ok bool) {
	if in.isEntry(n.child[0]) {
		return
	}
	if x, ok = in.locate(n.child[0], t); !ok {
		return
	}
	if len(n.child) == 2 {
		y, ok = in.locate(n.child[1], t)
		return
	}
	one := reflect.New(t).Elem()
	one.Set(reflect.ValueOf(1).Convert(t))
	return x, located{constant: slotOf(&one)}, x.constant == nil
}

// isEntry tells m[k], which is not a place.
func (in *instructions) isEntry(n *node) bool {
	if len(n.child) != 2 || n.child[0].typ == nil {
		return false
	}
	t := in.typeOf(n.child[0])
	return t != nil && t.Kind() == reflect.Map
}

// located says where a value is, or which it is.
type located struct {
	level, index int
	constant     *slot
}

func (l located) local() bool { return l.constant == nil && l.level == 0 }

func (l located) operand() operand {
	if c := l.constant; c != nil {
		return func(*frame) *slot { return c }
	}
	return at(l.level, l.index)
}

// locate finds the value of n, which must be of type t.
func (in *instructions) locate(n *node, t reflect.Type) (l located, ok bool) {
	if c, ok := constantOf(n, t); ok {
		return located{constant: slotOf(&c)}, true
	}
	if in.typeOf(n) != t {
		return l, false
	}
	l.level, l.index, ok = place(n)
	return l, ok
}

// comparison are the comparisons, by the name of yaegi's maker.
func comparison[T number | ~string](name string) func(a, b T) bool {
	switch name {
	case "lower":
		return func(a, b T) bool { return a < b }
	case "lowerEqual":
		return func(a, b T) bool { return a <= b }
	case "greater":
		return func(a, b T) bool { return a > b }
	case "greaterEqual":
		return func(a, b T) bool { return a >= b }
	case "equal":
		return func(a, b T) bool { return a == b }
	case "notEqual":
		return func(a, b T) bool { return a != b }
	}
	return nil
}

// comparing compares two operands of one type.
func (in *instructions) comparing(n *node, name string, yaegi step) step {
	t := in.typeOf(n.child[0])
	if n.child[0].rval.IsValid() {
		t = in.typeOf(n.child[1])
	}
	if t == nil || n.level < 0 || n.findex < 0 || in.typeOf(n) != reflect.TypeFor[bool]() {
		return nil
	}
	switch t.Kind() {
	case reflect.Int:
		return compare(in, n, t, yaegi, comparison[int](name))
	case reflect.Int8:
		return compare(in, n, t, yaegi, comparison[int8](name))
	case reflect.Int16:
		return compare(in, n, t, yaegi, comparison[int16](name))
	case reflect.Int32:
		return compare(in, n, t, yaegi, comparison[int32](name))
	case reflect.Int64:
		return compare(in, n, t, yaegi, comparison[int64](name))
	case reflect.Uint:
		return compare(in, n, t, yaegi, comparison[uint](name))
	case reflect.Uint8:
		return compare(in, n, t, yaegi, comparison[uint8](name))
	case reflect.Uint16:
		return compare(in, n, t, yaegi, comparison[uint16](name))
	case reflect.Uint32:
		return compare(in, n, t, yaegi, comparison[uint32](name))
	case reflect.Uint64:
		return compare(in, n, t, yaegi, comparison[uint64](name))
	case reflect.Float32:
		return compare(in, n, t, yaegi, comparison[float32](name))
	case reflect.Float64:
		return compare(in, n, t, yaegi, comparison[float64](name))
	case reflect.String:
		return compare(in, n, t, yaegi, comparison[string](name))
	}
	return nil
}

// compare makes the instruction of n from comparison do.
func compare[T number | ~string](in *instructions, n *node, t reflect.Type, yaegi step, do func(a, b T) bool) step {
	word, result, yes, no := typeWord(t), typeWord(reflect.TypeFor[bool]()), next(n.tnext), next(n.fnext)
	if n.fnext == nil {
		no = yes
	}
	x, ok1 := in.locate(n.child[0], t)
	y, ok2 := in.locate(n.child[1], t)
	if !ok1 || !ok2 || do == nil {
		return nil
	}
	to := at(n.level, n.findex)
	i, j := x.index, y.index
	if c := y.constant; c != nil && x.local() {
		b := *(*T)(c.ptr)
		return func(f *frame) step {
			p, r := &f.data[i], to(f)
			if p.typ != word || r.typ != result {
				return yaegi(f)
			}
			if *(*bool)(r.ptr) = do(*(*T)(p.ptr), b); *(*bool)(r.ptr) {
				return yes
			}
			return no
		}
	}
	if x.local() && y.local() {
		return func(f *frame) step {
			p, q, r := &f.data[i], &f.data[j], to(f)
			if p.typ != word || q.typ != word || r.typ != result {
				return yaegi(f)
			}
			if *(*bool)(r.ptr) = do(*(*T)(p.ptr), *(*T)(q.ptr)); *(*bool)(r.ptr) {
				return yes
			}
			return no
		}
	}
	a, b := x.operand(), y.operand()
	return func(f *frame) step {
		p, q, r := a(f), b(f), to(f)
		if p.typ != word || q.typ != word || r.typ != result {
			return yaegi(f)
		}
		if *(*bool)(r.ptr) = do(*(*T)(p.ptr), *(*T)(q.ptr)); *(*bool)(r.ptr) {
			return yes
		}
		return no
	}
}
