package execute

import (
	"reflect"
	"unsafe"
)

// convert is T(x) for integers and floats.
func (in *instructions) convert(n *node, _ string, yaegi step) step {
	if len(n.child) != 2 || n.fnext != nil || n.level < 0 || n.findex < 0 {
		return nil
	}
	from, to := in.typeOf(n.child[1]), in.typeOf(n)
	if from == nil || to == nil || n.child[1].rval.IsValid() || !numeric(from.Kind()) || !numeric(to.Kind()) {
		return nil
	}
	do := conversion(from.Kind(), to.Kind())
	x := in.operandOf(n.child[1], from)
	if x == nil || do == nil {
		return nil
	}
	a, b, r, then := typeWord(from), typeWord(to), at(n.level, n.findex), next(n.tnext)
	return func(f *frame) step {
		p, q := x(f), r(f)
		if p.typ != a || q.typ != b {
			return yaegi(f)
		}
		do(q.ptr, p.ptr)
		return then
	}
}

func numeric(k reflect.Kind) bool { return k >= reflect.Int && k <= reflect.Float64 }

// conversion converts between memory of two kinds.
func conversion(from, to reflect.Kind) func(to, from unsafe.Pointer) {
	switch from {
	case reflect.Int, reflect.Int64:
		return converting[int64](to)
	case reflect.Int8:
		return converting[int8](to)
	case reflect.Int16:
		return converting[int16](to)
	case reflect.Int32:
		return converting[int32](to)
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return converting[uint64](to)
	case reflect.Uint8:
		return converting[uint8](to)
	case reflect.Uint16:
		return converting[uint16](to)
	case reflect.Uint32:
		return converting[uint32](to)
	case reflect.Float32:
		return converting[float32](to)
	case reflect.Float64:
		return converting[float64](to)
	}
	return nil
}

func converting[A number](to reflect.Kind) func(to, from unsafe.Pointer) {
	switch to {
	case reflect.Int, reflect.Int64:
		return converted[int64, A]
	case reflect.Int8:
		return converted[int8, A]
	case reflect.Int16:
		return converted[int16, A]
	case reflect.Int32:
		return converted[int32, A]
	case reflect.Uint, reflect.Uint64, reflect.Uintptr:
		return converted[uint64, A]
	case reflect.Uint8:
		return converted[uint8, A]
	case reflect.Uint16:
		return converted[uint16, A]
	case reflect.Uint32:
		return converted[uint32, A]
	case reflect.Float32:
		return converted[float32, A]
	case reflect.Float64:
		return converted[float64, A]
	}
	return nil
}

func converted[B, A number](to, from unsafe.Pointer) { *(*B)(to) = B(*(*A)(from)) }
