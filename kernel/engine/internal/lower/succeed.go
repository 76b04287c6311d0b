package lower

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// Successors says which types take the place of earlier ones that differ from them in methods only.
type Successors map[*types.Named]*types.Named

// Successor gives t with the new types in place of the earlier ones, and t itself without any.
func (g *Lowerer) Successor(t types.Type, s Successors) types.Type {
	return (&environment{g: g, successors: s}).subst(t)
}

// Succeed makes values of earlier types values of the new ones. methods are the names of those
// that are new: calls of them through interfaces are lowered anew.
func (g *Lowerer) Succeed(s Successors, methods map[string]bool) {
	next := func(t types.Type) types.Type { return g.Successor(t, s) }
	changed, undo := g.types.Succeed(next)
	g.undo = append(g.undo, undo)
	g.runtime.Forget()
	for _, m := range []*typeutil.Map{g.texts, g.isBoxed, g.isShown} {
		for _, t := range m.Keys() {
			if n := next(t); m.At(n) == nil {
				keepType(g, m, n, m.At(t))
			}
		}
	}
	for _, l := range []*[]types.Type{&g.boxed, &g.shown} {
		before := slices.Clone(*l)
		g.undo = append(g.undo, func() { *l = before })
		for i, t := range *l {
			(*l)[i] = next(t)
		}
	}
	g.forgetCalls(changed, methods)
}

// forgetCalls drops what lowered code knows of the methods of types, given by their numbers.
func (g *Lowerer) forgetCalls(numbers map[int]bool, methods map[string]bool) {
	registered, instances, dispatchers := maps.Clone(g.registered), maps.Clone(g.instances), maps.Clone(g.dispatchers)
	g.undo = append(g.undo, func() { g.registered, g.instances, g.dispatchers = registered, instances, dispatchers })
	maps.DeleteFunc(g.registered, func(k string, _ bool) bool {
		n := 0
		fmt.Sscanf(k, "%d.", &n)
		return numbers[n]
	})
	maps.DeleteFunc(g.instances, func(k, _ string) bool {
		for _, f := range strings.Split(k, ",")[1:] {
			n := 0
			if fmt.Sscan(f, &n); numbers[n] {
				return true
			}
		}
		return false
	})
	maps.DeleteFunc(g.dispatchers, func(_ string, d *dispatcher) bool { return methods[d.method.Name()] })
	for _, d := range g.dispatchers {
		seen := maps.Clone(d.seen)
		g.undo = append(g.undo, func() { d.seen = seen })
		maps.DeleteFunc(d.seen, func(n int, _ bool) bool { return numbers[n] })
	}
}
