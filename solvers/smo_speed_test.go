//go:build unix

package solvers_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
	"github.com/gonb-svm/gonb-svm/solvers/internal/simd"
)

// speedCase is a problem on which the reference solver is compared with LIBSVM.
type speedCase struct {
	name              string
	set               string
	gamma, c, epsilon float64
}

var speedCases = []speedCase{
	{"a8a", "a8a", 0.1, 1, 1e-3},
	{"ijcnn1", "ijcnn1", 1, 10, 1e-3},
	{"w8a", "w8a", 0.1, 10, 1e-3},
	{"mnist", "mnist", 0.02, 10, 1e-3},
	{"ijcnn1-hard", "ijcnn1", 1, 1000, 1e-4},
	{"a8a-hard", "a8a", 0.001, 1000, 1e-3},
}

func (c speedCase) solver(workers int) solvers.SMO {
	return solvers.SMO{Kernel: solvers.RBF{Gamma: c.gamma}, C: c.c, Epsilon: c.epsilon,
		Settings: solvers.Settings{Workers: workers}}
}

// sets of the folder GONB_SVM_DATA; of MNIST the first 10000 rows, 0–4 against 5–9.
func (c speedCase) load(tb testing.TB) (train, test *solvers.Dataset) {
	if os.Getenv("GONB_SVM_DATA") == "" {
		tb.Skip("GONB_SVM_DATA is not set")
	}
	train, test, err := datasets.Load(c.set)
	if err != nil {
		tb.Skip(err)
	}
	if c.set == "mnist" {
		first := make([]int, 10000)
		for i := range first {
			first[i] = i
		}
		train = train.Subset(first).Groups([]float64{0, 1, 2, 3, 4}, []float64{5, 6, 7, 8, 9})
	}
	return train, test
}

func solved(tb testing.TB, s solvers.SMO, d *solvers.Dataset) *solvers.Result {
	r, err := s.Fit(context.Background(), d)
	if err != nil {
		tb.Fatal(err)
	}
	return r
}

// cpu is the user and system time of a process in seconds.
func cpu(u *syscall.Rusage) float64 {
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func ownCPU() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return cpu(&u)
}

// run runs a program and returns its output and CPU seconds.
func run(tb testing.TB, cmd *exec.Cmd) (output string, seconds float64) {
	out, err := cmd.CombinedOutput()
	if err != nil {
		tb.Fatalf("%v: %v\n%s", cmd, err, out)
	}
	return string(out), cpu(cmd.ProcessState.SysUsage().(*syscall.Rusage))
}

func writeText(tb testing.TB, d *solvers.Dataset) (file string) {
	file = filepath.Join(tb.TempDir(), "set")
	f, err := os.Create(file)
	if err != nil {
		tb.Fatal(err)
	}
	if err := datasets.WriteLIBSVM(f, d); err != nil {
		tb.Fatal(err)
	}
	if err := f.Close(); err != nil {
		tb.Fatal(err)
	}
	return file
}

const childVariable = "GONB_SVM_BENCHMARK"

