package export

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// The choice fits, and nothing that fits is better on the validation rows.
func TestPickForDevice(t *testing.T) {
	d := sets(t)["digits"]
	ref := fitted(t, d, solvers.RBF{Gamma: 0.02})
	path, err := solvers.Protocol{}.Run(context.Background(), solvers.ISSVM{Reference: ref, Aggressive: true}, d, d)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		bytes, microseconds int
		device              Device
	}{{1 << 20, 1e6, CortexM4}, {16 << 10, 1e6, Device{}}, {5000, 1e6, CortexM0}, {1 << 20, 20000, CortexM0}} {
		choice, err := PickForDevice(path, c.bytes, c.microseconds, Options{Device: c.device})
		if err != nil {
			t.Fatal(err)
		}
		r := choice.Report
		if r.DataBytes+r.CodeBytes > c.bytes || r.WorstCase > time.Duration(c.microseconds)*time.Microsecond {
			t.Errorf("%v does not fit in %d bytes and %d µs", r, c.bytes, c.microseconds)
		}
		better := 0
		for _, q := range path.Points {
			if q.ValidationError >= choice.Point.ValidationError {
				continue
			}
			better++
			for _, n := range []Numbers{Float32, Int16, Int8} {
				r, err := describe(q.Model, Options{Numbers: n, Device: c.device})
				if err != nil {
					t.Fatal(err)
				}
				if r.DataBytes+r.CodeBytes <= c.bytes && r.WorstCase <= time.Duration(c.microseconds)*time.Microsecond {
					t.Errorf("%d vectors in %v fit too and have a validation error of %g, not %g", q.SupportSize, n, q.ValidationError, choice.Point.ValidationError)
				}
			}
		}
		if c.bytes == 5000 && better == 0 {
			t.Error("5000 bytes hold the best model: the test compares nothing")
		}
		if text := choice.String(); !strings.Contains(text, "test error") || !strings.Contains(text, "the dense model") {
			t.Errorf("text %q", text)
		}
	}
	var wrong *Error
	if _, err := PickForDevice(path, 100, 1e6, Options{}); !errors.As(err, &wrong) || !strings.Contains(err.Error(), "the smallest needs") {
		t.Errorf("100 bytes: %v", err)
	}
	path.Points[0].Model = nil
	if _, err := PickForDevice(&solvers.Path{Points: path.Points[:1]}, 1e6, 1e6, Options{}); !errors.As(err, &wrong) {
		t.Errorf("no models: %v", err)
	}
}
