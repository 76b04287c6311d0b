package gram

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"
	"time"
)

// Every index is worked on once, whatever the pauses between tasks.
func TestTeam(t *testing.T) {
	before := runtime.NumGoroutine()
	for _, workers := range []int{0, 1, 2, 5} {
		team := NewTeam(workers)
		for trial := range 200 {
			n := trial % 40
			calls := make([]atomic.Int32, n)
			if trial%50 == 49 {
				time.Sleep(time.Millisecond) // the helpers fall asleep
			}
			err := team.Each(context.Background(), n, func(i int) error {
				calls[i].Add(1)
				return nil
			})
			for i := range calls {
				if c := calls[i].Load(); c != 1 || err != nil {
					t.Fatalf("%d workers: %d calls for %d, error %v", workers, c, i, err)
				}
			}
		}
		team.Close()
	}
	for range 1000 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("%d goroutines are left of %d", runtime.NumGoroutine(), before)
}

func TestTeamStops(t *testing.T) {
	team := NewTeam(3)
	defer team.Close()
	ctx, cancel := context.WithCancel(context.Background())
	var calls atomic.Int32
	mine := errors.New("mine")
	for _, c := range []struct {
		name string
		work func(i int) error
		want error
	}{
		{"an error", func(int) error { calls.Add(1); return mine }, mine},
		{"the context", func(int) error { calls.Add(1); cancel(); return nil }, context.Canceled},
	} {
		calls.Store(0)
		if err := team.Each(ctx, 1e6, c.work); err != c.want || calls.Load() > 6 {
			t.Errorf("%s: error %v after %d calls", c.name, err, calls.Load())
		}
	}
	for range 20 {
		func() {
			defer func() {
				if got := recover(); got != "thrown" {
					t.Errorf("recovered %v", got)
				}
			}()
			team.Each(context.Background(), 100, func(int) error { panic("thrown") })
		}()
	}
	if err := team.Each(context.Background(), 5, func(int) error { return nil }); err != nil {
		t.Errorf("after a panic: %v", err)
	}
}
