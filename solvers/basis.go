package solvers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// basis is the problem of the best model f(x) = Σᵥ βᵥ K(zᵥ, x) + b on given vectors z, with the
// squared hinge loss on all training rows:
//
//	min over β, b   ½βᵀRβ + C Σᵢ max(0, 1 - yᵢ f(xᵢ))²,     R = K(zᵥ, zᵤ), so that βᵀRβ = ‖w‖²,
//
// or, with squares, C Σᵢ (f(xᵢ) - targetᵢ)² for the loss. It is convex and piecewise quadratic,
// and solved by Newton's method with an exact line search: see newton.go. Vectors can be
// added to a solved problem.
//
// The bias is variable 0, whose column is all ones; vector v-1 is variable v. All is float64:
// in float32 the Gram matrices of some hundred columns lose the solution.
type basis struct {
	train   *Dataset
	kernel  Kernel
	matrix  *gram.Matrix // the points are the training rows
	workers int
	c       float64
	target  []float64 // the labels, unless squares
	squares bool      // every row counts
	plain   bool      // R is the unit matrix, also for the bias

	vectors  []Vector
	rows     []int // the training rows that vectors are; -1 for those that are none
	column   [][]float64
	r        [][]float64 // lower triangle of R: row v has v+1 entries
	gram     [][]float64 // lower triangle of Σ over counted i of column_v[i]·column_u[i]
	counted  []bool      // rows with a loss
	beta     []float64
	response []float64 // f(x_i)

	factor    cholesky // of R/(2C) + gram, the dependent variables left out
	place     []int    // variables of the factor's rows
	factored  bool
	residual  []float64 // target - response of the counted rows, else 0
	step      []float64 // the Newton step
	objective float64
	norm2     float64 // βᵀRβ; 0: not known
	gap       float64 // share of the objective by which the Newton step lowers its quadratic model
}

// newBasis is the problem with the bias alone, at 0.
func newBasis(ctx context.Context, train *Dataset, kernel Kernel, c float64, s Settings) *basis {
	return newBasisOn(train, kernel, kernelMatrix(ctx, kernel, train.X, s.Workers), c, s.Workers)
}

// kernelMatrix is the kernel against points, in float64.
func kernelMatrix(ctx context.Context, kernel Kernel, points []Vector, workers int) *gram.Matrix {
	k, own := gramKernel(kernel)
	if !own {
		k = gram.Kernel{Kind: gram.Custom, Eval: kernel.Eval}
	}
	return gram.NewMatrix(gram.PointsWithin(ctx, points), k, gram.Double, workers)
}

// newBasisOn is newBasis on a matrix whose points are the training rows.
func newBasisOn(train *Dataset, kernel Kernel, matrix *gram.Matrix, c float64, workers int) *basis {
	n := train.Len()
	return &basis{
		train: train, kernel: kernel, matrix: matrix, workers: workers, c: c, target: train.Y,
		column: [][]float64{slices.Repeat([]float64{1}, n)},
		r:      [][]float64{{0}}, gram: [][]float64{{0}}, beta: []float64{0}, step: []float64{0},
		counted: make([]bool, n), response: make([]float64, n), residual: make([]float64, n),
		objective: math.Inf(1), gap: math.Inf(1),
	}
}

// noRows says that n vectors are no training rows.
func noRows(n int) []int { return slices.Repeat([]int{-1}, n) }

// grow adds vectors with coefficients 0. rows are the training rows that they are, -1 for none.
// When ctx ends nothing is added.
func (p *basis) grow(ctx context.Context, vectors []Vector, rows []int) error {
	columns, err := p.columns(ctx, vectors, new([][]float64))
	if err != nil {
		return err
	}
	return p.add(ctx, vectors, rows, columns)
}

// columnPart is how many values columns takes room for at a time: all at once would take the time
// that clearing gigabytes takes.
const columnPart = 1 << 21

// columns are the kernel values of vectors and all training rows. They lie in room, arrays that an
// earlier call made, as far as it goes; what is missing is added.
func (p *basis) columns(ctx context.Context, vectors []Vector, room *[][]float64) ([][]float64, error) {
	n, columns := p.train.Len(), make([][]float64, 0, len(vectors))
	part := max(1, columnPart/n)
	for k := 0; k*part < len(vectors); k++ {
		some := vectors[k*part : min((k+1)*part, len(vectors))]
		if k == len(*room) {
			*room = append(*room, nil)
		}
		if len((*room)[k]) < len(some)*n {
			(*room)[k] = make([]float64, len(some)*n)
		}
		values := (*room)[k]
		if err := p.matrix.Rows(ctx, some, values, n); err != nil {
			return nil, err
		}
		for v := range some {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			column := values[v*n : (v+1)*n : (v+1)*n]
			for i, value := range column {
				if value-value != 0 {
					return nil, fmt.Errorf("%v of vector %d and row %d is %g: want a finite number", p.kernel, k*part+v, i, value)
				}
			}
			columns = append(columns, column)
		}
	}
	return columns, nil
}

