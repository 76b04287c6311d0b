// Command generate writes the archive of bindings/docs; go generate runs it there.
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"io"
	"log"
	"maps"
	"os"
	"slices"

	"github.com/gonb-svm/gonb-svm/bindings/docs"
	"github.com/gonb-svm/gonb-svm/bindings/internal/extract"
	"github.com/gonb-svm/gonb-svm/bindings/internal/listing"
)

func main() {
	log.SetFlags(0)
	all, err := extract.Documentation(listing.All()...)
	if err != nil {
		log.Fatal(err)
	}
	packed, err := pack(all)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("docs.zip", packed, 0o644); err != nil {
		log.Fatal(err)
	}
}

// pack writes one JSON file for each package, in the order of their paths and with no times, so
// that the same documentation gives the same bytes.
func pack(all map[string]docs.Package) ([]byte, error) {
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	z.RegisterCompressor(zip.Deflate, func(w io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(w, flate.BestCompression)
	})
	for _, path := range slices.Sorted(maps.Keys(all)) {
		w, err := z.CreateHeader(&zip.FileHeader{Name: path + ".json", Method: zip.Deflate})
		if err != nil {
			return nil, err
		}
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		if err := encoder.Encode(all[path]); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
