package solvers

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// program is the linear program of LPSVM on some columns k, with the bias as column 0, of ones:
//
//	min over β, ξ   Σⱼ (pⱼ + qⱼ) + C Σᵢ ξᵢ     subject to   yᵢ Σⱼ kⱼ[i] βⱼ + ξᵢ - tᵢ = 1
//
// with β = p - q, but for the bias, and p, q, ξ, t ≥ 0. The multipliers of t, ξ, p and q are α, C - α,
// 1 - g and 1 + g, gⱼ = Σᵢ yᵢαᵢ kⱼ[i]. Mehrotra's method keeps all feasible and brings the products
// with their multipliers to 0 together. A step solves a system of the columns,
//
//	(KᵀD⁻¹K + E⁻¹) dβ = …,     Dᵢ = ξᵢ/(C - αᵢ) + tᵢ/αᵢ,     Eⱼ = pⱼ/(1 - gⱼ) + qⱼ/(1 + gⱼ).
type program struct {
	column  [][]float64
	y       []float64
	c       float64
	workers int

	alpha, slack, excess []float64 // α, ξ, t
	p, q, u, v           []float64 // of columns from 1 on; u = 1 - g, v = 1 + g
	beta                 []float64 // with the bias
	decision             []float64
	objective            float64 // of β, once solved
}

func newProgram(column [][]float64, y []float64, c float64, workers int) *program {
	return &program{column: column, y: y, c: c, workers: workers}
}

// direction is a step of all variables.
type direction struct {
	beta, g, decision    []float64
	alpha, slack, excess []float64
	p, q                 []float64
}

// programSteps is more than a solvable program takes.
const programSteps = 200

// solve goes from near β and α, which are left as they are, to where the objective is at most epsilon,
// as a share, above its optimum.
func (l *program) solve(ctx context.Context, beta, alpha []float64, epsilon float64) error {
	if err := l.begin(ctx, beta, alpha); err != nil {
		return err
	}
	for range programSteps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if l.close(epsilon) {
			return l.finish(ctx, epsilon)
		}
		if err := l.step(ctx); err != nil {
			if errors.Is(err, errNoStep) {
				break
			}
			return err
		}
	}
	return l.finish(ctx, epsilon)
}

// combine is Σⱼ weightⱼ·kⱼ[i] for all rows.
func (l *program) combine(ctx context.Context, weight []float64) ([]float64, error) {
	out := make([]float64, len(l.y))
	err := gram.Each(ctx, l.workers, blockCount(len(out)), func(b int) error {
		low, high := b*blockRows, min((b+1)*blockRows, len(out))
		for j, w := range weight {
			if w != 0 {
				floats.AddScaled(out[low:high], w, l.column[j][low:high])
			}
		}
		return nil
	})
	return out, err
}

// project is Σᵢ weightᵢ·kⱼ[i] for all columns.
func (l *program) project(ctx context.Context, weight []float64) ([]float64, error) {
	out := make([]float64, len(l.column))
	err := gram.Each(ctx, l.workers, len(out), func(j int) error {
		out[j] = floats.Dot(l.column[j], weight)
		return nil
	})
	return out, err
}

func (l *program) signed(alpha []float64) []float64 {
	out := make([]float64, len(alpha))
	floats.MulTo(out, alpha, l.y)
	return out
}

// begin makes a start inside all bounds, near what is given.
func (l *program) begin(ctx context.Context, beta, alpha []float64) error {
	n, m := len(l.y), len(beta)-1
	l.beta = append([]float64{}, beta...)
	var classes [2]float64
	for _, y := range l.y {
		classes[int(y+1)/2]++
	}
	least := min(classes[0], classes[1])
	l.alpha = make([]float64, n)
	for i, y := range l.y {
		middle := l.c / 2 * least / classes[int(y+1)/2]
		l.alpha[i] = 0.8*alpha[i] + 0.2*middle // Σ yα = 0 for both
	}
	g, err := l.project(ctx, l.signed(l.alpha))
	if err != nil {
		return err
	}
	if greatest := floats.Norm(g[1:], math.Inf(1)); greatest > 0.9 {
		floats.Scale(0.9/greatest, l.alpha)
		floats.Scale(0.9/greatest, g)
	}
	mean := floats.Norm(beta[1:], 1) / float64(max(m, 1))
	l.p, l.q, l.u, l.v = make([]float64, m), make([]float64, m), make([]float64, m), make([]float64, m)
	for j := range m {
		room := 0.1 * (0.1 + mean)
		l.p[j], l.q[j] = max(beta[j+1], 0)+room, max(-beta[j+1], 0)+room
		l.u[j], l.v[j] = 1-g[j+1], 1+g[j+1]
	}
	if l.decision, err = l.combine(ctx, l.beta); err != nil {
		return err
	}
	l.slack, l.excess = make([]float64, n), make([]float64, n)
	for i, f := range l.decision {
		margin := l.y[i] * f
		l.slack[i] = max(1-margin, 0) + 0.1
		l.excess[i] = l.slack[i] + margin - 1
	}
	return nil
}

