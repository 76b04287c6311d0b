// Package docs holds the documentation of everything that a cell can name: the declaration and
// the doc comment of each exported name. It is generated from the sources:
//
//	go generate ./bindings/docs
package docs

import (
	"archive/zip"
	"bytes"
	_ "embed"
	"encoding/json"
	"path"
	"slices"
	"strings"
)

//go:generate go run ./generate

//go:embed docs.zip
var archive []byte

// Doc is the documentation of one name.
type Doc struct {
	Signature string `json:"s,omitempty"` // the declaration: "func Sqrt(x float64) float64"
	Text      string `json:"t,omitempty"` // the comment as plain text, without a final newline; "" for none
	Of        string `json:"a,omitempty"` // for an alias, whose declaration this is: "path/of/package.Name"
}

// Package is the documentation of a package: by name, "Type.Method" or "Type.Field", and ""
// for the package itself.
type Package map[string]Doc

// ForPackage reads the documentation of a bound package. It is false for any other path.
func ForPackage(importPath string) (Package, bool) {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil, false
	}
	f, err := r.Open(entry(importPath))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	var p Package
	if err := json.NewDecoder(f).Decode(&p); err != nil {
		return nil, false
	}
	return p, true
}

// Paths are the import paths of the packages that have documentation, sorted.
func Paths() []string {
	r, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		return nil
	}
	var paths []string
	for _, f := range r.File {
		paths = append(paths, strings.TrimSuffix(f.Name, ".json"))
	}
	slices.Sort(paths)
	return paths
}

// entry is the name of a package's file in the archive. The suffix keeps it a file where
// another package lies below the path.
func entry(importPath string) string { return path.Clean(importPath) + ".json" }

// Lookup finds the documentation of a name, "Type.Method" or "Type.Field" in a package, or of
// the package for "". Of an alias too the fields and methods are found.
func Lookup(importPath, name string) (Doc, bool) {
	p, ok := ForPackage(importPath)
	if !ok {
		return Doc{}, false
	}
	return p.Lookup(name)
}

// Lookup finds a name as the function Lookup does.
func (p Package) Lookup(name string) (Doc, bool) {
	if d, ok := p[name]; ok {
		return d, true
	}
	base, member, hasMember := strings.Cut(name, ".")
	of := p[base].Of
	if of == "" || !hasMember {
		return Doc{}, false
	}
	dot := strings.LastIndexByte(of, '.')
	return Lookup(of[:dot], of[dot+1:]+"."+member)
}
