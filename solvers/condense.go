package solvers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"
)

// Condense reaches the error of a dense SVM with Budget vectors, often a hundred times fewer. The
// vectors are moved away from the training rows (VirtualVectors), so that they are no support
// vectors and the model has no Indices; Bytes tells its size, since such vectors are dense.
//
// ISSVM, in pairs and with a learned bias, chooses the rows to begin with; coefficients and bias are
// refitted in float64. From there several candidates are trained: the refitted rows as they
// are; logistic loss by Adam, 100 and 30 passes; squared hinge by up to 3000 steps of L-BFGS; and,
// where features are real, the dense SVM's responses on the rows and on copies with noise. Which one wins,
// and after how many passes, is chosen on rows that no candidate has seen: HoldOut of the
// training rows, with a reference trained on the others. Within one standard error of the least
// error a candidate that the dense model taught wins. The winner is then trained on all rows. Candidates of the Result has the figures of all, with the standard error of each difference.
//
// Objective is the winner's share of wrong validation rows, Gap the share of the candidates'
// passes that are left. Where rows drift in time, LastRows is a better test than a random choice. When
// ctx ends, the best model so far is returned. With fewer than ten rows of a class there is nothing
// to hold out, and the training rows are chosen on.
//
// The kernel stays that of the reference unless LearnGamma, LearnGammas or LearnScales, so that the
// model is a plain LIBSVM model. The cost is O(rows·nonzeros·Budget) for a pass, beside two dense SVMs.
type Condense struct {
	Reference *Model  // the dense model; nil: SMO{Kernel, C} is fitted first
	Kernel    Kernel  // of that SMO; only without Reference
	C         float64 // of all SMOs, > 0; 0: the greatest |coefficient| of the Reference, or 1 without

	Budget     int      // vectors, ≥ 1; 0: 50, or the last of Budgets
	Budgets    []int    // those of FitPath, ascending; nil: 8, 10, 12, 16, …, ten per decade, up to Budget
	Validation *Dataset // rows to choose on; nil: held out of the training rows
	HoldOut    float64  // share of the training rows to choose on, in (0, 1); 0: 0.2
	LastRows   bool     // hold out the last rows, else random ones
	Finish     bool     // one more candidate: 33 passes with SigmoidLoss after the best so far
	// LearnGamma is one more candidate, with a Gamma of its own. Off by default: on rows that drift it
	// wins on held-out rows and loses later (ijcnn1, 200 vectors: 1.4 against 2.7 %).
	LearnGamma bool
	// LearnGammas and LearnScales are one more candidate each, with a Gamma for each vector, or a weight
	// for each feature, of its own. Off by default: they overfit likewise, and a model with
	// WidthRBF or ScaledRBF is not one that LIBSVM knows.
	LearnGammas, LearnScales bool
	// EveryCandidate makes FitPath train all candidates on all rows and visit all their models, for
	// a caller who chooses on rows of his own. Each budget then starts anew.
	EveryCandidate bool
	Settings       Settings // MaxIterations, of passes of all candidates together
}

var (
	_ PathSolver    = Condense{}
	_ objectivePath = Condense{}
)

// Candidate is a model that Condense trained to choose from.
type Candidate struct {
	Name            string
	Budget          int
	Vectors         int
	Passes          int           // over the rows, or steps, until the checkpoint that is judged
	ValidationError float64       // share of wrong rows
	Difference      float64       // ValidationError less that of the winner
	StandardError   float64       // of Difference, the same rows being judged
	Chosen          bool          // the winner of its budget
	Runtime         time.Duration // of training until the end, other candidates running beside
}

// Name is "Condense".
func (Condense) Name() string { return "Condense" }

// ParameterName is "Budget".
func (Condense) ParameterName() string { return "Budget" }

// condenseBudget is the default number of vectors.
const condenseBudget = 50

// Fit condenses the reference to Budget vectors.
func (s Condense) Fit(ctx context.Context, train *Dataset) (*Result, error) {
	return s.fit(ctx, train, nil)
}

// FitPath visits the models of all Budgets. Each starts from the vectors of the one before, and some
// rows more.
func (s Condense) FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error) {
	return s.fit(ctx, train, quiet(visit))
}

func (s Condense) fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	return s.fit(ctx, train, visit)
}

func (s Condense) fit(ctx context.Context, train *Dataset, visit visitor) (*Result, error) {
	started := time.Now()
	used := s
	if err := used.resolve(train); err != nil {
		return nil, err
	}
	model, fit, err := s.reference(ctx, train)
	if model == nil || err != nil && ctx.Err() == nil {
		return nil, err
	}
	if used.C == 0 {
		used.C = 1
		if s.Reference != nil {
			used.C = greatestWeight(model.Coefficients)
		}
	}
	used.Reference, used.Kernel = model, nil
	if wrong := movable("Condense", model.Kernel); wrong != nil {
		return nil, wrong
	}
	p := newCondensing(ctx, used, train, model, s.Settings.remaining(time.Since(started)))
	if err == nil && model.SupportSize() > 0 {
		err = p.all(visit)
	}
	if err != nil && !errors.Is(err, errEnough) && ctx.Err() == nil {
		return nil, err
	}
	result := p.result(s, used)
	result.addReference(model, fit, time.Since(started))
	result.Candidates, result.Note = p.figures, unscaledNote(train)
	return result, canceled(ctx, result.Status)
}

// reference is the given model checked, or a C-SVC.
func (s Condense) reference(ctx context.Context, train *Dataset) (*Model, *Result, error) {
	if s.Reference == nil {
		return givenOrFitted(ctx, "Condense", nil, s.Kernel, s.C, s.Settings, train)
	}
	model, _, err := givenOrFitted(ctx, "Condense", s.Reference, s.Kernel, 0, s.Settings, train)
	if err == nil {
		err = checkSupport("Condense", model)
	}
	if err != nil {
		return nil, nil, err
	}
	return model, nil, nil
}

func greatestWeight(coefficients []float64) float64 {
	most := 0.0
	for _, beta := range coefficients {
		most = max(most, math.Abs(beta))
	}
	return most
}

func (s *Condense) resolve(train *Dataset) error {
	if s.C < 0 || s.C-s.C != 0 {
		return &ParamError{"Condense", "C", s.C, "> 0 (0: the greatest |coefficient| of the Reference, or 1)"}
	}
	if s.Budget < 0 {
		return &ParamError{"Condense", "Budget", float64(s.Budget), fmt.Sprintf("≥ 1 (0: default %d)", condenseBudget)}
	}
	for i, budget := range s.Budgets {
		if budget < 1 || i > 0 && budget <= s.Budgets[i-1] {
			return &ParamError{"Condense", "Budgets", float64(budget), "≥ 1, and ascending"}
		}
	}
	if n := len(s.Budgets); s.Budget == 0 && n > 0 {
		s.Budget = s.Budgets[n-1]
	}
	if s.Budget == 0 {
		s.Budget = condenseBudget
	}
	if !(s.HoldOut >= 0 && s.HoldOut < 1) {
		return &ParamError{"Condense", "HoldOut", s.HoldOut, "in (0, 1) (0: default 0.2)"}
	}
	if s.HoldOut == 0 {
		s.HoldOut = 0.2
	}
	if err := s.Settings.check("Condense"); err != nil {
		return err
	}
	if err := checkTrain(train); err != nil {
		return err
	}
	if s.Validation == nil {
		return nil
	}
	if s.Validation.Len() == 0 || !s.Validation.Binary() {
		return &DataError{s.Validation.Name, "validation rows: want at least one, with labels -1 and +1"}
	}
	return nil
}
