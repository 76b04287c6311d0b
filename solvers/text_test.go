package solvers_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/internal/svmtest"
)

// wellFormed checks that every element is closed, that there is no script and no outside file.
func wellFormed(t *testing.T, text string) {
	t.Helper()
	decoder, elements := xml.NewDecoder(strings.NewReader("<all>"+text+"</all>")), 0
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if _, ok := token.(xml.StartElement); ok {
			elements++
		}
	}
	if elements < 5 {
		t.Errorf("%d elements only", elements)
	}
	for _, bad := range []string{"<script", "http", "url(", "class="} {
		if strings.Contains(text, bad) {
			t.Errorf("%q in\n%s", bad, text)
		}
	}
}

func TestResultString(t *testing.T) {
	d := svmtest.SixPoints()
	for _, test := range []struct {
		s    solvers.Solver
		want string // up to the time
	}{
		{solvers.SMO{Kernel: solvers.Linear{}}, "SMO(Linear): 2 support vectors of 6 (33.33%), bias 0, converged in 1 iteration, "},
		{solvers.SMO{C: 0.1, WeightPositive: 2}, "SMO(C=0.1, WeightPositive=2, RBF(Gamma=0.5)): 6 support vectors of 6 (100.00%), bias "},
		{solvers.ISSVM{Kernel: solvers.Linear{}, Aggressive: true, Epsilon: 0.25, Settings: solvers.Settings{Seed: 3}}, "ISSVM(Epsilon=0.25, Aggressive, Linear): "},
		{solvers.SMO{C: 10, Settings: solvers.Settings{MaxIterations: 1}}, "SMO(C=10, RBF(Gamma=0.5)): 2 support vectors of 6 (33.33%), bias 0, IterationLimit after 1 iteration, "},
	} {
		r := fit(t, test.s, d)
		if got := r.String(); !strings.HasPrefix(got, test.want) || strings.Contains(got, "\n") || !strings.HasSuffix(got, "s") {
			t.Errorf("%s\nwant %s", got, test.want)
		}
	}
}

func TestSeconds(t *testing.T) {
	d := svmtest.SixPoints()
	r := fit(t, solvers.SMO{}, d)
	for duration, want := range map[time.Duration]string{
		43 * time.Millisecond: ", 43 ms", 2100 * time.Millisecond: ", 2.1 s", 200 * time.Second: ", 3 min 20 s",
	} {
		r.Runtime = duration
		if got := r.String(); !strings.HasSuffix(got, want) {
			t.Errorf("%s, want it to end with %s", got, want)
		}
	}
}

func TestResultHTML(t *testing.T) {
	d := svmtest.Random(60, 3, 1)
	r := fit(t, solvers.SMO{C: 0.5}, d)
	r.KernelEvaluations = 14273100
	text := r.HTML()
	wellFormed(t, text)
	for _, want := range []string{"SMO(C=0.5, RBF(Gamma=0.333333))", "of 60 (", "at the bound C", "‖w‖", "Converged", "14,273,100", "<details", "Settings.Workers", "var(--jp-"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if head, _, _ := strings.Cut(text, "<details"); strings.Count(head, "<tr>") > 9 || strings.Contains(head, "warn-color") {
		t.Errorf("more than 9 rows, or amber, in\n%s", head)
	}
	r = fit(t, solvers.ISSVM{Settings: solvers.Settings{MaxIterations: 2}}, d)
	text = r.HTML()
	wellFormed(t, text)
	for _, want := range []string{"IterationLimit: gap ", "&gt; Epsilon 0.5; raise Settings.MaxIterations", "warn-color", "Lemma 4.1", "does not hold"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	bare := &solvers.Result{Model: r.Model}
	wellFormed(t, bare.HTML())
	if got := bare.String(); !strings.HasPrefix(got, "Model: 2 support vectors, bias ") {
		t.Errorf("a bare result is %s", got)
	}
}

func TestModelText(t *testing.T) {
	m := fit(t, solvers.SMO{Kernel: solvers.Linear{}}, svmtest.SixPoints()).Model
	m.Labels = []float64{3, 8}
	if got, want := m.String(), "Model(Linear): 2 support vectors, bias 0"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	text := m.HTML()
	wellFormed(t, text)
	for _, want := range []string{"3 is -1, 8 is +1", "0.25", "0:1 1:1"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	wellFormed(t, (&solvers.Model{}).HTML())
}

func somePath(n int) *solvers.Path {
	path := &solvers.Path{Solver: "ISSVM", Dataset: "<b>&", ParameterName: "Iterations", Reference: solvers.PathPoint{SupportSize: 5000, TestError: 0.0144, ValidationError: 0.0143, Parameter: math.NaN()}}
	for i := range n {
		path.Points = append(path.Points, solvers.PathPoint{SupportSize: i + 1, Parameter: float64(3 * i), TestError: 1 / float64(i+2), ValidationError: math.Abs(float64(i)-0.7*float64(n)) / 300, TestStd: 0.001})
	}
	return path
}

func TestPathText(t *testing.T) {
	for _, test := range []struct{ points, lines int }{{0, 0}, {1, 1}, {20, 20}, {214, 11}} {
		path := somePath(test.points)
		text := path.HTML()
		wellFormed(t, text)
		if got := strings.Count(text, "<tr>") - 2; got != test.lines {
			t.Errorf("%d points: %d lines in the HTML, want %d", test.points, got, test.lines)
		}
		if strings.Contains(text, "<b>&") {
			t.Error("the name is not escaped")
		}
		plain := path.String()
		if strings.Contains(plain, "← best") != (test.points > 0) || !strings.Contains(plain, "reference") {
			t.Errorf("%d points:\n%s", test.points, plain)
		}
		if test.points == 214 {
			if !strings.Contains(plain, "11 of 214 models") || !strings.Contains(plain, "  151  ") {
				t.Errorf("%s", plain)
			}
		}
	}
	if got, want := (solvers.PathPoint{SupportSize: 312, TestError: 0.0159, TestStd: 0.0003, ValidationError: 0.0157}).String(),
		"312 support vectors: test error 1.59% ± 0.03, validation error 1.57%"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// What a fit of its own reference was asked for is shown, and what pruning left out.
func TestResultTextOfReference(t *testing.T) {
	d := svmtest.Random(100, 3, 1)
	r := fit(t, solvers.ISSVM{Kernel: solvers.RBF{Gamma: 2}, C: 10}, d)
	if text := r.String(); !strings.HasPrefix(text, "ISSVM(C=10, RBF(Gamma=2)): ") {
		t.Error(text)
	}
	pruned := fit(t, solvers.BudgetSVM{Kernel: solvers.RBF{Gamma: 2}, Budget: 10}, d)
	want := fmt.Sprintf("10 support vectors of 100 (10.00%%), %d before pruning, bias", pruned.FullSupportSize)
	if text := pruned.String(); !strings.Contains(text, want) || pruned.FullSupportSize <= 10 {
		t.Error(text)
	}
}
