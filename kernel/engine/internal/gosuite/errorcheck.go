package gosuite

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

// Refused is a program that a compiler must refuse.
type Refused struct {
	Name, Path, Source string
	Lines              []int // where the suite expects errors, from 1
}

// expected finds the comment that says what a compiler reports for its line.
var expected = regexp.MustCompile(`// (?:GC_)?ERROR `)

// RefusedPrograms lists the programs of one file, without build constraint, that name the lines of
// their errors. Left out are those whose flags ask for what the compiler says of its own work,
// such as escape analysis, or for another version of the language, and those that import a
// package of the suite.
func RefusedPrograms() ([]Refused, error) {
	root, err := Root()
	if err != nil {
		return nil, err
	}
	var l []Refused
	err = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.Contains(path, ".dir"+string(filepath.Separator)) {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		src := string(b)
		first, _, _ := strings.Cut(src, "\n")
		switch strings.TrimSpace(first) {
		case "// errorcheck", "// errorcheck -d=panic", "// errorcheck -e", "// errorcheck -e=0":
		default:
			return nil
		}
		if constrained(src) || importsBeside(src) {
			return nil
		}
		p := Refused{Path: path, Source: src}
		p.Name, _ = filepath.Rel(root, path)
		for i, line := range strings.Split(src, "\n") {
			if expected.MatchString(line) && !strings.Contains(line, "////") {
				p.Lines = append(p.Lines, i+1)
			}
		}
		if len(p.Lines) > 0 {
			l = append(l, p)
		}
		return nil
	})
	sort.Slice(l, func(i, j int) bool { return l[i].Name < l[j].Name })
	return l, err
}

func constrained(src string) bool {
	return strings.Contains(src, "//go:build") || strings.Contains(src, "// +build")
}

// importsBeside tells a program that imports a folder of the suite.
func importsBeside(src string) bool {
	f, _ := parser.ParseFile(token.NewFileSet(), "", src, parser.ImportsOnly)
	if f == nil {
		return false
	}
	for _, im := range f.Imports {
		if strings.HasPrefix(im.Path.Value, `"./`) || strings.HasPrefix(im.Path.Value, `"../`) {
			return true
		}
	}
	return false
}
