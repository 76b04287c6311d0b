package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestInstallNeedsGo holds that install.sh, where there is no Go or one too old, says in one
// sentence what to install, and that it refuses what it does not know.
func TestInstallNeedsGo(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	tools := t.TempDir() // what the script uses, and no go
	for _, tool := range []string{"dirname", "mkdir", "rm", "cat", "mv", "env"} {
		path, err := exec.LookPath(tool)
		if err != nil {
			t.Skip("no " + tool)
		}
		if err := os.Symlink(path, filepath.Join(tools, tool)); err != nil {
			t.Fatal(err)
		}
	}
	fakeGo := func(version string) string {
		dir := t.TempDir()
		script := "#!" + sh + "\n[ \"$1 $2\" = 'env GOVERSION' ] && echo " + version + "\n"
		if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		return dir + ":"
	}
	cases := []struct {
		name, path string
		args       []string
		code       int
		want       string
	}{
		{"no Go", "", nil, 1, "Go is not installed; gonb-svm needs Go 1.26 or newer"},
		{"Go 1.22", fakeGo("go1.22.3"), nil, 1, "this Go is go1.22.3; gonb-svm needs Go 1.26 or newer"},
		{"Go 1.9", fakeGo("go1.9"), nil, 1, "this Go is go1.9; gonb-svm needs"},
		{"no version", fakeGo("devel"), nil, 1, "this Go is devel; gonb-svm needs"},
		{"unknown option", "", []string{"--everywhere"}, 2, "usage: ./install.sh"},
		{"nothing there", "", []string{"--uninstall"}, 1, "nothing to uninstall"},
	}
	for _, c := range cases {
		cmd := exec.Command(sh, append([]string{"../../install.sh"}, c.args...)...)
		cmd.Env = []string{"PATH=" + c.path + tools, "HOME=" + t.TempDir()}
		out, err := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); err == nil || code != c.code || !strings.Contains(string(out), c.want) {
			t.Errorf("%s: exit code %d and %q: want %d and %q", c.name, code, out, c.code, c.want)
		}
		if c.code == 1 && strings.Count(strings.TrimSpace(string(out)), "\n") != 0 {
			t.Errorf("%s: more than one line: %q", c.name, out)
		}
	}
}
