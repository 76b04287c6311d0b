package gram

import (
	"context"
	"math/rand/v2"

	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

const (
	// poolFrom is the number of entries from which on Adam reads rows from a pool. What does not fit in
	// the second cache is waited for, row by row, if rows are taken in random order.
	poolFrom = 1 << 16
	// poolChunk is the number of rows that lie side by side in a pool and are read together.
	poolChunk = 64
)

// pool is rows in a random order that is drawn once. A pass in another order then changes the
// places of chunks of rows, which are read as they lie.
type pool[T simd.Float] struct {
	data   *simd.Entries[T]
	target []float64
}

// newPool has row order[i] at place i. It ends with ctx, whose error it returns.
func newPool[T simd.Float](ctx context.Context, data *simd.Entries[T], target []float64, order []int32) (*pool[T], error) {
	entries := len(data.Offset)
	p := &pool[T]{&simd.Entries[T]{Start: make([]int32, 1, len(order)+1), Offset: make([]uint32, 0, entries),
		Value: make([]T, 0, entries), Half: make([]T, 0, len(order)), Last: data.Last}, make([]float64, 0, len(order))}
	for i, r := range order {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		from, to := data.Start[r], data.Start[r+1]
		p.data.Offset, p.data.Value = append(p.data.Offset, data.Offset[from:to]...), append(p.data.Value, data.Value[from:to]...)
		p.data.Start, p.data.Half = append(p.data.Start, int32(len(p.data.Offset))), append(p.data.Half, data.Half[r])
		p.target = append(p.target, target[r])
	}
	return p, nil
}

// reorder puts the chunks of a pass in a random order.
func reorder(order []int32, random *rand.Rand) {
	n, at := len(order), 0
	for _, c := range random.Perm((n + poolChunk - 1) / poolChunk) {
		for i := c * poolChunk; i < min((c+1)*poolChunk, n); i++ {
			order[at] = int32(i)
			at++
		}
	}
}
