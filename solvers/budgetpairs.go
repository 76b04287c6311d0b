package solvers

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// budgetPairs is the dual of a BudgetSVM in the signed coefficients β_t = α_t·y_t, with a
// multiplier μ in place of the ball:
//
//	min ½βᵀKβ + ½μ‖β‖² - Σ y_tβ_t   subject to   Σβ_t = 0,  0 ≤ y_tβ_t ≤ box,  Σ|β_t| ≤ sum
//
// A step adds δ to β_i and takes it from β_j, for i with room above and j with room below. Of the
// four combinations of labels only y_i = 1, y_j = -1 makes Σ|β_t| grow; when that sum is at its
// cap, such pairs are left out. What the pairs that remain cannot improve is optimal.
type budgetPairs struct {
	rows      *rows
	y         []float64
	norm      slackNorm
	mu        float64
	beta      []float64
	residual  []float64 // y_t - g(x_t) - μβ_t, minus the gradient
	diagonal  []float64
	total     float64  // Σ|β_t|
	top       [2]place // by class, -1 first: the greatest residual with room above
	bottom    [2]place // the least with room below
	objective float64  // the dual as of the last measure
	gap       float64
}

// place is a row and its residual, -1 and an infinite one if there is none.
type place struct {
	row      int
	residual float64
}

func newBudgetPairs(used BudgetSVM, train *Dataset) (*budgetPairs, error) {
	n := train.Len()
	p := &budgetPairs{rows: newRows(used.Kernel, train.X, used.Settings), y: train.Y,
		beta: make([]float64, n), residual: make([]float64, n), gap: 1}
	var err error
	if p.diagonal, err = p.rows.diagonal(); err != nil {
		return nil, err
	}
	copy(p.residual, train.Y)
	p.advance(0, p.diagonal, p.diagonal)
	return p, nil
}

// tight reports whether the sum of the weights is at its cap.
func (p *budgetPairs) tight() bool { return p.total >= p.norm.sum*(1-1e-12) }

// settle makes the state anew for a norm and a multiplier.
func (p *budgetPairs) settle(norm slackNorm, mu float64) {
	p.norm, p.total = norm, 0
	for t, b := range p.beta {
		p.residual[t] -= (mu - p.mu) * b
		p.total += math.Abs(b)
	}
	p.mu = mu
	p.advance(0, p.diagonal, p.diagonal)
}

// solve steps until no pair violates its conditions by more than tolerance. It is false if the
// run ended before.
func (p *budgetPairs) solve(ctx context.Context, run *loop.Run, tolerance float64) (bool, error) {
	for {
		i, violation := p.worst()
		if violation <= tolerance {
			return true, nil
		}
		if !run.Next(p.state) {
			return false, nil
		}
		if err := p.step(ctx, i); err != nil {
			run.Abandon()
			return false, err
		}
	}
}

// worst is the row with room above of the pair that violates its conditions most, and by how
// much.
func (p *budgetPairs) worst() (row int, violation float64) {
	negative, positive := p.top[0], p.top[1]
	least := min(p.bottom[0].residual, p.bottom[1].residual)
	leastForPositive := least
	if p.tight() {
		leastForPositive = p.bottom[1].residual
	}
	row, violation = negative.row, negative.residual-least
	if v := positive.residual - leastForPositive; v > violation {
		row, violation = positive.row, v
	}
	return row, violation
}

// step moves weight from the best partner to β_i, as much as the bounds and the cap leave.
func (p *budgetPairs) step(ctx context.Context, i int) error {
	rowI, err := p.rows.row(ctx, i)
	if err != nil {
		return err
	}
	j := p.partner(i, rowI)
	rowJ, err := p.rows.row(ctx, j)
	if err != nil {
		return err
	}
	yi, yj := p.y[i], p.y[j]
	delta := (p.residual[i] - p.residual[j]) / p.curvature(i, j, rowI)
	roomI, roomJ := p.upper(yi)-p.beta[i], p.beta[j]-p.lower(yj)
	roomTotal := math.Inf(1)
	if yi > 0 && yj < 0 {
		roomTotal = (p.norm.sum - p.total) / 2
	}
	delta = min(delta, roomI, roomJ, roomTotal)
	p.beta[i] += delta
	p.beta[j] -= delta
	p.total += delta * (yi - yj)
	// At a bound exactly, whatever the sum rounded to.
	if delta == roomI {
		p.beta[i] = p.upper(yi)
	}
	if delta == roomJ {
		p.beta[j] = p.lower(yj)
	}
	if delta == roomTotal {
		p.total = p.norm.sum
	}
	p.residual[i] -= p.mu * delta
	p.residual[j] += p.mu * delta
	p.advance(delta, rowI, rowJ)
	return nil
}