// TestSpeedChild is what the benchmarks start as a process of its own. It reads a file and trains,
// or reads a model too, classifies and writes the labels to a file.
func TestSpeedChild(t *testing.T) {
	file := os.Getenv(childVariable)
	if file == "" {
		t.Skip("started by benchmarks only")
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	d, err := solvers.ReadLIBSVM(f, file)
	if err != nil {
		t.Fatal(err)
	}
	if name := os.Getenv(childVariable + "_MODEL"); name != "" {
		text, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer text.Close()
		m, err := solvers.ReadModel(text)
		if err != nil {
			t.Fatal(err)
		}
		start := ownCPU()
		decisions := m.Decisions(d)
		fmt.Printf("solve %g\n", ownCPU()-start)
		wrong := 0
		var labels []byte
		for i, f := range decisions {
			predicted := 1.0
			if f < 0 {
				predicted = -1
			}
			if predicted != d.Y[i] {
				wrong++
			}
			labels = strconv.AppendInt(labels, int64(predicted), 10)
			labels = append(labels, '\n')
		}
		if err := os.WriteFile(name+".out", labels, 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Printf("error %g\n", float64(wrong)/float64(d.Len()))
		return
	}
	for _, c := range speedCases {
		if c.name != os.Getenv(childVariable+"_CASE") {
			continue
		}
		start := ownCPU()
		r := solved(t, c.solver(1), d)
		fmt.Printf("solve %g\nobjective %.10g\nmemory %g\n", ownCPU()-start, r.Objective, mebibytes())
		return
	}
	t.Fatal("no such case")
}

// child runs TestSpeedChild on a path of instructions and returns its CPU time and the numbers
// that it prints.
func child(b *testing.B, file string, path simd.Path, variables ...string) (process float64, told func(name string) float64) {
	cmd := exec.Command(os.Args[0], "-test.run=^TestSpeedChild$", "-test.v")
	cmd.Env = append(os.Environ(), childVariable+"="+file, "GONB_SVM_SIMD="+path.String())
	for _, v := range variables {
		cmd.Env = append(cmd.Env, childVariable+v)
	}
	out, process := run(b, cmd)
	return process, func(name string) float64 { return numberIn(b, out, name+` (\S+)`) }
}

// numberIn is the number that a pattern finds in a program's output, NaN if there is none.
func numberIn(b *testing.B, text, pattern string) float64 {
	m := regexp.MustCompile(`(?m)` + pattern).FindStringSubmatch(text)
	if m == nil {
		return math.NaN()
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// mebibytes is the greatest memory of this process, 0 where the system does not say. (Rusage
// of a child is at least what its parent had.)
func mebibytes() float64 {
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	if m := regexp.MustCompile(`VmHWM:\s*(\d+) kB`).FindSubmatch(status); m != nil {
		if kb, err := strconv.ParseFloat(string(m[1]), 64); err == nil {
			return kb / 1024
		}
	}
	return 0
}

// least is what is asked of the times over LIBSVM's process, by path: plain Go, AVX2, AVX-512.
var least = map[string][3]float64{
	"a8a": {6, 15, 30}, "ijcnn1": {0.6, 7, 12}, "w8a": {3, 8, 15}, "mnist": {0, 0, 10},
	"ijcnn1-hard": {0, 0, 3}, "a8a-hard": {0, 0, 3}, "prediction": {0, 0, 25},
}

// BenchmarkAgainstLIBSVM trains with one worker, in a process of its own, on every path of
// instructions. It reports CPU times, user and system: of the solve alone, of the process, which
// reads the data too, and, where svm-train is installed, of svm-train in the same run. Times are
// of the quickest of all repetitions; LIBSVM runs once.
func BenchmarkAgainstLIBSVM(b *testing.B) {
	for _, c := range speedCases {
		b.Run(c.name, func(b *testing.B) {
			d, _ := c.load(b)
			file := writeText(b, d)
			theirs, objective := math.NaN(), math.NaN()
			if train, err := exec.LookPath("svm-train"); err != nil {
				b.Log("svm-train is not installed: nothing to compare with")
			} else {
				out, seconds := run(b, exec.Command(train, "-g", fmt.Sprint(c.gamma), "-c", fmt.Sprint(c.c),
					"-e", fmt.Sprint(c.epsilon), "-m", "1000", file, file+".model"))
				theirs, objective = seconds, numberIn(b, out, `obj = (\S+),`)
			}
			for _, path := range simd.Available() {
				b.Run(path.String(), func(b *testing.B) {
					solve, process, memory, excess := math.Inf(1), math.Inf(1), math.Inf(1), 0.0
					for b.Loop() {
						seconds, told := child(b, file, path, "_CASE="+c.name)
						process, solve = min(process, seconds), min(solve, told("solve"))
						memory = min(memory, told("memory"))
						excess = (told("objective") - objective) / math.Abs(objective)
					}
					ratios(b, c.name, path, theirs, solve, process)
					b.ReportMetric(memory, "process-MiB")
					if theirs == theirs {
						b.ReportMetric(excess, "objective-excess")
						if !(excess <= 1e-4) {
							b.Errorf("the objective is %g of LIBSVM's above it", excess)
						}
					}
				})
			}
		})
	}
}

// ratios reports times and their ratios to LIBSVM's, and prints a line of the table.
func ratios(b *testing.B, name string, path simd.Path, theirs, solve, process float64) {
	b.ReportMetric(solve, "solve-s")
	b.ReportMetric(process, "process-s")
	if theirs != theirs {
		return
	}
	b.ReportMetric(theirs, "libsvm-s")
	b.ReportMetric(theirs/solve, "times-solve")
	b.ReportMetric(theirs/process, "times-process")
	want, verdict := least[name][path], ""
	if want > 0 {
		verdict = fmt.Sprintf("  asked %4.1f: %t", want, theirs/process >= want)
	}
	fmt.Printf("| %-11s | %-6v | LIBSVM %6.2f s | solve %6.3f s %6.1f× | process %6.3f s %6.1f× |%s\n",
		name, path, theirs, solve, theirs/solve, process, theirs/process, verdict)
}

// BenchmarkWorkers reports the wall time of one worker over that of two. It says something
// only on a machine with two processors at rest.
func BenchmarkWorkers(b *testing.B) {
	for _, c := range []speedCase{speedCases[0], speedCases[3]} {
		b.Run(c.name, func(b *testing.B) {
			d, _ := c.load(b)
			debug.FreeOSMemory()
			wall := [2]time.Duration{math.MaxInt64, math.MaxInt64}
			for b.Loop() {
				for i := range wall {
					start := time.Now()
					solved(b, c.solver(i+1), d)
					wall[i] = min(wall[i], time.Since(start))
				}
			}
			one, two := wall[0].Seconds(), wall[1].Seconds()
			b.ReportMetric(one, "one-s")
			b.ReportMetric(two, "two-s")
			b.ReportMetric(one/two, "times")
			fmt.Printf("| %-11s | one worker %6.3f s | two %6.3f s %5.2f× |  asked  1.5: %t\n", c.name, one, two, one/two, one/two >= 1.5)
		})
	}
}

// BenchmarkPrediction classifies the 91701 test rows of ijcnn1, in a process of its own on every
// path of instructions, and compares with svm-predict as BenchmarkAgainstLIBSVM does.
func BenchmarkPrediction(b *testing.B) {
	c := speedCases[1]
	train, test := c.load(b)
	file := writeText(b, test)
	model, err := os.Create(file + ".model")
	if err != nil {
		b.Fatal(err)
	}
	r := solved(b, c.solver(0), train)
	if _, err := r.Model.WriteTo(model); err != nil {
		b.Fatal(err)
	}
	if err := model.Close(); err != nil {
		b.Fatal(err)
	}
	theirs, rate := math.NaN(), r.ErrorRate(test)
	if predict, err := exec.LookPath("svm-predict"); err != nil {
		b.Log("svm-predict is not installed: nothing to compare with")
	} else {
		var out string
		out, theirs = run(b, exec.Command(predict, file, model.Name(), file+".out"))
		if accuracy := numberIn(b, out, `Accuracy = ([0-9.]+)%`); math.Abs(100-100*rate-accuracy) > 0.01 {
			b.Errorf("error rate %g, LIBSVM's accuracy %g %%", rate, accuracy)
		}
	}
	for _, path := range simd.Available() {
		b.Run(path.String(), func(b *testing.B) {
			solve, process := math.Inf(1), math.Inf(1)
			for b.Loop() {
				seconds, told := child(b, file, path, "_MODEL="+model.Name())
				process, solve = min(process, seconds), min(solve, told("solve"))
				if math.Abs(told("error")-rate) > 5e-5 {
					b.Errorf("error rate %g, here %g", told("error"), rate)
				}
			}
			ratios(b, "prediction", path, theirs, solve, process)
		})
	}
}

// BenchmarkLarge trains on rows of the shape of the Forest data: 54 features, 10 of them
// numbers and two of the others 1.
func BenchmarkLarge(b *testing.B) {
	for _, n := range []int{50000, 100000, 200000, 500000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) {
			d := forest(n)
			debug.FreeOSMemory()
			best := math.Inf(1)
			var r *solvers.Result
			for b.Loop() {
				start := ownCPU()
				r = solved(b, solvers.SMO{Kernel: solvers.RBF{Gamma: 0.1}, C: 10}, d)
				best = min(best, ownCPU()-start)
			}
			b.ReportMetric(best, "solve-s")
			b.ReportMetric(best/float64(n)*1e6, "µs/row")
			b.ReportMetric(float64(r.SupportSize()), "support")
			b.ReportMetric(mebibytes(), "process-MiB")
		})
	}
}

// forest is n rows; the class is that of the nearest of 6 centres, for 99 % of the rows.
func forest(n int) *solvers.Dataset {
	r := rand.New(rand.NewPCG(54, 7))
	const numbers, centres = 10, 6
	var centre [centres][numbers]float64
	for i := range centre {
		for j := range centre[i] {
			centre[i][j] = r.Float64()
		}
	}
	d := &solvers.Dataset{Name: "forest", Dim: 54, Labels: []float64{-1, 1}}
	for range n {
		x := solvers.Vector{Index: make([]int32, numbers+2), Value: make([]float64, numbers+2)}
		near, y := math.Inf(1), 1.0
		for j := range numbers {
			x.Index[j], x.Value[j] = int32(j), r.Float64()
		}
		for i := range centre {
			distance := 0.0
			for j, v := range x.Value[:numbers] {
				distance += (v - centre[i][j]) * (v - centre[i][j])
			}
			if distance < near {
				near, y = distance, float64(2*(i%2)-1)
			}
		}
		if r.IntN(100) == 0 {
			y = -y
		}
		x.Index[numbers], x.Value[numbers] = int32(numbers+r.IntN(4)), 1
		x.Index[numbers+1], x.Value[numbers+1] = int32(numbers+4+r.IntN(40)), 1
		d.X, d.Y = append(d.X, x), append(d.Y, y)
	}
	return d
}
