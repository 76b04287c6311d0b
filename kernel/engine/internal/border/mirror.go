package border

import (
	"go/types"
	"reflect"

	"github.com/gonb-svm/gonb-svm/kernel/engine/internal/mirror"
)

// host is the runtime as package mirror sees it.
type host struct{ rt *Runtime }

func (h host) TypeOf(x any) types.Type                { return h.rt.Types.TypeOf(x) }
func (h host) Number(t types.Type) int                { return h.rt.Types.Number(t) }
func (h host) Reflect(t types.Type) reflect.Type      { return h.rt.Types.Reflect(t) }
func (h host) Name(t types.Type) string               { return name(t) }
func (h host) Hold(t types.Type, v reflect.Value) any { return h.rt.box(t, v) }
func (h host) Bare(x any) any                         { return raw(x) }
func (h host) Inward(x any) any                       { return h.rt.In(x) }
func (h host) Shown(x any) any                        { return h.rt.Show(x) }

func (h host) Fit(x any, r reflect.Type) reflect.Value { return h.rt.outValue(x, r) }

func (h host) MethodOf(t types.Type, name string) (reflect.Value, bool) {
	n := h.rt.Types.Number(t)
	h.rt.methodsMu.RLock()
	defer h.rt.methodsMu.RUnlock()
	f, ok := h.rt.methods[n][name]
	return f, ok
}

// Reflection gives the symbols of package reflect as cells use it, from the real ones.
func (rt *Runtime) Reflection(real map[string]reflect.Value) map[string]reflect.Value {
	own := mirror.New(host{rt}).Symbols()
	for name, v := range real {
		if _, ok := own[name]; !ok && name[0] != '_' {
			own[name] = v
		}
	}
	return own
}

// mirrored is the path of the package in place of reflect.
var mirrored = reflect.TypeFor[mirror.Value]().PkgPath()
