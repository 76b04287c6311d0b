package solvers_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// clouds is n rows of normal clouds that overlap, one per label, in random order.
func clouds(n int, labels []float64, seed uint64) *solvers.Dataset {
	random := rand.New(rand.NewPCG(seed, 5))
	x, y := make([][]float64, n), make([]float64, n)
	for i := range x {
		c := i % len(labels)
		angle := 2 * math.Pi * float64(c) / float64(len(labels))
		y[i] = labels[c]
		x[i] = []float64{2*math.Cos(angle) + random.NormFloat64(), 2*math.Sin(angle) + random.NormFloat64()}
	}
	random.Shuffle(n, func(i, j int) { x[i], x[j], y[i], y[j] = x[j], x[i], y[j], y[i] })
	d, err := datasets.FromDense(x, y)
	if err != nil {
		panic(err)
	}
	d.Name = "clouds"
	return d
}

func fitMulti(t *testing.T, s solvers.MultiSolver, d *solvers.Dataset) *solvers.MultiResult {
	t.Helper()
	r, err := s.Fit(context.Background(), d)
	if err != nil {
		t.Fatalf("%s: %v", s.Name(), err)
	}
	return r
}

func bothWays(s solvers.Solver, workers int) []solvers.MultiSolver {
	return []solvers.MultiSolver{solvers.OneVsRest{Solver: s, Workers: workers}, solvers.OneVsOne{Solver: s, Workers: workers}}
}

// predictByHand is the rule of each method from the machines' own decision values.
func predictByHand(r *solvers.MultiResult, x solvers.Vector) float64 {
	score := map[float64]float64{}
	for _, machine := range r.Machines {
		f := machine.Decision(x)
		switch {
		case math.IsNaN(machine.Negative):
			score[machine.Positive] = f
		case f >= 0:
			score[machine.Positive]++
		default:
			score[machine.Negative]++
		}
	}
	best, top := 0.0, math.Inf(-1)
	for _, c := range r.Classes {
		if s, found := score[c]; found && s > top {
			best, top = c, s
		}
	}
	return best
}

// Every machine is the two-class solution of its rows, and the rule of the method combines them.
func TestMulticlassByHand(t *testing.T) {
	checked := 0
	for k, labels := range [][]float64{{-3, 0, 7}, {1, 2, 3, 4, 5}} {
		train, test := clouds(150, labels, uint64(k)), clouds(200, labels, 9)
		for _, s := range bothWays(solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: 3}, 0) {
			r := fitMulti(t, s, train)
			for m, machine := range r.Machines {
				d := train.Groups([]float64{machine.Negative}, []float64{machine.Positive})
				if math.IsNaN(machine.Negative) {
					d = train.OneAgainst(machine.Positive)
				}
				own := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: 3}, d)
				if !slices.Equal(own.Coefficients, machine.Coefficients) || own.Bias != machine.Bias || r.Results[m].Objective != own.Objective {
					t.Errorf("%s: the machine %g against %g is not its two-class model", s.Name(), machine.Positive, machine.Negative)
				}
				for i, row := range machine.Indices {
					if &train.X[row].Value[0] != &machine.SupportVectors[i].Value[0] {
						t.Fatalf("%s: support vector %d is not training row %d", s.Name(), i, row)
					}
				}
				checked++
			}
			wrong := 0
			predictions := r.Predictions(test)
			for i, x := range test.X {
				want := predictByHand(r, x)
				if r.Predict(x) != want || predictions[i] != want {
					t.Fatalf("%s: row %d: %g and %g, by hand %g", s.Name(), i, r.Predict(x), predictions[i], want)
				}
				if want != test.Y[i] {
					wrong++
				}
			}
			if got := r.ErrorRate(test); got != float64(wrong)/200 || got > 0.45 {
				t.Errorf("%s: error %g, by hand %d of 200", s.Name(), got, wrong)
			}
			checkRows(t, r)
		}
	}
	if checked != 3+3+5+10 {
		t.Errorf("checked %d machines", checked)
	}
}

// checkRows counts the distinct training rows by hand.
func checkRows(t *testing.T, r *solvers.MultiResult) {
	t.Helper()
	var rows []int
	for _, machine := range r.Machines {
		rows = append(rows, machine.Indices...)
	}
	all := len(rows)
	slices.Sort(rows)
	rows = slices.Compact(rows)
	if r.SupportSize() != len(rows) || len(rows) == all {
		t.Errorf("%d support vectors; %d distinct of %d", r.SupportSize(), len(rows), all)
	}
}

