package datasets

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func gzipped(t *testing.T, text string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// bzipped is svmText packed by bzip2, which Go can only unpack, in base64.
const bzipped = "QlpoOTFBWSZTWSaAmxIAAANYAAAQQAt6ECAAIammDEIBppo3fKQ1AJP4CafC7kinChIE0BNiQA=="

const (
	svmText = "-1 1:0.5 3:-2\n+1 2:1\n"
	csvText = "a,b,c,y\n0.5,0,-2,-1\n0,1,0,1\n"
)

// folderOf writes files into a new folder.
func folderOf(t *testing.T, files map[string]string) string {
	t.Helper()
	folder := t.TempDir()
	for name, content := range files {
		path := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

func unbase64(t *testing.T, text string) string {
	t.Helper()
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestLoadFile(t *testing.T) {
	images := idx(idxFloat32, []uint32{2, 3}, []float32{0.5, 0, -2, 0, 1, 0})
	labels := idx(idxInt8, []uint32{2}, []int8{-1, 1})
	folder := folderOf(t, map[string]string{
		"heart":            svmText,
		"heart.txt":        "# a comment, with commas\n\n" + svmText,
		"heart.svm.gz":     gzipped(t, svmText),
		"heart.bz2":        unbase64(t, bzipped),
		"packed":           gzipped(t, svmText),
		"table.csv":        csvText,
		"table.dat":        csvText,
		"table.CSV.gz":     gzipped(t, csvText),
		"table.tsv":        strings.ReplaceAll(csvText, ",", "\t"),
		"x-images-idx3":    images,
		"x-labels-idx1":    labels,
		"z-images.gz":      gzipped(t, images),
		"z-labels":         labels,
		"v-images-idx3":    images,
		"v-labels-idx1.gz": gzipped(t, labels),
	})
	want, err := FromDense([][]float64{{0.5, 0, -2}, {0, 1, 0}}, []float64{-1, 1})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ file, name string }{
		{"heart", "heart"}, {"heart.txt", "heart.txt"}, {"heart.svm.gz", "heart.svm"}, {"heart.bz2", "heart"}, {"packed", "packed"},
		{"table.csv", "table.csv"}, {"table.dat", "table.dat"}, {"table.CSV.gz", "table.CSV"}, {"table.tsv", "table.tsv"},
		{"x-images-idx3", "x-images-idx3"}, {"z-images.gz", "z-images"}, {"v-images-idx3", "v-images-idx3"},
	} {
		t.Run(c.file, func(t *testing.T) {
			got, err := LoadFile(filepath.Join(folder, c.file))
			if err != nil {
				t.Fatal(err)
			}
			same(t, got, want)
			if got.Name != c.name {
				t.Errorf("name %q, want %q", got.Name, c.name)
			}
		})
	}
}

func TestLoadFileErrors(t *testing.T) {
	images := idx(idxUint8, []uint32{2, 3}, make([]uint8, 6))
	long := gzipped(t, strings.Repeat(svmText, 10))
	spoilt := []byte(long)
	spoilt[len(spoilt)-6] ^= 1 // in the checksum
	bz := unbase64(t, bzipped)
	folder := folderOf(t, map[string]string{
		"wrong":            "1 5:1 4:1\n",
		"wrong.gz":         gzipped(t, "1 5:1 4:1\n"),
		"empty":            "",
		"wrong.csv":        "1,2\n3,x\n",
		"svm.csv":          svmText,
		"cut.gz":           long[:len(long)-12],
		"cut.bz2":          bz[:len(bz)-10],
		"head.gz":          long[:5],
		"spoilt.gz":        string(spoilt),
		"spoilt.bz2":       "BZh9 this is no block",
		"page":             "<!DOCTYPE html><title>404</title>",
		"set.zip":          "PK\x03\x04....",
		"set.xz":           "\xfd7zXZ\x00....",
		"set.npy":          "\x93NUMPY\x01\x00",
		"set.arff":         "@RELATION iris\n",
		"set.mat":          "MATLAB 5.0 MAT-file\x00",
		"program":          "\x7fELF\x00\x01",
		"alone-images":     images,
		"labels":           idx(idxUint8, []uint32{2}, []uint8{1, 2}),
		"cut-images.gz":    gzipped(t, images[:14]),
		"cut-labels":       idx(idxUint8, []uint32{2}, []uint8{1, 2}),
		"spoilt-images":    images,
		"spoilt-labels.gz": gzipped(t, "")[:8],
	})
	for _, c := range []struct{ file, want string }{
		{"wrong", "DIR/wrong:1:7: index 4 after 5: indices must increase"},
		{"wrong.gz", "DIR/wrong.gz:1:7: index 4 after 5: indices must increase"},
		{"empty", "DIR/empty:1:1: no rows: want at least one line \"label index:value …\""},
		{"wrong.csv", "DIR/wrong.csv:2:3: label \"x\": want one finite number"},
		{"svm.csv", "DIR/svm.csv:1:1: one column: want at least one feature and a label"},
		{"cut.gz", "DIR/cut.gz: cut short: the packed file ends too early"},
		{"cut.bz2", "DIR/cut.bz2: cut short: the packed file ends too early"},
		{"head.gz", "DIR/head.gz: cut short: the packed file ends too early"},
		{"spoilt.gz", "DIR/spoilt.gz: damaged: it does not unpack"},
		{"spoilt.bz2", "DIR/spoilt.bz2: damaged: it does not unpack"},
		{"page", "DIR/page: this is a web page or XML: want LIBSVM text, CSV or IDX"},
		{"set.zip", "DIR/set.zip: this is a zip archive: unpack it first"},
		{"set.xz", "DIR/set.xz: this is packed by xz: unpack it first (gzip and bzip2 are read as they are)"},
		{"set.npy", "DIR/set.npy: this is a NumPy array: save it as CSV or LIBSVM text"},
		{"set.arff", "DIR/set.arff: this is an ARFF file: save it as CSV or LIBSVM text"},
		{"set.mat", "DIR/set.mat: this is a MATLAB file: save it as CSV or LIBSVM text"},
		{"program", "DIR/program: this is not text: want LIBSVM text, CSV or IDX"},
		{"alone-images", "DIR/alone-images: the labels of these IDX images: open DIR/alone-labels: no such file or directory"},
		{"labels", "DIR/labels: IDX images need their labels: name the files …images… and …labels…, as MNIST's are, and give the images"},
		{"cut-images.gz", "DIR/cut-images.gz: images: cut short: 2 of the 6 bytes that dimensions [2 3] need"},
		{"spoilt-images", "DIR/spoilt-images: cut short: the packed file ends too early"},
		{"absent", "open DIR/absent: no such file or directory"},
		{"", "read DIR: is a directory"},
	} {
		_, err := LoadFile(filepath.Join(folder, c.file))
		if err == nil {
			t.Errorf("%s: no error, want %s", c.file, c.want)
		} else if got := strings.ReplaceAll(err.Error(), folder, "DIR"); got != c.want {
			t.Errorf("%s: %s\nwant %s", c.file, got, c.want)
		}
	}
}
