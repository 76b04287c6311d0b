package solvers_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// checkCandidates checks what every result of Condense says of its choice.
func checkCandidates(t *testing.T, r *solvers.Result) {
	t.Helper()
	chosen := map[int]int{}
	budgets := map[int]bool{}
	for _, c := range r.Candidates {
		budgets[c.Budget] = true
		if c.Chosen {
			chosen[c.Budget]++
			if c.Difference != 0 || c.Vectors > c.Budget {
				t.Errorf("the winner is %+v", c)
			}
		}
		if !(c.ValidationError >= 0 && c.ValidationError <= 1 && c.StandardError >= 0) || c.Difference != 0 && c.StandardError == 0 {
			t.Errorf("candidate %+v", c)
		}
	}
	for budget := range budgets {
		if chosen[budget] != 1 {
			t.Errorf("%d winners for %d vectors", chosen[budget], budget)
		}
	}
	if len(r.Candidates) == 0 || len(chosen) == 0 {
		t.Error("no candidates")
	}
}

// With few vectors Condense keeps what the dense model knows, and its figures can be computed again.
func TestCondense(t *testing.T) {
	d, test := blobs(600, 3, 1), blobs(2000, 3, 2)
	dense := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: 10}, d)
	rows := fit(t, solvers.Refit{Of: solvers.Prune{Reference: dense.Model, Budget: 6}, C: 10}, d)
	for _, s := range []solvers.Condense{{}, {LastRows: true}, {HoldOut: 0.3, Finish: true}, {LearnGamma: true}} {
		s.Reference, s.Budget = dense.Model, 6
		r := fit(t, s, d)
		checkCandidates(t, r)
		if r.SupportSize() > 6 || r.Status != solvers.Converged {
			t.Errorf("%d vectors, %v", r.SupportSize(), r.Status)
		}
		few, many, kept := r.ErrorRate(test), dense.ErrorRate(test), rows.ErrorRate(test)
		if few > many+0.02 || few > kept/2 {
			t.Errorf("%+v: error %g, of the dense model %g, of six of its vectors %g", s, few, many, kept)
		}
		for _, c := range r.Candidates {
			if c.Chosen && c.ValidationError != r.Objective {
				t.Errorf("objective %g, the winner's error %g", r.Objective, c.ValidationError)
			}
		}
		text := r.String() + r.HTML()
		if r.Indices == nil && (strings.Contains(r.String(), "support vectors") || !strings.Contains(text, "dense model")) {
			t.Errorf("text %s", text)
		}
	}
	// The rows to choose on may be given: then nothing else is trained.
	r := fit(t, solvers.Condense{Reference: dense.Model, Budget: 6, Validation: test}, d)
	checkCandidates(t, r)
	if got := r.ErrorRate(test); got != r.Objective {
		t.Errorf("objective %g, error %g", r.Objective, got)
	}
}

// As many vectors as rows: on the rows that are chosen on, no more errors than the dense SVM.
func TestCondenseAllRows(t *testing.T) {
	for seed := range uint64(5) {
		d := svmtest.Random(60, 3, seed)
		dense := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 1}}, d).Model
		r := fit(t, solvers.Condense{Reference: dense, Budget: 60, Validation: d}, d)
		if got, most := r.ErrorRate(d), dense.ErrorRate(d); got > most {
			t.Errorf("seed %d: error %g, of the dense model %g", seed, got, most)
		}
	}
}

// Candidates run at once; neither their order nor the number of workers changes a byte. It is small,
// for the race detector.
func TestCondenseDeterministic(t *testing.T) {
	d := blobs(110, 3, 3)
	var first *solvers.Result
	for _, workers := range []int{1, 8} {
		r := fit(t, solvers.Condense{Kernel: solvers.RBF{Gamma: 0.5}, C: 10, Budget: 6, Finish: true, LearnGammas: true, Settings: solvers.Settings{Workers: workers, Seed: 4}}, d)
		for i := range r.Candidates {
			r.Candidates[i].Runtime = 0
		}
		if first == nil {
			first = r
		}
		if !reflect.DeepEqual(r.Model, first.Model) || !reflect.DeepEqual(r.Candidates, first.Candidates) || r.Iterations != first.Iterations || r.KernelEvaluations != first.KernelEvaluations {
			t.Errorf("%d workers give another result", workers)
		}
	}
}

