package simd

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

func TestChoice(t *testing.T) {
	fastest := available[len(available)-1]
	for name, want := range map[string]Path{"go": Go, "": fastest, "sse9": fastest} {
		if got := choose(name); got != want {
			t.Errorf("GONB_SVM_SIMD=%q chooses %v, want %v", name, got, want)
		}
	}
	for _, p := range Available() {
		if got := choose(p.String()); got != p {
			t.Errorf("GONB_SVM_SIMD=%q chooses %v", p, got)
		}
	}
	if !slices.Contains(available, Chosen()) {
		t.Errorf("%v is chosen, but not available", Chosen())
	}
}

// The assembly in the repository is what the generator writes.
func TestAssemblyIsGenerated(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the go command")
	}
	file := filepath.Join(t.TempDir(), "kernels_amd64.s")
	if out, err := exec.Command("go", "run", "./asm", "-out", file).CombinedOutput(); err != nil {
		t.Skipf("the generator cannot be run here: %v\n%s", err, out)
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("kernels_amd64.s")
	if err != nil {
		t.Fatal(err)
	}
	// The first line names the command and its arguments.
	if !bytes.Equal(got[bytes.IndexByte(got, '\n'):], want[bytes.IndexByte(want, '\n'):]) {
		t.Error("kernels_amd64.s differs from what the generator writes: run go generate")
	}
}
