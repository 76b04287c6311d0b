package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

type key struct{}

func work(ctx context.Context, out chan<- int) error {
	for i := 0; ; i++ {
		select {
		case <-ctx.Done():
			return fmt.Errorf("work: %w", ctx.Err())
		case out <- i:
		}
	}
}
func main() {
	ctx, cancel := context.WithCancel(context.WithValue(context.Background(), key{}, "v"))
	out := make(chan int)
	errs := make(chan error, 1)
	go func() { errs <- work(ctx, out) }()
	for v := range out {
		if v == 3 {
			cancel()
			break
		}
	}
	err := <-errs
	fmt.Println(err, errors.Is(err, context.Canceled), ctx.Value(key{}), ctx.Value("x"))
	t, stop := context.WithTimeout(context.Background(), time.Millisecond)
	defer stop()
	<-t.Done()
	fmt.Println(t.Err(), errors.Is(t.Err(), context.DeadlineExceeded))
	c2, cause := context.WithCancelCause(context.Background())
	cause(errors.New("because"))
	fmt.Println(context.Cause(c2), c2.Err())
}
