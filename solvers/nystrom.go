package solvers

import (
	"context"
	"time"

	"gonum.org/v1/gonum/floats"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// Nystrom trains the C-SVC with the kernel replaced by its Nyström approximation from Budget random
// rows z, the landmarks,
//
//	K̃(x, x′) = k(x)ᵀ K_zz⁻¹ k(x′),     k(x) = (K(z₁, x), …, K(z_m, x)),
//
// which is the C-SVC with w in the span of the landmarks:
//
//	min over w, b   ½‖w‖² + C Σᵢ max(0, 1 - yᵢ f(xᵢ)),     w = Σᵥ βᵥ Φ(zᵥ).
//
// With Budget = rows it is the C-SVC itself. The rows become vectors φ(x) = L⁻¹k(x), LLᵀ = K_zz,
// with φ(x)ᵀφ(x′) = K̃(x, x′); SMO with the linear kernel finds w̃ = Σ αᵢyᵢφ(xᵢ) for them, and
// β = L⁻ᵀw̃. Landmarks that depend on others are left out.
//
// Objective is the dual in LIBSVM's sign and Gap the maximal violation, as in SMO. Landmarks are
// drawn uniformly, without replacement; on a path each budget's are among those of the next. A
// run keeps 8·Budget·rows bytes twice and costs O(Budget²·rows) beside SMO's own work.
//
// Williams, Seeger, Using the Nyström method to speed up kernel machines, NIPS 2000.
type Nystrom struct {
	Kernel   Kernel   // nil: RBF{}
	C        float64  // price of slack, > 0; 0: 1
	Budget   int      // number of landmarks, ≥ 1; 0: 100
	Epsilon  float64  // stop when the maximal violation is below, > 0; 0: 1e-3
	Settings Settings // MaxIterations as in SMO, of each budget; Seed draws the landmarks
}

var (
	_ PathSolver    = Nystrom{}
	_ objectivePath = Nystrom{}
)

// Name is "Nystrom".
func (Nystrom) Name() string { return "Nystrom" }

// ParameterName is "Budget".
func (Nystrom) ParameterName() string { return "Budget" }

// Fit trains with Budget landmarks.
func (s Nystrom) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath visits the models of ten budgets per decade, up to Budget.
func (s Nystrom) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, quiet(visit))
}

func (s Nystrom) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	started := time.Now()
	b := budgeted{s.Kernel, s.C, s.Epsilon, s.Budget}
	if err := b.resolve("Nystrom", 1e-3, s.Settings, train); err != nil {
		return nil, err
	}
	used := s
	used.Kernel, used.C, used.Epsilon, used.Budget = b.kernel, b.c, b.epsilon, min(b.budget, train.Len())
	p := &landmarks{basis: newBasis(ctx, train, b.kernel, b.c, s.Settings)}
	rows := shuffled(train.Len(), s.Settings.Seed)[:used.Budget]
	vectors := subset(train, rows)
	var result *Result
	evaluations := int64(0)
	for _, size := range sizesOf(used.Budget, visit) {
		from := len(p.vectors)
		err := p.land(ctx, vectors[from:size], rows[from:size])
		if err != nil && ctx.Err() == nil {
			return nil, err
		}
		settings := s.Settings.remaining(time.Since(started))
		next, err := p.fitMapped(ctx, SMO{Kernel: Linear{}, C: b.c, Epsilon: b.epsilon, Settings: settings})
		if next == nil {
			return nil, err
		}
		evaluations += next.KernelEvaluations
		if result == nil || next.SupportSize() > 0 {
			result = next
		}
		if err != nil || next.Status == TimeLimit {
			result.Status = next.Status
			break
		}
		if visit != nil {
			if err := visit(float64(size), result.Objective, result.Model); err != nil {
				return nil, err
			}
		}
	}
	result.asked, result.Solver, result.Rows = s, used, train.Len()
	result.KernelEvaluations, result.Runtime = evaluations+p.matrix.Evaluations(), time.Since(started)
	return result, canceled(ctx, result.Status)
}

// landmarks is a basis with the vectors φ of all rows, a feature at a time.
type landmarks struct {
	*basis
	lower   cholesky // L
	kept    []int    // variables of the landmarks that do not depend on others
	feature [][]float64
}

// land adds landmarks.
func (p *landmarks) land(ctx context.Context, vectors []Vector, rows []int) error {
	from := len(p.column)
	if err := p.grow(ctx, vectors, rows); err != nil {
		return err
	}
	for v := from; v < len(p.column); v++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		row := make([]float64, len(p.kept))
		for k, u := range p.kept {
			row[k] = p.r[v][u]
		}
		if !p.lower.add(row, p.r[v][v]) {
			continue
		}
		// Row v of φ = L⁻¹k, from those before.
		l := p.lower.rows[len(p.kept)]
		feature := make([]float64, p.train.Len())
		err := gram.Each(ctx, p.workers, blockCount(len(feature)), func(b int) error {
			low, high := b*blockRows, min((b+1)*blockRows, len(feature))
			sum := feature[low:high]
			copy(sum, p.column[v][low:high])
			for k, other := range p.feature {
				floats.AddScaled(sum, -l[k], other[low:high])
			}
			floats.Scale(1/l[len(l)-1], sum)
			return nil
		})
		if err != nil {
			p.lower.rows = p.lower.rows[:len(p.kept)]
			return err
		}
		p.kept, p.feature = append(p.kept, v), append(p.feature, feature)
	}
	return nil
}

// fitMapped is SMO on the vectors φ, and its model over the landmarks.
func (p *landmarks) fitMapped(ctx context.Context, smo SMO) (*Result, error) {
	n, m := p.train.Len(), len(p.feature)
	mapped := &Dataset{Name: p.train.Name, Dim: m, X: make([]Vector, n), Y: p.train.Y, Labels: p.train.Labels}
	index, values := make([]int32, m), make([]float64, n*m)
	for k := range index {
		index[k] = int32(k)
	}
	for i := range mapped.X {
		if i%256 == 0 && ctx.Err() != nil {
			break // SMO ends before it looks at the rows
		}
		x := values[i*m : (i+1)*m : (i+1)*m]
		for k, feature := range p.feature {
			x[k] = feature[i]
		}
		mapped.X[i] = Vector{Index: index, Value: x}
	}
	// What is told of the run counts landmarks, not SMO's own support vectors.
	if report := progressFrom(ctx, smo.Settings); report != nil {
		smo.Settings.Progress = func(told Progress) {
			told.SupportSize = m
			report(told)
		}
	}
	result, err := smo.Fit(ctx, mapped)
	if result == nil {
		return nil, err
	}
	w := make([]float64, m)
	for s, x := range result.SupportVectors {
		floats.AddScaled(w, result.Coefficients[s], x.Value)
	}
	norm := floats.Norm(w, 2)
	p.lower.backward(w)
	clear(p.beta)
	p.beta[0] = result.Bias
	for k, v := range p.kept {
		p.beta[v] = w[k]
	}
	result.Model = p.model()
	for k := range result.Trace {
		result.Trace[k].SupportSize = result.SupportSize()
	}
	result.norm = norm
	return result, err
}
