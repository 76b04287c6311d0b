package solvers

import (
	"slices"
	"sync"
)

// blockRows is the number of rows in a block: its dot products stay in the first-level cache.
const blockRows = 2048

// block is a run of at most blockRows sparse rows stored by feature, so that the dot products
// of all of them with one sparse vector are sums over that vector's features alone.
type block struct {
	features []int32  // those that occur, ascending
	start    []int32  // entries of features[c] are start[c] .. start[c+1]-1
	row      []uint16 // within the block
	value    []float64
}

// lazyBlock is a block made when it is first needed: transposing a large set takes longer than
// an interrupt should wait, and the passes over blocks look at their context in between.
type lazyBlock struct {
	once sync.Once
	rows []Vector
	made block
}

func newBlocks(x []Vector) []lazyBlock {
	blocks := make([]lazyBlock, blockCount(len(x)))
	for b := range blocks {
		blocks[b].rows = x[b*blockRows : min((b+1)*blockRows, len(x))]
	}
	return blocks
}

func (l *lazyBlock) get() *block {
	l.once.Do(func() { l.made = newBlock(l.rows) })
	return &l.made
}

func blockCount(rows int) int { return (rows + blockRows - 1) / blockRows }

func newBlock(x []Vector) block {
	count := map[int32]int32{}
	var entries int
	for _, v := range x {
		entries += len(v.Index)
		for _, feature := range v.Index {
			count[feature]++
		}
	}
	b := block{
		features: make([]int32, 0, len(count)),
		start:    make([]int32, 1, len(count)+1),
		row:      make([]uint16, entries),
		value:    make([]float64, entries),
	}
	for feature := range count {
		b.features = append(b.features, feature)
	}
	slices.Sort(b.features)
	next := count // from here on: where the feature's next entry goes
	var total int32
	for _, feature := range b.features {
		total, next[feature] = total+count[feature], total
		b.start = append(b.start, total)
	}
	for r, v := range x {
		for k, feature := range v.Index {
			at := next[feature]
			b.row[at], b.value[at] = uint16(r), v.Value[k]
			next[feature]++
		}
	}
	return b
}

// dots sets out[r] = xᵀz_r for the rows z of the block, summed in the order of the features
// as dot does. It needs len(out) == the number of rows.
func (b *block) dots(x Vector, out []float64) {
	clear(out)
	low := 0
	for k, feature := range x.Index {
		at, found := slices.BinarySearch(b.features[low:], feature)
		low += at
		if !found {
			continue
		}
		from, to := b.start[low], b.start[low+1]
		v, rows, values := x.Value[k], b.row[from:to], b.value[from:to]
		values = values[:len(rows)]
		for p, r := range rows {
			out[r] += v * values[p]
		}
	}
}
