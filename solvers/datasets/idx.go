package datasets

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// idxMagic begins every IDX file: two zero bytes, the element type, the number of dimensions.
const idxMagic = "\x00\x00"

// maxIDXBytes bounds the elements of one IDX file, so that a broken header cannot ask for
// more memory than any machine has.
const maxIDXBytes = 1 << 36

// ReadIDX reads a pair of IDX files, the format of MNIST: images of two or more dimensions
// (rows first, such as 60000 × 28 × 28) and as many labels in one dimension. Each image is
// one row of the Dataset, its pixels in the file's order; zeros are not stored. Unsigned
// bytes are divided by 255, so that pixels lie in [0, 1]; the other element types of IDX
// (int8, int16, int32, float32, float64) keep their values. Labels are as Dataset says: the
// ten digits of MNIST stay 0 to 9. Compressed files must be unpacked first; LoadFile does.
//
// The error says which of the two is wrong and how.
func ReadIDX(images, labels io.Reader, name string) (*Dataset, error) {
	pixels, err := readIDXArray(images)
	if err != nil {
		return nil, fmt.Errorf("%s: images: %w", name, err)
	}
	classes, err := readIDXArray(labels)
	if err != nil {
		return nil, fmt.Errorf("%s: labels: %w", name, err)
	}
	n := pixels.shape[0]
	switch {
	case len(pixels.shape) < 2:
		return nil, fmt.Errorf("%s: images: %d dimension: want two or more (is this the file of labels?)", name, len(pixels.shape))
	case len(classes.shape) != 1:
		return nil, fmt.Errorf("%s: labels: %d dimensions: want one (is this a file of images?)", name, len(classes.shape))
	case n == 0:
		return nil, fmt.Errorf("%s: no images: want at least one", name)
	case n != classes.shape[0]:
		return nil, fmt.Errorf("%s: %d images but %d labels: want one label per image", name, n, classes.shape[0])
	}
	d := &Dataset{Name: name, Dim: pixels.len() / n, X: make([]Vector, n), Y: make([]float64, n)}
	if d.Dim > maxFeatures {
		return nil, fmt.Errorf("%s: images of %d pixels: want at most %d", name, d.Dim, maxFeatures)
	}
	for i := range d.Y {
		d.Y[i] = classes.at(i)
		if !finite(d.Y[i]) {
			return nil, fmt.Errorf("%s: label of image %d is %g: want a finite number", name, i, d.Y[i])
		}
	}
	if err := d.fillFromIDX(pixels); err != nil {
		return nil, err
	}
	d.mapLabels()
	return d, nil
}

// fillFromIDX makes the rows of d, which share two arrays, from its pixels.
func (d *Dataset) fillFromIDX(pixels *idxArray) error {
	if pixels.kind == idxUint8 {
		d.fillFromBytes(pixels.data)
		return nil
	}
	var index []int32
	var value []float64
	for i := range d.X {
		first := len(index)
		for j := range d.Dim {
			v := pixels.at(i*d.Dim + j)
			if !finite(v) {
				return fmt.Errorf("%s: images: pixel %d of image %d is %g: want a finite number", d.Name, j, i, v)
			}
			if v != 0 {
				index, value = append(index, int32(j)), append(value, v)
			}
		}
		n := len(index)
		d.X[i] = Vector{Index: index[first:n:n], Value: value[first:n:n]}
	}
	return nil
}

// fillFromBytes is fillFromIDX for the usual pixels, which it divides by 255.
func (d *Dataset) fillFromBytes(pixels []byte) {
	var scaled [256]float64
	for b := range scaled {
		scaled[b] = float64(b) / 255
	}
	stored := len(pixels) - bytes.Count(pixels, []byte{0})
	index, value := make([]int32, stored), make([]float64, stored)
	n := 0
	for i := range d.X {
		first := n
		for j, b := range pixels[i*d.Dim : (i+1)*d.Dim] {
			if b != 0 {
				index[n], value[n] = int32(j), scaled[b]
				n++
			}
		}
		d.X[i] = Vector{Index: index[first:n:n], Value: value[first:n:n]}
	}
}

// The element types of IDX, as its third byte says them.
const (
	idxUint8   = 0x08
	idxInt8    = 0x09
	idxInt16   = 0x0B
	idxInt32   = 0x0C
	idxFloat32 = 0x0D
	idxFloat64 = 0x0E
)

// idxArray is an IDX file: an array in row-major order, big-endian.
type idxArray struct {
	kind  byte
	size  int // bytes of an element
	shape []int
	data  []byte
}

func readIDXArray(r io.Reader) (*idxArray, error) {
	var head [4]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return nil, cutShort("the header of an IDX file", err)
	}
	if string(head[:2]) != idxMagic {
		return nil, fmt.Errorf("begins with %q: an IDX file begins with two zero bytes", head[:])
	}
	sizes := map[byte]int{idxUint8: 1, idxInt8: 1, idxInt16: 2, idxInt32: 4, idxFloat32: 4, idxFloat64: 8}
	a := &idxArray{kind: head[2], size: sizes[head[2]]}
	if a.size == 0 {
		return nil, fmt.Errorf("element type 0x%02x: want 0x08, 0x09 or 0x0b to 0x0e", a.kind)
	}
	shape := make([]uint32, head[3])
	if err := binary.Read(r, binary.BigEndian, shape); err != nil {
		return nil, cutShort("the header of an IDX file", err)
	}
	if len(shape) == 0 {
		return nil, fmt.Errorf("no dimension: want at least one")
	}
	total := a.size
	for _, n := range shape {
		if n > 0 && total > maxIDXBytes/int(n) {
			return nil, fmt.Errorf("dimensions %v ask for more than %d GiB", shape, maxIDXBytes>>30)
		}
		a.shape = append(a.shape, int(n))
		total *= int(n)
	}
	// Room for most files at once; a header that promises more than it has gets no more than that.
	data := bytes.NewBuffer(make([]byte, 0, min(total, 1<<24)+bytes.MinRead))
	if _, err := data.ReadFrom(io.LimitReader(r, int64(total))); err != nil && err != io.ErrUnexpectedEOF {
		return nil, err
	}
	if a.data = data.Bytes(); len(a.data) < total {
		return nil, fmt.Errorf("cut short: %d of the %d bytes that dimensions %v need", len(a.data), total, shape)
	}
	var one [1]byte
	switch n, err := io.ReadFull(r, one[:]); { // also where a packed file's checksum is found wrong
	case n > 0:
		return nil, fmt.Errorf("goes on after the %d bytes that dimensions %v need", total, shape)
	case err != io.EOF:
		return nil, err
	}
	return a, nil
}

// cutShort words the end of a file inside what; other errors stay what they are.
func cutShort(what string, err error) error {
	if err == io.EOF || err == io.ErrUnexpectedEOF {
		return fmt.Errorf("ends inside %s", what)
	}
	return err
}

func (a *idxArray) len() int { return len(a.data) / a.size }

// at is element i as a number.
func (a *idxArray) at(i int) float64 {
	b := a.data[i*a.size:]
	switch a.kind {
	case idxUint8:
		return float64(b[0])
	case idxInt8:
		return float64(int8(b[0]))
	case idxInt16:
		return float64(int16(binary.BigEndian.Uint16(b)))
	case idxInt32:
		return float64(int32(binary.BigEndian.Uint32(b)))
	case idxFloat32:
		return float64(math.Float32frombits(binary.BigEndian.Uint32(b)))
	default:
		return math.Float64frombits(binary.BigEndian.Uint64(b))
	}
}
