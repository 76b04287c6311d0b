package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/gonb-svm/gonb-svm/"

// arrows says which packages of ours, and which outside ones, a folder must not reach, by
// any chain of imports. A folder stands for all packages in it and below, except those named
// in a longer entry.
var arrows = map[string]struct{ ours, outside []string }{
	"solvers":        {ours: []string{"solvers"}, outside: []string{"github.com/traefik", "github.com/go-zeromq", "gonum.org/v1/plot"}},
	"plotting":       {ours: []string{"plotting", "solvers"}, outside: []string{"github.com/traefik", "github.com/go-zeromq"}},
	"kernel":         {ours: []string{"kernel", "kernel/wire", "kernel/display"}, outside: []string{"github.com/traefik", "gonum.org"}},
	"kernel/wire":    {ours: []string{"kernel/wire"}, outside: []string{"github.com/traefik", "gonum.org"}},
	"kernel/display": {ours: []string{"kernel/display"}, outside: []string{"github.com/traefik", "github.com/go-zeromq", "gonum.org"}},
	"kernel/widgets": {ours: []string{"kernel/widgets", "kernel/display"}, outside: []string{"github.com/traefik", "github.com/go-zeromq", "gonum.org"}},
	"kernel/magic":   {ours: []string{"kernel/magic", "kernel/display"}, outside: []string{"github.com/traefik", "github.com/go-zeromq", "gonum.org"}},
	"kernel/engine":  {ours: []string{"kernel/engine"}, outside: []string{"github.com/go-zeromq", "gonum.org"}},
	"bindings": {ours: []string{"bindings", "kernel/engine", "kernel/display", "kernel/widgets", "kernel/magic", "plotting", "solvers"},
		outside: []string{"github.com/go-zeromq"}},
	"cmd/gonb-svm": {ours: []string{"cmd/gonb-svm", "bindings", "kernel", "kernel/wire", "kernel/display", "kernel/widgets", "kernel/magic",
		"kernel/engine", "notebooks", "plotting", "solvers"}, outside: []string{"github.com/apache"}}, // Beam would double it
	"cmd/gonb-svm-sweep": {ours: []string{"cmd/gonb-svm-sweep", "solvers"}, outside: []string{"github.com/traefik", "github.com/go-zeromq", "gonum.org/v1/plot"}},
	"notebooks":          {ours: []string{"notebooks", "kernel/engine", "kernel/display"}, outside: []string{"github.com/go-zeromq", "gonum.org"}},
}

// TestImportArrows walks the imports of every package, tests left out, and fails where one
// part of the program reaches another that it must not know.
func TestImportArrows(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "-json=ImportPath,Deps", module+"...").Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			t.Fatalf("go list: %v\n%s", err, exit.Stderr)
		}
		t.Fatal(err)
	}
	checked := 0
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p struct {
			ImportPath string
			Deps       []string
		}
		if err := decoder.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		path, isOurs := strings.CutPrefix(p.ImportPath, module)
		folder := ruleFor(path)
		if !isOurs || folder == "" {
			continue
		}
		rule := arrows[folder]
		for _, dep := range p.Deps {
			checked++
			if ours, ok := strings.CutPrefix(dep, module); ok {
				if !slices.ContainsFunc(rule.ours, func(allowed string) bool { return ruleFor(ours) == allowed || ours == allowed }) {
					t.Errorf("%s reaches %s: it may know of our packages only %v", path, ours, rule.ours)
				}
				continue
			}
			for _, refused := range rule.outside {
				if strings.HasPrefix(dep, refused) {
					t.Errorf("%s reaches %s: it must not know %s", path, dep, refused)
				}
			}
		}
	}
	if checked == 0 {
		t.Fatal("no import was checked")
	}
}

// ruleFor is the longest key of arrows that path lies in, "" for none.
func ruleFor(path string) string {
	longest := ""
	for folder := range arrows {
		if (path == folder || strings.HasPrefix(path, folder+"/")) && len(folder) > len(longest) {
			longest = folder
		}
	}
	return longest
}
