package solvers

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// shortfall is the state of a run: s_j = h_j - y_j·g̃(x_j) is how far row j falls short. It is
// kept with its sign turned by the class, so that a step is one pass that subtracts kernel
// rows and finds the worst of each class, the greatest of one and the least of the other.
type shortfall struct {
	used     ISSVM
	train    *Dataset
	rows     *rows
	ref      *reference // nil until begin
	learn    bool
	path     simd.Path
	target   []float64 // y_j·h_j; 0 if the row is not eligible
	signed   []float64 // y_j·s_j = target_j - g̃(x_j)
	positive simd.Mask // eligible rows of the class +1
	negative simd.Mask
	beta     []float64
	support  []int
	radius2  float64 // R²
	norm2    float64 // ‖w̃‖²
	worst    pair    // of all rows
}

// response is g̃(x_j).
func (p *shortfall) response(j int) float64 { return p.target[j] - p.signed[j] }

// pair is the worst row of each class, -1 and -Inf if there is none.
type pair struct {
	negative, positive           int
	negativeValue, positiveValue float64
}

var noPair = pair{-1, -1, math.Inf(-1), math.Inf(-1)}

func newShortfall(used ISSVM, train *Dataset, learn bool) *shortfall {
	n := train.Len()
	return &shortfall{used: used, train: train, learn: learn, rows: newRows(used.Reference.Kernel, train.X, used.Settings),
		path: simd.Chosen(), target: make([]float64, n), signed: make([]float64, n), beta: make([]float64, n),
		positive: simd.NewMask(n), negative: simd.NewMask(n), worst: noPair}
}

// begin computes the targets from the reference.
func (p *shortfall) begin(ctx context.Context, model *Model) error {
	ref, err := newReference(ctx, model, p.rows)
	if err != nil {
		return err
	}
	diagonal, err := p.rows.diagonal()
	if err != nil {
		return err
	}
	for _, k := range diagonal {
		p.radius2 = max(p.radius2, k)
	}
	if p.used.Eta == 0 {
		p.used.Eta = p.used.Epsilon
		if p.radius2 > 0 {
			p.used.Eta /= p.radius2
		}
	}
	p.ref = ref
	for j, y := range p.train.Y {
		if margin := y * (ref.responses[j] + model.Bias); margin > 0 {
			p.target[j] = y * min(1, margin)
			p.positive.Set(j, y > 0)
			p.negative.Set(j, y < 0)
		}
	}
	// The best bias needs a worst row of each class; without, the reference's is as good as any.
	p.learn = p.learn && p.positive.Count() > 0 && p.negative.Count() > 0
	if !p.learn {
		for j := range p.target {
			if p.positive.Has(j) || p.negative.Has(j) {
				p.target[j] -= model.Bias
			}
		}
	}
	copy(p.signed, p.target)
	p.advance(0, diagonal, 0, diagonal, 1)
	return nil
}

// loop runs until the value is at most Epsilon.
func (p *shortfall) loop(ctx context.Context, run *loop.Run, visit visitor) error {
	visited, done := 0, 0
	show := func() error {
		visited = len(p.support)
		return visit(float64(done), p.value(p.worst), p.model())
	}
	for p.value(p.worst) > p.used.Epsilon && run.Next(p.state) {
		a, b := p.choose()
		if visit != nil && len(p.support) >= nextVisit(visited) && p.grows(a, b) {
			if err := show(); err != nil {
				return err
			}
		}
		if err := p.step(ctx, a, b); err != nil {
			run.Abandon()
			return err
		}
		done++
	}
	if visit != nil && ctx.Err() == nil && len(p.support) > 0 {
		return show()
	}
	return nil
}

// nextVisit is the least support size to be visited after size.
func nextVisit(size int) int { return max(size+1, int(math.Ceil(float64(size)*1.02))) }

// move adds delta to the coefficient of a row.
type move struct {
	row   int
	delta float64
}

// choose is the step: with a learned bias a move for each class, else one, given twice, the
// second of zero length.
func (p *shortfall) choose() (a, b move) {
	chosen := p.worst
	if p.used.Aggressive {
		if own := p.worstSupport(); p.value(own) > p.used.Epsilon {
			chosen = own
		}
	}
	if p.learn {
		half := p.used.Eta / 2
		return move{chosen.negative, -half}, move{chosen.positive, half}
	}
	i, _ := chosen.single()
	return move{i, p.used.Eta * p.train.Y[i]}, move{i, 0}
}

// grows reports whether a step needs a new support vector.
func (p *shortfall) grows(a, b move) bool { return p.beta[a.row] == 0 || p.beta[b.row] == 0 }

