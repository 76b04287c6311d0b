package gram

import (
	"context"
	"time"
)

// Make is make([]T, n) that ends with ctx, whose error it returns: the system may take a tenth of a
// second to give and clear a gigabyte.
func Make[T any](ctx context.Context, n int) ([]T, error) {
	const quick = 1 << 18 // are there in less than a millisecond
	if n <= quick {
		return make([]T, n), nil
	}
	made := make(chan []T, 1)
	go func() { made <- make([]T, n) }()
	look := time.NewTicker(2 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case room := <-made:
			return room, nil
		case <-look.C:
			if err := ctx.Err(); err != nil {
				return nil, err
			}
		}
	}
}
