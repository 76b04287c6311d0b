package solvers_test

import (
	"context"
	"fmt"
	"math"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// cpuSeconds is the user and system time of this process.
func cpuSeconds() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return math.NaN()
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

// front reads what to reproduce: "ijcnn1:10,25,50 a8a:10".
func front(t *testing.T) map[string][]int {
	t.Helper()
	text := os.Getenv("GONB_SVM_FRONT")
	if text == "" {
		t.Skip("GONB_SVM_FRONT is not set: want sets and budgets, such as \"ijcnn1:10,25,50 a8a:10\"")
	}
	out := map[string][]int{}
	for _, word := range strings.Fields(text) {
		name, sizes, _ := strings.Cut(word, ":")
		for _, size := range strings.Split(sizes, ",") {
			k := 0
			if _, err := fmt.Sscan(size, &k); err != nil {
				t.Fatal(err)
			}
			out[name] = append(out[name], k)
		}
	}
	return out
}

// The error of Condense, which sees training rows alone, on the whole test set; and CPU time, the
// dense model included.
func TestFrontClean(t *testing.T) {
	for name, sizes := range front(t) {
		set := &realSet{gamma: 0.02, c: 10}
		var train, test *solvers.Dataset
		if name == "mnist" {
			train, test = lowDigits(t)
		} else {
			set = realNamed(t, name)
			trained := set.realData(t)
			train, test = trained.train, trained.test
		}
		for _, size := range sizes {
			cpu, started := cpuSeconds(), time.Now()
			r, err := solvers.Condense{Kernel: solvers.RBF{Gamma: set.gamma}, C: set.c, Budget: size, LastRows: os.Getenv("GONB_SVM_LAST") != "", Finish: os.Getenv("GONB_SVM_FINISH") != ""}.Fit(context.Background(), train)
			if err != nil {
				t.Fatal(err)
			}
			used := cpuSeconds() - cpu
			fmt.Printf("%s %d: test %.2f%%, %d vectors, %d bytes, CPU %.1f s, wall %.1f s; dense %.2f%% with %d, %d bytes\n", name, size, 100*r.ErrorRate(test),
				r.SupportSize(), r.Bytes(), used, time.Since(started).Seconds(), 100*r.Reference.ErrorRate(test), r.Reference.SupportSize(), r.Reference.Bytes())
			for _, c := range r.Candidates {
				fmt.Printf("   %-60s %4d passes, validation %.2f%% (%+.2f ± %.2f) %.1f s %v\n", c.Name, c.Passes, 100*c.ValidationError, 100*c.Difference, 100*c.StandardError, c.Runtime.Seconds(), c.Chosen)
			}
		}
	}
}

// lowDigits are the first 10,000 digits of MNIST, 0 to 4 against 5 to 9.
func lowDigits(t *testing.T) (train, test *solvers.Dataset) {
	t.Helper()
	if os.Getenv("GONB_SVM_DATA") == "" {
		t.Skip("GONB_SVM_DATA names no folder of real data")
	}
	train, test, err := datasets.Load("mnist")
	if err != nil {
		t.Fatal(err)
	}
	first := make([]int, 10000)
	for i := range first {
		first[i] = i
	}
	low, high := []float64{0, 1, 2, 3, 4}, []float64{5, 6, 7, 8, 9}
	return train.Subset(first).Groups(high, low), test.Groups(high, low)
}

// realNamed is one of the papers' sets.
func realNamed(t *testing.T, name string) *realSet {
	t.Helper()
	for _, set := range append(realSets[:len(realSets):len(realSets)], w8a) {
		if set.name == name {
			return set
		}
	}
	t.Fatalf("%s: want a8a, ijcnn1 or w8a", name)
	return nil
}

// The paper's protocol: candidates are trained on all training rows, one is chosen on a random half
// of the test set and judged on the other half, ten times; among the candidates of a budget, and among
// those of smaller budgets too, as Path.AtMost does.
func TestFrontProtocol(t *testing.T) {
	for name, sizes := range front(t) {
		set := realNamed(t, name)
		trained := set.realData(t)
		cpu := cpuSeconds()
		var wrong [][]bool
		var models []*solvers.Model
		var seconds float64
		own := 0
		report := func(size int) {
			own = len(wrong) - own
			fmt.Printf("%s %d: test %s over ten splits, with smaller budgets %s, %d candidates, CPU %.1f s\n", name, size,
				frontError(wrong[len(wrong)-own:], trained.test), frontError(wrong, trained.test), own, seconds)
			own = len(wrong)
		}
		budget := sizes[0]
		s := solvers.Condense{Reference: trained.result.Model, C: set.c, Budgets: sizes, EveryCandidate: true, Finish: true}
		r, err := s.FitPath(context.Background(), trained.train, func(size float64, m *solvers.Model) error {
			if int(size) != budget {
				report(budget)
				budget = int(size)
			}
			if len(wrong) == own {
				seconds = cpuSeconds() - cpu
			}
			mistakes := make([]bool, trained.test.Len())
			for i, f := range m.Decisions(trained.test) {
				mistakes[i] = (f >= 0) != (trained.test.Y[i] > 0)
			}
			wrong, models, cpu = append(wrong, mistakes), append(models, m), cpuSeconds()
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		report(budget)
		for _, c := range r.Candidates {
			fmt.Printf("   %4d %-60s %4d passes, training %.2f%%%s\n", c.Budget, c.Name, c.Passes, 100*c.ValidationError, testOf(c, models, wrong, trained.train))
		}
	}
}

// frontError is the mean error over ten splits and its deviation.
func frontError(wrong [][]bool, test *solvers.Dataset) string {
	n := test.Len()
	numbers := &solvers.Dataset{Dim: n, X: make([]solvers.Vector, n), Y: test.Y}
	for i := range n {
		numbers.X[i].Index, numbers.X[i].Value = []int32{int32(i)}, []float64{1}
	}
	mean, square := 0.0, 0.0
	for split := range uint64(10) {
		validation, rest := numbers.Split(0.5, split)
		count := func(d *solvers.Dataset, mistakes []bool) (sum int) {
			for _, x := range d.X {
				if mistakes[x.Index[0]] {
					sum++
				}
			}
			return sum
		}
		best, least := 0, n+1
		for c, mistakes := range wrong {
			if k := count(validation, mistakes); k < least {
				best, least = c, k
			}
		}
		e := 100 * float64(count(rest, wrong[best])) / float64(rest.Len())
		mean += e / 10
		square += e * e / 10
	}
	return fmt.Sprintf("%.2f%% ± %.2f", mean, math.Sqrt(max(square-mean*mean, 0)))
}

// testOf is the test error of the models that may be a candidate's: their training errors are the same.
func testOf(c solvers.Candidate, models []*solvers.Model, wrong [][]bool, train *solvers.Dataset) string {
	text := ""
	for k, m := range models {
		if m.SupportSize() != c.Vectors || m.ErrorRate(train) != c.ValidationError {
			continue
		}
		count := 0
		for _, is := range wrong[k] {
			if is {
				count++
			}
		}
		text += fmt.Sprintf(", test %.2f%%", 100*float64(count)/float64(len(wrong[k])))
	}
	return text
}
