package solvers_test

import (
	"context"
	"errors"
	"math"
	"reflect"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// foreign is a path solver from outside the package: it visits the given models.
type foreign struct{ models []*solvers.Model }

func (foreign) Name() string          { return "Foreign" }
func (foreign) ParameterName() string { return "Number" }
func (f foreign) Fit(ctx context.Context, train *solvers.Dataset) (*solvers.Result, error) {
	return f.FitPath(ctx, train, func(float64, *solvers.Model) error { return nil })
}
func (f foreign) FitPath(ctx context.Context, train *solvers.Dataset, visit func(float64, *solvers.Model) error) (*solvers.Result, error) {
	for i, m := range f.models {
		if err := visit(float64(i), m); err != nil {
			return nil, err
		}
	}
	return &solvers.Result{Model: f.models[0], Solver: f}, nil
}

// models are a path whose models share support vectors, lose some, and have some without Indices.
func pathModels(t *testing.T, d *solvers.Dataset) []*solvers.Model {
	var models []*solvers.Model
	for i, c := range []float64{0.01, 0.1, 1, 100, 0.5} {
		m := *fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: c}, d).Model
		if i == 2 {
			m.Indices = nil
		}
		models = append(models, &m)
	}
	return models
}

// The errors and norms that a protocol reports are those of the models one by one.
func TestProtocol(t *testing.T) {
	train, heldOut := svmtest.Random(150, 3, 1), svmtest.Random(2500, 3, 2)
	models := pathModels(t, train)
	for _, p := range []solvers.Protocol{{}, {Splits: 3, ValidationFraction: 0.2, Seed: 5}, {TuneBias: true, Splits: 4}, {Splits: 1}} {
		path, err := p.Run(context.Background(), foreign{models}, train, heldOut)
		if err != nil {
			t.Fatal(err)
		}
		if len(path.Points) != len(models) || path.Solver != "Foreign" || path.Dataset != "random" || path.ParameterName != "Number" {
			t.Fatalf("%+v: %d points of %s on %s", p, len(path.Points), path.Solver, path.Dataset)
		}
		for i, point := range path.Points {
			if i > 0 && point.SupportSize < path.Points[i-1].SupportSize {
				t.Errorf("point %d has fewer support vectors than the one before", i)
			}
			m := models[int(point.Parameter)]
			if point.Model != m {
				t.Errorf("point %d has not its model", i)
			}
			validation, test, std := byHand(p, m, heldOut)
			if math.Abs(point.ValidationError-validation) > 1e-12 || math.Abs(point.TestError-test) > 1e-12 || math.Abs(point.TestStd-std) > 1e-12 {
				t.Errorf("%+v: point %v, one by one %g, %g ± %g", p, point, validation, test, std)
			}
			if point.SupportSize != m.SupportSize() || math.Abs(point.Norm-m.Norm()) > 1e-9*m.Norm() || !math.IsNaN(point.Objective) {
				t.Errorf("%+v: size %d, norm %g, objective %g", p, point.SupportSize, point.Norm, point.Objective)
			}
		}
	}
}

func byHand(p solvers.Protocol, m *solvers.Model, heldOut *solvers.Dataset) (validation, test, std float64) {
	if p.Splits == 0 {
		p.Splits = 10
	}
	if p.ValidationFraction == 0 {
		p.ValidationFraction = 0.5
	}
	var tests []float64
	for k := range p.Splits {
		first, rest := heldOut.Split(p.ValidationFraction, p.Seed+uint64(k))
		chosen := m
		if p.TuneBias {
			chosen = m.TuneBias(first)
		}
		validation += chosen.ErrorRate(first) / float64(p.Splits)
		tests = append(tests, chosen.ErrorRate(rest))
		test += tests[k] / float64(p.Splits)
	}
	for _, e := range tests {
		std += (e - test) * (e - test)
	}
	if p.Splits > 1 {
		std = math.Sqrt(std / float64(p.Splits-1))
	}
	return validation, test, std
}

