package border

import (
	"fmt"
	"go/types"
	"reflect"
	"sort"
	"strings"
)

// printer writes interpreted values as package fmt writes compiled ones: by their Go types.
type printer struct {
	rt       *Runtime
	state    fmt.State
	spec     string // the verb with its flags, for the leaves
	verb     rune
	plus     bool // field names
	sharp    bool // Go syntax
	reveal   bool // inside an unexported field: methods are not called
	visiting int
}

func (rt *Runtime) format(state fmt.State, spec string, verb rune, x any) string {
	p := &printer{rt: rt, state: state, spec: spec, verb: verb}
	p.sharp = strings.Contains(spec, "#") && verb == 'v'
	p.plus = strings.Contains(spec, "+") && verb == 'v'
	return p.any(x, 0)
}

// any prints what an interface holds.
func (p *printer) any(x any, depth int) string {
	if x == nil {
		if depth > 0 || p.verb == 'v' {
			return p.pad("<nil>")
		}
		return fmt.Sprintf(p.spec, nil)
	}
	if p.rt.number(x) < 0 && !p.rt.needsFormat(x) {
		return p.leaf(reflect.ValueOf(x), depth)
	}
	return p.value(p.rt.Types.TypeOf(x), reflect.ValueOf(raw(x)), depth)
}

func (p *printer) pad(s string) string {
	width, ok := p.state.Width()
	if !ok {
		return s
	}
	if p.state.Flag('-') {
		return fmt.Sprintf("%-*s", width, s)
	}
	return fmt.Sprintf("%*s", width, s)
}

// value prints v of Go type t.
func (p *printer) value(t types.Type, v reflect.Value, depth int) string {
	if t == nil {
		if v.IsValid() && v.Kind() == reflect.Interface {
			return p.inside(v, depth)
		}
		return p.leaf(v, depth)
	}
	if p.visiting++; p.visiting > 200 {
		return "..."
	}
	defer func() { p.visiting-- }()
	if types.IsInterface(t) {
		return p.inside(v, depth)
	}
	if s, ok := p.methods(t, v); ok {
		return s
	}
	switch u := t.Underlying().(type) {
	case *types.Struct:
		if n, ok := tagNumber(v.Type()); ok || u.NumFields() == 0 {
			_ = n
			return p.structure(t, u, v, depth)
		}
	case *types.Slice:
		return p.list(t, u.Elem(), v, depth)
	case *types.Array:
		return p.list(t, u.Elem(), v, depth)
	case *types.Map:
		return p.mapping(t, u, v, depth)
	case *types.Pointer:
		return p.pointer(t, u, v, depth)
	}
	s := p.leaf(v, depth)
	if rest, ok := strings.CutPrefix(s, fmt.Sprintf("%%!%c(%s=", p.verb, v.Type())); ok { // a bad verb names the type
		return fmt.Sprintf("%%!%c(%s=%s", p.verb, name(t), rest)
	}
	return s
}

// inside prints the value in an interface value.
func (p *printer) inside(v reflect.Value, depth int) string {
	if !v.IsValid() {
		return p.pad("<nil>")
	}
	if v.Kind() != reflect.Interface {
		return p.any(v.Interface(), depth)
	}
	if v.IsNil() {
		if p.sharp {
			return v.Type().String() + "(nil)"
		}
		return p.pad("<nil>")
	}
	return p.any(v.Elem().Interface(), depth)
}