// close reports whether the objective is near its optimum.
func (l *program) close(epsilon float64) bool {
	primal := 0.0
	for j := range l.p {
		primal += math.Abs(l.p[j] - l.q[j])
	}
	for i, f := range l.decision {
		primal += l.c * max(0, 1-l.y[i]*f)
	}
	return primal-floats.Sum(l.alpha) <= epsilon*primal
}

// errNoStep says that rounding leaves no step to make.
var errNoStep = errors.New("no step")

// step makes a predictor and a corrector step.
func (l *program) step(ctx context.Context) error {
	n, m := len(l.y), len(l.p)
	d, e := make([]float64, n), make([]float64, m)
	for i, a := range l.alpha {
		d[i] = l.slack[i]/(l.c-a) + l.excess[i]/a
	}
	for j := range e {
		e[j] = l.p[j]/l.u[j] + l.q[j]/l.v[j]
	}
	factor, err := l.factorize(ctx, d, e)
	if err != nil {
		return err
	}
	mu := l.products(nil, 0, 0) / float64(2*n+2*m)
	predicted, err := l.direction(ctx, factor, d, e, 0, nil)
	if err != nil {
		return err
	}
	primal, dual := l.lengths(predicted)
	after := l.products(predicted, primal, dual) / float64(2*n+2*m)
	sigma := math.Pow(after/mu, 3)
	step, err := l.direction(ctx, factor, d, e, sigma*mu, predicted)
	if err != nil {
		return err
	}
	primal, dual = l.lengths(step)
	const inside = 0.995
	primal, dual = min(inside*primal, 1), min(inside*dual, 1)
	if !(max(primal, dual) > 1e-10) {
		return errNoStep
	}
	l.move(step, primal, dual)
	return nil
}

