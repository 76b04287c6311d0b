package export

import (
	"fmt"
	"slices"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// Choice is the model of a path that PickForDevice chose.
type Choice struct {
	Point     solvers.PathPoint // with its Model
	Options   Options           // to export it with
	Report    *Report
	Bytes     int           // allowed, for data and code
	Time      time.Duration // allowed
	Best      solvers.PathPoint
	Reference solvers.PathPoint // the dense model; zero when the path has none
}

// PickForDevice chooses from a path the model with the least ValidationError among those whose C
// source fits: data and code in so many bytes, a prediction in so many microseconds on
// o.Device. Of equals it takes the one with the fewest vectors, and the most precise of Float32, Int16
// and Int8 that fits. o.Numbers other than Float32 are the only ones tried.
//
// It is an *Error if none fits, or if the path's points have no models.
func PickForDevice(path *solvers.Path, bytes, microseconds int, o Options) (*Choice, error) {
	points := slices.DeleteFunc(slices.Clone(path.Points), func(q solvers.PathPoint) bool { return q.Model == nil })
	if len(points) == 0 {
		return nil, &Error{"path", "its points have no models; want one that FitPath has made"}
	}
	slices.SortStableFunc(points, func(a, b solvers.PathPoint) int {
		switch {
		case a.ValidationError < b.ValidationError:
			return -1
		case a.ValidationError > b.ValidationError:
			return 1
		}
		return a.SupportSize - b.SupportSize
	})
	numbers := []Numbers{Float32, Int16, Int8}
	if o.Numbers != Float32 {
		numbers = []Numbers{o.Numbers}
	}
	allowed := time.Duration(microseconds) * time.Microsecond
	leastBytes, leastTime := -1, time.Duration(-1)
	for _, q := range points {
		for _, n := range numbers {
			options := o
			options.Numbers = n
			r, err := describe(q.Model, options)
			if err != nil {
				return nil, err
			}
			need := r.DataBytes + r.CodeBytes
			if need <= bytes && r.WorstCase <= allowed {
				return &Choice{Point: q, Options: options, Report: r, Bytes: bytes, Time: allowed, Best: path.Best(), Reference: path.Reference}, nil
			}
			if leastBytes < 0 || need < leastBytes {
				leastBytes = need
			}
			if leastTime < 0 || r.WorstCase < leastTime {
				leastTime = r.WorstCase
			}
		}
	}
	return nil, &Error{"device", fmt.Sprintf("no model of the path fits in %d bytes and %v; the smallest needs %d bytes, the fastest %v",
		bytes, allowed, leastBytes, leastTime.Round(time.Microsecond))}
}

// describe is the report of the C source, which is not written.
func describe(m *solvers.Model, o Options) (*Report, error) {
	in, err := check(m, o)
	if err != nil {
		return nil, err
	}
	run, stack, err := newMachine(in, o.Numbers)
	if err != nil {
		return nil, err
	}
	return newReport(in, "C, "+o.Numbers.String(), run, stack), nil
}

// String says what was chosen and what it costs in error.
func (c *Choice) String() string {
	r := c.Report
	text := fmt.Sprintf("%d vectors in %v: %d of %d bytes, about %v of %v on %s\ntest error %.2f ± %.2f %%",
		c.Point.SupportSize, c.Options.Numbers, r.DataBytes+r.CodeBytes, c.Bytes, r.WorstCase.Round(time.Microsecond), c.Time, r.Device,
		100*c.Point.TestError, 100*c.Point.TestStd)
	text += fmt.Sprintf("; the best of the path has %.2f %% with %d vectors", 100*c.Best.TestError, c.Best.SupportSize)
	if c.Reference.SupportSize > 0 {
		text += fmt.Sprintf(", the dense model %.2f %% with %d", 100*c.Reference.TestError, c.Reference.SupportSize)
	}
	return text
}
