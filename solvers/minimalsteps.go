package solvers

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// minimal is the state of a run. The rows have the coordinates columns[k][i] in an orthonormal
// basis of the span of the pivots, so that g(xᵢ) = Σ_k thetaₖ columns[k][i] and ‖w‖ = ‖θ‖.
type minimal struct {
	used    MinimalSVM
	train   *Dataset
	y       []float64
	rows    *rows
	pivots  []int
	columns [][]float64
	best    *minimalPoint
	convex  *minimalPoint // the solution for P = 1
	limits  []float64     // objectives that the starts ended at
	// given is the point nearest to Start, previous the best of the price before; nil if there is none.
	given, previous *minimalPoint
}

// minimalPoint is a classifier, and what its objective is made of.
type minimalPoint struct {
	theta          []float64
	bias           float64
	response       []float64 // g(xᵢ)
	objective, gap float64
	slope          []float64 // yᵢCᵢhᵢ
	gradient       []float64
	gradientBias   float64
}

// factor makes the columns: at each step the row that the basis leaves the most of becomes a pivot.
func (m *minimal) factor(ctx context.Context) error {
	n := len(m.y)
	m.best = &minimalPoint{response: make([]float64, n), gap: 1}
	rest, err := m.rows.diagonal()
	if err != nil {
		return err
	}
	least := 1e-10 * floats.Max(rest)
	for len(m.pivots) < m.used.Basis {
		pivot := floats.MaxIdx(rest)
		if !(rest[pivot] > least) {
			break
		}
		row, err := m.rows.row(ctx, pivot)
		if err != nil {
			return err
		}
		column := slices.Clone(row)
		for k, earlier := range m.columns {
			if k%m.stride() == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			floats.AddScaled(column, -earlier[pivot], earlier)
		}
		length := math.Sqrt(rest[pivot])
		for i := range column {
			column[i] /= length
			rest[i] -= column[i] * column[i]
		}
		rest[pivot] = 0
		m.pivots, m.columns = append(m.pivots, pivot), append(m.columns, column)
	}
	m.best = m.point()
	m.best.gap = 1
	return nil
}

// begin computes the point nearest to the model given as Start: the response of the k-th pivot is what
// columns of the first k pivots make it.
func (m *minimal) begin(ctx context.Context) error {
	if m.used.Start == nil {
		return nil
	}
	kernel, err := resolveKernel(m.used.Start.Kernel, m.train.Dim)
	if err != nil {
		return err
	}
	pivots := make([]Vector, len(m.pivots))
	for k, pivot := range m.pivots {
		pivots[k] = m.train.X[pivot]
	}
	at := newRows(kernel, pivots, m.used.Settings)
	response := make([]float64, len(pivots))
	if err := at.combine(ctx, m.used.Start.SupportVectors, m.used.Start.Coefficients, response); err != nil {
		return err
	}
	m.rows.evaluations += at.evaluations
	x := m.point()
	x.bias = m.used.Start.Bias
	for k, pivot := range m.pivots {
		rest := response[k]
		for j := range k {
			rest -= x.theta[j] * m.columns[j][pivot]
		}
		x.theta[k] = rest / m.columns[k][pivot]
	}
	m.given = x
	return nil
}

// model is the best classifier found.
func (m *minimal) model() *Model {
	return newModel(m.used.Kernel, m.train, m.coefficients(), m.best.bias)
}

// point is w = 0, b = 0.
func (m *minimal) point() *minimalPoint {
	n, r := len(m.y), len(m.columns)
	return &minimalPoint{theta: make([]float64, r), response: make([]float64, n), slope: make([]float64, n), gradient: make([]float64, r)}
}

// stride is the number of columns between two looks at the context.
func (m *minimal) stride() int { return max(1, 1<<20/len(m.y)) }

// respond computes the responses of a point.
func (m *minimal) respond(ctx context.Context, x *minimalPoint) error {
	clear(x.response)
	for k, column := range m.columns {
		if k%m.stride() == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		floats.AddScaled(x.response, x.theta[k], column)
	}
	return nil
}

// value computes the objective, the gradient and the gap from the responses. When ctx ends the
// gradient and the gap are not those of the point.
func (m *minimal) value(ctx context.Context, x *minimalPoint, p, sharpness float64) error {
	pull := m.loss(x, p, sharpness)
	square := x.gradientBias * x.gradientBias
	for k, column := range m.columns {
		if k%m.stride() == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		x.gradient[k] = x.theta[k] - floats.Dot(column, x.slope)
		square += x.gradient[k] * x.gradient[k]
	}
	x.gap = math.Sqrt(square) / pull
	return nil
}

// loss computes the objective and the slopes from the responses. It returns 1 + Σ Cᵢhᵢ.
func (m *minimal) loss(x *minimalPoint, p, sharpness float64) (pull float64) {
	x.objective, x.gradientBias = floats.Dot(x.theta, x.theta)/2, 0
	pull = 1
	for i, y := range m.y {
		c := m.used.C * m.used.WeightNegative
		if y > 0 {
			c = m.used.C * m.used.WeightPositive
		}
		loss, slope := smoothLoss(1-y*(x.response[i]+x.bias), p, sharpness)
		x.objective += c * loss
		x.slope[i] = c * slope * y
		x.gradientBias -= x.slope[i]
		pull += c * slope
	}
	return pull
}

