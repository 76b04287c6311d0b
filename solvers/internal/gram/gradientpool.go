package gram

import "github.com/gonb-svm/gonb-svm/solvers/internal/simd"

// poolFrom is the number of entries from which on rows in random order are taken from a pool. What
// does not fit in the second cache is waited for, row by row; copying waits for many rows at once.
const poolFrom = 1 << 16

// pool is rows so stored that one in the middle is read from few places.
type pool[T simd.Float] struct {
	entries []poolEntry[T]
	rows    []poolRow[T]
	last    uint32
}

type poolEntry[T simd.Float] struct {
	offset uint32
	value  T
}

type poolRow[T simd.Float] struct {
	from, to int32
	half     T
	target   float64
}

func newPool[T simd.Float](data *simd.Entries[T], target []float64) *pool[T] {
	// One entry more, for a last row without any.
	p := &pool[T]{entries: make([]poolEntry[T], len(data.Offset)+1), rows: make([]poolRow[T], len(target)), last: data.Last}
	for k, offset := range data.Offset {
		p.entries[k] = poolEntry[T]{offset, data.Value[k]}
	}
	for r := range p.rows {
		p.rows[r] = poolRow[T]{data.Start[r], data.Start[r+1], data.Half[r], target[r]}
	}
	return p
}

// packed is some rows, one after the other.
type packed[T simd.Float] struct {
	data    simd.Entries[T]
	places  []int32 // 0, 1, 2, …
	targets []float64
	rows    []poolRow[T]
	touched uint32 // keeps touch from being left out as useless
}

// take copies rows, and gives them, their places and their targets.
func (p *pool[T]) take(to *packed[T], rows []int32) (*simd.Entries[T], []int32, []float64) {
	p.touch(to, rows)
	d := &to.data
	d.Start, d.Offset, d.Value, d.Half, d.Last = append(d.Start[:0], 0), d.Offset[:0], d.Value[:0], d.Half[:0], p.last
	to.targets = to.targets[:0]
	for i, row := range to.rows {
		for _, e := range p.entries[row.from:row.to] {
			d.Offset, d.Value = append(d.Offset, e.offset), append(d.Value, e.value)
		}
		d.Half, d.Start = append(d.Half, row.half), append(d.Start, int32(len(d.Offset)))
		to.targets = append(to.targets, row.target)
		if i == len(to.places) {
			to.places = append(to.places, int32(i))
		}
	}
	return d, to.places[:len(rows)], to.targets
}

// touch brings the rows into the cache. No branch waits for what is loaded, so that the processor
// loads many rows at once.
func (p *pool[T]) touch(to *packed[T], rows []int32) {
	to.rows = to.rows[:0]
	for _, r := range rows {
		to.rows = append(to.rows, p.rows[r])
	}
	const line = 8 // entries
	sum := uint32(0)
	for _, row := range to.rows {
		last := max(row.to-1, row.from)
		sum += p.entries[row.from].offset + p.entries[min(row.from+line, last)].offset + p.entries[min(row.from+2*line, last)].offset + p.entries[last].offset
	}
	to.touched = sum
}

// look gives the targets of rows that are read where they are.
func (to *packed[T]) look(target []float64, rows []int32) []float64 {
	to.targets = to.targets[:0]
	for _, r := range rows {
		to.targets = append(to.targets, target[r])
	}
	return to.targets
}
