package solvers

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// SMO trains the C-SVC, the soft-margin SVM with hinge loss:
//
//	min over w, b, ξ   ½‖w‖² + Σᵢ Cᵢ ξᵢ     subject to   yᵢ f(xᵢ) ≥ 1 - ξᵢ,  ξᵢ ≥ 0
//
// through its dual, two coefficients at a time, chosen with second-order information.
// Cᵢ is C times the weight of the row's class. With SquaredHinge the price is Σᵢ Cᵢ ξᵢ²: errors
// cost more the larger they are, and coefficients have no upper bound.
//
// Objective is the dual in LIBSVM's sign, ½αᵀQα - Σα with Qᵢⱼ = yᵢyⱼK(xᵢ, xⱼ): it falls from 0
// to minus the primal optimum. SquaredHinge adds Σᵢ αᵢ²/(4Cᵢ). Gap is the maximal violation of
// the optimality conditions. A run makes one or two kernel rows per iteration,
// O(rows·nonzeros); the number of iterations grows with C and with the number of support
// vectors.
//
// Platt, Fast training of SVMs using sequential minimal optimization, 1998; Fan, Chen, Lin,
// Working set selection using second order information, JMLR 6, 2005, WSS 2.
type SMO struct {
	Kernel  Kernel  // nil: RBF{}
	C       float64 // price of slack, > 0; 0: 1
	Epsilon float64 // stop when the maximal violation is below, > 0; 0: 1e-3
	// WeightNegative and WeightPositive multiply C for the rows of a class, > 0; 0: 1.
	WeightNegative, WeightPositive float64
	SquaredHinge                   bool // ξ² instead of ξ
	// Start is a model of the same training set, such as that of another C or kernel, from
	// whose coefficients (cut to what C allows) the run begins; nil: from 0. The optimum is the
	// same, up to Epsilon.
	Start    *Model
	Settings Settings // MaxIterations 0: 10⁷, or 100 per row if that is more
}

var _ Solver = SMO{}

// Name is "SMO".
func (SMO) Name() string { return "SMO" }

// Fit trains on a two-class set.
func (s SMO) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	used, err := s.resolve(train)
	if err != nil {
		return nil, err
	}
	if kernel, own := gramKernel(used.Kernel); own {
		return used.fitBlocks(ctx, s, kernel, train)
	}
	if s.SquaredHinge || s.Start != nil {
		return used.fitBlocks(ctx, s, gram.Kernel{Kind: gram.Custom, Eval: used.Kernel.Eval}, train)
	}
	p, err := newPairwise(used, train)
	if err != nil {
		return nil, err
	}
	run := startRun(ctx, used.Settings, max(1e7, 100*train.Len()))
	err = nil
	for p.gap() >= used.Epsilon && run.Next(p.state) {
		if err = p.step(ctx); err != nil {
			run.Abandon()
			break
		}
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	p.objective = p.dual()
	run.Finish(p.state)
	result := newResult(s, used, newModel(used.Kernel, train, p.beta, p.bias()), run)
	result.KernelEvaluations = p.rows.evaluations
	result.Rows = train.Len()
	result.norm = p.norm()
	return result, canceled(ctx, result.Status)
}

// resolve checks the parameters and the data and fills in the defaults.
func (s SMO) resolve(train *Dataset) (SMO, error) {
	var err error
	for _, field := range []struct {
		name      string
		value     *float64
		byDefault float64
	}{
		{"C", &s.C, 1},
		{"Epsilon", &s.Epsilon, 1e-3},
		{"WeightNegative", &s.WeightNegative, 1},
		{"WeightPositive", &s.WeightPositive, 1},
	} {
		if *field.value, err = positive("SMO", field.name, *field.value, field.byDefault); err != nil {
			return s, err
		}
	}
	if err := s.Settings.check("SMO"); err != nil {
		return s, err
	}
	if err := checkTrain(train); err != nil {
		return s, err
	}
	if err := checkStart("SMO", s.Start, train); err != nil {
		return s, err
	}
	s.Kernel, err = resolveKernel(s.Kernel, train.Dim)
	return s, err
}

// pairwise is the dual in the signed coefficients β_t = α_t·y_t:
//
//	min ½βᵀKβ - Σ y_tβ_t   subject to   Σβ_t = 0,  lower_t ≤ β_t ≤ upper_t
//
// In this form labels occur in the bounds only: a step adds δ to β_i and takes it from β_j,
// for i with room above and j with room below.
type pairwise struct {
	rows               *rows
	y                  []float64
	lower, upper       []float64
	beta               []float64
	residual           []float64 // y_t - g(x_t), minus the gradient
	diagonal           []float64
	objective          float64 // of beta, kept up step by step
	high               int     // the row with room above whose residual is greatest
	maxAbove, minBelow float64 // greatest residual with room above, least with room below
}

// tau replaces a curvature that is not positive, as in LIBSVM.
const tau = 1e-12

