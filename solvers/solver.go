package solvers

import (
	"context"
	"fmt"
	"time"
)

// Solver trains a model. A Solver is a plain struct of parameters: Fit never changes it, so
// copies and reuse are safe.
type Solver interface {
	// Name is the method's short name, "ISSVM".
	Name() string
	// Fit trains on a two-class set. Wrong parameters give a *ParamError and unusable data
	// an error that says what is wrong with it. A limit that ends the run early is a Status,
	// not an error. When ctx ends, Fit returns the model it has and ctx.Err().
	Fit(ctx context.Context, train *Dataset) (*Result, error)
}

// PathSolver is a Solver that visits models of many support sizes, from sparse to dense, in
// one run.
type PathSolver interface {
	Solver
	// ParameterName says what the parameter passed to visit is: "Iterations", "Delta",
	// "Budget", "C".
	ParameterName() string
	// FitPath calls visit for each model of the path. The model passed is the callee's to
	// keep. An error from visit ends the run and is returned.
	FitPath(ctx context.Context, train *Dataset, visit func(parameter float64, m *Model) error) (*Result, error)
}

// Settings concern the run and not the estimator; the zero value is the default.
type Settings struct {
	MaxIterations int            // 0: the solver's stated default, never unlimited
	MaxTime       time.Duration  // 0: no limit
	CacheMB       int            // memory for kernel rows, in 2²⁰ bytes; 0: 200
	Workers       int            // 0: GOMAXPROCS; results do not depend on it
	Seed          uint64         // of all random choices; every value, 0 too, is a fixed seed
	Progress      func(Progress) // nil: WithProgress's, else none; called by one goroutine, at most 10 times a second and at the end
}

// Progress is what a running solver tells.
type Progress struct {
	Iteration     int
	MaxIterations int // 0 when the length is not known
	SupportSize   int
	Objective     float64
	Gap           float64 // what is compared with the solver's Epsilon; it falls as the run goes on
	Elapsed       time.Duration
}

type progressKey struct{}

// WithProgress is a context under which solvers call f, unless their Settings name another
// function.
func WithProgress(ctx context.Context, f func(Progress)) context.Context {
	return context.WithValue(ctx, progressKey{}, f)
}

// progressFrom is the function that a run reports to, nil for none.
func progressFrom(ctx context.Context, s Settings) func(Progress) {
	if s.Progress != nil {
		return s.Progress
	}
	f, _ := ctx.Value(progressKey{}).(func(Progress))
	return f
}

// Result is a trained model, how it was reached, and why the run ended.
type Result struct {
	*Model
	Stats
	Status Status
	Solver Solver // as it was run: defaults filled in
	// Reference is the dense model that was made sparse; nil for solvers that need none.
	Reference *Model
	// Certificate is the inequalities that show how good the result is, for solvers with a
	// theory that gives some.
	Certificate []Check
	// Candidates are the models that Condense chose among, by budget and then by validation error.
	Candidates []Candidate
	Note       string // what the user should know of the data; may be empty

	asked Solver  // as the user gave it: zero fields are defaults
	norm  float64 // ‖w‖ if the solver knows it, else 0
}

// Check is one inequality Value ≤ Bound of a certificate, both sides computed from the result.
type Check struct {
	Claim        string // "steps ≤ R²‖w‖²/(2ηε-η²R²)"
	Value, Bound float64
}

// Holds reports whether Value ≤ Bound.
func (c Check) Holds() bool { return c.Value <= c.Bound }

// Stats are the figures of a run.
type Stats struct {
	Iterations        int
	KernelEvaluations int64   // K(x, z) computed; values taken from a cache are not counted again
	Objective         float64 // as the solver's documentation defines it
	Gap               float64 // what was compared with the solver's Epsilon
	Rows              int     // training rows
	FullSupportSize   int     // support vectors before a solver pruned them to its budget; 0 if it does not
	Runtime           time.Duration
	Trace             []Progress // thinned to at most 1000 points
}

// Status says why a run ended.
type Status int

const (
	Converged      Status = iota // the stopping rule of the method is met
	IterationLimit               // Settings.MaxIterations
	TimeLimit                    // Settings.MaxTime
	BudgetReached                // the allowed number of support vectors
	Canceled                     // the context ended
)

var statusNames = [...]string{"Converged", "IterationLimit", "TimeLimit", "BudgetReached", "Canceled"}

// String is the name of the status; an unknown one prints as Status(9).
func (s Status) String() string {
	if s < 0 || int(s) >= len(statusNames) {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return statusNames[s]
}

// Early reports whether the run ended before its own stopping rule was met.
func (s Status) Early() bool { return s != Converged }

// ParamError is a parameter outside its range.
type ParamError struct {
	Solver, Field string
	Value         float64
	Want          string // "> 0 (0: default 1)"
}

func (e *ParamError) Error() string {
	return fmt.Sprintf("%s.%s = %g: want %s", e.Solver, e.Field, e.Value, e.Want)
}