// With two classes the predictions and decision values are those of the two-class model.
func TestMulticlassOfTwo(t *testing.T) {
	mapped := clouds(120, []float64{3, 8}, 3)
	all := clouds(180, []float64{3, 8, 9}, 4)
	var rows []int
	for i, y := range all.Y {
		if y != 9 {
			rows = append(rows, i)
		}
	}
	unmapped := all.Subset(rows)
	for _, s := range []solvers.Solver{solvers.SMO{C: 2}, solvers.ISSVM{Aggressive: true}, solvers.BudgetSVM{Budget: 12}} {
		for _, multi := range bothWays(s, 0) {
			own, r := fit(t, s, mapped), fitMulti(t, multi, mapped)
			decisions, each := own.Decisions(mapped), r.Decisions(mapped)
			for i, x := range mapped.X {
				if decisions[i] != each[i][0] || own.Predict(x) != r.Predict(x) {
					t.Fatalf("%s: row %d: %g, two-class %g", multi.Name(), i, each[i][0], decisions[i])
				}
			}
			if own.ErrorRate(mapped) != r.ErrorRate(mapped) || own.SupportSize() != r.SupportSize() || !slices.Equal(r.Labels, []float64{3, 8}) {
				t.Errorf("%s: %v; two-class %v", multi.Name(), r, own)
			}
			// Rows of two labels that are not -1 and +1.
			own, r = fit(t, s, unmapped.Groups([]float64{3}, []float64{8})), fitMulti(t, multi, unmapped)
			if p := r.Predict(unmapped.X[0]); p != 3 && p != 8 {
				t.Errorf("%s: predicts %g", multi.Name(), p)
			}
			if !slices.Equal(own.Coefficients, r.Machines[0].Coefficients) || own.ErrorRate(unmapped.Groups([]float64{3}, []float64{8})) != r.ErrorRate(unmapped) {
				t.Errorf("%s: %v; two-class %v", multi.Name(), r, own)
			}
			if r.ErrorRate(mapped) > 0.2 {
				t.Errorf("%s: error %g on rows whose labels were mapped", multi.Name(), r.ErrorRate(mapped))
			}
		}
	}
}

// Every solver can be wrapped, and the number of workers changes nothing.
func TestMulticlassOfEverySolver(t *testing.T) {
	d := clouds(45, []float64{0, 1, 2}, 6)
	kernel := solvers.RBF{Gamma: 0.5}
	for _, s := range []solvers.Solver{
		solvers.SMO{Kernel: kernel}, solvers.SBP{Kernel: kernel}, solvers.ISSVM{Kernel: kernel}, solvers.SASSO{Kernel: kernel},
		solvers.LassoPath{Kernel: kernel}, solvers.BudgetSVM{Kernel: kernel, Budget: 10}, solvers.MinimalSVM{Kernel: kernel},
	} {
		for k, multi := range bothWays(s, 1) {
			one, eight := fitMulti(t, multi, d), fitMulti(t, bothWays(s, 8)[k], d)
			if len(one.Machines) != 3 || one.Solver.Name() != multi.Name() {
				t.Fatalf("%s: %d machines", multi.Name(), len(one.Machines))
			}
			for m := range one.Machines {
				a, b := one.Machines[m], eight.Machines[m]
				if a.Positive != b.Positive || a.Bias != b.Bias || !slices.Equal(a.Coefficients, b.Coefficients) || !slices.Equal(a.Indices, b.Indices) {
					t.Errorf("%s: machine %d depends on Workers", multi.Name(), m)
				}
			}
			if e := one.ErrorRate(d); e > 0.35 {
				t.Errorf("%s: error %g", multi.Name(), e)
			}
		}
	}
}

// broken fails on its second problem.
type broken struct{ solvers.SMO }

func (b broken) Fit(ctx context.Context, d *solvers.Dataset) (*solvers.Result, error) {
	if strings.Contains(d.Name, "1 against") {
		return nil, errors.New("no luck")
	}
	return b.SMO.Fit(ctx, d)
}

func TestMulticlassErrors(t *testing.T) {
	d := clouds(60, []float64{0, 1, 2}, 6)
	reference := fit(t, solvers.SMO{}, d.OneAgainst(1)).Model
	noLabel, notFinite := d.Subset(seq(0, 60)), d.Subset(seq(0, 60))
	noLabel.Y[4] = math.NaN()
	notFinite.X[7] = solvers.Vector{Index: []int32{1}, Value: []float64{math.Inf(1)}}
	for _, test := range []struct {
		solver  solvers.Solver
		workers int
		d       *solvers.Dataset
		want    string
		kind    any
	}{
		{nil, 0, d, "Solver is nil: want one such as SMO{C: 10}", nil},
		{solvers.SMO{}, -1, d, "Workers = -1: want ≥ 0 (0: default 1)", new(*solvers.ParamError)},
		{solvers.SMO{C: -1}, 0, d, "SMO.C = -1: want > 0 (0: default 1)", new(*solvers.ParamError)},
		{solvers.SMO{}, 0, nil, "no rows: want at least one of each class", new(*solvers.DataError)},
		{solvers.SMO{}, 0, d.Subset(nil), "no rows: want at least one of each class", new(*solvers.DataError)},
		{solvers.SMO{}, 0, &solvers.Dataset{Dim: 2, X: d.X, Y: d.Y[:3]}, "60 rows but 3 labels: want one label per row", new(*solvers.DataError)},
		{solvers.SMO{}, 0, noLabel, "clouds: row 4: label is NaN: want a finite number", new(*solvers.DataError)},
		{solvers.SMO{}, 0, notFinite, "clouds: row 7: feature 1 is +Inf: want a finite number", new(*solvers.DataError)},
		{solvers.SMO{}, 0, clouds(9, []float64{5}, 1), "clouds: all rows are of the class 5: want rows of two classes at least", new(*solvers.DataError)},
		{solvers.ISSVM{Reference: reference}, 0, d, "the Reference of ISSVM knows two classes, and the data has 3", nil},
		{broken{}, 0, d, "1 against", nil},
		{broken{}, 8, d, "no luck", nil},
	} {
		for _, s := range bothWays(test.solver, test.workers) {
			r, err := s.Fit(context.Background(), test.d)
			if r != nil || err == nil || !strings.Contains(err.Error(), test.want) || test.kind != nil && !errors.As(err, test.kind) {
				t.Errorf("%s: %v (%T), want %s", s.Name(), err, err, test.want)
			}
		}
	}
}

