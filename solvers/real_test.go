package solvers_test

import (
	"context"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// realSet is one of the papers' sets with its parameters, and what LIBSVM 3.37 gets on it with
// -e 0.001.
type realSet struct {
	name                string
	gamma, c            float64
	objective, norm2    float64
	support, testErrors int
	// ISSVM at Eta = Epsilon = ½ with the bias kept, basic and aggressive: steps and support. The
	// counts depend on ties and on the last digits of the reference, which decide which of the rows at
	// margin 1 are equal to those beyond. On a8a they are of svm-train's stopping point: its own model
	// comes within 3 %, ours within 12 %. From Epsilon = 1e-5 to 1e-7 ours has 746 steps and 635
	// support vectors, and 833 and 374 when aggressive. On ijcnn1 all references come within 5 %.
	basic, aggressive [2]int
	countTolerance    float64
	load              func() *trained
}

// trained is a set and its reference, made once for all tests of a process.
type trained struct {
	train, test *solvers.Dataset
	result      *solvers.Result
	err         error
}

var realSets = []*realSet{
	{name: "a8a", gamma: 0.1, c: 1, objective: -7134.2545, norm2: 1087.313, support: 8471, testErrors: 1440,
		basic: [2]int{671, 571}, aggressive: [2]int{846, 367}, countTolerance: 0.12},
	{name: "ijcnn1", gamma: 1, c: 10, objective: -19293.6134, norm2: 10627.318, support: 2750, testErrors: 1320,
		basic: [2]int{11397, 1213}, aggressive: [2]int{12103, 515}, countTolerance: 0.05},
}

// w8a is for the tests of SMO and of ISSVM's exact facts only, which no count of steps is stated for.
var w8a = &realSet{name: "w8a", gamma: 0.1, c: 10, objective: -8017.0857, norm2: 3144.419, support: 4660, testErrors: 101}

func init() {
	for _, set := range append(realSets[:len(realSets):len(realSets)], w8a) {
		set.load = sync.OnceValue(func() *trained {
			var r trained
			if r.train, r.test, r.err = datasets.Load(set.name); r.err == nil {
				r.result, r.err = solvers.SMO{Kernel: solvers.RBF{Gamma: set.gamma}, C: set.c}.Fit(context.Background(), r.train)
			}
			return &r
		})
	}
}

// realData skips the test unless real data is at hand and there is time.
func (s *realSet) realData(t *testing.T) *trained {
	t.Helper()
	if os.Getenv("GONB_SVM_DATA") == "" {
		t.Skip("GONB_SVM_DATA names no folder of real data")
	}
	if testing.Short() {
		t.Skip("real data takes seconds")
	}
	r := s.load()
	if r.err != nil {
		t.Fatal(r.err)
	}
	return r
}

func near(got, want, relative float64) bool { return math.Abs(got-want) <= relative*math.Abs(want) }

func TestRealSMO(t *testing.T) {
	for _, set := range append(realSets[:len(realSets):len(realSets)], w8a) {
		t.Run(set.name, func(t *testing.T) {
			data := set.realData(t)
			r := data.result
			t.Log(r, r.Objective)
			if r.Status != solvers.Converged || r.Gap > 1e-3 {
				t.Errorf("%v with gap %g", r.Status, r.Gap)
			}
			if norm := r.Norm(); !near(r.Objective, set.objective, 1e-4) || !near(norm*norm, set.norm2, 1e-3) {
				t.Errorf("objective %f, ‖w‖² %f; LIBSVM %f, %f", r.Objective, norm*norm, set.objective, set.norm2)
			}
			tolerance := 0.01
			if set == w8a {
				tolerance = 0.05 // two rows in five have a copy, with which they can share a coefficient
			}
			if !near(float64(r.SupportSize()), float64(set.support), tolerance) {
				t.Errorf("%d support vectors, LIBSVM %d", r.SupportSize(), set.support)
			}
			wrong := r.ErrorRate(data.test) * float64(data.test.Len())
			if math.Abs(wrong-float64(set.testErrors)) > 5 {
				t.Errorf("%g test errors, LIBSVM %d", wrong, set.testErrors)
			}
			// The optimality conditions from decision values alone: no pair violates them by
			// more than Epsilon, the bias being between.
			worst, beta := 0.0, betaOf(r.Model, data.train.Len())
			for i, f := range r.Decisions(data.train) {
				y := data.train.Y[i]
				switch short := 1 - y*f; {
				case beta[i] == 0:
					worst = max(worst, short)
				case math.Abs(beta[i]) == set.c:
					worst = max(worst, -short)
				default:
					worst = max(worst, math.Abs(short))
				}
			}
			if worst > 1e-3 {
				t.Errorf("a margin is wrong by %g", worst)
			}
		})
	}
}

func TestRealISSVM(t *testing.T) {
	for _, set := range append(realSets[:len(realSets):len(realSets)], w8a) {
		t.Run(set.name, func(t *testing.T) {
			data := set.realData(t)
			for _, s := range issvmRules {
				s.Reference = data.result.Model
				r := fit(t, s, data.train)
				t.Log(r, 100*r.ErrorRate(data.test))
				for _, check := range r.Certificate {
					if !check.Holds() {
						t.Errorf("%s: %g ≤ %g does not hold", check.Claim, check.Value, check.Bound)
					}
				}
				if r.Status != solvers.Converged || !near(r.Certificate[1].Bound, 4*set.norm2, 1e-3) {
					t.Errorf("%v, bound %g on the steps", r.Status, r.Certificate[1].Bound)
				}
				if !s.LearnBias && set != w8a {
					set.checkCounts(t, r, s.Aggressive, set.countTolerance)
				}
			}
		})
	}
}

func (s *realSet) checkCounts(t *testing.T, r *solvers.Result, aggressive bool, tolerance float64) {
	t.Helper()
	want := s.basic
	if aggressive {
		want = s.aggressive
	}
	if !near(float64(r.Iterations), float64(want[0]), tolerance) || !near(float64(r.SupportSize()), float64(want[1]), tolerance) {
		t.Errorf("%d steps, %d support vectors; want %v", r.Iterations, r.SupportSize(), want)
	}
}

// From LIBSVM's own model the counts on a8a are the stated ones within 5 %.
func TestRealISSVMFromLIBSVM(t *testing.T) {
	set := realSets[0]
	data := set.realData(t)
	file := filepath.Join(t.TempDir(), "a8a")
	rows := file + ".rows"
	write(t, rows, libsvmText(data.train, [2]string{"-1", "+1"}))
	if text, err := exec.Command(program(t, "svm-train"), "-q", "-t", "2", "-g", "0.1", "-c", "1", "-m", "1000", rows, file).CombinedOutput(); err != nil {
		t.Fatalf("svm-train: %v\n%s", err, text)
	}
	reference, err := solvers.LoadModel(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range issvmRules[:2] {
		s.Reference = reference
		r := fit(t, s, data.train)
		t.Log(r)
		set.checkCounts(t, r, s.Aggressive, 0.05)
	}
}

// The path of the largest test set: every point judged on 91701 rows.
func TestRealProtocol(t *testing.T) {
	set := realSets[1]
	data := set.realData(t)
	path, err := solvers.Protocol{}.Run(context.Background(), solvers.ISSVM{Reference: data.result.Model, Aggressive: true}, data.train, data.test)
	if err != nil {
		t.Fatal(err)
	}
	t.Log("\n" + path.String())
	best := path.Best()
	if len(path.Points) < 100 || !near(path.Reference.TestError, 0.0144, 0.05) {
		t.Errorf("%d points, reference %v", len(path.Points), path.Reference)
	}
	if best.SupportSize > 700 || best.TestError > 0.018 || best.TestStd > 0.001 {
		t.Errorf("best %v", best)
	}
	if few := path.AtMost(100); few.TestError < path.AtMost(400).TestError {
		t.Errorf("100 support vectors: %v, 400: %v", few, path.AtMost(400))
	}
}

func BenchmarkRealSMO(b *testing.B) {
	if os.Getenv("GONB_SVM_DATA") == "" {
		b.Skip("GONB_SVM_DATA names no folder of real data")
	}
	for _, set := range realSets {
		b.Run(set.name, func(b *testing.B) {
			train, _, err := datasets.Load(set.name)
			if err != nil {
				b.Fatal(err)
			}
			var evaluations int64
			for b.Loop() {
				r, err := solvers.SMO{Kernel: solvers.RBF{Gamma: set.gamma}, C: set.c}.Fit(context.Background(), train)
				if err != nil {
					b.Fatal(err)
				}
				evaluations += r.KernelEvaluations
			}
			b.ReportMetric(float64(evaluations)/float64(b.N), "kernel-evals/op")
		})
	}
}
