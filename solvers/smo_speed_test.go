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
	"runtime"
	"runtime/debug"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
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

const childVariable = "GONB_SVM_BENCHMARK_FILE"

// TestSpeedChild is what BenchmarkAgainstLIBSVM starts as a process of its own: it reads a file and trains.
func TestSpeedChild(t *testing.T) {
	file := os.Getenv(childVariable)
	if file == "" {
		t.Skip("started by BenchmarkAgainstLIBSVM only")
	}
	for _, c := range speedCases {
		if c.name != os.Getenv(childVariable+"_CASE") {
			continue
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
		solved(t, c.solver(1), d)
		fmt.Printf("%s%g\n", memoryLine, mebibytes())
		return
	}
	t.Fatal("no such case")
}

const memoryLine = "memory "

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

var (
	libsvmObjective = regexp.MustCompile(`obj = (\S+),`)
	childMemory     = regexp.MustCompile(memoryLine + `(\S+)`)
)

// BenchmarkAgainstLIBSVM trains with one worker and reports CPU times: of the solve alone, of a whole
// process that reads the data too, and, where svm-train is installed, of svm-train in the same
// run. Times are of the quickest of all repetitions; LIBSVM runs once.
func BenchmarkAgainstLIBSVM(b *testing.B) {
	for _, c := range speedCases {
		b.Run(c.name, func(b *testing.B) {
			d, _ := c.load(b)
			file := writeText(b, d)
			solve, process, memory := math.Inf(1), math.Inf(1), math.Inf(1)
			var r *solvers.Result
			for b.Loop() {
				runtime.GC()
				start := ownCPU()
				r = solved(b, c.solver(1), d)
				solve = min(solve, ownCPU()-start)
				cmd := exec.Command(os.Args[0], "-test.run=^TestSpeedChild$", "-test.v")
				cmd.Env = append(os.Environ(), childVariable+"="+file, childVariable+"_CASE="+c.name)
				out, seconds := run(b, cmd)
				process = min(process, seconds)
				if m := childMemory.FindStringSubmatch(out); m != nil {
					mebibytes, err := strconv.ParseFloat(m[1], 64)
					if err != nil {
						b.Fatal(err)
					}
					memory = min(memory, mebibytes)
				}
			}
			b.ReportMetric(solve, "solve-s")
			b.ReportMetric(process, "process-s")
			b.ReportMetric(memory, "process-MiB")
			b.ReportMetric(float64(r.KernelEvaluations), "kernel-evals/op")
			train, err := exec.LookPath("svm-train")
			if err != nil {
				b.Log("svm-train is not installed: nothing to compare with")
				return
			}
			out, seconds := run(b, exec.Command(train, "-g", fmt.Sprint(c.gamma), "-c", fmt.Sprint(c.c),
				"-e", fmt.Sprint(c.epsilon), "-m", "1000", file, file+".model"))
			b.ReportMetric(seconds, "libsvm-s")
			b.ReportMetric(seconds/solve, "times-solve")
			b.ReportMetric(seconds/process, "times-process")
			if m := libsvmObjective.FindStringSubmatch(out); m != nil {
				objective, err := strconv.ParseFloat(m[1], 64)
				if err != nil {
					b.Fatal(err)
				}
				b.ReportMetric((r.Objective-objective)/math.Abs(objective), "objective-excess")
			}
		})
	}
}

// BenchmarkWorkers reports the wall time of one worker over that of two. It says something
// only on a machine with two processors at rest.
func BenchmarkWorkers(b *testing.B) {
	for _, c := range []speedCase{speedCases[0], speedCases[3]} {
		b.Run(c.name, func(b *testing.B) {
			d, _ := c.load(b)
			wall := [2]time.Duration{math.MaxInt64, math.MaxInt64}
			for b.Loop() {
				for i := range wall {
					start := time.Now()
					solved(b, c.solver(i+1), d)
					wall[i] = min(wall[i], time.Since(start))
				}
			}
			b.ReportMetric(wall[0].Seconds(), "one-s")
			b.ReportMetric(wall[1].Seconds(), "two-s")
			b.ReportMetric(wall[0].Seconds()/wall[1].Seconds(), "times")
		})
	}
}

// BenchmarkPrediction classifies the 91701 test rows of ijcnn1, and compares with svm-predict.
func BenchmarkPrediction(b *testing.B) {
	c := speedCases[1]
	train, test := c.load(b)
	r := solved(b, c.solver(0), train)
	best, rate := math.Inf(1), 0.0
	for b.Loop() {
		start := ownCPU()
		rate = r.ErrorRate(test)
		best = min(best, ownCPU()-start)
	}
	b.ReportMetric(best, "predict-s")
	b.ReportMetric(100*rate, "error-%")
	predict, err := exec.LookPath("svm-predict")
	if err != nil {
		b.Log("svm-predict is not installed: nothing to compare with")
		return
	}
	file := writeText(b, test)
	model, err := os.Create(file + ".model")
	if err != nil {
		b.Fatal(err)
	}
	defer model.Close()
	if _, err := r.Model.WriteTo(model); err != nil {
		b.Fatal(err)
	}
	_, seconds := run(b, exec.Command(predict, file, model.Name(), file+".out"))
	b.ReportMetric(seconds, "libsvm-s")
	b.ReportMetric(seconds/best, "times")
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
