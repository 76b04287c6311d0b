package engine

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"testing"

	"github.com/traefik/yaegi/interp"
)

func BenchmarkStart(b *testing.B) {
	standardSymbols()
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
	for b.Loop() {
		if v, err := e.Run(context.Background(), Cell{"In[1]", "1+1"}, Streams{}); err != nil || v.Text != "2" {
			b.Fatal(v, err)
		}
	}
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
	"maps": "func bench() { m := map[int]int{}; for i := 0; i < 50000; i++ { m[i%100] += i }; n := 0; for k, v := range m { n += k + v } }",
	"list": "type node struct { v int; next *node }\nfunc bench() { var l *node; for i := 0; i < 50000; i++ { l = &node{i, l} }; n := 0; for p := l; p != nil; p = p.next { n += p.v } }",
}

func BenchmarkPrograms(b *testing.B) {
	for _, name := range sortedKeys(programs) {
		b.Run(name+"/engine", func(b *testing.B) {
			e := newEngine(b)
			if _, err := e.Run(context.Background(), Cell{"In[1]", programs[name]}, Streams{}); err != nil {
				b.Fatal(err)
			}
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
			for b.Loop() {
				if _, err := it.Eval("bench()"); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestManyCells holds the memory that 10,000 small cells keep.
func TestManyCells(t *testing.T) {
	if testing.Short() {
		t.Skip("10,000 cells")
	}
	e := newEngine(t)
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	run(e, context.Background(), "In[0]", "x := 0")
	before := heap()
	for i := range 10000 {
		if _, _, err := run(e, context.Background(), fmt.Sprintf("In[%d]", i), "x = x + 1\nx"); err != nil {
			t.Fatal(err)
		}
	}
	// The aim is 100 MB; yaegi keeps the tree of every unit, about 28 kB for a small cell.
	if grown := heap() - before; grown > 400<<20 {
		t.Errorf("10,000 cells keep %d MB", grown>>20)
	} else {
		t.Logf("10,000 cells keep %.1f MB", float64(grown)/(1<<20))
	}
	if v, _ := e.Lookup("x"); v != 10000 {
		t.Errorf("x is %v", v)
	}
}
