package solvers

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/gonb-svm/gonb-svm/solvers/internal/loop"
)

// MinimalSVM is the SVM with concave slack, which counts the rows with slack rather than how much
// it is:
//
//	min over w, b   ½‖w‖² + Σᵢ Cᵢ nᵢ^P,     nᵢ = log(1 + exp(s·zᵢ))/s,  zᵢ = 1 - yᵢ f(xᵢ),
//
// for 0 < P ≤ 1, where nᵢ smooths the hinge loss and s is Sharpness. Cᵢ is C times the weight of
// the row's class. P = 1 is the C-SVC, up to the smoothing, which adds C·log(2)/s at most per row.
//
// The paper is about linear kernels. Here w = Σ βⱼΦ(xⱼ) over a basis of training rows, chosen by an
// incomplete Cholesky factor of the kernel matrix, which is exact once Basis reaches the
// rank: for Linear that is the number of features.
//
// Gradient descent with momentum, as the paper has it. A step that does not bring the objective
// down is taken back and the learning rate halved, else the rate grows. With P < 1 there is a local
// minimum at almost every vertex: Starts runs begin at 0, at the solution for P = 1, at those for P
// falling and for s growing to their values, and at random points, one at Start, and the best limit wins.
// Certificate has the number of distinct limits, and the paper's support, the rows with slack above
// 1/s, beside that of P = 1. Support vectors of the Model are the basis.
//
// FitPath goes through prices C from C/1000 to C. Each run begins where the one before ended too, and the
// basis is made once.
//
// Objective is the one above. Gap is ‖∇‖/(1 + Σ Cᵢhᵢ), hᵢ the slope of row i's loss; a run from one
// start ends when it is at most Epsilon, or when no step makes progress. An iteration costs
// O(rows·Basis).
//
// Zheng, Ding, Minimal support vector machine, 2018. Eq. (10) calls ξ a multiplier and means μ, and
// eq. (18) is no condition of optimality at ξ = 0 for P < 1. That the support falls as C grows is an
// effect of where gradient descent stops: the best point hardly depends on C.
type MinimalSVM struct {
	Kernel       Kernel  // nil: RBF{}
	C            float64 // price of slack, > 0; 0: 1
	P            float64 // exponent, in (0, 1]; 0: ½
	Sharpness    float64 // s, > 0; 0: 100
	LearningRate float64 // first step, > 0; 0: 0.01/C
	Momentum     float64 // in (0, 1); 0: 0.5
	Starts       int     // runs, ≥ 1; 0: 12, or one if P = 1
	Basis        int     // training rows that w may be made of, ≥ 1; 0: 500
	Points       int     // prices of a path, evenly spaced by logarithm from C/1000 to C, ≥ 1; 0: 10
	Epsilon      float64 // stop at this relative gradient, > 0; 0: 1e-3
	// WeightNegative and WeightPositive multiply C for the rows of a class, > 0; 0: 1.
	WeightNegative, WeightPositive float64
	// Start is a model whose responses to the training rows one more run begins near, such as a C-SVC;
	// nil: no such run.
	Start *Model

	Settings Settings // MaxIterations 0: 10⁵, of all starts together, for each price
}

var (
	_ PathSolver    = MinimalSVM{}
	_ objectivePath = MinimalSVM{}
)

// Name is "MinimalSVM".
func (MinimalSVM) Name() string { return "MinimalSVM" }

// ParameterName is "C".
func (MinimalSVM) ParameterName() string { return "C" }

// Fit trains on a two-class set.
func (s MinimalSVM) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fitPath(ctx, train, nil)
}

// FitPath trains for Points prices and visits their models. The result is the last one's; its
// Iterations are of all.
func (s MinimalSVM) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fitPath(ctx, train, func(parameter, _ float64, m *Model) error { return visit(parameter, m) })
}

func (s MinimalSVM) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	used, err := s.resolve(train)
	if err != nil {
		return nil, err
	}
	prices := []float64{used.C}
	if visit != nil {
		prices = spaced(used.C/1000, used.C, used.Points)
	}
	run := startRun(ctx, used.Settings, 1e5*len(prices))
	m := &minimal{used: used, train: train, y: train.Y, rows: newRows(used.Kernel, train.X, used.Settings)}
	if err = m.factor(ctx); err == nil {
		err = m.begin(ctx)
	}
	var model *Model
	if err == nil {
		model, err = m.path(ctx, run, prices, s.LearningRate, visit)
	} else {
		run.Next(m.state) // says that ctx ended
		model = m.model()
	}
	if err != nil && ctx.Err() == nil {
		return nil, err
	}
	run.Finish(func() loop.Point {
		return loop.Point{SupportSize: model.SupportSize(), Objective: m.best.objective, Gap: m.best.gap}
	})
	result := newResult(s, used, model, run)
	result.KernelEvaluations, result.Rows = m.rows.evaluations, train.Len()
	result.Certificate = m.certificate()
	return result, canceled(ctx, result.Status)
}

