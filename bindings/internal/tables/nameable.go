package tables

import (
	"go/types"

	"github.com/gonb-svm/gonb-svm/bindings/internal/listing"
)

// nameable reports whether any package can write the type: every named
// type in it is exported and importable.
func nameable(t types.Type) bool {
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Alias:
		return visible(t.Obj()) && arguments(t.TypeArgs())
	case *types.Named:
		return visible(t.Obj()) && arguments(t.TypeArgs())
	case *types.Pointer:
		return nameable(t.Elem())
	case *types.Slice:
		return nameable(t.Elem())
	case *types.Array:
		return nameable(t.Elem())
	case *types.Chan:
		return nameable(t.Elem())
	case *types.Map:
		return nameable(t.Key()) && nameable(t.Elem())
	case *types.Signature:
		return tuple(t.Params()) && tuple(t.Results())
	case *types.Struct:
		for i := 0; i < t.NumFields(); i++ {
			if !t.Field(i).Exported() || !nameable(t.Field(i).Type()) {
				return false
			}
		}
		return true
	case *types.Interface:
		for i := 0; i < t.NumMethods(); i++ {
			if !t.Method(i).Exported() || !nameable(t.Method(i).Type()) {
				return false
			}
		}
		return true
	}
	return false
}

func visible(o *types.TypeName) bool {
	return o.Pkg() == nil || o.Exported() && listing.Bound(o.Pkg().Path())
}

func tuple(t *types.Tuple) bool {
	for i := 0; i < t.Len(); i++ {
		if !nameable(t.At(i).Type()) {
			return false
		}
	}
	return true
}

func arguments(list *types.TypeList) bool {
	for i := 0; i < list.Len(); i++ {
		if !nameable(list.At(i)) {
			return false
		}
	}
	return true
}
