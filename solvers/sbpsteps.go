package solvers

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// batchPerceptron is the state of an SBP run. The iterate is w = scale·Σ vᵢΦ(xᵢ), so that the
// projection onto the unit ball touches one number. The average of the iterates, weighted by their
// number, is kept as Σ past = weight·v + rest: a step changes rest where it changes v, and nothing
// else.
type batchPerceptron struct {
	used        SBP
	train       *Dataset
	matrix      *gram.Matrix
	diagonal    []float64
	radius      float64 // R
	random      *rand.Rand
	scale       float64
	v           []float64
	response    []float64 // Σᵢ vᵢK(xᵢ, x)
	norm2       float64   // ‖w‖²
	weight      float64
	rest        []float64
	restAt      []float64 // its responses
	change      []float64 // responses of the last step
	lists       [][]responseOf
	probability []float64 // the sum of the distributions under water, weighted as the iterates
	steps       int
	before      int // steps that count as done at the start
	best        sbpModel
	bound       float64 // no w in the unit ball has a higher level
}

// sbpModel is a w in the unit ball, and its water level.
type sbpModel struct {
	beta        []float64
	bias, level float64
	norm        float64 // ‖w‖
	size        int
}

func newBatchPerceptron(ctx context.Context, used SBP, train *Dataset) (*batchPerceptron, error) {
	n := train.Len()
	kernel, own := gramKernel(used.Kernel)
	if !own {
		kernel = gram.Kernel{Kind: gram.Custom, Eval: used.Kernel.Eval}
	}
	precision := gram.Single
	if n <= smallProblem {
		precision = gram.Double
	}
	p := &batchPerceptron{used: used, train: train, scale: 1, bound: math.Inf(1),
		matrix: gram.NewMatrix(gram.PointsWithin(ctx, train.X), kernel, precision, used.Settings.Workers),
		random: rand.New(rand.NewPCG(used.Settings.Seed, 0x5b9))}
	for _, a := range []*[]float64{&p.diagonal, &p.v, &p.response, &p.rest, &p.restAt, &p.change, &p.probability} {
		*a = make([]float64, n)
	}
	if err := finite(p.matrix); err != nil {
		return nil, err
	}
	p.matrix.Diagonal(p.diagonal)
	for _, k := range p.diagonal {
		p.radius = max(p.radius, math.Sqrt(max(k, 0)))
	}
	if p.used.Slack == 0 {
		p.used.Slack = p.radius / 100
	}
	p.lists = p.newLists()
	return p, nil
}

// start begins at the w of a model, scaled to norm 1.
func (p *batchPerceptron) start(ctx context.Context, m *Model) error {
	if m == nil || m.SupportSize() == 0 {
		return nil
	}
	rows, response := make([]Vector, len(m.Indices)), make([]float64, len(p.v))
	for k, i := range m.Indices {
		rows[k] = p.train.X[i]
	}
	if err := p.matrix.Add(ctx, rows, m.Coefficients, response); err != nil {
		return err
	}
	norm2 := 0.0
	for k, i := range m.Indices {
		norm2 += m.Coefficients[k] * response[i]
	}
	if !(norm2 > 0) {
		return nil
	}
	factor := 1 / math.Sqrt(norm2)
	for k, i := range m.Indices {
		p.v[i] = factor * m.Coefficients[k]
	}
	for j, g := range response {
		p.response[j] = factor * g
	}
	p.norm2, p.before = 1, m.SupportSize()
	p.consider(p.v, p.response, 1)
	return nil
}

// newLists are lists of the rows: of each class, the class -1 first, or one of all without a bias.
func (p *batchPerceptron) newLists() [][]responseOf {
	lists := make([][]responseOf, 2)
	for i, y := range p.train.Y {
		class := int(y+1) / 2
		if p.used.NoBias {
			class = 0
		}
		lists[class] = append(lists[class], responseOf{row: int32(i)})
	}
	if p.used.NoBias {
		return lists[:1]
	}
	return lists
}

// pour sets the values of the lists to y·g(x) and returns the level for ν at norm 1 when g is to be
// multiplied by scale, and the number of columns under water.
func (p *batchPerceptron) pour(lists [][]responseOf, response []float64, scale float64) (level float64, columns int) {
	y := p.train.Y
	for _, list := range lists {
		for k := range list {
			row := list[k].row
			list[k].value = y[row] * response[row]
		}
	}
	level, columns = waterLevel(lists, p.used.Slack*float64(len(y))/scale)
	return level * scale / float64(len(lists)), columns
}

// step draws rows under water, of each class as many, and moves w towards them.
func (p *batchPerceptron) step(ctx context.Context) error {
	_, columns := p.pour(p.lists, p.response, p.scale)
	t := float64(p.before + p.steps + 1)
	share := t / float64(columns*len(p.lists))
	draws := len(p.lists) * p.used.Draws
	eta := 1 / (p.radius * math.Sqrt(t) * float64(draws))
	rows, drawn, delta := make([]Vector, draws), make([]int32, draws), make([]float64, draws)
	for s := range drawn {
		i := p.lists[s%len(p.lists)][p.random.IntN(columns)].row
		drawn[s], rows[s], delta[s] = i, p.train.X[i], eta*p.train.Y[i]/p.scale
	}
	clear(p.change)
	if err := p.matrix.Add(ctx, rows, delta, p.change); err != nil {
		return err
	}
	for _, list := range p.lists {
		for _, r := range list[:columns] {
			p.probability[r.row] += share
		}
	}
	p.weight += t * p.scale
	for s, i := range drawn {
		p.norm2 += p.scale * p.scale * delta[s] * (2*p.response[i] + p.change[i])
		p.v[i] += delta[s]
		p.rest[i] -= p.weight * delta[s]
	}
	for j, d := range p.change {
		p.response[j] += d
		p.restAt[j] -= p.weight * d
	}
	if p.norm2-p.norm2 != 0 {
		return fmt.Errorf("SBP: a value of %v is not finite: scale the features or choose other kernel parameters", p.used.Kernel)
	}
	if p.norm2 > 1 {
		p.scale /= math.Sqrt(p.norm2)
		p.norm2 = 1
	}
	p.steps++
	if p.scale < 1e-6 {
		p.rescale()
	}
	return nil
}

