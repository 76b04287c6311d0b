package solvers

import (
	"context"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// pathModels is many models that share support vectors, as those of a path do. Their responses
// to a data set are computed together: each kernel column once, and of each model only what
// differs from the one before.
type pathModels struct {
	kernel  Kernel
	vectors []Vector
	// changes[v] says in which models the coefficient of vector v is not what it was in the
	// model before.
	changes [][]change
	models  []*Model
	columns [][]int // columns[m][k] is the vector that is support vector k of model m
}

type change struct {
	model int
	delta float64
}

// newPathModels needs models of one kernel. Support vectors are recognized by their Indices; a
// model without shares none.
func newPathModels(models []*Model) *pathModels {
	p := &pathModels{models: models, kernel: models[0].Kernel, columns: make([][]int, len(models))}
	known := map[int]int{} // training row to vector
	previous := map[int]float64{}
	for m, model := range models {
		present := make(map[int]float64, model.SupportSize())
		p.columns[m] = make([]int, model.SupportSize())
		for k, beta := range model.Coefficients {
			column := p.column(model, k, known)
			p.columns[m][k] = column
			if delta := beta - previous[column]; delta != 0 {
				p.changes[column] = append(p.changes[column], change{m, delta})
			}
			present[column] = beta
		}
		for column, beta := range previous {
			if _, kept := present[column]; !kept {
				p.changes[column] = append(p.changes[column], change{m, -beta})
			}
		}
		previous = present
	}
	return p
}

// column is the place of support vector k among the vectors, a new one if it is not known.
func (p *pathModels) column(m *Model, k int, known map[int]int) int {
	if m.Indices != nil {
		if column, found := known[m.Indices[k]]; found {
			return column
		}
		known[m.Indices[k]] = len(p.vectors)
	}
	p.vectors = append(p.vectors, m.SupportVectors[k])
	p.changes = append(p.changes, nil)
	return len(p.vectors) - 1
}

// each calls use with the responses f - Bias of every model to the rows low, low+1, … of a block
// of r's points. Calls for different blocks may be concurrent; responses is used again.
func (p *pathModels) each(ctx context.Context, r *rows, use func(block, low, model int, responses []float64)) error {
	n := len(r.points)
	fill, err := r.filler(ctx, p.vectors)
	if err != nil {
		return err
	}
	return gram.Each(ctx, r.workers, blockCount(n), func(b int) error {
		low, high := b*blockRows, min((b+1)*blockRows, n)
		size := high - low
		differences := make([]float64, len(p.models)*size)
		kernel := make([]float64, size)
		for v := range p.vectors {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			if err := fill(b, v, kernel); err != nil {
				return err
			}
			for _, c := range p.changes[v] {
				sum := differences[c.model*size:][:size]
				for j, k := range kernel {
					sum[j] += c.delta * k
				}
			}
		}
		responses := make([]float64, size)
		for m := range p.models {
			for j, d := range differences[m*size:][:size] {
				responses[j] += d
			}
			use(b, low, m, responses)
		}
		return nil
	})
}

// modelNorms are ‖w‖ of all models.
func (p *pathModels) modelNorms(ctx context.Context, workers int) ([]float64, error) {
	points := newRows(p.kernel, p.vectors, Settings{Workers: workers})
	blocks := blockCount(len(p.vectors))
	partial := make([]float64, len(p.models)*blocks)
	byBlock := p.coefficientsByBlock(blocks)
	err := p.each(ctx, points, func(block, low, m int, responses []float64) {
		for _, c := range byBlock[m*blocks+block] {
			partial[m*blocks+block] += c.beta * responses[c.column-low]
		}
	})
	if err != nil {
		return nil, err
	}
	norms := make([]float64, len(p.models))
	for m := range norms {
		sum := 0.0
		for _, part := range partial[m*blocks:][:blocks] {
			sum += part
		}
		norms[m] = math.Sqrt(max(sum, 0))
	}
	return norms, nil
}

type placed struct {
	column int
	beta   float64
}

func (p *pathModels) coefficientsByBlock(blocks int) [][]placed {
	byBlock := make([][]placed, len(p.models)*blocks)
	for m, model := range p.models {
		for k, column := range p.columns[m] {
			at := m*blocks + column/blockRows
			byBlock[at] = append(byBlock[at], placed{column, model.Coefficients[k]})
		}
	}
	return byBlock
}
