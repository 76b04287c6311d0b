package plotting_test

import (
	"math"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/plotting"
	"github.com/gonb-svm/gonb-svm/solvers"
)

func TestTradeoffErrors(t *testing.T) {
	good := fallingPath("ISSVM", 5, 1, 50, 0.02, 4, 1)
	cases := []struct {
		name  string
		paths []*solvers.Path
		want  string
	}{
		{"none", nil, "no path to draw"},
		{"nil", []*solvers.Path{good, nil}, "path 2 (nil) has no points"},
		{"empty", []*solvers.Path{{Solver: "SASSO"}}, "path 1 (SASSO) has no points"},
		{"no support", []*solvers.Path{{Solver: "SASSO", Points: []solvers.PathPoint{{TestError: 0.5}}}},
			"of 1 points 1 have no support vectors"},
		{"no error", []*solvers.Path{{Solver: "SASSO", Points: []solvers.PathPoint{{SupportSize: 3, TestError: math.NaN()}}}},
			"1 no finite test error"},
	}
	for _, c := range cases {
		if _, err := plotting.Tradeoff(c.paths...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got error %v, want one with %q", c.name, err, c.want)
		}
	}
}

// Odd points are left out, said so, and never keep the rest from being drawn.
func TestTradeoffOddPoints(t *testing.T) {
	point := func(size int, err float64) solvers.PathPoint {
		return solvers.PathPoint{SupportSize: size, TestError: err, ValidationError: err}
	}
	huge := point(2, 0.1)
	huge.TestStd = math.Inf(1)
	cases := []struct {
		name   string
		points []solvers.PathPoint
		note   string
	}{
		{"one point", []solvers.PathPoint{point(1, 0.2)}, ""},
		{"same error", []solvers.PathPoint{point(1, 0.2), point(100, 0.2)}, ""},
		{"zero error", []solvers.PathPoint{point(1, 0), point(2, 0)}, ""},
		{"zero size", []solvers.PathPoint{point(0, 0.5), point(-1, 0.5), point(9, 0.3)}, "Not shown: 2 points without support vectors"},
		{"NaN", []solvers.PathPoint{point(3, math.NaN()), point(9, 0.3), point(5, math.Inf(1))}, "Not shown: 2 points without a finite error"},
		{"spread", []solvers.PathPoint{huge, point(7, 0.2)}, ""},
		{"size of 2⁶²", []solvers.PathPoint{point(1, 0.3), point(1<<62, 0.2)}, ""},
		{"many decades of error", []solvers.PathPoint{point(1, 1e-12), point(2, 1e12)}, ""},
	}
	for _, c := range cases {
		p, err := plotting.Tradeoff(&solvers.Path{Solver: "SBP", Points: c.points})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if !strings.Contains(p.X.Label.Text, c.note) || c.note == "" && strings.Contains(p.X.Label.Text, "Not shown") {
			t.Errorf("%s: x label %q, want note %q", c.name, p.X.Label.Text, c.note)
		}
		if !(p.X.Min > 0) || !(p.X.Max > p.X.Min) || !(p.Y.Max > p.Y.Min) {
			t.Errorf("%s: ranges [%g, %g] and [%g, %g]", c.name, p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
		}
		if _, err := plotting.SVG(p, 0, 0); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

func TestTradeoffSingleSizeIsWidened(t *testing.T) {
	p, err := plotting.Tradeoff(&solvers.Path{Points: []solvers.PathPoint{{SupportSize: 40, TestError: 0.1}}})
	if err != nil {
		t.Fatal(err)
	}
	if p.X.Min != 20 || p.X.Max != 80 {
		t.Errorf("x axis [%g, %g], want [20, 80]", p.X.Min, p.X.Max)
	}
}
