package kernel_test

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gonb-svm/gonb-svm/kernel"
)

func TestKernelspec(t *testing.T) {
	home := t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", filepath.Join(home, "data"))
	t.Setenv("VIRTUAL_ENV", filepath.Join(home, "venv"))
	t.Setenv("JUPYTER_PATH", "")
	binary := filepath.Join(home, "bin")
	if err := os.WriteFile(binary, nil, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		spec kernel.Spec
		dir  string
	}{
		{kernel.Spec{}, "data/kernels/gonb-svm"},
		{kernel.Spec{User: true, Name: "other"}, "data/kernels/other"},
		{kernel.Spec{SysPrefix: true}, "venv/share/jupyter/kernels/gonb-svm"},
		{kernel.Spec{Prefix: filepath.Join(home, "p")}, "p/share/jupyter/kernels/gonb-svm"},
	} {
		test.spec.Binary, test.spec.Version = binary, "1.0"
		test.spec.Env = map[string]string{"A": "b"}
		for range 2 { // the second time it is replaced
			dir, err := kernel.Install(test.spec)
			if err != nil || dir != filepath.Join(home, test.dir) {
				t.Fatalf("Install: %s, %v", dir, err)
			}
			checkKernelspec(t, dir, binary)
		}
		if entries, err := os.ReadDir(filepath.Dir(filepath.Join(home, test.dir))); err != nil || strings.HasPrefix(entries[0].Name(), ".") {
			t.Errorf("%v, %v: something was left behind", entries, err)
		}
	}
	found := kernel.Find("gonb-svm")
	if len(found) != 2 || found[0].Dir != filepath.Join(home, "data/kernels/gonb-svm") || !found[0].Ours || found[0].Argv[0] != binary {
		t.Errorf("Find: %+v", found)
	}
	removed, err := kernel.Uninstall(kernel.Spec{})
	if err != nil || len(removed) != 2 || len(kernel.Find("gonb-svm")) != 0 {
		t.Errorf("Uninstall: %q, %v", removed, err)
	}
	if removed, err = kernel.Uninstall(kernel.Spec{Prefix: filepath.Join(home, "p")}); err != nil || len(removed) != 1 {
		t.Errorf("Uninstall from a prefix: %q, %v", removed, err)
	}
	if _, err := kernel.Uninstall(kernel.Spec{}); err == nil {
		t.Error("what is not installed was uninstalled")
	}
}

func checkKernelspec(t *testing.T, dir, binary string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	var got M
	if err := json.Unmarshal(text, &got); err != nil {
		t.Fatal(err)
	}
	want := M{
		"argv": []any{binary, "kernel", "{connection_file}"}, "display_name": "Go (gonb-svm)", "language": "go",
		"interrupt_mode": "message", "kernel_protocol_version": "5.5", "env": M{"A": "b"},
		"metadata": M{"debugger": true, "gonb-svm": M{"version": "1.0"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for name, size := range map[string]int{"logo-32x32.png": 32, "logo-64x64.png": 64} {
		picture, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		config, err := png.DecodeConfig(bytes.NewReader(picture))
		if err != nil || config.Width != size || config.Height != size {
			t.Errorf("%s: %+v, %v", name, config, err)
		}
	}
	if svg, err := os.ReadFile(filepath.Join(dir, "logo-svg.svg")); err != nil || !bytes.Contains(svg, []byte("<svg")) {
		t.Errorf("logo-svg.svg: %v", err)
	}
}

func TestKernelspecRefuses(t *testing.T) {
	home := t.TempDir()
	t.Setenv("JUPYTER_DATA_DIR", home)
	foreign := filepath.Join(home, "kernels", "python3")
	if err := os.MkdirAll(foreign, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(foreign, "kernel.json"), []byte(`{"argv":["python"],"display_name":"Python 3"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for says, spec := range map[string]kernel.Spec{
		"Python 3":       {Name: "python3"},
		"more than one":  {User: true, SysPrefix: true},
		"does not exist": {Binary: filepath.Join(home, "missing")},
		"kernel name":    {Name: "../up"},
	} {
		if dir, err := kernel.Install(spec); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("Install(%+v): %s, %v; want it to say %q", spec, dir, err, says)
		}
	}
	if _, err := kernel.Uninstall(kernel.Spec{Name: "python3"}); err == nil {
		t.Error("another program's kernel was removed")
	}
	if _, err := os.Stat(filepath.Join(foreign, "kernel.json")); err != nil {
		t.Error(err)
	}
}
