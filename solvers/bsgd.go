package solvers

import (
	"context"
	"fmt"
	"math"
)

// Maintenance is what BSGD does when there is one support vector too many. In each case it is the
// one with the least |βᵢ|√K(zᵢ, zᵢ), whose removal changes f least, that is dealt with.
type Maintenance int

const (
	// Merging makes one vector z = h·z_m + (1-h)·z_n of it and another of the same sign, the pair
	// and h being those that change f least. It needs the RBF kernel; with others Projection
	// is done.
	Merging Maintenance = iota
	// Projection removes it, and changes the other coefficients such that f changes least.
	Projection
	// Removal removes it.
	Removal
)

var maintenanceNames = [...]string{"Merging", "Projection", "Removal"}

// String is the name; an unknown one prints as Maintenance(9).
func (m Maintenance) String() string {
	if m < 0 || int(m) >= len(maintenanceNames) {
		return fmt.Sprintf("Maintenance(%d)", int(m))
	}
	return maintenanceNames[m]
}

// BSGD is budgeted stochastic gradient descent on the SVM's objective, without bias:
//
//	min over w   ½‖w‖² + C Σᵢ max(0, 1 - yᵢ f(xᵢ)).
//
// Iteration t looks at one row i, as Pegasos does: with λ = 1/(nC) for n rows,
//
//	w ← (1 - 1/t)·w,     and if yᵢ f(xᵢ) was below 1,  βᵢ += yᵢ/(λt).
//
// Whenever this makes more than Budget support vectors, Maintenance brings them back to Budget.
// Merging makes vectors that are no training rows; Indices is nil then.
//
// Rows are taken in random order. Objective is the one above, computed at the end of a run and
// infinite before. Gap is the share of rows that were on the wrong side when looked at in the
// last complete pass. An iteration costs at most Budget kernel values; Merging and Projection
// take O(Budget) pairs or O(Budget³) more where a support vector is one too many.
// There is one run for each budget of a path.
//
// Wang, Crammer, Vucetic, Breaking the curse of kernelization: budgeted stochastic gradient descent
// for large-scale SVM training, JMLR 13, 2012.
type BSGD struct {
	Kernel      Kernel      // nil: RBF{}
	C           float64     // price of slack, > 0; 0: 1
	Budget      int         // number of support vectors, ≥ 1; 0: 100
	Maintenance Maintenance // 0: Merging
	Passes      int         // over the rows, ≥ 1; 0: 1
	Settings    Settings    // MaxIterations, of rows looked at, 0: those of all passes; Seed orders the rows
}

var (
	_ PathSolver    = BSGD{}
	_ objectivePath = BSGD{}
)

// Name is "BSGD".
func (BSGD) Name() string { return "BSGD" }

// ParameterName is "Budget".
func (BSGD) ParameterName() string { return "Budget" }

// Fit looks at all rows.
func (s BSGD) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of ten budgets per decade, up to Budget.
func (s BSGD) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s BSGD) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	used := s
	var err error
	if used.C, err = positive("BSGD", "C", s.C, 1); err != nil {
		return nil, err
	}
	if s.Maintenance < 0 || int(s.Maintenance) >= len(maintenanceNames) {
		return nil, &ParamError{"BSGD", "Maintenance", float64(s.Maintenance), "Merging, Projection or Removal"}
	}
	b := passes{s.Kernel, s.Budget, s.Passes, s.Settings}
	if err := b.resolve("BSGD", train); err != nil {
		return nil, err
	}
	used.Kernel, used.Budget, used.Passes = b.Kernel, b.Budget, b.Passes
	if _, ok := b.Kernel.(RBF); !ok && s.Maintenance == Merging {
		used.Maintenance = Projection
	}
	matrix := kernelMatrix(ctx, b.Kernel, train.X, s.Settings.Workers)
	result, _, err := b.runs(ctx, s, used, train, visit, func(budget int) (*online, rule) {
		state := &descent{online: newOnline(train, b.Kernel), used: used, budget: budget}
		state.objective, state.shuffled = math.Inf(1), true
		return state.online, state.use
	}, func(o *online) error {
		o.objective, err = primal(ctx, o.model(), train, used.C, matrix.Add)
		return err
	})
	if result != nil {
		result.KernelEvaluations += matrix.Evaluations()
	}
	return result, err
}

// primal is ½‖w‖² + C Σ max(0, 1 - yᵢ f(xᵢ)); add adds responses of weighted vectors.
func primal(ctx context.Context, m *Model, train *Dataset, c float64, add func(ctx context.Context, x []Vector, weight, sum []float64) error) (float64, error) {
	responses := make([]float64, train.Len())
	if err := add(ctx, m.SupportVectors, m.Coefficients, responses); err != nil {
		return math.Inf(1), err
	}
	norm, loss := m.Norm(), 0.0
	for i, g := range responses {
		loss += max(0, 1-train.Y[i]*(g+m.Bias))
	}
	return norm*norm/2 + c*loss, nil
}

// descent is the state of a run.
type descent struct {
	*online
	used   BSGD
	budget int
	t      float64     // rows looked at
	gram   [][]float64 // kernel values of the vectors
}