// When ctx ends, the best model so far is returned, from whatever stage.
func TestCondenseCanceled(t *testing.T) {
	d := blobs(1500, 5, 3)
	dense := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: 10}, d).Model
	for _, after := range []int{0, 50} {
		ctx, cancel := context.WithCancel(context.Background())
		if after == 0 {
			cancel()
		}
		r, err := solvers.Condense{Reference: dense, Budget: 20, Settings: solvers.Settings{Progress: func(p solvers.Progress) {
			if p.Iteration > after {
				cancel()
			}
		}}}.Fit(ctx, d)
		if !errors.Is(err, context.Canceled) || r == nil || r.Status != solvers.Canceled || r.SupportSize() == 0 {
			t.Fatalf("after %d passes: %v, %v", after, r, err)
		}
		for _, f := range r.Decisions(d) {
			if math.IsNaN(f) {
				t.Fatal("a decision is NaN")
			}
		}
		_ = r.String() + r.HTML()
		cancel()
	}
	r := fit(t, solvers.Condense{Reference: dense, Budget: 20, Settings: solvers.Settings{MaxIterations: 40}}, d)
	if r.Status != solvers.IterationLimit || r.Iterations != 40 || r.SupportSize() > 20 || r.ErrorRate(d) > 0.4 {
		t.Errorf("%v after %d passes, error %g", r.Status, r.Iterations, r.ErrorRate(d))
	}
}

// A path's models grow, each from the one before; EveryCandidate shows them all.
func TestCondensePath(t *testing.T) {
	d := blobs(400, 3, 5)
	for _, every := range []bool{false, true} {
		var sizes []float64
		last := map[float64]float64{}
		s := solvers.Condense{Kernel: solvers.RBF{Gamma: 0.5}, C: 10, Budget: 16, EveryCandidate: every}
		r, err := s.FitPath(context.Background(), d, func(budget float64, m *solvers.Model) error {
			if m.SupportSize() > int(budget) {
				t.Errorf("%d vectors for %g", m.SupportSize(), budget)
			}
			sizes, last[budget] = append(sizes, budget), m.ErrorRate(d)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		checkCandidates(t, r)
		distinct := slices.Compact(slices.Clone(sizes))
		if !slices.Equal(distinct, []float64{8, 10, 12, 16}) || every != (len(sizes) > 4) || last[16] > 0.1 {
			t.Errorf("budgets %v, errors %v", sizes, last)
		}
	}
}

// Data of every kind: few rows, a rare class, copies of rows, features of different sizes, many
// features, other kernels.
func TestCondenseOddData(t *testing.T) {
	rare := blobs(800, 3, 7)
	for i := range rare.Y {
		if i%40 != 0 {
			rare.Y[i] = -1
		}
	}
	base := blobs(60, 3, 8)
	copies := base.Subset(slices.Repeat([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 30))
	unscaled := blobs(300, 3, 9)
	for i, x := range unscaled.X {
		value := slices.Clone(x.Value)
		for k, j := range x.Index {
			if j == 1 {
				value[k] *= 1e4
			}
		}
		unscaled.X[i].Value = value
	}
	many, tiny := svmtest.Random(80, 3, 10), svmtest.SixPoints()
	many.Dim = 5000
	for _, x := range many.X {
		for k := range x.Index {
			x.Index[k] *= 1600
		}
	}
	for name, d := range map[string]*solvers.Dataset{"rare": rare, "copies": copies, "unscaled": unscaled, "many": many, "tiny": tiny} {
		for _, k := range []solvers.Kernel{nil, solvers.Poly{Gamma: 0.1, Coef0: 1, Degree: 2}, solvers.Sigmoid{Gamma: 0.01}} {
			if _, poly := k.(solvers.Poly); name == "unscaled" && poly {
				continue // its values reach 10¹⁵
			}
			r, err := solvers.Condense{Kernel: k, Budget: 5, Settings: solvers.Settings{MaxIterations: 160}}.Fit(context.Background(), d)
			if err != nil {
				t.Errorf("%s, %v: %v", name, k, err)
				continue
			}
			checkCandidates(t, r)
			if r.SupportSize() > 5 {
				t.Errorf("%s, %v: %d vectors", name, k, r.SupportSize())
			}
			if noted := strings.Contains(r.Note, "feature 1 by about "); noted != (name == "unscaled") || noted && !strings.Contains(r.HTML(), "scale the features") {
				t.Errorf("%s: note %q", name, r.Note)
			}
		}
	}
}

func TestCondenseErrors(t *testing.T) {
	d := blobs(60, 3, 2)
	m := *fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 1}}, d).Model
	m.Kernel = solvers.KernelFunc(func(x, z solvers.Vector) float64 { return 1 })
	for _, test := range []struct {
		s    solvers.Condense
		want string
	}{
		{solvers.Condense{Reference: &m}, "Condense: no gradient of KernelFunc is known: want RBF, Poly, Linear or Sigmoid"},
		{solvers.Condense{Kernel: m.Kernel}, "Condense: no gradient of KernelFunc is known: want RBF, Poly, Linear or Sigmoid"},
		{solvers.Condense{Reference: &solvers.Model{Kernel: solvers.Linear{}}}, "Condense.Reference: no support vectors: want a trained model"},
		{solvers.Condense{HoldOut: 1}, "Condense.HoldOut = 1: want in (0, 1) (0: default 0.2)"},
		{solvers.Condense{Budget: -1}, "Condense.Budget = -1: want ≥ 1 (0: default 50)"},
		{solvers.Condense{Budgets: []int{4, 4}}, "Condense.Budgets = 4: want ≥ 1, and ascending"},
		{solvers.Condense{Validation: &solvers.Dataset{Name: "none"}}, "none: validation rows: want at least one, with labels -1 and +1"},
	} {
		if r, err := test.s.Fit(context.Background(), d); err == nil || err.Error() != test.want || r != nil {
			t.Errorf("%v\nwant %s", err, test.want)
		}
	}
}

