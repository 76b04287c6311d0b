package datasets

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
)

// idx is an IDX file of the given element type, shape and elements.
func idx(kind byte, shape []uint32, elements any) string {
	var b bytes.Buffer
	b.Write([]byte{0, 0, kind, byte(len(shape))})
	binary.Write(&b, binary.BigEndian, shape)
	if err := binary.Write(&b, binary.BigEndian, elements); err != nil {
		panic(err)
	}
	return b.String()
}

func TestReadIDX(t *testing.T) {
	labels := idx(idxUint8, []uint32{2}, []uint8{3, 8})
	for _, c := range []struct {
		name, images string
		want         [][]float64
	}{
		{"uint8", idx(idxUint8, []uint32{2, 2, 2}, []uint8{0, 255, 51, 0, 1, 0, 0, 0}), [][]float64{{0, 1, 0.2, 0}, {1.0 / 255, 0, 0, 0}}},
		{"int8", idx(idxInt8, []uint32{2, 2}, []int8{-128, 0, 1, 127}), [][]float64{{-128, 0}, {1, 127}}},
		{"int16", idx(idxInt16, []uint32{2, 1, 2}, []int16{-300, 0, 1, 500}), [][]float64{{-300, 0}, {1, 500}}},
		{"int32", idx(idxInt32, []uint32{2, 2}, []int32{-70000, 0, 1, 2}), [][]float64{{-70000, 0}, {1, 2}}},
		{"float32", idx(idxFloat32, []uint32{2, 2}, []float32{-0.5, 0, 1, 0.25}), [][]float64{{-0.5, 0}, {1, 0.25}}},
		{"float64", idx(idxFloat64, []uint32{2, 2}, []float64{-0.1, 0, 1, 0.3}), [][]float64{{-0.1, 0}, {1, 0.3}}},
	} {
		got, err := ReadIDX(strings.NewReader(c.images), strings.NewReader(labels), c.name)
		if err != nil {
			t.Error(err)
			continue
		}
		want, err := FromDense(c.want, []float64{3, 8})
		if err != nil {
			t.Fatal(err)
		}
		same(t, got, want)
	}
}

func TestReadIDXErrors(t *testing.T) {
	images := idx(idxUint8, []uint32{2, 2, 2}, make([]uint8, 8))
	labels := idx(idxUint8, []uint32{2}, []uint8{3, 8})
	for _, c := range []struct{ images, labels, want string }{
		{"", labels, "f: images: ends inside the header of an IDX file"},
		{images[:9], labels, "f: images: ends inside the header of an IDX file"},
		{"1 1:0.5", labels, "f: images: begins with \"1 1:\": an IDX file begins with two zero bytes"},
		{"\x00\x00\x07\x01", labels, "f: images: element type 0x07: want 0x08, 0x09 or 0x0b to 0x0e"},
		{"\x00\x00\x08\x00", labels, "f: images: no dimension: want at least one"},
		{images[:20], labels, "f: images: cut short: 4 of the 8 bytes that dimensions [2 2 2] need"},
		{images + "x", labels, "f: images: goes on after the 8 bytes that dimensions [2 2 2] need"},
		{images, labels[:9], "f: labels: cut short: 1 of the 2 bytes that dimensions [2] need"},
		{labels, images, "f: images: 1 dimension: want two or more (is this the file of labels?)"},
		{images, images, "f: labels: 3 dimensions: want one (is this a file of images?)"},
		{images, idx(idxUint8, []uint32{3}, make([]uint8, 3)), "f: 2 images but 3 labels: want one label per image"},
		{idx(idxUint8, []uint32{0, 2}, []uint8{}), labels, "f: no images: want at least one"},
		{idx(idxUint8, []uint32{1 << 31, 1 << 31, 1 << 31}, []uint8{}), labels, "f: images: dimensions [2147483648 2147483648 2147483648] ask for more than 64 GiB"},
		{idx(idxUint8, []uint32{1 << 31}, []uint8{}), labels, "f: images: cut short: 0 of the 2147483648 bytes that dimensions [2147483648] need"},
		{idx(idxFloat32, []uint32{2, 1}, []uint32{0x7f800000, 0}), labels, "f: images: pixel 0 of image 0 is +Inf: want a finite number"},
		{images, idx(idxFloat32, []uint32{2}, []uint32{0, 0x7fc00000}), "f: label of image 1 is NaN: want a finite number"},
	} {
		_, err := ReadIDX(strings.NewReader(c.images), strings.NewReader(c.labels), "f")
		if err == nil || err.Error() != c.want {
			t.Errorf("%v\nwant %s", err, c.want)
		}
	}
	broken := errors.New("the disk is gone")
	if _, err := ReadIDX(iotest.ErrReader(broken), nil, "f"); !errors.Is(err, broken) {
		t.Errorf("%v, want the reader's error", err)
	}
}

func FuzzReadIDX(f *testing.F) {
	labels := idx(idxUint8, []uint32{2}, []uint8{3, 8})
	f.Add([]byte(idx(idxUint8, []uint32{2, 2, 2}, []uint8{0, 255, 51, 0, 1, 0, 0, 0})), []byte(labels))
	f.Add([]byte(idx(idxFloat64, []uint32{2, 1}, []float64{1, 2})), []byte(labels))
	f.Add([]byte("\x00\x00\x08\x03\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"), []byte(labels))
	f.Add([]byte(idx(idxUint8, []uint32{2, 0}, []uint8{})), []byte(labels))
	f.Fuzz(func(t *testing.T, images, labels []byte) {
		d, err := ReadIDX(bytes.NewReader(images), bytes.NewReader(labels), "f")
		if err != nil {
			return
		}
		if err := d.Validate(); err != nil {
			t.Fatal(err)
		}
		if d.Len() == 0 || !slices.IsSorted(d.Labels) {
			t.Fatalf("%v", d)
		}
	})
}
