// Package gosuite finds the programs of Go's own test suite that the engine is judged by.
package gosuite

import (
	"fmt"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
)

// Program is one program that must exit with 0 and print what is expected.
type Program struct {
	Name   string // path below test/
	Path   string
	Expect string
}

// Root is the folder of the suite.
func Root() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOROOT: %w", err)
	}
	return filepath.Join(strings.TrimSpace(string(out)), "test"), nil
}

// Programs lists the programs whose first line is "// run" and that have no build constraint and
// import nothing of unsafe, runtime/..., syscall, plugin, C and internal.
func Programs() ([]Program, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	var l []Program
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if strings.Contains(path, ".dir"+string(filepath.Separator)) || !suitable(string(b)) {
			return nil
		}
		name, _ := filepath.Rel(root, path)
		expect, _ := os.ReadFile(strings.TrimSuffix(path, ".go") + ".out")
		l = append(l, Program{Name: name, Path: path, Expect: string(expect)})
		return nil
	})
	sort.Slice(l, func(i, j int) bool { return l[i].Name < l[j].Name })
	return l, err
}

func suitable(src string) bool {
	first, _, _ := strings.Cut(src, "\n")
	if first != "// run" || constrained(src) {
		return false
	}
	f, err := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if err != nil {
		return false
	}
	for _, im := range f.Imports {
		p := strings.Trim(im.Path.Value, `"`)
		switch {
		case p == "unsafe", p == "syscall", p == "plugin", p == "C", strings.HasPrefix(p, "runtime/"), strings.HasPrefix(p, "internal/"), strings.Contains(p, "/internal/"):
			return false
		}
	}
	return true
}

// Judge says why a run failed, "" when it passed. The suite compares standard output and standard
// error together.
func (p Program) Judge(output string, err error, timeout bool) string {
	switch {
	case timeout:
		return "time limit"
	case err != nil:
		line := strings.TrimSpace(output)
		line, _, _ = strings.Cut(line, "\n")
		return fmt.Sprintf("%v: %s", err, cut(line))
	case output != p.Expect:
		return "output: " + cut(difference(output, p.Expect))
	}
	return ""
}

// difference shows the first line that differs.
func difference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			have := ""
			if i < len(w) {
				have = w[i]
			}
			return fmt.Sprintf("line %d: %q, want %q", i+1, g[i], have)
		}
	}
	return fmt.Sprintf("%d lines, want %d", len(g), len(w))
}

func cut(s string) string {
	if len(s) > 160 {
		s = s[:160]
	}
	return s
}
