package datasets

// rowBlocks gathers rows of which the number is not known beforehand. Their numbers lie in blocks
// that never move: an array that grows by copying costs a reader more than reading does. A row
// lies in one block.
type rowBlocks struct {
	full []rowBlock
	last rowBlock
	open int // where the row that has not ended begins in last
}

type rowBlock struct {
	index  []int32
	value  []float64
	ends   []int32 // of rows
	labels []float64
}

// Blocks have room for 128 numbers at first and twice as many each time up to 65536.
const firstBlock, largestBlock = 128, 1 << 16

// add puts a number at the end of the row that has not ended.
func (b *rowBlocks) add(index int32, value float64) {
	if len(b.last.index) == cap(b.last.index) {
		b.grow()
	}
	b.last.index, b.last.value = append(b.last.index, index), append(b.last.value, value)
}

// grow begins a new block and moves the row that has not ended there.
func (b *rowBlocks) grow() {
	size := max(firstBlock, min(2*cap(b.last.index), largestBlock), 2*(len(b.last.index)-b.open))
	next := rowBlock{index: make([]int32, 0, size), value: make([]float64, 0, size)}
	next.index = append(next.index, b.last.index[b.open:]...)
	next.value = append(next.value, b.last.value[b.open:]...)
	if len(b.last.ends) > 0 {
		b.full = append(b.full, b.last)
	}
	b.last, b.open = next, 0
}

// end ends a row.
func (b *rowBlocks) end(label float64) {
	b.open = len(b.last.index)
	b.last.ends, b.last.labels = append(b.last.ends, int32(b.open)), append(b.last.labels, label)
}

// dataset returns the rows. Their labels are in Y as they are.
func (b *rowBlocks) dataset(name string) *Dataset {
	blocks, rows := append(b.full, b.last), 0
	for _, block := range blocks {
		rows += len(block.ends)
	}
	d := &Dataset{Name: name, X: make([]Vector, 0, rows), Y: make([]float64, 0, rows)}
	for _, block := range blocks {
		begin := int32(0)
		for _, end := range block.ends {
			// The third index keeps an append to a row from writing into the next one.
			d.X = append(d.X, Vector{Index: block.index[begin:end:end], Value: block.value[begin:end:end]})
			begin = end
		}
		d.Y = append(d.Y, block.labels...)
	}
	return d
}
