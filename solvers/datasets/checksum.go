package datasets

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// Checksum is a SHA-256 of the rows and labels, in hexadecimal digits: sets have the same one if
// they have the same rows in the same order, whatever their Name and wherever they are from.
func (d *Dataset) Checksum() string {
	hash := sha256.New()
	var buffer []byte
	number := func(v uint64) { buffer = binary.LittleEndian.AppendUint64(buffer, v) }
	number(uint64(d.Dim))
	number(uint64(d.Len()))
	for i, x := range d.X {
		number(math.Float64bits(d.Y[i]))
		number(uint64(len(x.Index)))
		for k, feature := range x.Index {
			number(uint64(feature))
			number(math.Float64bits(x.Value[k]))
		}
		hash.Write(buffer)
		buffer = buffer[:0]
	}
	return hex.EncodeToString(hash.Sum(buffer[:0]))
}
