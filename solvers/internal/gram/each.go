package gram

import (
	"context"
	"sync"
	"sync/atomic"
)

// each calls work(i) once for every i in [0, n) on up to workers goroutines. It returns an error
// of work, or ctx's. A panic of work, which may be a user's kernel, is raised again in the
// caller.
func each(ctx context.Context, workers, n int, work func(i int) error) error {
	if workers = min(workers, n); workers <= 1 {
		for i := range n {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := work(i); err != nil {
				return err
			}
		}
		return nil
	}
	var (
		next   atomic.Int64
		wait   sync.WaitGroup
		mutex  sync.Mutex
		first  error
		thrown any
	)
	for range workers {
		wait.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					mutex.Lock()
					defer mutex.Unlock()
					thrown = p
					next.Store(int64(n))
				}
			}()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := work(i); err != nil {
					mutex.Lock()
					first = err
					mutex.Unlock()
					return
				}
			}
		})
	}
	wait.Wait()
	if thrown != nil {
		panic(thrown)
	}
	if first != nil {
		return first
	}
	return ctx.Err()
}