// factorize is the Cholesky factor of KᵀD⁻¹K + E⁻¹.
func (l *program) factorize(ctx context.Context, d, e []float64) (*cholesky, error) {
	size := len(l.column)
	scaled, root := make([][]float64, size), make([]float64, len(d))
	for i := range d {
		root[i] = 1 / math.Sqrt(d[i])
	}
	products := make([][]float64, size)
	err := gram.Each(ctx, l.workers, size, func(j int) error {
		scaled[j], products[j] = make([]float64, len(d)), make([]float64, j+1)
		floats.MulTo(scaled[j], l.column[j], root)
		return nil
	})
	if err != nil {
		return nil, err
	}
	for low := 0; low < len(d); low += blockRows {
		high := min(low+blockRows, len(d))
		err := gram.Each(ctx, l.workers, size, func(j int) error {
			for k := range products[j] {
				products[j][k] += floats.Dot(scaled[j][low:high], scaled[k][low:high])
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	factor := &cholesky{}
	for j, row := range products {
		diagonal := row[j]
		if j > 0 {
			diagonal += 1 / e[j-1]
		}
		added := false
		for more := 0.0; !added && more < 1; more = max(100*more, 1e-11) { // for columns that depend on others
			if added, err = factor.addWithin(ctx, append([]float64{}, row[:j]...), diagonal*(1+more)); err != nil {
				return nil, err
			}
		}
		if !added {
			return nil, errNoStep
		}
	}
	return factor, nil
}

// direction solves for the step that brings the products to mu, with the second order of what was
// predicted.
func (l *program) direction(ctx context.Context, factor *cholesky, d, e []float64, mu float64, predicted *direction) (*direction, error) {
	n, m := len(l.y), len(l.p)
	s := &direction{alpha: make([]float64, n), slack: make([]float64, n), excess: make([]float64, n), p: make([]float64, m), q: make([]float64, m)}
	rightSlack, rightExcess, rightP, rightQ := make([]float64, n), make([]float64, n), make([]float64, m), make([]float64, m)
	weight := make([]float64, n)
	h := make([]float64, n)
	for i, a := range l.alpha {
		rightExcess[i] = mu - l.excess[i]*a
		rightSlack[i] = mu - l.slack[i]*(l.c-a)
		if predicted != nil {
			rightExcess[i] -= predicted.excess[i] * predicted.alpha[i]
			rightSlack[i] += predicted.slack[i] * predicted.alpha[i]
		}
		residual := 1 - (l.y[i]*l.decision[i] + l.slack[i] - l.excess[i])
		h[i] = residual - rightSlack[i]/(l.c-a) + rightExcess[i]/a
		weight[i] = l.y[i] * h[i] / d[i]
	}
	right, err := l.project(ctx, weight)
	if err != nil {
		return nil, err
	}
	right[0] += floats.Dot(l.alpha, l.y)
	for j := range m {
		rightP[j], rightQ[j] = mu-l.p[j]*l.u[j], mu-l.q[j]*l.v[j]
		if predicted != nil {
			rightP[j] += predicted.p[j] * predicted.g[j]
			rightQ[j] -= predicted.q[j] * predicted.g[j]
		}
		drift := l.beta[j+1] - l.p[j] + l.q[j] // by rounding
		right[j+1] += (rightP[j]/l.u[j] - rightQ[j]/l.v[j] - drift) / e[j]
	}
	if err := factor.solveWithin(ctx, right); err != nil {
		return nil, err
	}
	s.beta = right
	if s.decision, err = l.combine(ctx, s.beta); err != nil {
		return nil, err
	}
	for i, a := range l.alpha {
		s.alpha[i] = (h[i] - l.y[i]*s.decision[i]) / d[i]
		s.excess[i] = (rightExcess[i] - l.excess[i]*s.alpha[i]) / a
		s.slack[i] = (rightSlack[i] + l.slack[i]*s.alpha[i]) / (l.c - a)
	}
	g, err := l.project(ctx, l.signed(s.alpha))
	if err != nil {
		return nil, err
	}
	s.g = g[1:]
	for j := range s.p {
		// This is s.g[j], as far as rounding lets the system be solved: p - q stays β.
		drift := l.beta[j+1] - l.p[j] + l.q[j]
		change := (s.beta[j+1] + drift - rightP[j]/l.u[j] + rightQ[j]/l.v[j]) / e[j]
		s.p[j] = (rightP[j] + l.p[j]*change) / l.u[j]
		s.q[j] = (rightQ[j] - l.q[j]*change) / l.v[j]
	}
	return s, nil
}

// lengths are how far the primal and the dual variables can go along s.
func (l *program) lengths(s *direction) (primal, dual float64) {
	primal, dual = math.Inf(1), math.Inf(1)
	reach := func(length *float64, value, change float64) {
		if change < 0 {
			*length = min(*length, -value/change)
		}
	}
	for i, a := range l.alpha {
		reach(&primal, l.slack[i], s.slack[i])
		reach(&primal, l.excess[i], s.excess[i])
		reach(&dual, a, s.alpha[i])
		reach(&dual, l.c-a, -s.alpha[i])
	}
	for j := range l.p {
		reach(&primal, l.p[j], s.p[j])
		reach(&primal, l.q[j], s.q[j])
		reach(&dual, l.u[j], -s.g[j])
		reach(&dual, l.v[j], s.g[j])
	}
	return min(primal, 1), min(dual, 1)
}

// products is the sum of all variables times their multipliers after a step.
func (l *program) products(s *direction, primal, dual float64) float64 {
	sum := 0.0
	if s == nil {
		for i, a := range l.alpha {
			sum += l.slack[i]*(l.c-a) + l.excess[i]*a
		}
		for j := range l.p {
			sum += l.p[j]*l.u[j] + l.q[j]*l.v[j]
		}
		return sum
	}
	for i, a := range l.alpha {
		a += dual * s.alpha[i]
		sum += (l.slack[i]+primal*s.slack[i])*(l.c-a) + (l.excess[i]+primal*s.excess[i])*a
	}
	for j := range l.p {
		sum += (l.p[j]+primal*s.p[j])*(l.u[j]-dual*s.g[j]) + (l.q[j]+primal*s.q[j])*(l.v[j]+dual*s.g[j])
	}
	return sum
}

func (l *program) move(s *direction, primal, dual float64) {
	floats.AddScaled(l.beta, primal, s.beta)
	floats.AddScaled(l.decision, primal, s.decision)
	floats.AddScaled(l.slack, primal, s.slack)
	floats.AddScaled(l.excess, primal, s.excess)
	floats.AddScaled(l.p, primal, s.p)
	floats.AddScaled(l.q, primal, s.q)
	floats.AddScaled(l.alpha, dual, s.alpha)
	floats.AddScaled(l.u, -dual, s.g)
	floats.AddScaled(l.v, dual, s.g)
}

// finish makes the coefficients zero that are much smaller than their multipliers, as all but those
// of a vertex become, and computes the objective of the others. Of several shares it takes the
// greatest with which that changes the objective by no more than epsilon.
func (l *program) finish(ctx context.Context, epsilon float64) error {
	all, least := l.beta, math.Inf(1)
	for _, share := range [...]float64{0, 1e-4, 1e-2, 1} {
		beta, objective := append([]float64{}, all...), 0.0
		for j := range l.p {
			if l.p[j] <= share*l.u[j] && l.q[j] <= share*l.v[j] {
				beta[j+1] = 0
			}
			objective += math.Abs(beta[j+1])
		}
		decision, err := l.combine(ctx, beta)
		if err != nil {
			return err
		}
		for i, f := range decision {
			objective += l.c * max(0, 1-l.y[i]*f)
		}
		if least = min(least, objective); objective > least*(1+epsilon) {
			break
		}
		l.beta, l.decision, l.objective = beta, decision, objective
	}
	return nil
}
