package simd

import (
	"fmt"
	"math"
)

// Lanes is the number of points of a panel.
const Lanes = 64

// Storage is how a panel holds its values.
type Storage int

const (
	Float32 Storage = iota
	Float64
	Bytes // 0 or 1
)

// size is the number of bytes of a value.
func (s Storage) size() int { return [...]int{4, 8, 1}[s] }

// Function is what is made of the dot product d = x·z of a row x and a point z.
type Function struct {
	Kind Kind
	// Scale is, for Exponential, the factor s of 2^(s·(‖x‖²/2 + ‖z‖²/2 - d)), s ≤ 0;
	// K = exp(-γ‖x-z‖²) has s = -2γ/ln 2. For Power it is the factor of d.
	Scale  float64
	Shift  float64 // Power: (Scale·d + Shift)^Degree
	Degree int     // ≥ 1
	// Table has the values of Exponential at the distances ‖x-z‖² between rows of ones, for
	// Bytes, and Greatest is the greatest distance that can occur, at most 255.
	Table    *Table
	Greatest int
}

// Table is exp(-γd) at integers d, of which exp(-γ(c+d)) = exp(-γc)·exp(-γd) makes all values.
type Table struct {
	low   [32]float32   // at 0, 1, …
	high  [16]float32   // at 0, 32, 64, …
	eight [3][8]float32 // at i, 8i and 64i
}

// NewTable is the table for γ. Values below 1e-37 are 0 in it.
func NewTable(gamma float64) *Table {
	t := new(Table)
	fill := func(values []float32, step int) {
		for i := range values {
			if v := math.Exp(-gamma * float64(step*i)); v > 1e-37 {
				values[i] = float32(v)
			}
		}
	}
	fill(t.low[:], 1)
	fill(t.high[:], 32)
	for k, step := range []int{1, 8, 64} {
		fill(t.eight[k][:], step)
	}
	return t
}

// Kind is the form of a Function.
type Kind int

const (
	Dot         Kind = iota // d
	Exponential             // 2^(Scale·(‖x‖²/2 + ‖z‖²/2 - d))
	Power                   // (Scale·d + Shift)^Degree
)

// Panels are points, 64 to a panel. A panel holds Dim groups of 64 values, group j being
// feature j of the 64 points. The last panel is filled up with zero points.
type Panels struct {
	Storage Storage
	Dim     int
	Count   int       // panels
	F32     []float32 // the values, in the slice of the Storage; Count·Dim·64
	F64     []float64
	U8      []uint8
	Half32  []float32 // ‖z‖²/2 of each point, for Float32; Count·64
	Half64  []float64 // the same for Float64
	Ones    []uint8   // features of each point, for Bytes
}

// Rows are sparse rows for panels of one Storage.
type Rows struct {
	Storage Storage
	Start   []int32   // row r has the entries Start[r] … Start[r+1]-1; one more than rows
	Offset  []uint32  // bytes from the panel's begin to the feature's group; see Storage.Offset
	Last    uint32    // the greatest Offset
	F32     []float32 // value of each entry, in the slice of the Storage; Bytes have none
	F64     []float64
	Half32  []float32 // ‖x‖²/2 of each row, for Float32
	Half64  []float64 // the same for Float64
	Ones    []int32   // entries of each row, those outside of the panels too, for Bytes
}

// Count is the number of rows.
func (r *Rows) Count() int { return len(r.Start) - 1 }

// Offset is the entry of Rows.Offset for a feature.
func (s Storage) Offset(feature int32) uint32 { return uint32(feature) * uint32(Lanes*s.size()) }

// MaxDim is the greatest number of features whose offsets fit.
func (s Storage) MaxDim() int { return 1 << 31 / (Lanes * s.size()) }

// Store computes out[r·stride + 64p + t] = f(x_r · z) for all rows r, panels p = first, …,
// first+count-1 (counted from 0 in out) and points t.
func (path Path) Store(f Function, z *Panels, first, count int, x *Rows, out []float64, stride int) {
	rows := x.Count()
	if rows == 0 || count == 0 {
		return
	}
	if stride < Lanes*count || len(out) < (rows-1)*stride+Lanes*count {
		panic(fmt.Sprintf("simd: %d values at stride %d for %d rows of %d panels", len(out), stride, rows, count))
	}
	check(f, z, first, count, x)
	path.run(f, z, first, count, x, nil, out, stride)
}

// Add adds Σ_r weight[r]·f(x_r · z) to sum[64p + t] for panels p = first, …, first+count-1
// (counted from 0 in sum). Sums are in float64 and in the order of the rows.
func (path Path) Add(f Function, z *Panels, first, count int, x *Rows, weight, sum []float64) {
	rows := x.Count()
	if rows == 0 || count == 0 {
		return
	}
	if len(weight) < rows || len(sum) < Lanes*count {
		panic(fmt.Sprintf("simd: %d weights for %d rows, %d sums for %d panels", len(weight), rows, len(sum), count))
	}
	check(f, z, first, count, x)
	path.run(f, z, first, count, x, weight, sum, 0)
}

// check panics where the routines would read outside of the slices.
func check(f Function, z *Panels, first, count int, x *Rows) {
	points, rows := Lanes*(first+count), x.Count()
	entries := int(x.Start[rows])
	ok := z.Storage == x.Storage && first >= 0 && len(x.Offset) >= entries
	switch z.Storage {
	case Float32:
		ok = ok && len(z.F32) >= points*z.Dim && len(x.F32) >= entries
	case Float64:
		ok = ok && len(z.F64) >= points*z.Dim && len(x.F64) >= entries
	default:
		ok = ok && len(z.U8) >= points*z.Dim
	}
	switch {
	case f.Kind == Power:
		ok = ok && f.Degree >= 1
	case f.Kind == Exponential && z.Storage == Bytes:
		ok = ok && f.Table != nil && f.Greatest < 256 && len(z.Ones) >= points && len(x.Ones) >= rows
	case f.Kind == Exponential && z.Storage == Float32:
		ok = ok && len(z.Half32) >= points && len(x.Half32) >= rows
	case f.Kind == Exponential:
		ok = ok && len(z.Half64) >= points && len(x.Half64) >= rows
	}
	if !ok {
		panic(fmt.Sprintf("simd: %d rows do not fit panels %d … %d", rows, first, first+count-1))
	}
	if entries > 0 && int(x.Last) >= z.Dim*Lanes*z.Storage.size() {
		panic(fmt.Sprintf("simd: a row has feature %d of %d", int(x.Last)/(Lanes*z.Storage.size()), z.Dim))
	}
}