// Several classes, through the wrappers.
func TestCondenseMulticlass(t *testing.T) {
	d := svmtest.Random(240, 3, 6)
	for i, x := range d.X {
		d.Y[i] = 0
		for k, v := range x.Value {
			if v > 1 {
				d.Y[i] = float64(x.Index[k])
			}
		}
	}
	d.Labels = nil
	r, err := solvers.OneVsRest{Solver: solvers.Condense{Kernel: solvers.RBF{Gamma: 0.5}, C: 10, Budget: 8, Settings: solvers.Settings{MaxIterations: 500}}}.Fit(context.Background(), d)
	if err != nil {
		t.Fatal(err)
	}
	if rate := r.ErrorRate(d); rate > 0.15 || len(r.Machines) != 3 {
		t.Errorf("error %g with %d machines", rate, len(r.Machines))
	}
}

// svm-predict of LIBSVM reads the model and predicts the same.
func TestCondenseForLIBSVM(t *testing.T) {
	if _, err := exec.LookPath("svm-predict"); err != nil {
		t.Skip("svm-predict of LIBSVM is not installed")
	}
	d := blobs(300, 3, 4)
	r := fit(t, solvers.Condense{Kernel: solvers.RBF{Gamma: 0.5}, C: 10, Budget: 7, Settings: solvers.Settings{MaxIterations: 300}}, d)
	folder := t.TempDir()
	model, rows, out := filepath.Join(folder, "model"), filepath.Join(folder, "rows"), filepath.Join(folder, "out")
	file, err := os.Create(rows)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(datasets.WriteLIBSVM(file, d), file.Close(), solvers.SaveModel(model, r.Model)); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command("svm-predict", rows, model, out).Output()
	if err != nil {
		t.Fatal(err)
	}
	right := d.Len() - int(math.Round(r.ErrorRate(d)*float64(d.Len())))
	if want := fmt.Sprintf("(%d/%d)", right, d.Len()); !strings.Contains(string(text), want) {
		t.Errorf("svm-predict says %s, want %s", text, want)
	}
}

// A path whose models have kernels of their own is judged by each model's own.
func TestCondensePathLearnsGamma(t *testing.T) {
	d, test := blobs(300, 3, 5), blobs(500, 3, 6)
	s := solvers.Condense{Kernel: solvers.RBF{Gamma: 5}, C: 10, Budgets: []int{4, 8}, LearnGamma: true, EveryCandidate: true}
	var models []*solvers.Model
	_, err := s.FitPath(context.Background(), d, func(_ float64, m *solvers.Model) error {
		models = append(models, m)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	path, err := solvers.Protocol{Splits: 1, ValidationFraction: 0.5}.Run(context.Background(), s, d, test)
	if err != nil {
		t.Fatal(err)
	}
	kernels := map[string]bool{}
	first, rest := test.Split(0.5, 0)
	for i, m := range models {
		kernels[m.Kernel.String()] = true
		found := slices.ContainsFunc(path.Points, func(q solvers.PathPoint) bool {
			return q.SupportSize == m.SupportSize() && math.Abs(q.TestError-m.ErrorRate(rest)) < 1e-12 && math.Abs(q.ValidationError-m.ErrorRate(first)) < 1e-12
		})
		if !found {
			t.Errorf("model %d, %v: no point of the path has its errors", i, m.Kernel)
		}
	}
	if len(kernels) < 2 || len(models) != len(path.Points) {
		t.Errorf("%d kernels, %d models, %d points", len(kernels), len(models), len(path.Points))
	}
}
