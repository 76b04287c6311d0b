package exportdata

import (
	"bytes"
	"go/token"
	"go/types"
	"io/fs"
	"slices"
	"testing"

	"golang.org/x/tools/go/gcexportdata"
)

// TestStandardIsCurrent makes the export data of some packages anew and compares what they export.
func TestStandardIsCurrent(t *testing.T) {
	paths := []string{"bytes", "errors", "fmt", "iter", "math", "os", "slices", "sort", "strings", "sync", "sync/atomic", "time"}
	var b bytes.Buffer
	if err := Write(&b, paths); err != nil {
		t.Skip("no Go command makes export data here: ", err)
	}
	fresh, err := Open(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	stored, err := Standard()
	if err != nil {
		t.Fatal(err)
	}
	names := 0
	for _, path := range paths {
		want, have := exported(t, fresh, path), exported(t, stored, path)
		if !slices.Equal(want, have) {
			t.Errorf("%s: run go generate in kernel/engine/exportdata", path)
		}
		names += len(want)
	}
	if names < 500 {
		t.Errorf("only %d names compared", names)
	}
}

// exported describes the exported objects of a package and their exported methods.
func exported(t *testing.T, data fs.FS, path string) (l []string) {
	f, err := data.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	pkg, err := gcexportdata.Read(f, token.NewFileSet(), map[string]*types.Package{}, path)
	if err != nil {
		t.Fatal(err)
	}
	q := func(p *types.Package) string { return p.Path() }
	for _, name := range pkg.Scope().Names() {
		o := pkg.Scope().Lookup(name)
		if !o.Exported() {
			continue
		}
		if _, ok := o.(*types.TypeName); !ok {
			l = append(l, types.ObjectString(o, q))
			continue
		}
		l = append(l, "type "+name)
		ms := types.NewMethodSet(types.NewPointer(o.Type()))
		for i := range ms.Len() {
			if m := ms.At(i).Obj(); m.Exported() {
				l = append(l, types.ObjectString(m, q))
			}
		}
	}
	return l
}
