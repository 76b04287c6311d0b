package engine

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"syscall"
	"testing"

	"github.com/traefik/yaegi/interp"
)

func BenchmarkStart(b *testing.B) {
	standardSymbols()
	defer reportCPU(b)()
	for b.Loop() {
		e, err := New(Options{Symbols: standardSymbols()})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := e.Run(context.Background(), Cell{"In[1]", "x := 1"}, Streams{}); err != nil {
			b.Fatal(err)
		}
		e.Close()
	}
}

func BenchmarkSmallCell(b *testing.B) {
	e := newEngine(b)
	defer reportCPU(b)()
	for b.Loop() {
		if v, err := e.Run(context.Background(), Cell{"In[1]", "1+1"}, Streams{}); err != nil || v.Text != "2" {
			b.Fatal(v, err)
		}
	}
}

// reportCPU begins to measure the processor time of a benchmark, which other work on the machine
// disturbs less than the clock, and returns the end.
func reportCPU(b *testing.B) func() {
	processor := func() int64 {
		var r syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
			b.Fatal(err)
		}
		return r.Utime.Nano() + r.Stime.Nano()
	}
	begin := processor()
	return func() { b.ReportMetric(float64(processor()-begin)/float64(b.N), "cpu-ns/op") }
}

// programs are what the engine's speed is compared by: each declares and runs bench.
var programs = map[string]string{
	"floats": "func bench() { s := 0.0; for i := 0; i < 300000; i++ { s += 1.5 } }",
	"slice":  "func bench() { x := make([]float64, 300000); s := 0.0; for i := range x { s += x[i] }; for i := 0; i < len(x); i++ { x[i] = s } }",
	"index":  "func bench() { x := make([]float64, 300000); s := 0.0; n := len(x)-1; for i := 0; i < n; i++ { s += x[i+1] - x[i] } }",
	"calls":  "func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }\nfunc bench() { fib(22) }",
	"method": "type acc struct { s float64 }\nfunc (a *acc) add(x float64) { a.s += x }\nfunc bench() { a := &acc{}; for i := 0; i < 50000; i++ { a.add(1.5) } }",
	"interface": "type adder interface { add(x float64) }\ntype acc2 struct { s float64 }\nfunc (a *acc2) add(x float64) { a.s += x }\n" +
		"func bench() { var a adder = &acc2{}; for i := 0; i < 50000; i++ { a.add(1.5) } }",
	"range":  "func bench() { x := make([]int, 100000); n := 0; for i, v := range x { n += v + i } }",
	"grid":   "func bench() { g := make([][]float64, 100); for i := range g { g[i] = make([]float64, 100) }; for k := 0; k < 5; k++ { for i := 1; i < 99; i++ { for j := 1; j < 99; j++ { g[i][j] = g[i-1][j] + g[i][j-1] + 1 } } } }",
	"locals": "func bench() { n := 0; for i := 0; i < 100000; i++ { a := i * 2; b := a + 3; if b > a { c := b - a; n += c } } }",
	"maps":   "func bench() { m := map[int]int{}; for i := 0; i < 50000; i++ { m[i%100] += i }; n := 0; for k, v := range m { n += k + v } }",
	"list":   "type node struct { v int; next *node }\nfunc bench() { var l *node; for i := 0; i < 50000; i++ { l = &node{i, l} }; n := 0; for p := l; p != nil; p = p.next { n += p.v } }",
}

func BenchmarkPrograms(b *testing.B) {
	for _, name := range sortedKeys(programs) {
		b.Run(name+"/engine", func(b *testing.B) {
			e := newEngine(b)
			if _, err := e.Run(context.Background(), Cell{"In[1]", programs[name]}, Streams{}); err != nil {
				b.Fatal(err)
			}
			defer reportCPU(b)()
			for b.Loop() {
				if _, err := e.Run(context.Background(), Cell{"In[2]", "bench()"}, Streams{}); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/yaegi", func(b *testing.B) {
			it := interp.New(interp.Options{Stderr: io.Discard})
			if _, err := it.Eval("package main\n" + programs[name]); err != nil {
				b.Fatal(err)
			}
			defer reportCPU(b)()
			for b.Loop() {
				if _, err := it.Eval("bench()"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestMemoryOfCells holds what a small cell keeps. With 10 kB, 10,000 cells keep 100 MB.
func TestMemoryOfCells(t *testing.T) {
	const cells, most = 400, 9000
	for name, source := range map[string]string{
		"assignment": "x = x + 1\nx",
		"expression": "1 + 1",
		"variable":   "y := x * 2\ny",
		"loop":       "for i := range 3 { x += i - 1 }",
		"call":       "fmt.Sprint(x, square(3))",
		"function":   "func half(n int) int { return n / 2 }\nhalf(x)",
		"closure":    "g = func() int { return x }\ng()",
	} {
		t.Run(name, func(t *testing.T) {
			e := newEngine(t)
			heap := func() int64 {
				var m runtime.MemStats
				runtime.GC()
				runtime.GC()
				runtime.ReadMemStats(&m)
				return int64(m.HeapAlloc)
			}
			count := 0
			many := func(n int) {
				for range n {
					count++
					if _, _, err := run(e, context.Background(), fmt.Sprintf("In[%d]", count), source); err != nil {
						t.Fatal(err)
					}
				}
			}
			run(e, context.Background(), "In[0]", "x := 0\nvar g func() int\nfunc square(n int) int { return n * n }")
			many(50)
			before := heap()
			many(cells)
			kept := (heap() - before) / cells
			t.Logf("a cell keeps %d bytes", kept)
			if kept > most {
				t.Errorf("a cell keeps %d bytes, want at most %d", kept, most)
			}
			runtime.KeepAlive(e)
		})
	}
}
