package bindings

import (
	"fmt"
	"regexp"
	"unicode/utf8"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// question matches a cell that asks about a name: "svm.Fit?" or "?svm.Fit"; two marks ask for more.
var question = regexp.MustCompile(`^\s*(\?{0,2})\s*([\pL_][\pL\pN_.]*)\s*(\?{0,2})\s*;?\s*$`)

// answer is the outcome of a cell that asks about a name; ok is false for every other cell. The
// answer goes to the front end's pager, or is the cell's result where there is none.
func (s *Session) answer(cell display.Cell, out display.Output) (outcome display.Outcome, ok bool) {
	parts := question.FindStringSubmatch(cell.Source)
	if parts == nil || (parts[1] == "") == (parts[3] == "") {
		return display.Outcome{}, false
	}
	name, level := parts[2], len(parts[1]+parts[3])-1
	description, found := s.Inspect(name, utf8.RuneCountInString(name), level)
	if !found {
		message := fmt.Sprintf("nothing is known about %s", name)
		if other := s.elsewhere(name); other != "" {
			message += fmt.Sprintf("; did you mean %s?", other)
		}
		return display.Outcome{Failure: &display.Failure{Name: "NameError", Message: message, Traceback: []string{message}}}, true
	}
	if pager, has := out.(interface{ Page(display.Bundle) }); has {
		pager.Page(description)
		return display.Outcome{}, true
	}
	return display.Outcome{Result: &description}, true
}
