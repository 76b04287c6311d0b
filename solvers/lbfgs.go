package solvers

import (
	"context"
	"math"

	"gonum.org/v1/gonum/floats"
)

// lbfgs minimises a smooth function by the limited-memory method of Broyden, Fletcher, Goldfarb and
// Shanno with a line search for the weak conditions of Wolfe.
//
// Nocedal, Updating quasi-Newton matrices with limited storage, Mathematics of Computation 35, 1980.
// The line search is that of Lewis and Overton, Mathematical Programming 141, 2013, section 3.
type lbfgs struct {
	// evaluate is the value at x; it sets gradient.
	evaluate func(x, gradient []float64) (float64, error)
	// scale is the usual size of each variable, which makes them comparable.
	scale []float64

	x, gradient []float64
	value       float64
	moves       [][]float64 // x' - x of the last steps, the newest last
	changes     [][]float64 // gradient' - gradient
	products    []float64   // move·change
	curvature   float64     // move·change / change·scale²change of the last step; 0 before
}

const (
	lbfgsMemory   = 20
	sufficient    = 1e-4 // share of the expected decrease that a step must bring
	flatter       = 0.9  // share of the slope that may be left
	mostTrials    = 30
	firstDistance = 0.1 // of the first step, in scales
)

// start computes the value and the gradient at x, which it keeps and moves.
func (l *lbfgs) start(x []float64) error {
	l.x, l.gradient = x, make([]float64, len(x))
	var err error
	l.value, err = l.evaluate(l.x, l.gradient)
	return err
}

// step makes one step. It reports false, and changes nothing, where no step lowers the value, and
// when ctx ends.
func (l *lbfgs) step(ctx context.Context) (bool, error) {
	direction, err := l.direction(ctx)
	if err != nil {
		return false, err
	}
	slope := floats.Dot(direction, l.gradient)
	if !(slope < 0) {
		if len(l.moves) == 0 {
			return false, nil
		}
		l.forget()
		return l.step(ctx)
	}
	x, gradient, value, err := l.search(direction, slope)
	if err != nil {
		return false, err
	}
	if x == nil {
		if len(l.moves) == 0 {
			return false, nil
		}
		l.forget()
		return l.step(ctx)
	}
	move, change := make([]float64, len(x)), make([]float64, len(x))
	floats.SubTo(move, x, l.x)
	floats.SubTo(change, gradient, l.gradient)
	l.remember(move, change)
	copy(l.x, x)
	copy(l.gradient, gradient)
	l.value = value
	return true, nil
}

// direction is minus the inverse Hessian, as far as it is known, times the gradient.
func (l *lbfgs) direction(ctx context.Context) ([]float64, error) {
	d := make([]float64, len(l.x))
	floats.ScaleTo(d, -1, l.gradient)
	weights := make([]float64, len(l.moves))
	for k := len(l.moves) - 1; k >= 0; k-- {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		weights[k] = floats.Dot(l.moves[k], d) / l.products[k]
		floats.AddScaled(d, -weights[k], l.changes[k])
	}
	for i, s := range l.scale {
		d[i] *= s * s
	}
	if l.curvature > 0 {
		floats.Scale(l.curvature, d)
	} else {
		longest := 0.0
		for i, s := range l.scale {
			longest = max(longest, math.Abs(d[i])/s)
		}
		if longest > 0 {
			floats.Scale(firstDistance/longest, d)
		}
	}
	for k := range l.moves {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		floats.AddScaled(d, weights[k]-floats.Dot(l.changes[k], d)/l.products[k], l.moves[k])
	}
	return d, nil
}

// search finds a point along direction that is lower by enough and where the slope is less steep;
// x is nil if there is none.
func (l *lbfgs) search(direction []float64, slope float64) (x, gradient []float64, value float64, err error) {
	x, gradient = make([]float64, len(l.x)), make([]float64, len(l.x))
	t, low, high := 1.0, 0.0, math.Inf(1)
	found := false
	for range mostTrials {
		floats.AddScaledTo(x, l.x, t, direction)
		if value, err = l.evaluate(x, gradient); err != nil {
			return nil, nil, 0, err
		}
		lower := value <= l.value+sufficient*t*slope
		switch {
		case !lower:
			high = t
		case floats.Dot(gradient, direction) < flatter*slope:
			low, found = t, true
		default:
			return x, gradient, value, nil
		}
		if math.IsInf(high, 1) {
			t = 2 * low
		} else if t = (low + high) / 2; high-low <= 1e-9*high {
			break
		}
	}
	if !found {
		return nil, nil, 0, nil
	}
	// Rounding hides where the slope is flat: the lowest point that was found will do.
	floats.AddScaledTo(x, l.x, low, direction)
	value, err = l.evaluate(x, gradient)
	return x, gradient, value, err
}

// remember keeps a step, unless the function is not convex along it.
func (l *lbfgs) remember(move, change []float64) {
	product, square := floats.Dot(move, change), 0.0
	for i, s := range l.scale {
		square += s * s * change[i] * change[i]
	}
	if !(product > 1e-12*square) {
		return
	}
	if len(l.moves) == lbfgsMemory {
		l.moves, l.changes, l.products = l.moves[1:], l.changes[1:], l.products[1:]
	}
	l.moves, l.changes, l.products = append(l.moves, move), append(l.changes, change), append(l.products, product)
	l.curvature = product / square
}

// forget starts anew with the gradient alone.
func (l *lbfgs) forget() {
	l.moves, l.changes, l.products, l.curvature = nil, nil, nil, 0
}