// Progress counts the problems, from one goroutine at a time, up to all of them.
func TestMulticlassProgress(t *testing.T) {
	for _, s := range bothWays(solvers.SMO{}, 8) {
		var seen []solvers.Progress
		ctx := solvers.WithProgress(context.Background(), func(p solvers.Progress) { seen = append(seen, p) })
		r, err := s.Fit(ctx, clouds(200, []float64{0, 1, 2, 3}, 2))
		if err != nil {
			t.Fatal(err)
		}
		last := seen[len(seen)-1]
		if last.Iteration != len(r.Machines) || last.MaxIterations != len(r.Machines) || last.SupportSize == 0 {
			t.Errorf("%s: %+v at the end", s.Name(), last)
		}
		for k := 1; k < len(seen); k++ {
			if seen[k].Iteration < seen[k-1].Iteration {
				t.Errorf("%s: problem %d after %d", s.Name(), seen[k].Iteration, seen[k-1].Iteration)
			}
		}
	}
}

// slowFrom behaves as SMO until the context ends while it trains on class 2.
type slowFrom struct{ cancel func() }

func (slowFrom) Name() string { return "slow" }
func (s slowFrom) Fit(ctx context.Context, d *solvers.Dataset) (*solvers.Result, error) {
	if strings.Contains(d.Name, "2 against") {
		s.cancel()
	}
	return solvers.SMO{}.Fit(ctx, d)
}

// An interrupted run returns the machines it has, and predicts with them.
func TestMulticlassInterrupted(t *testing.T) {
	d := clouds(200, []float64{0, 1, 2, 3}, 2)
	for k := range 2 {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		r, err := bothWays(slowFrom{cancel}, 0)[k].Fit(ctx, d)
		cancel()
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled || len(r.Machines) == 0 || len(r.Machines) > 3 {
			t.Fatalf("%v, %v", r, err)
		}
		if e := r.ErrorRate(d); !(e > 0.3 && e < 0.8) || !strings.Contains(r.HTML(), "classes without a machine") || !strings.Contains(r.String(), "Canceled") {
			t.Errorf("error %g: %v", e, r)
		}
		r, err = bothWays(solvers.SMO{}, 0)[k].Fit(ctx, d)
		if r != nil || !errors.Is(err, context.Canceled) {
			t.Errorf("begun after the end: %v, %v", r, err)
		}
	}
}

func TestMulticlassText(t *testing.T) {
	d := clouds(300, seqFloats(10), 2)
	d.Name = "<b>"
	r := fitMulti(t, solvers.OneVsOne{Solver: solvers.SMO{C: 2, Kernel: solvers.RBF{Gamma: 1}, Settings: solvers.Settings{MaxIterations: 3}}}, d)
	if text := r.String(); !strings.HasPrefix(text, "OneVsOne(SMO(C=2, RBF(Gamma=1))): 10 classes, ") || !strings.Contains(text, "IterationLimit after ") {
		t.Error(text)
	}
	for _, html := range []string{r.HTML(), r.MultiModel.HTML()} {
		for _, want := range []string{"10: 0, 1, 2, 3, 4, 5, …, 9", "45 machines", "1 against 0", "and 25 more"} {
			if !strings.Contains(html, want) {
				t.Errorf("no %q in %s", want, html)
			}
		}
	}
	if html := r.HTML(); !strings.Contains(html, " of 45 problems ended early; 1 against 0: IterationLimit") {
		t.Error(html)
	}
	if text := r.MultiModel.String(); !strings.HasPrefix(text, "MultiModel(RBF(Gamma=1)): 10 classes, 45 machines, ") {
		t.Error(text)
	}
	if !math.IsNaN(r.ErrorRate(d.Subset(nil))) {
		t.Error("no rows have an error rate")
	}
}

func seqFloats(n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(i)
	}
	return out
}