func (p *budgetPairs) upper(y float64) float64 {
	if y > 0 {
		return p.norm.box
	}
	return 0
}

func (p *budgetPairs) lower(y float64) float64 {
	if y > 0 {
		return 0
	}
	return -p.norm.box
}

func (p *budgetPairs) curvature(i, j int, rowI []float64) float64 {
	return max(p.diagonal[i]+p.diagonal[j]-2*rowI[j]+2*p.mu, tau)
}

// partner is the allowed j with room below for which the step with i decreases the objective
// most, as far as the curvature tells: it maximizes slope²/curvature.
func (p *budgetPairs) partner(i int, rowI []float64) int {
	best, bestGain := -1, math.Inf(-1)
	onlyPositive := p.y[i] > 0 && p.tight()
	low := p.lower(-1)
	for t, r := range p.residual {
		slope := p.residual[i] - r
		if slope <= 0 || onlyPositive && p.y[t] < 0 {
			continue
		}
		if p.y[t] > 0 && p.beta[t] <= 0 || p.y[t] < 0 && p.beta[t] <= low {
			continue
		}
		if gain := slope * slope / p.curvature(i, t, rowI); gain > bestGain {
			best, bestGain = t, gain
		}
	}
	return best
}

// advance updates the residuals after a step of delta and finds the extreme ones of each class;
// of equal ones it takes the first.
func (p *budgetPairs) advance(delta float64, rowI, rowJ []float64) {
	residual := p.residual
	beta, y, rowI, rowJ := p.beta[:len(residual)], p.y[:len(residual)], rowI[:len(residual)], rowJ[:len(residual)]
	none, box := math.Inf(1), p.norm.box
	negativeTop, negativeBottom := place{-1, -none}, place{-1, none}
	positiveTop, positiveBottom := place{-1, -none}, place{-1, none}
	for t := range residual {
		r := residual[t] - delta*(rowI[t]-rowJ[t])
		residual[t] = r
		if y[t] > 0 {
			if r > positiveTop.residual && beta[t] < box {
				positiveTop = place{t, r}
			}
			if r < positiveBottom.residual && beta[t] > 0 {
				positiveBottom = place{t, r}
			}
			continue
		}
		if r > negativeTop.residual && beta[t] < 0 {
			negativeTop = place{t, r}
		}
		if r < negativeBottom.residual && beta[t] > -box {
			negativeBottom = place{t, r}
		}
	}
	p.top, p.bottom = [2]place{negativeTop, positiveTop}, [2]place{negativeBottom, positiveBottom}
}

// bias is from the conditions of optimality. They say that the residuals of rows between their
// bounds are b + ρ in the class +1 and b - ρ in the class -1, ρ ≥ 0 being the multiplier of
// the cap on Σα and 0 if the sum is below it.
func (p *budgetPairs) bias() float64 {
	var sums [2]float64
	var counts [2]int
	for t, b := range p.beta {
		if alpha := math.Abs(b); alpha > 0 && alpha < p.norm.box {
			class := int(p.y[t]+1) / 2
			sums[class] += p.residual[t]
			counts[class]++
		}
	}
	if !p.tight() {
		if n := counts[0] + counts[1]; n > 0 {
			return (sums[0] + sums[1]) / float64(n)
		}
		return middle(min(p.bottom[0].residual, p.bottom[1].residual), max(p.top[0].residual, p.top[1].residual))
	}
	level := func(class int) float64 {
		if counts[class] > 0 {
			return sums[class] / float64(counts[class])
		}
		return middle(p.bottom[class].residual, p.top[class].residual)
	}
	return (level(0) + level(1)) / 2
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

func (p *budgetPairs) state() loop.Point {
	size := 0
	for _, b := range p.beta {
		if b != 0 {
			size++
		}
	}
	return loop.Point{SupportSize: size, Objective: p.objective, Gap: p.gap}
}