// descend goes down from x until the gap is small or steps make no progress. It is false if the run
// ended before; the point is nil if that was at the start.
func (m *minimal) descend(ctx context.Context, run *loop.Run, x *minimalPoint, p, sharpness float64) (*minimalPoint, bool) {
	if m.respond(ctx, x) != nil || m.value(ctx, x, p, sharpness) != nil {
		run.Next(m.state) // says that ctx ended
		return nil, false
	}
	next := m.point()
	velocity, velocityBias := make([]float64, len(x.theta)), 0.0
	rate := m.used.LearningRate
	for still := 0; x.gap > m.used.Epsilon && still < 60; {
		if !run.Next(m.state) {
			return x, false
		}
		floats.Scale(m.used.Momentum, velocity)
		floats.AddScaled(velocity, -rate, x.gradient)
		velocityBias = m.used.Momentum*velocityBias - rate*x.gradientBias
		floats.AddTo(next.theta, x.theta, velocity)
		next.bias = x.bias + velocityBias
		if m.respond(ctx, next) != nil || m.value(ctx, next, p, sharpness) != nil {
			run.Abandon()
			return x, false
		}
		switch {
		case next.objective < x.objective-1e-13*math.Abs(x.objective):
			x, next = next, x
			rate *= 1.1
			still = 0
		default:
			clear(velocity)
			velocityBias = 0
			rate /= 2
			still++
		}
	}
	return x, true
}

// at is a point with the coefficients and the bias of another; of nil it is w = 0.
func (m *minimal) at(other *minimalPoint) *minimalPoint {
	x := m.point()
	if other != nil {
		copy(x.theta, other.theta)
		x.bias = other.bias
	}
	return x
}

// search runs from all starts and keeps the best limit.
func (m *minimal) search(ctx context.Context, run *loop.Run) {
	used := m.used
	found := false
	m.limits, m.convex = nil, nil
	end := func(x *minimalPoint, done bool) bool {
		if x == nil {
			x = m.point()
		}
		if m.value(ctx, x, used.P, used.Sharpness) != nil {
			run.Next(m.state) // says that ctx ended
			x.gap, done = 1, false
		}
		if done {
			m.limits = append(m.limits, x.objective)
		}
		if !found || x.objective < m.best.objective {
			m.best, found = x, true
		}
		return done
	}
	// The solution for P = 1, by way of smoother losses: on many rows a sharp one has a tiny step.
	convex, done := m.at(cmp.Or(m.previous, m.given)), true
	for sharpness := min(1, used.Sharpness); done; sharpness = min(4*sharpness, used.Sharpness) {
		if convex, done = m.descend(ctx, run, convex, 1, sharpness); sharpness == used.Sharpness {
			break
		}
	}
	if used.P == 1 || !done {
		end(convex, done)
		return
	}
	m.convex = convex
	for _, warm := range []*minimalPoint{m.given, m.previous} {
		if warm == nil {
			continue
		}
		if x, done := m.descend(ctx, run, m.at(warm), used.P, used.Sharpness); !end(x, done) {
			return
		}
	}
	random := rand.New(rand.NewPCG(used.Settings.Seed, 0x319))
	for start := range used.Starts {
		x := m.start(start, random)
		for _, stage := range m.stages(start) {
			if x, done = m.descend(ctx, run, x, stage[0], stage[1]); !done {
				break
			}
		}
		if !end(x, done) {
			return
		}
	}
}

// start is where a run begins.
func (m *minimal) start(number int, random *rand.Rand) *minimalPoint {
	x := m.point()
	switch number {
	case 0, 3:
	case 1, 2:
		return m.at(m.convex)
	default:
		// Around the solution for P = 1, as far as it is from 0.
		size := math.Sqrt(m.convex.objective) / math.Sqrt(float64(len(x.theta)))
		size = min(size, 3*floats.Norm(m.convex.theta, 2)/math.Sqrt(float64(len(x.theta))))
		for k := range x.theta {
			x.theta[k] = m.convex.theta[k] + size*random.NormFloat64()
		}
		x.bias = m.convex.bias + size*random.NormFloat64()
	}
	return x
}

// stages are the exponents and sharpnesses that a run goes through.
func (m *minimal) stages(number int) [][2]float64 {
	p, sharpness := m.used.P, m.used.Sharpness
	var out [][2]float64
	switch number {
	case 2:
		for k := range 8 {
			out = append(out, [2]float64{1 - (1-p)*float64(k+1)/9, sharpness})
		}
	case 3:
		for k := 8; k > 0; k-- {
			out = append(out, [2]float64{p, sharpness * math.Pow(0.6, float64(k))})
		}
	}
	return append(out, [2]float64{p, sharpness})
}

// coefficients are those of all training rows: θ is the transposed triangle of the pivots times
// theirs.
func (m *minimal) coefficients() []float64 {
	beta := make([]float64, len(m.y))
	if len(m.best.theta) == 0 {
		return beta
	}
	for k := len(m.pivots) - 1; k >= 0; k-- {
		sum := m.best.theta[k]
		for _, pivot := range m.pivots[k+1:] {
			sum -= m.columns[k][pivot] * beta[pivot]
		}
		beta[m.pivots[k]] = sum / m.columns[k][m.pivots[k]]
	}
	return beta
}

// slackRows is the number of rows whose margins are below 1 by more than least.
func (m *minimal) slackRows(x *minimalPoint, least float64) int {
	count := 0
	for i, y := range m.y {
		if 1-y*(x.response[i]+x.bias) > least {
			count++
		}
	}
	return count
}

// distinct is how many of the objectives differ by a share of 1e-4 and more.
func distinct(objectives []float64) int {
	sorted := slices.Clone(objectives)
	slices.Sort(sorted)
	count := 1
	for k := 1; k < len(sorted); k++ {
		if sorted[k] > sorted[k-1]*(1+1e-4) {
			count++
		}
	}
	return count
}

func (m *minimal) state() loop.Point {
	return loop.Point{SupportSize: len(m.pivots), Objective: m.best.objective, Gap: m.best.gap}
}
