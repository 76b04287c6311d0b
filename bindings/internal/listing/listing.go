// Package listing says which packages a cell can name, and loads their types. Both generators
// (symbol tables and documentation) and their tests start from it.
package listing

import (
	"fmt"
	"go/types"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Module is the import path of this module.
const Module = "github.com/gonb-svm/gonb-svm"

// Group is a set of packages whose tables are compiled together.
type Group struct {
	Name     string   // the folder of its tables below bindings/symbols
	Patterns []string // as for go list
}

// Standard is the standard library.
func Standard() Group { return Group{"standard", []string{"std"}} }

// Scientific is gonum and gonum/plot.
func Scientific() Group {
	var paths []string
	for _, p := range strings.Fields(`blas blas/blas64 blas/gonum cmplxs diff/fd dsp/fourier dsp/window
		floats floats/scalar graph graph/community graph/encoding/dot graph/network graph/path graph/simple
		graph/topo integrate integrate/quad interp lapack lapack/lapack64 mat mathext num/dual num/quat optimize
		optimize/convex/lp optimize/functions spatial/kdtree spatial/r2 spatial/r3 spatial/vptree stat
		stat/card stat/combin stat/distmat stat/distmv stat/distuv stat/samplemv stat/sampleuv unit unit/constant`) {
		paths = append(paths, "gonum.org/v1/gonum/"+p)
	}
	paths = append(paths, "gonum.org/v1/plot")
	for _, p := range strings.Fields(`font palette palette/brewer palette/moreland plotter plotutil text
		vg vg/draw vg/vgimg vg/vgpdf vg/vgsvg`) {
		paths = append(paths, "gonum.org/v1/plot/"+p)
	}
	return Group{"scientific", paths}
}

// Own is what this module offers to cells.
func Own() Group {
	var paths []string
	for _, p := range []string{"bindings/check", "bindings/svm", "kernel/display", "kernel/widgets", "plotting", "solvers", "solvers/datasets", "solvers/export"} {
		paths = append(paths, Module+"/"+p)
	}
	return Group{"own", paths}
}

// All are the groups in the order in which they are generated.
func All() []Group { return []Group{Standard(), Scientific(), Own()} }

// Bound reports whether cells can name the package. Internal packages cannot be named by
// anyone; unsafe is the compiler's, not a package; of the rest, those left out have no names to
// bind or do nothing in a static binary.
func Bound(path string) bool {
	switch path {
	case "unsafe", "plugin", "runtime/cgo", "runtime/race", "time/tzdata":
		return false
	}
	for _, part := range strings.Split(path, "/") {
		if part == "internal" || part == "vendor" {
			return false
		}
	}
	return true
}

// Platform is a GOOS and GOARCH; the zero value is the machine's own.
type Platform struct{ OS, Arch string }

// Platforms are those for which tables that differ between platforms are generated.
func Platforms() []Platform {
	return []Platform{{"linux", "amd64"}, {"linux", "arm64"}, {"darwin", "amd64"}, {"darwin", "arm64"}, {"windows", "amd64"}}
}

// Load gives the types of the bound packages that match the patterns, sorted by path. It
// returns an error if one of them does not type-check, so that none is ever left out unnoticed.
func Load(platform Platform, patterns ...string) ([]*types.Package, error) {
	config := &packages.Config{Mode: packages.NeedName | packages.NeedTypes | packages.NeedImports}
	config.Env = append(os.Environ(), "CGO_ENABLED=0")
	if platform != (Platform{}) {
		config.Env = append(config.Env, "GOOS="+platform.OS, "GOARCH="+platform.Arch)
		// Export data of another platform would have to be compiled first; checking the source is cheaper.
		config.Mode |= packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedDeps | packages.NeedFiles | packages.NeedCompiledGoFiles
	}
	loaded, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, err
	}
	var found []*types.Package
	for _, p := range loaded {
		if !Bound(p.PkgPath) {
			continue
		}
		if len(p.Errors) > 0 {
			return nil, fmt.Errorf("%s: %w", p.PkgPath, p.Errors[0])
		}
		if p.Types == nil || !p.Types.Complete() {
			return nil, fmt.Errorf("%s: no types were found", p.PkgPath)
		}
		found = append(found, p.Types)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no package matches %s", strings.Join(patterns, " "))
	}
	slices.SortFunc(found, func(a, b *types.Package) int { return strings.Compare(a.Path(), b.Path()) })
	return found, nil
}