// rescale multiplies the scale into v, before either leaves the range of numbers, and computes the
// norm anew.
func (p *batchPerceptron) rescale() {
	p.norm2 = 0
	for i := range p.v {
		p.rest[i] += p.weight * p.v[i]
		p.restAt[i] += p.weight * p.response[i]
		p.v[i] *= p.scale
		p.response[i] *= p.scale
		p.norm2 += p.v[i] * p.response[i]
	}
	p.scale, p.weight = 1, 0
}

// judge looks at the average of the iterates and keeps it if it is the best so far. After one step,
// all that is averaged is w = 0: then it looks at the iterate itself.
func (p *batchPerceptron) judge() {
	average, responses := make([]float64, len(p.v)), make([]float64, len(p.v))
	norm2 := 0.0
	for i := range average {
		average[i] = p.weight*p.v[i] + p.rest[i]
		responses[i] = p.weight*p.response[i] + p.restAt[i]
		norm2 += average[i] * responses[i]
	}
	switch {
	case norm2 > 0:
		p.consider(average, responses, math.Sqrt(norm2))
	case p.norm2 > 0:
		p.consider(p.v, p.response, math.Sqrt(p.norm2)/p.scale)
	}
}

// consider keeps w = Σ βᵢΦ(xᵢ), scaled to norm 1, if its level is higher than the best so far. Where there
// is so little slack that no w has a high level, a smaller norm has a higher one; w = 0 has the
// level ν.
func (p *batchPerceptron) consider(beta, responses []float64, norm float64) {
	lists := p.newLists()
	scale := p.bestScale(lists, responses, 1/norm)
	level, columns := p.pour(lists, responses, scale)
	if level <= p.best.level {
		return
	}
	p.best = sbpModel{beta: make([]float64, len(beta)), level: level, norm: norm * scale}
	for i, b := range beta {
		p.best.beta[i] = b * scale
		if b != 0 {
			p.best.size++
		}
	}
	if !p.used.NoBias {
		p.best.bias = middleBias(lists[0], lists[1], columns, 2*level/scale) * scale
	}
}

// bestScale is the scale, at most most, with the highest level, by golden sections: the level is a
// concave function of it.
func (p *batchPerceptron) bestScale(lists [][]responseOf, responses []float64, most float64) float64 {
	level := func(scale float64) float64 {
		value, _ := p.pour(lists, responses, scale)
		return value
	}
	if level(most) >= level(0.99*most) {
		return most
	}
	const section = 0.6180339887498949
	low, high := 0.0, most
	a, b := high*(1-section), high*section
	levelA, levelB := level(a), level(b)
	for range 40 {
		if levelA < levelB {
			low, a, levelA = a, b, levelB
			b = low + (high-low)*section
			levelB = level(b)
		} else {
			high, b, levelB = b, a, levelA
			a = low + (high-low)*(1-section)
			levelA = level(a)
		}
	}
	return (low + high) / 2
}

// tighten makes the bound on the level from the average p of the distributions: every distribution
// p with equal shares of the classes gives ‖Σ pᵢyᵢΦ(xᵢ)‖ + ν·n·max p.
func (p *batchPerceptron) tighten(ctx context.Context) error {
	n := len(p.v)
	total, largest := 0.0, 0.0
	for _, share := range p.probability {
		total += share
		largest = max(largest, share)
	}
	var x []Vector
	var weights []float64
	for i, share := range p.probability {
		if share > 0 {
			x, weights = append(x, p.train.X[i]), append(weights, p.train.Y[i]*share/total)
		}
	}
	responses, norm2 := make([]float64, n), 0.0
	if err := p.matrix.Add(ctx, x, weights, responses); err != nil {
		return err
	}
	for i, share := range p.probability {
		norm2 += p.train.Y[i] * share / total * responses[i]
	}
	p.bound = min(p.bound, math.Sqrt(max(norm2, 0))+p.used.Slack*float64(n)*largest/total)
	return nil
}

// middleBias is the middle of the biases for which the given number of rows of each class is under
// water. The levels of the classes are t₋ = γ + b and t₊ = γ - b.
func middleBias(negative, positive []responseOf, columns int, sum float64) float64 {
	reach := func(list []responseOf) (low, high float64) {
		selectRank(list, columns-1)
		low, high = list[columns-1].value, math.Inf(1)
		for _, r := range list[columns:] {
			high = min(high, r.value)
		}
		return low, high
	}
	lowN, highN := reach(negative)
	lowP, highP := reach(positive)
	level := (max(lowN, sum-highP) + min(highN, sum-lowP)) / 2 // t₋
	return level - sum/2
}

func (p *batchPerceptron) gap() float64 {
	if math.IsInf(p.bound, 1) {
		return 1
	}
	return (p.bound - p.best.level) / p.bound
}

func (p *batchPerceptron) state() loop.Point {
	return loop.Point{SupportSize: p.best.size, Objective: p.best.level, Gap: p.gap()}
}