func newPairwise(s SMO, train *Dataset) (*pairwise, error) {
	n := train.Len()
	p := &pairwise{
		rows: newRows(s.Kernel, train.X, s.Settings), y: train.Y,
		lower: make([]float64, n), upper: make([]float64, n),
		beta: make([]float64, n), residual: make([]float64, n),
	}
	for t, y := range train.Y {
		if y > 0 {
			p.upper[t] = s.C * s.WeightPositive
		} else {
			p.lower[t] = -s.C * s.WeightNegative
		}
	}
	var err error
	if p.diagonal, err = p.rows.diagonal(); err != nil {
		return nil, err
	}
	copy(p.residual, train.Y)
	p.advance(0, p.diagonal, p.diagonal)
	return p, nil
}

// gap is the maximal violation: no pair of coefficients can be improved by more.
func (p *pairwise) gap() float64 { return p.maxAbove - p.minBelow }

// step improves the best pair.
func (p *pairwise) step(ctx context.Context) error {
	i := p.high
	rowI, err := p.rows.row(ctx, i)
	if err != nil {
		return err
	}
	j := p.partner(rowI)
	rowJ, err := p.rows.row(ctx, j)
	if err != nil {
		return err
	}
	slope := p.residual[i] - p.residual[j]
	curvature := p.curvature(i, j, rowI)
	delta := slope / curvature
	roomI, roomJ := p.upper[i]-p.beta[i], p.beta[j]-p.lower[j]
	delta = min(delta, roomI, roomJ)
	p.beta[i] += delta
	p.beta[j] -= delta
	// At a bound exactly, whatever the sum rounded to.
	if delta == roomI {
		p.beta[i] = p.upper[i]
	}
	if delta == roomJ {
		p.beta[j] = p.lower[j]
	}
	p.objective += delta * (0.5*delta*curvature - slope)
	p.advance(delta, rowI, rowJ)
	return nil
}

// partner is the j with room below for which the step with i = high decreases the objective
// most, as far as the curvature tells: it maximizes slope²/curvature.
func (p *pairwise) partner(rowI []float64) int {
	i, best, bestGain := p.high, -1, math.Inf(-1)
	residual, beta, lower := p.residual, p.beta[:len(p.residual)], p.lower[:len(p.residual)]
	diagonal, rowI := p.diagonal[:len(residual)], rowI[:len(residual)]
	top, diagonalI := residual[i], diagonal[i]
	for t, r := range residual {
		slope := top - r
		if slope <= 0 || beta[t] <= lower[t] {
			continue
		}
		gain := slope * slope / max(diagonalI+diagonal[t]-2*rowI[t], tau)
		if gain > bestGain {
			best, bestGain = t, gain
		}
	}
	return best
}

func (p *pairwise) curvature(i, j int, rowI []float64) float64 {
	return max(p.diagonal[i]+p.diagonal[j]-2*rowI[j], tau)
}

// advance updates the residuals after a step of delta and finds the most violating rows; of
// equal ones it takes the first.
func (p *pairwise) advance(delta float64, rowI, rowJ []float64) {
	residual := p.residual
	beta, lower, upper := p.beta[:len(residual)], p.lower[:len(residual)], p.upper[:len(residual)]
	rowI, rowJ = rowI[:len(residual)], rowJ[:len(residual)]
	high, maxAbove, minBelow := -1, math.Inf(-1), math.Inf(1)
	for t := range residual {
		r := residual[t] - delta*(rowI[t]-rowJ[t])
		residual[t] = r
		if r > maxAbove && beta[t] < upper[t] {
			high, maxAbove = t, r
		}
		if r < minBelow && beta[t] > lower[t] {
			minBelow = r
		}
	}
	p.high, p.maxAbove, p.minBelow = high, maxAbove, minBelow
}

// dual is the objective computed anew: ½βᵀKβ - Σyβ = -½Σβ(y + residual).
func (p *pairwise) dual() float64 {
	sum := 0.0
	for t, b := range p.beta {
		sum -= 0.5 * b * (p.y[t] + p.residual[t])
	}
	return sum
}

// norm is ‖w‖ = √(βᵀKβ).
func (p *pairwise) norm() float64 {
	sum := 0.0
	for t, b := range p.beta {
		sum += b * (p.y[t] - p.residual[t])
	}
	return math.Sqrt(max(sum, 0))
}

// bias is the mean residual of the free support vectors, where the margin is exactly 1; without
// any, the middle of the interval that the optimality conditions leave.
func (p *pairwise) bias() float64 {
	sum, free := 0.0, 0
	for t, b := range p.beta {
		if p.lower[t] < b && b < p.upper[t] {
			sum += p.residual[t]
			free++
		}
	}
	if free == 0 {
		return (p.maxAbove + p.minBelow) / 2
	}
	return sum / float64(free)
}

func (p *pairwise) state() loop.Point {
	size := 0
	for _, b := range p.beta {
		if b != 0 {
			size++
		}
	}
	return loop.Point{SupportSize: size, Objective: p.objective, Gap: p.gap()}
}
