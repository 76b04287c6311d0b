package gram

import (
	"context"
	"errors"
	"testing"
)

func TestMake(t *testing.T) {
	for _, n := range []int{0, 1, 1 << 18, 1<<18 + 1, 1 << 22} {
		room, err := Make[float64](context.Background(), n)
		if err != nil || len(room) != n {
			t.Errorf("%d numbers, want %d: %v", len(room), n, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if room, err := Make[float64](ctx, 1<<20); err == nil && len(room) != 1<<20 || err != nil && !errors.Is(err, context.Canceled) {
		t.Errorf("%d numbers: %v, want all or context.Canceled", len(room), err)
	}
}
