package mirror

import (
	"go/types"
	"reflect"
	"slices"
)

// StructField is reflect.StructField.
type StructField struct {
	Name      string
	PkgPath   string
	Type      Type
	Tag       reflect.StructTag
	Offset    uintptr
	Index     []int
	Anonymous bool
}

// IsExported is as reflect's.
func (f StructField) IsExported() bool { return f.PkgPath == "" }

func (t *rtype) structure() *types.Struct {
	t.mustBe(reflect.Struct, "Field")
	if t.t == nil {
		return nil
	}
	return t.t.Underlying().(*types.Struct)
}

func (t *rtype) NumField() int {
	if st := t.structure(); st != nil {
		return st.NumFields()
	}
	return t.r.NumField()
}

func (t *rtype) Field(i int) StructField {
	st := t.structure()
	if i < 0 || i >= t.NumField() {
		fail("reflect: Field index out of bounds")
	}
	r := t.r.Field(i)
	if st == nil {
		return StructField{r.Name, r.PkgPath, t.m.typed(nil, r.Type), r.Tag, r.Offset, r.Index, r.Anonymous}
	}
	v := st.Field(i)
	f := StructField{Name: v.Name(), Type: t.m.typed(v.Type(), r.Type), Tag: reflect.StructTag(st.Tag(i)), Offset: r.Offset, Index: []int{i}, Anonymous: v.Embedded()}
	if !v.Exported() {
		f.PkgPath = v.Pkg().Path()
	}
	return f
}

func (t *rtype) FieldByIndex(index []int) StructField {
	var f StructField
	u := t
	for k, i := range index {
		if k > 0 && u.Kind() == reflect.Pointer && u.elem().Kind() == reflect.Struct {
			u = u.elem()
		}
		f = u.Field(i)
		u = f.Type.(*rtype)
	}
	f.Index = slices.Clone(index)
	return f
}

func (t *rtype) FieldByName(name string) (StructField, bool) {
	return t.FieldByNameFunc(func(s string) bool { return s == name })
}

// FieldByNameFunc looks through the embedded structs level by level; two fields on one level hide
// each other.
func (t *rtype) FieldByNameFunc(match func(string) bool) (StructField, bool) {
	t.mustBe(reflect.Struct, "FieldByNameFunc")
	type place struct {
		t     *rtype
		index []int
	}
	seen := map[*rtype]bool{}
	for level := []place{{t, nil}}; len(level) > 0; {
		var found []StructField
		var next []place
		for _, p := range level {
			if seen[p.t] {
				continue
			}
			seen[p.t] = true
			for i := range p.t.NumField() {
				f := p.t.Field(i)
				f.Index = append(slices.Clone(p.index), i)
				if match(f.Name) {
					found = append(found, f)
					continue
				}
				u := f.Type.(*rtype)
				if u.Kind() == reflect.Pointer {
					u = u.elem()
				}
				if f.Anonymous && u.Kind() == reflect.Struct {
					next = append(next, place{u, f.Index})
				}
			}
		}
		if len(found) > 0 {
			return found[0], len(found) == 1
		}
		level = next
	}
	return StructField{}, false
}

// VisibleFields is reflect.VisibleFields.
func VisibleFields(t Type) []StructField {
	if t == nil {
		fail("reflect: VisibleFields(nil)")
	}
	var l []StructField
	var walk func(u *rtype, index []int)
	walk = func(u *rtype, index []int) {
		for i := range u.NumField() {
			f := u.Field(i)
			f.Index = append(slices.Clone(index), i)
			if g, ok := t.FieldByName(f.Name); f.Name != "_" && ok && slices.Equal(g.Index, f.Index) {
				l = append(l, f)
			}
			e := f.Type.(*rtype)
			if e.Kind() == reflect.Pointer {
				e = e.elem()
			}
			if f.Anonymous && e.Kind() == reflect.Struct && len(f.Index) < 20 {
				walk(e, f.Index)
			}
		}
	}
	walk(t.(*rtype), nil)
	return l
}
