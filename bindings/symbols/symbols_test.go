package symbols

import (
	"bytes"
	"fmt"
	"go/types"
	"math"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/traefik/yaegi/interp"

	"github.com/gonb-svm/gonb-svm/bindings/internal/listing"
	"github.com/gonb-svm/gonb-svm/bindings/internal/tables"
)

// The tables are what the generator writes from the code as it stands.
func TestGenerated(t *testing.T) {
	groups := listing.All()
	if testing.Short() {
		groups = []listing.Group{{Name: "standard", Patterns: []string{"net/http", "fmt"}}, listing.Own()}
	}
	for _, g := range groups {
		files, err := tables.Files(g)
		if err != nil {
			t.Fatal(err)
		}
		if len(files) < 3 {
			t.Fatalf("%s: %d files generated", g.Name, len(files))
		}
		for name, want := range files {
			if testing.Short() && g.Name == "standard" && name == "tables.go" {
				continue // the index of all packages
			}
			got, err := os.ReadFile(filepath.Join(g.Name, name))
			if err != nil || !bytes.Equal(got, want) {
				t.Errorf("%s/%s is out of date (%v): run go generate ./bindings/symbols", g.Name, name, err)
			}
		}
		if testing.Short() {
			continue
		}
		kept, err := filepath.Glob(filepath.Join(g.Name, "*.go"))
		if err != nil || len(kept) != len(files) {
			t.Errorf("%s has %d files (%v), the generator makes %d", g.Name, len(kept), err, len(files))
		}
	}
}

// Every exported name that is not generic is bound, with its own kind and type.
func TestComplete(t *testing.T) {
	all := Symbols()
	packages, checked, generic := 0, 0, 0
	for _, g := range listing.All() {
		found, err := listing.Load(listing.Platform{}, g.Patterns...)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range found {
			table := all[path.Join(p.Path(), p.Name())]
			if table == nil {
				t.Errorf("%s has no table", p.Path())
			}
			packages++
			for _, name := range p.Scope().Names() {
				o := p.Scope().Lookup(name)
				if !o.Exported() {
					continue
				}
				if isGeneric(o) {
					generic++
					continue
				}
				checked++
				if v := table[name]; !v.IsValid() {
					t.Errorf("%s.%s is not bound", p.Path(), name)
				} else if want, ok := kindOf(o); ok && v.Kind() != want {
					t.Errorf("%s.%s is bound as %s, want %s", p.Path(), name, v.Kind(), want)
				}
			}
		}
	}
	t.Logf("%d packages, %d names bound, %d generic", packages, checked, generic)
	if packages < 220 || checked < 9000 || generic < 50 {
		t.Errorf("checked %d packages, %d names, %d generic: too few", packages, checked, generic)
	}
}

// isGeneric decides by the object's printed declaration, not as the generator does.
func isGeneric(o types.Object) bool {
	text := types.ObjectString(o, func(*types.Package) string { return "" })
	switch o := o.(type) {
	case *types.Func:
		return strings.HasPrefix(text, "func "+o.Name()+"[")
	case *types.TypeName:
		i, isInterface := o.Type().Underlying().(*types.Interface)
		return strings.HasPrefix(text, "type "+o.Name()+"[") && !strings.HasPrefix(text, "type "+o.Name()+"[]") ||
			isInterface && !i.IsMethodSet()
	}
	return false
}

// kindOf is the kind of the bound value: for types that of the pointer that stands for them.
func kindOf(o types.Object) (reflect.Kind, bool) {
	switch o.(type) {
	case *types.Func:
		return reflect.Func, true
	case *types.TypeName:
		return reflect.Pointer, true
	}
	return 0, false
}

// Every interface whose methods can be written in another package has a wrapper that implements
// it and has the layout that yaegi expects.
func TestWrappers(t *testing.T) {
	checked := 0
	for pkg, table := range Symbols() {
		for name, v := range table {
			if !strings.HasPrefix(name, "_") {
				continue
			}
			wrapper, iface := v.Type().Elem(), table[name[1:]].Type().Elem()
			if !wrapper.Implements(iface) {
				t.Errorf("%s: %s does not implement %s", pkg, name, name[1:])
			}
			if wrapper.Field(0).Name != "IValue" || wrapper.NumField() != iface.NumMethod()+1 {
				t.Errorf("%s: %s has not the fields that yaegi expects", pkg, name)
			}
			checked++
		}
	}
	if checked < 200 {
		t.Errorf("checked %d wrappers", checked)
	}
	for _, name := range []string{"_Kernel", "_Solver", "_PathSolver"} {
		if v := Symbols()[listing.Module+"/solvers/solvers"][name]; !v.IsValid() {
			t.Errorf("solvers.%s is missing", name)
		}
	}
}

// The interpreter takes the tables and asks interpreted types for their methods.
func TestInterpreter(t *testing.T) {
	var out bytes.Buffer
	i := interp.New(interp.Options{Stdout: &out, Unrestricted: true})
	if err := i.Use(Symbols()); err != nil {
		t.Fatal(err)
	}
	const program = `package main
import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"sort"
	"strings"
	"gonum.org/v1/gonum/mat"
)
type celsius float64
func (c celsius) String() string { return fmt.Sprintf("%.1f degrees", float64(c)) }
func (c celsius) MarshalText() ([]byte, error) { return []byte("warm"), nil }
type word struct{ n int }
func (w *word) Read(p []byte) (int, error) { return 0, io.EOF }
func (w *word) WriteTo(to io.Writer) (int64, error) { n, err := to.Write([]byte("by WriteTo")); return int64(n), err }
type byLength []string
func (b byLength) Len() int           { return len(b) }
func (b byLength) Less(i, j int) bool { return len(b[i]) < len(b[j]) }
func (b byLength) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }
func main() {
	fmt.Println(celsius(21))
	j, _ := json.Marshal(celsius(21))
	fmt.Println(string(j))
	var buffer bytes.Buffer
	io.Copy(&buffer, &word{})
	fmt.Println(buffer.String())
	s := byLength{"ccc", "a", "bb"}
	sort.Sort(s)
	fmt.Println(strings.Join(s, " "))
	fmt.Println(mat.Det(mat.NewDense(2, 2, []float64{1, 2, 3, 4})) < 0, math.Pi*math.MaxInt8, os.DevNull, uint64(math.MaxUint64))
	n := 0
	for range strings.Fields("four more words here") { n++ }
	fmt.Println(n)
}`
	if _, err := i.Eval(program); err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprintln("21.0 degrees\n\"warm\"\nby WriteTo\na bb ccc\ntrue", math.Pi*math.MaxInt8, os.DevNull, uint64(math.MaxUint64)) + "4\n"
	if got := out.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func BenchmarkSymbols(b *testing.B) {
	for b.Loop() {
		if len(Symbols()) < 200 {
			b.Fatal("tables are missing")
		}
	}
}
