//go:build unix

package kernel_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestJupyter runs the conformance suite, jupyter_kernel_test, and Jupyter's own clients
// against the fake kernel. GONB_SVM_PYTHON names a Python interpreter that has them.
func TestJupyter(t *testing.T) {
	python := os.Getenv("GONB_SVM_PYTHON")
	if python == "" {
		t.Skip("GONB_SVM_PYTHON does not name a Python with jupyter_client, jupyter_kernel_test, nbclient")
	}
	binary, err := fakeBinary()
	if err != nil {
		t.Fatal(err)
	}
	path := t.TempDir()
	dir := filepath.Join(path, "kernels", "fake")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	spec, err := json.Marshal(M{
		"argv": []string{binary, "{connection_file}"}, "display_name": "fake", "language": "go",
		"interrupt_mode": "message", "kernel_protocol_version": "5.5",
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), spec, 0o644); err != nil {
		t.Fatal(err)
	}
	for script, says := range map[string]string{
		"conformance.py": "ran 13 skipped 0 failed 0",
		"clients.py":     "\nOK",
	} {
		for _, transport := range []string{"tcp", "ipc"} {
			t.Run(strings.TrimSuffix(script, ".py")+"/"+transport, func(t *testing.T) {
				cmd := exec.Command(python, filepath.Join("testdata", script), "fake", transport)
				cmd.Env = append(os.Environ(), "JUPYTER_PATH="+path, "JUPYTER_RUNTIME_DIR="+t.TempDir())
				out, err := cmd.CombinedOutput()
				if err != nil || !strings.Contains(string(out), says) {
					t.Errorf("%v\n%s", err, out)
				}
			})
		}
	}
}
