package solvers

import (
	"context"
	"math"
)

// Forgetron is the self-tuned Forgetron: the kernel perceptron with at most Budget support
// vectors, of which the oldest leaves. A row on the wrong side, yᵢ f(xᵢ) ≤ 0, becomes a support
// vector with the coefficient yᵢ. If there is then one too many, f is shrunk by φ and the
// oldest vector r taken out, φ being the greatest number in (0, 1] for which what that does stays
// in proportion to the number M of mistakes so far,
//
//	Q + Ψ(σφ, φμ) ≤ 15M/32,     Ψ(λ, μ) = λ² + 2λ - 2λμ,     μ = y_r f(x_r),
//
// σ being the weight of r, and Q the sum of Ψ so far. The kernel counts as divided by R², the
// greatest K(xᵢ, xᵢ), so that it is at most 1. Then for every u with
// ‖u‖ ≤ ¼√((Budget+1)/ln(Budget+1)) one pass makes at most 2‖u‖² + 4Σ max(0, 1 - yᵢ⟨u, Φ(xᵢ)⟩)
// mistakes. Certificate has Q and its bound.
//
// There is no bias. The first pass takes the rows in their order, others in random ones. A row that
// is a mistake again counts as one more of the Budget; in the model it is one support
// vector.
//
// An iteration looks at one row and costs at most Budget kernel values, twice if it is a mistake.
// Objective is the number of mistakes of the run, and Gap the share of rows that were mistakes in the
// last complete pass. There is one run for each budget of a path.
//
// Dekel, Shalev-Shwartz, Singer, The Forgetron: a kernel-based perceptron on a budget, SIAM Journal on
// Computing 37, 2008, section 5.
type Forgetron struct {
	Kernel   Kernel   // nil: RBF{}
	Budget   int      // number of support vectors, ≥ 1; 0: 100
	Passes   int      // over the rows, ≥ 1; 0: 1
	Settings Settings // MaxIterations, of rows looked at, 0: those of all passes; Seed orders the rows
}

var (
	_ PathSolver    = Forgetron{}
	_ objectivePath = Forgetron{}
)

// Name is "Forgetron".
func (Forgetron) Name() string { return "Forgetron" }

// ParameterName is "Budget".
func (Forgetron) ParameterName() string { return "Budget" }

// Fit looks at all rows.
func (s Forgetron) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of ten budgets per decade, up to Budget.
func (s Forgetron) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s Forgetron) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	b := passes(s)
	if err := b.resolve("Forgetron", train); err != nil {
		return nil, err
	}
	diagonal := make([]float64, train.Len())
	kernelMatrix(ctx, b.Kernel, train.X, s.Settings.Workers).Diagonal(diagonal)
	radius2 := 0.0
	for _, k := range diagonal {
		radius2 = max(radius2, k)
	}
	var last *forgetting
	result, o, err := b.runs(ctx, s, Forgetron(b), train, visit, func(budget int) (*online, rule) {
		state := &forgetting{online: newOnline(train, b.Kernel), budget: budget, radius2: radius2}
		last = state
		return state.online, state.use
	}, (*online).counted)
	if result != nil {
		result.KernelEvaluations += int64(train.Len())
		if last.online == o {
			result.Certificate = []Check{{"damage of what was forgotten Q ≤ 15/32 of the mistakes", last.damage, forgettable * float64(o.mistakes)}}
		}
	}
	return result, err
}

// forgettable is the damage allowed per mistake.
const forgettable = 15. / 32

// forgetting is the state of a run.
type forgetting struct {
	*online
	budget  int
	radius2 float64 // R²
	damage  float64 // Q
}

func (p *forgetting) use(i int, f float64) error {
	y := p.train.Y[i]
	if y*f > 0 {
		return nil
	}
	p.append(i, y)
	if len(p.vectors) > p.budget {
		if err := p.forget(); err != nil {
			return err
		}
	}
	return p.counted()
}

// forget shrinks f and takes the oldest vector out.
func (p *forgetting) forget() error {
	r := p.rows[0]
	f, err := p.decide(r)
	if err != nil {
		return err
	}
	sigma, mu := math.Abs(p.scale*p.coefficient[0]), 0.0
	if p.radius2 > 0 {
		mu = p.train.Y[r] * f / p.radius2
	}
	// Q + Ψ(σφ, φμ) - 15M/32 = aφ² + bφ + c, which is negative at 0.
	a, b, c := sigma*sigma-2*sigma*mu, 2*sigma, p.damage-forgettable*float64(p.mistakes)
	phi := 1.0
	if a+b+c > 0 {
		phi = -2 * c / (b + math.Sqrt(b*b-4*a*c))
	}
	p.damage = min(p.damage+(a*phi+b)*phi, forgettable*float64(p.mistakes)) // equal but for rounding
	p.shrink(phi)
	p.remove(0)
	return nil
}
