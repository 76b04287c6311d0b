package solvers

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
}

// Path is a tradeoff curve: Points ascend by SupportSize. Reference is the dense model that
// was made sparse; it is zero when there is none.
type Path struct {
	Solver, Dataset, ParameterName string
	Points                         []PathPoint
	Reference                      PathPoint
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
