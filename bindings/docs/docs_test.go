package docs_test

import (
	"maps"
	"path"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/bindings/docs"
	"github.com/gonb-svm/gonb-svm/bindings/internal/extract"
	"github.com/gonb-svm/gonb-svm/bindings/internal/listing"
)

func TestLookup(t *testing.T) {
	solvers := listing.Module + "/solvers"
	for _, c := range []struct{ path, name, signature, text string }{
		{"strings", "Cut", "func Cut(s, sep string) (before, after string, found bool)", "Cut slices s around"},
		{"strings", "", "package strings", "manipulate UTF-8"},
		{"slices", "Sort", "func Sort[S ~[]E, E cmp.Ordered](x S)", "ascending"},
		{"math", "Pi", "const Pi = 3.14159", "A000796"},
		{"os", "Stdout", "var Stdout *File", "standard output"},
		{"os", "FileMode", "type FileMode", "file's mode"},
		{"os", "FileMode.IsDir", "func (m FileMode) IsDir() bool", "directory"},
		{"io", "Reader.Read", "func Read(p []byte) (n int, err error)", ""},
		{"gonum.org/v1/gonum/mat", "Dense.Mul", "func (m *Dense) Mul(a, b Matrix)", "matrix product"},
		{"gonum.org/v1/plot/vg", "Inch", "const Inch font.Length = 72", ""},
		{solvers, "PathPoint.TestStd", "field TestStd float64", "standard deviation"},
		{solvers, "Vector.Index", "field Index []int32", ""},
		{solvers, "Dataset.Split", "func (d *Dataset) Split(fraction float64, seed uint64)", "keeping the share of each label"},
	} {
		d, ok := docs.Lookup(c.path, c.name)
		if !ok || !strings.HasPrefix(d.Signature, c.signature) || !strings.Contains(d.Text, c.text) {
			t.Errorf("%s.%s: %v %q %q", c.path, c.name, ok, d.Signature, d.Text)
		}
	}
	for _, c := range [][2]string{{"strings", "Nothing"}, {"strings", "Builder.Nothing"}, {"no/such", "X"}, {"", ""}, {solvers, "Vector.Nothing"}} {
		if d, ok := docs.Lookup(c[0], c[1]); ok {
			t.Errorf("%q is documented: %v", c, d)
		}
	}
}

// The archive is what the generator reads from the sources as they stand.
func TestGenerated(t *testing.T) {
	groups := listing.All()
	if testing.Short() {
		groups = groups[2:]
	}
	want, err := extract.Documentation(groups...)
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for path := range maps.Keys(want) {
		checked++
		got, ok := docs.ForPackage(path)
		if !ok {
			t.Errorf("%s is not in docs.zip: run go generate ./bindings/docs", path)
			continue
		}
		for name, d := range want[path] {
			if got[name] != d {
				t.Errorf("%s.%s is out of date: run go generate ./bindings/docs", path, name)
			}
		}
		if len(got) != len(want[path]) {
			t.Errorf("%s has %d names, the sources have %d: run go generate ./bindings/docs", path, len(got), len(want[path]))
		}
	}
	if checked < 3 || !testing.Short() && checked != len(docs.Paths()) {
		t.Errorf("checked %d packages, docs.zip has %d", checked, len(docs.Paths()))
	}
}

// Every exported name has a declaration, and in our own packages a comment.
func TestComplete(t *testing.T) {
	names, own := 0, 0
	for _, g := range listing.All() {
		found, err := listing.Load(listing.Platform{}, g.Patterns...)
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range found {
			documentation, ok := docs.ForPackage(p.Path())
			if !ok {
				t.Errorf("%s has no documentation", p.Path())
				continue
			}
			for _, name := range p.Scope().Names() {
				if !p.Scope().Lookup(name).Exported() {
					continue
				}
				names++
				d, ok := documentation.Lookup(name)
				if !ok || d.Signature == "" {
					t.Errorf("%s has no declaration", path.Join(p.Path(), name))
				}
				if strings.HasPrefix(p.Path(), listing.Module) {
					own++
					if d.Text == "" {
						t.Errorf("%s has no comment", path.Join(p.Path(), name))
					}
				}
			}
		}
	}
	if names < 9000 || own < 30 {
		t.Errorf("checked %d names, %d of our own", names, own)
	}
}

func BenchmarkLookup(b *testing.B) {
	for _, path := range []string{"strings", "net/http"} {
		b.Run(path, func(b *testing.B) {
			for b.Loop() {
				docs.Lookup(path, "Get")
			}
		})
	}
}
