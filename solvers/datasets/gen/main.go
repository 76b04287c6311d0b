// Command gen makes the digits that package datasets carries: from MNIST it keeps the first
// 3000 threes and eights of the training files and all 1984 of the test files, byte for
// byte, in the files' own format.
//
// It is run by go generate in the package's folder, with GONB_SVM_DATA naming a folder that
// holds the four files of MNIST, or holds them in a folder mnist.
package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
)

const pixels = 28 * 28

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	for _, part := range []struct {
		name string
		most int
	}{{"train", 3000}, {"t10k", 10000}} {
		if err := selectDigits(part.name, part.most); err != nil {
			log.Fatal(err)
		}
	}
}

// selectDigits writes the first most images of a 3 or an 8 in one part of MNIST.
func selectDigits(part string, most int) error {
	imageFile, labelFile := part+"-images-idx3-ubyte.gz", part+"-labels-idx1-ubyte.gz"
	images, err := unpack(imageFile)
	if err != nil {
		return err
	}
	labels, err := unpack(labelFile)
	if err != nil {
		return err
	}
	const imageHead, labelHead = 16, 8
	n := len(labels) - labelHead
	if n < 0 || len(images) != imageHead+n*pixels {
		return fmt.Errorf("%s and %s do not belong together", imageFile, labelFile)
	}
	var digits, classes []byte
	for i := 0; i < n && len(classes) < most; i++ {
		if label := labels[labelHead+i]; label == 3 || label == 8 {
			digits = append(digits, images[imageHead+i*pixels:imageHead+(i+1)*pixels]...)
			classes = append(classes, label)
		}
	}
	count := uint32(len(classes))
	if err := pack(imageFile, []uint32{0x0803, count, 28, 28}, digits); err != nil {
		return err
	}
	return pack(labelFile, []uint32{0x0801, count}, classes)
}

// unpack finds a file in the folders of GONB_SVM_DATA and inflates it.
func unpack(name string) ([]byte, error) {
	folders := os.Getenv("GONB_SVM_DATA")
	for _, folder := range filepath.SplitList(folders) {
		for _, path := range []string{filepath.Join(folder, name), filepath.Join(folder, "mnist", name)} {
			data, err := os.ReadFile(path)
			if os.IsNotExist(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			z, err := gzip.NewReader(bytes.NewReader(data))
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			return io.ReadAll(z)
		}
	}
	return nil, fmt.Errorf("%s is in no folder of GONB_SVM_DATA (%q)", name, folders)
}

func pack(name string, head []uint32, body []byte) error {
	var packed bytes.Buffer
	z, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if err := binary.Write(z, binary.BigEndian, head); err != nil {
		return err
	}
	if _, err := z.Write(body); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join("mnist38", name), packed.Bytes(), 0o644)
}
