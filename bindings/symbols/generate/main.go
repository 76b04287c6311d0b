// Command generate writes the symbol tables below bindings/symbols; go generate runs it there.
package main

import (
	"bytes"
	"log"
	"os"
	"path/filepath"

	"github.com/gonb-svm/gonb-svm/bindings/internal/listing"
	"github.com/gonb-svm/gonb-svm/bindings/internal/tables"
	"github.com/gonb-svm/gonb-svm/kernel/engine/exportdata"
)

func main() {
	log.SetFlags(0)
	for _, g := range listing.All() {
		if len(os.Args) > 1 && os.Args[1] != g.Name {
			continue
		}
		if err := replace(g); err != nil {
			log.Fatalf("tables of %s: %v", g.Name, err)
		}
	}
	if err := writeTypes(); err != nil {
		log.Fatalf("export data: %v", err)
	}
}

// writeTypes writes the export data of the packages that are not of the standard library, whose
// export data the engine has.
func writeTypes() error {
	var patterns []string
	for _, g := range listing.All() {
		if g.Name != listing.Standard().Name {
			patterns = append(patterns, g.Patterns...)
		}
	}
	var b bytes.Buffer
	if err := exportdata.Write(&b, patterns); err != nil {
		return err
	}
	return os.WriteFile("types.zip", b.Bytes(), 0o644)
}

// replace writes the tables of a group and removes those that are no longer generated.
func replace(g listing.Group) error {
	files, err := tables.Files(g)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(g.Name, 0o755); err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(g.Name, "*.go"))
	if err != nil {
		return err
	}
	for _, path := range old {
		if files[filepath.Base(path)] == nil {
			if err := os.Remove(path); err != nil {
				return err
			}
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(g.Name, name), text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
