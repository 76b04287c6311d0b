package bindings

import (
	"regexp"
	"strings"
)

// initialiser matches a function that gonb, where every cell is a program of its own, calls when a
// program begins.
var initialiser = regexp.MustCompile(`(?m)^func[ \t]+(init_\w+)[ \t]*\([ \t]*\)[ \t]*\{`)

// initialisers is Go that calls such functions of a source that has run. Here it is enough to call
// them once, since what they have set stays.
func (s *Session) initialisers(source string) string {
	if !strings.Contains(source, "init_") {
		return ""
	}
	var calls strings.Builder
	for _, m := range initialiser.FindAllStringSubmatch(source, -1) {
		if _, _, declared := s.live().Definition(m[1]); declared {
			calls.WriteString(m[1] + "()\n")
		}
	}
	return calls.String()
}
