package gram

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls work(i) once for every i in [0, n) on up to workers goroutines (0: GOMAXPROCS) and
// returns the error of the least i that failed. When ctx ends no further i is begun and
// ctx.Err() is returned. A panic of work, which may be a user's kernel, is raised again in
// the caller, who can recover it.
func Each(ctx context.Context, workers, n int, work func(i int) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
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
		next      atomic.Int64
		wait      sync.WaitGroup
		mutex     sync.Mutex
		failed    = n
		firstErr  error
		recovered any
	)
	for range workers {
		wait.Go(func() {
			defer func() {
				if p := recover(); p != nil {
					mutex.Lock()
					recovered = p
					mutex.Unlock()
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
					if i < failed {
						failed, firstErr = i, err
					}
					mutex.Unlock()
				}
			}
		})
	}
	wait.Wait()
	if recovered != nil {
		panic(recovered)
	}
	if firstErr != nil {
		return firstErr
	}
	return ctx.Err()
}