// single is the worse row of the pair and its value; of equal ones the first.
func (w pair) single() (int, float64) {
	if w.positiveValue > w.negativeValue || w.positiveValue == w.negativeValue && w.positive < w.negative {
		return w.positive, w.positiveValue
	}
	return w.negative, w.negativeValue
}

// value is what a pair falls short by: with the best bias both classes by the same.
func (p *shortfall) value(w pair) float64 {
	if p.learn {
		return (w.positiveValue + w.negativeValue) / 2
	}
	_, value := w.single()
	return value
}

func (p *shortfall) worstSupport() pair {
	worst := noPair
	for _, j := range p.support {
		if p.train.Y[j] > 0 {
			s := p.signed[j]
			if s > worst.positiveValue || s == worst.positiveValue && j < worst.positive {
				worst.positive, worst.positiveValue = j, s
			}
		} else {
			s := -p.signed[j]
			if s > worst.negativeValue || s == worst.negativeValue && j < worst.negative {
				worst.negative, worst.negativeValue = j, s
			}
		}
	}
	return worst
}

// step makes the moves and scales w̃ into the ball.
func (p *shortfall) step(ctx context.Context, a, b move) error {
	rowA, err := p.rows.row(ctx, a.row)
	if err != nil {
		return err
	}
	rowB, err := p.rows.row(ctx, b.row)
	if err != nil {
		return err
	}
	p.norm2 += 2*(a.delta*p.response(a.row)+b.delta*p.response(b.row)) +
		a.delta*a.delta*rowA[a.row] + b.delta*b.delta*rowB[b.row] + 2*a.delta*b.delta*rowA[b.row]
	for _, m := range [2]move{a, b} {
		if p.beta[m.row] == 0 {
			p.support = append(p.support, m.row)
		}
		p.beta[m.row] += m.delta
	}
	factor := 1.0
	if radius := p.used.Radius; radius > 0 && p.norm2 > radius*radius {
		factor = radius / math.Sqrt(p.norm2)
		p.norm2 = radius * radius
		for _, j := range p.support {
			p.beta[j] *= factor
		}
	}
	p.advance(a.delta, rowA, b.delta, rowB, factor)
	return nil
}

// advance updates the shortfalls and finds the worst rows, the first of equal ones.
func (p *shortfall) advance(deltaA float64, rowA []float64, deltaB float64, rowB []float64, factor float64) {
	if factor != 1 {
		p.path.Update(p.signed, rowA, rowB, deltaA, deltaB, p.positive, p.negative)
		deltaA, deltaB = 0, 0
		for j, s := range p.signed {
			p.signed[j] = p.target[j] - factor*(p.target[j]-s)
		}
	}
	most, least := p.path.Update(p.signed, rowA, rowB, deltaA, deltaB, p.positive, p.negative)
	p.worst = noPair
	if !math.IsInf(most, -1) {
		p.worst.positive, p.worst.positiveValue = p.path.Find(p.signed, most, p.positive), most
	}
	if !math.IsInf(least, 1) {
		p.worst.negative, p.worst.negativeValue = p.path.Find(p.signed, least, p.negative), -least
	}
}

// bias is the reference's, or the one for which both classes fall short by the same.
func (p *shortfall) bias() float64 {
	if p.learn && p.ref != nil {
		return (p.worst.positiveValue - p.worst.negativeValue) / 2
	}
	return p.used.Reference.Bias
}

func (p *shortfall) model() *Model {
	return newModel(p.used.Reference.Kernel, p.train, p.beta, p.bias())
}

// certificate computes the three facts that hold for every finished run.
func (p *shortfall) certificate(steps int) []Check {
	epsilon, eta, n := p.used.Epsilon, p.used.Eta, float64(p.train.Len())
	bound := math.Inf(1)
	fall := 2*eta*epsilon - eta*eta*p.radius2
	if radius := p.used.Radius; fall > 0 && (radius == 0 || radius*radius >= p.ref.squaredNorm) {
		bound = p.ref.squaredNorm / fall
	}
	var slant, hinge float64
	bias := p.bias()
	for j, y := range p.train.Y {
		slant += min(1, max(0, 1-epsilon-y*(p.response(j)+bias))) / n
		hinge += max(0, 1-y*(p.ref.responses[j]+p.ref.model.Bias)) / n
	}
	return []Check{
		{"worst shortfall ≤ ε", p.value(p.worst), epsilon},
		{"steps ≤ ‖w‖²/(2ηε - η²R²)", float64(steps), bound},
		{"mean slant loss ≤ mean hinge loss of the reference (Lemma 4.1)", slant, hinge},
	}
}

func (p *shortfall) state() loop.Point {
	value := p.value(p.worst)
	return loop.Point{SupportSize: len(p.support), Objective: value, Gap: value}
}
