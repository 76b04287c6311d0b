package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// corpus is the folder with the engine's tests.
type corpus string

// step is a cell of a transcript with what it must give, by section: "out", "value", "error".
type step struct {
	source string
	want   map[string]string
}

// transcript reads cells/NAME.txt, in the form that the folder's README describes.
func (c corpus) transcript(name string) ([]step, error) {
	text, err := os.ReadFile(filepath.Join(string(c), "cells", name+".txt"))
	if err != nil {
		return nil, err
	}
	var steps []step
	for _, part := range strings.Split("\n"+string(text), "\n--- ")[1:] {
		section, content, _ := strings.Cut(part, "\n")
		content = strings.TrimRight(content, "\n")
		if section == "cell" {
			steps = append(steps, step{content, map[string]string{}})
		} else if len(steps) > 0 {
			steps[len(steps)-1].want[section] = content
		}
	}
	return steps, nil
}

// program is programs/NAME.go as two cells: what it declares, and what its main does. Imports are
// left out, since cells need none. out is what it must print.
func (c corpus) program(name string) (declarations, body, out string, err error) {
	file := filepath.Join(string(c), "programs", name+".go")
	text, err := os.ReadFile(file)
	if err != nil {
		return "", "", "", err
	}
	printed, err := os.ReadFile(strings.TrimSuffix(file, ".go") + ".out")
	if err != nil {
		return "", "", "", err
	}
	files := token.NewFileSet()
	parsed, err := parser.ParseFile(files, file, text, parser.ParseComments)
	if err != nil {
		return "", "", "", err
	}
	from, rest := files.Position(parsed.Name.End()).Offset, strings.Builder{}
	for _, d := range parsed.Decls {
		begin, end := files.Position(d.Pos()).Offset, files.Position(d.End()).Offset
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			from = end
		} else if f, ok := d.(*ast.FuncDecl); ok && f.Name.Name == "main" {
			rest.Write(text[from:begin])
			body = dedented(string(text[files.Position(f.Body.Lbrace).Offset+1 : files.Position(f.Body.Rbrace).Offset]))
			from = end
		}
	}
	rest.Write(text[from:])
	if body == "" {
		return "", "", "", fmt.Errorf("%s has no main with statements", file)
	}
	return strings.TrimSpace(rest.String()), body, string(printed), nil
}

// dedented is the body of a function as it stands outside of it.
func dedented(body string) string {
	lines := strings.Split(strings.Trim(body, "\n"), "\n")
	for i, l := range lines {
		lines[i] = strings.TrimPrefix(l, "\t")
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// counts says how many programs and cells there are, rounded down to tens and hundreds, so that not every new one
// makes another notebook.
func (c corpus) counts() (programs, cells int, err error) {
	all, err := filepath.Glob(filepath.Join(string(c), "programs", "*.go"))
	if err != nil {
		return 0, 0, err
	}
	files, err := filepath.Glob(filepath.Join(string(c), "cells", "*.txt"))
	for _, f := range files {
		text, e := os.ReadFile(f)
		if e != nil {
			return 0, 0, e
		}
		cells += bytes.Count(append([]byte("\n"), text...), []byte("\n--- cell\n"))
	}
	return len(all) / 10 * 10, cells / 100 * 100, err
}

// failures is a table of the reasons for which programs of Go's test suite fail.
func (c corpus) failures() (string, error) {
	text, err := os.ReadFile(filepath.Join(string(c), "go_test_failures.txt"))
	if err != nil {
		return "", err
	}
	programs := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		fields := strings.Split(strings.TrimSpace(line), "\t")
		if len(fields) < 2 || strings.HasPrefix(line, "#") {
			continue
		}
		programs[fields[1]] = append(programs[fields[1]], fields[0])
	}
	reasons := slices.SortedFunc(maps.Keys(programs), func(a, b string) int {
		if d := len(programs[b]) - len(programs[a]); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var table strings.Builder
	table.WriteString("| why | programs |\n|---|---|\n")
	for _, r := range reasons {
		names := programs[r]
		if n := len(names); n > 3 {
			names = append(slices.Clone(names[:2]), fmt.Sprintf("and %d others", n-2))
		}
		fmt.Fprintf(&table, "| %s | %s |\n", strings.ReplaceAll(r, "|", "\\|"), strings.Join(names, ", "))
	}
	return strings.TrimSpace(table.String()), nil
}
