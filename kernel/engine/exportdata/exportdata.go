// Package exportdata holds what the type-checker must know of compiled packages: their exported
// types, in the portable form of golang.org/x/tools, which does not depend on the Go release that
// builds the binary. A set of packages is a zip file with an entry for each, named by its path.
package exportdata

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	_ "embed"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"sort"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
)

//go:generate go run ../gen -o std.zip std

//go:embed std.zip
var standard []byte

// Standard opens the export data of the standard library.
func Standard() (fs.FS, error) { return Open(standard) }

// Open opens export data that Write has written.
func Open(data []byte) (fs.FS, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, fmt.Errorf("export data: %w", err)
	}
	return z, nil
}

// Write writes the packages that the patterns, as for go list, name.
func Write(w io.Writer, patterns []string) error {
	// -trimpath: the file holds positions, and must not depend on the folder it was made in.
	args := append([]string{"list", "-export", "-trimpath", "-f", "{{.ImportPath}} {{.Export}}"}, patterns...)
	c := exec.Command("go", args...)
	c.Stderr = os.Stderr
	list, err := c.Output()
	if err != nil {
		return fmt.Errorf("go list: %w", err)
	}
	z := zip.NewWriter(w)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) { return flate.NewWriter(w, flate.BestCompression) })
	lines := strings.Split(strings.TrimSpace(string(list)), "\n")
	sort.Strings(lines)
	for _, l := range lines {
		path, file, ok := strings.Cut(l, " ")
		if !ok || file == "" || hidden(path) {
			continue
		}
		if err := entry(z, path, file); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
	return z.Close()
}

// hidden tells paths that no program may import.
func hidden(path string) bool {
	return strings.HasPrefix(path, "vendor/") || strings.HasPrefix(path, "internal/") ||
		strings.Contains(path, "/internal/") && !strings.Contains(path, ".") || strings.HasSuffix(path, "/internal")
}

func entry(z *zip.Writer, path, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer f.Close()
	//lint:ignore SA1019 the files that go list -export names are archives in Go 1.26, which Read alone does not open
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return err
	}
	fset := token.NewFileSet()
	pkg, err := gcexportdata.Read(r, fset, map[string]*types.Package{}, path)
	if err != nil {
		return err
	}
	w, err := z.CreateHeader(&zip.FileHeader{Name: path, Method: zip.Deflate})
	if err != nil {
		return err
	}
	return gcexportdata.Write(w, fset, pkg)
}
