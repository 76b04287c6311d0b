package border

import (
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"go/types"
	"reflect"
	"strings"
)

// format is one of the packages that encode values by reflection. They are given values of types
// made for them: of the exported fields only, with embedded fields that are embedded.
type format struct {
	name   string
	raw    bool     // parts can be given as json.RawMessage
	refuse []string // methods that the package would call and cannot
}

var (
	jsonFormat = format{name: "json", raw: true}
	xmlFormat  = format{name: "xml", refuse: []string{"MarshalXML", "UnmarshalXML", "MarshalXMLAttr", "UnmarshalXMLAttr", "MarshalText", "UnmarshalText"}}
	gobFormat  = format{name: "gob", refuse: []string{"GobEncode", "GobDecode", "MarshalBinary", "UnmarshalBinary"}}
)

// encodeError is a panic inside encoding that becomes the error of the whole.
type encodeError struct{ err error }

func encodeCaught(err *error) {
	if r := recover(); r != nil {
		e, ok := r.(encodeError)
		if !ok {
			panic(r)
		}
		*err = e.err
	}
}

// encodable makes x a value that the package of f writes as Go would write x.
func (rt *Runtime) encodable(f format, x any) (y any, err error) {
	defer encodeCaught(&err)
	return rt.shaped(f, x), nil
}

func (rt *Runtime) shaped(f format, x any) any {
	if x == nil {
		return nil
	}
	t := rt.Types.TypeOf(x)
	v := reflect.ValueOf(raw(x))
	if t == nil || !v.IsValid() {
		return raw(x)
	}
	s := &shaper{rt: rt, f: f}
	return s.out(t, v, s.shape(t, v.Type())).Interface()
}

// decode lets read fill a value of the type made for f, and brings it into what x points to.
func (rt *Runtime) decode(f format, x any, read func(y any) error) (err error) {
	defer encodeCaught(&err)
	t := rt.Types.TypeOf(x)
	p, ok := pointerTo(t)
	v := reflect.ValueOf(raw(x))
	if !ok || v.Kind() != reflect.Pointer || v.IsNil() {
		return read(raw(x))
	}
	s := &shaper{rt: rt, f: f, reading: true}
	y := reflect.New(s.shape(p, v.Type().Elem()))
	y.Elem().Set(s.out(p, v.Elem(), y.Type().Elem()))
	err = read(y.Interface())
	s.in(p, v.Elem(), y.Elem())
	return err
}

func pointerTo(t types.Type) (types.Type, bool) {
	if t == nil {
		return nil, false
	}
	p, ok := t.Underlying().(*types.Pointer)
	if !ok {
		return nil, false
	}
	return p.Elem(), true
}

// shaper makes types and values for one format.
type shaper struct {
	rt      *Runtime
	f       format
	reading bool
	within  []types.Type // structs whose shape is being made
}

var rawType = reflect.TypeFor[json.RawMessage]()

// has tells whether interpreted type t, or a pointer to it, has method name.
func (s *shaper) has(t types.Type, name string) bool {
	if _, ok := types.Unalias(t).(*types.Named); !ok {
		return false
	}
	o, _, _ := types.LookupFieldOrMethod(types.NewPointer(t), false, nil, name)
	_, ok := o.(*types.Func)
	return ok
}

// opaque tells a type that encodes itself.
func (s *shaper) opaque(t types.Type) bool {
	if types.IsInterface(t) || s.rt.Types.Reflect(t) != nil {
		return false
	}
	for _, method := range s.f.refuse {
		if s.has(t, method) {
			panic(encodeError{fmt.Errorf("%s: method %s of %s cannot be called: it is a type of a cell", s.f.name, method, name(t))})
		}
	}
	return s.f.raw && (s.has(t, "MarshalJSON") || s.has(t, "UnmarshalJSON") || s.has(t, "MarshalText") || s.has(t, "UnmarshalText"))
}

// plain tells a type whose lowered form the package writes right.
func (s *shaper) plain(t types.Type, seen map[types.Type]bool) bool {
	t = types.Unalias(t)
	if s.rt.Types.Reflect(t) != nil && !types.IsInterface(t) {
		b, ok := t.(*types.Named)
		return ok && b != nil || !holdsInterface(t)
	}
	if types.IsInterface(t) || s.opaque(t) {
		return false
	}
	if seen[t] {
		return true
	}
	seen[t] = true
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return s.plain(u.Elem(), seen)
	case *types.Slice:
		return s.plain(u.Elem(), seen)
	case *types.Array:
		return s.plain(u.Elem(), seen)
	case *types.Map:
		return s.plain(u.Key(), seen) && s.plain(u.Elem(), seen)
	case *types.Struct:
		for f := range u.Fields() {
			if f.Embedded() || !f.Exported() && !s.f.raw || !s.plain(f.Type(), seen) {
				return false
			}
		}
		return s.f.name != "xml"
	}
	return true
}

// holdsInterface tells an unnamed compiled type with interfaces inside: []any.
func holdsInterface(t types.Type) bool {
	switch u := t.(type) {
	case *types.Slice:
		return types.IsInterface(u.Elem()) || holdsInterface(u.Elem())
	case *types.Array:
		return types.IsInterface(u.Elem()) || holdsInterface(u.Elem())
	case *types.Pointer:
		return types.IsInterface(u.Elem()) || holdsInterface(u.Elem())
	case *types.Map:
		return types.IsInterface(u.Elem()) || holdsInterface(u.Elem()) || types.IsInterface(u.Key())
	}
	return false
}