func (p *descent) use(i int, f float64) error {
	p.t++
	y := p.train.Y[i]
	if p.t > 1 {
		p.shrink(1 - 1/p.t)
	}
	if y*f >= 1 {
		return nil
	}
	step := y * float64(p.train.Len()) * p.used.C / p.t
	for s, row := range p.rows {
		if row == i {
			p.coefficient[s] += step / p.scale
			return nil
		}
	}
	p.append(i, step)
	p.know(p.values, p.self(i))
	if len(p.vectors) <= p.budget {
		return nil
	}
	switch least := p.least(); p.used.Maintenance {
	case Merging:
		p.merge(least)
	case Projection:
		p.project(least)
	default:
		p.forget(least)
	}
	return nil
}

// know notes the kernel values of the newest vector and those before, and its own.
func (p *descent) know(values []float64, own float64) {
	row := make([]float64, 0, len(values)+1)
	row = append(append(row, values...), own)
	for s := range p.gram {
		p.gram[s] = append(p.gram[s], values[s])
	}
	p.gram = append(p.gram, row)
}

// forget removes vector s.
func (p *descent) forget(s int) {
	p.remove(s)
	p.gram = append(p.gram[:s], p.gram[s+1:]...)
	for r, row := range p.gram {
		p.gram[r] = append(row[:s], row[s+1:]...)
	}
}

// least is the vector whose removal changes f least.
func (p *descent) least() int {
	best, change := 0, math.Inf(1)
	for s, beta := range p.coefficient {
		if c := beta * beta * p.gram[s][s]; c < change {
			best, change = s, c
		}
	}
	return best
}

// project removes vector s; of the others those that depend on those before keep their
// coefficients.
func (p *descent) project(s int) {
	beta, along := p.coefficient[s], p.gram[s]
	values := append(append([]float64{}, along[:s]...), along[s+1:]...)
	p.forget(s)
	var factor cholesky
	var place []int
	var right []float64
	for r, row := range p.gram {
		column := make([]float64, len(place))
		for k, q := range place {
			column[k] = row[q]
		}
		if factor.add(column, row[r]*(1+projectionRidge)) {
			place, right = append(place, r), append(right, beta*values[r])
		}
	}
	factor.solve(right)
	for k, r := range place {
		p.coefficient[r] += right[k]
	}
}

// projectionRidge keeps the coefficients small where vectors are nearly dependent.
const projectionRidge = 1e-8

// merge replaces vector m and the best partner of its sign by one; without a partner m goes.
func (p *descent) merge(m int) {
	best, bestH, bestBeta, bestLoss := -1, 0.0, 0.0, math.Inf(1)
	for n, beta := range p.coefficient {
		if n == m || beta*p.coefficient[m] <= 0 {
			continue
		}
		kappa := p.gram[m][n]
		h, merged := mergeAt(p.coefficient[m], beta, kappa)
		loss := p.coefficient[m]*p.coefficient[m] + beta*beta + 2*p.coefficient[m]*beta*kappa - merged*merged
		if loss < bestLoss {
			best, bestH, bestBeta, bestLoss = n, h, merged, loss
		}
	}
	if best < 0 {
		p.forget(m)
		return
	}
	z := blend(bestH, p.vectors[m], p.vectors[best])
	p.forget(max(m, best))
	p.forget(min(m, best))
	values := make([]float64, len(p.vectors))
	for s, x := range p.vectors {
		values[s] = p.kernel.Eval(x, z)
	}
	p.evaluations += int64(len(values))
	p.vectors, p.rows, p.coefficient = append(p.vectors, z), append(p.rows, -1), append(p.coefficient, bestBeta)
	p.know(values, 1)
}

// mergeAt is the h at which one vector h·z_m + (1-h)·z_n comes nearest to a and b times the two, whose
// kernel value is kappa, and its coefficient, a·κ^((1-h)²) + b·κ^(h²): by golden sections.
func mergeAt(a, b, kappa float64) (h, coefficient float64) {
	logKappa := math.Log(max(kappa, 1e-300))
	at := func(h float64) float64 { return a*math.Exp((1-h)*(1-h)*logKappa) + b*math.Exp(h*h*logKappa) }
	// The best h is on the side of the heavier vector, and there is one maximum there.
	low, high := 0.0, 0.5
	if math.Abs(a) > math.Abs(b) {
		low, high = 0.5, 1
	}
	const golden = 0.6180339887498949
	left, right := high-golden*(high-low), low+golden*(high-low)
	atLeft, atRight := math.Abs(at(left)), math.Abs(at(right))
	for high-low > 1e-4 {
		if atLeft > atRight {
			high, right, atRight = right, left, atLeft
			left = high - golden*(high-low)
			atLeft = math.Abs(at(left))
		} else {
			low, left, atLeft = left, right, atRight
			right = low + golden*(high-low)
			atRight = math.Abs(at(right))
		}
	}
	h = (low + high) / 2
	return h, at(h)
}

// blend is h·x + (1-h)·z.
func blend(h float64, x, z Vector) Vector {
	var out Vector
	for i, j := 0, 0; i < len(x.Index) || j < len(z.Index); {
		switch {
		case j == len(z.Index) || i < len(x.Index) && x.Index[i] < z.Index[j]:
			out.Index, out.Value = append(out.Index, x.Index[i]), append(out.Value, h*x.Value[i])
			i++
		case i == len(x.Index) || x.Index[i] > z.Index[j]:
			out.Index, out.Value = append(out.Index, z.Index[j]), append(out.Value, (1-h)*z.Value[j])
			j++
		default:
			out.Index, out.Value = append(out.Index, x.Index[i]), append(out.Value, h*x.Value[i]+(1-h)*z.Value[j])
			i, j = i+1, j+1
		}
	}
	return out
}
