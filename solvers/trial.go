package solvers

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"time"
)

// Trial says what to run: a solver with its parameters, on which data, and how to judge it. It can
// be written as JSON, sent to another machine and run there on a Bench of the same data.
type Trial struct {
	Method   string // the method's name in tables
	Settings string // its place in the method's grid, "Epsilon=0.5, Eta=1"
	// Solver is the solver as {"ISSVM": {"Epsilon": 0.5, "Reference": {"SMO": {"C": 10}}}}: its type
	// and the fields that are not zero. In place of a model stands the solver that fits it.
	Solver             json.RawMessage
	Train, HeldOut     string // Checksum of the data
	Splits             int    // as in Protocol, all given
	ValidationFraction float64
	TuneBias           bool
	Seed               uint64
	Sizes              []int // support sizes to judge, ascending; empty: every model of the path
}

// trialFormat goes into Key: results of another form or meaning are not taken for those of today.
const trialFormat = 1

// Key is a hash of all that the result depends on, 32 hexadecimal digits: all fields but Method
// and Settings. It does not depend on the version of the program.
func (t Trial) Key() string {
	t.Method, t.Settings = "", ""
	var spec any
	decoder := json.NewDecoder(bytes.NewReader(t.Solver))
	decoder.UseNumber()
	if err := decoder.Decode(&spec); err == nil {
		t.Solver, _ = json.Marshal(spec) // with sorted keys
	}
	text, err := json.Marshal(struct {
		Format int
		Trial
	}{trialFormat, t})
	if err != nil { // Solver is no JSON
		text = fmt.Appendf(nil, "%d %+v", trialFormat, t)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

// TrialResult is what a trial came to.
type TrialResult struct {
	Key            string
	Trial          Trial
	ValidationRows int // in each split
	TestRows       int
	Points         []TrialPoint // by Size; at most one for each
	Status         string       `json:",omitempty"` // of the last fit; empty if the path went beyond the last size
	Seconds        float64      // of training, without a shared reference; wall time
	CPUSeconds     float64      `json:",omitempty"` // the same as processor time; 0 if unknown, as with several workers
	Error          string       `json:",omitempty"` // why there is no result, or not all of it
}

// TrialPoint is the last model of a path with at most Size support vectors, and more than the size
// before allows.
type TrialPoint struct {
	Size             int
	SupportSize      int
	Parameter        float64 // of the path, 0 if it has none
	Validation, Test []int   // rows on the wrong side, by split
}

// Bench is where trials are run: the data, and the references that trials share. It may be
// used by several goroutines.
type Bench struct {
	Train, HeldOut *Dataset

	specs        *specs
	train, held  string // checksums
	mutex        sync.Mutex
	fits         map[string]*sharedFit
	judges       map[string]*judge
	checksumOnce sync.Once
}

// sharedFit is a reference, fitted by the first trial that needs it.
type sharedFit struct {
	mutex sync.Mutex
	model *Model
}

// NewBench is a place to run trials on this data.
func NewBench(train, heldOut *Dataset) *Bench {
	return &Bench{Train: train, HeldOut: heldOut, specs: newSpecs()}
}

// checksums are those of the data.
func (b *Bench) checksums() (train, heldOut string) {
	b.checksumOnce.Do(func() { b.train, b.held = b.Train.Checksum(), b.HeldOut.Checksum() })
	return b.train, b.held
}

// Run runs a trial. What goes wrong in it, parameters, data, a panic of a kernel, is the Error of
// the result; the error that is returned is ctx.Err(), and then there is no result. workers
// is the number of goroutines, 0: GOMAXPROCS; the result does not depend on it, apart
// from Seconds and CPUSeconds.
func (b *Bench) Run(ctx context.Context, t Trial, workers int) (result TrialResult, err error) {
	result = TrialResult{Key: t.Key(), Trial: t}
	defer func() {
		if p := recover(); p != nil {
			result.Error = fmt.Sprintf("panic: %v", p)
		}
		if ctx.Err() != nil {
			result, err = TrialResult{}, ctx.Err()
		}
	}()
	if wrong := b.run(ctx, t, workers, &result); wrong != nil {
		result.Error = wrong.Error()
	}
	return result, nil
}

func (b *Bench) run(ctx context.Context, t Trial, workers int, result *TrialResult) error {
	if train, heldOut := b.checksums(); train != t.Train || heldOut != t.HeldOut {
		return fmt.Errorf("the trial is for other data: training rows %.12s…, held-out rows %.12s…; here are %.12s… and %.12s…", t.Train, t.HeldOut, train, heldOut)
	}
	if !slices.IsSorted(t.Sizes) || len(t.Sizes) > 0 && t.Sizes[0] < 1 {
		return fmt.Errorf("trial: Sizes = %v: want numbers ≥ 1, ascending", t.Sizes)
	}
	j, err := b.judge(t)
	if err != nil {
		return err
	}
	s, err := b.solver(ctx, t.Solver, workers)
	if err != nil {
		return err
	}
	result.ValidationRows, result.TestRows = j.counts[0].validation, j.counts[0].test
	started := time.Now()
	c := &collector{sizes: t.Sizes}
	var fit *Result
	var failed error
	used := threadTime(func() { fit, failed = c.collect(ctx, s, b.Train) })
	result.Seconds = time.Since(started).Seconds()
	if workers == 1 {
		result.CPUSeconds = used.Seconds()
	}
	if fit != nil {
		result.Status = fit.Status.String()
	}
	if errors.Is(failed, errEnough) {
		failed = nil
	}
	if len(c.models) == 0 || ctx.Err() != nil {
		return failed
	}
	errorsOf := j.errors
	if j.tune {
		errorsOf = j.tunedErrors
	}
	wrong, err := errorsOf(ctx, newPathModels(c.models), workers)
	if err != nil {
		return err
	}
	for k, point := range c.points {
		for _, count := range wrong[k] {
			point.Validation, point.Test = append(point.Validation, count.validation), append(point.Test, count.test)
		}
		result.Points = append(result.Points, point)
	}
	return failed
}

// judge is that of a trial, made once for all that judge in the same way.
func (b *Bench) judge(t Trial) (*judge, error) {
	p := Protocol{Splits: t.Splits, ValidationFraction: t.ValidationFraction, TuneBias: t.TuneBias, Seed: t.Seed}
	name := fmt.Sprint(p.Splits, p.ValidationFraction, p.TuneBias, p.Seed)
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if j, known := b.judges[name]; known {
		return j, nil
	}
	j, err := p.judge(b.HeldOut)
	if err != nil {
		return nil, err
	}
	if b.judges == nil {
		b.judges = map[string]*judge{}
	}
	b.judges[name] = j
	return j, nil
}

// solver makes the solver of a trial, with its reference fitted.
func (b *Bench) solver(ctx context.Context, spec json.RawMessage, workers int) (Solver, error) {
	b.mutex.Lock()
	one := *b.specs
	b.mutex.Unlock()
	one.fit = func(spec json.RawMessage, s Solver) (*Model, error) { return b.reference(ctx, spec, s) }
	s, err := one.readSolver(spec)
	if err != nil {
		return nil, err
	}
	return withWorkers(s, workers), nil
}

// reference fits a model, unless another trial has done so.
func (b *Bench) reference(ctx context.Context, spec json.RawMessage, s Solver) (*Model, error) {
	b.mutex.Lock()
	if b.fits == nil {
		b.fits = map[string]*sharedFit{}
	}
	shared, known := b.fits[string(spec)]
	if !known {
		shared = &sharedFit{}
		b.fits[string(spec)] = shared
	}
	b.mutex.Unlock()
	shared.mutex.Lock()
	defer shared.mutex.Unlock()
	if shared.model != nil {
		return shared.model, nil
	}
	fit, err := s.Fit(ctx, b.Train)
	if err != nil {
		return nil, err
	}
	shared.model = fit.Model
	return fit.Model, nil
}

// withWorkers is the solver with Settings.Workers, and that of the solver in its field Of.
func withWorkers(s Solver, workers int) Solver {
	v := reflect.New(reflect.TypeOf(s)).Elem()
	v.Set(reflect.ValueOf(s))
	if field := v.FieldByName("Settings"); field.IsValid() && field.Type() == reflect.TypeFor[Settings]() {
		settings := field.Interface().(Settings)
		settings.Workers = workers
		field.Set(reflect.ValueOf(settings))
	}
	if field := v.FieldByName("Of"); field.IsValid() && !field.IsZero() {
		if of, ok := field.Interface().(Solver); ok {
			field.Set(reflect.ValueOf(withWorkers(of, workers)))
		}
	}
	return v.Interface().(Solver)
}

// collector keeps, for each size, the last model of a path that belongs to it.
type collector struct {
	sizes  []int
	points []TrialPoint
	models []*Model
}

// collect runs a path, or a fit of a solver that has none, as far as there are sizes.
func (c *collector) collect(ctx context.Context, s Solver, train *Dataset) (*Result, error) {
	path, ok := s.(PathSolver)
	if !ok {
		fit, err := s.Fit(ctx, train)
		if err == nil {
			err = c.visit(0, fit.Model)
		}
		return fit, err
	}
	return path.FitPath(ctx, train, c.visit)
}

func (c *collector) visit(parameter float64, m *Model) error {
	if math.IsNaN(parameter) || math.IsInf(parameter, 0) {
		parameter = 0
	}
	point := TrialPoint{Size: m.SupportSize(), SupportSize: m.SupportSize(), Parameter: parameter}
	if len(c.sizes) > 0 {
		k, _ := slices.BinarySearch(c.sizes, m.SupportSize())
		if k == len(c.sizes) {
			return errEnough
		}
		point.Size = c.sizes[k]
	}
	at, found := slices.BinarySearchFunc(c.points, point.Size, func(p TrialPoint, size int) int { return p.Size - size })
	if found {
		c.points[at], c.models[at] = point, m
		return nil
	}
	c.points, c.models = slices.Insert(c.points, at, point), slices.Insert(c.models, at, m)
	return nil
}
