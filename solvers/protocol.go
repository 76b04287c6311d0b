package solvers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers/internal/gram"
)

// Protocol judges the models of a path on held-out rows: it splits them Splits times at random
// into validation and test rows, so that a model is chosen on the one and reported on the
// other. Split k is heldOut.Split(ValidationFraction, Seed+k).
type Protocol struct {
	Splits             int     `json:",omitempty"` // 0: 10
	ValidationFraction float64 `json:",omitempty"` // share of the held-out rows to choose on, in (0, 1); 0: 0.5
	TuneBias           bool    `json:",omitempty"` // each split gets the bias with the fewest errors on its validation rows
	Seed               uint64  `json:",omitempty"`

	Sizes   []int  `json:",omitempty"` // of Compare: support sizes, ascending; nil: ten per decade from 1 to 500
	Workers int    `json:"-"`          // of Compare: trials at the same time; 0: GOMAXPROCS; results do not depend on it
	File    string `json:"-"`          // of Compare: where results are kept, and looked for; "": they are not
}

// Run trains the path on train and judges all its models, and the reference that was made
// sparse, on heldOut, a two-class set. Kernel values between heldOut and a support vector are
// computed once for the whole path. Its cost is O(rows·nonzeros) per support vector and
// O(rows) per coefficient that changes along the path.
//
// PathPoint.Objective is NaN if the solver does not say one per model. When ctx ends
// while training, the models so far are judged, without the reference, if that takes 2 s at most,
// and returned with ctx.Err(); the path is nil if there is none.
func (p Protocol) Run(ctx context.Context, s PathSolver, train, heldOut *Dataset) (*Path, error) {
	j, err := p.judge(heldOut)
	if err != nil {
		return nil, err
	}
	var points []PathPoint
	var models []*Model
	collect := func(parameter, objective float64, m *Model) error {
		points = append(points, PathPoint{Parameter: parameter, SupportSize: m.SupportSize(), Objective: objective, Model: m})
		models = append(models, m)
		return nil
	}
	result, err := runPath(ctx, s, train, collect)
	if result == nil || err != nil && (ctx.Err() == nil || len(models) == 0) {
		return nil, err
	}
	judging := ctx
	if err != nil {
		var cancel context.CancelFunc
		judging, cancel = context.WithTimeout(context.WithoutCancel(ctx), afterInterrupt)
		defer cancel()
	}
	path := &Path{Solver: methodLabel(s), Dataset: train.Name, ParameterName: s.ParameterName(), Points: points}
	if wrong := j.fill(judging, path.Points, models); wrong != nil {
		return nil, cmp.Or(err, wrong)
	}
	slices.SortStableFunc(path.Points, func(a, b PathPoint) int { return a.SupportSize - b.SupportSize })
	if err != nil || result.Reference == nil {
		return path, err
	}
	dense := []PathPoint{{SupportSize: result.Reference.SupportSize(), Parameter: math.NaN(), Objective: math.NaN(), Model: result.Reference}}
	if err := j.fill(ctx, dense, []*Model{result.Reference}); err != nil {
		return nil, err
	}
	path.Reference = dense[0]
	return path, nil
}

// afterInterrupt is the time allowed for judging the models that an interrupted path has.
const afterInterrupt = 2 * time.Second

func runPath(ctx context.Context, s PathSolver, train *Dataset, visit visitor) (*Result, error) {
	if own, ok := s.(objectivePath); ok {
		return own.fitPath(ctx, train, visit)
	}
	return s.FitPath(ctx, train, func(parameter float64, m *Model) error { return visit(parameter, math.NaN(), m) })
}

// judge is held-out rows and their splits.
type judge struct {
	tune       bool
	heldOut    *Dataset
	validation [][]bool // validation[k][i]: row i is a validation row of split k
	counts     []splitCount
}

// splitCount is numbers of rows or of errors.
type splitCount struct{ validation, test int }

func (p Protocol) judge(heldOut *Dataset) (*judge, error) {
	if p.Splits < 0 {
		return nil, &ParamError{"Protocol", "Splits", float64(p.Splits), "≥ 1 (0: default 10)"}
	}
	if !(p.ValidationFraction >= 0 && p.ValidationFraction < 1) {
		return nil, &ParamError{"Protocol", "ValidationFraction", p.ValidationFraction, "in (0, 1) (0: default 0.5)"}
	}
	if heldOut == nil || heldOut.Len() < 2 {
		return nil, &DataError{Text: "held-out rows: want at least two, one to choose on and one to report on"}
	}
	if !heldOut.Binary() {
		return nil, &DataError{heldOut.Name, "held-out rows: want labels -1 and +1; take OneAgainst or Groups as for training"}
	}
	p = p.resolved()
	j := &judge{tune: p.TuneBias, heldOut: heldOut}
	numbers := numbered(heldOut)
	for k := range p.Splits {
		first, rest := numbers.Split(p.ValidationFraction, p.Seed+uint64(k))
		if first.Len() == 0 || rest.Len() == 0 {
			return nil, &DataError{heldOut.Name, fmt.Sprintf("%d held-out rows are too few to split at %g", heldOut.Len(), p.ValidationFraction)}
		}
		member := make([]bool, heldOut.Len())
		for _, x := range first.X {
			member[x.Index[0]] = true
		}
		j.validation = append(j.validation, member)
		j.counts = append(j.counts, splitCount{first.Len(), rest.Len()})
	}
	return j, nil
}

// resolved fills in the defaults of the splits.
func (p Protocol) resolved() Protocol {
	if p.Splits == 0 {
		p.Splits = 10
	}
	if p.ValidationFraction == 0 {
		p.ValidationFraction = 0.5
	}
	return p
}

