package bindings

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/bindings/docs"
	"github.com/gonb-svm/gonb-svm/kernel/display"
	"github.com/gonb-svm/gonb-svm/solvers/datasets"
)

// begun matches a call whose string the cursor is in.
var begun = regexp.MustCompile(`\bsvm\.(Load|LoadFile|LoadModel|SaveModel|Help)\(\s*"([^"\n]*)$`)

// completeString completes a name begun in the string that a function of svm takes: of a data
// set, a file, or a topic of the manual. It is false elsewhere.
func completeString(code string, at int) (display.Completion, bool) {
	m := begun.FindStringSubmatch(code[:at])
	if m == nil {
		return display.Completion{}, false
	}
	kind, names := "", []string(nil)
	switch m[1] {
	case "Load":
		kind = "data set"
		for _, set := range datasets.Names() {
			names = append(names, set.Name)
		}
	case "Help":
		kind = "topic"
		own, _ := docs.ForPackage(strings.TrimSuffix(svmTable, "/svm"))
		for name := range own {
			names = append(names, name)
		}
	default:
		kind, names = "file", files(m[2])
	}
	slices.Sort(names)
	end := utf8.RuneCountInString(code[:at])
	c := display.Completion{Start: end - utf8.RuneCountInString(m[2]), End: end}
	for _, name := range names {
		if name != "" && strings.HasPrefix(strings.ToLower(name), strings.ToLower(m[2])) {
			c.Matches = append(c.Matches, display.Match{Text: name, Kind: kind})
		}
	}
	return c, true
}

// files are the entries of the folder that a path begun is in, folders with a slash at the end.
func files(begun string) []string {
	folder, _ := filepath.Split(begun)
	entries, err := os.ReadDir(filepath.Clean(folder + "."))
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		name := folder + e.Name()
		if e.IsDir() {
			name += string(filepath.Separator)
		}
		names = append(names, name)
	}
	return names
}
