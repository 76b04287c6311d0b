package solvers

import (
	"cmp"
	"slices"
)

import "context"

// visitor is what a path calls for each model; the model is the visitor's to keep.
type visitor func(parameter, objective float64, m *Model) error

// objectivePath is a PathSolver that says the objective of each model too.
type objectivePath interface {
	PathSolver
	fitPath(ctx context.Context, train *Dataset, visit visitor) (*Result, error)
}

var _ objectivePath = ISSVM{}

// PathPoint is one model of a path, judged on held-out rows. Errors are shares in [0, 1].
type PathPoint struct {
	Parameter       float64
	SupportSize     int
	ValidationError float64 // mean over the splits
	TestError       float64 // mean over the splits
	TestStd         float64 // standard deviation over the splits
	Objective       float64
	Norm            float64 // ‖w‖
	Model           *Model  `json:"-"` // to save or to predict with, with the bias of the path; nil where a path was read from a file
}

// Path is a tradeoff curve: Points ascend by SupportSize. Reference is the dense model that
// was made sparse; it is zero when there is none.
type Path struct {
	Solver                 string // the method and what was set of its parameters: "ISSVM(Aggressive)"
	Dataset, ParameterName string
	Points                 []PathPoint
	Reference              PathPoint
}

// Best is the point with the least ValidationError and, among those, the least SupportSize.
// It never looks at TestError. It is zero for an empty path.
func (p *Path) Best() PathPoint {
	var best PathPoint
	for i, q := range p.Points {
		if i == 0 || q.ValidationError < best.ValidationError ||
			q.ValidationError == best.ValidationError && q.SupportSize < best.SupportSize {
			best = q
		}
	}
	return best
}

// Frontier is the path of those models that no smaller one equals on the validation rows: for
// every support size up to the greatest, the last point at or below it is AtMost of that size.
// It never looks at TestError.
func (p *Path) Frontier() *Path {
	frontier := &Path{Solver: p.Solver, Dataset: p.Dataset, ParameterName: p.ParameterName, Reference: p.Reference}
	points := slices.Clone(p.Points)
	slices.SortStableFunc(points, func(a, b PathPoint) int {
		return cmp.Or(cmp.Compare(a.SupportSize, b.SupportSize), cmp.Compare(a.ValidationError, b.ValidationError))
	})
	for _, q := range points {
		if n := len(frontier.Points); n == 0 || q.ValidationError < frontier.Points[n-1].ValidationError {
			frontier.Points = append(frontier.Points, q)
		}
	}
	return frontier
}

// AtMost is Best among the points with SupportSize ≤ size; it is zero when there is none.
func (p *Path) AtMost(size int) PathPoint {
	smaller := Path{}
	for _, q := range p.Points {
		if q.SupportSize <= size {
			smaller.Points = append(smaller.Points, q)
		}
	}
	return smaller.Best()
}
