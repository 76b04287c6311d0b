package bindings_test

import (
	"strings"
	"testing"
)

// What users of other languages and libraries type, with what they are told.
func TestHints(t *testing.T) {
	n := open(t)
	checked := 0
	for cell, want := range map[string]string{
		"x = 3": "declared with :=", "train, test = svm.Load(\"toy\")": "declared with :=",
		"sqrt(2)": "did you mean math.Sqrt?", "Printf(\"a\")": "did you mean fmt.Printf?",
		"np.array(3)": "packages mat, floats and stat", "plt.plot(1)": "svm.PlotTradeoff", "None": "in Go it is nil",
		"s := 'hello'": "double quotes", "for x in []int{1} { }": "for _, x := range xs", "while true { }": "for x < 3",
		"def f(x):": "func f(x float64)", "if true { return 3": "a { has no }", "print \"hello\"": "fmt.Println",
		"import \"C\"": "os/exec or !COMMAND", "import \"github.com/janpfeifer/gonb/gonbui\"": "packages display and widgets",
		"import \"github.com/a/b\"": "only packages that are built in", "svm.SVC{}": "svm.Fit(train, svm.SMO{",
		"svm.fit(nil, nil)": "did you mean svm.Fit?", "svm.SMO{gamma: 1}": "svm.SMO{Kernel: svm.RBF{Gamma: 0.5}}",
		"svm.ISSVM{Gamma: 1}": "svm.RBF{Gamma: 0.5}", "svm.SMO{maxIterations: 1}": "svm.SMO{Settings: svm.Settings{MaxIterations: 100000}}",
		"svm.SMO(10)": "svm.SMO{…}", "var v []float64; v.append(3)": "v = append(v, x)", "x := []int{1}; x.Len()": "len(x)",
		"y := 1 if true else 2": "if … { x = 1 } else { x = 2 }", "z := 2; z ** 2": "math.Pow", "int(\"3\")": "strconv.Atoi",
		"[1, 2, 3]": "[]int{1, 2, 3}", "a := 1\na++ + 1": "statement of its own", "try { }": "x, err := f()", "svm.SMO{C: \"1\"}": "leave the quotation marks out",
		"svm.Load(\"mnst38\")": `did you mean "mnist38"?`,
		"svm.KMeansCenters{}":  "did you mean svm.KMeans?", "svm.Boundary": "did you mean svm.",
	} {
		outcome, _ := n.try(cell)
		if outcome.Failure == nil || !strings.Contains(outcome.Failure.Message, want) {
			t.Errorf("%s: %+v: want %q", cell, outcome.Failure, want)
		} else if last := outcome.Failure.Traceback[len(outcome.Failure.Traceback)-1]; outcome.Failure.Name == "CompileError" && !strings.Contains(last, want) {
			t.Errorf("%s: the last line is %q: want the hint", cell, last)
		}
		checked++
	}
	for cell, unwanted := range map[string]string{"np2 + 1": "did you mean", "q": "did you mean"} {
		if outcome, _ := n.try(cell); outcome.Failure == nil || strings.Contains(outcome.Failure.Message, unwanted) {
			t.Errorf("%s: %+v", cell, outcome.Failure)
		}
		checked++
	}
	if checked < 30 {
		t.Fatalf("%d cells", checked)
	}
}
