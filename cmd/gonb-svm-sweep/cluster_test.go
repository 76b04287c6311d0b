package main

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gonb-svm/gonb-svm/solvers"
)

// adult is a sweep of 200 trials on part of a8a: a dense model and 35 that make it sparse, 100 random
// subsets, 64 dense ones.
func adult(t *testing.T) *solvers.SweepSpec {
	t.Helper()
	if os.Getenv("GONB_SVM_DATA") == "" {
		t.Skip("GONB_SVM_DATA is not set: no a8a")
	}
	rbf := solvers.RBF{Gamma: 0.1}
	var seeds, widths, costs []float64
	for k := range 10 {
		seeds = append(seeds, float64(k))
	}
	for k := range 8 {
		widths, costs = append(widths, 1/float64(int(2)<<k)), append(costs, float64(int(1)<<k)/16)
	}
	return &solvers.SweepSpec{
		Train:    solvers.SweepSource{Name: "a8a", Rows: 600, Seed: 1},
		HeldOut:  solvers.SweepSource{Name: "a8a", Rows: 600},
		Protocol: solvers.Protocol{Splits: 5},
		Methods: []solvers.Method{
			{Solver: solvers.ISSVM{Aggressive: true}, Reference: solvers.SMO{Kernel: rbf, C: 1}, Grid: solvers.ISSVMGrid()},
			{Solver: solvers.RSVM{Kernel: rbf, Budget: 20}, Grid: solvers.Grid{"Settings.Seed": seeds,
				"Kernel.Gamma": {0.01, 0.02, 0.04, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1}}},
			{Solver: solvers.SMO{Kernel: rbf}, Grid: solvers.Grid{"C": costs, "Kernel.Gamma": widths}},
		},
	}
}

const adultTrials = 200

// 200 trials give the same in goroutines of one process that is killed half-way and started again,
// in a worker that is a process of its own, and in a loop.
func TestTwoHundredTrials(t *testing.T) {
	want := here(t, adult(t))
	folder := t.TempDir()
	first := command(t, adult(t), folder)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, folder, adultTrials/2)
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	first.Wait()
	finished := map[string]bool{}
	for _, file := range waitFor(t, folder, adultTrials/2) {
		finished[strings.TrimSuffix(filepath.Base(file), ".json")] = true
	}
	same(t, command(t, adult(t), folder).results(t), want, adultTrials)
	for key, times := range begun(t, folder) {
		if times > 2 || finished[key] && times != 1 {
			t.Errorf("%s was begun %d times; done before the kill: %v", key, times, finished[key])
		}
	}
	same(t, command(t, adult(t), t.TempDir(), processes(t)...).results(t), want, adultTrials)
}

// A real Flink gives the same, also when one of its workers is killed half-way, and no trial that
// had a result is run again. $GONB_SVM_FLINK_JOB_SERVER names Beam's job server for Flink, a jar such as
// beam-runners-flink-1.19-job-server, which has a cluster of one machine inside.
func TestFlink(t *testing.T) {
	endpoint := flink(t)
	folder := t.TempDir()
	p := command(t, adult(t), folder, append(processes(t), "--runner=flink", "--endpoint="+endpoint, "--parallelism=2")...)
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	waitFor(t, folder, adultTrials/2)
	killWorker(t)
	if err := p.Wait(); err != nil {
		t.Fatalf("%v\n%s", err, p.errors)
	}
	same(t, parsed(t, p.lines), here(t, adult(t)), adultTrials)
	again := 0
	for _, times := range begun(t, folder) {
		if times > 1 {
			again++
		}
	}
	if again > 2 {
		t.Errorf("%d trials were begun again, want those under way when a worker was killed, at most 2", again)
	}
}

// flink starts a job server and gives its address.
func flink(t *testing.T) string {
	t.Helper()
	jar := os.Getenv("GONB_SVM_FLINK_JOB_SERVER")
	if jar == "" {
		t.Skip("GONB_SVM_FLINK_JOB_SERVER does not name the jar of Beam's Flink job server")
	}
	java, err := exec.LookPath("java")
	if err != nil {
		t.Skip("no java")
	}
	configuration := t.TempDir()
	restarts := "restart-strategy.type: fixed-delay\nrestart-strategy.fixed-delay.attempts: 10\nrestart-strategy.fixed-delay.delay: 1 s\n"
	for _, name := range []string{"flink-conf.yaml", "config.yaml"} { // of Flink 1 and 2
		if err := os.WriteFile(filepath.Join(configuration, name), []byte(restarts), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	free, err := net.Listen("tcp", "localhost:0")
	if err != nil {
		t.Fatal(err)
	}
	port := free.Addr().(*net.TCPAddr).Port
	free.Close()
	server := exec.Command(java, "-jar", jar, "--job-host=localhost", fmt.Sprintf("--job-port=%d", port), "--artifact-port=0", "--expansion-port=0",
		"--flink-conf-dir="+configuration)
	log, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		server.Process.Kill()
		server.Wait()
		if text, err := os.ReadFile(log.Name()); err == nil && t.Failed() {
			t.Logf("%.4000s", text)
		}
	})
	address := fmt.Sprintf("localhost:%d", port)
	for deadline := time.Now().Add(3 * time.Minute); time.Now().Before(deadline); time.Sleep(200 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			return address
		}
	}
	t.Fatal("the job server does not listen after three minutes")
	return ""
}

// killWorker kills a worker: a process of this very program that a runner has told where to ask.
func killWorker(t *testing.T) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	processes, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range processes {
		program, err := os.Readlink(filepath.Join(p, "exe"))
		line, wrong := os.ReadFile(filepath.Join(p, "cmdline"))
		if err != nil || wrong != nil || program != self || !strings.Contains(string(line), "--provision_endpoint") {
			continue
		}
		id, err := strconv.Atoi(filepath.Base(p))
		if err != nil {
			t.Fatal(err)
		}
		worker, err := os.FindProcess(id)
		if err != nil {
			t.Fatal(err)
		}
		if err := worker.Kill(); err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatal("no worker to kill")
}
