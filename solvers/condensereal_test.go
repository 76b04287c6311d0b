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

// The error of Condense, which sees training rows alone, on the whole test set; and CPU time.
func TestFrontClean(t *testing.T) {
	for name, sizes := range front(t) {
		set := realNamed(t, name)
		trained := set.realData(t)
		for _, size := range sizes {
			cpu, started := cpuSeconds(), time.Now()
			r, err := solvers.Condense{Kernel: solvers.RBF{Gamma: set.gamma}, C: set.c, Budget: size, LastRows: os.Getenv("GONB_SVM_LAST") != "", Finish: os.Getenv("GONB_SVM_FINISH") != ""}.Fit(context.Background(), trained.train)
			if err != nil {
				t.Fatal(err)
			}
			used := cpuSeconds() - cpu
			fmt.Printf("%s %d: test %.2f%%, %d vectors, CPU %.1f s, wall %.1f s; dense %.2f%% with %d\n", name, size, 100*r.ErrorRate(trained.test),
				r.SupportSize(), used, time.Since(started).Seconds(), 100*r.Reference.ErrorRate(trained.test), r.Reference.SupportSize())
			for _, c := range r.Candidates {
				fmt.Printf("   %-60s %4d passes, validation %.2f%% (%+.2f ± %.2f) %.1f s %v\n", c.Name, c.Passes, 100*c.ValidationError, 100*c.Difference, 100*c.StandardError, c.Runtime.Seconds(), c.Chosen)
			}
		}
	}
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
// of the test set and judged on the other half, ten times.
func TestFrontProtocol(t *testing.T) {
	for name, sizes := range front(t) {
		set := realNamed(t, name)
		trained := set.realData(t)
		for _, size := range sizes {
			cpu := cpuSeconds()
			var wrong [][]bool
			s := solvers.Condense{Reference: trained.result.Model, C: set.c, Budgets: []int{size}, EveryCandidate: true, Finish: true}
			r, err := s.FitPath(context.Background(), trained.train, func(_ float64, m *solvers.Model) error {
				mistakes := make([]bool, trained.test.Len())
				for i, f := range m.Decisions(trained.test) {
					mistakes[i] = (f >= 0) != (trained.test.Y[i] > 0)
				}
				wrong = append(wrong, mistakes)
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			reportFront(name, size, wrong, trained.test, cpuSeconds()-cpu)
			for _, c := range r.Candidates {
				fmt.Printf("   %-60s %4d passes, training %.2f%%\n", c.Name, c.Passes, 100*c.ValidationError)
			}
		}
	}
}

// reportFront prints the mean error over ten splits and its standard error.
func reportFront(name string, budget int, wrong [][]bool, test *solvers.Dataset, cpu float64) {
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
	fmt.Printf("%s %d: test %.2f%% ± %.2f over ten splits, %d candidates, CPU %.1f s\n", name, budget, mean, math.Sqrt(max(square-mean*mean, 0)), len(wrong), cpu)
}
