package solvers_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// A path keeps the winner of a smaller budget as long as no other is better, and then it is the
// same model.
func TestCondensePathKeepsWinners(t *testing.T) {
	d := blobs(300, 3, 5)
	models := map[float64]*solvers.Model{}
	s := solvers.Condense{Kernel: solvers.RBF{Gamma: 0.5}, C: 10, Budgets: []int{6, 7, 8, 12, 13}}
	r, err := s.FitPath(context.Background(), d, func(budget float64, m *solvers.Model) error {
		models[budget] = m
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	checkCandidates(t, r)
	last, before, kept, offered := 1.0, 0, 0, 0
	for _, budget := range s.Budgets {
		for _, c := range r.Candidates {
			if c.Budget != budget {
				continue
			}
			again := strings.Contains(c.Name, "vectors before")
			if again {
				offered++
			}
			if !c.Chosen {
				continue
			}
			if c.ValidationError > last+c.StandardError+0.01 {
				t.Errorf("%d vectors: validation error %g, before %g", budget, c.ValidationError, last)
			}
			last = c.ValidationError
			if again {
				kept++
				if models[float64(budget)] != models[float64(before)] {
					t.Errorf("%d vectors: the winner of %d is another model now", budget, before)
				}
			}
		}
		before = budget
	}
	if offered != 4 || kept == 0 {
		t.Errorf("%d winners offered again, %d kept", offered, kept)
	}
}

// The validation error is shown live: it falls from the first candidate's to the winner's.
func TestCondenseProgress(t *testing.T) {
	var seen []float64
	d := blobs(400, 3, 2)
	dense := fit(t, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.5}, C: 10}, d).Model
	s := solvers.Condense{Reference: dense, Budget: 6, Settings: solvers.Settings{MaxIterations: 200, Progress: func(p solvers.Progress) { seen = append(seen, p.Objective) }}}
	r := fit(t, s, d)
	for _, p := range r.Trace {
		if p.Objective < r.Objective {
			t.Errorf("validation error %g on the way, the winner's %g", p.Objective, r.Objective)
		}
	}
	for i, objective := range seen {
		if !(objective >= 0 && objective <= 1) || i > 0 && i < len(seen)-1 && objective > seen[i-1] {
			t.Errorf("validation errors %v", seen)
		}
	}
	if len(seen) == 0 || seen[len(seen)-1] != r.Objective || len(r.Trace) < 2 {
		t.Errorf("validation errors %v, the winner's %g", seen, r.Objective)
	}
	// Every pass computes the kernel of each row and vector; candidates have one vector at least.
	if least := int64(r.Iterations) * int64(0.8*float64(d.Len())); r.KernelEvaluations < least {
		t.Errorf("%d kernel values in %d passes: want %d at least", r.KernelEvaluations, r.Iterations, least)
	}
}

// Bytes is 12 for each feature, 8 for each coefficient and the bias: vectors that were moved are
// dense, so that few of them may be as large as many rows.
func TestBytes(t *testing.T) {
	d := blobs(200, 4, 2)
	few := fit(t, solvers.RSVM{Kernel: solvers.RBF{Gamma: 0.5}, Budget: 5}, d).Model
	moved := fit(t, solvers.VirtualVectors{Reference: few, Passes: 20}, d).Model
	if want := int64(8 + 8*5 + 12*5*4); moved.SupportSize() != 5 || moved.Bytes() != want {
		t.Errorf("%d bytes of %d vectors, want %d", moved.Bytes(), moved.SupportSize(), want)
	}
	entries := 0
	for _, x := range few.SupportVectors {
		entries += len(x.Index)
	}
	if want := int64(8 + 8*5 + 12*entries); few.Bytes() != want || entries >= 5*4 {
		t.Errorf("%d bytes of rows with %d entries, want %d", few.Bytes(), entries, want)
	}
}

// Pictures are not called unscaled because some pixels are seldom used, nor are rows of 0 and 1
// whose features are unequally frequent; an amount of money among shares is.
func TestCondenseNote(t *testing.T) {
	digits, _, err := datasets.Load("mnist38")
	if err != nil {
		t.Fatal(err)
	}
	binary, money := blobs(300, 20, 1), blobs(300, 20, 2)
	for i := range binary.X {
		binary.X[i] = solvers.Vector{Index: []int32{0}, Value: []float64{1}}
		for j := int32(1); j < 20; j++ {
			if i%(1<<min(j, 8)) == int(j)%2 {
				binary.X[i].Index, binary.X[i].Value = append(binary.X[i].Index, j), append(binary.X[i].Value, 1)
			}
		}
		for k, j := range money.X[i].Index {
			if j == 7 {
				money.X[i].Value[k] *= 1e4
			}
		}
	}
	few := make([]int, 200)
	for i := range few {
		few[i] = i
	}
	for name, d := range map[string]*solvers.Dataset{"digits": digits.Subset(few), "binary": binary, "money": money} {
		r := fit(t, solvers.Condense{Kernel: solvers.RBF{Gamma: 0.02}, Budget: 3, Settings: solvers.Settings{MaxIterations: 3}}, d)
		if (r.Note != "") != (name == "money") || name == "money" && !strings.Contains(r.Note, "feature 7 by about ") {
			t.Errorf("%s: note %q", name, r.Note)
		}
		if r.KernelEvaluations == 0 || math.IsNaN(r.Objective) {
			t.Errorf("%s: %d kernel values", name, r.KernelEvaluations)
		}
	}
}

// What is optional is off by default, and one more candidate each when it is asked for. A learned kernel
// may win, also in the middle of a path, and the next budget starts from rows again.
func TestCondenseOptions(t *testing.T) {
	d := blobs(110, 3, 4)
	options := map[string]solvers.Condense{
		"sigmoid loss":                   {Finish: true},
		"Gamma learned":                  {LearnGamma: true},
		"Gamma of each vector learned":   {LearnGammas: true},
		"scales of the features learned": {LearnScales: true},
		"none":                           {},
	}
	learned := 0
	for asked, s := range options {
		s.Kernel, s.C, s.Budgets, s.Validation = solvers.RBF{Gamma: 8}, 10, []int{3, 4, 5}, d
		kernels := map[string]bool{}
		r, err := s.FitPath(context.Background(), d, func(budget float64, m *solvers.Model) error {
			kernels[m.Kernel.String()] = true
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		checkCandidates(t, r)
		for name := range options {
			found := false
			for _, c := range r.Candidates {
				found = found || strings.HasSuffix(c.Name, name)
			}
			if found && name != asked || !found && name == asked && name != "none" && name != "sigmoid loss" {
				t.Errorf("%s: a candidate with %s: %t", asked, name, found)
			}
			if found && name == "sigmoid loss" {
				learned++
			}
		}
		if !kernels["RBF(Gamma=8)"] || len(kernels) > 1 {
			learned++
		}
	}
	if learned < 3 {
		t.Errorf("%d options changed a winner or added a candidate", learned)
	}
}
