package engine

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var (
	randomCount = flag.Uint64("random", 0, "how many random programs to compare with the Go compiler")
	randomSeed  = flag.Uint64("seed", 1, "seed of the first random program")
)

const programEnd = "---- end of program\n"

// together makes one program of many, which prints the output of each with a line between.
func together(ps []generated) string {
	var b, main strings.Builder
	b.WriteString("package main\n\nimport \"fmt\"\n\n")
	for i, p := range ps {
		fmt.Fprintf(&b, "%s\n\nfunc run%d() {\n%s}\n\n", strings.Join(p.decls, "\n\n"), i, strings.Join(p.stmts, ""))
		fmt.Fprintf(&main, "run%d()\nfmt.Print(%q)\n", i, programEnd)
	}
	return b.String() + "func main() {\n" + main.String() + "}\n"
}

// randomOutputs has what the Go compiler makes the random programs of seeds 1, 2 … print.
const (
	randomOutputs = "testdata/random.out"
	randomKept    = 45
)

// TestRandomPrograms compares random programs, whole and cut, with the Go compiler: those whose
// outputs are kept, and as many as the flag says.
func TestRandomPrograms(t *testing.T) {
	if *randomCount > 0 {
		const batch = 100
		for first := *randomSeed; first < *randomSeed+*randomCount; first += batch {
			compareRandom(t, first, compiledRandom(t, first, min(batch, *randomSeed+*randomCount-first)))
		}
		return
	}
	if *goRun == "write" {
		text := strings.Join(compiledRandom(t, 1, randomKept), programEnd)
		if err := os.WriteFile(randomOutputs, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b, err := os.ReadFile(randomOutputs)
	if err != nil {
		t.Fatal(err)
	}
	wants := strings.Split(string(b), programEnd)
	if len(wants) != randomKept {
		t.Fatalf("%d outputs are kept, want %d: -gorun write makes them", len(wants), randomKept)
	}
	compareRandom(t, 1, wants)
}

// compiledRandom gives the outputs of the compiled programs of seeds first, first+1 ….
func compiledRandom(t *testing.T, first, count uint64) []string {
	var ps []generated
	for seed := first; seed < first+count; seed++ {
		ps = append(ps, generate(seed))
	}
	out := compiled(t, []program{{name: "random", source: together(ps)}})
	wants := strings.Split(out[0], programEnd)
	if len(wants) != len(ps)+1 {
		t.Fatalf("%d programs from seed %d printed %d outputs:\n%s", len(ps), first, len(wants)-1, wants[len(wants)-1])
	}
	return wants[:len(ps)]
}

// compareRandom runs the random programs of seeds first, first+1 … in the ways in which they can
// be made into cells.
func compareRandom(t *testing.T, first uint64, wants []string) {
	for i, want := range wants {
		seed := first + uint64(i)
		p := generate(seed)
		for way, cells := range map[string][]string{"program": {p.source()}, "cells": p.cells(rand.New(rand.NewPCG(seed, 3)))} {
			got, err := output(t, cells)
			if err != nil {
				t.Errorf("seed %d, %s: %v", seed, way, err)
			} else if got != want {
				t.Errorf("seed %d, %s: %s", seed, way, difference(got, want))
			}
		}
	}
}

// FuzzCuts holds that a random program prints the same whole and cut into cells, some of which are
// run again.
func FuzzCuts(f *testing.F) {
	f.Add(uint64(1), uint64(1))
	f.Fuzz(func(t *testing.T, seed, cut uint64) {
		p := generate(seed)
		whole, err := output(t, []string{p.source()})
		if err != nil {
			t.Fatalf("%v\n%s", err, p.source())
		}
		pieces, err := output(t, p.cells(rand.New(rand.NewPCG(cut, 3))))
		if err != nil {
			t.Fatal(err)
		}
		if whole != pieces {
			t.Error(difference(pieces, whole))
		}
	})
}

// FuzzPrepare holds that no text makes the engine panic before it runs.
func FuzzPrepare(f *testing.F) {
	files, _ := filepath.Glob("testdata/cells/*.txt")
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range strings.Split(string(b), "--- cell\n") {
			cell, _, _ := strings.Cut(part, "\n--- ")
			f.Add(cell)
		}
	}
	f.Fuzz(func(t *testing.T, source string) {
		if len(source) > 2000 {
			return
		}
		e := newEngine(t)
		defer e.Close()
		if c, _, err := e.prepare(Cell{"In[1]", source}); err == nil {
			e.commit(c)
			e.Complete(source, len(source))
			e.Inspect(source, len(source)/2)
		}
	})
}
