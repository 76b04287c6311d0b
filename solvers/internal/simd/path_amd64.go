package simd

import (
	"math"
	"unsafe"

	"golang.org/x/sys/cpu"
)

var available = detect()

func detect() []Path {
	paths := []Path{Go}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		paths = append(paths, AVX2)
		if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512VL {
			paths = append(paths, AVX512)
		}
	}
	return paths
}

// rowsCall are the arguments of the routines for rows. The assembly knows the offsets of its
// fields.
type rowsCall struct {
	panels     unsafe.Pointer
	stride     int // bytes from panel to panel
	count      int // panels, ≥ 1
	rows       int // ≥ 1
	start      *int32
	offset     *uint32
	value      unsafe.Pointer
	rowTerm    unsafe.Pointer // ‖x‖²/2, or the number of ones for tables
	columnTerm unsafe.Pointer // ‖z‖²/2, or the number of ones
	weight     *float64
	out        *float64
	outRow     int    // bytes from row to row
	scale      uint64 // bits of a float32 or float64
	shift      uint64
	degree     int
	table      *Table
}

// scanCall are the arguments and results of the scans. The assembly knows the offsets.
type scanCall struct {
	f, rowA, rowB, diagonal *float64
	up, low                 *uint64
	n                       int // a multiple of 16, ≥ 16
	x, y                    float64
	most, least             float64
	index                   int
	numerator, denominator  [16]float64
	block                   [16]int64
}

// routines[storage][form][add], the forms being the Kinds and nearForm.
type routines [3][4][2]func(c *rowsCall)

var routines256 = routines{
	Float32: {
		{rowsFloat32DotStore256, rowsFloat32DotAdd256},
		{rowsFloat32RBFStore256, rowsFloat32RBFAdd256},
		{rowsFloat32PowerStore256, rowsFloat32PowerAdd256},
	},
	Float64: {
		{rowsFloat64DotStore256, rowsFloat64DotAdd256},
		{rowsFloat64RBFStore256, rowsFloat64RBFAdd256},
		{rowsFloat64PowerStore256, rowsFloat64PowerAdd256},
	},
	Bytes: {
		{rowsBytesDotStore256, rowsBytesDotAdd256},
		{rowsBytesFarStore256, rowsBytesFarAdd256},
		{rowsBytesPowerStore256, rowsBytesPowerAdd256},
	},
}

var routines512 = routines{
	Float32: {
		{rowsFloat32DotStore512, rowsFloat32DotAdd512},
		{rowsFloat32RBFStore512, rowsFloat32RBFAdd512},
		{rowsFloat32PowerStore512, rowsFloat32PowerAdd512},
	},
	Float64: {
		{rowsFloat64DotStore512, rowsFloat64DotAdd512},
		{rowsFloat64RBFStore512, rowsFloat64RBFAdd512},
		{rowsFloat64PowerStore512, rowsFloat64PowerAdd512},
	},
	Bytes: {
		{rowsBytesDotStore512, rowsBytesDotAdd512},
		{rowsBytesFarStore512, rowsBytesFarAdd512},
		{rowsBytesPowerStore512, rowsBytesPowerAdd512},
		{rowsBytesNearStore512, rowsBytesNearAdd512},
	},
}

func (path Path) run(f Function, z *Panels, first, count int, x *Rows, weight, out []float64, stride int) {
	if path == Go {
		goRows(f, z, first, count, x, weight, out, stride)
		return
	}
	c := &rowsCall{stride: z.Dim * Lanes * z.Storage.size(), count: count, rows: x.Count(),
		start: &x.Start[0], offset: unsafe.SliceData(x.Offset), out: &out[0], outRow: 8 * stride,
		scale: math.Float64bits(f.Scale), shift: math.Float64bits(f.Shift), degree: f.Degree}
	form, add, point := int(f.Kind), 0, first*Lanes
	if weight != nil {
		add, c.weight = 1, &weight[0]
	}
	switch z.Storage {
	case Float32:
		c.panels, c.value = at(z.F32, point*z.Dim), at(x.F32, 0)
	case Float64:
		c.panels, c.value = at(z.F64, point*z.Dim), at(x.F64, 0)
	default:
		c.panels = at(z.U8, point*z.Dim)
	}
	if z.Storage != Float64 {
		c.scale, c.shift = uint64(math.Float32bits(float32(f.Scale))), uint64(math.Float32bits(float32(f.Shift)))
	}
	if f.Kind == Exponential {
		switch {
		case z.Storage == Bytes:
			if c.table = f.Table; path == AVX512 && f.Greatest < len(f.Table.low) {
				form = nearForm
			}
			c.rowTerm, c.columnTerm = at(x.Ones, 0), at(z.Ones, point)
		case z.Storage == Float64:
			c.rowTerm, c.columnTerm = at(x.Half64, 0), at(z.Half64, point)
		default:
			c.rowTerm, c.columnTerm = at(x.Half32, 0), at(z.Half32, point)
		}
	}
	if path == AVX512 {
		routines512[z.Storage][form][add](c)
	} else {
		routines256[z.Storage][form][add](c)
	}
}

// nearForm is the form for distances below 32, after those of the Kinds.
const nearForm = int(Power) + 1

func at[T any](s []T, i int) unsafe.Pointer {
	if len(s) == 0 {
		return nil
	}
	return unsafe.Pointer(&s[i])
}

func (path Path) update(f, rowA, rowB []float64, a, b float64, up, low Mask) (most, least float64) {
	c := scanCall{f: &f[0], rowA: &rowA[0], rowB: &rowB[0], up: &up[0], low: &low[0], n: len(f), x: a, y: b,
		most: math.Inf(-1), least: math.Inf(1)}
	if path == AVX512 {
		scanUpdate512(&c)
	} else {
		scanUpdate256(&c)
	}
	return c.most, c.least
}

func (path Path) find(f []float64, v float64, set Mask) int {
	c := scanCall{f: &f[0], up: &set[0], n: len(f), x: v}
	if path == AVX512 {
		scanFind512(&c)
	} else {
		scanFind256(&c)
	}
	return c.index
}

func (path Path) pair(f, row, diagonal []float64, most, self float64, low Mask) (int, float64, float64) {
	c := scanCall{f: &f[0], rowA: &row[0], diagonal: &diagonal[0], low: &low[0], n: len(f), x: most, y: self,
		least: leastCurvature}
	c.denominator[0] = 1
	lanes := 16
	if path == AVX512 {
		scanPair512(&c)
	} else {
		scanPair256(&c)
		lanes = 8
	}
	index, numerator, denominator := -1, 0.0, 1.0
	for lane := range lanes {
		left, right := c.numerator[lane]*denominator, numerator*c.denominator[lane]
		if left > right {
			index = int(c.block[lane])*lanes + lane
			numerator, denominator = c.numerator[lane], c.denominator[lane]
		}
	}
	return index, numerator, denominator
}
