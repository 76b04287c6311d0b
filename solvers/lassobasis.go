package solvers

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// lassoBasis is the problem of the kernelized Lasso: to come near the reference w by Σⱼ αⱼΦ(zⱼ)
// over its distinct support vectors z, the points, with
//
//	½‖w̃ - w‖² - ½‖w‖² = ½αᵀKα - targetᵀα,     targetⱼ = g(zⱼ).
//
// Support vectors that are equal are one point: any of them serves as well as several.
type lassoBasis struct {
	reference *Model
	labels    []float64
	points    []Vector
	indices   []int     // training rows of the points, ascending; nil if some are none
	beta      []float64 // the reference's coefficients of the points
	norm1     float64   // ‖β‖₁ of the reference as given
	rows      *rows
	target    []float64
	diagonal  []float64 // K(zⱼ, zⱼ)
}

// newLassoBasis finds the distinct support vectors and where they are among the training rows.
func newLassoBasis(reference *Model, train *Dataset, s Settings) *lassoBasis {
	b := &lassoBasis{reference: reference}
	if len(train.Labels) == 2 {
		b.labels = slices.Clone(train.Labels)
	}
	place := map[string]int{} // of a vector among the points
	var key []byte
	known := reference.onRows(train.X)
	for k, v := range reference.SupportVectors {
		key = appendVector(key[:0], v)
		j, found := place[string(key)]
		if !found {
			j = len(b.points)
			place[string(key)] = j
			b.points = append(b.points, v)
			b.beta = append(b.beta, 0)
			if known {
				b.indices = append(b.indices, reference.Indices[k])
			}
		}
		b.beta[j] += reference.Coefficients[k]
		b.norm1 += math.Abs(reference.Coefficients[k])
	}
	if !known {
		b.find(train.X, place)
	}
	b.sortByIndex()
	b.rows = newRows(reference.Kernel, b.points, s)
	b.target = make([]float64, len(b.points))
	return b
}

// find sets the indices to the first training row equal to each point, if there is one for all.
func (b *lassoBasis) find(x []Vector, place map[string]int) {
	indices, missing := slices.Repeat([]int{-1}, len(b.points)), len(b.points)
	var key []byte
	for i, v := range x {
		key = appendVector(key[:0], v)
		if j, found := place[string(key)]; found && indices[j] < 0 {
			indices[j] = i
			missing--
		}
	}
	if missing == 0 {
		b.indices = indices
	}
}

// sortByIndex orders the points by training row.
func (b *lassoBasis) sortByIndex() {
	if b.indices == nil {
		return
	}
	order := make([]int, len(b.points))
	for j := range order {
		order[j] = j
	}
	slices.SortFunc(order, func(i, j int) int { return b.indices[i] - b.indices[j] })
	points, beta, indices := b.points, b.beta, b.indices
	b.points, b.beta, b.indices = make([]Vector, len(order)), make([]float64, len(order)), make([]int, len(order))
	for j, from := range order {
		b.points[j], b.beta[j], b.indices[j] = points[from], beta[from], indices[from]
	}
}

// appendVector appends bytes that are equal for equal vectors only.
func appendVector(key []byte, v Vector) []byte {
	for k, index := range v.Index {
		key = binary.LittleEndian.AppendUint32(key, uint32(index))
		key = binary.LittleEndian.AppendUint64(key, math.Float64bits(v.Value[k]))
	}
	return key
}

// begin computes the targets: one kernel value for every pair of points.
func (b *lassoBasis) begin(ctx context.Context) error {
	if err := b.rows.combine(ctx, b.points, b.beta, b.target); err != nil {
		return err
	}
	for j, c := range b.target {
		if c-c != 0 {
			return fmt.Errorf("the reference's response to its support vector %d is %g: want a finite number", j, c)
		}
	}
	var err error
	b.diagonal, err = b.rows.diagonal()
	return err
}

// model is the model with the coefficients alpha of the points and the reference's bias.
func (b *lassoBasis) model(alpha []float64) *Model {
	m := &Model{Kernel: b.reference.Kernel, Bias: b.reference.Bias, Labels: b.labels}
	if b.indices != nil {
		m.Indices = []int{}
	}
	for j, a := range alpha {
		if a == 0 {
			continue
		}
		m.SupportVectors = append(m.SupportVectors, b.points[j])
		m.Coefficients = append(m.Coefficients, a)
		if b.indices != nil {
			m.Indices = append(m.Indices, b.indices[j])
		}
	}
	return m
}

// sparseRun is what the solvers of the Lasso have in common: the reference, given or fitted, the
// basis, and the run.
type sparseRun struct {
	started time.Time
	train   *Dataset
	fit     *Result // of the reference, if it was fitted
	basis   *lassoBasis
	run     *loop.Run
}

// startSparse prepares a run. If ctx ends in it, the error is ctx's and the run is not nil.
func startSparse(ctx context.Context, solver string, given *Model, kernel Kernel, c float64, s Settings, train *Dataset, iterations int) (*sparseRun, error) {
	r := &sparseRun{started: time.Now(), train: train}
	model, fit, err := givenOrFitted(ctx, solver, given, kernel, c, s, train)
	if model == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	if given != nil {
		if err := checkSupport(solver, model); err != nil {
			return nil, err
		}
	}
	r.fit = fit
	r.basis = newLassoBasis(model, train, s)
	r.run = startRun(ctx, s.remaining(time.Since(r.started)), iterations)
	if err == nil {
		err = r.basis.begin(ctx)
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	return r, err
}

// result is the result of the finished run, with the model of these coefficients.
func (r *sparseRun) result(asked, used Solver, alpha []float64, squaredNorm float64) *Result {
	result := newResult(asked, used, r.basis.model(alpha), r.run)
	result.Reference, result.Rows, result.Runtime = r.basis.reference, r.train.Len(), time.Since(r.started)
	result.KernelEvaluations = r.basis.rows.evaluations
	result.norm = math.Sqrt(max(squaredNorm, 0))
	if r.fit != nil {
		result.KernelEvaluations += r.fit.KernelEvaluations
		if r.fit.Status.Early() && !result.Status.Early() {
			result.Status = r.fit.Status // sparse enough, but of an unfinished reference
		}
	}
	return result
}
