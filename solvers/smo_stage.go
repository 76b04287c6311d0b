package solvers

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// stage is the problem in some of the variables, the others being fixed.
type stage struct {
	b         *blocks
	matrix    *gram.Matrix // of the stage's points
	points    []int        // among all points
	variables []int        // among all variables
	place     []int        // of a variable's point among the stage's
	response  []float64    // Σ_s β_s K(x_s, x) of the stage's points, s over all variables
	residual  []float64    // of the stage's variables

	// By group: the greatest residual with room above and the least with room below.
	most, least [2]float64

	block   []int // the variables of the last block, in the order of their entering
	inBlock []bool
}

func newStage(b *blocks, m *gram.Matrix) *stage {
	s := &stage{b: b, matrix: m, points: make([]int, len(b.x)), variables: make([]int, len(b.target))}
	for j := range s.points {
		s.points[j] = j
	}
	s.place = b.point
	if s.place == nil {
		s.place = s.points
	}
	for t := range s.variables {
		s.variables[t] = t
	}
	s.allocate()
	return s
}

func (s *stage) allocate() {
	s.response = make([]float64, len(s.points))
	s.residual = make([]float64, len(s.variables))
	s.inBlock = make([]bool, len(s.variables))
}

// part is the stage of the given variables of s.
func (s *stage) part(variables []int) *stage {
	used := make([]int, len(s.points)) // new place + 1
	for _, t := range variables {
		used[s.place[t]] = 1
	}
	p := &stage{b: s.b}
	var local []int
	for j, u := range used {
		if u != 0 {
			local = append(local, j)
			p.points = append(p.points, s.points[j])
			used[j] = len(local)
		}
	}
	p.matrix = s.matrix.Subset(local)
	for _, t := range variables {
		p.variables = append(p.variables, s.variables[t])
		p.place = append(p.place, used[s.place[t]]-1)
	}
	p.allocate()
	for k, j := range local {
		p.response[k] = s.response[j]
	}
	p.refresh()
	return p
}

// recompute makes the responses from all of β.
func (s *stage) recompute(ctx context.Context) error {
	clear(s.response)
	return s.catchUp(ctx, make([]float64, len(s.b.beta)))
}

// catchUp brings the responses, which are those of the coefficients before, up to date. s is
// the stage of all variables.
func (s *stage) catchUp(ctx context.Context, before []float64) error {
	b := s.b
	var x []Vector
	var change []float64
	for t, v := range b.beta {
		if v != before[t] {
			x, change = append(x, b.x[s.place[t]]), append(change, v-before[t])
		}
	}
	if err := s.matrix.Add(ctx, x, change, s.response); err != nil {
		return err
	}
	s.refresh()
	return nil
}

// refresh computes the residuals from the responses, and their extremes.
func (s *stage) refresh() {
	b := s.b
	for g := range s.most {
		s.most[g], s.least[g] = math.Inf(-1), math.Inf(1)
	}
	for t, v := range s.variables {
		beta := b.beta[v]
		r := b.target[v] - s.response[s.place[t]]
		if b.ridge != nil {
			r -= b.ridge[v] * beta
		}
		s.residual[t] = r
		if r-r != 0 {
			b.undefined = true
		}
		g := b.groupOf(v)
		if r > s.most[g] && beta < b.upper[v] {
			s.most[g] = r
		}
		if r < s.least[g] && beta > b.lower[v] {
			s.least[g] = r
		}
	}
	if len(s.variables) == len(b.beta) {
		b.gap = s.gap()
	}
}

func (d *dual) groupOf(t int) uint8 {
	if d.group == nil {
		return 0
	}
	return d.group[t]
}

// gap is the maximal violation: no pair of the stage's variables can be improved by more.
func (s *stage) gap() float64 { return max(s.most[0]-s.least[0], s.most[1]-s.least[1]) }

// active are the variables that are not at a bound which the conditions, as they stand, keep
// them at.
func (s *stage) active() []int {
	var keep []int
	for t, v := range s.variables {
		g, r, beta := s.b.groupOf(v), s.residual[t], s.b.beta[v]
		above, below := beta < s.b.upper[v], beta > s.b.lower[v]
		if above && r >= s.least[g] || below && r <= s.most[g] {
			keep = append(keep, t)
		}
	}
	return keep
}

// iterate makes outer iterations until the violation is at most epsilon, a number of rounds is
// done or the run ends. The error is the context's, or says that a kernel value is not finite.
func (s *stage) iterate(ctx context.Context, epsilon float64, rounds int) error {
	b, previous, stalled := s.b, math.Inf(1), 0
	for range rounds {
		if b.undefined {
			return &DataError{Text: notFinite}
		}
		gap := s.gap()
		if gap <= epsilon || b.broken {
			return nil
		}
		stalled++
		if gap < 0.95*previous {
			stalled = 0
		}
		previous = gap
		aim := max(epsilon/2, 0.1*gap)
		if stalled > 3 {
			aim = epsilon / 2
		}
		if err := s.choose(ctx); err != nil {
			return err
		}
		if err := s.improve(ctx, aim); err != nil {
			return err
		}
	}
	return nil
}

// improve solves the problem in the variables of the block to a violation of aim and brings
// the responses up to date. When the context ends what the block has reached is kept: a step
// never leaves the bounds nor makes the objective worse.
func (s *stage) improve(ctx context.Context, aim float64) error {
	b, in := s.b, s.b.inner
	if err := in.load(ctx, s); err != nil {
		return err
	}
	b.broken = !in.solve(b, aim)
	var x []Vector
	var change []float64
	for k, t := range s.block {
		v := s.variables[t]
		if in.beta[k] == b.beta[v] {
			continue
		}
		x, change = append(x, b.x[s.points[s.place[t]]]), append(change, in.beta[k]-b.beta[v])
		if b.beta[v] == 0 {
			b.support++
		} else if in.beta[k] == 0 {
			b.support--
		}
		b.beta[v] = in.beta[k]
	}
	if err := s.matrix.Add(ctx, x, change, s.response); err != nil {
		// The responses are of no use any more; the block knows those of its variables.
		for k, t := range s.block {
			s.residual[t] = in.residual[k]
			b.known = append(b.known, s.variables[t])
		}
		return err
	}
	s.refresh()
	return nil
}
