package solvers

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// budgetDual is the dual of a BudgetSVM in the signed coefficients β_t = α_t·y_t, with a multiplier μ
// in place of the ball:
//
//	min ½βᵀKβ + ½Σ μ(β_t/k_t)² - Σ y_tβ_t   subject to   Σβ_t = 0,  0 ≤ y_tβ_t ≤ box·k_t,  Σ|β_t|/k_t ≤ sum
//
// k_t being the weight of row t's class. As Σβ_t = 0, both classes have the same Σ|β_t|, and the cap
// on the sum is one on that. At the cap the sum over each class stays as it is: that is the
// ν-SVC, solved by blocks with the classes as groups, so that every pair a step takes is of one
// class. Its multiplier ρ of the cap says whether the cap is active: if ρ < 0, the cap is
// dropped, which makes one group of all. Pairs that are chosen as if there were no cap, and then
// stopped by it, can stop short of the optimum.
type budgetDual struct {
	*blocks
	norm      slackNorm
	weights   [2]float64 // k by class, -1 first
	classes   []uint8    // 0 for -1, 1 for +1
	mu        float64
	all       *stage
	matrices  [2]*gram.Matrix // single and double precision; one where they are the same
	objective float64         // the dual as of the last measure
	gap       float64
}

func newBudgetDual(ctx context.Context, used BudgetSVM, train *Dataset, run *loop.Run) (*budgetDual, error) {
	n := train.Len()
	p := &budgetDual{gap: 1, weights: [2]float64{used.WeightNegative, used.WeightPositive}, classes: make([]uint8, n)}
	d := &dual{x: train.X, target: train.Y, lower: make([]float64, n), upper: make([]float64, n), beta: make([]float64, n), ridge: make([]float64, n)}
	for t, y := range train.Y {
		if y > 0 {
			p.classes[t] = 1
		}
	}
	kernel, own := gramKernel(used.Kernel)
	if !own {
		kernel = gram.Kernel{Kind: gram.Custom, Eval: used.Kernel.Eval}
	}
	p.blocks = &blocks{dual: d, kernel: kernel, workers: used.Settings.Workers, run: run, inner: newInner(n), report: p.state}
	p.team = gram.NewTeam(p.workers)
	points := gram.PointsWithin(ctx, train.X)
	p.matrices[1] = gram.NewMatrix(points, kernel, gram.Double, p.workers)
	p.matrices[0] = gram.NewMatrix(points, kernel, gram.Single, p.workers)
	p.matrices[0].Employ(p.team)
	p.matrices[1].Employ(p.team)
	if n <= smallProblem || p.matrices[0].Precise() {
		p.matrices[0] = p.matrices[1]
	}
	if err := finite(p.matrices[0]); err != nil {
		return nil, err
	}
	p.all = newStage(p.blocks, p.matrices[0])
	p.bound(used.norm(used.Budget))
	p.all.refresh()
	return p, nil
}

// start begins from the coefficients of a model.
func (p *budgetDual) start(ctx context.Context, m *Model) error {
	if m == nil {
		return nil
	}
	p.dual.begin(m)
	p.support = supportOf(p.beta)
	return p.all.recompute(ctx)
}

func (p *budgetDual) evaluations() int64 {
	sum := p.matrices[0].Evaluations()
	if p.matrices[1] != p.matrices[0] {
		sum += p.matrices[1].Evaluations()
	}
	return sum
}

// bound takes the bounds of a norm.
func (p *budgetDual) bound(norm slackNorm) {
	p.norm = norm
	for t := range p.target {
		if class := p.classes[t]; class == 1 {
			p.upper[t] = norm.box * p.weights[1]
		} else {
			p.lower[t] = -norm.box * p.weights[0]
		}
	}
}

// multiply sets μ.
func (p *budgetDual) multiply(mu float64) {
	p.mu = mu
	for t := range p.ridge {
		k := p.weights[p.classes[t]]
		p.ridge[t] = mu / (k * k)
	}
	p.all.refresh()
}

// capacity is what the cap leaves each class: Σ|β_t| over it.
func (p *budgetDual) capacity() float64 { return p.norm.sum / (1/p.weights[0] + 1/p.weights[1]) }

// classSum is Σ|β_t| of a class.
func (p *budgetDual) classSum(class uint8) float64 {
	sum := 0.0
	for t, b := range p.beta {
		if p.classes[t] == class {
			sum += math.Abs(b)
		}
	}
	return sum
}

// capped reports whether the sums over the classes are kept at the cap.
func (p *budgetDual) capped() bool { return p.group != nil }

// holdCap brings the sums of both classes to the cap and keeps them there. Where a class is short of
// it, the rows with the smallest margins get what the box allows: at the optimum these have it.
// It is false, and there is no cap, if the bounds do not allow it to be reached.
func (p *budgetDual) holdCap(ctx context.Context) (bool, error) {
	capacity := p.capacity()
	for class := range uint8(2) {
		room := 0.0
		for t := range p.beta {
			if p.classes[t] == class {
				room += p.upper[t] - p.lower[t]
			}
		}
		if !(room > capacity) {
			p.release()
			return false, nil
		}
	}
	p.group = p.classes
	p.all.refresh()
	if sum := p.classSum(1); sum > capacity || sum > 0 && math.IsInf(p.norm.box, 1) {
		p.scale(capacity / sum)
		return true, nil
	}
	return true, p.fill(ctx, capacity)
}