// add adds vectors whose columns are known.
func (p *basis) add(ctx context.Context, vectors []Vector, rows []int, columns [][]float64) error {
	from, size := len(p.column), len(p.column)+len(columns)
	all := slices.Concat(p.column, columns)
	sums, err := triangle(ctx, from, size)
	if err != nil {
		return err
	}
	if err := p.cross(ctx, p.countedRows(), columns, all, 1, sums); err != nil {
		return err
	}
	before := *p
	p.column = all
	p.vectors = slices.Concat(p.vectors, vectors)
	p.rows = slices.Concat(p.rows, rows)
	regularizers := make([][]float64, len(columns))
	for k := range regularizers {
		if err := ctx.Err(); err != nil {
			p.column, p.vectors, p.rows = before.column, before.vectors, before.rows
			return err
		}
		regularizers[k] = p.regularizer(from + k)
	}
	for v := from; v < size; v++ {
		p.r = append(p.r, regularizers[v-from])
		p.gram = append(p.gram, sums[v-from])
		p.beta, p.step = append(p.beta, 0), append(p.step, 0)
		if p.factored {
			p.extend(ctx, v)
		}
	}
	return nil
}

// regularizer is row v of the lower triangle of R, v > 0.
func (p *basis) regularizer(v int) []float64 {
	row := make([]float64, v+1)
	if p.plain {
		row[v] = 1
		return row
	}
	at := p.rows[v-1]
	for u := 1; u <= v; u++ {
		switch other := p.rows[u-1]; {
		case at >= 0:
			row[u] = p.column[u][at]
		case other >= 0:
			row[u] = p.column[v][other]
		default:
			row[u] = p.kernel.Eval(p.vectors[v-1], p.vectors[u-1])
		}
	}
	return row
}

func (p *basis) countedRows() []int {
	var rows []int
	for i, is := range p.counted {
		if is {
			rows = append(rows, i)
		}
	}
	return rows
}

// begin gives the variables values to start from: those of a model on all vectors.
func (p *basis) begin(ctx context.Context, coefficients []float64, bias float64) error {
	copy(p.beta[1:], coefficients)
	p.beta[0] = bias
	p.factored, p.norm2 = false, 0
	return p.combine(ctx, p.beta, p.response)
}

// combine sets out[i] = Σᵥ weight_v·column_v[i] for all rows.
func (p *basis) combine(ctx context.Context, weight, out []float64) error {
	return gram.Each(ctx, p.workers, blockCount(len(out)), func(b int) error {
		low, high := b*blockRows, min((b+1)*blockRows, len(out))
		sum := out[low:high]
		clear(sum)
		for v, w := range weight {
			if v%lookRows == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			if w != 0 {
				floats.AddScaled(sum, w, p.column[v][low:high])
			}
		}
		return nil
	})
}

// model is f as it is now. Its vectors are in the order of their rows, if all are rows, else
// in the order in which they were added.
func (p *basis) model() *Model {
	if !slices.Contains(p.rows, -1) {
		beta := make([]float64, p.train.Len())
		for v, i := range p.rows {
			beta[i] += p.beta[v+1]
		}
		return newModel(p.kernel, p.train, beta, p.beta[0])
	}
	m := newModel(p.kernel, p.train, nil, p.beta[0])
	m.Indices = nil
	for v, z := range p.vectors {
		if beta := p.beta[v+1]; beta != 0 {
			m.SupportVectors = append(m.SupportVectors, z)
			m.Coefficients = append(m.Coefficients, beta)
		}
	}
	return m
}

func (p *basis) state() loop.Point {
	size := 0
	for _, beta := range p.beta[1:] {
		if beta != 0 {
			size++
		}
	}
	return loop.Point{SupportSize: size, Objective: p.objective, Gap: p.gap}
}

// finish puts together the result of a run that ended with err, nil or of the context.
func (p *basis) finish(asked, used Solver, run *loop.Run, err error) *Result {
	if err != nil {
		run.Next(p.state) // says that the context ended
	}
	run.Finish(p.state)
	result := newResult(asked, used, p.model(), run)
	result.Rows, result.KernelEvaluations = p.train.Len(), p.matrix.Evaluations()
	if !p.plain {
		result.norm = math.Sqrt(max(p.norm2, 0))
	}
	return result
}