// path trains for each price. The learning rate, if it was not given, goes with 1/C.
func (m *minimal) path(ctx context.Context, run *loop.Run, prices []float64, rate float64, visit visitor) (*Model, error) {
	var model *Model
	for _, price := range prices {
		m.used.C = price
		if rate == 0 {
			m.used.LearningRate = 0.01 / price
		}
		m.search(ctx, run)
		m.previous = m.at(m.best)
		model = m.model()
		if ctx.Err() == nil {
			// The figures of the model itself: the factor may have left out a rest.
			response := make([]float64, len(m.y))
			err := m.rows.combine(ctx, model.SupportVectors, model.Coefficients, response)
			if err == nil {
				m.best.response = response
				err = m.value(ctx, m.best, m.used.P, m.used.Sharpness)
			}
			if err != nil && ctx.Err() == nil {
				return nil, err
			}
		}
		if visit != nil && ctx.Err() == nil {
			if err := visit(price, m.best.objective, model); err != nil {
				return nil, err
			}
		}
		if run.Stopped() != loop.None {
			break
		}
	}
	return model, nil
}

// spaced are n numbers from first to last, evenly spaced by logarithm.
func spaced(first, last float64, n int) []float64 {
	out := make([]float64, n)
	for k := range out {
		out[k] = last
		if k < n-1 {
			out[k] = first * math.Pow(last/first, float64(k)/float64(n-1))
		}
	}
	return out
}

// certificate states the gradient, the limits found and the paper's support.
func (m *minimal) certificate() []Check {
	checks := []Check{{"‖∇‖ ≤ Epsilon·(1 + Σ Cᵢhᵢ)", m.best.gap, m.used.Epsilon}}
	if len(m.limits) > 0 {
		checks = append(checks, Check{"distinct limits ≤ starts", float64(distinct(m.limits)), float64(len(m.limits))})
	}
	if m.convex != nil {
		checks = append(checks, Check{"rows with slack above 1/Sharpness ≤ rows of P = 1 with margins up to 1",
			float64(m.slackRows(m.best, 1/m.used.Sharpness)), float64(m.slackRows(m.convex, 0))})
	}
	return checks
}

// resolve checks the parameters and the data and fills in the defaults.
func (s MinimalSVM) resolve(train *Dataset) (MinimalSVM, error) {
	var err error
	for _, field := range []struct {
		name      string
		value     *float64
		byDefault float64
	}{
		{"C", &s.C, 1}, {"P", &s.P, 0.5}, {"Sharpness", &s.Sharpness, 100}, {"Momentum", &s.Momentum, 0.5},
		{"Epsilon", &s.Epsilon, 1e-3}, {"WeightNegative", &s.WeightNegative, 1}, {"WeightPositive", &s.WeightPositive, 1},
	} {
		if *field.value, err = positive("MinimalSVM", field.name, *field.value, field.byDefault); err != nil {
			return s, err
		}
	}
	if s.LearningRate, err = positive("MinimalSVM", "LearningRate", s.LearningRate, 0.01/s.C); err != nil {
		return s, err
	}
	if s.P > 1 {
		return s, &ParamError{"MinimalSVM", "P", s.P, "in (0, 1] (0: default 0.5)"}
	}
	if s.Momentum >= 1 {
		return s, &ParamError{"MinimalSVM", "Momentum", s.Momentum, "in (0, 1) (0: default 0.5)"}
	}
	starts := 12
	if s.P == 1 {
		starts = 1
	}
	for _, field := range []struct {
		name      string
		value     *int
		byDefault int
	}{{"Starts", &s.Starts, starts}, {"Basis", &s.Basis, 500}, {"Points", &s.Points, 10}} {
		if *field.value < 0 {
			return s, &ParamError{"MinimalSVM", field.name, float64(*field.value), fmt.Sprintf("≥ 1 (0: default %d)", field.byDefault)}
		}
		if *field.value == 0 {
			*field.value = field.byDefault
		}
	}
	if err := s.Settings.check("MinimalSVM"); err != nil {
		return s, err
	}
	if err := checkTrain(train); err != nil {
		return s, err
	}
	if s.Start != nil {
		if err := s.checkStart(train); err != nil {
			return s, err
		}
	}
	s.Kernel, err = resolveKernel(s.Kernel, train.Dim)
	return s, err
}

// checkStart is a *StartError unless the start is a model in the features of the training set.
func (s MinimalSVM) checkStart(train *Dataset) error {
	err := checkReference("MinimalSVM", s.Start, train.Dim)
	if wrong, ok := errors.AsType[*ReferenceError](err); ok {
		return &StartError{wrong.Solver, wrong.Text}
	}
	return err
}

// smoothLoss is n^p and its slope in z for n = log(1 + exp(s·z))/s. Far below 0, where n and a
// power of it would underflow one by one, the slope is p·s^(1-p)·exp(p·s·z).
func smoothLoss(z, p, s float64) (loss, slope float64) {
	if s*z < -30 {
		loss = math.Exp(p * (s*z - math.Log(s)))
		return loss, p * s * loss
	}
	n := max(z, 0) + math.Log1p(math.Exp(-s*math.Abs(z)))/s
	loss = math.Pow(n, p)
	return loss, p * loss / n / (1 + math.Exp(-s*z))
}
