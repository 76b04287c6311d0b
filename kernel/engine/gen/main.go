// Gen writes the export data of packages, one entry a package, as a zip file that Options.Types
// can be: in the portable form of golang.org/x/tools, which does not depend on the Go release that
// builds the binary.
//
//	gen -o exportdata/std.zip std
//	gen -o own.zip gonum.org/v1/gonum/mat ...
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"flag"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"log"
	"os"
	"os/exec"
	"sort"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
)

func main() {
	log.SetFlags(0)
	out := flag.String("o", "", "file to write")
	flag.Parse()
	if *out == "" || flag.NArg() == 0 {
		log.Fatal("usage: gen -o FILE.zip PACKAGE...")
	}
	var b bytes.Buffer
	if err := write(&b, flag.Args()); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, b.Bytes(), 0o644); err != nil {
		log.Fatal(err)
	}
}

// write makes the zip of the packages that the patterns name.
func write(w io.Writer, patterns []string) error {
	args := append([]string{"list", "-export", "-f", "{{.ImportPath}} {{.Export}}"}, patterns...)
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
