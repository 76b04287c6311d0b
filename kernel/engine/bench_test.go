package engine

import (
	"context"
	"testing"
)

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		e, err := New(Options{Symbols: testSymbols()})
		if err != nil {
			b.Fatal(err)
		}
		if err := e.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCells measures one cell each; the engine keeps what they declare.
func BenchmarkCells(b *testing.B) {
	for name, source := range map[string]string{
		"expression": "1 + 2", "assignment": "x := 3", "function": "func f(n int) int { return n * 2 }",
		"print": "fmt.Sprint(3)", "fib20": "fib(20)", "loop100k": "s := 0.0; for i := 0; i < 100000; i++ { s += 0.5 }",
		"method10k": "for i := 0; i < 10000; i++ { t.M(i) }",
	} {
		b.Run(name, func(b *testing.B) {
			e := newEngine(b)
			run := func(source string) {
				if _, err := e.Run(context.Background(), Cell{"In[1]", source}, Streams{}); err != nil {
					b.Fatal(err)
				}
			}
			run("func fib(n int) int { if n < 2 { return n }; return fib(n-1) + fib(n-2) }\ntype T struct{ A int }\nfunc (t T) M(n int) int { return t.A + n }\nt := T{1}")
			for b.Loop() {
				run(source)
			}
		})
	}
}