// methods prints by the value's own methods, as fmt does where they apply.
func (p *printer) methods(t types.Type, v reflect.Value) (string, bool) {
	if p.reveal {
		return "", false
	}
	x := p.rt.box(t, v)
	if p.rt.number(x) < 0 {
		return "", false
	}
	if _, ok := p.rt.method(x, "Format"); ok {
		return p.formatter(x), true
	}
	if p.sharp {
		if f, ok := p.rt.method(x, "GoString"); ok && f.Type().NumIn() == 1 {
			return p.rt.text(x, "GoString"), true
		}
		return "", false
	}
	if !strings.ContainsRune("vsxXq", p.verb) {
		return "", false
	}
	for _, n := range []string{"Error", "String"} {
		f, ok := p.rt.method(x, n)
		if !ok || f.Type().NumIn() != 1 || f.Type().NumOut() != 1 || f.Type().Out(0).Kind() != reflect.String {
			continue
		}
		return p.caught(v, n, func() string {
			spec := strings.Replace(strings.Replace(p.spec, "v", "s", 1), "+", "", 1)
			return fmt.Sprintf(spec, p.rt.text(x, n))
		}), true
	}
	return "", false
}

// caught prints <nil> for a nil receiver whose method panics, and the panic of others, as fmt does.
func (p *printer) caught(v reflect.Value, method string, f func() string) (s string) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		if _, ok := r.(Stopped); ok {
			panic(r)
		}
		if v.Kind() == reflect.Pointer && v.IsNil() {
			s = "<nil>"
			return
		}
		s = fmt.Sprintf("%%!%c(PANIC=%s method: %v)", p.verb, method, p.rt.Show(p.rt.Raise(r).Value))
	}()
	return f()
}

// formatter calls the value's own Format method.
func (p *printer) formatter(x any) string {
	b := &collected{State: p.state}
	p.rt.invoke(x, "Format", any(fmt.State(b)), p.verb)
	return b.String()
}

// collected is a fmt.State that keeps what is written.
type collected struct {
	fmt.State
	strings.Builder
}

// Write keeps b.
func (c *collected) Write(b []byte) (int, error) { return c.Builder.Write(b) }

// box makes v of type t what an interface would hold.
func (rt *Runtime) box(t types.Type, v reflect.Value) any {
	x := v.Interface()
	if rt.Types.identifies(t, v.Type()) {
		return x
	}
	return Boxed{rt.Types.Number(t), x}
}

// identifies tells whether a value of lowered type r, known to be of Go type t, shows t itself.
func (ts *Types) identifies(t types.Type, r reflect.Type) bool {
	if r.Kind() == reflect.Interface {
		return false
	}
	u := ts.goType(r)
	return u != nil && types.Identical(u, t)
}

func (p *printer) structure(t types.Type, u *types.Struct, v reflect.Value, depth int) string {
	var fields []string
	for i := range u.NumFields() {
		f := u.Field(i)
		before := p.reveal
		p.reveal = p.reveal || !f.Exported()
		s := p.value(f.Type(), v.Field(i), depth+1)
		p.reveal = before
		if p.plus || p.sharp {
			s = f.Name() + ":" + s
		}
		fields = append(fields, s)
	}
	if p.sharp {
		return name(t) + "{" + strings.Join(fields, ", ") + "}"
	}
	return "{" + strings.Join(fields, " ") + "}"
}

func (p *printer) list(t, elem types.Type, v reflect.Value, depth int) string {
	if b, ok := elem.Underlying().(*types.Basic); ok && b.Kind() == types.Uint8 && strings.ContainsRune("sqxX", p.verb) {
		return p.leaf(v, depth)
	}
	if p.sharp && v.Kind() == reflect.Slice && v.IsNil() {
		return name(t) + "(nil)"
	}
	parts := make([]string, v.Len())
	for i := range parts {
		parts[i] = p.value(elem, v.Index(i), depth+1)
	}
	if p.sharp {
		return name(t) + "{" + strings.Join(parts, ", ") + "}"
	}
	return "[" + strings.Join(parts, " ") + "]"
}

func (p *printer) mapping(t types.Type, u *types.Map, v reflect.Value, depth int) string {
	if p.sharp && v.IsNil() {
		return name(t) + "(nil)"
	}
	keys := v.MapKeys()
	sort.SliceStable(keys, func(i, j int) bool { return less(keys[i], keys[j]) })
	var parts []string
	for _, k := range keys {
		parts = append(parts, p.value(u.Key(), k, depth+1)+":"+p.value(u.Elem(), v.MapIndex(k), depth+1))
	}
	if p.sharp {
		return name(t) + "{" + strings.Join(parts, ", ") + "}"
	}
	return "map[" + strings.Join(parts, " ") + "]"
}

