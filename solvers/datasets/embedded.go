package datasets

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"slices"
	"sync"
)

//go:generate go run ./gen

// mnist38Files hold real digits of MNIST; their origin is told in mnist38/README.md.
//
//go:embed mnist38/*.gz
var mnist38Files embed.FS

// toyFile holds 100 points, 50 of either class, for problems with known exact optima.
//
//go:embed toy.csv
var toyFile []byte

// embeddedDigits is MNIST's 3 (-1) against its 8 (+1), pixels in [0, 1]. The rows are
// decoded once and shared; the two views are the caller's own.
func embeddedDigits() (train, test *Dataset) {
	train, test = mnist38()
	return view(train), view(test)
}

// view is d with labels of its own.
func view(d *Dataset) *Dataset {
	own := *d
	own.X, own.Y, own.Labels = slices.Clone(d.X), slices.Clone(d.Y), slices.Clone(d.Labels)
	return &own
}

var mnist38 = sync.OnceValues(func() (train, test *Dataset) {
	return mnist38Part("train"), mnist38Part("t10k")
})

func mnist38Part(part string) *Dataset {
	unpacked := func(name string) *gzip.Reader {
		packed, err := mnist38Files.ReadFile("mnist38/" + name)
		if err != nil {
			panic(fmt.Sprintf("datasets: %v", err))
		}
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			panic(fmt.Sprintf("datasets: embedded %s: %v", name, err))
		}
		return z
	}
	d, err := ReadIDX(unpacked(part+"-images-idx3-ubyte.gz"), unpacked(part+"-labels-idx1-ubyte.gz"), "mnist38")
	if err != nil {
		panic(fmt.Sprintf("datasets: embedded digits: %v", err))
	}
	return d
}
