package solvers

import (
	"context"
	"math"
	"slices"

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

	extremes
	block   []int // the variables of the last block, in the order of their entering
	inBlock []bool
}

// extremes are, by group, the greatest residual with room above and the least with room below.
type extremes struct {
	most, least [2]float64
	undefined   bool // a residual is not finite
}

func noExtremes() extremes {
	return extremes{most: [2]float64{math.Inf(-1), math.Inf(-1)}, least: [2]float64{math.Inf(1), math.Inf(1)}}
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
	p := &stage{b: s.b, points: make([]int, 0, len(variables)),
		variables: make([]int, 0, len(variables)), place: make([]int, 0, len(variables))}
	local := make([]int, 0, len(variables))
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
	var points []int
	var change []float64
	for t, v := range b.beta {
		if v != before[t] {
			points, change = append(points, s.place[t]), append(change, v-before[t])
		}
	}
	if err := s.matrix.AddOf(ctx, points, change, s.response); err != nil {
		return err
	}
	s.refresh()
	return nil
}

// refresh computes the residuals from the responses, and their extremes.
func (s *stage) refresh() {
	b := s.b
	parts := make([]extremes, s.parts())
	// A pass over 10⁶ variables takes some milliseconds: it is not worth to end it with a context.
	b.team.Each(context.Background(), len(parts), func(i int) error {
		parts[i] = s.refreshPart(i*variablesPart, s.partEnd(i))
		return nil
	})
	all := noExtremes()
	for _, e := range parts {
		for g := range all.most {
			all.most[g], all.least[g] = max(all.most[g], e.most[g]), min(all.least[g], e.least[g])
		}
		b.undefined = b.undefined || e.undefined
	}
	s.extremes = all
	if len(s.variables) == len(b.beta) {
		b.gap = s.gap()
	}
}

// refreshPart does so for some of the variables.
func (s *stage) refreshPart(low, high int) extremes {
	b, e := s.b, noExtremes()
	for t := low; t < high; t++ {
		v := s.variables[t]
		beta := b.beta[v]
		r := b.target[v] - s.response[s.place[t]]
		if b.ridge != nil {
			r -= b.ridge[v] * beta
		}
		s.residual[t] = r
		if r-r != 0 {
			e.undefined = true
		}
		g := b.groupOf(v)
		if r > e.most[g] && beta < b.upper[v] {
			e.most[g] = r
		}
		if r < e.least[g] && beta > b.lower[v] {
			e.least[g] = r
		}
	}
	return e
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
func (s *stage) active(ctx context.Context) ([]int, error) {
	parts := make([][]int, s.parts())
	err := s.b.team.Each(ctx, len(parts), func(i int) error {
		keep := make([]int, 0, variablesPart)
		for t := i * variablesPart; t < s.partEnd(i); t++ {
			v := s.variables[t]
			g, r, beta := s.b.groupOf(v), s.residual[t], s.b.beta[v]
			above, below := beta < s.b.upper[v], beta > s.b.lower[v]
			if above && r >= s.least[g] || below && r <= s.most[g] {
				keep = append(keep, t)
			}
		}
		parts[i] = keep
		return nil
	})
	return slices.Concat(parts...), err
}

// variablesPart is the number of variables that a worker looks at at a time.
const variablesPart = 2048

func (s *stage) parts() int { return (len(s.variables) + variablesPart - 1) / variablesPart }

func (s *stage) partEnd(i int) int { return min((i+1)*variablesPart, len(s.variables)) }

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
	points, change := make([]int, 0, in.n), make([]float64, 0, in.n)
	for k, t := range s.block {
		v := s.variables[t]
		if in.beta[k] == b.beta[v] {
			continue
		}
		points, change = append(points, s.points[s.place[t]]), append(change, in.beta[k]-b.beta[v])
		if b.beta[v] == 0 {
			b.support++
		} else if in.beta[k] == 0 {
			b.support--
		}
		b.beta[v] = in.beta[k]
	}
	if err := s.matrix.AddOf(ctx, points, change, s.response); err != nil {
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