// corner begins, from nothing, with a vertex of what the norm allows: as many rows of each class as the
// budget has for it, all with one weight.
func (p *budgetDual) corner(ctx context.Context, budget int) error {
	var rows [2]int
	for _, class := range p.classes {
		rows[class]++
	}
	count := max(1, min(budget/2, rows[0], rows[1]))
	weight := min(p.norm.box, p.norm.ball/math.Sqrt(float64(2*count))) * min(p.weights[0], p.weights[1])
	rows = [2]int{}
	for t, y := range p.target {
		if class := p.classes[t]; rows[class] < count {
			rows[class]++
			p.beta[t] = y * weight
		}
	}
	p.support = supportOf(p.beta)
	p.all.refresh()
	return p.all.recompute(ctx)
}

// fill gives the rows of each class, those with the smallest margins first, what their bounds allow,
// until the class has the sum.
func (p *budgetDual) fill(ctx context.Context, sum float64) error {
	before := slices.Clone(p.beta)
	for class := range uint8(2) {
		side, missing := p.target[slices.Index(p.classes, class)], sum-p.classSum(class)
		var rows []candidate
		for t, b := range p.beta {
			if p.classes[t] == class && math.Abs(b) < p.upper[t]-p.lower[t] {
				rows = append(rows, candidate{side * p.all.residual[t], t})
			}
		}
		slices.SortStableFunc(rows, func(a, b candidate) int { return cmp.Compare(b.violation, a.violation) })
		for _, row := range rows {
			t := row.variable
			room := p.upper[t] - p.lower[t] - math.Abs(p.beta[t])
			if missing < room {
				p.beta[t] += side * missing
				break
			}
			p.beta[t] = side * (p.upper[t] - p.lower[t])
			missing -= room
		}
	}
	return p.all.catchUp(ctx, before)
}

// scale multiplies all coefficients.
func (p *budgetDual) scale(factor float64) {
	for t := range p.beta {
		p.beta[t] *= factor
		p.all.response[t] *= factor
	}
	p.all.refresh()
}

// release drops the cap.
func (p *budgetDual) release() {
	p.group = nil
	p.all.refresh()
}

// solve steps until no pair violates its conditions by more than tolerance, with the cap where it is
// active, or the duality gap is at most epsilon. It is false if the run ended before.
func (p *budgetDual) solve(ctx context.Context, tolerance, epsilon float64) (bool, error) {
	if tolerance < leastSingle {
		if err := p.precise(ctx); err != nil {
			return false, err
		}
	}
	for changes := 0; ; {
		if done, err := p.descend(ctx, tolerance, epsilon); done || err != nil || p.broken {
			return done && !p.broken, err
		}
		if p.undefined {
			return false, &DataError{Text: notFinite}
		}
		// The cap is taken up and dropped once at most; measure sees to what is left over.
		if changes++; changes > 2 {
			return true, nil
		}
		switch {
		case p.capped() && p.capMultiplier() < -tolerance:
			p.release()
		case !p.capped() && p.classSum(1) > p.capacity():
			if held, err := p.holdCap(ctx); !held || err != nil {
				return true, err
			}
		default:
			return true, nil
		}
	}
}

// outerBlocks is the number of blocks between two looks at the duality gap.
const outerBlocks = 2

// descend steps until no pair violates its conditions by more than tolerance, and reports whether the
// duality gap is at most epsilon.
func (p *budgetDual) descend(ctx context.Context, tolerance, epsilon float64) (bool, error) {
	for steps := -1; p.all.gap() > tolerance && p.run.Iterations() > steps; { // no step: rounding
		steps = p.run.Iterations()
		if err := p.all.iterate(ctx, tolerance, outerBlocks); err != nil || p.broken {
			return false, err
		}
		if p.measure(); p.gap <= epsilon {
			return true, nil
		}
	}
	return false, nil
}

// precise goes on in double precision.
func (p *budgetDual) precise(ctx context.Context) error {
	if p.all.matrix == p.matrices[1] {
		return nil
	}
	p.all.matrix = p.matrices[1]
	return p.all.recompute(ctx)
}

// levels are the values of y - g at which the rows of a class are between their bounds: b - ρ in the
// class -1 and b + ρ in the class +1, with ρ ≥ 0 for the cap on the sum, and 0 if it does not
// hold.
func (p *budgetDual) levels() [2]float64 {
	var sums, counts [2]float64
	all, rows := p.all, p.known
	if len(rows) == 0 {
		rows = all.variables
	}
	for _, t := range rows {
		if b := p.beta[t]; b != p.lower[t] && b != p.upper[t] {
			sums[p.classes[t]] += all.residual[t]
			counts[p.classes[t]]++
		}
	}
	if !p.capped() {
		level := middle(all.least[0], all.most[0])
		if n := counts[0] + counts[1]; n > 0 {
			level = (sums[0] + sums[1]) / n
		}
		return [2]float64{level, level}
	}
	var levels [2]float64
	for class := range levels {
		levels[class] = middle(all.least[class], all.most[class])
		if counts[class] > 0 {
			levels[class] = sums[class] / counts[class]
		}
	}
	return levels
}

// capMultiplier has the sign of ρ. With class weights k the levels are b ∓ ρ/k.
func (p *budgetDual) capMultiplier() float64 {
	levels := p.levels()
	return levels[1] - levels[0]
}

// middle is the middle of two numbers, or the finite one.
func middle(a, b float64) float64 {
	switch {
	case math.IsInf(a, 0):
		return b
	case math.IsInf(b, 0):
		return a
	}
	return (a + b) / 2
}

// bias is from the conditions of optimality; see levels.
func (p *budgetDual) bias() float64 {
	levels, k := p.levels(), p.weights
	return (levels[0]*k[0] + levels[1]*k[1]) / (k[0] + k[1])
}

func (p *budgetDual) state() loop.Point {
	return loop.Point{SupportSize: p.support, Objective: p.objective, Gap: p.gap}
}