func TestProtocolISSVM(t *testing.T) {
	train, heldOut := svmtest.Random(300, 3, 1), svmtest.Random(500, 3, 2)
	solver := solvers.ISSVM{Kernel: solvers.RBF{Gamma: 0.5}, C: 10, Aggressive: true, Epsilon: 0.2}
	path, err := solvers.Protocol{}.Run(context.Background(), solver, train, heldOut)
	if err != nil {
		t.Fatal(err)
	}
	last := path.Points[len(path.Points)-1]
	if len(path.Points) < 5 || path.Reference.SupportSize <= last.SupportSize || path.Reference.TestError <= 0 || path.Reference.Norm < last.Norm {
		t.Errorf("%d points, the last %+v, reference %+v", len(path.Points), last, path.Reference)
	}
	if !(last.Objective <= 0.2) || last.Parameter <= 0 {
		t.Errorf("last objective %g after %g iterations", last.Objective, last.Parameter)
	}
	again, err := solvers.Protocol{}.Run(context.Background(), solver, train, heldOut)
	if err != nil || !reflect.DeepEqual(path.Points, again.Points) {
		t.Error("a second run gives another path")
	}
}

func TestProtocolErrors(t *testing.T) {
	train, heldOut := svmtest.Random(50, 3, 1), svmtest.Random(50, 3, 2)
	classes := heldOut.Subset([]int{0, 1, 2})
	classes.Y = []float64{1, 2, 3}
	for _, test := range []struct {
		p       solvers.Protocol
		heldOut *solvers.Dataset
		want    string
	}{
		{solvers.Protocol{Splits: -1}, heldOut, "Protocol.Splits = -1: want ≥ 1 (0: default 10)"},
		{solvers.Protocol{ValidationFraction: 1}, heldOut, "Protocol.ValidationFraction = 1: want in (0, 1) (0: default 0.5)"},
		{solvers.Protocol{ValidationFraction: math.NaN()}, heldOut, "Protocol.ValidationFraction = NaN: want in (0, 1) (0: default 0.5)"},
		{solvers.Protocol{}, nil, "held-out rows: want at least two, one to choose on and one to report on"},
		{solvers.Protocol{}, heldOut.Subset([]int{1}), "held-out rows: want at least two, one to choose on and one to report on"},
		{solvers.Protocol{}, classes, "random: held-out rows: want labels -1 and +1; take OneAgainst or Groups as for training"},
		{solvers.Protocol{ValidationFraction: 1e-9}, heldOut, "random: 50 held-out rows are too few to split at 1e-09"},
	} {
		path, err := test.p.Run(context.Background(), solvers.ISSVM{}, train, test.heldOut)
		if err == nil || err.Error() != test.want || path != nil {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
	if _, err := (solvers.Protocol{}).Run(context.Background(), solvers.ISSVM{Eta: -1}, train, heldOut); err == nil {
		t.Error("no error for a wrong solver")
	}
}

// An interrupted path has the models visited before, judged, and says that it was interrupted.
func TestProtocolInterrupted(t *testing.T) {
	train, heldOut := svmtest.Random(300, 3, 1), svmtest.Random(500, 3, 2)
	reference := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}}, train).Model
	ctx, cancel := context.WithCancel(context.Background())
	kernel, calls := solvers.RBF{Gamma: 0.5}, 0
	reference.Kernel = solvers.KernelFunc(func(x, z solvers.Vector) float64 {
		if calls++; calls == 300*(reference.SupportSize()+20) {
			cancel()
		}
		return kernel.Eval(x, z)
	})
	solver := solvers.ISSVM{Reference: reference, Epsilon: 0.05, Settings: solvers.Settings{Workers: 1}}
	path, err := solvers.Protocol{}.Run(ctx, solver, train, heldOut)
	if !errors.Is(err, context.Canceled) || path == nil || len(path.Points) == 0 || path.Points[0].TestError <= 0 {
		t.Errorf("%v, %v", path, err)
	}
	if path, err := (solvers.Protocol{}).Run(ctx, solver, train, heldOut); path != nil || !errors.Is(err, context.Canceled) {
		t.Errorf("canceled before the start: %v, %v", path, err)
	}
}

func TestPathBest(t *testing.T) {
	path := solvers.Path{Points: []solvers.PathPoint{
		{SupportSize: 5, ValidationError: 0.3, TestError: 0},
		{SupportSize: 10, ValidationError: 0.1, TestError: 0.2},
		{SupportSize: 20, ValidationError: 0.1, TestError: 0.1},
		{SupportSize: 30, ValidationError: 0.2, TestError: 0.05},
	}}
	if got := path.Best().SupportSize; got != 10 {
		t.Errorf("Best has %d, want 10", got)
	}
	for size, want := range map[int]int{4: 0, 5: 5, 9: 5, 10: 10, 100: 10} {
		if got := path.AtMost(size).SupportSize; got != want {
			t.Errorf("AtMost(%d) has %d, want %d", size, got, want)
		}
	}
	if (&solvers.Path{}).Best() != (solvers.PathPoint{}) {
		t.Error("Best of no points is not zero")
	}
}
