package datasets

import (
	"bufio"
	"bytes"
	"compress/bzip2"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// LoadFile reads a data file: LIBSVM text (see ReadLIBSVM), a CSV table (see ReadCSV) or
// IDX images (see ReadIDX), each also packed by gzip or bzip2. What the file holds decides;
// a file whose name ends in .csv or .tsv is a table in any case. The labels of IDX images
// are taken from the file beside it whose name has labels for images and idx1 for idx3, as
// MNIST's have. The Dataset's name is the file's, without folder and packing.
//
// The error names the file: one of os (not found, no permission), a *ParseError, or a
// sentence that says what the file seems to be.
func LoadFile(path string) (*Dataset, error) {
	d, err := readFile(path, path)
	if err != nil {
		return nil, err
	}
	d.Name = filepath.Base(withoutPacking(path))
	return d, nil
}

// readFile is LoadFile for a file that errors call name.
func readFile(path, name string) (*Dataset, error) {
	f, err := openData(path)
	if err != nil {
		return nil, fileError(name, err)
	}
	defer f.Close()
	d, err := f.read(name)
	if err != nil {
		return nil, fileError(name, err)
	}
	return d, nil
}

// readImageFiles reads a pair of IDX files that errors call name.
func readImageFiles(images, labels, name string) (*Dataset, error) {
	f, err := openData(images)
	if err != nil {
		return nil, fileError(name, err)
	}
	defer f.Close()
	g, err := openData(labels)
	if err != nil {
		return nil, fileError(name, err)
	}
	defer g.Close()
	d, err := ReadIDX(f, g, name)
	if err != nil {
		return nil, fileError(name, err)
	}
	return d, nil
}

// fileError makes sure that an error names the file, once, and that damage reads as such.
func fileError(name string, err error) error {
	var parse *ParseError
	var bzip2Damage bzip2.StructuralError
	var flateDamage flate.CorruptInputError
	switch {
	case errors.As(err, &parse):
		return err
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Errorf("%s: cut short: the packed file ends too early", name)
	case errors.As(err, &bzip2Damage), errors.As(err, &flateDamage),
		errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader):
		return fmt.Errorf("%s: damaged: it does not unpack", name)
	case strings.HasPrefix(err.Error(), name+": "):
		return err
	}
	if _, named := err.(*os.PathError); named { // "open …: no such file or directory"
		return err
	}
	return fmt.Errorf("%s: %w", name, err)
}

// dataFile is an open file, unpacked while it is read.
type dataFile struct {
	*bufio.Reader
	file *os.File
}

func (f *dataFile) Close() error { return f.file.Close() }

// openData opens a file and looks at its first bytes to see how it is packed.
func openData(path string) (*dataFile, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	f := &dataFile{Reader: bufio.NewReaderSize(file, 1<<16), file: file}
	head, err := f.Peek(4)
	if err != nil && err != io.EOF { // a folder, for one
		file.Close()
		return nil, err
	}
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		unpacked, err := gzip.NewReader(f.Reader)
		if err != nil {
			file.Close()
			return nil, err
		}
		f.Reader = bufio.NewReaderSize(unpacked, 1<<16)
	case bytes.HasPrefix(head, []byte("BZh")):
		f.Reader = bufio.NewReaderSize(bzip2.NewReader(f.Reader), 1<<16)
	}
	return f, nil
}

// read takes the file for what it looks like.
func (f *dataFile) read(path string) (*Dataset, error) {
	head, err := f.Peek(4096)
	if err != nil && err != io.EOF {
		return nil, err
	}
	switch extension := strings.ToLower(filepath.Ext(withoutPacking(path))); {
	case bytes.HasPrefix(head, []byte(idxMagic)):
		return f.readImages(path)
	case extension == ".csv", extension == ".tsv":
		return ReadCSV(f, path)
	}
	for _, other := range []struct{ start, what string }{
		{"PK\x03\x04", "a zip archive: unpack it first"},
		{"\xfd7zXZ\x00", "packed by xz: unpack it first (gzip and bzip2 are read as they are)"},
		{"\x28\xb5\x2f\xfd", "packed by zstd: unpack it first (gzip and bzip2 are read as they are)"},
		{"\x93NUMPY", "a NumPy array: save it as CSV or LIBSVM text"},
		{"MATLAB ", "a MATLAB file: save it as CSV or LIBSVM text"},
		{"@relation", "an ARFF file: save it as CSV or LIBSVM text"},
		{"<", "a web page or XML: want LIBSVM text, CSV or IDX"},
	} {
		if start := head[:min(len(head), len(other.start))]; bytes.EqualFold(start, []byte(other.start)) {
			return nil, fmt.Errorf("this is %s", other.what)
		}
	}
	if bytes.IndexByte(head, 0) >= 0 {
		return nil, errors.New("this is not text: want LIBSVM text, CSV or IDX")
	}
	if looksLikeTable(head) {
		return ReadCSV(f, path)
	}
	return ReadLIBSVM(f, path)
}

// looksLikeTable reports whether the first line with anything in it has a separator of
// columns and no pair index:value.
func looksLikeTable(head []byte) bool {
	for line := range bytes.Lines(bytes.TrimPrefix(head, []byte(byteOrderMark))) {
		line, _, _ = bytes.Cut(line, []byte{'#'})
		if line = bytes.TrimSpace(line); len(line) > 0 {
			return bytes.ContainsAny(line, ",;\t") && !bytes.Contains(line, []byte{':'})
		}
	}
	return false
}

// readImages reads IDX images and, from the file beside, their labels.
func (f *dataFile) readImages(path string) (*Dataset, error) {
	folder, base := filepath.Split(path)
	beside := strings.NewReplacer("images", "labels", "idx3", "idx1").Replace(base)
	if beside == base {
		return nil, errors.New("IDX images need their labels: name the files …images… and …labels…, as MNIST's are, and give the images")
	}
	labels, err := openBeside(folder, beside)
	if err != nil {
		return nil, fmt.Errorf("the labels of these IDX images: %w", err)
	}
	defer labels.Close()
	return ReadIDX(f, labels, path)
}

// openBeside opens a file of a folder, packed or not.
func openBeside(folder, base string) (*dataFile, error) {
	path := findFile(folder, base)
	if path == "" {
		path = filepath.Join(folder, base) // os.Open words the error
	}
	return openData(path)
}

// findFile is the path of a file in a folder, packed in whichever way or not at all; "" if
// it is not there.
func findFile(folder, base string) string {
	plain := withoutPacking(base)
	for _, candidate := range []string{base, plain, plain + ".gz", plain + ".bz2"} {
		path := filepath.Join(folder, candidate)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

func withoutPacking(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(path, ".gz"), ".bz2")
}