// numbered is a set with the labels of d whose rows say their own number, so that Split tells
// which rows it takes.
func numbered(d *Dataset) *Dataset {
	index := make([]int32, d.Len())
	rows := &Dataset{Dim: d.Len(), X: make([]Vector, d.Len()), Y: d.Y}
	for i := range index {
		index[i] = int32(i)
		rows.X[i].Index = index[i : i+1]
	}
	return rows
}

// fill sets the errors and norms of the points, which are of these models.
func (j *judge) fill(ctx context.Context, points []PathPoint, models []*Model) error {
	// Models of one kernel share kernel values; a method that learns Gamma has several.
	for first := 0; first < len(models); {
		end := first + 1
		for end < len(models) && sameKernel(models[end].Kernel, models[first].Kernel) {
			end++
		}
		if err := j.fillShared(ctx, points[first:end], models[first:end]); err != nil {
			return err
		}
		first = end
	}
	return nil
}

// sameKernel reports whether two kernels are the same function, as far as is known: kernels that
// the package does not know count as one, since a path has one, unless it learns its kernels.
func sameKernel(a, b Kernel) bool {
	if isLearned(a) || isLearned(b) {
		return isLearned(a) && isLearned(b) && a == b
	}
	x, ownX := gramKernel(a)
	y, ownY := gramKernel(b)
	return ownX == ownY && x.Kind == y.Kind && x.Gamma == y.Gamma && x.Coef0 == y.Coef0 && x.Degree == y.Degree
}

func (j *judge) fillShared(ctx context.Context, points []PathPoint, models []*Model) error {
	path := newPathModels(models)
	norms, err := path.modelNorms(ctx, 0)
	if err != nil {
		return err
	}
	errors := j.errors
	if j.tune {
		errors = j.tunedErrors
	}
	wrong, err := errors(ctx, path, 0)
	if err != nil {
		return err
	}
	for m := range points {
		points[m].Norm = norms[m]
		j.average(&points[m], wrong[m])
	}
	return nil
}

// average sets the errors of a point from the wrong rows of each split.
func (j *judge) average(point *PathPoint, wrong []splitCount) {
	n := float64(len(wrong))
	var squares float64
	for k, w := range wrong {
		point.ValidationError += float64(w.validation) / float64(j.counts[k].validation) / n
		point.TestError += float64(w.test) / float64(j.counts[k].test) / n
	}
	for k, w := range wrong {
		d := float64(w.test)/float64(j.counts[k].test) - point.TestError
		squares += d * d
	}
	if n > 1 {
		point.TestStd = math.Sqrt(squares / (n - 1))
	}
}

// errors counts the wrong rows of every model in every split.
func (j *judge) errors(ctx context.Context, path *pathModels, workers int) ([][]splitCount, error) {
	wrong := j.zeroCounts(len(path.models))
	var mutex sync.Mutex
	rows := newRows(path.kernel, j.heldOut.X, Settings{Workers: workers})
	err := path.each(ctx, rows, func(_, low, m int, responses []float64) {
		bias := path.models[m].Bias
		var rowsWrong []int
		for i, g := range responses {
			if sign(g+bias) != j.heldOut.Y[low+i] {
				rowsWrong = append(rowsWrong, low+i)
			}
		}
		mutex.Lock()
		defer mutex.Unlock()
		for k, member := range j.validation {
			for _, i := range rowsWrong {
				if member[i] {
					wrong[m][k].validation++
				} else {
					wrong[m][k].test++
				}
			}
		}
	})
	return wrong, err
}

func (j *judge) zeroCounts(models int) [][]splitCount {
	wrong := make([][]splitCount, models)
	for m := range wrong {
		wrong[m] = make([]splitCount, len(j.validation))
	}
	return wrong
}

// tunedErrors is errors with a bias of its own for every model and split. The responses of all
// models are kept, in single precision: rows that differ by less count as equal.
func (j *judge) tunedErrors(ctx context.Context, path *pathModels, workers int) ([][]splitCount, error) {
	n := j.heldOut.Len()
	responses := make([][]float32, len(path.models))
	for m := range responses {
		responses[m] = make([]float32, n)
	}
	rows := newRows(path.kernel, j.heldOut.X, Settings{Workers: workers})
	err := path.each(ctx, rows, func(_, low, m int, block []float64) {
		for i, g := range block {
			responses[m][low+i] = float32(g)
		}
	})
	if err != nil {
		return nil, err
	}
	wrong := j.zeroCounts(len(path.models))
	err = gram.Each(ctx, workers, len(path.models), func(m int) error {
		j.tuneSplits(responses[m], path.models[m].Bias, wrong[m])
		return nil
	})
	return wrong, err
}

// tuneSplits sorts the rows once for all splits.
func (j *judge) tuneSplits(responses []float32, present float64, wrong []splitCount) {
	order := make([]int, len(responses))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int {
		switch {
		case responses[a] < responses[b]:
			return -1
		case responses[a] > responses[b]:
			return 1
		}
		return 0
	})
	rows := make([]judged, 0, len(order))
	for k, member := range j.validation {
		rows = rows[:0]
		for _, i := range order {
			if member[i] {
				rows = append(rows, judged{float64(responses[i]), j.heldOut.Y[i]})
			}
		}
		var bias float64
		bias, wrong[k].validation = bestBias(rows, present)
		for i, g := range responses {
			if !member[i] && sign(float64(g)+bias) != j.heldOut.Y[i] {
				wrong[k].test++
			}
		}
	}
}
