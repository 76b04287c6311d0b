// Package check imports packages for cells: the types of bound packages come from export data that
// was made when the binary was built, and their generic functions from sources of our own, since
// no compiled form of those can be called.
package check

import (
	"embed"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"sort"
	"strings"
	"sync"

	"golang.org/x/tools/go/gcexportdata"
)

// GoVersion is the language version of cells.
const GoVersion = "go1.26"

//go:embed generic/*.go.txt
var generic embed.FS

// Packages imports packages and remembers them. It is safe for one goroutine at a time, save Type.
type Packages struct {
	fset  *token.FileSet
	data  []fs.FS                             // export data, a file a package, named by path
	bound map[string]map[string]reflect.Value // yaegi's tables
	// Folder is where the relative imports of a program are looked for; "" refuses them.
	Folder string

	mu     sync.Mutex
	loaded map[string]*types.Package
	source map[*types.Package]*Source
	extra  map[string]*types.Package // our sources, by the path of the package they complete
	// New are the source packages imported since the slice was last emptied, dependencies first.
	New []*Source
}

// Source is a package that is interpreted.
type Source struct {
	Package *types.Package
	Files   []*ast.File
	Info    *types.Info
}

// New makes an importer.
func New(fset *token.FileSet, data []fs.FS, bound map[string]map[string]reflect.Value) *Packages {
	return &Packages{
		fset: fset, data: data, bound: bound,
		loaded: map[string]*types.Package{"unsafe": types.Unsafe},
		source: map[*types.Package]*Source{},
		extra:  map[string]*types.Package{},
	}
}

// Import implements types.Importer.
func (p *Packages) Import(importPath string) (*types.Package, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.load(importPath)
}

func (p *Packages) load(importPath string) (*types.Package, error) {
	if q := p.loaded[importPath]; q != nil && q.Complete() {
		return q, nil
	}
	if q, err := p.exported(importPath); err == nil {
		return q, nil
	}
	if q, ok := p.reflected(importPath); ok {
		return q, nil
	}
	if strings.HasPrefix(importPath, ".") && p.Folder != "" {
		return p.fromFolder(importPath)
	}
	return nil, fmt.Errorf("package %s is not available: this program has its packages built in (no module can be added while it runs)", importPath)
}

// exported reads the export data of a package.
func (p *Packages) exported(importPath string) (*types.Package, error) {
	for _, d := range p.data {
		f, err := d.Open(importPath)
		if err != nil {
			continue
		}
		defer f.Close()
		return gcexportdata.Read(f, p.fset, p.loaded, importPath)
	}
	return nil, fmt.Errorf("no export data of %s", importPath)
}

// fromFolder checks a package beside the program.
func (p *Packages) fromFolder(importPath string) (*types.Package, error) {
	names, _ := filepath.Glob(filepath.Join(p.Folder, importPath, "*.go"))
	var files []*ast.File
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			return nil, err
		}
		f, err := parser.ParseFile(p.fset, n, b, parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		files = append(files, f)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no Go files in %s", importPath)
	}
	return p.check(importPath, files)
}

// check type-checks source files as package importPath.
func (p *Packages) check(importPath string, files []*ast.File) (*types.Package, error) {
	info := NewInfo()
	conf := types.Config{Importer: unlocked{p}, GoVersion: GoVersion}
	pkg, err := conf.Check(importPath, p.fset, files, info)
	if err != nil {
		return nil, err
	}
	p.loaded[importPath] = pkg
	s := &Source{pkg, files, info}
	p.source[pkg] = s
	p.New = append(p.New, s)
	return pkg, nil
}

// unlocked imports while the lock is held.
type unlocked struct{ *Packages }

// Import implements types.Importer.
func (u unlocked) Import(importPath string) (*types.Package, error) { return u.load(importPath) }

