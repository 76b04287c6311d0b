package execute

import (
	"reflect"
	"sync/atomic"
)

// closure is a function literal: it makes a function of the variables around it as they are.
func (in *instructions) closure(n *node, _ string, _ step) step {
	t := in.typeOf(n)
	if t == nil || t.Kind() != reflect.Func || len(n.child) != 4 || n.level < 0 || n.findex < 0 || len(n.types) < t.NumOut()+t.NumIn() || t.IsVariadic() {
		return nil
	}
	c := &closing{in: in, def: n, typ: t, results: t.NumOut(), to: at(n.level, n.findex), then: next(n.tnext)}
	c.frames = plan(n.types, c.results, !in.keeps(n))
	return c.make
}

// closing makes functions of one literal.
type closing struct {
	in      *instructions
	def     *node
	typ     reflect.Type
	frames  *frames
	results int
	to      operand
	then    step
}

func (c *closing) make(f *frame) step {
	around := f.clone()
	v := reflect.MakeFunc(c.typ, func(args []reflect.Value) []reflect.Value { return c.call(around, args) })
	f.mutex.Lock()
	*c.to(f).value() = v
	f.mutex.Unlock()
	return c.then
}

// clone is a frame with the same variables, which stay its own when f gets others.
func (f *frame) clone() *frame {
	f.mutex.RLock()
	defer f.mutex.RUnlock()
	nf := &frame{id: atomic.LoadUint64(&f.id), debug: f.debug, root: f.root, anc: f.anc, deferred: f.deferred, recovered: f.recovered, done: f.done}
	nf.data = append([]slot{}, f.data...)
	return nf
}

// call calls a function of the literal with the variables around it.
func (c *closing) call(around *frame, args []reflect.Value) []reflect.Value {
	if c.in.runtime.Armed.Load() != 0 {
		defer c.in.runtime.Enter()()
	}
	r := c.frames.enter(around)
	results := make([]reflect.Value, c.results)
	for i := range results {
		results[i] = reflect.New(c.def.types[i]).Elem()
		r.data[i] = *slotOf(&results[i])
	}
	for i, a := range args {
		r.data[c.results+i].value().Set(a)
	}
	run, id := c.in.run, r.id
	for s := c.def.child[3].start.exec; s != nil && id == atomic.LoadUint64(run); {
		s = s(&r.frame)
	}
	c.frames.leave(r)
	return results
}
