package mirror

import (
	"go/types"
	"reflect"
)

// signature is the function's type, nil when it is not known.
func (t *rtype) signature() *types.Signature {
	if t.t == nil {
		return nil
	}
	return t.t.Underlying().(*types.Signature)
}

func (t *rtype) IsVariadic() bool {
	t.mustBe(reflect.Func, "IsVariadic")
	if s := t.signature(); s != nil {
		return s.Variadic()
	}
	return t.r.IsVariadic()
}

func (t *rtype) NumIn() int {
	t.mustBe(reflect.Func, "NumIn")
	return t.r.NumIn()
}

func (t *rtype) NumOut() int {
	t.mustBe(reflect.Func, "NumOut")
	return t.r.NumOut()
}

func (t *rtype) In(i int) Type {
	t.mustBe(reflect.Func, "In")
	return t.in(i)
}

func (t *rtype) in(i int) *rtype {
	if s := t.signature(); s != nil {
		return t.m.typed(s.Params().At(i).Type(), t.r.In(i))
	}
	return t.m.typed(nil, t.r.In(i))
}

func (t *rtype) Out(i int) Type {
	t.mustBe(reflect.Func, "Out")
	return t.out(i)
}

func (t *rtype) out(i int) *rtype {
	if s := t.signature(); s != nil {
		return t.m.typed(s.Results().At(i).Type(), t.r.Out(i))
	}
	return t.m.typed(nil, t.r.Out(i))
}
