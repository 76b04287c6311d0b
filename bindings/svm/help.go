package svm

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"

	"github.com/gonb-svm/gonb-svm/bindings/docs"
)

// here is the import path of this package.
const here = "github.com/gonb-svm/gonb-svm/bindings/svm"

// Help prints the manual of this package, or what the documentation says about topics: a name
// of this package ("SMO", "Model.ErrorRate", "Fit") or of another ("mat.Dense", "strings.Cut").
func (n *Notebook) Help(topic ...string) {
	if len(topic) == 0 {
		topic = []string{"svm"}
	}
	for i, t := range topic {
		text := help(strings.TrimSpace(t)) + "\n"
		if i > 0 {
			text = "\n" + text
		}
		if out := n.output(); out != nil {
			out.Stream("stdout", text)
		} else {
			fmt.Print(text)
		}
	}
}

// help is the text about one topic.
func help(topic string) string {
	own, _ := docs.ForPackage(here)
	if d, ok := own.Lookup(strings.TrimPrefix(topic, "svm.")); ok && topic != "" {
		return entry(d)
	}
	name, member, _ := strings.Cut(topic, ".")
	for _, p := range docs.Paths() {
		if path.Base(p) != name && p != name {
			continue
		}
		if d, ok := docs.Lookup(p, member); ok {
			if member == "" {
				return d.Text
			}
			return entry(d)
		}
	}
	return fmt.Sprintf("There is no help on %q. %s", topic, nearest(topic, own))
}

// entry is the declaration and the comment, which is indented as go doc does.
func entry(d docs.Doc) string {
	if d.Text == "" {
		return d.Signature
	}
	return d.Signature + "\n" + strings.ReplaceAll("    "+strings.ReplaceAll(d.Text, "\n", "\n    "), "    \n", "\n")
}

// nearest is a sentence that names the topics of this package that differ least.
func nearest(topic string, own docs.Package) string {
	var names []string
	for name := range own {
		if name != "" && !strings.Contains(name, ".") {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	distance := func(name string) int {
		return levenshtein.ComputeDistance(strings.ToLower(topic), strings.ToLower(name))
	}
	slices.Sort(names)
	slices.SortStableFunc(names, func(a, b string) int { return distance(a) - distance(b) })
	return fmt.Sprintf("Did you mean %q? svm.Help() lists what there is.", names[0])
}