func (p *printer) pointer(t types.Type, u *types.Pointer, v reflect.Value, depth int) string {
	if depth == 0 && !v.IsNil() && p.verb != 'p' {
		switch u.Elem().Underlying().(type) {
		case *types.Struct, *types.Slice, *types.Array, *types.Map:
			return "&" + p.value(u.Elem(), v.Elem(), 1)
		}
	}
	if p.sharp {
		if v.IsNil() {
			return "(" + name(t) + ")(nil)"
		}
		return fmt.Sprintf("(%s)(%#x)", name(t), v.Pointer())
	}
	return p.address(v)
}

func (p *printer) address(v reflect.Value) string {
	if p.verb != 'v' {
		return fmt.Sprintf(p.spec, v.Pointer())
	}
	if v.Pointer() == 0 {
		return p.pad("<nil>")
	}
	return p.pad(fmt.Sprintf("%#x", v.Pointer()))
}

// leaf prints a value that fmt itself prints rightly.
func (p *printer) leaf(v reflect.Value, depth int) string {
	if !v.IsValid() {
		return p.pad("<nil>")
	}
	if p.reveal {
		v = plain(v)
	}
	if depth > 0 && v.Kind() == reflect.Pointer {
		x := v.Interface()
		_, isFormatter := x.(fmt.Formatter)
		_, isStringer := x.(fmt.Stringer)
		_, isError := x.(error)
		if p.reveal || !isFormatter && !isStringer && !isError {
			return p.address(v)
		}
	}
	return fmt.Sprintf(p.spec, v.Interface())
}

// plain drops a compiled named type, whose methods fmt would not call on an unexported field.
func plain(v reflect.Value) reflect.Value {
	for k, r := range basicTypes {
		_ = k
		if r.Kind() == v.Kind() && v.Type() != r {
			return v.Convert(r)
		}
	}
	return v
}

// less orders map keys as fmt does.
func less(a, b reflect.Value) bool {
	a, b = unboxed(a), unboxed(b)
	switch {
	case !a.IsValid() || !b.IsValid():
		return !a.IsValid() && b.IsValid()
	case a.Kind() != b.Kind():
		return a.Kind() < b.Kind()
	case a.CanInt():
		return a.Int() < b.Int()
	case a.CanUint():
		return a.Uint() < b.Uint()
	case a.CanFloat():
		return a.Float() < b.Float() || a.Float() != a.Float() && b.Float() == b.Float()
	case a.Kind() == reflect.String:
		return a.String() < b.String()
	case a.Kind() == reflect.Bool:
		return !a.Bool() && b.Bool()
	case a.Kind() == reflect.Struct:
		for i := range a.NumField() {
			if less(a.Field(i), b.Field(i)) {
				return true
			}
			if less(b.Field(i), a.Field(i)) {
				return false
			}
		}
	case a.Kind() == reflect.Array:
		for i := range a.Len() {
			if less(a.Index(i), b.Index(i)) {
				return true
			}
			if less(b.Index(i), a.Index(i)) {
				return false
			}
		}
	}
	return false
}

func unboxed(v reflect.Value) reflect.Value {
	for v.IsValid() && v.Kind() == reflect.Interface {
		if v.IsNil() {
			return reflect.Value{}
		}
		v = reflect.ValueOf(raw(v.Interface()))
	}
	return v
}

// Boxed makes the value in storage of Go type t what an interface would hold.
func (rt *Runtime) Boxed(t types.Type, storage reflect.Value) any {
	if types.IsInterface(t) {
		return storage.Interface()
	}
	return rt.box(t, storage)
}
