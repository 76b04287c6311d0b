package solvers

import "context"

// RSVM, the reduced SVM, takes Budget random rows as support vectors and finds the coefficients
// and the bias that are best for all rows:
//
//	min over β, b   ½‖w‖² + C Σᵢ max(0, 1 - yᵢ f(xᵢ))²,     w = Σᵥ βᵥ Φ(xᵥ),  v in the subset.
//
// With Budget = rows it is the full problem, the SVM with squared hinge loss. With
// CoefficientNorm the regularizer is the paper's, ½(‖β‖² + b²) (eq. 11), for which a kernel need
// not be positive semidefinite. The paper smooths the loss, max(0, z), by log(1 + exp(sz))/s; here
// Newton's method takes it as it is, with exact line searches.
//
// Objective is the one above. Gap is what the next Newton step would lower it by, on the present
// quadratic piece, as a share of it. Rows are drawn uniformly, without replacement: on a
// path each budget's rows are among those of the next, and each run starts from the solution
// before. Cost and memory are those of Refit.
//
// Lee, Mangasarian, RSVM: Reduced support vector machines, SIAM Data Mining 2001.
type RSVM struct {
	Kernel          Kernel   // nil: RBF{}
	C               float64  // price of the squared slack, > 0; 0: 1
	Budget          int      // number of support vectors, ≥ 1; 0: 100
	CoefficientNorm bool     // ½(‖β‖² + b²) instead of ½‖w‖²
	Epsilon         float64  // stop when Gap is at most, > 0; 0: 1e-10
	Settings        Settings // MaxIterations, of Newton steps, 0: 1000; Seed draws the rows
}

var (
	_ PathSolver    = RSVM{}
	_ objectivePath = RSVM{}
)

// Name is "RSVM".
func (RSVM) Name() string { return "RSVM" }

// ParameterName is "Budget".
func (RSVM) ParameterName() string { return "Budget" }

// Fit trains with Budget support vectors.
func (s RSVM) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of ten budgets per decade, up to Budget.
func (s RSVM) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s RSVM) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	b := budgeted{s.Kernel, s.C, s.Epsilon, s.Budget}
	if err := b.resolve("RSVM", newtonEpsilon, s.Settings, train); err != nil {
		return nil, err
	}
	used := s
	used.Kernel, used.C, used.Epsilon, used.Budget = b.kernel, b.c, b.epsilon, min(b.budget, train.Len())
	run := startRun(ctx, s.Settings, newtonSteps)
	p := newBasis(ctx, train, b.kernel, b.c, s.Settings)
	if s.CoefficientNorm {
		p.plain, p.r[0][0] = true, 1
	}
	rows := shuffled(train.Len(), s.Settings.Seed)[:used.Budget]
	err := p.nested(ctx, run, subset(train, rows), rows, sizesOf(used.Budget, visit), b.epsilon, visit)
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	result := p.finish(s, used, run, err)
	return result, canceled(ctx, result.Status)
}
