package bindings

import (
	"regexp"

	"github.com/gonb-svm/gonb-svm/kernel/display"
)

// leaving matches a cell by which users of a terminal mean to go: "exit", "quit()".
var leaving = regexp.MustCompile(`^\s*(exit|quit)(\(\))?\s*;?\s*$`)

// leave asks the front end to go, if that is what the cell says and the front end can. A name
// that a cell has declared is that name.
func (s *Session) leave(cell display.Cell, out display.Output) bool {
	words := leaving.FindStringSubmatch(cell.Source)
	front, can := out.(interface{ AskExit() })
	if words == nil || !can {
		return false
	}
	if _, declared := s.Inspect(words[1], len(words[1]), 0); declared {
		return false
	}
	front.AskExit()
	return true
}
