package plotting

import (
	"math"
	"testing"
)

// The lines of x² + y² are circles: each closed, and every point on it at the right distance.
func TestContourOfAParaboloid(t *testing.T) {
	f := &field{nx: 61, ny: 41, x0: -2, x1: 2, y0: -2, y1: 2}
	for j := range f.ny {
		for i := range f.nx {
			f.value = append(f.value, f.x(i)*f.x(i)+f.y(j)*f.y(j))
		}
	}
	for _, radius := range []float64{0.5, 1, 1.9} {
		lines := f.contour(radius * radius)
		if len(lines) != 1 {
			t.Fatalf("radius %g: %d lines, want 1", radius, len(lines))
		}
		line := lines[0]
		if len(line) < 20 || line[0] != line[len(line)-1] {
			t.Errorf("radius %g: a line of %d points that ends at %v, not at %v", radius, len(line), line[len(line)-1], line[0])
		}
		for _, q := range line {
			if r := math.Hypot(q.X, q.Y); math.Abs(r-radius) > 0.01 {
				t.Errorf("radius %g: a point at distance %g", radius, r)
			}
		}
	}
	corners := f.contour(2.2 * 2.2) // the circle leaves the square: four open arcs
	if len(corners) != 4 {
		t.Errorf("%d arcs, want 4", len(corners))
	}
	if lines := f.contour(9); lines != nil {
		t.Errorf("%d lines above the greatest value", len(lines))
	}
}

// At a saddle the two pieces of a level must not cross.
func TestContourSaddle(t *testing.T) {
	f := &field{nx: 2, ny: 2, x0: 0, x1: 1, y0: 0, y1: 1, value: []float64{1, 0, 0, 1}}
	for _, level := range []float64{0.3, 0.7} {
		lines := f.contour(level)
		if len(lines) != 2 {
			t.Fatalf("level %g: %d lines, want 2", level, len(lines))
		}
		for _, line := range lines {
			for k := range 11 {
				share := float64(k) / 10
				x := line[0].X + share*(line[1].X-line[0].X)
				y := line[0].Y + share*(line[1].Y-line[0].Y)
				if v := f.between(x, y); math.Abs(v-level) > 0.3 || (v-0.5)*(level-0.5) < -1e-9 {
					t.Errorf("level %g: the line passes (%g, %g), where the field is %g", level, x, y, v)
				}
			}
		}
	}
}

func TestDecadesOfLogScale(t *testing.T) {
	for _, c := range []struct{ low, high, x, want float64 }{
		{1, 100, 10, 0.5}, {1, 100, 1, 0}, {1, 100, 100, 1}, {1, 100, 0, 0}, {1, 100, -5, 0}, {0, 2, 1, 0.5},
	} {
		if got := (LogScale{}).Normalize(c.low, c.high, c.x); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%g in [%g, %g]: %g, want %g", c.x, c.low, c.high, got, c.want)
		}
	}
}