// NewInfo makes an Info with all the maps that lowering reads.
func NewInfo() *types.Info {
	return &types.Info{
		Types: map[ast.Expr]types.TypeAndValue{}, Instances: map[*ast.Ident]types.Instance{},
		Defs: map[*ast.Ident]types.Object{}, Uses: map[*ast.Ident]types.Object{},
		Implicits: map[ast.Node]types.Object{}, Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes: map[ast.Node]*types.Scope{}, FileVersions: map[*ast.File]string{},
	}
}

// Compiled tells whether o belongs to a bound package rather than to interpreted source.
func (p *Packages) Compiled(o types.Object) bool {
	q := o.Pkg()
	if q == nil || q == types.Unsafe || q.Path() == "main" {
		return false
	}
	return p.source[q] == nil
}

// Bound tells whether the executor has a value for package-level object o of a compiled package.
func (p *Packages) Bound(o types.Object) bool {
	_, ok := p.bound[o.Pkg().Path()+"/"+o.Pkg().Name()][o.Name()]
	return ok
}

// Value is the executor's value of a package-level object.
func (p *Packages) Value(o types.Object) reflect.Value {
	return p.bound[o.Pkg().Path()+"/"+o.Pkg().Name()][o.Name()]
}

// Generic finds our source form of a generic object of a compiled package: a function, or a type
// whose methods it also has; nil when there is none.
func (p *Packages) Generic(o types.Object) types.Object {
	p.mu.Lock()
	defer p.mu.Unlock()
	importPath := o.Pkg().Path()
	q, ok := p.extra[importPath]
	if !ok {
		q = p.completion(importPath)
		p.extra[importPath] = q
	}
	if q == nil {
		return nil
	}
	return q.Scope().Lookup(o.Name())
}

func (p *Packages) completion(importPath string) *types.Package {
	file := "generic/" + strings.ReplaceAll(importPath, "/", "_") + ".go.txt"
	b, err := generic.ReadFile(file)
	if err != nil {
		return nil
	}
	f, err := parser.ParseFile(p.fset, file, b, parser.SkipObjectResolution)
	if err != nil {
		panic("check: " + err.Error())
	}
	q, err := p.check(importPath+"·generic", []*ast.File{f})
	if err != nil {
		panic("check: " + err.Error())
	}
	return q
}

// Type finds a named type of a bound package for the runtime, nil when the package is not loaded.
func (p *Packages) Type(importPath, name string) types.Type {
	p.mu.Lock()
	defer p.mu.Unlock()
	q, err := p.load(importPath)
	if err != nil {
		return nil
	}
	if o, ok := q.Scope().Lookup(name).(*types.TypeName); ok {
		return o.Type()
	}
	return nil
}

// ByName finds the package that a cell means by a name it did not import: the bound package of
// that name with the shortest path, first in the alphabet; but math/rand for rand and
// text/template for template.
func (p *Packages) ByName(name string) (importPath string, ok bool) {
	switch name {
	case "rand":
		return "math/rand", true
	case "template":
		return "text/template", true
	}
	var found []string
	for key := range p.bound {
		if path.Base(key) == name {
			found = append(found, path.Dir(key))
		}
	}
	for _, g := range []string{"slices", "maps", "cmp", "iter", "unique"} {
		if g == name {
			found = append(found, g)
		}
	}
	if len(found) == 0 {
		return "", false
	}
	sort.Slice(found, func(i, j int) bool {
		if len(found[i]) != len(found[j]) {
			return len(found[i]) < len(found[j])
		}
		return found[i] < found[j]
	})
	return found[0], true
}

// Names lists the package names that ByName knows.
func (p *Packages) Names() []string {
	seen := map[string]bool{"slices": true, "maps": true, "cmp": true, "iter": true}
	for key := range p.bound {
		if !strings.Contains(key, "internal/") && !strings.Contains(key, "traefik/yaegi") {
			seen[path.Base(key)] = true
		}
	}
	var l []string
	for n := range seen {
		l = append(l, n)
	}
	sort.Strings(l)
	return l
}