// shape is the type in which values of t, of lowered type r, are given to the package.
func (s *shaper) shape(t types.Type, r reflect.Type) reflect.Type {
	t = types.Unalias(t)
	switch {
	case s.plain(t, map[types.Type]bool{}):
		return r
	case types.IsInterface(t):
		return r
	case s.opaque(t):
		return rawType
	}
	switch u := t.Underlying().(type) {
	case *types.Pointer:
		return reflect.PointerTo(s.shape(u.Elem(), r.Elem()))
	case *types.Slice:
		return reflect.SliceOf(s.shape(u.Elem(), r.Elem()))
	case *types.Array:
		return reflect.ArrayOf(r.Len(), s.shape(u.Elem(), r.Elem()))
	case *types.Map:
		k := r.Key()
		if s.opaque(u.Key()) {
			k = reflect.TypeFor[string]()
		}
		return reflect.MapOf(k, s.shape(u.Elem(), r.Elem()))
	case *types.Struct:
		return s.structure(t, u, r)
	}
	return r
}

// structure is the shape of a struct. A struct inside itself is written on its own.
func (s *shaper) structure(t types.Type, u *types.Struct, r reflect.Type) reflect.Type {
	for _, w := range s.within {
		if types.Identical(w, t) {
			if !s.f.raw {
				panic(encodeError{fmt.Errorf("%s: %s contains itself and has embedded or unexported fields, which is not possible for a type of a cell", s.f.name, name(t))})
			}
			return rawType
		}
	}
	s.within = append(s.within, t)
	defer func() { s.within = s.within[:len(s.within)-1] }()
	var fields []reflect.StructField
	if n, ok := t.(*types.Named); ok && s.f.name == "xml" && !hasField(u, "XMLName") {
		fields = append(fields, reflect.StructField{Name: "XMLName", Type: reflect.TypeFor[xml.Name](), Tag: reflect.StructTag(fmt.Sprintf("xml:%q", n.Obj().Name()))})
	}
	for i := range u.NumFields() {
		if s.kept(u.Field(i)) {
			fields = append(fields, s.field(u, i, r))
		}
	}
	return reflect.StructOf(fields)
}

func hasField(u *types.Struct, name string) bool {
	for f := range u.Fields() {
		if f.Name() == name {
			return true
		}
	}
	return false
}

// kept tells a field that the packages look at.
func (s *shaper) kept(f *types.Var) bool {
	return f.Exported() || f.Embedded() && s.promotes(f)
}

// promotes tells an embedded struct, or pointer to one, whose fields count as those of the outer.
func (s *shaper) promotes(f *types.Var) bool {
	t := types.Unalias(f.Type())
	if p, ok := t.(*types.Pointer); ok {
		t = types.Unalias(p.Elem())
	}
	_, ok := t.Underlying().(*types.Struct)
	return ok && !s.opaque(t)
}

func (s *shaper) field(u *types.Struct, i int, r reflect.Type) reflect.StructField {
	f := u.Field(i)
	sf := reflect.StructField{Name: f.Name(), Type: s.shape(f.Type(), r.Field(i).Type), Tag: reflect.StructTag(u.Tag(i))}
	if f.Embedded() && s.promotes(f) && s.f.name != "gob" {
		sf.Anonymous = true
		if !f.Exported() {
			sf.Name = "Embedded" + strings.ToUpper(f.Name()[:1]) + f.Name()[1:]
		}
	}
	return sf
}

// JSONMarshal is json.Marshal.
func (rt *Runtime) JSONMarshal(x any) ([]byte, error) {
	y, err := rt.encodable(jsonFormat, x)
	if err != nil {
		return nil, err
	}
	return json.Marshal(y)
}

// JSONMarshalIndent is json.MarshalIndent.
func (rt *Runtime) JSONMarshalIndent(x any, prefix, indent string) ([]byte, error) {
	y, err := rt.encodable(jsonFormat, x)
	if err != nil {
		return nil, err
	}
	return json.MarshalIndent(y, prefix, indent)
}

// JSONUnmarshal is json.Unmarshal.
func (rt *Runtime) JSONUnmarshal(data []byte, x any) error {
	return rt.decode(jsonFormat, x, func(y any) error { return json.Unmarshal(data, y) })
}

// JSONEncode is (*json.Encoder).Encode.
func (rt *Runtime) JSONEncode(e *json.Encoder, x any) error {
	y, err := rt.encodable(jsonFormat, x)
	if err != nil {
		return err
	}
	return e.Encode(y)
}

// JSONDecode is (*json.Decoder).Decode.
func (rt *Runtime) JSONDecode(d *json.Decoder, x any) error {
	return rt.decode(jsonFormat, x, d.Decode)
}

// XMLMarshal is xml.Marshal.
func (rt *Runtime) XMLMarshal(x any) ([]byte, error) {
	y, err := rt.encodable(xmlFormat, x)
	if err != nil {
		return nil, err
	}
	return xml.Marshal(y)
}

// XMLMarshalIndent is xml.MarshalIndent.
func (rt *Runtime) XMLMarshalIndent(x any, prefix, indent string) ([]byte, error) {
	y, err := rt.encodable(xmlFormat, x)
	if err != nil {
		return nil, err
	}
	return xml.MarshalIndent(y, prefix, indent)
}

// XMLUnmarshal is xml.Unmarshal.
func (rt *Runtime) XMLUnmarshal(data []byte, x any) error {
	return rt.decode(xmlFormat, x, func(y any) error { return xml.Unmarshal(data, y) })
}

// EncodeGob is (*gob.Encoder).Encode.
func (rt *Runtime) EncodeGob(e *gob.Encoder, x any) error {
	y, err := rt.encodable(gobFormat, x)
	if err != nil {
		return err
	}
	return e.Encode(y)
}

// DecodeGob is (*gob.Decoder).Decode.
func (rt *Runtime) DecodeGob(d *gob.Decoder, x any) error {
	return rt.decode(gobFormat, x, d.Decode)
}
