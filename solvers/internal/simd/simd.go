// Package simd computes sparse rows times panels of dense points, with a kernel function
// applied to every product, and scans arrays for the indices that a solver steps on. Each
// routine exists as assembly for AVX-512 and for AVX2 with FMA, and in Go for every other
// machine. A Path says which of them runs.
package simd

//go:generate go run ./asm -out kernels_amd64.s

import (
	"os"
	"slices"
)

// Path is an implementation of the routines of this package.
type Path int

// The paths, from the one that runs everywhere to the fastest.
const (
	Go     Path = iota // plain Go
	AVX2               // AVX2 and FMA
	AVX512             // AVX-512 F, DQ, BW and VL
)

var pathNames = [...]string{"go", "avx2", "avx512"}

// String is the name that the environment variable GONB_SVM_SIMD takes: go, avx2, avx512.
func (p Path) String() string { return pathNames[p] }

// Available are the paths that this machine can run, Go first.
func Available() []Path { return slices.Clone(available) }

// Chosen is the fastest available path, or the one that the environment variable
// GONB_SVM_SIMD names, if this machine has it.
func Chosen() Path { return chosen }

var chosen = choose(os.Getenv("GONB_SVM_SIMD"))

func choose(name string) Path {
	if i := slices.Index(pathNames[:], name); i >= 0 && slices.Contains(available, Path(i)) {
		return Path(i)
	}
	return available[len(available)-1]
}
